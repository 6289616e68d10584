"""What happened at the table, in the past tense: the facts that `evolve` folds.

An offence at law is an event. Every event carries `cites`, the numbers of the laws and rulings it rests on in the code in
force (`("73",)`, `("76", "R6")`; empty where it rests on none). Facts that only some may know are marked in `views.py`,
nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from oddtrick_rules.cards import Card, Suit
from oddtrick_rules.code import Cites
from oddtrick_rules.commands import BetOn, Demand, Penalty, Sheet
from oddtrick_rules.seats import Seat, Side
from oddtrick_rules.state import Right

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
class HandDealt:
    """The cards are dealt. `hands` of others and `trump_card` are left out of what a viewer is shown."""

    number: int
    dealer: Seat
    hands: tuple[Cards, Cards, Cards, Cards]
    size: int
    leader: Seat
    trump: Suit | None
    turned: Card | None
    trump_card: Card | None
    cites: Cites = ()


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card is put to a trick; the first to a trick leads it."""

    seat: Seat
    card: Card
    trick: int
    cites: Cites = ()


@dataclass(frozen=True, slots=True)
class LedOutOfTurn:
    """A card is led by one whose lead it was not; it was `rightful`'s."""

    seat: Seat
    card: Card
    trick: int
    rightful: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class LeadCondoned:
    """The lead out of turn stands."""

    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class CardReturned:
    """A card goes back from a trick to the hand it came from."""

    seat: Seat
    card: Card
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class Renounced:
    """The card just played is not of the suit led, or was played under a call: what everybody can see."""

    seat: Seat
    trick: int
    suit: Suit
    card: Card
    cites: Cites = ()


@dataclass(frozen=True, slots=True)
class RevokeMade:
    """Secret: the renounce was in error, or the call was disobeyed."""

    seat: Seat
    trick: int
    suit: Suit
    card: Card
    demand: Demand | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class RevokeLifted:
    """Secret: a card lawfully changed takes its revoke away."""

    seat: Seat
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class RevokeEstablished:
    """Secret: the revoke can no longer be corrected."""

    seat: Seat
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class RevokeBarred:
    """Secret: the revoke can no longer be claimed."""

    seat: Seat
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class TrickCompleted:
    """The trick has its four cards (again, after a correction); `winner` has won it as it lies."""

    trick: int
    winner: Seat
    cites: Cites = ()


@dataclass(frozen=True, slots=True)
class TrickGathered:
    """The cards of the trick have been touched."""

    trick: int
    seat: Seat
    cites: Cites = ()


@dataclass(frozen=True, slots=True)
class TrickQuitted:
    """The trick is turned and quitted; `seat` is None when the clock did it for the winner (R1)."""

    trick: int
    seat: Seat | None
    cites: Cites = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A player asks his partner whether he has none of the suit."""

    seat: Seat
    of: Seat
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to the question."""

    seat: Seat
    none: bool
    cites: Cites


@dataclass(frozen=True, slots=True)
class QuestionLapsed:
    """The question was met with silence."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class CardWithdrawn:
    """A revoke is being put right: the wrong card is taken back, face up; `later` may change theirs."""

    seat: Seat
    trick: int
    card: Card
    suit: Suit
    demand: Demand | None
    later: tuple[Seat, ...]
    cites: Cites


@dataclass(frozen=True, slots=True)
class RevokeCorrected:
    """The offender has played again."""

    seat: Seat
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class CardChanged:
    """One who had played after a withdrawn card puts another in place of his own."""

    seat: Seat
    trick: int
    old: Card
    card: Card
    cites: Cites


@dataclass(frozen=True, slots=True)
class CardsExposed:
    """Cards lie face up and are liable to be called."""

    seat: Seat
    cards: Cards
    cites: Cites


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Cards were seen by all and are liable to nothing."""

    seat: Seat
    cards: Cards
    cites: Cites


@dataclass(frozen=True, slots=True)
class CardsPickedUp:
    """Cards that lay face up go back to the hand and are no longer liable to be called."""

    seat: Seat
    cards: Cards
    cites: Cites


@dataclass(frozen=True, slots=True)
class LedOn:
    """A player who had played to the trick leads on before it is complete."""

    seat: Seat
    card: Card
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class LedTogether:
    """A player led together with his partner, whose lead it was; his card is seen and goes back to his hand."""

    seat: Seat
    card: Card
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class LaidTogether:
    """Two or more cards are put down at once."""

    seat: Seat
    cards: Cards
    cites: Cites


@dataclass(frozen=True, slots=True)
class RightOpened:
    """A penalty is open to a side."""

    right: Right
    cites: Cites


@dataclass(frozen=True, slots=True)
class RightKept:
    """A penalty exacted stays open, narrowed to these options."""

    right: int
    options: tuple[Demand, ...]
    cites: Cites


@dataclass(frozen=True, slots=True)
class RightClosed:
    """A penalty is no longer open; `how` is `used`, `waived`, `lapsed` or `forfeited`; `by` the seat that did it, if one did."""

    right: int
    how: str
    by: Seat | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class Called:
    """A call binds the next play (a suit: the next lead) of `seats`, whichever of them plays first."""

    by: Seat
    seats: tuple[Seat, ...]
    demand: Demand
    card: Card | None
    suit: Suit | None
    right: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class DutyEnded:
    """A call binds those seats no longer."""

    seats: tuple[Seat, ...]
    cites: Cites


@dataclass(frozen=True, slots=True)
class CallLost:
    """An exposed card was called before its owner's turn: none of his can be called to this trick."""

    by: Seat
    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class CallsRestored:
    """The trick is complete: cards called too early may be called again."""

    cites: Cites


@dataclass(frozen=True, slots=True)
class Placed:
    """Somebody demanded that the cards be placed before their players."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Somebody looked at the last trick quitted."""

    seat: Seat
    trick: int
    cites: Cites


@dataclass(frozen=True, slots=True)
class SaidMine:
    """A player said, before his partner played, that the trick was his."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class CardNamed:
    """A player named a card."""

    seat: Seat
    card: Card
    cites: Cites


@dataclass(frozen=True, slots=True)
class TrumpForgotten:
    """The dealer said that he did not remember the trump card."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class TrumpTakenUp:
    """The dealer has taken the trump card into his hand; from now on nobody is told the card (R14)."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class TrumpLeft:
    """The dealer means to leave the trump card lying."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class ThrewDown:
    """A player threw his hand face up."""

    seat: Seat
    cards: Cards
    cites: Cites


@dataclass(frozen=True, slots=True)
class GameClaimed:
    """A player said that the game was his."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class RestClaimed:
    """A player said that the remaining tricks were his."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class OfferMade:
    """In `strict` and `guided`: an offer to end the hand (`throw down`, `game`, `rest`)."""

    seat: Seat
    kind: str
    cites: Cites


@dataclass(frozen=True, slots=True)
class OfferAgreed:
    """A player agreed to the offer."""

    seat: Seat
    cites: Cites


@dataclass(frozen=True, slots=True)
class OfferClosed:
    """The offer stands no longer: declined by `seat`, or overtaken by play."""

    seat: Seat | None
    cites: Cites


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


Event: TypeAlias = (
    HandDealt
    | CardPlayed
    | LedOutOfTurn
    | LeadCondoned
    | CardReturned
    | Renounced
    | RevokeMade
    | RevokeLifted
    | RevokeEstablished
    | RevokeBarred
    | TrickCompleted
    | TrickGathered
    | TrickQuitted
    | Asked
    | Answered
    | QuestionLapsed
    | CardWithdrawn
    | RevokeCorrected
    | CardChanged
    | CardsExposed
    | CardsShown
    | CardsPickedUp
    | LedOn
    | LedTogether
    | LaidTogether
    | RightOpened
    | RightKept
    | RightClosed
    | Called
    | DutyEnded
    | CallLost
    | CallsRestored
    | Placed
    | Reviewed
    | SaidMine
    | CardNamed
    | TrumpForgotten
    | TrumpTakenUp
    | TrumpLeft
    | ThrewDown
    | GameClaimed
    | RestClaimed
    | OfferMade
    | OfferAgreed
    | OfferClosed
    | RevokeCharged
    | ClaimKilled
    | Searched
    | ChargeJudged
    | RevokeProved
    | RevokesCancelled
    | Mixed
    | PlayOutRequired
    | PenaltyExacted
    | PenaltyForfeited
    | Consulted
    | HandEnded
    | BecameReady
    | HonoursCalled
    | PackCut
    | Scored
    | ScoredAbove
    | GameReached
    | GameUndone
    | GameWon
    | ScoreMarked
    | GameAnnulled
    | RubberWon
    | TrumpDeclared
    | DeclarationLeft
    | Doubled
    | LeadAsked
    | Satisfied
    | SpokenOutOfTurn
    | DoublingLost
    | LedEarly
    | DealVoided
    | DummyLaid
    | BetOffered
    | BetTaken
    | BetSettled
    | NewCardsCalled
    | PackTaken
)
