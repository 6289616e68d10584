"""`oddtrick simulate`: play whole evenings, with faults, from one seed, on virtual time."""

from __future__ import annotations

import argparse
import math
import shlex
import sys
import time
from typing import TYPE_CHECKING, Final

from oddtrick_cli.reading import printable

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from oddtrick_cli.simulation.faults import FaultKind
    from oddtrick_cli.simulation.world import Evening

HOLDS: Final = 0
FAILS: Final = 1
CANNOT: Final = 2
KINDS: Final = ("cut", "duplicate", "reorder", "drop", "delay", "crash", "pause", "partition", "cut_off", "stray")


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "simulate",
        help="play whole tables, with faults, from one seed",
        description="Run the server, its store, four bots and a bystander in one process, on virtual time and an injected "
        "network, and check at every append and at the end that nothing acknowledged is lost or doubled, that everybody "
        "sees what the log says, and that no server or client had a fault of its own. The same seed gives the same evening. "
        "The first evening that fails is cut down to the faults it needs. Exit 0 if all hold, 1 if one fails, 2 for a "
        "wrong option.",
    )
    _add_options(parser)
    parser.set_defaults(run=run)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds, one after another (default: 1)")
    parser.add_argument(
        "--faults",
        default=",".join(KINDS),
        help=f"what may go wrong, of {', '.join(KINDS)}, or `none` (default: all)",
    )
    parser.add_argument("--count", type=int, default=10, help="faults an evening (default: 10)")
    parser.add_argument("--until", type=float, default=60.0, help="virtual seconds over which they fall (default: 60)")
    parser.add_argument(
        "--hands", type=int, default=0, help="stop after so many hands (default: when the rubber is over)"
    )
    parser.add_argument("--servers", type=int, default=1, help="servers that share the store (default: 1)")
    parser.add_argument("--rubbers", type=int, default=1, help="rubbers an evening (default: 1)")
    parser.add_argument("--code", help="the code of laws (default: the seed chooses)")
    parser.add_argument("--enforcement", choices=("strict", "guided", "club"), help="(default: the seed chooses)")
    parser.add_argument("--verbose", action="store_true", help="show the server's log")


def run(args: argparse.Namespace) -> int:
    """Play the evenings and return the exit code."""
    from oddtrick_cli.simulation.search import Wish, evening_of, play

    kinds = _kinds(args.faults)
    if kinds is None:
        print(printable(f"--faults {args.faults}: not a list of {', '.join(KINDS)}, or none"), file=sys.stderr)
        return CANNOT
    wrong = _wrong(args)
    if wrong is not None:
        print(printable(wrong), file=sys.stderr)
        return CANNOT
    if not args.verbose:
        quiet()
    wish = Wish(
        kinds=kinds,
        count=args.count,
        until_s=args.until,
        code=args.code,
        enforcement=args.enforcement,
        rubbers=args.rubbers,
        hands=args.hands,
        servers=args.servers,
    )
    began = time.monotonic()
    seconds = acts = 0.0
    for seed in range(args.seed, args.seed + args.seeds):
        evening = evening_of(seed, wish)
        outcome = play(evening)
        seconds += outcome.seconds
        acts += outcome.acts
        if outcome.problems:
            _report(evening, outcome.problems, again=_again(args, seed))
            return FAILS
    print(
        f"ok: {args.seeds} seeds from {args.seed}, {acts:,.0f} acts in {seconds:,.0f} virtual seconds, "
        f"{time.monotonic() - began:.1f} real"
    )
    return HOLDS


def quiet() -> None:
    """Show none of the log of what is simulated."""
    import logging

    import structlog

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


def _kinds(text: str) -> tuple[FaultKind, ...] | None:
    from oddtrick_cli.simulation.faults import FaultKind

    if text == "none":
        return ()
    try:
        return tuple(FaultKind(name.strip()) for name in text.split(","))
    except ValueError:
        return None


def _wrong(args: argparse.Namespace) -> str | None:
    """Return what an option is that it may not be, in one line."""
    from oddtrick_rules.codes.registry import code_named

    for name, least in (("seeds", 1), ("servers", 1), ("rubbers", 1), ("count", 0), ("hands", 0)):
        if getattr(args, name) < least:
            return f"--{name} {getattr(args, name)}: is {least} or more"
    if not 0 < args.until < math.inf:
        return f"--until {args.until}: is more than 0 seconds, and not for ever"
    try:
        if args.code is not None:
            code_named(args.code)
    except ValueError as error:
        return f"--code: {error}"
    return None


def _again(args: argparse.Namespace, seed: int) -> str:
    """Return the command that plays the evening of a seed again: every option that is not as it is by itself."""
    parser = argparse.ArgumentParser()
    _add_options(parser)
    words = ["oddtrick", "simulate", "--seed", str(seed)]
    for name, default in vars(parser.parse_args([])).items():
        value = getattr(args, name)
        if name in {"seed", "seeds"} or value == default:
            continue
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return shlex.join(words)


def _report(evening: Evening, problems: list[str], *, again: str) -> None:
    from oddtrick_cli.simulation.search import play, shrink

    print(printable(f"seed {evening.seed} fails ({evening.code}, {evening.enforcement}):"))
    for problem in problems:
        print(printable(f"  {problem}"))
    shortest = shrink(evening)
    print(f"the shortest history that fails has {len(shortest.faults)} of {len(evening.faults)} faults:")
    for fault in shortest.faults:
        print(f"  {fault}")
    for problem in play(shortest).problems:
        print(printable(f"  -> {problem}"))
    print(printable(f"again: {again}"))
