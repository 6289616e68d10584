"""What happened while cards were dealt and played: see `events.py`, which has them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from oddtrick_rules.cards import Card, Suit
from oddtrick_rules.code import Cites
from oddtrick_rules.commands import Demand
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Right

Cards: TypeAlias = tuple[Card, ...]


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
    """A call binds those seats no longer; `lead` if it was of a suit to be led, or not to be."""

    seats: tuple[Seat, ...]
    cites: Cites
    lead: bool = False


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
