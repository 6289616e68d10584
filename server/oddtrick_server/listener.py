"""The door: upgrades at `/ws` and `/`, the page and health over HTTP, and who is not let in.

The order of the questions: is there room, is the address within its rates, is the page it comes from allowed, does it speak a
subprotocol of ours. Whoever is refused is told in a sentence.
"""

from __future__ import annotations

import http
from collections.abc import Callable, Iterable
from typing import Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from oddtrick_protocol.closing import Close
from oddtrick_protocol.codec import Codec, codec_for
from oddtrick_protocol.limits import CLIENT_MESSAGE_BYTES_MAX
from oddtrick_protocol.version import SUBPROTOCOLS, choose_subprotocol, subprotocol_refusal
from oddtrick_server import pages
from oddtrick_server.accounts import Accounts
from oddtrick_server.client import Client
from oddtrick_server.clock import Clock
from oddtrick_server.connection import Connection, connection_class
from oddtrick_server.limits import Limits
from oddtrick_server.logs import Say, log
from oddtrick_server.proxies import Proxies, neighbourhood
from oddtrick_server.rates import Buckets, Counts
from oddtrick_server.services import Services

UPGRADE_PATHS: Final = frozenset({"/", "/ws"})


class Listener:
    """The open port of one server."""

    def __init__(
        self,
        services: Services,
        *,
        clock: Clock,
        limits: Limits,
        origins: Iterable[str],
        proxies: Proxies,
        accounts: Accounts | None,
        is_ready: Callable[[], bool],
    ) -> None:
        self._services = services
        self._clock = clock
        self._limits = limits
        self._origins = frozenset(origins)
        self._proxies = proxies
        self._accounts = accounts
        self._is_ready = is_ready
        # Made once and shared: each holds compiled encoders and decoders, and no state.
        self._codecs: dict[str, Codec] = {name: codec_for(name, hot_path=True) for name in SUBPROTOCOLS}
        self._per_address = Counts(at_most=limits.connections_per_address_max)
        self._connects = Buckets(
            per_s=limits.connects_per_s, burst=limits.connects_burst, keys_max=limits.rate_keys_max
        )
        self._lines = Counts(at_most=limits.connections_per_address_max + limits.lines_spare)
        self._server: Server | None = None
        self.line_count = 0  # that are open, upgraded or not
        self.clients: set[Client] = set()

    async def start(self, host: str, port: int) -> int:
        """Listen; the port, which is another one if 0 was asked for. OSError if it cannot be had."""
        self._server = await serve(
            self._handle,
            host,
            port,
            process_request=self._process_request,
            select_subprotocol=self._select_subprotocol,
            compression=None,
            server_header=None,
            max_size=CLIENT_MESSAGE_BYTES_MAX,
            max_queue=None,
            open_timeout=self._limits.hello_s,
            close_timeout=self._limits.close_s,
            ping_interval=self._limits.ping_interval_s,
            ping_timeout=self._limits.ping_timeout_s,
            create_connection=connection_class(
                outbox_bytes_max=self._limits.outbox_bytes_max,
                close_s=self._limits.close_s,
                http_bytes_max=self._limits.http_bytes_max,
                kernel_bytes_max=self._limits.kernel_bytes_max,
                control_per_s=self._limits.pings_per_s,
                control_burst=self._limits.pings_burst,
                door=self,
            ),
        )
        sockets = list(self._server.sockets)
        chosen: int = sockets[0].getsockname()[1]
        return chosen

    async def stop(self, *, after_ms: Callable[[], int]) -> None:
        """Close the port and every connection; each is told to come back after a while of its own."""
        if self._server is None:
            return
        self._server.close(close_connections=False)
        for client in list(self.clients):
            client.connection.drop(Close.RESTART, "the server restarts", after_ms=after_ms())
        await self._server.wait_closed()

    # --- lines, before anything is said on them ---

    def opened(self, peer: str) -> bool:
        """Let a line in, if there is room; a trusted proxy's lines are bounded by whom they come from."""
        if self.line_count >= self._limits.connections_max + self._limits.lines_spare:
            return False
        if not self._proxies.is_trusted(peer) and not self._lines.enter(neighbourhood(peer)):
            return False
        self.line_count += 1
        return True

    def closed(self, peer: str) -> None:
        """A line that was let in is closed."""
        self.line_count -= 1
        if not self._proxies.is_trusted(peer):
            self._lines.leave(neighbourhood(peer))

    # --- the handshake ---

    def _process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path == "/livez":
            return connection.respond(http.HTTPStatus.OK, "alive\n")
        if path == "/readyz":
            ready = self._is_ready()
            status = http.HTTPStatus.OK if ready else http.HTTPStatus.SERVICE_UNAVAILABLE
            return connection.respond(status, "ready\n" if ready else "not ready\n")
        if not any("websocket" in value.lower() for value in request.headers.get_all("Upgrade")):
            return pages.respond(request.path, request.headers) or _no_page(connection, path)
        if path not in UPGRADE_PATHS:
            return connection.respond(http.HTTPStatus.NOT_FOUND, "there is nothing here\n")
        return self._upgrade_refusal(connection, request)

    def _upgrade_refusal(self, connection: ServerConnection, request: Request) -> Response | None:
        address = self._neighbourhood(connection, request)
        if not self._is_ready():
            return self._refuse(connection, http.HTTPStatus.SERVICE_UNAVAILABLE, "not ready: try again in a moment\n")
        if len(self.clients) >= self._limits.connections_max:
            return self._refuse(connection, http.HTTPStatus.SERVICE_UNAVAILABLE, "no room here now\n")
        if self._connects.take(address, self._clock.now()):
            return self._refuse(connection, http.HTTPStatus.TOO_MANY_REQUESTS, "too many connections too fast\n")
        if self._per_address[address] >= self._limits.connections_per_address_max:
            return self._refuse(
                connection, http.HTTPStatus.TOO_MANY_REQUESTS, "too many connections from this address\n"
            )
        origins = request.headers.get_all("Origin")
        if origins and not all(self._may_come_from(origin, request.headers) for origin in origins):
            return self._refuse(connection, http.HTTPStatus.FORBIDDEN, "this page may not connect here\n")
        if not self._knows_bearer(connection, request.headers.get_all("Authorization")):
            return self._refuse(connection, http.HTTPStatus.UNAUTHORIZED, "the bearer token is not good here\n")
        return None

    def _knows_bearer(self, connection: ServerConnection, shown: list[str]) -> bool:
        """Whether there is no bearer token, none is asked for, or it is a good one; then the line is its account's."""
        if self._accounts is None or not shown:
            return True
        assert isinstance(connection, Connection)
        if len(shown) == 1:
            connection.account = self._accounts.bearer(shown[0], self._clock.unix_ms() / 1000)
        return connection.account is not None

    def _refuse(self, connection: ServerConnection, status: http.HTTPStatus, text: str) -> Response:
        self._services.lobby.metrics.turned_away[str(int(status))] += 1
        log.info(Say.CONNECTION_REFUSED, status=int(status), why=text.strip())
        return connection.respond(status, text)

    def _may_come_from(self, origin: str, headers: Headers) -> bool:
        """A page of our own, or of a site on the operator's list."""
        if origin in self._origins:
            return True
        host = origin.partition("://")[2]  # nothing, of a page that hides where it comes from (`null`)
        return bool(host) and headers.get_all("Host") == [host]

    def _neighbourhood(self, connection: ServerConnection, request: Request | None) -> str:
        """What the bounds per address count this line by; the address itself is not kept."""
        remote = connection.remote_address
        forwarded = [] if request is None else request.headers.get_all("X-Forwarded-For")
        return neighbourhood(self._proxies.caller(str(remote[0]) if remote else "", forwarded))

    @staticmethod
    def _select_subprotocol(_connection: ServerConnection, offered: Iterable[Subprotocol]) -> Subprotocol | None:
        chosen = choose_subprotocol(offered)
        if chosen is None:
            raise NegotiationError(subprotocol_refusal().strip())
        return Subprotocol(chosen)

    # --- the connection ---

    async def _handle(self, connection: ServerConnection) -> None:
        """All of a connection's life: everything happens in callbacks, this only waits for the end."""
        assert isinstance(connection, Connection)
        assert connection.subprotocol is not None
        connection.codec = self._codecs[connection.subprotocol]
        address = connection.address = self._neighbourhood(connection, connection.request)
        if not self._per_address.enter(address):
            connection.drop(Close.OVERLOADED, "too many connections from this address", after_ms=5_000)
            await connection.wait_closed()
            return
        client = Client(connection, self._services)
        self.clients.add(client)
        log.debug(Say.CONNECTION_OPENED, connections=len(self.clients))
        try:
            connection.begin(client)
            await connection.wait_closed()
        finally:
            self.clients.discard(client)
            self._per_address.leave(address)
            client.closed(self._clock.now())
            connection.end()
            code = connection.close_code if connection.dropped is None else connection.dropped
            number = int(code or Close.LOST)  # the library's are of a kind that prints as its name
            self._services.lobby.metrics.line_closed(number)
            log.debug(Say.CONNECTION_CLOSED, connections=len(self.clients), code=number)


def _no_page(connection: ServerConnection, path: str) -> Response:
    if path not in UPGRADE_PATHS:
        return connection.respond(http.HTTPStatus.NOT_FOUND, "there is nothing here\n")
    response = connection.respond(http.HTTPStatus.UPGRADE_REQUIRED, "connect a WebSocket here\n")
    response.headers["Upgrade"] = "websocket"
    return response
