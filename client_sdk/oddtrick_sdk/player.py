"""A bot at a table: reads what happens, asks its driver, sends its acts.

Rules of this file
    1. All that is unread is read before the bot is asked, so that it never answers the last question but one.
    2. A prompt is answered once. After an act that was accepted nothing is done until what came of it has been told; one
       that was refused is not tried again before something else has happened.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog

from oddtrick_protocol import messages as m
from oddtrick_rules.commands import Command, Play
from oddtrick_rules.state import Rubber, Stage
from oddtrick_sdk.client import Table
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.errors import OddtrickError, Refused
from oddtrick_sdk.mirror import Asked, Happened, Resynced
from oddtrick_sdk.updates import Left, Told
from oddtrick_sdk.view import View

log = structlog.get_logger("oddtrick.sdk")

REFUSALS_MAX: Final = 3  # of one prompt, before the stand-in answers it
ACTS_WITHOUT_NEWS_MAX: Final = 8


@dataclass(frozen=True, slots=True)
class Result:
    """A rubber that was played to its end."""

    table: str
    rubber: int
    won: Rubber
    hands: int


@dataclass
class Player:
    """One bot in one seat. `rubbers` is how many to play; None: until the table ends.

    As host it begins when all four sit; with `patience_s`, after so many seconds with whoever is there, and house bots.
    """

    table: Table
    driver: Driver
    rubbers: int | None = None
    results: list[Result] = field(default_factory=list)
    on_result: Callable[[Result], None] | None = None
    patience_s: float | None = None
    _answered: str = ""
    _refused: set[Command] = field(default_factory=set)
    _refusals: int = 0
    _without_news: int = 0
    _wants_again: int = 0
    _started: bool = False

    async def play(self) -> list[Result]:
        """Play until the rubbers are over or the table is left; return the results."""
        waiting = None if self.patience_s is None else asyncio.create_task(self._wait(self.patience_s))
        try:
            async for told in self.table:
                if self._read(told):
                    break
                await self._go_on()
                if self.rubbers is not None and len(self.results) >= self.rubbers:
                    break
        finally:
            if waiting is not None:
                waiting.cancel()
                await asyncio.wait([waiting])
        return self.results

    async def _wait(self, patience_s: float) -> None:
        """Begin without a fourth in the end: else a bot that came first would keep everybody who comes to it waiting."""
        while not self._started and self.table.mirror.state is None:
            await self.driver.sleep(patience_s)
            if self.table.mirror.state is None:
                with contextlib.suppress(OddtrickError):  # whoever reads the updates is told that the line is lost
                    await self._start_if_host(alone=True)

    def _read(self, told: Told) -> bool:
        """Take this update and all that are unread; tell whether the table is left."""
        updates = self.table.client.updates_of(self.table.id)
        next_told: Told | None = told
        while next_told is not None:
            match next_told:
                case Left():
                    return True
                case Happened() | Resynced():
                    self._refused.clear()
                    self._without_news = 0
                    if self._asked() is None:
                        self._refusals = 0
                case Asked():
                    self._answered = ""
                    self._refusals = 0
                    self._without_news = 0
                case _:
                    pass
            next_told = updates.get_nowait()
        self._note_result()
        return False

    def _note_result(self) -> None:
        mirror = self.table.mirror
        state = mirror.state
        if state is None or state.rubber is None or mirror.info.rubber in {result.rubber for result in self.results}:
            return
        result = Result(self.table.id, mirror.info.rubber, state.rubber, state.hands_dealt)
        self.results.append(result)
        if self.on_result is not None:
            self.on_result(result)

    async def _go_on(self) -> None:
        mirror = self.table.mirror
        if mirror.seat is None or mirror.state is None:
            await self._start_if_host()
            return
        if mirror.state.rubber is not None:
            await self._again(mirror.info.rubber)
            return
        while self._without_news < ACTS_WITHOUT_NEWS_MAX and await self._act():
            self._without_news += 1

    async def _start_if_host(self, *, alone: bool = False) -> None:
        """Begin the first rubber when all four sit, or `alone` with house bots, if it is ours to begin."""
        info, client = self.table.mirror.info, self.table.client
        if self._started or not info.host or info.host != client.identity or (None in info.seats and not alone):
            return
        self._started = True
        try:
            await self.table.ask(m.Start)
        except Refused as refused:
            log.info("not_started", table=self.table.id, why=str(refused))

    async def _again(self, rubber: int) -> None:
        more = self.rubbers is None or len(self.results) < self.rubbers
        if more and self._wants_again != rubber:
            self._wants_again = rubber
            try:
                await self.table.ask(m.Again)
            except Refused as refused:
                log.info("no_other_rubber", table=self.table.id, why=str(refused))

    async def _act(self) -> bool:
        """Ask the bot once and send what it says; tell whether there may be more to do at once."""
        asked = self._asked()
        view = self.view(asked)
        command = await self.driver.act(view)
        if command is not None and command in self._refused:
            self._refusals += 1
            if self._refusals < REFUSALS_MAX:
                return True  # it may think of something else
            command = self.driver.instead(view)
        if command is None or command in self._refused or self._overtaken(asked):
            return False
        return await self._send(command, asked)

    async def _send(self, command: Command, asked: Asked | None) -> bool:
        answer = asked if asked is not None and answers(command, asked) else None
        try:
            await self.table.act(command, asked=answer)
        except Refused as refused:
            log.debug("refused", table=self.table.id, act=command, why=str(refused))
            self._refused.add(command)
            self._refusals += 1
            return refused.code != "superseded"
        if answer is not None:
            self._answered = answer.prompt
        return False  # what came of it will be told, and then there is more to do

    def _asked(self) -> Asked | None:
        """Return the prompt that stands, is not answered yet, and may be answered with good manners."""
        asked = self.table.mirror.asked
        if asked is None or asked.prompt == self._answered or (asked.kind == "turn" and self._trick_lies()):
            return None
        return asked

    def _trick_lies(self) -> bool:
        """Tell whether a complete trick waits for the linger clock: nobody well-bred leads on before it has run."""
        mirror = self.table.mirror
        if not mirror.info.clocks.linger_ms or mirror.state is None or mirror.state.hand is None:
            return False
        return any(trick.stage in {Stage.COMPLETE, Stage.GATHERED} for trick in mirror.state.hand.tricks[-2:])

    def _overtaken(self, asked: Asked | None) -> bool:
        """Tell whether another prompt has come while the bot was thinking."""
        return asked is not None and self._asked() is not asked

    def view(self, asked: Asked | None) -> View:
        """Return what the bot is shown now."""
        mirror = self.table.mirror
        assert mirror.state is not None
        assert mirror.seat is not None
        acts = mirror.acts if asked is None else (*asked.acts, *mirror.acts)
        return View(
            state=mirror.state,
            seat=mirror.seat,
            acts=acts,
            playable=() if asked is None else asked.playable,
            deadline_ms=None if asked is None else asked.deadline_ms,
            kind="" if asked is None else asked.kind,
            right_id=None if asked is None else asked.right,
            table=mirror.table,
            info=mirror.info,
        )


def answers(command: Command, asked: Asked) -> bool:
    """Tell whether the act answers that prompt (rather than being done besides)."""
    return type(command) in set(map(type, asked.acts)) or (asked.kind == "turn" and isinstance(command, Play))
