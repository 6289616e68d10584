"""`oddtrick play`: sit down at a table in this terminal. Acts are typed in the notation; `/help` says the rest."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from oddtrick_cli.joining import CANNOT, add_server, add_table_wishes, connected, say, talk
from oddtrick_cli.watch import show

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from oddtrick_sdk import Client, Table

NAME_CHARS_MAX: Final = 32
TOKEN_CHARS_MAX: Final = 8192  # an account's, with all that its issuer says in it
LINE_BYTES_MAX: Final = 4096
CHUNK_BYTES: Final = 1024
HOUSE_BOTS: Final = 3  # at a table of one's own, unless --bots says otherwise


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "play",
        help="sit down at a table in this terminal",
        description="Sit down at a table and play. Type acts as a record has them: `SA`, `asks`, `withdraws`, `calls highest "
        "from S`; `/help` lists the rest. Exit 1 if the server refuses, 2 if it cannot be reached or the options "
        "contradict each other.",
    )
    add_server(parser)
    add_table_wishes(parser)
    parser.add_argument("--table", help="the table, with --invite if it is private (default: any that fits)")
    parser.add_argument("--seat", choices=("N", "E", "S", "W", "any"), default="any", type=_seat, help="the seat")
    parser.add_argument("--name", default=_login(), help="the name the table sees")
    parser.add_argument("--new", action="store_true", help="open a table of your own")
    parser.add_argument(
        "--bots",
        type=int,
        choices=range(4),
        help=f"open a table of your own with so many house bots (default with --new: {HOUSE_BOTS})",
    )
    parser.add_argument(
        "--private", action="store_true", help="open a table of your own, for those who have the invite alone"
    )
    parser.add_argument("--token-file", type=Path, help="keep your identity in this file, and come back by it")
    parser.set_defaults(run=run)


def _seat(text: str) -> str:
    return text if text == "any" else text.upper()


def _login() -> str:
    try:
        return getpass.getuser()[:NAME_CHARS_MAX]
    except (OSError, KeyError, ImportError):
        return "guest"


def run(args: argparse.Namespace) -> int:
    """Play; return the exit code."""
    wrong = _contradiction(args)
    if wrong is not None:
        say(f"oddtrick play: {wrong}")
        return CANNOT
    return talk(_play(args), args.url)


def _opens(args: argparse.Namespace) -> bool:
    """Whether a table of one's own is wished for: some options are about nothing else."""
    return args.new or args.private or args.bots is not None


def _contradiction(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options: one that would be passed over in silence is refused instead."""
    if _opens(args):
        opening = "--new" if args.new else "--private" if args.private else "--bots"
        if args.table is not None or args.invite is not None:
            there = "--table" if args.table is not None else "--invite"
            return f"{opening} opens a table and {there} is for one that is there: choose"
        return None
    if args.table in {None, "any"}:
        return None if args.invite is None else "--invite is for a table that --table names"
    if args.code is not None or args.enforcement is not None:
        wish = "--code" if args.code is not None else "--enforcement"
        return f"{wish} is for a table that is opened, or for any that fits; the one that --table names has its own"
    return None


async def _play(args: argparse.Namespace) -> int:
    from oddtrick_cli.terminal import Terminal

    token = args.token or _token_in(args.token_file)
    async with connected(args.url, name=args.name, token=token) as client:
        _keep_token(args.token_file, client.token)
        table = await _sit(client, args)
        show(f"Table {table.id}. Type /help for help.")
        await Terminal(table, show).run(typed_lines())
    return 0


async def _sit(client: Client, args: argparse.Namespace) -> Table:
    """Take a seat, or come back to the one that is ours already."""
    from oddtrick_protocol.messages import Resume
    from oddtrick_sdk import Refused

    name, invite = args.table or "any", args.invite
    opens = _opens(args)
    if opens:
        opened = await client.create(**_options(args))
        name, invite = opened.table or name, opened.invite
        if args.private:
            show(f"The invite is {invite}")
    wishes: dict[str, Any] = {"seat": args.seat, "invite": invite}
    if not opens:
        wishes |= {"code": args.code, "enforcement": args.enforcement}
    try:
        return await client.sit(name, **wishes)
    except Refused as refused:
        if refused.code != "already_seated" or name == "any":
            raise
    await client.request(Resume, table=name, seq=0)
    return client.table(name)


def _options(args: argparse.Namespace) -> dict[str, Any]:
    options: dict[str, Any] = {"bots": HOUSE_BOTS if args.bots is None else args.bots, "private": args.private}
    for name in ("code", "enforcement"):
        if getattr(args, name) is not None:
            options[name] = getattr(args, name)
    return options


def _token_in(path: Path | None) -> str | None:
    if path is None or not path.is_file():
        return None
    try:
        return path.read_text(encoding="ascii").strip()[:TOKEN_CHARS_MAX] or None
    except (OSError, UnicodeDecodeError) as error:
        say(f"{path}: no token can be read: {error}")
        return None


def _keep_token(path: Path | None, token: str | None) -> None:
    if path is None or token is None:
        return
    try:
        path.touch(mode=0o600)
        path.write_text(token, encoding="ascii")
    except OSError as error:
        say(f"{path}: the token cannot be kept: {error.strerror}")


def _typed() -> bytes:
    """Return what was typed next; nothing at the end."""
    try:
        return os.read(sys.stdin.fileno(), CHUNK_BYTES)
    except (OSError, ValueError):
        return b""


async def typed_lines() -> AsyncIterator[str]:
    """Give the lines of standard input as they are typed, until it ends.

    A thread reads them: a terminal, a pipe and a file can all be waited for in that way alone. It reads below Python's
    own buffer, which could not be closed at exit while a thread waits in it.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def put(line: str | None) -> None:
        try:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        except RuntimeError:
            return  # the loop is closed: nobody reads any more

    def read() -> None:
        pending = b""
        while chunk := _typed():
            pending = (pending + chunk)[-LINE_BYTES_MAX:]
            *whole, pending = pending.split(b"\n")
            for line in whole:
                put(line.decode("utf-8", "replace"))
        if pending:
            put(pending.decode("utf-8", "replace"))
        put(None)

    threading.Thread(target=read, name="terminal", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line
