"""Letters between servers: one stream a server, which it reads and the others write.

Letters are no records: none is waited for by replicas, an inbox keeps the last ones only, and one that nobody reads is gone after a
minute. What is written in them stands in the log, or is asked again.
"""

import asyncio
import contextlib
import math
from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio.connection import Connection
from redis.exceptions import RedisError

from oddtrick_server.store.errors import StoreBusy, StoreClosed
from oddtrick_server.store.redis_lane import FAILURES, Command
from oddtrick_server.store.redis_link import Link
from oddtrick_server.store.redis_place import Address
from oddtrick_server.store.redis_scripts import SCRIPTS

BLOCK_MS: Final = 1_000
LETTERS_MAX: Final = 500  # read at once
_FIRST: Final = b"0-0"


class RedisMail:
    """A `Mail` in Redis Streams."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._line: Connection | None = None
        self._aside: Address | None = None  # where the inbox is while a cluster moves it
        self._last = _FIRST
        self._closed = False

    async def send(self, server: str, letters: Sequence[bytes]) -> None:
        """Put letters into a server's inbox, in order."""
        key = self._key(server)
        place = self._link.place
        command: Command = ("EVALSHA", SCRIPTS["send"].sha, 1, key, place.mail_kept_max, place.mail_kept_ms, *letters)
        await self._link.call(key, command, size_bytes=sum(map(len, letters)))

    async def receive(self, server: str) -> list[bytes]:
        """The letters that came since; after a while without any, none."""
        if self._closed:
            raise StoreClosed("the store is closed")
        key = self._key(server)
        try:
            async with asyncio.timeout((BLOCK_MS + self._link.place.reply_ms) / 1000):
                if self._line is None:
                    self._line = await self._link.open(key, at=self._aside)
                    await self._begin_again(self._line, key)
                found = await self._ask(
                    self._line, "XREAD", "COUNT", LETTERS_MAX, "BLOCK", BLOCK_MS, "STREAMS", key, self._last
                )
        except (RedisError, *FAILURES) as error:
            await self._hang_up()
            # Nobody else may ever ask about this key: what the next line leads to is decided here.
            self._aside = self._link.learn(key, error)
            raise StoreBusy(f"{self._link.place.name}: {error}; the inbox cannot be read") from error
        except BaseException:
            await self._hang_up()
            self._aside = None
            raise
        if not found:
            return []
        letters = found[0][1]
        self._last = letters[-1][0]
        return [fields[1] for _, fields in letters]

    async def _begin_again(self, line: Connection, key: bytes) -> None:
        """After a failover the inbox may be shorter than what was read of it: then all of it is read."""
        newest = await self._ask(line, "XREVRANGE", key, "+", "-", "COUNT", 1)
        if not newest or _number(newest[0][0]) < _number(self._last):
            self._last = _FIRST

    async def _ask(self, line: Connection, *command: bytes | str | int) -> Any:
        if self._aside is not None:
            await line.send_command("ASKING")
            await line.read_response(timeout=math.inf)
        await line.send_command(*command)
        return await line.read_response(timeout=math.inf)

    def _key(self, server: str) -> bytes:
        return f"{self._link.place.prefix}:{{srv:{server}}}:in".encode()

    async def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(*FAILURES):
                await line.disconnect(nowait=True)

    async def close(self) -> None:
        """Stop reading."""
        self._closed = True
        await self._hang_up()


def _number(letter_id: bytes) -> tuple[int, int]:
    ms, _, count = letter_id.partition(b"-")
    return int(ms), int(count)
