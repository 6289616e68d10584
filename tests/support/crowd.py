"""Many bystanders at little cost: raw lines that keep what they are sent, or never read it."""

import asyncio
import resource
import socket
from collections.abc import Callable
from typing import Any, Final, Self

import msgspec

from support.attacker import frame, upgrade

Plain = dict[str, Any]
FILES_SPARE: Final = 200


def allow_files(count: int) -> None:
    """Let this process have so many descriptors more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + FILES_SPARE
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


class Onlooker(asyncio.Protocol):
    """One bystander: takes messages as they come, and says so. Only what is sent to it matters; it answers nothing."""

    def __init__(self, news: Callable[[], None]) -> None:
        self._news = news
        self._buffer = bytearray()
        self._upgraded = False
        self.head = 0  # the last event of the table it has seen
        self.close_code: int | None = None
        self.is_lost = False
        self.transport: asyncio.Transport | None = None
        self._wanted: tuple[str, asyncio.Future[None]] | None = None

    @classmethod
    async def at(cls, port: int, table: str, number: int, news: Callable[[], None], *, reads: bool = True) -> Self:
        """Connect, say hello and watch the table. One that does not read has a small window, and takes nothing once it watches."""
        loop = asyncio.get_running_loop()
        line = socket.socket()
        if not reads:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(0)
        await loop.sock_connect(line, ("127.0.0.1", port))
        transport, self = await loop.create_connection(lambda: cls(news), sock=line)
        self.transport = transport
        hello = {"t": "hello", "id": "h", "name": f"Onlooker {number}", "protocol": 1}
        transport.write(upgrade() + frame(msgspec.msgpack.encode(hello)))
        await self._first("welcome")
        transport.write(frame(msgspec.msgpack.encode({"t": "watch", "id": "w", "table": table})))
        await self._first("snapshot")
        if not reads:
            transport.pause_reading()
        return self

    async def _first(self, kind: str) -> None:
        self._wanted = (kind, asyncio.get_running_loop().create_future())
        await self._wanted[1]

    def read_on(self) -> None:
        """Begin to read."""
        assert self.transport is not None
        self.transport.resume_reading()

    def close(self) -> None:
        """Cut the line."""
        assert self.transport is not None
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert self._buffer.startswith(b"HTTP/1.1 101"), self._buffer[:end]
            del self._buffer[: end + 4]
            self._upgraded = True
        while (taken := self._frame()) is not None:
            self._take(*taken)
        self._news()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        if self._wanted is not None and not self._wanted[1].done():
            self._wanted[1].set_exception(
                ConnectionError(f"closed with {self.close_code} before a {self._wanted[0]} came")
            )
        self._news()

    def _frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, at = buffer[1], 2
        if size >= 126:
            at += 2 if size == 126 else 8
            size = int.from_bytes(buffer[2:at], "big")
        if len(buffer) < at + size or (buffer[1] >= 126 and len(buffer) < at):
            return None
        opcode, payload = buffer[0] & 0xF, bytes(buffer[at : at + size])
        del buffer[: at + size]
        return opcode, payload

    def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == 0x8:
            self.close_code = int.from_bytes(payload[:2], "big")
        if opcode != 0x2:
            return
        message = msgspec.msgpack.decode(payload)
        if self._wanted is not None and self._wanted[0] == message["t"] and not self._wanted[1].done():
            self._wanted[1].set_result(None)
        if message["t"] == "snapshot":
            self.head = message["seq"]
        for item in (message,) if message["t"] == "event" else message.get("events", ()):
            assert item["seq"] == self.head + 1, (item["seq"], self.head)
            self.head = item["seq"]


class Crowd:
    """So many bystanders of one table."""

    def __init__(self, port: int, table: str) -> None:
        self._port = port
        self._table = table
        self._news = asyncio.Event()
        self.people: list[Onlooker] = []

    async def come(self, count: int, *, reads: bool = True, together: int = 50) -> None:
        """Let so many more come."""
        for start in range(0, count, together):
            numbers = range(start, min(start + together, count))
            self.people += await asyncio.gather(
                *(Onlooker.at(self._port, self._table, number, self._news.set, reads=reads) for number in numbers)
            )

    async def until(self, met: Callable[[Onlooker], bool], *, seconds: float = 120.0) -> None:
        """Return when it holds of everybody."""
        async with asyncio.timeout(seconds):
            while not all(met(one) for one in self.people):
                self._news.clear()
                await self._news.wait()

    def go(self) -> None:
        """Let all of them go."""
        for one in self.people:
            one.close()
