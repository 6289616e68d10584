"""Forming the table by cutting (13-25 · 4-16 · 14-26): who plays, who is whose partner, who deals, who goes out, who comes in.

Chance is an argument: the caller draws a card from one pack for each who must cut, and again for those told to cut
again. Cuts are given as rounds, the first with everybody's card, each further one with those of the players who were to
cut again. A re-cut only parts those who were equal: it moves nobody past one whose card was lower or higher before.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeAlias, TypeVar

from oddtrick_rules.cards import RANK_OF, RANKS, Card
from oddtrick_rules.code import Cites, Code, Rule
from oddtrick_rules.refusals import Refusal, Why

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


def cites_of(code: Code, outcome: Partners[Player] | CutAgain[Player]) -> Cites:
    """Return the laws of the code that an outcome of cutting for partners rests on."""
    rule = Rule.EQUAL_CUTS if isinstance(outcome, CutAgain) else Rule.FORMATION
    return (*code.cites(Rule.CUTTING), *code.cites(rule))


def cites_of_leaving(code: Code) -> Cites:
    """Return the laws of the code that going out after a rubber rests on."""
    return code.cites(Rule.CUTTING_OUT)


@dataclass(frozen=True, slots=True)
class Entered(Generic[Player]):
    """A candidate has declared in: all who wait, in their order; `now` if he may cut for the rubber that is to begin."""

    waiting: tuple[Player, ...]
    now: bool
    cites: Cites


def declare_in(
    code: Code, player: Player, *, table: Collection[Player], waiting: Sequence[Player], cutting: bool
) -> Entered[Player] | Refusal:
    """A candidate declares that he wants to play (21 · 12, 12a · 22): before anybody has cut (`cutting`) for it.

    Where the code lets him (12a), he may do so later at a table that is not complete; he then goes before all who come
    after him, into the rubber after this one.
    """
    cites = code.cites(Rule.ENTRY)
    if player in table or player in waiting:
        return Refusal(Why.ALREADY_DONE, cites)
    if places_free([*table, *waiting]) == 0:
        return Refusal(Why.NO_RIGHT, code.cites(Rule.TABLE_OF_SIX))
    if cutting and not code.has(Rule.ENTRY_ANY_TIME):
        return Refusal(Why.TOO_LATE, cites)
    return Entered((*waiting, player), not cutting, (*cites, *code.cites(Rule.ENTRY_ANY_TIME)))


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Player]):
    """Someone who wants a place: whether he belongs elsewhere, joined a second table, broke one up."""

    player: Player
    elsewhere: bool = False
    joined_second: bool = False
    broke_up: bool = False


def by_right(code: Code, candidates: Sequence[Candidate[Player]]) -> tuple[Player, ...]:
    """Return the candidates, given as they came into the room, in the order of their right to a place.

    Those who belong nowhere come before those who do (22 · 13 · 23), then those who joined a second table (24 · 15 · 25),
    and after those he left without a game he who broke up their table (25 · 16 · 26).
    """

    def right(one: Candidate[Player]) -> tuple[bool, bool, bool]:
        return (
            one.broke_up and code.has(Rule.BROKEN_UP),
            one.joined_second and code.has(Rule.SECOND_TABLE),
            one.elsewhere and code.has(Rule.NEW_TABLE),
        )

    return tuple(one.player for one in sorted(candidates, key=right))


@dataclass(frozen=True, slots=True)
class Consent(Generic[Player]):
    """What is asked of some players, and who of them has agreed."""

    asked: tuple[Player, ...]
    cites: Cites
    given: tuple[Player, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether all have agreed."""
        return len(self.given) == len(self.asked)

    def agreed(self, player: Player) -> Consent[Player] | Refusal:
        """Return the consent with one more who agrees; a refusal for one who is not asked, or has agreed before."""
        if player not in self.asked:
            return Refusal(Why.NOT_YOURS, self.cites)
        if player in self.given:
            return Refusal(Why.ALREADY_DONE, self.cites)
        return replace(self, given=(*self.given, player))


def substitute(code: Code, *, playing: Sequence[Player], leaver: Player, newcomer: Player) -> Consent[Player] | Refusal:
    """A player who leaves in the middle of a rubber names another to finish it: the other three are asked (23 · 14 · 24)."""
    cites = code.cites(Rule.SUBSTITUTE)
    if leaver not in playing or newcomer in playing:
        return Refusal(Why.NOT_YOURS, cites)
    return Consent(tuple(player for player in playing if player != leaver), cites)
