"""A client that keeps to nothing: raw bytes over TCP, handshakes of any shape, frames cut and changed at will."""

import asyncio
import contextlib
import io
import json
import logging
import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from oddtrick_protocol.version import MSGPACK

KEY: Final = "dGhlIHNhbXBsZSBub25jZQ=="
MASK: Final = b"\x11\x22\x33\x44"
TEXT, BINARY = 0x1, 0x2
Plain = dict[str, Any]


def frame(payload: bytes, *, opcode: int = BINARY, fin: bool = True) -> bytes:
    """A masked frame as a client sends it."""
    first = bytes([(0x80 if fin else 0) | opcode])
    size = len(payload)
    if size < 126:
        head = first + bytes([0x80 | size])
    elif size < 1 << 16:
        head = first + b"\xfe" + size.to_bytes(2, "big")
    else:
        head = first + b"\xff" + size.to_bytes(8, "big")
    mask = MASK * (size // 4 + 1)
    return head + MASK + bytes(byte ^ key for byte, key in zip(payload, mask, strict=False))


def upgrade(*, path: str = "/ws", subprotocol: str = MSGPACK) -> bytes:
    """A handshake as it should be."""
    return (
        f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {subprotocol}\r\n\r\n"
    ).encode()


def mangled(chance: Random, data: bytes) -> bytes:
    """These bytes with a few of them changed, lost, doubled or put in."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if not out:
            break
        what, at = chance.random(), chance.randrange(len(out))
        if what < 0.5:
            out[at] = chance.randrange(256)
        elif what < 0.65:
            del out[at : at + chance.randint(1, 6)]
        elif what < 0.8:
            out[at:at] = chance.randbytes(chance.randint(1, 6))
        elif what < 0.9:
            out[at:at] = out[at : at + chance.randint(1, 20)]
        else:
            del out[at:]
    return bytes(out)


ODDITIES: Final[tuple[Any, ...]] = (
    None, True, -1, 0, 1 << 31, 1 << 63, 1.5, float("nan"), float("inf"), "", " ", "x" * 33, "x" * 3_000, "\u202e\u200b", "\x00",
    "any", "N", "SA", "play", "any\ud7ff", b"\xff\xfe", [], [[]] * 9, {}, {"t": "hello"}, {"do": "play"}, {"": {"": ""}}, ["SA"] * 60,
)  # fmt: skip


def twisted(chance: Random, message: Plain) -> Plain:
    """A message with something in it changed for what should not be there, lost, or put where it does not belong."""
    out = dict(message)
    key = chance.choice([key for key in out if key not in {"t", "id"}] or ["more"])
    what = chance.random()
    if what < 0.2:
        out.pop(key, None)
    elif what < 0.3:
        out[chance.choice(("more", "seat", "token", "prompt", "t"))] = chance.choice(ODDITIES)
    elif isinstance(out.get(key), dict) and what < 0.8:
        out[key] = twisted(chance, out[key])
    else:
        out[key] = chance.choice(ODDITIES)
    return out


def hostile_frame(chance: Random, messages: Sequence[Plain]) -> bytes:
    """A frame that was a message once: its sense is twisted, its bytes are mangled, or those of the frame itself."""
    message = {"id": f"x{chance.getrandbits(40)}", **chance.choice(messages)}
    kind = chance.random()
    if kind < 0.7:
        return frame(msgspec.msgpack.encode(twisted(chance, message)))
    payload = msgspec.msgpack.encode(message)
    if kind < 0.85:
        return frame(mangled(chance, payload))
    if kind < 0.88:
        return mangled(chance, frame(payload))
    if kind < 0.9:
        return frame(payload, opcode=chance.choice([0x0, 0x1, 0x3, 0x8, 0x9, 0xA, 0xF]), fin=chance.random() < 0.5)
    return frame(payload)


class Attacker:
    """One raw line after another to the same port. `greeting` is sent, well formed, at the beginning of each.

    `source` is the address it comes from, one of the loopback's.
    """

    def __init__(self, port: int, greeting: Sequence[Plain] = (), *, source: str = "127.0.0.1") -> None:
        self._port = port
        self._source = source
        self._greeting = greeting
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self.lines = 0
        self.sent = 0

    async def send(self, data: bytes) -> None:
        """Send bytes, over a new line if the last was closed."""
        if self._writer is None or self._reading is None or self._reading.done() or self._writer.is_closing():
            await self._connect()
        assert self._writer is not None
        self.sent += 1
        self._writer.write(data)

    async def drain(self) -> None:
        """Let the server take what was sent."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                await self._writer.drain()

    async def close(self) -> None:
        """Cut the line."""
        if self._writer is not None and self._reading is not None:
            self._writer.transport.abort()
            await asyncio.wait([self._reading])
            self._writer = self._reading = None

    async def _connect(self) -> None:
        await self.close()
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._source, 0))
        self.lines += 1
        self._writer.write(upgrade())
        for number, message in enumerate(self._greeting):
            self._writer.write(frame(msgspec.msgpack.encode({"id": f"g{self.lines}-{number}", **message})))
            if number == 0:
                await reader.readuntil(b"welcome")  # nothing is answered before hello is
        self._reading = asyncio.create_task(_read(reader))


async def _read(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(1 << 16):
            pass


class Unhandled:
    """Exceptions that reached the loop, and faults that the server logged (as JSON, a line each)."""

    def __init__(self, log: io.StringIO) -> None:
        self._log = log
        self._of_the_loop: list[str] = []
        self._logged: list[str] = []

    def note(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._of_the_loop.append(f"{context.get('message')}: {context.get('exception')!r}")

    def watch_library(self) -> None:
        """Note what the library of the connections caught of ours, and would have told its own log alone."""

        class OfOurs(logging.Handler):
            def emit(_, record: logging.LogRecord) -> None:  # noqa: N805 -- `self` is the one outside
                trace = record.exc_info[2] if record.exc_info else None
                if any("oddtrick_server" in frame.filename for frame in traceback.extract_tb(trace)):
                    self._of_the_loop.append(f"{record.getMessage()}: {record.exc_info}")

        logger = logging.getLogger("websockets")
        logger.setLevel(logging.ERROR)
        logger.propagate = False
        logger.handlers[:] = [OfOurs()]

    @property
    def all(self) -> list[str]:
        lines = (json.loads(line) for line in self._log.getvalue().splitlines())
        return self._of_the_loop + self._logged + [str(line) for line in lines if line["event"] == "fault"]

    def condense(self) -> None:
        """Keep of the log so far the faults alone: a test that measures memory must not be what grows."""
        faults = self.all
        self._logged = faults[len(self._of_the_loop) :]
        self._log.seek(0)
        self._log.truncate()


class LoopWatch:
    """How long the loop was away at most, in seconds: to be printed, never asserted."""

    def __init__(self) -> None:
        self.worst_s = 0.0
        self._task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(0.002)
            self.worst_s = max(self.worst_s, loop.time() - before - 0.002)

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])


def resident_bytes(process: int | str = "self") -> int:
    """The memory of a process that is in use."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_files(process: int | str = "self") -> int:
    """How many descriptors a process has open."""
    return sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())


async def settled(met: Callable[[], bool], *, seconds: float = 60.0) -> None:
    """Let the loop run until something holds."""
    async with asyncio.timeout(seconds):
        while not met():  # noqa: ASYNC110 -- it may come about anywhere in a server that is not ours to instrument
            await asyncio.sleep(0.005)
