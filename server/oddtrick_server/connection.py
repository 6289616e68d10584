"""One WebSocket: frames in as they are parsed, ready-made frames out, and a bound on how much may wait to be read.

A subclass of the library's own connection. Data frames are handled where they are parsed, in the loop's callback, not queued for
a task: a message costs no task and no copy. Out go bytes that were framed once for everybody who gets them. Since all of it
happens in callbacks of one loop and nothing here awaits, no two of them can interleave.
"""

from __future__ import annotations

import socket
from asyncio import BaseTransport
from typing import Any, Final, Protocol

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN, Event

from oddtrick_protocol.closing import CLOSE_CODES, Close
from oddtrick_protocol.codec import Codec
from oddtrick_protocol.messages import Going
from oddtrick_server.accounts import Account
from oddtrick_server.rates import Bucket

EARLY_FRAMES_MAX: Final = 8  # a client may speak before our handler task has begun
PARTS_MAX: Final = 64  # of one fragmented message
SLICE_BYTES: Final = 4_096  # parsed at once: what ends a line in the middle of a flood spares us the rest
REASON_BYTES_MAX: Final = 120  # of a close frame, which has 125 with its code
_DATA: Final = frozenset({Opcode.TEXT, Opcode.BINARY, Opcode.CONT})
_COUNTED: Final = frozenset({Opcode.PING, Opcode.PONG})  # no message, so no rate of messages counts them


class Listener(Protocol):
    """Who is told what a connection brings."""

    def received(self, data: bytes | str) -> None:
        """A whole message came."""


class Door(Protocol):
    """Who counts the lines, from before anything is said on them."""

    def opened(self, peer: str) -> bool:
        """A line is opened; False if it is one too many."""

    def closed(self, peer: str) -> None:
        """A line is closed that was let in."""


class HandshakeFailed(Exception):
    """No WebSocket came of it."""


def framed(payload: bytes | str) -> bytes:
    """A message as the bytes of one unmasked frame: what a server writes."""
    if isinstance(payload, str):
        first, data = 0x81, payload.encode()
    else:
        first, data = 0x82, payload
    size = len(data)
    if size < 126:
        return bytes((first, size)) + data
    if size < 1 << 16:
        return bytes((first, 126)) + size.to_bytes(2, "big") + data
    return bytes((first, 127)) + size.to_bytes(8, "big") + data


def _forget_frames(error: BaseException | None) -> None:
    """Let go of the calls an error went through, which hold whatever they had in hand."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


class Connection(ServerConnection):
    """A client's connection. `codec` is set once the handshake is done."""

    codec: Codec
    address: str  # what the bounds per address count this line by

    _outbox_bytes_max: int
    _close_s: float
    _http_bytes_max: int
    _kernel_bytes_max: int
    _control_per_s: float
    _control_burst: int
    _door: Door

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._listener: Listener | None = None
        self._early: list[bytes | str] = []
        self._parts: list[bytes] = []
        self._is_text = False
        self.dropped: Close | None = None
        self.account: Account | None = None  # that its bearer token speaks for
        self._request_bytes = 0
        self._is_ending = False
        self._peer: str | None = None
        self._control = Bucket(per_s=self._control_per_s, burst=self._control_burst)
        self._large_bytes = 0  # of the largest message among those that wait to be read

    # --- the line ---

    def connection_made(self, transport: BaseTransport) -> None:
        """Count the line, or cut it before a word is said."""
        super().connection_made(transport)
        remote = self.remote_address
        peer = str(remote[0]) if remote else ""
        if self._door.opened(peer):
            self._peer = peer
            line = transport.get_extra_info("socket")
            if line is not None:
                # Left to itself a Linux machine keeps megabytes for one who does not read.
                line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._kernel_bytes_max)
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer, and let it go."""
        super().connection_lost(exc)
        if self._peer is not None:
            self._door.closed(self._peer)
        self._untie()

    def _untie(self) -> None:
        """Cut the circles that the library ties, so that a line's memory goes with it and the collector has nothing to do.

        A crowd that leaves, or a storm of lines, would else be looked through all at once while every table waits.
        """
        protocol = self.protocol
        protocol.parser.close()  # a generator that holds the protocol which holds it
        vars(protocol).pop("select_subprotocol", None)  # a closure over this connection
        getattr(self.transport, "__dict__", {}).pop("_read_ready_cb", None)  # asyncio's own, where it has one
        for error in (protocol.handshake_exc, protocol.parser_exc):
            _forget_frames(error)

    async def handshake(self, *args: Any, **kwargs: Any) -> None:
        """Open the line; what it fails with is told, and not kept by the line that it keeps."""
        try:
            await super().handshake(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 -- whatever it is, it ends this line alone
            self.protocol.handshake_exc = None
            raise HandshakeFailed(str(error)) from None

    def data_received(self, data: bytes) -> None:
        """Take bytes; a request that goes on without end is cut off."""
        if self.request is None:
            self._request_bytes += len(data)
            if self._request_bytes > self._http_bytes_max:
                self.transport.abort()
                return
        for at in range(0, len(data), SLICE_BYTES):
            if self.dropped is not None:
                return
            super().data_received(data[at : at + SLICE_BYTES])
        if self.close_deadline is not None and not self._is_ending:
            # The library leaves it to the next send to look at its deadline, and there may be none.
            self._is_ending = True
            self.loop.call_later(self._close_s, self.transport.abort)

    def begin(self, listener: Listener) -> None:
        """Hand everything that comes to the listener, until `end`."""
        self._listener = listener
        early, self._early = self._early, []
        for data in early:
            self._deliver(data)

    def end(self) -> None:
        """Hand nothing to anybody any more."""
        self._listener = None

    # --- in ---

    def process_event(self, event: Event) -> None:
        """Take a frame where it is parsed; everything but data is the library's business."""
        if self.request is None or not isinstance(event, Frame):
            super().process_event(event)
            return
        if self.dropped is not None:
            return
        if event.opcode in _COUNTED and self._control.take(self.loop.time()):
            self.drop(Close.RATE, "too many pings")
            return
        if event.opcode not in _DATA:
            super().process_event(event)
            return
        if event.opcode is not Opcode.CONT:
            self._is_text = event.opcode is Opcode.TEXT
            if event.fin:
                self._take(bytes(event.data))
                return
            self._parts = []
        self._parts.append(bytes(event.data))
        if len(self._parts) > PARTS_MAX:
            self.drop(Close.POLICY, "a message in too many parts")
        elif event.fin:
            parts, self._parts = self._parts, []
            self._take(b"".join(parts))

    def _take(self, data: bytes) -> None:
        if not self._is_text:
            self._deliver(data)
            return
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.drop(Close.BAD_MESSAGE, "a text that is not UTF-8")
        else:
            self._deliver(text)

    def _deliver(self, data: bytes | str) -> None:
        if self._listener is not None:
            self._listener.received(data)
        elif len(self._early) < EARLY_FRAMES_MAX:
            self._early.append(data)
        else:
            self.drop(Close.POLICY, "too much before the connection was ready")

    # --- out ---

    @property
    def is_open(self) -> bool:
        """Whether frames can still be written."""
        return self.dropped is None and self.protocol.state is OPEN

    def push(self, frames: bytes) -> None:
        """Write ready-made frames; a reader too far behind is dropped, to resume when it can."""
        if not self.is_open:
            return
        if self.transport.get_write_buffer_size() == 0:
            self._large_bytes = 0
        self._large_bytes = max(self._large_bytes, len(frames))
        self.transport.write(frames)
        # One long answer alone is no reason: who reads as fast as his line allows gets it whole.
        if self.transport.get_write_buffer_size() > self._outbox_bytes_max + self._large_bytes:
            self.drop(Close.SLOW, "not reading")

    def drop(self, code: Close, reason: str = "", *, after_ms: int | None = None) -> None:
        """Say why, close with that code, and cut the line if it is not closed soon."""
        if self.dropped is not None:
            return
        if self.protocol.state is OPEN:
            closing = CLOSE_CODES[code]
            if code is not Close.SLOW and hasattr(self, "codec"):
                going = Going(
                    reason=reason or closing.meaning, retry=closing.then.value, code=int(code), after_ms=after_ms
                )
                self.transport.write(framed(self.codec.encode(going)))
            self.protocol.fail(int(code), reason.encode()[:REASON_BYTES_MAX].decode(errors="ignore"))
            self.send_data()
        self.dropped = code
        self.loop.call_later(self._close_s, self.transport.abort)


def connection_class(
    *,
    outbox_bytes_max: int,
    close_s: float,
    http_bytes_max: int,
    kernel_bytes_max: int,
    control_per_s: float,
    control_burst: int,
    door: Door,
) -> type[Connection]:
    """The class of a server's connections, with its bounds."""

    class BoundedConnection(Connection):
        """A connection of this server."""

        _outbox_bytes_max = outbox_bytes_max
        _close_s = close_s
        _http_bytes_max = http_bytes_max
        _kernel_bytes_max = kernel_bytes_max
        _control_per_s = control_per_s
        _control_burst = control_burst
        _door = door

    return BoundedConnection
