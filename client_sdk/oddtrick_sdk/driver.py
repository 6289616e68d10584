"""Asks a bot, and stands in for it when it fails: a bot that raises, is late or returns no act never holds up a table.

The stand-in plays the lowest lawful card, or what an honest player would. What the bot was shown goes to the log as
one line of JSON, `record`; `View.of_record(line)` makes the same view again, and the same call fails again at its
author's desk.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import structlog

from oddtrick_protocol.facts import command_from_wire, command_to_wire
from oddtrick_rules.commands import Command
from oddtrick_sdk.bot import Bot, moment_of, settled
from oddtrick_sdk.bots import honest
from oddtrick_sdk.view import View

log = structlog.get_logger("oddtrick.sdk")

LATE_SHARE: Final = 0.8  # of a deadline: what is left is for the way to the server
UNHURRIED: Final = frozenset({"", "linger", "search", "claims", "cut"})


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a bot takes over an act, for people to follow: drawn by chance alone, and so it tells nothing."""

    least_s: float = 0.0
    spread_s: float = 0.0

    def seconds(self, chance: Random) -> float:
        """Draw how long the next act takes."""
        return self.least_s + self.spread_s * chance.random()


AT_ONCE: Final = Pace()
FOR_PEOPLE: Final = Pace(0.6, 0.9)


class NoAct(Exception):
    """What a bot returned is nothing that can be sent."""


def as_sent(returned: Any) -> Command | None:
    """Return the act as a server will read it, None for none; NoAct for anything that a client may not send."""
    if returned is None:
        return None
    try:
        command = command_from_wire(command_to_wire(returned))
        is_same = command == returned  # a card below zero would be sent as one from the other end of the pack
    except Exception as error:  # whatever it is, it may fail in any way when it is looked at
        raise NoAct(f"{type(returned).__name__} is no act, or holds what no act may") from error
    if not is_same:
        raise NoAct(f"it would be read as {command}")
    return command


def _is_stopped() -> bool:
    """Tell whether it is this task that is cancelled, rather than something the bot waited for."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


@dataclass(slots=True)
class Driver:
    """One bot at one table. `limit_s` bounds its thinking where the table sets no deadline."""

    bot: Bot
    chance: Random
    pace: Pace = AT_ONCE
    limit_s: float = 30.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    failures: int = 0

    async def act(self, view: View) -> Command | None:
        """Return what the bot does now; None if it lets the time pass."""
        if view.kind not in UNHURRIED:
            seconds = self.pace.seconds(self.chance)
            if seconds:
                await self.sleep(seconds)
        try:
            async with asyncio.timeout(self._limit_s(view)):
                command = as_sent(await settled(self.bot.act(view)))
        except TimeoutError:
            return self._instead(view, "the bot was late")
        except NoAct:
            return self._instead(view, "the bot returned what is no act")
        except asyncio.CancelledError:
            if _is_stopped():
                raise
            return self._instead(view, "the bot cancelled itself")
        except Exception:  # noqa: BLE001  # whatever an author's code raises must not stop the table
            return self._instead(view, "the bot raised")
        if command is None and view.kind == "turn":
            return self._instead(view, "the bot returned nothing", trace=False)
        return command

    def instead(self, view: View) -> Command | None:
        """Return what is done for a bot that has failed."""
        answer = honest.ANSWERS.get(view.kind)
        return answer(moment_of(view)) if answer is not None else None

    def _instead(self, view: View, why: str, *, trace: bool = True) -> Command | None:
        self.failures += 1
        seen = traceback.format_exc() if trace else ""
        log.error("bot_failed", bot=self.bot.name, why=why, table=view.table, record=view.record(), trace=seen)
        return self.instead(view)

    def _limit_s(self, view: View) -> float:
        if view.deadline_ms is None:
            return self.limit_s
        return min(self.limit_s, view.deadline_ms / 1000 * LATE_SHARE)
