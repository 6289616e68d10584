"""`oddtrick check FILE...`: run table records on the rules engine and say whether they hold."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from oddtrick_cli.reading import NotText, Unreadable, printable, read_text

if TYPE_CHECKING:
    from argparse import _SubParsersAction

HOLDS: Final = 0
FAILS: Final = 1
CANNOT_READ: Final = 2


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "check",
        help="check table records against the laws",
        description="Run table records on the rules engine. For each file, print `ok` and its name, or the first line "
        "that fails and why. Exit 0 if every file holds, 1 if one fails, 2 if one cannot be read as text.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record (.whist), or - for standard input")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check each file named, and return the exit code: the worst of theirs."""
    return max((_check(name) for name in args.files), default=HOLDS)


def _check(name: str) -> int:
    from oddtrick_rules.notation.check import check_record
    from oddtrick_rules.notation.errors import RECORD_CHARS_MAX

    try:
        outcome = check_record(read_text(name, bytes_max=RECORD_CHARS_MAX))
    except (Unreadable, NotText) as failure:
        print(printable(f"{name}: {failure}"), file=sys.stderr)
        return CANNOT_READ
    except AssertionError as bug:
        print(printable(f"{name}: the engine itself fails on this record, please report it: {bug!r}"))
        return FAILS
    print(printable(f"ok {name}" if outcome.ok else f"{name}: {outcome}"))
    return HOLDS if outcome.ok else FAILS
