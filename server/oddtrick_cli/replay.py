"""`oddtrick replay FILE`: go through a table record act by act, with what each came to and under which law."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from oddtrick_cli.reading import NotText, Unreadable, printable, read_text

if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Iterator

    from oddtrick_rules.notation.expect import Moment
    from oddtrick_rules.notation.header import Header
    from oddtrick_rules.notation.record import Step
    from oddtrick_rules.views import Viewer

CANNOT: Final = 2
VIEWERS: Final = ("N", "E", "S", "W", "bystander", "referee")


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "replay",
        help="go through a table record act by act",
        description="Print each act of a table record with what it came to and the laws that rests on. Exit 0, or 2 if "
        "the file is not a record that can be read. Whether its expectations hold is for `oddtrick check`.",
    )
    parser.add_argument("file", metavar="FILE", help="a record (.whist), or - for standard input")
    parser.add_argument(
        "--as",
        dest="viewer",
        choices=VIEWERS,
        default="referee",
        help="show only what this viewer is shown (default: referee, who sees everything)",
    )
    parser.add_argument("--to", type=int, metavar="LINE", help="stop after the acts of this line of the file")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the record as it is played and return the exit code."""
    from oddtrick_rules.notation.check import moments
    from oddtrick_rules.notation.errors import RECORD_CHARS_MAX, NotationError
    from oddtrick_rules.notation.record import parse_record

    try:
        record = parse_record(read_text(args.file, bytes_max=RECORD_CHARS_MAX))
    except (Unreadable, NotText, NotationError) as failure:
        print(printable(f"{args.file}: {failure}"), file=sys.stderr)
        return CANNOT
    viewer = _viewer(args.viewer)
    for line in _heading(record.header, viewer):
        print(printable(line))
    for step, moment in moments(record):
        if args.to is not None and step.line > args.to:
            break
        for line in _told(step, moment, viewer):
            print(printable(line))
    return 0


def _viewer(name: str) -> Viewer:
    from oddtrick_rules.seats import Seat
    from oddtrick_rules.views import Watcher

    return Seat[name] if name in Seat.__members__ else Watcher[name.upper()]


def _heading(header: Header, viewer: Viewer) -> Iterator[str]:
    from oddtrick_rules.notation.hands import hand_text
    from oddtrick_rules.seats import SEATS
    from oddtrick_rules.views import Watcher

    if header.title and viewer is Watcher.REFEREE:
        yield header.title  # which may well say what is about to happen
    yield f"{header.code.title} ({header.code.id}), {header.enforcement}; {header.dealer.name} deals"
    for seat in SEATS:
        if viewer in {seat, Watcher.REFEREE}:
            yield f"  {seat.name}  {hand_text(header.hands[seat])}"


def _told(step: Step, moment: Moment, viewer: Viewer) -> Iterator[str]:
    """Give the lines for one step: the act, and under it what it came to.

    What the record expects, and acts refused, which nobody else at the table hears of, are for the referee alone.
    """
    from oddtrick_rules.notation.acts import seat_act_text
    from oddtrick_rules.notation.expect import Refused
    from oddtrick_rules.telling import tell_with_law
    from oddtrick_rules.views import Watcher, seen_by

    referee = viewer is Watcher.REFEREE
    if moment.refusal is not None and not referee and step.seat is not viewer:
        return
    if step.seat is not None and step.command is not None:
        yield f"{step.line:>4}  {seat_act_text(step.seat, step.command)}"
        if moment.refusal is not None:
            cites = f" ({', '.join(moment.refusal.cites)})" if moment.refusal.cites else ""
            yield f"        refused: {moment.refusal.why.replace('_', ' ')}{cites}"
    for event in moment.events:
        seen = seen_by(event, viewer, enforcement=moment.state.enforcement)
        if seen is not None:
            yield f"        {tell_with_law(seen)}"
    for expected in step.expected if referee else ():
        if not isinstance(expected.what, Refused):
            holds = expected.what.holds(moment)
            yield f"        = {expected.what.text()}{'' if holds else '   DOES NOT HOLD'}"
