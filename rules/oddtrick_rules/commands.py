"""What may be asked of the table: the acts of `notation.md` as values, in the imperative.

A command says nothing of who gives it; `decide` is told the actor. A command that the law forbids is still a command.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from oddtrick_rules.cards import Card, Suit
from oddtrick_rules.seats import Seat, Side


class Demand(StrEnum):
    """What an adversary may call for on a player's next play (R7, 61): `lose` is not to win.

    `not suit` and `not card` forbid a suit to the next lead, a card to the next play (71 and 64 of bridge).
    """

    HIGHEST = "highest"
    LOWEST = "lowest"
    WIN = "win"
    LOSE = "lose"
    SUIT = "suit"
    CARD = "card"
    TRUMP_HIGHEST = "trump highest"
    TRUMP_LOWEST = "trump lowest"
    NOT_SUIT = "not suit"
    NOT_CARD = "not card"


# The demands that bind a lead, and no other play.
LEAD_DEMANDS: Final = frozenset({Demand.SUIT, Demand.NOT_SUIT})


class Penalty(StrEnum):
    """The choices for a revoke: take three tricks, deduct from their score, add to ours."""

    TRICKS = "tricks"
    DEDUCT = "deduct"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class Play:
    """Put a card to the trick, lead or follow, in turn or not; `hand` is dummy's seat when the dealer plays from it."""

    card: Card
    hand: Seat | None = None


@dataclass(frozen=True, slots=True)
class PlayTogether:
    """Put two or more cards down at once."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask one's partner whether he has none of the suit renounced (or has played as desired)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the partner's question: `none`, or I have one."""

    none: bool


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back the card by which one renounced in error or disobeyed."""


@dataclass(frozen=True, slots=True)
class Object:
    """Stop a card led out of turn by an adversary."""


@dataclass(frozen=True, slots=True)
class Change:
    """Having played after a withdrawn card, take back one's own and put this one."""

    card: Card


@dataclass(frozen=True, slots=True)
class Gather:
    """Touch the four cards to gather them."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Turn the complete trick face down and take the hand from it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Demand that the cards be placed before their players."""


@dataclass(frozen=True, slots=True)
class Review:
    """Ask to see the last trick quitted."""


@dataclass(frozen=True, slots=True)
class Show:
    """Let cards be seen, face up on the table."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ThrowDown:
    """Throw the whole hand face up (in `strict` and `guided`: offer to)."""


@dataclass(frozen=True, slots=True)
class ClaimGame:
    """Say that the game is one's own."""


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """Say that the remaining tricks are one's own."""


@dataclass(frozen=True, slots=True)
class Agree:
    """Agree to the offer that stands; at bridge, `yes` to `may I lead`."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the offer that stands."""


@dataclass(frozen=True, slots=True)
class SayMine:
    """Say, before one's partner plays, that the trick is one's own."""


@dataclass(frozen=True, slots=True)
class NameCard:
    """Name a card one holds, or the trump card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Forget:
    """As dealer, say that one does not remember the trump card."""


@dataclass(frozen=True, slots=True)
class ClaimRevoke:
    """Charge a player with a revoke, in the trick of that number or in any."""

    seat: Seat
    trick: int | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """Examine the tricks at the end of the hand."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Mix the tricks together."""


@dataclass(frozen=True, slots=True)
class PlayOut:
    """Require a hand in which a revoke was detected to be played out."""


@dataclass(frozen=True, slots=True)
class Elect:
    """Exact the penalty for the proved revoke of that number."""

    penalty: Penalty
    revoke: int


@dataclass(frozen=True, slots=True)
class Consult:
    """Ask or advise one's partner which penalty to take."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call a card, the highest, the lowest, a suit ... from a player; `card` and `suit` go with their demands only."""

    demand: Demand
    seat: Seat
    card: Card | None = None
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class Waive:
    """Give up the choice that holds up play; if none does, the latest right open to one."""


@dataclass(frozen=True, slots=True)
class BeReady:
    """Have no more to claim from this hand."""


@dataclass(frozen=True, slots=True)
class ClaimHonours:
    """Call one's side's honours; `count`, if given, is the number of cards held."""

    count: int | None = None


@dataclass(frozen=True, slots=True)
class LeaveTrump:
    """As dealer, leave the trump card lying when one plays to the first trick."""


@dataclass(frozen=True, slots=True)
class TakeUp:
    """As dealer, take up the trump card left lying."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Cut the pack for the next deal."""


@dataclass(frozen=True, slots=True)
class CallNewCards:
    """Call for fresh cards before the cut."""


@dataclass(frozen=True, slots=True)
class TakePack:
    """As the dealer, choose one of the packs offered (1 or 2)."""

    pack: int


@dataclass(frozen=True, slots=True)
class Declare:
    """Bridge: name the trump suit, or no trumps."""

    trump: Suit


@dataclass(frozen=True, slots=True)
class LeaveIt:
    """Bridge: pass the declaration to one's partner."""


@dataclass(frozen=True, slots=True)
class Double:
    """Bridge: double, or redouble."""


@dataclass(frozen=True, slots=True)
class AskToLead:
    """Bridge: the eldest hand's `may I lead?`."""


@dataclass(frozen=True, slots=True)
class BeSatisfied:
    """Bridge: leave the value of a trick as it stands."""


class BetOn(StrEnum):
    """What a bet in counters is laid on (R18)."""

    ODD_TRICK = "odd trick"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Bet:
    """Offer a bet of so many counters on a side."""

    counters: int
    on: BetOn
    side: Side


@dataclass(frozen=True, slots=True)
class TakeBet:
    """Take the bet of that number."""

    bet: int


class Sheet(StrEnum):
    """What of the score a player may mark at a `club` table."""

    SCORE = "score"  # points of the present game, at bridge those below the line
    ABOVE = "above"  # at bridge the points above the line
    GAME = "game"  # the value of the last game won


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark a side's score, rightly or wrongly, where the players keep it: `points` is what shall stand."""

    sheet: Sheet
    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class Lapse:
    """The clock's own: the time for the question, the choice, the election or the claims has run out (R32).

    `right` is the choice it has run out on; 0 is the most pressing of all that is waited for.
    """

    right: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """The house's own: deal these four hands; at whist `turned` is the dealer's last card."""

    hands: tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
    turned: Card | None = None


Command: TypeAlias = (
    Play
    | PlayTogether
    | Ask
    | Answer
    | Withdraw
    | Object
    | Change
    | Gather
    | Quit
    | Place
    | Review
    | Show
    | ThrowDown
    | ClaimGame
    | ClaimRest
    | Agree
    | Decline
    | SayMine
    | NameCard
    | Forget
    | ClaimRevoke
    | Search
    | Mix
    | PlayOut
    | Elect
    | Consult
    | Call
    | Waive
    | BeReady
    | ClaimHonours
    | LeaveTrump
    | TakeUp
    | Cut
    | CallNewCards
    | TakePack
    | Declare
    | LeaveIt
    | Double
    | AskToLead
    | BeSatisfied
    | Bet
    | TakeBet
    | Mark
    | Lapse
    | Deal
)
