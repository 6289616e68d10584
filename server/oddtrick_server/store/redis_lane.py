"""One connection to one Redis server, with all the calls that wait for it sent at once.

Theory. A call is put on a list and gets a future. While a batch is on its way the next list fills; it is sent as one pipeline, and
where replicas are asked for, one WAIT at its end vouches for all of it. WAIT speaks for the writes of its own connection, which
is why calls and WAIT share one, and why a call that must be vouched for always writes something (`lua/append.lua`).

Rules of this file
    1. Nothing is sent twice. A call whose reply was not read fails with `Lost`; who made it knows whether to make it again.
    2. A call that was never sent says so (`Lost.sent` is false): it did nothing.
    3. Errors that Redis answers with are results here, one call's business and nobody else's.
"""

import asyncio
import contextlib
import math
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from redis.asyncio.connection import Connection
from redis.exceptions import AuthenticationError, BusyLoadingError, RedisError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from oddtrick_server.store.errors import StoreBusy, StoreError
from oddtrick_server.store.interface import StoreBounds

Command = Sequence[bytes | str | int]
Open = Callable[[], Awaitable[Connection]]

BATCH_CALLS_MAX: Final = 500
BATCH_BYTES_MAX: Final = 1 << 20
REOPEN_S: Final = 0.1  # between attempts to connect
# What Redis answers with. Two of them are failures of the line to the library; here the line is as good as before.
ERRORS: Final = (ResponseError, BusyLoadingError, AuthenticationError)
FAILURES: Final = (RedisConnectionError, RedisTimeoutError, OSError, TimeoutError, EOFError)


class Lost(Exception):
    """The line failed before the reply came."""

    def __init__(self, why: str, *, sent: bool) -> None:
        super().__init__(why)
        self.sent = sent


class NotReplicated(Exception):
    """It was done, but too few replicas have said that they have it."""


class Call(NamedTuple):
    """Commands to be sent one after another; the last one's reply is the result."""

    commands: tuple[Command, ...]
    durable: bool
    size_bytes: int
    future: "asyncio.Future[Any]"


class Lane:
    """The calls to one server, in order."""

    def __init__(self, open_line: Open, *, replicas: int, wait_ms: int, reply_ms: int, bounds: StoreBounds) -> None:
        self._open = open_line
        self._replicas = replicas
        self._wait_ms = wait_ms
        self._reply_s = (reply_ms + (wait_ms if replicas else 0)) / 1000
        self._bounds = bounds
        self._waiting: deque[Call] = deque()
        self._held_bytes = 0
        self._news = asyncio.Event()
        self._closing = False
        self._stale = False
        self._line: Connection | None = None
        self._task = asyncio.create_task(self._run(), name="redis lane")

    def submit(self, *commands: Command, durable: bool = False, size_bytes: int = 0) -> "asyncio.Future[Any]":
        """Put a call on the list. The future gives the last reply, which may be one of ERRORS; or raises Lost or NotReplicated.

        Raises StoreBusy, and then did nothing, if too much waits.
        """
        bounds = self._bounds
        if len(self._waiting) >= bounds.queue_calls_max or self._held_bytes + size_bytes > bounds.queue_bytes_max:
            raise StoreBusy(f"{len(self._waiting)} calls wait for redis: it is too slow")
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(Call(commands, durable and self._replicas > 0, size_bytes, future))
        self._held_bytes += size_bytes
        self._news.set()
        return future

    def reopen(self) -> None:
        """Send what comes from now on over a new line."""
        self._stale = True

    async def close(self) -> None:
        """Send what waits, read what comes, and end."""
        self._closing = True
        self._news.set()
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                await self._round()
            if self._closing:
                break
        await self._hang_up()

    async def _round(self) -> None:
        try:
            line = await self._connected()
        except StoreError as error:
            self._refuse_waiting(error)
        except (RedisError, *FAILURES) as error:
            # Everybody who waits now is told, and may look for another way; so the list does not grow behind a dead line.
            self._refuse_waiting(Lost(str(error), sent=False))
            if not self._closing:
                await asyncio.sleep(REOPEN_S)
        else:
            batch = self._take()
            if batch:
                await self._exchange(line, batch)

    def _take(self) -> list[Call]:
        batch: list[Call] = []
        size = 0
        while self._waiting and len(batch) < BATCH_CALLS_MAX and size < BATCH_BYTES_MAX:
            call = self._waiting.popleft()
            self._held_bytes -= call.size_bytes
            if call.future.done():  # its caller was cancelled before it was sent
                continue
            size += call.size_bytes
            batch.append(call)
        return batch

    async def _exchange(self, line: Connection, batch: list[Call]) -> None:
        commands = [command for call in batch for command in call.commands]
        vouched = any(call.durable for call in batch)
        if vouched:
            commands.append(("WAIT", self._replicas, self._wait_ms))
        replies: list[Any] = []
        try:
            async with asyncio.timeout(self._reply_s):
                await line.send_packed_command(line.pack_commands(commands), check_health=False)
                for call in batch:
                    replies.append([await read_reply(line) for _ in call.commands][-1])  # noqa: PERF401 -- as far as they came
                held_by = await read_reply(line) if vouched else 0
        except FAILURES as error:
            await self._hang_up()
            for index, call in enumerate(batch):
                if index < len(replies) and not call.durable:
                    _settle(call, replies[index])
                else:
                    _refuse(call, Lost(str(error) or "no reply in time", sent=True))
            return
        enough = not vouched or (isinstance(held_by, int) and held_by >= self._replicas)
        for call, reply in zip(batch, replies, strict=True):
            if call.durable and not enough and not isinstance(reply, ERRORS):
                _refuse(call, NotReplicated(f"{held_by} of {self._replicas} replicas have it"))
            else:
                _settle(call, reply)
        if not enough:
            await self._hang_up()

    async def _connected(self) -> Connection:
        if self._stale:
            self._stale = False
            await self._hang_up()
        if self._line is None:
            self._line = await self._open()
        return self._line

    async def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(*FAILURES):
                await line.disconnect(nowait=True)

    def _refuse_waiting(self, error: Exception) -> None:
        waiting, self._waiting = self._waiting, deque()
        self._held_bytes = 0
        for call in waiting:
            _refuse(call, error)


async def read_reply(line: Connection) -> Any:
    """The next reply on a line: what Redis says, one of ERRORS included."""
    try:
        return await line.read_response(timeout=math.inf)
    except ERRORS as error:
        return error


def _settle(call: Call, reply: Any) -> None:
    if not call.future.done():
        call.future.set_result(reply)


def _refuse(call: Call, error: Exception) -> None:
    if not call.future.done():
        call.future.set_exception(error)
