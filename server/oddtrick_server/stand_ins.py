"""Bots that the server plays itself: house bots, and substitutes for players who are away (R20).

A brain is given the seat's own view and the acts its owner would be offered, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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

    @staticmethod
    def has(kind: str) -> bool:
        """Whether there is a house bot of that kind."""
        return kind in BRAINS

    def acts(
        self, state: State, seat: Seat, sitter: Sitter | None, kind: str, right: int | None, *, linger_by_hand: bool
    ) -> Iterator[Command]:
        """What the bot at a seat would do, best first; nothing if it would let the time pass."""
        bot = None if sitter is None else sitter.substitute or sitter.bot
        moment = Moment(
            view=view(state, seat),
            seat=seat,
            kind=kind,
            acts=legal(state, seat),
            right=right,
            linger_by_hand=linger_by_hand,
        )
        wish = self._brain(bot or self.substitute).act(moment)
        if wish is not None:
            yield wish
        if kind in honest.ANSWERS:
            plain = honest.ANSWERS[kind](moment)
            if plain is not None:
                yield plain

    def _brain(self, kind: str) -> Brain:
        brain = self._made.get(kind)
        if brain is None:
            chance = Random(int.from_bytes(self._entropy(16)))  # noqa: S311 -- for play, not for deals
            brain = self._made[kind] = brain_named(kind, chance)
        return brain
