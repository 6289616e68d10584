"""A house bot's brain: given what its seat may know and may do, it gives an act.

How to use it::

brain = brain_named("courteous", Random(seed))
    command = brain.act(Moment(view=view(state, seat), seat=seat, kind="turn", acts=legal(state, seat)))

`kind` is what the seat is awaited for (`oddtrick_rules.awaits.AwaitKind`: `turn`, `question`, `choice`, `claims` ...),
or empty when nothing is asked and the seat merely may act. None means: let the time
pass. A brain keeps nothing between two calls but its chance, so the same seed and the same moments give the same
acts, and a brain can sit down in the middle of a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeVar

from oddtrick_rules.cards import RANK_OF, Card, Mask, cards_in
from oddtrick_rules.commands import Command
from oddtrick_rules.seats import PARTNER, Seat
from oddtrick_rules.state import Hand, State
from oddtrick_rules.turns import playable, to_play

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Moment:
    """What a seat sees, what it is asked, and what it may do. `view` is its own view, never the table's state."""

    view: State
    seat: Seat
    kind: str = ""
    acts: Sequence[Command] = ()
    right: int | None = None
    linger_by_hand: bool = False  # the table has no linger clock: tricks are quitted by those who won them

    @property
    def hand(self) -> Hand:
        """The deal; only asked for while there is one."""
        hand = self.view.hand
        assert hand is not None
        return hand

    def all_of(self, kind: type[Kind]) -> list[Kind]:
        """Return the acts of that kind one may do."""
        return [act for act in self.acts if isinstance(act, kind)]

    def first_of(self, kind: type[Kind]) -> Kind | None:
        """Return the first act of that kind one may do."""
        return next((act for act in self.acts if isinstance(act, kind)), None)

    @property
    def playing(self) -> Seat:
        """The seat whose card is asked for: dummy's when the dealer plays it, else one's own."""
        turn = to_play(self.view)
        return turn if turn is not None and turn == self.hand.dummy and turn == PARTNER[self.seat] else self.seat

    @property
    def playable(self) -> Mask:
        """The cards of `playing` by which every law is kept."""
        return playable(self.view, self.playing)


class Brain(Protocol):
    """Takes a moment, gives an act."""

    def act(self, moment: Moment) -> Command | None:
        """Return what to do now, or None to let the time pass; for `turn`, `declare` and `double` always an act."""


BrainMaker = Callable[[Random], Brain]


def by_rank(cards: Mask) -> list[Card]:
    """Return the cards of a set, the lowest rank first."""
    return sorted(cards_in(cards), key=lambda card: (RANK_OF[card], card))
