"""Bots that the server plays itself: house bots, and substitutes for players who are away (R20).

A brain is given the seat's own view and the acts its owner would be offered, and nothing else. One that raises is a fault of ours,
but the table goes on: what an honest player does without thinking is done instead.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from oddtrick_protocol.table_info import Sitter
from oddtrick_rules.commands import Command
from oddtrick_rules.legal import legal
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import State
from oddtrick_rules.views import view
from oddtrick_sdk.bots import honest
from oddtrick_sdk.bots.brain import Brain, Moment
from oddtrick_sdk.bots.registry import BRAINS, brain_named


class Brains:
    """The brains of one table, made as they are needed."""

    def __init__(self, entropy: Callable[[int], bytes], *, substitute: str = "courteous") -> None:
        self.substitute = substitute
        self._entropy = entropy
        self._made: dict[str, Brain] = {}
        self._blamed: dict[Seat, tuple[str, int]] = {}  # the bot there whose fault was told, and in which hand

    @staticmethod
    def has(kind: str) -> bool:
        """Whether there is a house bot of that kind."""
        return kind in BRAINS

    def acts(
        self,
        state: State,
        seat: Seat,
        sitter: Sitter | None,
        kind: str,
        right: int | None,
        *,
        linger_by_hand: bool,
        faults: list[str],
    ) -> Iterator[Command]:
        """What the bot at a seat would do, best first; nothing if it would let the time pass.

        A bot that raises is answered for like one that has no lawful answer, and `faults` is told so, once a hand.
        """
        bot = (None if sitter is None else sitter.substitute or sitter.bot) or self.substitute
        moment = Moment(
            view=view(state, seat),
            seat=seat,
            kind=kind,
            acts=legal(state, seat),
            right=right,
            linger_by_hand=linger_by_hand,
        )
        ways: list[Callable[[Moment], Command | None]] = [lambda moment: self._brain(bot).act(moment)]
        if kind in honest.ANSWERS:
            ways.append(honest.ANSWERS[kind])
        for way in ways:
            try:
                wish = way(moment)
            except Exception as error:  # noqa: BLE001 -- raised again in the same position, it would end every hand there
                self._blame(seat, bot, state.hands_dealt, error, faults)
            else:
                if wish is not None:
                    yield wish

    def _blame(self, seat: Seat, bot: str, hand: int, error: Exception, faults: list[str]) -> None:
        if self._blamed.get(seat) != (bot, hand):
            self._blamed[seat] = (bot, hand)
            where = traceback.extract_tb(error.__traceback__)[-1]
            # What the error says is left out: it may name a card.
            place = f"{Path(where.filename).name}, line {where.lineno}"
            faults.append(f"the bot {bot} at {seat.name} raised {type(error).__name__} in {place}, in hand {hand}")

    def _brain(self, kind: str) -> Brain:
        brain = self._made.get(kind)
        if brain is None:
            chance = Random(int.from_bytes(self._entropy(16)))  # noqa: S311 -- for play, not for deals
            brain = self._made[kind] = brain_named(kind, chance)
        return brain
