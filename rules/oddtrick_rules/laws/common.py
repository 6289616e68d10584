"""What the chapters share: how an answer is given, how a rule is cited, how a right is opened.

A chapter answers commands (`ANSWERS`: command type -> handler) and adds what follows from facts (`CONSEQUENCES`: event type ->
functions of the state after the event). Neither changes anything; both yield events. A rule the code in force does not have is not
applied: handlers ask `code.has`, and every event and refusal carries `code.cites`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from oddtrick_rules import events as e
from oddtrick_rules.cards import Card, Suit
from oddtrick_rules.code import Cites, Rule
from oddtrick_rules.commands import Demand
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import OTHER_SIDE, SEATS_OF, SIDE, Actor, Seat
from oddtrick_rules.state import Enforcement, Hand, Phase, Right, RightKind, State

Answer: TypeAlias = "Iterable[e.Event] | Refusal"
Handler: TypeAlias = Callable[[State, Actor, Any], Answer]
Consequence: TypeAlias = Callable[[State, Any], Iterable[e.Event]]
Answers: TypeAlias = Mapping[type, Handler]
Consequences: TypeAlias = Mapping[type, tuple[Consequence, ...]]


def refuse(why: Why, cites: Cites = ()) -> Refusal:
    """Refuse an act."""
    return Refusal(why, cites)


def the_hand(state: State) -> Hand:
    """Return the hand in play; only for callers that know there is one."""
    assert state.hand is not None
    return state.hand


def irregular(state: State, rule: Rule) -> Refusal | None:
    """Refuse an irregularity where the table does not allow any (R3); None at a `club` table."""
    if state.enforcement is Enforcement.CLUB:
        return None
    return Refusal(Why.IRREGULAR, (*state.code.cites(rule), "R3"))


def playing(state: State, actor: Actor) -> Refusal | None:
    """Refuse what only a player may do while cards are played; None if this is such a time."""
    if state.phase is not Phase.PLAYING:
        return Refusal(Why.NOT_NOW)
    if not isinstance(actor, Seat):
        return Refusal(Why.NOT_YOURS)
    return None


def dealers_side(hand: Hand, seat: Seat) -> bool:
    """Tell whether the seat is of the side that plays with a dummy."""
    return hand.maker is not None and SIDE[seat] == SIDE[hand.dealer]


def holders(state: State, offender: Seat) -> tuple[Seat, ...]:
    """Return who may exact a penalty from that seat: either adversary; at bridge the dealer alone for his side (62)."""
    hand = the_hand(state)
    seats = SEATS_OF[OTHER_SIDE[SIDE[offender]]]
    if state.code.dummy and hand.maker is not None and not dealers_side(hand, offender):
        return (hand.dealer,)
    return seats


def open_right(
    state: State,
    kind: RightKind,
    rule: Rule,
    *,
    offender: Seat,
    trick: int,
    options: tuple[Demand, ...],
    on: Seat | None = None,
    cards: tuple[Card, ...] = (),
    holds: bool = False,
    suit: Suit | None = None,
    entitled: tuple[Seat, ...] | None = None,
) -> e.RightOpened:
    """Return the event by which a penalty is open to the offender's adversaries."""
    cites = state.code.cites(rule)
    holds = holds and (kind in HOLD_ALL or state.code.has(Rule.REASONABLE_TIME))
    right = Right(
        id=the_hand(state).rights_made + 1,
        kind=kind,
        side=OTHER_SIDE[SIDE[offender]],
        holders=entitled if entitled is not None else holders(state, offender),
        offender=offender,
        trick=trick,
        options=options,
        cites=cites,
        on=on,
        cards=cards,
        holds=holds,
        suit=suit,
    )
    return e.RightOpened(right, cites)


# The kinds of choice that hold up all play until they are made (R6, notation); the others, where the table keeps law 87 by
# the clock, hold up only the play of the one they bind.
HOLD_ALL = (RightKind.CORRECTION, RightKind.TWO_CARDS)


def pending_choice(state: State, right: Right) -> Refusal:
    """Refuse a play that an open choice holds up; the adversaries have a reasonable time for it (87 · 91 · 104)."""
    cites = right.cites if right.kind in HOLD_ALL else (*right.cites, *state.code.cites(Rule.REASONABLE_TIME))
    return Refusal(Why.PENDING_CHOICE, cites)


def held_up(hand: Hand, seat: Seat) -> Right | None:
    """Return the open choice that holds up a card of that seat, if one does."""
    for right in hand.rights:
        if right.holds and (right.kind in HOLD_ALL or right.on == seat):
            return right
    return None
