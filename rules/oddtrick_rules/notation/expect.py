"""Expectations: the lines of a record that begin with `=`, as values that can say whether they hold.

An expectation is asked for what it *finds*: itself when it holds, otherwise the same words with what is so instead,
which is what a person wants to read, and to put in its place when it was he that was wrong.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from oddtrick_rules.awaits import AwaitKind, awaits
from oddtrick_rules.cards import CARD_NAMES, Card, Mask, Suit, cards_in, mask_of
from oddtrick_rules.commands import LEAD_DEMANDS, Command, Demand
from oddtrick_rules.events import ChargeJudged, Event, GameReached, GameWon
from oddtrick_rules.notation.acts import seat_act_text
from oddtrick_rules.notation.header import GAME_NAMES
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SIDES, Seat, Side
from oddtrick_rules.state import Duty, Hand, Pair, RevokeStage, State
from oddtrick_rules.turns import to_play


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a record stands: the state, what the act just before did, the last verdict, and a judge for acts not done.

    `refusal` is that act's refusal, and then `events` is empty; both are before the first act. `judge` gives the
    refusal an act would meet now, None if it would be accepted.
    """

    state: State
    judge: Callable[[Seat, Command], Refusal | None]
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    verdict: ChargeJudged | None = None

    @property
    def hand(self) -> Hand:
        """The hand that the record is of."""
        assert self.state.hand is not None
        return self.state.hand

    @property
    def cites(self) -> frozenset[str]:
        """Every law and ruling that the events of the act just before, or its refusal, rest on."""
        if self.refusal is not None:
            return frozenset(self.refusal.cites)
        return frozenset(cite for event in self.events for cite in event.cites)


class Expectation(ABC):
    """Something that must hold at a moment. Values, equal when they say the same."""

    __slots__ = ()

    def text(self) -> str:
        """Return the expectation as it is written, without the `=`."""
        return self._text()

    def found(self, moment: Moment) -> str:
        """Return `text()` if it holds, otherwise what is so; empty if no expectation says that."""
        return self._found(moment)

    def holds(self, moment: Moment) -> bool:
        """Tell whether it holds."""
        return self._found(moment) == self._text()

    @abstractmethod
    def _text(self) -> str: ...

    @abstractmethod
    def _found(self, moment: Moment) -> str: ...


@dataclass(frozen=True, slots=True)
class Refused(Expectation):
    """The act just before was refused (citing that law)."""

    law: str | None = None

    def _text(self) -> str:
        return f"refused {self.law}" if self.law else "refused"

    def _found(self, moment: Moment) -> str:
        if moment.refusal is None:
            return ""
        if self.law is None or self.law in moment.refusal.cites:
            return self.text()
        return f"refused {moment.refusal.cites[0]}" if moment.refusal.cites else "refused"


@dataclass(frozen=True, slots=True)
class Cited(Expectation):
    """An event of the act just before cites that law; with `yes` false, none does."""

    law: str
    yes: bool = True

    def _text(self) -> str:
        return f"law {self.law}" if self.yes else f"not law {self.law}"

    def _found(self, moment: Moment) -> str:
        cited = moment.refusal is None and self.law in moment.cites
        return f"law {self.law}" if cited else f"not law {self.law}"


@dataclass(frozen=True, slots=True)
class May(Expectation):
    """That act would be accepted now; with `yes` false, refused."""

    seat: Seat
    command: Command
    yes: bool = True

    def _text(self) -> str:
        return f"{'may' if self.yes else 'may not'} {seat_act_text(self.seat, self.command)}"

    def _found(self, moment: Moment) -> str:
        return May(self.seat, self.command, yes=moment.judge(self.seat, self.command) is None).text()


# The clock of these two runs for everybody at once, and it is nobody's turn meanwhile.
_NO_TURN: Final = frozenset({AwaitKind.LINGER, AwaitKind.CLAIMS, AwaitKind.DEAL})


@dataclass(frozen=True, slots=True)
class Turn(Expectation):
    """That seat is to play, or to declare, double, answer or choose."""

    seat: Seat

    def _text(self) -> str:
        return f"turn {self.seat.name}"

    def _found(self, moment: Moment) -> str:
        playing = to_play(moment.state)
        waits = [wait for wait in awaits(moment.state) if wait.kind not in _NO_TURN]
        asked = {seat for wait in waits for seat in (wait.seats if wait.seat is None else (wait.seat,))}
        if self.seat in asked | {playing}:
            return self.text()
        seats = [playing] if playing is not None else sorted(asked)
        return f"turn {seats[0].name}" if seats else ""


@dataclass(frozen=True, slots=True)
class Must(Expectation):
    """What a call binds that seat's next play to; no demand: nothing."""

    seat: Seat
    demand: Demand | None = None
    card: Card | None = None
    suit: Suit | None = None

    def _text(self) -> str:
        words = ["must", self.seat.name, self.demand.value if self.demand else "nothing"]
        words += [CARD_NAMES[self.card]] if self.card is not None else []
        words += [self.suit.name] if self.suit is not None else []
        return " ".join(words)

    def _found(self, moment: Moment) -> str:
        play, lead = moment.hand.duties[self.seat], moment.hand.lead_duties[self.seat]
        duty = lead if play is None or self.demand in LEAD_DEMANDS else play
        found = _must(self.seat, duty)
        if duty is None or self.demand is None:
            return found.text()
        same = (self.demand, self.card) == (found.demand, found.card) and self.suit in {None, found.suit}
        # A call of the highest trump is one of the highest of that suit.
        trump = self.suit is moment.hand.trump and found.demand is _TRUMP.get(self.demand)
        return self.text() if same or trump else found.text()


_TRUMP: Final = {Demand.HIGHEST: Demand.TRUMP_HIGHEST, Demand.LOWEST: Demand.TRUMP_LOWEST}
_OF_SUIT: Final = frozenset({Demand.HIGHEST, Demand.LOWEST, Demand.SUIT})


def _must(seat: Seat, duty: Duty | None) -> Must:
    if duty is None:
        return Must(seat)
    return Must(seat, duty.demand, duty.card, duty.suit if duty.demand in _OF_SUIT else None)


@dataclass(frozen=True, slots=True)
class Holds(Expectation):
    """That seat has exactly these cards still to play; with `callable_` set, liable to be called."""

    seat: Seat
    cards: Mask
    callable_: bool = False

    def _text(self) -> str:
        names = [CARD_NAMES[card] for card in reversed(cards_in(self.cards))]
        return " ".join(["callable" if self.callable_ else "hand", self.seat.name, *(names or ["-"])])

    def _found(self, moment: Moment) -> str:
        hands = moment.hand.exposed if self.callable_ else moment.hand.hands
        return Holds(self.seat, hands[self.seat], self.callable_).text()


# The notation's words for each stage, the one we write first: a card withdrawn has the revoke corrected already.
STAGE_WORDS: Final[dict[RevokeStage, tuple[str, ...]]] = {
    RevokeStage.MADE: ("made",),
    RevokeStage.WITHDRAWN: ("corrected", "withdrawn"),
    RevokeStage.CORRECTED: ("corrected",),
    RevokeStage.ESTABLISHED: ("established",),
    RevokeStage.PROVED: ("proved",),
    RevokeStage.PAID: ("paid",),
    RevokeStage.BARRED: ("barred",),
    RevokeStage.CANCELLED: ("cancelled", "proved"),
    RevokeStage.FORFEITED: ("forfeited", "proved"),
}
NO_REVOKE: Final = "none"


@dataclass(frozen=True, slots=True)
class Revoked(Expectation):
    """How far that seat's last revoke in that trick has gone."""

    seat: Seat
    trick: int
    word: str

    def _text(self) -> str:
        return f"revoke {self.seat.name} {self.trick} {self.word}"

    def _found(self, moment: Moment) -> str:
        words: tuple[str, ...] = (NO_REVOKE,)
        for revoke in moment.hand.revokes:
            if (revoke.seat, revoke.trick) == (self.seat, self.trick):
                words = STAGE_WORDS[revoke.stage]
        return self.text() if self.word in words else Revoked(self.seat, self.trick, words[0]).text()


@dataclass(frozen=True, slots=True)
class Judged(Expectation):
    """The verdict on the charge last judged."""

    proved: bool

    def _text(self) -> str:
        return "claim proved" if self.proved else "claim not proved"

    def _found(self, moment: Moment) -> str:
        return Judged(moment.verdict.proved).text() if moment.verdict is not None else ""


Said: TypeAlias = tuple[tuple[Side, int], ...]


@dataclass(frozen=True, slots=True)
class Numbers(Expectation):
    """A number for each side, or for one: tricks won, the score, games, points above the line."""

    what: str
    said: Said

    def _text(self) -> str:
        return " ".join([self.what, *(f"{side.name} {value}" for side, value in self.said)])

    def _found(self, moment: Moment) -> str:
        is_so = NUMBERS[self.what](moment)
        return Numbers(self.what, tuple((side, is_so[side]) for side, _ in self.said)).text()


NUMBERS: Final[dict[str, Callable[[Moment], Pair]]] = {
    "tricks": lambda moment: moment.hand.taken,
    "score": lambda moment: moment.state.score,
    "games": lambda moment: (len(moment.state.games[Side.NS]), len(moment.state.games[Side.EW])),
    "above": lambda moment: moment.state.above,
}


@dataclass(frozen=True, slots=True)
class GameEnded(Expectation):
    """The act just before ended a game for that side, of that value if one is said."""

    side: Side
    value: int | None = None

    def _text(self) -> str:
        return f"game {self.side.name}" + (f" {GAME_NAMES[self.value]}" if self.value is not None else "")

    def _found(self, moment: Moment) -> str:
        ended = [event for event in moment.events if isinstance(event, GameWon | GameReached)]
        if not ended:
            return ""
        value = ended[-1].value if self.value is not None else None
        return GameEnded(ended[-1].side, value).text()


@dataclass(frozen=True, slots=True)
class RubberEnded(Expectation):
    """The rubber is over, won by that side by so many points."""

    side: Side
    points: int

    def _text(self) -> str:
        return f"rubber {self.side.name} {self.points}"

    def _found(self, moment: Moment) -> str:
        rubber = moment.state.rubber
        return RubberEnded(rubber.side, rubber.points).text() if rubber is not None else ""


@dataclass(frozen=True, slots=True)
class BetDecided(Expectation):
    """That bet is settled in favour of that seat."""

    bet: int
    seat: Seat

    def _text(self) -> str:
        return f"bet {self.bet} {self.seat.name}"

    def _found(self, moment: Moment) -> str:
        for laid in moment.state.bets:
            if laid.number == self.bet and laid.winner is not None:
                return BetDecided(self.bet, laid.winner).text()
        return ""


def numbers(what: str, pair: Pair) -> Numbers:
    """Return the expectation of a number for both sides."""
    return Numbers(what, tuple((side, pair[side]) for side in SIDES))


def holding(seat: Seat, cards: tuple[Card, ...], *, callable_: bool) -> Holds:
    """Return the expectation of cards in a hand, or of cards that may be called."""
    return Holds(seat, mask_of(cards), callable_)
