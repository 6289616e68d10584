"""`oddtrick bot`: bots that sit down at tables of a server, the house's own or one's own."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, Final

from oddtrick_cli.joining import CANNOT, add_server, add_table_wishes, as_whom, say, talk

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from oddtrick_protocol.messages import Clocks
    from oddtrick_sdk import Bot, Result

COUNT_MAX: Final = 64
# A table with nobody to watch the cards: the winner quits his trick at once, and nobody is waited for long.
OWN_CLOCKS: Final = {"linger_ms": 0, "linger_min_ms": 0}


class NoBot(Exception):
    """There is no such bot. The message is one line."""


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "bot",
        help="let bots play",
        description="Let bots sit down at a table and play. With --count 4 and no --table they open a table of their own, "
        "print the result of each rubber and exit 0. Exit 1 if the server refuses, 2 if it cannot be reached.",
    )
    parser.add_argument("bot", nargs="?", default="courteous", help="courteous, random, or yours: module:Class")
    add_server(parser)
    add_table_wishes(parser)
    parser.add_argument("--table", help="the table to sit at (default: any; four bots open their own)")
    parser.add_argument("--count", type=_count, default=1, help="how many bots (default: 1)")
    parser.add_argument(
        "--rubbers", type=_positive, help="how many rubbers (default: 1 at their own table, else no end)"
    )
    parser.add_argument("--seed", type=int, help="fix the bots' chance, and the deals where the server allows that")
    parser.add_argument("--irregular", type=_share, default=0.0, help="random: the share of acts no one should do")
    parser.add_argument("--name", help="the name at the table (default: the bot's)")
    parser.add_argument("--slow", action="store_true", help="take as long as people like to see")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Let them play; return the exit code."""
    try:
        bots = [_bot(args, number) for number in range(args.count)]
    except NoBot as failure:
        say(str(failure))
        return CANNOT
    if args.table is None and args.count == 4:
        return talk(_own_table(bots, args), args.url)
    return talk(_join(bots, args), args.url)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("one or more")
    return number


def _count(text: str) -> int:
    number = _positive(text)
    if number > COUNT_MAX:
        raise argparse.ArgumentTypeError(f"{COUNT_MAX} at most")
    return number


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError("between 0 and 1")
    return share


def _chance(seed: int | None, number: int) -> Random:
    """Return the chance of the bot of that number: each its own, the same for the same seed."""
    return SystemRandom() if seed is None else Random(f"{seed}/{number}")  # noqa: S311  # play, not secrets


def _bot(args: argparse.Namespace, number: int) -> Bot:
    from oddtrick_sdk import house_bot
    from oddtrick_sdk.bot import BrainBot
    from oddtrick_sdk.bots.random_bot import RandomBrain

    chance = _chance(args.seed, number)
    if ":" in args.bot:
        bot = bot_of(args.bot)
    elif args.bot == "random":
        bot = BrainBot(RandomBrain(chance, irregular=args.irregular), "random")
    else:
        try:
            bot = house_bot(args.bot, chance)
        except ValueError as error:
            raise NoBot(f"{error}, or module:Class for your own") from None
    name = bot.name if args.name is None else args.name
    bot.name = name if args.count == 1 else f"{name} {number + 1}"
    return bot


def bot_of(path: str) -> Bot:
    """Return a new bot of `module:Class`, a module in the current directory included; NoBot if there is none."""
    from oddtrick_sdk import Bot

    module_name, _, class_name = path.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        made = getattr(importlib.import_module(module_name), class_name)()
    except ModuleNotFoundError as error:
        raise NoBot(f"{path}: {error}") from None
    except (AttributeError, TypeError, ValueError, ImportError) as error:
        raise NoBot(f"{path}: no bot can be made of it: {error}") from None
    if not isinstance(made, Bot):
        raise NoBot(f"{path}: is not a subclass of oddtrick_sdk.Bot")
    return made


async def _own_table(bots: list[Bot], args: argparse.Namespace) -> int:
    from oddtrick_sdk import Refused

    create: dict[str, Any] = {"clocks": _own_clocks(slow=args.slow)}
    for name in ("code", "enforcement"):
        if getattr(args, name) is not None:
            create[name] = getattr(args, name)
    if args.seed is None:
        return await _play_own_table(bots, args, create)
    try:
        return await _play_own_table(bots, args, {**create, "seed": str(args.seed)})
    except Refused as refused:
        if refused.code != "seed_refused":
            raise
    say("the server allows no seeded deals: --seed fixes the bots' chance alone")
    return await _play_own_table(bots, args, create)


async def _play_own_table(bots: list[Bot], args: argparse.Namespace, create: dict[str, Any]) -> int:
    from oddtrick_sdk import FOR_PEOPLE, Options, Pace, play_own_table
    from oddtrick_sdk.run import first_offline

    await play_own_table(
        bots,
        args.url,
        rubbers=args.rubbers or 1,
        create=create,
        pace=FOR_PEOPLE if args.slow else Pace(),
        chance=_chance(args.seed, -1),
        options=Options(on_offline=first_offline(args.url, say)),
        on_result=lambda result: print(result_text(result), flush=True),
    )
    return 0


def _own_clocks(*, slow: bool) -> Clocks | None:
    from oddtrick_protocol.messages import Clocks

    return None if slow else Clocks(**OWN_CLOCKS)


def result_text(result: Result) -> str:
    """Return the result of a rubber in one line."""
    points = "point" if result.won.points == 1 else "points"
    hands = "hand" if result.hands == 1 else "hands"
    return (
        f"table {result.table}: rubber {result.rubber} to {result.won.side.name}"
        f" by {result.won.points} {points} in {result.hands} {hands}"
    )


async def _join(bots: list[Bot], args: argparse.Namespace) -> int:
    import asyncio

    from oddtrick_sdk import FOR_PEOPLE, Wish, play
    from oddtrick_sdk.run import first_offline

    wish = Wish(args.table or "any", invite=args.invite, code=args.code, enforcement=args.enforcement)
    token, options = as_whom(args.token if len(bots) == 1 else None, first_offline(args.url, say))
    printed: set[tuple[str, int]] = set()

    def tell(result: Result) -> None:
        """Print a result, unless another bot of ours at the same table has."""
        key = (result.table, result.rubber)
        if key not in printed:
            printed.add(key)
            print(result_text(result), flush=True)

    playing = [
        play(
            bot,
            args.url,
            wish=wish,
            rubbers=args.rubbers,
            token=token,
            pace=FOR_PEOPLE,
            options=options,
            on_result=tell,
        )
        for bot in bots
    ]
    await asyncio.gather(*playing)
    return 0
