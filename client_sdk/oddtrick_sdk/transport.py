"""A connection as the client uses it: frames out, frames in, and why it ended. The real one is a WebSocket."""

from __future__ import annotations

from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from oddtrick_protocol.closing import Then
from oddtrick_protocol.limits import SERVER_MESSAGE_BYTES_MAX
from oddtrick_protocol.version import SUBPROTOCOLS

OPEN_TIMEOUT_S: Final = 10
PING_INTERVAL_S: Final = 15
PING_TIMEOUT_S: Final = 15
CLOSE_TIMEOUT_S: Final = 2
TRY_AGAIN_LATER: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


class TransportClosed(Exception):
    """The connection is over; `code` is the close code, 1006 if the line was simply lost."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason or f"closed with code {code}")
        self.code = code
        self.reason = reason


class TransportRefused(Exception):
    """No connection could be had; `then` says whether to try again."""

    def __init__(self, why: str, then: Then) -> None:
        super().__init__(why)
        self.why = why
        self.then = then


class Transport(Protocol):
    """One connection."""

    async def send(self, data: bytes | str) -> None:
        """Send one frame; TransportClosed if the connection is over."""

    async def recv(self) -> bytes | str:
        """Return the next frame; TransportClosed if the connection is over."""

    async def close(self) -> None:
        """Say goodbye and end the connection."""


class Opener(Protocol):
    """What opens connections: `open_websocket`, or a table in memory."""

    async def __call__(self, url: str, subprotocol: str) -> Transport:
        """Open one; TransportRefused if that cannot be."""


class WebSocket:
    """A transport over a real WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, data: bytes | str) -> None:
        """Send one frame."""
        try:
            await self._connection.send(data)
        except ConnectionClosed as error:
            raise _closed(error) from None

    async def recv(self) -> bytes | str:
        """Return the next frame."""
        try:
            return await self._connection.recv()
        except ConnectionClosed as error:
            raise _closed(error) from None

    async def close(self) -> None:
        """End the connection."""
        await self._connection.close()


def _closed(error: ConnectionClosed) -> TransportClosed:
    if error.rcvd is None:
        return TransportClosed(1006, "the line was lost")
    return TransportClosed(error.rcvd.code, error.rcvd.reason)


async def open_websocket(url: str, subprotocol: str) -> Transport:
    """Open a WebSocket that speaks the subprotocol."""
    try:
        connection = await connect(
            url,
            subprotocols=[Subprotocol(subprotocol)],
            compression=None,
            max_size=SERVER_MESSAGE_BYTES_MAX,
            open_timeout=OPEN_TIMEOUT_S,
            ping_interval=PING_INTERVAL_S,
            ping_timeout=PING_TIMEOUT_S,
            close_timeout=CLOSE_TIMEOUT_S,
        )
    except (
        InvalidURI,
        ValueError,
    ) as error:  # ValueError: a port that is none, a name that no resolver can be asked for
        raise TransportRefused(f"{url} is not a WebSocket address: {error}", Then.STOP) from None
    except InvalidStatus as error:
        status = error.response.status_code
        then = Then.LATER if status in TRY_AGAIN_LATER else Then.STOP
        raise TransportRefused(f"{url} answered {status}: {_body(error)}", then) from None
    except InvalidMessage as error:
        # A line cut before the answer was whole is a line lost; anything else that is no HTTP will never be.
        lost = isinstance(error.__cause__, EOFError | OSError)
        raise TransportRefused(f"{url}: {error}", Then.RESUME if lost else Then.STOP) from None
    except InvalidHandshake as error:
        raise TransportRefused(f"{url} does not speak WebSocket: {error}", Then.STOP) from None
    except (OSError, TimeoutError, EOFError) as error:
        raise TransportRefused(f"cannot reach {url}: {str(error) or type(error).__name__}", Then.RESUME) from None
    if connection.subprotocol not in SUBPROTOCOLS:
        await connection.close()
        raise TransportRefused(f"{url} speaks none of {', '.join(SUBPROTOCOLS)}", Then.STOP)
    return WebSocket(connection)


def _body(error: InvalidStatus) -> str:
    body = error.response.body
    text = body[:200].decode("utf-8", "replace").strip() if body else ""
    return text or error.response.reason_phrase
