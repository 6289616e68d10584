"""A client's side of the network in a simulation: frames sent twice, out of order or lost, and a note of what was acknowledged."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Then, after_close
from oddtrick_protocol.codec import codec_for
from oddtrick_protocol.version import MSGPACK
from oddtrick_sdk.session import PASSING
from oddtrick_sdk.transport import Transport, TransportClosed, WebSocket, open_websocket

_CODEC: Final = codec_for(MSGPACK)
HELD_BACK_S: Final = 0.5


@dataclass(slots=True)
class Wire:
    """What is to befall the next frames of one client; the ids of the acts it was told are done, or refused; how it was ended.

    `ends` are the close codes after which it does not come again: there is none unless its person does something to earn it.
    """

    duplicate: int = 0
    reorder: bool = False
    drop: bool = False
    sent_acts: set[str] = field(default_factory=set)
    acknowledged: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    async def open(self, url: str, subprotocol: str) -> Transport:
        """Open a WebSocket that this befalls (an `Opener` of the SDK)."""
        socket = await open_websocket(url, subprotocol)
        assert isinstance(socket, WebSocket)
        return _Troubled(socket, self)


class _Troubled:
    """A WebSocket whose next frames meet with what the wire says."""

    def __init__(self, inner: WebSocket, wire: Wire) -> None:
        self._inner = inner
        self._wire = wire
        self._held: bytes | str | None = None
        self._late: asyncio.Task[None] | None = None

    async def send(self, data: bytes | str) -> None:
        """Send a frame, or what becomes of it."""
        wire = self._wire
        message = _CODEC.decode_client(data) if isinstance(data, bytes) else None
        if isinstance(message, m.Act):
            wire.sent_acts.add(message.id)
        if isinstance(message, m.Hello):  # the first word is never out of place: there is no connection before it
            await self._inner.send(data)
            return
        if wire.drop:
            wire.drop = False
            self._inner._connection.transport.abort()  # noqa: SLF001 -- the SDK has no way to break a line, and needs none
            raise TransportClosed(1006, "the line was lost")
        if wire.reorder and self._held is None:
            wire.reorder = False
            self._held = data
            self._late = asyncio.create_task(self._after_all())
            return
        await self._inner.send(data)
        await self._release()
        if wire.duplicate > 0:
            wire.duplicate -= 1
            await self._inner.send(data)

    async def _release(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            await self._inner.send(held)

    async def _after_all(self) -> None:
        """Send the frame that was held back although no other has come by."""
        await asyncio.sleep(HELD_BACK_S)
        with contextlib.suppress(TransportClosed):
            await self._release()

    async def recv(self) -> bytes | str:
        """Return the next frame, noting what it acknowledges."""
        try:
            data = await self._inner.recv()
        except TransportClosed as closed:
            if after_close(closed.code) is Then.STOP:
                self._wire.ends.append(closed.code)
            raise
        message = _CODEC.decode_server(data)
        if isinstance(message, m.Ok) and message.id in self._wire.sent_acts:
            self._wire.acknowledged.append(message.id)
        elif isinstance(message, m.Refused) and message.id in self._wire.sent_acts and message.code not in PASSING:
            # `not now` is no answer: the same id is sent again, and what then comes is.
            self._wire.refused.append(message.id)
        return data

    async def close(self) -> None:
        """End the connection."""
        if self._late is not None:
            self._late.cancel()
        await self._inner.close()
