"""`oddtrick admin`: ask a running server, on this machine, what an operator may ask."""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

from oddtrick_cli.reading import NotText, Unreadable, port_number, printable, read_text

if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Callable

DONE: Final = 0
REFUSED: Final = 1
CANNOT: Final = 2
HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8766
KEY_BYTES_MAX: Final = 4096
PATIENCE_S: Final = 60.0
JSON: Final = "application/json"
METRICS: Final = "text/plain; version="
NO_ADMIN_PORT: Final = "what answers there is no admin port: --port is where the server's log says that it is open"


class _Cannot(Exception):
    """The server could not be asked; the text says why."""


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "admin",
        help="operate a running server",
        description="Ask a server on this machine that was started with --admin-key-file. Exit 0 if it was done, 1 if the "
        "server refused it, 2 if it could not be asked.",
    )
    _add_server(parser, key_file=None, port=DEFAULT_PORT)
    wishes = parser.add_subparsers(metavar="WISH", required=True)
    for name, says, wish, what in (
        ("tables", "list the tables in memory, and who is there by identity", tables, None),
        ("close", "close a table for good", close, "TABLE"),
        ("forget", "delete somebody, and his name from his hands (`tables` shows identities)", forget, "IDENTITY"),
        ("rotate-key", "sign tokens with a new key from now on", rotate_key, None),
        ("metrics", "print the figures that Prometheus reads", metrics, None),
    ):
        wished = wishes.add_parser(name, help=says, description=f"{says[0].upper()}{says[1:]}.")
        if what is not None:
            wished.add_argument("what", metavar=what)
        _add_server(wished, key_file=argparse.SUPPRESS, port=argparse.SUPPRESS)
        wished.set_defaults(wish=wish)
    parser.set_defaults(run=run)


def _add_server(parser: argparse.ArgumentParser, *, key_file: str | None, port: int | str) -> None:
    """Add the options that say which server: they may stand before the wish and after it."""
    parser.add_argument("--key-file", default=key_file, metavar="FILE", help="the key, as the server was given it")
    parser.add_argument("--port", type=port_number, default=port, help=f"the admin port (default: {DEFAULT_PORT})")


def run(args: argparse.Namespace) -> int:
    """Ask, print the answer and return the exit code."""
    wish: Callable[[argparse.Namespace], int] = args.wish
    try:
        return wish(args)
    except _Cannot as why:
        print(printable(f"oddtrick admin: {why}"), file=sys.stderr)
        return CANNOT


def tables(args: argparse.Namespace) -> int:
    """Print a line for each table: its name, code, mode, state, hands dealt, bystanders, and who sits N E S W.

    A table that another server has, and this one only shows, has that server's name at the end.
    Below it stands everybody at it: seat (`-` for a bystander), identity, name; for house bots there is no line.
    """

    def show(found: Any) -> None:
        if not isinstance(found, list):
            raise TypeError
        for line in found:
            seats = " ".join(name or "-" for name in line["seats"])
            print(
                printable(
                    f"{line['table']}  {line['code']}  {line['enforcement']}  {line['state']}  hands {line['hands']}  "
                    f"bystanders {line.get('bystanders', 0)}  {seats}"
                    + ("" if line.get("here", True) else f"  at server {line.get('server') or 'unknown'}")
                )
            )
            for seat, identity, name in _people(line):
                print(printable(f"    {seat}  {identity}  {name}"))

    return _asked(args, "GET", "/tables", show)


def _people(line: dict[str, Any]) -> list[tuple[str, str, str]]:
    seated = zip("NESW", line.get("identities", []), line["seats"], strict=False)
    people = [(seat, identity, name) for seat, identity, name in seated if identity]
    return people + [("-", identity, name) for name, identity in line.get("watching", [])]


def close(args: argparse.Namespace) -> int:
    """Close a table."""
    return _asked(
        args, "POST", f"/tables/{_quoted(args.what)}/close", lambda _: print(printable(f"closed {args.what}"))
    )


def forget(args: argparse.Namespace) -> int:
    """Delete an identity and print in how many hands it was."""
    return _asked(
        args, "DELETE", f"/identities/{_quoted(args.what)}", lambda count: print(f"forgotten, in {int(count)} hands")
    )


def rotate_key(args: argparse.Namespace) -> int:
    """Change the key that signs tokens."""
    return _asked(args, "POST", "/keys/rotate", lambda _: print("a new key signs from now on"))


def metrics(args: argparse.Namespace) -> int:
    """Print the figures."""
    status, text = _ask(args, "GET", "/metrics", kind=METRICS)
    if status != http.HTTPStatus.OK:
        return _refused(text)
    print(text, end="")
    return DONE


def _asked(args: argparse.Namespace, method: str, path: str, show: Callable[[Any], None]) -> int:
    """Ask and show the answer; `show` may raise what an answer of another shape makes it raise."""
    status, text = _ask(args, method, path)
    if status != http.HTTPStatus.OK:
        return _refused(text)
    try:
        show(json.loads(text))
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise _Cannot(NO_ADMIN_PORT) from None
    return DONE


def _refused(text: str) -> int:
    try:
        why = json.loads(text)["error"]
    except (ValueError, RecursionError, LookupError, TypeError):
        raise _Cannot(NO_ADMIN_PORT) from None
    print(printable(f"oddtrick admin: {why}"), file=sys.stderr)
    return REFUSED


def _quoted(what: str) -> str:
    return urllib.parse.quote(what, safe="", errors="surrogateescape")


def _key(file: str | None) -> str:
    if file is None:
        raise _Cannot("--key-file FILE is missing: the key that the server was started with")
    try:
        key = read_text(file, bytes_max=KEY_BYTES_MAX).strip()
    except (Unreadable, NotText) as why:
        raise _Cannot(f"{file}: {why}") from None
    if not key or not key.isascii() or not key.isprintable():
        raise _Cannot(f"{file}: holds no key: a key is letters and digits, in one line")
    return key


def _ask(args: argparse.Namespace, method: str, path: str, *, kind: str = JSON) -> tuple[int, str]:
    """Return the status and the text of the answer; _Cannot if none comes, or one that no admin port gives."""
    key = _key(args.key_file)
    line = http.client.HTTPConnection(HOST, args.port, timeout=PATIENCE_S)
    try:
        line.request(method, path, headers={"Authorization": f"Bearer {key}"})
        answer = line.getresponse()
        text = answer.read().decode()
    except (http.client.RemoteDisconnected, OSError) as error:
        raise _Cannot(f"no server answers at {HOST}:{args.port}: {error}") from None
    except (http.client.HTTPException, ValueError):
        raise _Cannot(NO_ADMIN_PORT) from None
    finally:
        line.close()
    if not answer.headers.get("Content-Type", "").startswith(kind if answer.status == http.HTTPStatus.OK else JSON):
        raise _Cannot(NO_ADMIN_PORT)
    return answer.status, text
