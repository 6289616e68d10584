"""What happened to charges, penalties and the score, and before the play at bridge: see `events.py`, which has them all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from oddtrick_rules.cards import Card, Suit
from oddtrick_rules.code import Cites
from oddtrick_rules.commands import BetOn, Demand, Penalty, Sheet
from oddtrick_rules.seats import Seat, Side

Cards: TypeAlias = tuple[Card, ...]
Points: TypeAlias = tuple[int, int]


class Score(StrEnum):
    """What points are marked for."""

    REVOKE = "revoke"
    TRICKS = "tricks"
    HONOURS = "honours"
    CHICANE = "chicane"
    SLAM = "slam"
    RUBBER = "rubber"


@dataclass(frozen=True, slots=True)
class RevokeCharged:
    """A player charged an adversary with a revoke."""

    number: int
    by: Seat
    seat: Seat
    trick: int | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class ClaimKilled:
    """The claim of a revoke was lost by the word of one who had no voice in it."""

    by: Seat
    side: Side
    seat: Seat
    trick: int | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class Searched:
    """The claimants examined the tricks."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class ChargeJudged:
    """The verdict on a charge."""

    number: int
    proved: bool
    cites: Cites


@dataclass(frozen=True, slots=True)
class RevokeProved:
    """A revoke is proved and may be paid for; `number` is its place in the order charged."""

    number: int
    seat: Seat
    trick: int
    suit: Suit | None
    card: Card | None
    demand: Demand | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class RevokesCancelled:
    """Revokes on both sides cancel each other, penalties already exacted included: what stands is given."""

    taken: Points
    score: Points
    cites: Cites
    owed: Points | None = None


@dataclass(frozen=True, slots=True)
class Mixed:
    """A player mixed the tricks together."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class PlayOutRequired:
    """The offending side requires the hand to be played out."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class PenaltyExacted:
    """The penalty for a revoke; `seat` is None when the clock chose (R9); `tricks` go over to `side` (zero for points)."""

    number: int
    seat: Seat | None
    side: Side
    penalty: Penalty
    tricks: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class PenaltyForfeited:
    """The penalty for a proved revoke is lost by a demand that the law does not give."""

    number: int
    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class Consulted:
    """A player consulted his partner on a penalty."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class HandEnded:
    """No more cards are played; `thrown_in` with the unplayed tricks (NS, EW) given as R22 says."""

    thrown_in: bool
    awarded: Points
    cites: Cites


@dataclass(frozen=True, slots=True)
class BecameReady:
    """A player has no more to claim."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class HonoursCalled:
    """A side's honours were called; `seat` is None when the table called them (R13)."""

    seat: Seat | None
    side: Side
    count: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class PackCut:
    """The pack is cut for the next deal; `seat` is None when the clock cut."""

    seat: Seat | None
    dealer: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class Scored:
    """Points towards the game were marked (or, for a revoke, taken off); `score` is what stands now.

    `owed` is what would stand had nobody marked the score wrongly; None if nobody has.
    """

    side: Side
    what: Score
    points: int
    score: Points
    cites: Cites
    owed: Points | None = None


@dataclass(frozen=True, slots=True)
class ScoredAbove:
    """Bridge: points were marked above the line; `above` is what stands now."""

    side: Side
    what: Score
    points: int
    above: Points
    cites: Cites


@dataclass(frozen=True, slots=True)
class GameReached:
    """An added penalty has brought a side to game; the game is entered at the cut."""

    side: Side
    value: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class GameUndone:
    """A revoke proved against the side itself takes that game away again."""

    side: Side
    score: Points
    cites: Cites
    owed: Points | None = None


@dataclass(frozen=True, slots=True)
class GameWon:
    """A game is won, of that value (treble 3, double 2, single 1; bridge 1)."""

    side: Side
    value: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class ScoreMarked:
    """At a `club` table a player marked a side's score, wrongly or to put it right: `points` stand now."""

    seat: Seat
    sheet: Sheet
    side: Side
    points: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class GameAnnulled:
    """A game entered by a wrong score is taken away again; `score` is what rightly stands."""

    seat: Seat
    side: Side
    score: Points
    cites: Cites


@dataclass(frozen=True, slots=True)
class RubberWon:
    """The rubber is over."""

    side: Side
    points: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class TrumpDeclared:
    """Bridge: the trump is named."""

    seat: Seat
    trump: Suit
    cites: Cites


@dataclass(frozen=True, slots=True)
class DeclarationLeft:
    """Bridge: the dealer leaves the declaration to his partner."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class Doubled:
    """Bridge: the trick is now worth `multiplier` times its value; `voice` speaks next, None when the limit ends it."""

    seat: Seat
    multiplier: int
    voice: Seat | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class LeadAsked:
    """Bridge: the eldest hand asks leave to lead."""

    seat: Seat
    voice: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class Satisfied:
    """Bridge: a player leaves the value as it stands; `voice` speaks next, None when nobody is left to."""

    seat: Seat
    voice: Seat | None
    cites: Cites


class Word(StrEnum):
    """What may be said out of turn at bridge before the first card."""

    DECLARES = "declares"
    LEAVES_IT = "leaves it"
    DOUBLES = "doubles"


@dataclass(frozen=True, slots=True)
class SpokenOutOfTurn:
    """Bridge: a player spoke whose word it was not; whether it counts is another's choice."""

    seat: Seat
    word: Word
    trump: Suit | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class DoublingLost:
    """Bridge: a player may no longer double, for his partner showed a card before the lead."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class LedEarly:
    """Bridge: the eldest hand led before the doubling was over; the card is played when it is."""

    seat: Seat
    card: Card
    cites: Cites


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A new deal is exacted: the hand counts for nothing, and the same player deals again."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class DummyLaid:
    """Bridge: dummy's hand is laid on the table."""

    seat: Seat
    cards: Cards
    cites: Cites


@dataclass(frozen=True, slots=True)
class BetOffered:
    """A bet in counters is open."""

    number: int
    seat: Seat
    counters: int
    on: BetOn
    side: Side
    cites: Cites


@dataclass(frozen=True, slots=True)
class BetTaken:
    """A bet is taken."""

    number: int
    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class BetSettled:
    """A bet is decided; `winner` is None when it is off."""

    number: int
    winner: Seat | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class NewCardsCalled:
    """A player called for fresh cards; two packs are offered (R19)."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class PackTaken:
    """The dealer took one of the packs offered."""

    seat: Seat
    pack: int
    cites: Cites
