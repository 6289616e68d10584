"""The way to whichever Redis server holds a key now: one server, the primary that Sentinels name, or the nodes of a cluster.

A call looks for its way until its patience ends. What is known of the way is forgotten as soon as a line fails, a server says that
it is no primary, or replicas do not answer: then the way is asked for again. What this cannot find out is left to the caller:
`StoreBusy` means that nothing was done, `StoreWriteFailed` that it may have been done, and then the same call may be made again.
"""

import asyncio
import contextlib
import math
from collections.abc import Callable
from typing import Any, Final

from redis.asyncio.connection import Connection, SSLConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    MasterDownError,
    MovedError,
    NoPermissionError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)

from oddtrick_server.store.errors import StoreBusy, StoreClosed, StoreError, StoreUnusable, StoreWriteFailed
from oddtrick_server.store.interface import StoreBounds
from oddtrick_server.store.redis_lane import FAILURES, Command, Lane, Lost, NotReplicated
from oddtrick_server.store.redis_place import Address, RedisPlace

RETRY_S: Final = 0.05
SLOTS: Final = 16_384
# Answers of a server that did nothing, and may later, or another may now.
_PASSING: Final = (ReadOnlyError, BusyLoadingError, ClusterDownError, MasterDownError, TryAgainError)
_PASSING_WORDS: Final = ("NOREPLICAS", "MISCONF", "BUSY", "READONLY", "CLUSTERDOWN", "MASTERDOWN", "UNBLOCKED")


class Link:
    """The lanes to all servers that hold keys of ours."""

    def __init__(self, place: RedisPlace, *, bounds: StoreBounds, scripts: tuple[str, ...] = ()) -> None:
        self.place = place
        self._bounds = bounds
        self._scripts = scripts
        self._lanes: dict[Address, Lane] = {}
        self._primary: Address | None = place.hosts[0] if place.kind == "single" else None
        self._slots: list[Address | None] = [None] * SLOTS if place.kind == "cluster" else []
        self._finding: asyncio.Task[None] | None = None
        self._closed = False

    # --- calls ---

    async def call(
        self, key: bytes, command: Command, *, changes: bool = False, durable: bool = False, size_bytes: int = 0
    ) -> Any:
        """The reply to a command about a key.

        `changes` says that it may not be sent again blindly once it was sent; `durable`, that enough replicas must have it.
        """
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self.place.patience_ms / 1000
        asked: Address | None = None
        why = ""
        while True:
            if self._closed:
                raise StoreClosed("the store is closed")
            try:
                address = asked or await self._way(key)
                prelude: tuple[Command, ...] = (("ASKING",),) if asked else ()
                reply = await self._lane(address).submit(*prelude, command, durable=durable, size_bytes=size_bytes)
                asked = None
                if not isinstance(reply, ResponseError):
                    return reply
                asked, why = self._answered(key, reply)
            except Lost as lost:
                self._forget()
                if lost.sent and changes:
                    raise StoreWriteFailed(f"{self.place.name}: {lost}; whether it was written is unknown") from lost
                why = str(lost)
            except NotReplicated as short:
                self._forget()
                if changes:
                    raise StoreWriteFailed(f"{self.place.name}: {short}; it is not yet safe") from short
                why = str(short)
            if loop.time() >= give_up:
                raise StoreBusy(f"{self.place.name}: {why or 'cannot be reached'}; nothing was done")
            if asked is None:
                await asyncio.sleep(RETRY_S)

    def _answered(self, key: bytes, error: ResponseError) -> tuple[Address | None, str]:
        """What an error says about the way: whom to ask this once, and why nothing was done. Raises what no way would mend."""
        if isinstance(error, AskError):  # or MovedError, which is one to the library
            return self.learn(key, error), str(error)
        if isinstance(error, NoScriptError):
            self._drop_lines()
            return None, str(error)
        if isinstance(error, _PASSING) or str(error).startswith(_PASSING_WORDS):
            self._forget()
            return None, str(error)
        raise self._unusable(error)

    def learn(self, key: bytes, error: Exception) -> Address | None:
        """Take from a failure what it says about the way to a key: where it is for good, or that what is known is out of date.

        If the key is just being moved: the server to ask about it for now, with `ASKING` before each command.
        """
        if isinstance(error, MovedError) and error.host:
            self._slots[key_slot(key)] = (error.host, error.port)
        elif isinstance(error, AskError) and not isinstance(error, MovedError) and error.host:
            return error.host, error.port
        else:
            self._forget()
        return None

    def _unusable(self, error: Exception) -> StoreError:
        return StoreUnusable(f"{self.place.name}: {error}; look to redis and to the address")

    # --- lines ---

    async def open(self, key: bytes, *, at: Address | None = None) -> Connection:
        """A line of one's own to the server that holds a key, or to that `at` an address; close it with `disconnect`.

        StoreBusy if there is none now. Whoever learns on it that it leads to the wrong server tells `learn`: the next leads on.
        """
        try:
            return await self._opened(at or await self._way(key))
        except (Lost, RedisError, *FAILURES) as error:
            self._forget()
            raise StoreBusy(f"{self.place.name}: {error}; nothing was done") from error

    async def _opened(self, address: Address) -> Connection:
        host, port = address
        place = self.place
        options: dict[str, Any] = {"ssl_ca_certs": place.ca_file} if place.tls and place.ca_file else {}
        kind = SSLConnection if place.tls else Connection
        line = kind(
            host=host,
            port=port,
            db=place.db,
            username=place.username,
            password=place.password,
            # The library's own timeouts rest on `wait_for`, which up to Python 3.11 may swallow a cancellation; ours are around it.
            socket_timeout=None,
            socket_connect_timeout=None,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
            driver_info=None,
            **options,
        )
        try:
            async with asyncio.timeout(place.reply_ms / 1000):
                await line.connect()  # type: ignore[no-untyped-call]
                if self._scripts:
                    loads = [("SCRIPT", "LOAD", text) for text in self._scripts]
                    await line.send_packed_command(line.pack_commands(loads), check_health=False)
                    for _ in self._scripts:
                        await line.read_response(timeout=math.inf)
        except BaseException as error:
            with contextlib.suppress(*FAILURES):
                await line.disconnect(nowait=True)
            if isinstance(error, AuthenticationError | NoPermissionError):
                raise self._unusable(error) from error
            raise
        return line

    def _lane(self, address: Address) -> Lane:
        lane = self._lanes.get(address)
        if lane is None:
            lane = self._lanes[address] = Lane(
                lambda: self._opened(address),
                replicas=self.place.replicas,
                wait_ms=self.place.wait_ms,
                reply_ms=self.place.reply_ms,
                bounds=self._bounds,
            )
        return lane

    def _drop_lines(self) -> None:
        for lane in self._lanes.values():
            lane.reopen()

    # --- the way ---

    async def _way(self, key: bytes) -> Address:
        known = self._known(key)
        if known is not None:
            return known
        if self._finding is None:
            self._finding = asyncio.create_task(self._find())
            self._finding.add_done_callback(self._found)
        await asyncio.shield(self._finding)
        known = self._known(key)
        if known is None:
            raise Lost("no server holds this key", sent=False)
        return known

    def _known(self, key: bytes) -> Address | None:
        return self._slots[key_slot(key)] if self.place.kind == "cluster" else self._primary

    def _forget(self) -> None:
        if self.place.kind == "sentinel":
            self._primary = None
        elif self.place.kind == "cluster":
            self._slots = [None] * SLOTS

    def _found(self, task: "asyncio.Task[None]") -> None:
        self._finding = None
        if not task.cancelled():
            task.exception()  # whoever waited has it

    async def _find(self) -> None:
        find: Callable[[], Any] = self._ask_sentinels if self.place.kind == "sentinel" else self._ask_cluster
        try:
            async with asyncio.timeout(self.place.reply_ms / 1000):
                await find()
        except MasterNotFoundError as error:  # whose own text is a page of the objects that were asked
            raise Lost(f"no Sentinel knows {self.place.service}", sent=False) from error
        except (RedisError, *FAILURES) as error:
            raise Lost(str(error), sent=False) from error

    async def _ask_sentinels(self) -> None:
        place = self.place
        sentinel = Sentinel(  # type: ignore[no-untyped-call]
            list(place.hosts),
            sentinel_kwargs={
                "socket_timeout": place.patience_ms / 1000,
                "socket_connect_timeout": place.patience_ms / 1000,
                "retry": Retry(NoBackoff(), 0),
                "protocol": 2,
            },
        )
        try:
            host, port = await sentinel.discover_master(place.service)
            self._primary = (str(host), int(port))
        finally:
            await sentinel.aclose()

    async def _ask_cluster(self) -> None:
        known = dict.fromkeys([*self._lanes, *self.place.hosts])
        last: Exception | None = None
        for address in known:
            try:
                line = await self._opened(address)
            except (RedisError, *FAILURES) as error:
                last = error
                continue
            try:
                await line.send_command("CLUSTER", "SLOTS")
                ranges = await line.read_response()
            except (RedisError, *FAILURES) as error:
                last = error
                continue
            finally:
                await line.disconnect(nowait=True)
            for first, end, primary, *_ in ranges:
                host = primary[0].decode() if primary[0] else address[0]
                self._slots[int(first) : int(end) + 1] = [(host, int(primary[1]))] * (int(end) + 1 - int(first))
            return
        raise Lost(str(last), sent=False)

    async def close(self) -> None:
        """Let every call that was made end, and close all lines."""
        if self._closed:
            return
        self._closed = True
        if self._finding is not None:
            self._finding.cancel()
        await asyncio.gather(*(lane.close() for lane in self._lanes.values()))
