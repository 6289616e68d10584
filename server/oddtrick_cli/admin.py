"""`oddtrick admin`: ask a running server, on this machine, what an operator may ask."""

from __future__ import annotations

import argparse
import http.client
import json
import sys
from typing import TYPE_CHECKING, Any, Final

from oddtrick_cli.reading import NotText, Unreadable, printable, read_text

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
    parser.add_argument("--key-file", required=True, metavar="FILE", help="the key, as the server was given it")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"the admin port (default: {DEFAULT_PORT})")
    wishes = parser.add_subparsers(metavar="WISH", required=True)
    for name, says, wish, what in (
        ("tables", "list the tables in memory", tables, None),
        ("close", "close a table for good", close, "TABLE"),
        ("forget", "delete somebody, and his name from his hands", forget, "IDENTITY"),
        ("rotate-key", "sign tokens with a new key from now on", rotate_key, None),
        ("metrics", "print the figures that Prometheus reads", metrics, None),
    ):
        wished = wishes.add_parser(name, help=says, description=f"{says[0].upper()}{says[1:]}.")
        if what is not None:
            wished.add_argument("what", metavar=what)
        wished.set_defaults(wish=wish)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ask, print the answer and return the exit code."""
    wish: Callable[[argparse.Namespace], int] = args.wish
    try:
        return wish(args)
    except _Cannot as why:
        print(printable(f"oddtrick admin: {why}"), file=sys.stderr)
        return CANNOT


def tables(args: argparse.Namespace) -> int:
    """Print a line for each table: its name, code, mode, state, hands dealt, bystanders, and who sits N E S W."""

    def show(found: list[dict[str, Any]]) -> None:
        for line in found:
            seats = " ".join(name or "-" for name in line["seats"])
            print(
                printable(
                    f"{line['table']}  {line['code']}  {line['enforcement']}  {line['state']}  hands {line['hands']}  "
                    f"bystanders {line.get('bystanders', 0)}  {seats}"
                )
            )

    return _asked(args, "GET", "/tables", show)


def close(args: argparse.Namespace) -> int:
    """Close a table."""
    return _asked(args, "POST", f"/tables/{args.what}/close", lambda _: print(printable(f"closed {args.what}")))


def forget(args: argparse.Namespace) -> int:
    """Delete an identity and print in how many hands it was."""
    return _asked(args, "DELETE", f"/identities/{args.what}", lambda count: print(f"forgotten, in {count} hands"))


def rotate_key(args: argparse.Namespace) -> int:
    """Change the key that signs tokens."""
    return _asked(args, "POST", "/keys/rotate", lambda _: print("a new key signs from now on"))


def metrics(args: argparse.Namespace) -> int:
    """Print the figures."""
    status, text = _ask(args, "GET", "/metrics")
    print(text, end="")
    return DONE if status == http.HTTPStatus.OK else REFUSED


def _asked(args: argparse.Namespace, method: str, path: str, show: Callable[[Any], None]) -> int:
    status, text = _ask(args, method, path)
    answer = json.loads(text)
    if status == http.HTTPStatus.OK:
        show(answer)
        return DONE
    print(printable(f"oddtrick admin: {answer['error']}"), file=sys.stderr)
    return REFUSED


def _ask(args: argparse.Namespace, method: str, path: str) -> tuple[int, str]:
    try:
        key = read_text(args.key_file, bytes_max=KEY_BYTES_MAX).strip()
    except (Unreadable, NotText) as why:
        raise _Cannot(f"{args.key_file}: {why}") from None
    line = http.client.HTTPConnection(HOST, args.port, timeout=PATIENCE_S)
    try:
        line.request(method, path, headers={"Authorization": f"Bearer {key}"})
        answer = line.getresponse()
        text = answer.read().decode()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _Cannot(f"no server answers at {HOST}:{args.port}: {error}") from None
    finally:
        line.close()
    return answer.status, text
