"""A TCP proxy that does what networks do: cuts a line after any byte, holds bytes back, lets nobody in.

Its `port` leads to the one it was made for. `cut_replies_after(100)` breaks the next line when so many bytes have come back;
`hold()` is a partition, where lines stay up and nothing passes; `heal()` ends it. `retold` changes what comes back: each of its
keys is replaced by its value, where it comes in one piece.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

CHUNK = 1 << 16


class _Line:
    """One connection through the proxy."""

    def __init__(self, writers: list[asyncio.StreamWriter]) -> None:
        self.writers = writers
        self.tasks: list[asyncio.Task[None]] = []

    def cut(self) -> None:
        for task in self.tasks:
            task.cancel()
        for writer in self.writers:
            reset(writer)


class FaultyProxy:
    """One listening port that leads to another."""

    def __init__(self, to_port: int, *, to_host: str = "127.0.0.1", retold: Mapping[bytes, bytes] = {}) -> None:
        self._to = (to_host, to_port)
        self._retold = retold
        self._server: asyncio.Server | None = None
        self._lines: set[_Line] = set()
        self._open = asyncio.Event()
        self._open.set()
        self._back = asyncio.Event()
        self._back.set()
        self._refusing = False
        self._cuts: list[tuple[bool, int]] = []
        self.delay_s = 0.0
        self.port = 0
        self.lines_made = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.heal()
        lines = list(self._lines)
        self.cut()
        await asyncio.gather(*(task for line in lines for task in line.tasks), return_exceptions=True)
        await self._server.wait_closed()

    # --- faults ---

    def cut(self) -> None:
        """Reset every line there is."""
        for line in list(self._lines):
            line.cut()
        self._lines.clear()

    def hold(self) -> None:
        """Let nothing pass in either direction; lines stay up, new ones hang."""
        self._open.clear()

    def hold_replies(self) -> None:
        """Let requests pass and keep what comes back."""
        self._back.clear()

    def refuse(self) -> None:
        """Reset every line, and every new one."""
        self._refusing = True
        self.cut()

    def heal(self) -> None:
        """Let everything pass again."""
        self._refusing = False
        self._open.set()
        self._back.set()

    def lead_to(self, port: int) -> None:
        """Lead to another port from now on; lines there are cut."""
        self._to = (self._to[0], port)
        self.cut()

    def cut_requests_after(self, count: int) -> None:
        """Reset the next line to be made when so many bytes were passed on from the client."""
        self._cuts.append((True, count))

    def cut_replies_after(self, count: int) -> None:
        """Reset the next line to be made when so many bytes were passed back to the client."""
        self._cuts.append((False, count))

    # --- passing on ---

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lines_made += 1
        if self._refusing:
            reset(writer)
            return
        await self._open.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection(*self._to)
        except OSError:
            reset(writer)
            return
        line = _Line([writer, far_writer])
        cuts = {False: -1, True: -1}
        if self._cuts:
            of_requests, count = self._cuts.pop(0)
            cuts[of_requests] = count
        line.tasks = [
            asyncio.create_task(self._pass(reader, far_writer, cuts[True], [self._open], {})),
            asyncio.create_task(self._pass(far_reader, writer, cuts[False], [self._open, self._back], self._retold)),
        ]
        self._lines.add(line)
        for task in line.tasks:
            task.add_done_callback(self._ended(line))

    def _ended(self, line: _Line) -> Callable[["asyncio.Task[None]"], None]:
        def ended(_task: "asyncio.Task[None]") -> None:
            self._lines.discard(line)
            line.cut()

        return ended

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        cut_after: int,
        gates: list[asyncio.Event],
        retold: Mapping[bytes, bytes],
    ) -> None:
        passed = 0
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                for said, told in retold.items():
                    data = data.replace(said, told)
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                for gate in gates:
                    await gate.wait()
                if 0 <= cut_after <= passed + len(data):
                    writer.write(data[: cut_after - passed])
                    await writer.drain()
                    return
                passed += len(data)
                writer.write(data)
                await writer.drain()


def reset(writer: asyncio.StreamWriter) -> None:
    """Close a line without waiting for what is still to be sent once it is written out."""
    raw = writer.get_extra_info("socket")
    if raw is not None and not writer.is_closing():
        with contextlib.suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 0, 0))
    writer.close()
