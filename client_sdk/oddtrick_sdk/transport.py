"""A connection as the client uses it: frames out, frames in, and why it ended. The real one is a WebSocket."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
UNAUTHORIZED: Final = 401
BEARER: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*")
NO_HEADERS: Final[Mapping[str, str]] = {}
TRY_AGAIN_LATER: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


class TransportClosed(Exception):
    """The connection is over; `code` is the close code, 1006 if the line was simply lost."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason or f"closed with code {code}")
        self.code = code
        self.reason = reason


class TransportRefused(Exception):
    """No connection could be had; `then` says whether to try again, `status` what HTTP said, if it did."""

    def __init__(self, why: str, then: Then, *, status: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.then = then
        self.status = status


class Transport(Protocol):
    """One connection."""

    async def send(self, data: bytes | str) -> None:
        """Send one frame; TransportClosed if the connection is over."""

    async def recv(self) -> bytes | str:
        """Return the next frame; TransportClosed if the connection is over."""

    async def close(self) -> None:
        """Say goodbye and end the connection."""


class Opener(Protocol):
    """What opens connections: `open_websocket`, `WithBearer`, or a table in memory."""

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


async def open_websocket(url: str, subprotocol: str, *, headers: Mapping[str, str] = NO_HEADERS) -> Transport:
    """Open a WebSocket that speaks the subprotocol, with these headers on its upgrade besides its own."""
    try:
        connection = await connect(
            url,
            subprotocols=[Subprotocol(subprotocol)],
            additional_headers=headers,
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
        raise TransportRefused(f"{url} answered {status}: {_body(error)}", then, status=status) from None
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


class WithBearer:
    """Opens WebSockets for an account: the issuer's token stands in `Authorization` on the upgrade.

    That token may run out while a client plays. From the first connection on it has the server's own, and comes back
    by that where the issuer's is no longer taken.
    """

    def __init__(self, bearer: str) -> None:
        if BEARER.fullmatch(bearer) is None:
            raise ValueError("a bearer token has letters, digits and ._~+/-= alone")
        self._headers = {"Authorization": f"Bearer {bearer}"}
        self._was_taken = False

    async def __call__(self, url: str, subprotocol: str) -> Transport:
        """Open one; TransportRefused if that cannot be."""
        try:
            transport = await open_websocket(url, subprotocol, headers=self._headers)
        except TransportRefused as refused:
            if not self._was_taken or refused.status != UNAUTHORIZED:
                raise
            return await open_websocket(url, subprotocol)
        self._was_taken = True
        return transport


def _body(error: InvalidStatus) -> str:
    body = error.response.body
    text = body[:200].decode("utf-8", "replace").strip() if body else ""
    return text or error.response.reason_phrase
