"""The state of a rubber: immutable records without behaviour.

One shape serves two uses. The table's own state knows everything. A *view* is the same record with what its viewer may not
know left out (`views.py`): other hands are empty but for the cards seen in them, `held` still counts their cards, and
secret revokes are absent. `evolve` folds the events a viewer was shown into his view exactly as it folds all events into
the table's state.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TypeAlias

from oddtrick_rules.cards import Card, Mask, Suit
from oddtrick_rules.code import Cites, Code
from oddtrick_rules.commands import BetOn, Demand, Penalty
from oddtrick_rules.seats import Seat, Side

Masks: TypeAlias = tuple[Mask, Mask, Mask, Mask]
Pair: TypeAlias = tuple[int, int]
NO_CARDS: Masks = (0, 0, 0, 0)


class Enforcement(StrEnum):
    """How far the table lets its players err (R3)."""

    STRICT = "strict"
    GUIDED = "guided"
    CLUB = "club"


class Phase(StrEnum):
    """Where the rubber stands."""

    TO_DEAL = "to deal"  # the pack is cut (or the rubber begins); the house deals next
    DECLARING = "declaring"
    DOUBLING = "doubling"
    PLAYING = "playing"
    CLAIMS = "claims"  # the hand is over; claims, elections, honours, then the cut
    OVER = "over"  # the rubber is won


class Stage(IntEnum):
    """Where a trick stands (R1)."""

    OPEN = 0
    COMPLETE = 1
    GATHERED = 2
    QUITTED = 3


@dataclass(frozen=True)
class Trick:
    """A trick: its plays in the order they stand, who won it, its stage.

    `rightful` is set while a lead out of turn stands uncondoned: the seat whose lead it was.
    `later` are the seats that may still change their cards after a correction.
    """

    number: int
    leader: Seat
    plays: tuple[tuple[Seat, Card], ...] = ()
    winner: Seat | None = None
    stage: Stage = Stage.OPEN
    rightful: Seat | None = None
    later: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Renounce:
    """What everybody saw: a card of another suit than the one led, or one that did not do as a call bade.

    `answer` is None until the question is answered: `none`, `some`, or `silence` when the clock ran out.
    """

    seat: Seat
    trick: int
    suit: Suit
    card: Card
    asked: bool = False
    answer: str | None = None


class RevokeStage(StrEnum):
    """How far a revoke has gone."""

    MADE = "made"
    WITHDRAWN = "withdrawn"  # the card is taken back; the adversaries choose, the offender plays again
    CORRECTED = "corrected"
    ESTABLISHED = "established"
    PROVED = "proved"
    PAID = "paid"
    BARRED = "barred"
    CANCELLED = "cancelled"
    FORFEITED = "forfeited"  # proved, and its penalty lost by a wrong demand


@dataclass(frozen=True, slots=True)
class Revoke:
    """A revoke: secret while `made` or `established` (R3, R4), public from then on.

    `demand` is the call it disobeyed, None for failing to follow suit. `number` counts proved revokes in the order charged.
    `suit` and `card` are None, and `trick` is 0, for one established by mixing the tricks and never found.
    """

    seat: Seat
    trick: int
    suit: Suit | None
    card: Card | None
    stage: RevokeStage = RevokeStage.MADE
    demand: Demand | None = None
    number: int = 0
    penalty: Penalty | None = None


class RightKind(StrEnum):
    """The offence a penalty is for."""

    CORRECTION = "correction"
    TWO_CARDS = "two cards"
    LEAD = "lead out of turn"
    PLAYED_ON = "played on"
    FOURTH_FIRST = "fourth first"
    ATTENTION = "attention"
    TRUMP_NAMED = "trump named"
    TRUMP_FORGOTTEN = "trump forgotten"
    SIMULTANEOUS_LEAD = "simultaneous lead"
    # bridge: words and cards before their time
    UNASKED = "declared unasked"
    PASSED_BACK = "declaration passed back"
    NOT_HIS = "adversary declares"
    DOUBLED_EARLY = "doubled out of turn"
    CONSULTED = "consulted on doubling"
    SHOWN_EARLY = "shown before the declaration"
    SHOWN_BY_THIRD = "shown by the leader's partner"
    SUGGESTED = "dummy suggests a card"


@dataclass(frozen=True, slots=True)
class Right:
    """A penalty open to one side: who may exact it, from whom, what it offers, and whether it holds up play.

    `on` is the seat whose play it binds (None: whichever of the offender's side next leads); `cards` the cards it concerns.
    """

    id: int
    kind: RightKind
    side: Side
    holders: tuple[Seat, ...]
    offender: Seat
    trick: int
    options: tuple[Demand, ...]
    cites: Cites
    on: Seat | None = None
    cards: tuple[Card, ...] = ()
    holds: bool = False
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class Duty:
    """What a lawful call binds a seat's next play to, or one of a suit its next lead."""

    demand: Demand
    cites: Cites
    card: Card | None = None
    suit: Suit | None = None
    right: int = 0


Duties: TypeAlias = tuple[Duty | None, Duty | None, Duty | None, Duty | None]


NO_DUTIES: Duties = (None, None, None, None)


class Verdict(StrEnum):
    """What became of a charge."""

    PENDING = "pending"
    PROVED = "proved"
    NOT_PROVED = "not proved"


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge of revoke: `number` in the order made, by whom, against whom, in which trick (None: in any)."""

    number: int
    by: Seat
    seat: Seat
    trick: int | None
    verdict: Verdict = Verdict.PENDING


@dataclass(frozen=True, slots=True)
class Offer:
    """In `strict` and `guided`: an offer to end the hand, and who has agreed."""

    by: Seat
    kind: str
    agreed: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class BetLaid:
    """A bet in counters: open until another player takes it; `winner` when settled (R18)."""

    number: int
    by: Seat
    counters: int
    on: BetOn
    side: Side
    taker: Seat | None = None
    winner: Seat | None = None


@dataclass(frozen=True)
class Hand:
    """One deal, from the cards dealt to the cut for the next."""

    number: int
    dealer: Seat
    hands: Masks  # cards still to play, face-up ones included
    held: tuple[int, int, int, int]  # how many each has still to play
    seen: Masks  # cards known to everybody to be in a hand
    dealt: Masks  # as dealt, for honours
    size: int = 13  # cards dealt to each; an ending has fewer
    trump: Suit | None = None
    turned: Card | None = None  # the trump card while it may be seen
    trump_card: Card | None = None  # the trump card, known to the table alone once it is taken up (R14)
    trump_lying: bool = False  # the dealer has left it lying on purpose
    leader: Seat = Seat.N
    tricks: tuple[Trick, ...] = ()
    taken: Pair = (0, 0)
    exposed: Masks = NO_CARDS  # cards liable to be called
    renounces: tuple[Renounce, ...] = ()
    revokes: tuple[Revoke, ...] = ()
    rights: tuple[Right, ...] = ()
    rights_made: int = 0
    duties: Duties = NO_DUTIES  # calls that bind the next play
    lead_duties: Duties = NO_DUTIES  # a suit called for, or forbidden to, the next lead
    uncallable: tuple[Seat, ...] = ()  # exposed cards of these were called too early in this trick (R24)
    question: Seat | None = None  # the seat that has been asked and has not answered, the first if two have
    mending: Seat | None = None  # the seat that has withdrawn a card and must play again
    charges: tuple[Charge, ...] = ()
    proved: int = 0
    killed: tuple[tuple[Side, Seat, int | None], ...] = ()  # claims lost by a partner's word (63, 103)
    mixed: tuple[bool, bool] = (False, False)  # side that mixed the tricks before any charge
    thrown: tuple[Seat, ...] = ()
    claimed: Side | None = None  # the side that claimed the game or the rest first
    offer: Offer | None = None
    play_out: bool = False
    ended: bool = False
    thrown_in: bool = False  # ended by a general throw-down
    ready: tuple[Seat, ...] = ()
    honours: tuple[bool, bool] = (False, False)  # called, per side
    cut: bool = False
    score_before: Pair = (0, 0)
    owed_before: Pair | None = None  # what the score ought to have been then, if it was marked wrongly
    reached: Side | None = None  # the side an added penalty has brought to game
    game_won: bool = False  # this hand has ended a game: nothing more is marked for it
    game_score: Pair = (0, 0)  # the score that ended it
    taken_for: tuple[tuple[int, int], ...] = ()  # number of a proved revoke, tricks that went over for it
    new_cards: Seat | None = None  # who called for new cards, until the next dealer takes a pack
    pack_taken: int = 0
    # bridge
    maker: Seat | None = None  # who named the trump
    declaring: Seat | None = None
    left: bool = False
    multiplier: int = 1
    voice: Seat | None = None  # whose word it is in the doubling
    doubled_by: Seat | None = None
    doublers: tuple[Seat | None, Seat | None] = (None, None)  # who of each side doubled last
    asked_to_lead: bool = False
    barred: tuple[Seat, ...] = ()  # may not double: the partner showed a card before the lead (71)
    led_early: Card | None = None  # the eldest hand's card, led before the doubling was over (59)
    dummy: Seat | None = None


@dataclass(frozen=True, slots=True)
class Rubber:
    """How a rubber ended: the side that won it, and by how many points (at bridge negative if it lost on points)."""

    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class Slips:
    """What the score sheet ought to say where players have marked it wrongly; None where it says so.

    `above` is how much too much stands above the line, per side.
    """

    score: Pair | None = None
    above: Pair = (0, 0)
    games: tuple[tuple[int, ...], tuple[int, ...]] | None = None


@dataclass(frozen=True)
class State:
    """The rubber. `score` is of the present game (bridge: below the line), `games` the values of the games won."""

    code: Code
    enforcement: Enforcement
    dealer: Seat
    phase: Phase = Phase.TO_DEAL
    score: Pair = (0, 0)
    games: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    above: Pair = (0, 0)
    below: Pair = (0, 0)  # bridge: points below the line in games already ended
    hand: Hand | None = None
    hands_dealt: int = 0
    rubber: Rubber | None = None
    bets: tuple[BetLaid, ...] = ()
    slips: Slips = Slips()
    reasonable_time: bool = False  # law 87 by the clock: a choice that the next play would end holds that play up
