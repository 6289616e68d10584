"""The network of a simulation: streams of bytes between hosts, late, cut at any byte, partitioned; all of it from one seed.

A stream keeps the order of its bytes, as TCP does, and may end at any of them. While two hosts are parted, what they send
each other waits; a stream parted for longer than `GIVE_UP_S` is lost.
"""

from __future__ import annotations

import asyncio
import contextvars
import socket
from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final

EOF_AGAIN_S: Final = 0.05
GIVE_UP_S: Final = 20.0
HIGH_WATER_BYTES: Final = 64 * 1024


class Network:
    """Ports and the streams between them."""

    loop: asyncio.AbstractEventLoop

    def __init__(self, chance: Random, *, latency_s: tuple[float, float] = (0.0005, 0.02)) -> None:
        self.chance = chance
        self.latency_s = latency_s
        self.ports: dict[int, Listening] = {}
        self.streams: list[Stream] = []
        self.parted: set[frozenset[str]] = set()
        self.dead: set[str] = set()
        self._next_port = 40_000

    def free_port(self) -> int:
        """Return a port nobody listens on."""
        self._next_port += 1
        return self._next_port

    def delay(self) -> float:
        """Return how long the next bytes are on their way."""
        return self.chance.uniform(*self.latency_s)

    def are_parted(self, one: str, other: str) -> bool:
        """Tell whether nothing gets from one host to the other."""
        return frozenset((one, other)) in self.parted

    def part(self, one: str, other: str) -> None:
        """Let nothing through between two hosts."""
        self.parted.add(frozenset((one, other)))

    def join(self, one: str, other: str) -> None:
        """Let what waited through."""
        self.parted.discard(frozenset((one, other)))
        for stream in list(self.streams):
            stream.flush()

    async def dial(self, host: str, port: int, factory: Callable[[], Any]) -> tuple[Any, Any]:
        """Connect; OSError if nobody listens there or can be reached."""
        await asyncio.sleep(self.delay())
        listening = self.ports.get(port)
        if listening is None or not listening.serving or self.are_parted(host, listening.host):
            raise ConnectionRefusedError(f"nobody answers at port {port}")
        near = Stream(self, host, listening.host, contextvars.copy_context())
        far = Stream(self, listening.host, host, listening.context)
        near.peer, far.peer = far, near
        near.protocol = factory()
        far.protocol = listening.context.copy().run(listening.factory)
        self.streams += [near, far]
        listening.streams.append(far)
        far.call(far.protocol.connection_made, far)
        near.protocol.connection_made(near)
        return near, near.protocol

    def cut(self, stream: Stream, *, after_bytes: int) -> None:
        """End the stream after so many more bytes of it have arrived."""
        stream.cut_after = after_bytes
        if after_bytes == 0:
            stream.lose()

    def crash(self, host: str) -> None:
        """A host dies: none of its calls is made any more, its ports are closed, its streams cut."""
        self.dead.add(host)
        for listening in [one for one in self.ports.values() if one.host == host]:
            listening.close()
        for stream in list(self.streams):
            if stream.host == host:
                stream.lose()


class Listening:
    """What `create_server` gives: a port somebody listens on."""

    def __init__(self, network: Network, host: str, port: int, factory: Callable[[], Any]) -> None:
        self.network = network
        self.host = host
        self.port = port or network.free_port()
        if self.port in network.ports:
            raise OSError(98, "address already in use")
        self.factory = factory
        self.serving = True
        self.streams: list[Stream] = []
        self.sockets = [_Name(self.port)]
        self.context = contextvars.copy_context()
        network.ports[self.port] = self

    def close(self) -> None:
        """Listen no longer; streams that are open stay so."""
        self.serving = False
        self.network.ports.pop(self.port, None)

    def is_serving(self) -> bool:
        """Tell whether somebody still listens."""
        return self.serving

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """The loop of the network."""
        return self.network.loop

    async def start_serving(self) -> None:
        """It has been doing that."""

    async def wait_closed(self) -> None:
        """Return when every stream of the port has ended."""
        while any(not stream.lost for stream in self.streams):  # noqa: ASYNC110 -- virtual time: waiting costs nothing
            await asyncio.sleep(0.05)


class _Name:
    """What a socket says of itself."""

    family = socket.AF_INET

    def __init__(self, port: int) -> None:
        self._port = port

    def getsockname(self) -> tuple[str, int]:
        return ("127.0.0.1", self._port)


class Stream(asyncio.Transport):
    """One end of a connection: what is written arrives at the other end, later or never."""

    peer: Stream
    protocol: Any

    def __init__(self, network: Network, host: str, to: str, context: contextvars.Context) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.network = network
        self.host = host
        self.to = to
        self._context = context
        self.waiting: deque[bytes] = deque()  # what was written and has not arrived
        self._held_up = 0  # how many of those are not on their way, because the hosts are parted
        self.cut_after: int | None = None
        self.lost = False
        self._closing = False
        self._arrives = 0.0
        self._since: float | None = None

    def call(self, function: Callable[..., Any], *args: Any) -> None:
        """Make a call as the host this end is on, unless that has died."""
        if self.host not in self.network.dead:
            self._context.copy().run(function, *args)

    # --- out ---

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes."""
        if self._closing or self.lost:
            return
        self.waiting.append(bytes(data))
        self._held_up += 1
        self.flush()

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        """Send bytes."""
        self.write(b"".join(list_of_data))

    def flush(self) -> None:
        """Put what is held up on its way, unless the hosts are parted."""
        loop = self.network.loop
        if self.network.are_parted(self.host, self.to):
            if self._since is None:
                self._since = loop.time()
                loop.call_later(GIVE_UP_S, self._give_up)
            return
        self._since = None
        for _ in range(self._held_up):
            # Strictly later than what went before: two timers of one time have no order.
            self._arrives = max(self._arrives + 1e-6, loop.time() + self.network.delay())
            loop.call_at(self._arrives, self._arrive)
        self._held_up = 0

    def _give_up(self) -> None:
        if self._since is not None and not self.lost:
            self.lose()

    def _arrive(self) -> None:
        if self.lost:
            return
        if self.network.are_parted(self.host, self.to):
            self._held_up += 1
            self.flush()
            return
        data = self.waiting.popleft()  # whatever was held up meanwhile, the oldest comes first
        if self.cut_after is not None:
            data = data[: self.cut_after]
            self.cut_after -= len(data)
        if data:
            self.peer.call(self.peer.protocol.data_received, data)
        if self.cut_after == 0:
            self.lose()

    # --- ends ---

    def lose(self, error: Exception | None = None) -> None:
        """Both ends learn that the line is gone."""
        why = error or ConnectionResetError("the line was cut")
        for end in (self, self.peer):
            if not end.lost:
                end.lost = True
                self.network.loop.call_soon(end.call, end.protocol.connection_lost, why)
            if end in self.network.streams:
                self.network.streams.remove(end)

    def close(self) -> None:
        """End the stream once what was written has arrived."""
        if self._closing:
            return
        self._closing = True
        when = max(self._arrives, self.network.loop.time()) + self.network.delay()
        self.network.loop.call_at(when, self._closed)

    def _closed(self) -> None:
        for end in (self, self.peer):
            if not end.lost:
                end.lost = True
                self.network.loop.call_soon(end.call, end.protocol.connection_lost, None)
            if end in self.network.streams:
                self.network.streams.remove(end)

    def abort(self) -> None:
        """End the stream now."""
        self._closing = True
        if not self.lost:
            self.lose()

    def is_closing(self) -> bool:
        """Tell whether the stream is ending."""
        return self._closing or self.lost

    def can_write_eof(self) -> bool:
        """An end can say that it has written all."""
        return True

    def write_eof(self) -> None:
        """Say so: the peer may end the stream."""
        loop = self.network.loop
        loop.call_at(max(self._arrives, loop.time()) + self.network.delay(), self._eof_arrives)

    def _eof_arrives(self) -> None:
        if self.lost:
            return
        now = self.network.loop.time()
        if self.waiting or now < self._arrives:  # what was written before comes first, however long it was held up
            self.network.loop.call_at(max(self._arrives, now + EOF_AGAIN_S), self._eof_arrives)
        elif not self.peer.protocol.eof_received():
            self.peer.close()

    # --- flow ---

    def get_write_buffer_size(self) -> int:
        """Bytes that wait because the hosts are parted."""
        return sum(len(data) for data in self.waiting) if self._held_up else 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """The network has no buffer of its own to limit."""

    def get_write_buffer_limits(self) -> tuple[int, int]:
        """The limits."""
        return (0, HIGH_WATER_BYTES)

    def pause_reading(self) -> None:
        """Readers of the product never need it here: messages are small."""

    def resume_reading(self) -> None:
        """See `pause_reading`."""

    def is_reading(self) -> bool:
        """Always."""
        return True

    def set_protocol(self, protocol: Any) -> None:
        """Hand what arrives to another protocol."""
        self.protocol = protocol

    def get_protocol(self) -> Any:
        """The protocol."""
        return self.protocol
