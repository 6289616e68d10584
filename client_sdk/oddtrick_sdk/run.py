"""Run a bot against a server: `run(Bot(), url, table="any")`, or `play` for as many at once as one likes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Any, Final

import structlog

from oddtrick_protocol import messages as m
from oddtrick_sdk.bot import Bot
from oddtrick_sdk.client import DEFAULTS, Client, Options, Table
from oddtrick_sdk.driver import AT_ONCE, Driver, Pace
from oddtrick_sdk.errors import OddtrickError, Refused, Unreachable
from oddtrick_sdk.player import Player, Result
from oddtrick_sdk.transport import WithBearer
from oddtrick_sdk.updates import Offline

ANY: Final = "any"
CANNOT: Final = 2
INTERRUPTED: Final = 130
PATIENCE_S: Final = 10.0
"""A bot that came first and is host begins after so long, with house bots in the seats nobody took."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Where a bot would like to sit."""

    table: str = ANY
    seat: str = ANY
    invite: str | None = None
    code: str | None = None
    enforcement: str | None = None

    def fields(self) -> dict[str, Any]:
        """Return the fields of `sit` that are set."""
        wishes = {"seat": self.seat, "invite": self.invite, "code": self.code, "enforcement": self.enforcement}
        return {name: value for name, value in wishes.items() if value is not None}


def run(
    bot: Bot,
    url: str,
    *,
    table: str = ANY,
    seat: str = ANY,
    invite: str | None = None,
    code: str | None = None,
    enforcement: str | None = None,
    rubbers: int | None = None,
    token: str | None = None,
    bearer: str | None = None,
    pace: Pace = AT_ONCE,
) -> list[Result]:
    """Connect, sit down and play; return the results when the rubbers are over. For ever if `rubbers` is None.

    Where it is the host, as at a table that it opened because there was none, it waits ten seconds for others and then
    begins with house bots. `token` brings back an identity that one has had; `bearer` is what the issuer of an account
    gives for it (ValueError if it cannot be that).

    It is the whole of a program, and ends as one: with SystemExit 130 on Ctrl-C, and with SystemExit 2 and a line on
    standard error if the server cannot be reached to begin with. The first time that it has to wait for the server is
    told there too, and so are warnings, unless the program has configured structlog. Raises Refused or Disconnected when
    there is no playing there; `play` raises Unreachable and leaves Ctrl-C and the log to its caller.
    """
    wish = Wish(table, seat, invite, code, enforcement)
    opener = DEFAULTS.opener if bearer is None else WithBearer(bearer)
    options = Options(opener=opener, on_offline=first_offline(url, _to_stderr))
    if not structlog.is_configured():
        _log_warnings()
    try:
        return asyncio.run(play(bot, url, wish=wish, rubbers=rubbers, token=token, pace=pace, options=options))
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except Unreachable as nobody:
        _to_stderr(nobody.why)
        raise SystemExit(CANNOT) from None


def first_offline(url: str, say: Callable[[str], None]) -> Callable[[Offline], None]:
    """Return what says the first time alone that a server is not there or puts us off, and that it is tried again."""
    said = False

    def tell(offline: Offline) -> None:
        nonlocal said
        if not said:
            said = True
            say(f"{url}: {offline.why}; trying again")

    return tell


def _to_stderr(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _log_warnings() -> None:
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


async def play(
    bot: Bot,
    url: str,
    *,
    wish: Wish = Wish(),  # frozen
    rubbers: int | None = None,
    token: str | None = None,
    pace: Pace = AT_ONCE,
    chance: Random | None = None,
    options: Options = DEFAULTS,
    on_result: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Connect one bot, sit down where it wishes, and play; `on_result` is called with each result as it comes."""
    async with Client(url, name=bot.name, token=token, bot=True, options=options) as client:
        table = await client.sit(wish.table, **wish.fields())
        driver = Driver(bot, chance or SystemRandom(), pace, sleep=options.sleep)
        player = Player(table, driver, rubbers, on_result=on_result, patience_s=PATIENCE_S)
        results = await player.play()
        with contextlib.suppress(OddtrickError):
            await table.leave()
        return results


async def play_own_table(
    bots: list[Bot],
    url: str,
    *,
    rubbers: int = 1,
    create: dict[str, Any] | None = None,
    pace: Pace = AT_ONCE,
    chance: Random | None = None,
    options: Options = DEFAULTS,
    on_result: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Let one to four bots open a table of their own and play: the first is the host.

    House bots of the server fill the seats.

    `on_result` is called with each `Result` as it comes.
    """
    if not 1 <= len(bots) <= 4:
        raise ValueError("one to four bots sit at a table")
    chance = chance or SystemRandom()
    async with contextlib.AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(Client(url, name=bot.name, bot=True, options=options)) for bot in bots
        ]
        opened = await clients[0].create(**(create or {}))
        assert opened.table is not None
        wish = Wish(opened.table, invite=opened.invite)
        tables = [await client.sit(wish.table, **wish.fields()) for client in clients]
        await _start(tables[0])
        players = [
            Player(table, Driver(bot, chance, pace, sleep=options.sleep), rubbers)
            for table, bot in zip(tables, bots, strict=True)
        ]
        players[0].on_result = on_result
        results = await asyncio.gather(*(player.play() for player in players))
        for table in tables:
            with contextlib.suppress(OddtrickError):
                await table.leave()
        return results[0]


async def _start(table: Table) -> None:
    """Begin the rubber, unless the table has begun of itself with its fourth player."""
    try:
        await table.ask(m.Start)
    except Refused as refused:
        if refused.code not in {"in_play", "already_done"}:
            raise
