"""A client without manners: plain WebSocket messages as maps, sent and read as a test likes."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from oddtrick_protocol.version import JSON, MSGPACK

Plain = dict[str, Any]
_numbers = itertools.count()
PATIENCE_S = 20.0  # for what is sure to come; no test is about how soon


class Peer:
    """One connection, all it was sent, in order."""

    def __init__(self, line: ClientConnection, subprotocol: str) -> None:
        self.line = line
        self.subprotocol = subprotocol
        self.got: list[Plain] = []
        self.raw: list[bytes | str] = []
        self.number = next(_numbers)  # ids of one identity's connections must differ
        self.count = 0
        self.identity = self.token = ""
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for data in self.line:
                self.raw.append(data)
                self.got.append(json.loads(data) if isinstance(data, str) else msgspec.msgpack.decode(data))
                self._news.set()
        self._news.set()

    async def send(self, **fields: Any) -> str:
        """Send a message; its id."""
        self.count += 1
        fields.setdefault("id", f"{self.number}-{self.count}")
        data: bytes | str = msgspec.msgpack.encode(fields) if self.subprotocol == MSGPACK else json.dumps(fields)
        await self.line.send(data)
        id_: str = fields["id"]
        return id_

    def forget(self) -> None:
        """Keep nothing of what came so far, for who measures memory; nothing may be waited for meanwhile."""
        self.got.clear()
        self.raw.clear()

    async def until(self, met: Callable[[Plain], bool], *, after: int = 0) -> Plain:
        """The first message, from the one numbered `after` on, that meets a condition."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for message in self.got[after:]:
                    if met(message):
                        return message
                assert not self._reader.done(), f"closed with {self.line.close_code} and {self.got[-1:]}"
                self._news.clear()
                await self._news.wait()

    async def ask(self, **fields: Any) -> Plain:
        """Send a message and return its answer."""
        after = len(self.got)
        id_ = await self.send(**fields)
        return await self.until(lambda one: one.get("id") == id_, after=after)

    async def ok(self, **fields: Any) -> Plain:
        """Send a message that must be done."""
        answer = await self.ask(**fields)
        assert answer["t"] in {"ok", "welcome", "pong"}, answer
        return answer

    async def refused(self, **fields: Any) -> str:
        """Send a message that must be refused; the code."""
        answer = await self.ask(**fields)
        assert answer["t"] == "refused", answer
        code: str = answer["code"]
        return code

    async def of(self, kind: str, *, after: int = 0) -> Plain:
        """The first message of that type."""
        return await self.until(lambda one: one["t"] == kind, after=after)

    async def event(self, kind: str, *, after: int = 0) -> Plain:
        """The first event of that type, alone or in a run."""
        await self.until(lambda one: any(item["event"]["t"] == kind for item in items(one)), after=after)
        return next(item["event"] for item in self.items(after=after) if item["event"]["t"] == kind)

    def items(self, *, after: int = 0) -> list[Plain]:
        """All events so far, in the order they came."""
        return [item for message in self.got[after:] for item in items(message)]

    async def hello(self, name: str, *, token: str | None = None) -> Self:
        """Say hello, as a new guest or with a token."""
        fields = {} if token is None else {"token": token}
        welcome = await self.ok(t="hello", name=name, protocol=1, **fields)
        self.identity, self.token = welcome["identity"], welcome["token"]
        return self

    async def closed(self) -> int | None:
        """Wait for the end of the connection; its close code."""
        async with asyncio.timeout(PATIENCE_S):
            await self._reader
        return self.line.close_code

    async def stop_reading(self) -> None:
        """Read nothing any more; with `max_queue=1` the socket fills up."""
        self._reader.cancel()
        await asyncio.wait([self._reader])

    def read_on(self) -> None:
        """Read again."""
        self._reader = asyncio.create_task(self._read())

    async def close(self) -> None:
        """Close the connection."""
        await self.line.close()
        await self._reader

    async def cut(self) -> None:
        """Lose the line without a word."""
        self.line.transport.abort()
        await self._reader


async def until(met: Callable[[], object]) -> None:
    """Let the loop run until something holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not met():  # noqa: ASYNC110 -- it may come about anywhere in a server that is not ours to instrument
            await asyncio.sleep(0.001)


def items(message: Plain) -> list[Plain]:
    """The events of one message."""
    if message["t"] == "event":
        return [message]
    return list(message["events"]) if message["t"] == "events" else []


async def dial(url: str, *, subprotocol: str = JSON, **options: Any) -> Peer:
    """Connect, without a hello."""
    line = await connect(url, subprotocols=[Subprotocol(subprotocol)], compression=None, ping_interval=None, **options)
    return Peer(line, subprotocol)


@contextlib.asynccontextmanager
async def guests(url: str, *names: str, subprotocol: str = JSON) -> AsyncIterator[list[Peer]]:
    """So many people who have said hello."""
    peers = [await (await dial(url, subprotocol=subprotocol)).hello(name) for name in names]
    try:
        yield peers
    finally:
        for peer in peers:
            await peer.close()
