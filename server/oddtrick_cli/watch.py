"""`oddtrick watch TABLE`: what happens at a table, line by line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from oddtrick_cli.joining import add_server, connected, talk
from oddtrick_cli.reading import printable

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from oddtrick_sdk import Client, Table


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "watch",
        help="watch a table",
        description="Watch a table and print what happens, until it is closed or you interrupt. Without TABLE, list the "
        "tables there are. Exit 1 if the server refuses, 2 if it cannot be reached.",
    )
    parser.add_argument("table", metavar="TABLE", nargs="?", help="the table's name")
    add_server(parser)
    parser.add_argument("--invite", help="the invite of a private table")
    parser.add_argument("--name", default="bystander", help="the name the table sees (default: bystander)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Watch; return the exit code."""
    return talk(_watch(args), args.url)


def show(line: str) -> None:
    """Print a line at once, whatever is in it."""
    print(printable(line), flush=True)


async def _watch(args: argparse.Namespace) -> int:
    async with connected(args.url, name=args.name, token=args.token) as client:
        if args.table is None:
            return await list_tables(client)
        table = await client.watch(args.table, invite=args.invite)
        await tell_all(table, show)
    return 0


async def list_tables(client: Client) -> int:
    """Print the tables of the lobby."""
    tables = await client.tables()
    for line in tables:
        seats = ", ".join(f"{seat} {name or '(empty)'}" for seat, name in zip("NESW", line.seats, strict=False))
        playing = "playing" if line.playing else "waiting"
        show(f"{line.table}  {line.code}, {line.enforcement}, {playing}: {seats}")
    if not tables:
        print("there is no table that you may sit at or watch", file=sys.stderr)
    return 0


async def tell_all(table: Table, show: Callable[[str], None]) -> None:
    """Tell everything that happens at a table until it is left or closed."""
    from oddtrick_cli.scene import Teller, scene
    from oddtrick_protocol.table_events import TableClosed
    from oddtrick_sdk import Happened, Resynced

    teller = Teller(table.mirror)
    async for update in table:
        if isinstance(update, Resynced):
            for line in scene(table.mirror):
                show(line)
            continue
        for line in teller.lines(update):
            show(line)
        if isinstance(update, Happened) and isinstance(update.event, TableClosed):
            return
