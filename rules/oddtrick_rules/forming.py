"""Forming the table by cutting (13-20 · 4-11 · 14-21): who plays, who is whose partner, who deals, who goes out.

Chance is an argument: the caller draws a card from one pack for each who must cut, and again for those told to cut
again. Cuts are given as rounds, the first with everybody's card, each further one with those of the players who were to
cut again. A re-cut only parts those who were equal: it moves nobody past one whose card was lower or higher before.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

from oddtrick_rules.cards import RANK_OF, RANKS, Card

Player = TypeVar("Player", bound=Hashable)
Rounds: TypeAlias = Sequence[Mapping[Player, Card]]

AT_PLAY: Final = 4
AT_TABLE: Final = 6
_ACE: Final = RANKS.index("A")


@dataclass(frozen=True, slots=True)
class CutAgain(Generic[Player]):
    """These players have cut alike where it matters, and cut again."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Partners(Generic[Player]):
    """Two pairs, the lower first; of that the first player has the deal, and the choice of cards and seats."""

    low: tuple[Player, Player]
    high: tuple[Player, Player]

    @property
    def dealer(self) -> Player:
        """The player who cut lowest."""
        return self.low[0]


def cut_rank(card: Card) -> int:
    """Return the rank of a card in cutting: the ace is the lowest."""
    return -1 if RANK_OF[card] == _ACE else RANK_OF[card]


def cut_for_partners(rounds: Rounds[Player]) -> Partners[Player] | CutAgain[Player]:
    """Four have cut: the two lowest play against the two highest, and the lowest deals; equal highest stand."""
    assert len(rounds[0]) == AT_PLAY
    order = _order(rounds)
    again = _tied_across(rounds, order, 1) or _tied_across(rounds, order, 2)
    if again is not None:
        return again
    one, two, three, four = order
    return Partners((one, two), (three, four))


def cut_for_places(rounds: Rounds[Player], *, places: int) -> tuple[Player, ...] | CutAgain[Player]:
    """So many of those who cut have a place, the lowest cards; those who cut alike for the last of them cut again."""
    order = _order(rounds)
    return _tied_across(rounds, order, places) or tuple(order[:places])


def cut_out(
    played: Mapping[Player, int], rounds: Rounds[Player] = (), *, leaving: int
) -> tuple[Player, ...] | CutAgain[Player]:
    """Return who leaves after a rubber: those who have played the most in a row; among equals, the highest cards.

    `played` counts the rubbers each has played without a pause. Equals cut only if that decides anything.
    """
    fewest = sorted(played.values(), reverse=True)[leaving - 1]
    certain = tuple(player for player in played if played[player] > fewest)
    equal = [player for player in played if played[player] == fewest]
    wanted = leaving - len(certain)
    if wanted == len(equal):
        return (*certain, *equal)
    if not rounds:
        return CutAgain(tuple(equal))
    order = _order(rounds)
    return _tied_across(rounds, order, len(order) - wanted) or (*certain, *order[len(order) - wanted :])


def _order(rounds: Rounds[Player]) -> list[Player]:
    """Return the players from the lowest cut to the highest; equals stand as they were given."""
    return sorted(rounds[0], key=lambda player: _cuts_of(player, rounds))


def _cuts_of(player: Player, rounds: Rounds[Player]) -> tuple[int, ...]:
    return tuple(cut_rank(cuts[player]) for cuts in rounds if player in cuts)


def _tied_across(rounds: Rounds[Player], order: Sequence[Player], place: int) -> CutAgain[Player] | None:
    """Return who must cut again because the players on both sides of that place in the order are equal."""
    if not 0 < place < len(order):
        return None
    cuts = _cuts_of(order[place], rounds)
    if cuts != _cuts_of(order[place - 1], rounds):
        return None
    return CutAgain(tuple(player for player in order if _cuts_of(player, rounds) == cuts))


def places_free(table: Collection[Player]) -> int:
    """Return how many more may belong to a table: six make it complete."""
    return max(0, AT_TABLE - len(table))
