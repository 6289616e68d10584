"""A second scorer, which shares nothing with the rules engine: what it counts with is written here, from the codes.

It knows no acts, rights or stages. It is told the facts of a finished hand (what stood before, who took how many tricks,
which revokes were proved and how each was punished, in the order elected) and says what stands after it. Sides are 0 for
N/S and 1 for E/W, seats 0 to 3 for N E S W, cards their two-letter names (`SA`), trumps a suit letter or `NT`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

Pair = tuple[int, int]
Games = tuple[tuple[int, ...], tuple[int, ...]]
Holding = Collection[str]

RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class Book:
    """What the two games differ in, and where the codes of whist part."""

    game: int
    cap: int
    revokes_cancel: bool
    bridge: bool


BOOKS = {
    "english-1864": Book(game=5, cap=4, revokes_cancel=False, bridge=False),
    "whist-1900": Book(game=5, cap=4, revokes_cancel=True, bridge=False),
    "bridge-1904": Book(game=30, cap=28, revokes_cancel=False, bridge=True),
}
TRICK_VALUE = {"S": 2, "C": 4, "D": 6, "H": 8, "NT": 12}
TRICK_LIMIT = 100


class Paid(NamedTuple):
    """A revoke proved against a side, and what its adversaries took for it: `tricks`, `deduct` or `add`."""

    offender: int
    penalty: str


@dataclass(frozen=True, kw_only=True)
class HandFacts:
    """A finished hand. `tricks` are those won by cards, with those awarded for a general throw-down and no transfers.

    `honours` (whist) are cards held by sides that called them. `dealt` (bridge) are the four hands as dealt; an ending has
    none. `above` and `below` (bridge) are what stood above the line, and below it in games already ended.
    """

    code: str
    tricks: Pair
    score: Pair = (0, 0)
    games: Games = ((), ())
    revokes: tuple[Paid, ...] = ()
    honours: Pair = (0, 0)
    thrown_in: bool = False
    trump: str = "S"
    multiplier: int = 1
    dealt: tuple[Holding, Holding, Holding, Holding] | None = None
    above: Pair = (0, 0)
    below: Pair = (0, 0)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What stands after the hand: `score` is (0, 0), for the next game, if this one ended.

    `game` is (side, value), 3, 2, 1 for treble, double, single and 1 at bridge; `rubber` is (side, points).
    """

    tricks: Pair
    score: Pair
    games: Games
    game: Pair | None = None
    rubber: Pair | None = None
    above: Pair = (0, 0)
    below: Pair = (0, 0)


def winner(plays: Sequence[tuple[int, str]], trump: str) -> int:
    """The seat that wins a trick of these (seat, card) plays, the lead first."""
    led = plays[0][1][0]

    def strength(play: tuple[int, str]) -> tuple[bool, bool, int]:
        card = play[1]
        return (card[0] == trump, card[0] == led, RANKS.index(card[1]))

    return max(plays, key=strength)[0]


def honours_dealt(dealt: Sequence[Holding], trump: str) -> Pair:
    """How many of ace, king, queen and knave of trumps each side was dealt."""
    held = [sum(f"{trump}{rank}" in hand for rank in "AKQJ") for hand in dealt]
    return held[0] + held[2], held[1] + held[3]


def score_hand(facts: HandFacts) -> Outcome:
    """Count a hand by its code; ValueError for a penalty that the code does not allow after a general throw-down."""
    book = BOOKS[facts.code]
    outcome = _bridge(facts, book) if book.bridge else _whist(facts, book)
    return _rubber(outcome, book)


class _Slate:
    """The points of the present game while a hand is marked: a side that revoked cannot pass the cap."""

    def __init__(self, facts: HandFacts, book: Book) -> None:
        self.points = list(facts.score)
        self.tricks = list(facts.tricks)
        self.book = book
        self.revoked = {paid.offender for paid in facts.revokes}

    def add(self, side: int, points: int) -> None:
        total = self.points[side] + points
        if side in self.revoked:
            total = max(self.points[side], min(total, self.book.cap))
        self.points[side] = total

    def punish(self, paid: Paid, *, three: int, thrown_in: bool) -> None:
        against, to = paid.offender, 1 - paid.offender
        if paid.penalty == "add":
            self.add(to, three)
        elif paid.penalty == "deduct":
            self.points[against] = max(0, self.points[against] - three)
        elif thrown_in and not self.book.bridge:
            raise ValueError("hands thrown down leave no tricks to take")
        else:
            moved = min(3, self.tricks[against])
            self.tricks[against] -= moved
            self.tricks[to] += moved

    def out(self) -> int | None:
        """The side that is game."""
        return next((side for side in (0, 1) if self.points[side] >= self.book.game), None)

    def pair(self) -> Pair:
        return self.points[0], self.points[1]

    def taken(self) -> Pair:
        return self.tricks[0], self.tricks[1]


def _whist(facts: HandFacts, book: Book) -> Outcome:
    """Penalties, tricks, honours: whoever is out first has the game, at what the other side then has."""
    slate = _Slate(facts, book)
    cancelled = book.revokes_cancel and len(slate.revoked) == 2
    won: int | None = None
    for paid in () if cancelled else facts.revokes:
        if won is None:
            slate.punish(paid, three=3, thrown_in=facts.thrown_in)
            won = slate.out()
    for side in (0, 1):
        if won is None:
            slate.add(side, max(0, slate.tricks[side] - 6))
    won = slate.out()
    for side in (0, 1):
        if won is None and facts.score[side] != 4:
            slate.add(side, {4: 4, 3: 2}.get(facts.honours[side], 0))
    won = slate.out()
    after = Outcome(tricks=slate.taken(), score=slate.pair(), games=facts.games)
    if won is None:
        return after
    lost = slate.points[1 - won]
    return _game(after, won, 3 if lost == 0 else 2 if lost <= 2 else 1)


def _bridge(facts: HandFacts, book: Book) -> Outcome:
    """Every hand is entered in full, above and below the line, and only then is it asked who has thirty."""
    slate = _Slate(facts, book)
    plain = TRICK_VALUE[facts.trump]
    trick = min(TRICK_LIMIT, plain * facts.multiplier)
    for paid in facts.revokes:
        slate.punish(paid, three=3 * trick, thrown_in=facts.thrown_in)
    for side in (0, 1):
        slate.add(side, trick * max(0, slate.tricks[side] - 6))
    above = list(facts.above)
    for side in (0, 1):
        if facts.dealt is not None:
            hands = (facts.dealt[side], facts.dealt[side + 2])
            above[side] += _honours(hands, facts.trump) + _chicane(hands, facts.trump)
        if side not in slate.revoked:
            above[side] += {13: 40, 12: 20}.get(facts.tricks[side], 0)
    after = Outcome(
        tricks=slate.taken(), score=slate.pair(), games=facts.games, above=(above[0], above[1]), below=facts.below
    )
    won = slate.out()
    if won is None:
        return after
    ended = replace(after, below=(facts.below[0] + slate.points[0], facts.below[1] + slate.points[1]))
    return _game(ended, won, 1)


def _honours(hands: tuple[Holding, Holding], trump: str) -> int:
    """What a side's honours bring above the line: five trumps, or the four aces."""
    if trump == "NT":
        aces = [sum(card[1] == "A" for card in hand) for hand in hands]
        return 100 if max(aces) == 4 else {4: 40, 3: 30}.get(sum(aces), 0)
    held = [sum(card[0] == trump and card[1] in "AKQJT" for card in hand) for hand in hands]
    one_hand = {5: 10, 4: 8}.get(max(held))
    if one_hand is None:
        return TRICK_VALUE[trump] * {5: 5, 4: 4, 3: 2}.get(sum(held), 0)
    return TRICK_VALUE[trump] * (one_hand + (max(held) == 4 and sum(held) == 5))


def _chicane(hands: tuple[Holding, Holding], trump: str) -> int:
    """What hands dealt without a trump bring."""
    if trump == "NT":
        return 0
    return 2 * TRICK_VALUE[trump] * sum(all(card[0] != trump for card in hand) for hand in hands)


def _game(outcome: Outcome, side: int, value: int) -> Outcome:
    ns, ew = outcome.games
    games = ((*ns, value), ew) if side == 0 else (ns, (*ew, value))
    return replace(outcome, score=(0, 0), games=games, game=(side, value))


def _rubber(outcome: Outcome, book: Book) -> Outcome:
    """Two games are a rubber: at whist two points more and the losers' game off, at bridge a hundred and all points."""
    for side, other in ((0, 1), (1, 0)):
        if len(outcome.games[side]) == 2:
            if book.bridge:
                total = [outcome.above[one] + outcome.below[one] for one in (0, 1)]
                points = total[side] + 100 - total[other]
            else:
                points = sum(outcome.games[side]) + 2 - sum(outcome.games[other])
            return replace(outcome, rubber=(side, points))
    return outcome
