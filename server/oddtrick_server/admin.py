"""The operator's port: on the machine itself and nowhere else, and only with the key.

    GET    /metrics           what Prometheus reads
    GET    /tables            the tables in memory
    POST   /tables/ID/close   close a table for good
    DELETE /identities/ID     delete somebody, and his name from his hands
    POST   /keys/rotate       sign tokens with a new key

The key stands in the header `Authorization: Bearer KEY`. The port is answered by one thread of the standard library's, one request
after another; what it asks is done in the server's own loop.
"""

from __future__ import annotations

import asyncio
import hmac
import http
import json
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import TimeoutError as TooLate
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Final

from oddtrick_server.logs import Say, log
from oddtrick_server.operating import CannotBeDone, Operating
from oddtrick_server.settings import BadSetting
from oddtrick_server.store.errors import StoreError

HOST: Final = "127.0.0.1"
KEY_CHARS_MIN: Final = 32
SCHEME: Final = "Bearer "
IDLE_S: Final = 5.0  # for a request to be sent
ANSWER_S: Final = 30.0  # for the server to answer it
TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"
JSON: Final = "application/json"

Answer = tuple[http.HTTPStatus, bytes, str]


def read_key(file: str) -> str:
    """The key in a file; BadSetting if there is none of enough characters."""
    try:
        key = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise BadSetting(f"admin_key_file {file}: cannot be read: {error}") from None
    if len(key) < KEY_CHARS_MIN or not key.isascii() or not key.isprintable():
        raise BadSetting(f"admin_key_file {file}: holds a key of {KEY_CHARS_MIN} letters or digits or more")
    return key


class Admin:
    """The port, while it is open."""

    def __init__(self, operating: Operating, *, key: str) -> None:
        self._operating = operating
        self._key = key
        self._server: HTTPServer | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, port: int) -> int:
        """Open the port (0: any that is free) and return it; BadSetting if it cannot be had."""
        self._loop = asyncio.get_running_loop()
        handler = type("BoundHandler", (Handler,), {"admin": self})
        try:
            self._server = HTTPServer((HOST, port), handler)
        except OSError as error:
            raise BadSetting(f"admin_port {port}: {error.strerror or error}") from None
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="admin", daemon=True)
        self._thread.start()
        return int(self._server.server_address[1])

    async def stop(self) -> None:
        """Close the port; a request under way is answered first."""
        if self._server is None or self._thread is None:
            return
        await asyncio.to_thread(self._server.shutdown)
        await asyncio.to_thread(self._thread.join)
        self._server.server_close()

    def answer(self, method: str, path: str, authorization: str) -> Answer:
        """The answer to a request, from the port's own thread."""
        shown = authorization.removeprefix(SCHEME) if authorization.startswith(SCHEME) else ""
        if not hmac.compare_digest(shown.encode(), self._key.encode()):
            return _said(http.HTTPStatus.UNAUTHORIZED, "the key is missing or wrong")
        done = self._route(method, path.partition("?")[0].strip("/").split("/"))
        if done is None:
            return _said(http.HTTPStatus.NOT_FOUND, "there is nothing here")
        assert self._loop is not None
        log.info(Say.ADMIN_ASKED, method=method, what=path.split("/")[1] if "/" in path else "")
        future = asyncio.run_coroutine_threadsafe(_coroutine(done), self._loop)
        try:
            return future.result(ANSWER_S)
        except CannotBeDone as why:
            return _said(http.HTTPStatus.CONFLICT, str(why))
        except (StoreError, ValueError) as why:
            return _said(http.HTTPStatus.SERVICE_UNAVAILABLE, str(why))
        except TooLate:
            future.cancel()
            return _said(http.HTTPStatus.GATEWAY_TIMEOUT, "the server does not answer")

    def _route(self, method: str, parts: list[str]) -> Callable[[], Awaitable[Answer]] | None:
        do = self._operating
        match method, parts:
            case "GET", ["metrics"]:
                return lambda: _text(do.metrics())
            case "GET", ["tables"]:
                return lambda: _json(do.tables())
            case "POST", ["tables", str(table), "close"] if table.isalnum():
                return lambda: _json(do.close_table(table))
            case "DELETE", ["identities", str(identity)] if identity.isalnum():
                return lambda: _json(do.forget(identity))
            case "POST", ["keys", "rotate"]:
                return lambda: _json(do.rotate_keys())
            case _:
                return None


class Handler(BaseHTTPRequestHandler):
    """One request."""

    admin: Admin
    timeout = IDLE_S
    server_version = "oddtrick"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer."""
        self._respond()

    def do_POST(self) -> None:
        """Answer; no body is read."""
        self._respond()

    def do_DELETE(self) -> None:
        """Answer."""
        self._respond()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the library's own name
        """Say nothing: what was asked is logged as everything else is."""

    def _respond(self) -> None:
        status, body, kind = self.admin.answer(self.command, self.path, self.headers.get("Authorization", ""))
        self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)


async def _coroutine(done: Callable[[], Awaitable[Answer]]) -> Answer:
    return await done()


async def _text(work: Awaitable[bytes]) -> Answer:
    return http.HTTPStatus.OK, await work, TEXT


async def _json(work: Awaitable[Any]) -> Answer:
    return http.HTTPStatus.OK, json.dumps(await work).encode() + b"\n", JSON


def _said(status: http.HTTPStatus, text: str) -> Answer:
    return status, json.dumps({"error": text}).encode() + b"\n", JSON
