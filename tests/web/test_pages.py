"""What the page's own little web server serves, and with which headers."""

import gzip
import json
import re
from importlib.resources import files

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Response

from oddtrick_server.pages import Pages, installed, respond

FIRST_LOAD_BYTES_MAX = 150_000


def get(path: str, **headers: str) -> Response:
    response = respond(path, Headers({name.replace("_", "-"): text for name, text in headers.items()}))
    assert response is not None
    return response


def addresses(html: str) -> list[str]:
    return re.findall(r'(?:src|href)="(/a/[^"]+)"', html)


def test_the_entrance_names_everything_by_digest() -> None:
    """The entrance is asked for again each time; all it names is of this version and may be kept for ever."""
    entrance = get("/")
    assert entrance.status_code == 200
    assert entrance.headers["Cache-Control"] == "no-cache"
    named = addresses(entrance.body.decode())
    assert len(named) > 20
    for module in ("web/main.js", "js/client.js", "web/table_page.js", "web/felt.js"):
        assert f"/a/{installed().digest}/{module}" in named
    for address in named:
        asset = get(address)
        assert asset.status_code == 200, address
        assert asset.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert asset.headers["Content-Type"].partition(";")[0] in {"text/javascript", "text/css", "image/svg+xml"}


def test_every_answer_forbids_what_is_not_ours() -> None:
    """Each answer carries a policy by which nothing inline, nothing from elsewhere and no frame is allowed."""
    for path in ("/", "/build", addresses(get("/").body.decode())[0], "/a/0000/web/main.js"):
        headers = get(path).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'; ")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_nothing_stands_inline() -> None:
    """The entrance has no script, style or handler in itself, so the policy can be kept."""
    html = get("/").body.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)", html)
    assert "<style" not in html
    assert not re.search(r'\s(?:on\w+|style)="', html)


def test_a_file_of_another_version_is_not_given() -> None:
    """An address of another version is not found, so that two versions never mix in one page."""
    assert get("/a/0123456789abcdef/web/main.js").status_code == 404
    assert get("/a/0123456789abcdef/web/main.js").headers["Cache-Control"] == "no-store"


def test_a_changed_file_changes_every_address() -> None:
    """The digest in the addresses is that of all files together."""
    one = Pages({"web/index.html": b"__DIGEST__", "web/a.js": b"1"})
    other = Pages({"web/index.html": b"__DIGEST__", "web/a.js": b"2"})
    assert one.digest != other.digest


def test_what_is_known_already_is_not_sent_again() -> None:
    """A tag that still fits gets 304 and no body."""
    tag = get("/").headers["ETag"]
    again = get("/", If_None_Match=f'W/"x", {tag}')
    assert again.status_code == 304
    assert again.body == b""


def test_compression_only_for_those_who_take_it() -> None:
    """The same bytes go out compressed or plain, as the browser says."""
    plain, packed = get("/"), get("/", Accept_Encoding="br, gzip;q=1.0")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert "Content-Encoding" not in plain.headers


def test_the_build_can_be_asked_for() -> None:
    """A page that has been open for long learns which version is served now."""
    assert json.loads(get("/build").body) == {"build": installed().digest}
    assert get("/build").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/ws", "/livez", "/metrics", "/etc/passwd", "/a", "/web/main.js"])
def test_other_paths_are_not_the_pages_business(path: str) -> None:
    """What is not the page's is left to the listener."""
    assert respond(path, Headers()) is None


@pytest.mark.parametrize("name", ["../pages.py", "web/../../pages.py", "web/", "", "web/index.html", "js/README.md"])
def test_only_our_files_are_given(name: str) -> None:
    """No path leads out of the two folders, to the bare entrance, or to what is no part of the page."""
    assert get(f"/a/{installed().digest}/{name}").status_code == 404


def test_the_first_load_is_small() -> None:
    """Everything a first visit loads, compressed, is under 150 kB."""
    entrance = get("/", Accept_Encoding="gzip")
    html = gzip.decompress(entrance.body).decode()
    total = len(entrance.body) + sum(len(get(one, Accept_Encoding="gzip").body) for one in set(addresses(html)))
    assert total < FIRST_LOAD_BYTES_MAX, total


def test_the_client_is_not_a_copy() -> None:
    """The page stands on the JavaScript client of the SDK, read from where it is installed."""
    body = (files("oddtrick_sdk") / "js" / "oddtrick.js").read_bytes()
    assert get(f"/a/{installed().digest}/js/oddtrick.js").body == body
