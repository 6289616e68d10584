"""The way to whichever Redis server holds a key now: one server, the primary that Sentinels name, or the nodes of a cluster.

A call looks for its way until its patience ends. What is known of the way to a server is forgotten as soon as a line to it fails,
it says that it is no primary, or its replicas do not answer: then the way is asked for again (`redis_way`). What is known of other
servers stays, so that a silent node of a cluster holds up no key of another. What this cannot find out is left to the caller:
`StoreBusy` means that nothing was done, `StoreWriteFailed` that it may have been done, and then the same call may be made again.
"""

import asyncio
import contextlib
import math
from typing import Any, Final

from redis.asyncio.connection import Connection, SSLConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    MovedError,
    NoPermissionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)

from oddtrick_server.store.errors import StoreBusy, StoreClosed, StoreError, StoreUnusable, StoreWriteFailed
from oddtrick_server.store.interface import StoreBounds
from oddtrick_server.store.redis_lane import ERRORS, FAILURES, Command, Lane, Lost, NotReplicated
from oddtrick_server.store.redis_place import Address, RedisPlace
from oddtrick_server.store.redis_way import SLOTS, Ask, Found, latest, primary_of, slots_of

RETRY_S: Final = 0.05
# Answers of a server that did nothing: it will later, or another is the one to ask now.
_ELSEWHERE: Final = (ReadOnlyError, BusyLoadingError, ClusterDownError)  # MASTERDOWN is one to the library
_ELSEWHERE_WORDS: Final = ("NOREPLICAS", "UNBLOCKED")
# And of one that is the right one: it has no room, a disk that fails, a script that runs for long, half of a slot. That passes, or
# an operator mends it while we wait.
_LATER: Final = (OutOfMemoryError, TryAgainError)
_LATER_WORDS: Final = ("MISCONF ", "BUSY ")
# Before it has served us, a wrong address; after that, a change of passwords or of what we may do, which its operator mends.
_DENIED: Final = (AuthenticationError, NoPermissionError)


class Link:
    """The lanes to all servers that hold keys of ours."""

    def __init__(self, place: RedisPlace, *, bounds: StoreBounds, scripts: tuple[str, ...] = ()) -> None:
        self.place = place
        self._bounds = bounds
        self._scripts = scripts
        self._lanes: dict[Address, Lane] = {}
        self._primary: Address | None = place.hosts[0] if place.kind == "single" else None
        self._slots: list[Address | None] = [None] * SLOTS if place.kind == "cluster" else []
        self._doubted: set[Address] = set()  # nodes in `_slots` that failed since they were asked for
        self._nodes: tuple[Address, ...] = ()  # all that the cluster named when it was last asked
        self._served = False
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
            prelude: tuple[Command, ...] = (("ASKING",),) if asked else ()
            address, asked = asked, None
            try:
                address = address or await self._way(key)
                reply = await self._lane(address).submit(*prelude, command, durable=durable, size_bytes=size_bytes)
                if not isinstance(reply, ERRORS):
                    self._served = True
                    return reply
                asked, why = self._answered(key, address, reply)
            except Lost as lost:
                self._forget(address)
                if lost.sent and changes:
                    raise StoreWriteFailed(f"{self.place.name}: {lost}; whether it was written is unknown") from lost
                why = str(lost)
            except NotReplicated as short:
                self._forget(address)
                if changes:
                    raise StoreWriteFailed(f"{self.place.name}: {short}; it is not yet safe") from short
                why = str(short)
            if loop.time() >= give_up:
                raise StoreBusy(f"{self.place.name}: {why or 'cannot be reached'}; nothing was done")
            if asked is None:
                await asyncio.sleep(RETRY_S)

    def _answered(self, key: bytes, address: Address, error: RedisError) -> tuple[Address | None, str]:
        """What an error says about the way: whom to ask this once, and why nothing was done. Raises what no way would mend."""
        if isinstance(error, AskError):  # or MovedError, which is one to the library
            return self.learn(key, error), str(error)
        if isinstance(error, NoScriptError):
            self._drop_lines()
        elif isinstance(error, _DENIED) and self._served:
            if isinstance(error, AuthenticationError):
                self._drop_lines()  # a new one says again who we are
        elif isinstance(error, _ELSEWHERE) or str(error).startswith(_ELSEWHERE_WORDS):
            self._forget(address)
        elif not isinstance(error, _LATER) and not str(error).startswith(_LATER_WORDS):
            raise self._unusable(error)
        return None, str(error)

    def learn(self, key: bytes, error: Exception) -> Address | None:
        """Take from a failure what it says about the way to a key: where it is for good, or that what is known is out of date.

        If the key is just being moved: the server to ask about it for now, with `ASKING` before each command.
        """
        if isinstance(error, MovedError) and error.host:
            self._slots[key_slot(key)] = (error.host, error.port)
            self._doubted.discard((error.host, error.port))
        elif isinstance(error, AskError) and not isinstance(error, MovedError) and error.host:
            return error.host, error.port
        else:
            self._forget(self._known(key))
        return None

    def _unusable(self, error: Exception) -> StoreError:
        return StoreUnusable(f"{self.place.name}: {error}; look to redis and to the address")

    # --- lines ---

    async def open(self, key: bytes, *, at: Address | None = None) -> Connection:
        """A line of one's own to the server that holds a key, or to that `at` an address; close it with `disconnect`.

        StoreBusy if there is none now. Whoever learns on it that it leads to the wrong server tells `learn`: the next leads on.
        """
        address = at
        try:
            address = at or await self._way(key)
            return await self._opened(address, scripts=self._scripts)
        except (Lost, RedisError, *FAILURES) as error:
            self._forget(address)
            raise StoreBusy(f"{self.place.name}: {error}; nothing was done") from error

    async def _opened(self, address: Address, *, scripts: tuple[str, ...] = (), sentinel: bool = False) -> Connection:
        host, port = address
        place = self.place
        files = {"ssl_ca_certs": place.ca_file, "ssl_certfile": place.cert_file, "ssl_keyfile": place.key_file}
        options: dict[str, Any] = {name: file for name, file in files.items() if file}
        kind = SSLConnection if place.tls else Connection
        line = kind(
            host=host,
            port=port,
            db=0 if sentinel else place.db,
            username=place.sentinel_username if sentinel else place.username,
            password=place.sentinel_password if sentinel else place.password,
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
                if scripts:
                    loads = [("SCRIPT", "LOAD", text) for text in scripts]
                    await line.send_packed_command(line.pack_commands(loads), check_health=False)
                    for _ in scripts:
                        await line.read_response(timeout=math.inf)
        except BaseException as error:
            with contextlib.suppress(*FAILURES):
                await line.disconnect(nowait=True)
            if isinstance(error, _DENIED) and not self._served:
                raise self._unusable(error) from error
            raise
        return line

    def _lane(self, address: Address) -> Lane:
        lane = self._lanes.get(address)
        if lane is None:
            lane = self._lanes[address] = Lane(
                lambda: self._opened(address, scripts=self._scripts),
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
        finding = self._finding
        await asyncio.wait([finding])
        if finding.cancelled():
            raise StoreClosed("the store is closed")
        finding.result()
        known = self._known(key)
        if known is None:
            raise Lost("no server holds this key", sent=False)
        return known

    def _known(self, key: bytes) -> Address | None:
        if self.place.kind != "cluster":
            return self._primary
        known = self._slots[key_slot(key)]
        return None if known in self._doubted else known

    def _forget(self, address: Address | None) -> None:
        if self.place.kind == "sentinel":
            self._primary = None
        elif self.place.kind == "cluster" and address is not None:
            self._doubted.add(address)

    def _found(self, task: "asyncio.Task[None]") -> None:
        self._finding = None
        if not task.cancelled():
            task.exception()  # whoever waited has it

    async def _find(self) -> None:
        place = self.place
        try:
            async with asyncio.timeout(place.patience_ms / 1000):
                if place.kind == "sentinel":
                    ask = primary_of(place.service)
                    self._primary = await latest(self._asked(one, ask, sentinel=True) for one in place.hosts)
                else:
                    known = dict.fromkeys([*self._nodes, *place.hosts])
                    self._slots, self._nodes = await latest(self._asked(one, slots_of) for one in known)
                    self._doubted.clear()
        except TimeoutError as error:
            raise Lost("nobody who was asked for the way has answered in time", sent=False) from error
        except (RedisError, *FAILURES) as error:
            raise Lost(str(error), sent=False) from error

    async def _asked(self, address: Address, ask: Ask[Found], *, sentinel: bool = False) -> tuple[int, Found]:
        line = await self._opened(address, sentinel=sentinel)
        try:
            return await ask(line, address)
        except _DENIED as error:
            if self._served:
                raise
            raise self._unusable(error) from error
        finally:
            await line.disconnect(nowait=True)

    async def close(self) -> None:
        """Let every call that was made end, and close all lines."""
        if self._closed:
            return
        self._closed = True
        if self._finding is not None:
            self._finding.cancel()
        await asyncio.gather(*(lane.close() for lane in self._lanes.values()))
