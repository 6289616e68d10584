"""The page: which files are served, under which addresses, with which headers.

`respond` answers a plain HTTP request of the listener, or returns None for what is not the page's business. The files are the
page's own (`web/`) and the JavaScript client it stands on (`oddtrick_sdk/js`), read once from the installed packages.

Everything but the entrance bears the digest of all files in its address, so a browser may keep it for ever, relative imports
stay within one version, and a changed file changes every address. The entrance itself is asked for again each time.
"""

from __future__ import annotations

import gzip
import http
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Response

ASSETS: Final = "/a/"
ENTRANCES: Final = frozenset({"/", "/index.html"})
BUILD: Final = "/build"  # what a page that has been open for long asks, to learn of a new version
ENTRANCE_FILE: Final = "web/index.html"
DIGEST_CHARS: Final = 16
COMPRESSED_FROM_BYTES: Final = 512
DIGEST_MARK: Final = b"__DIGEST__"
PRELOADS_MARK: Final = b"<!-- preloads -->"
FIRST_MODULE: Final = "web/main.js"
TABLE_MODULE: Final = "web/table_page.js"  # wanted soon, but not before one can type one's name
IMPORTS: Final = re.compile(r'^(?:import|.*\bfrom) "(\.[^"]+)"', re.MULTILINE)

TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
}

SECURITY: Final = {
    # Nothing from elsewhere, nothing inline, nobody frames us; connections go to where the page came from.
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
NEVER: Final = "no-store"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it goes out: as it is, and compressed if that is worth it."""

    kind: str
    body: bytes
    gzipped: bytes | None
    etag: str


class Pages:
    """All files of one version."""

    def __init__(self, sources: dict[str, bytes]) -> None:
        self.digest: Final = _digest_of(sources)
        self._assets = {name: _asset(name, body) for name, body in sources.items() if name != ENTRANCE_FILE}
        self._entrance = _asset(ENTRANCE_FILE, _entrance(sources, self.digest))

    def respond(self, path: str, headers: Headers) -> Response | None:
        """The answer to a GET of that path, None if it is not one of ours."""
        path = path.partition("?")[0]
        if path in ENTRANCES:
            return _serve(self._entrance, headers, ASK_AGAIN)
        if path == BUILD:
            return _serve(_asset("build.json", json.dumps({"build": self.digest}).encode()), headers, NEVER)
        if not path.startswith(ASSETS):
            return None
        digest, _, name = path.removeprefix(ASSETS).partition("/")
        asset = self._assets.get(name)
        if asset is None or digest != self.digest:
            return _response(http.HTTPStatus.NOT_FOUND, b"not of this version\n", {"Cache-Control": NEVER})
        return _serve(asset, headers, FOR_EVER)


def respond(path: str, headers: Headers) -> Response | None:
    """The answer to a GET of that path from the installed files, None if it is not the page's."""
    return installed().respond(path, headers)


@cache
def installed() -> Pages:
    """The page as it is installed."""
    return Pages(
        {
            **dict(_read("web", files("oddtrick_server") / "web")),
            **dict(_read("js", files("oddtrick_sdk") / "js")),
        }
    )


def _read(name: str, folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            yield from _read(f"{name}/{item.name}", item)
        elif item.name.rpartition(".")[2] in TYPES:
            yield f"{name}/{item.name}", item.read_bytes()


def _digest_of(sources: dict[str, bytes]) -> str:
    whole = sha256()
    for name, body in sorted(sources.items()):
        whole.update(f"{name} {len(body)}\n".encode())
        whole.update(body)
    return whole.hexdigest()[:DIGEST_CHARS]


def _entrance(sources: dict[str, bytes], digest: str) -> bytes:
    """The entrance with its addresses; modules are named ahead, so that they need not be found one by one."""
    first = modules_from(sources, FIRST_MODULE)
    soon = [name for name in modules_from(sources, TABLE_MODULE) if name not in first]
    links = [f'<link rel="modulepreload" href="{ASSETS}{digest}/{name}" />' for name in first]
    links += [f'<link rel="prefetch" as="script" href="{ASSETS}{digest}/{name}" />' for name in soon]
    html = sources[ENTRANCE_FILE].replace(PRELOADS_MARK, "\n    ".join(links).encode())
    return html.replace(DIGEST_MARK, digest.encode())


def modules_from(sources: dict[str, bytes], start: str) -> list[str]:
    """A module and all that it imports at once, directly or not."""
    found: dict[str, None] = {}
    pending = [start]
    while pending:
        name = pending.pop()
        if name in found or name not in sources:
            continue
        found[name] = None
        folder = PurePosixPath(name).parent
        pending += [normpath(folder / path) for path in IMPORTS.findall(sources[name].decode())]
    return list(found)


def _asset(name: str, body: bytes) -> Asset:
    gzipped = gzip.compress(body, 9, mtime=0) if len(body) >= COMPRESSED_FROM_BYTES else None
    return Asset(TYPES[name.rpartition(".")[2]], body, gzipped, f'"{sha256(body).hexdigest()[:DIGEST_CHARS]}"')


def _serve(asset: Asset, headers: Headers, keep: str) -> Response:
    common = {"Cache-Control": keep, "ETag": asset.etag, "Vary": "Accept-Encoding"}
    if asset.etag in _values(headers, "If-None-Match"):
        return _response(http.HTTPStatus.NOT_MODIFIED, b"", common)
    common["Content-Type"] = asset.kind
    if asset.gzipped is not None and "gzip" in _values(headers, "Accept-Encoding"):
        return _response(http.HTTPStatus.OK, asset.gzipped, {**common, "Content-Encoding": "gzip"})
    return _response(http.HTTPStatus.OK, asset.body, common)


def _values(headers: Headers, name: str) -> set[str]:
    """The items of a list-like header, without their parameters; weak tags count as strong ones here."""
    items = ",".join(headers.get_all(name)).split(",")
    return {item.partition(";")[0].strip().removeprefix("W/") for item in items}


def _response(status: http.HTTPStatus, body: bytes, more: dict[str, str]) -> Response:
    headers = Headers({**SECURITY, **more, "Content-Length": str(len(body)), "Connection": "close"})
    return Response(status.value, status.phrase, headers, body)
