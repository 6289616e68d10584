"""Leads out of turn (62, 63, 66 · 64, 66, 69 · 80-82, 85, R30).

The false lead lies on the table until an adversary objects to it, calls a suit instead, waives, or the player on its left
follows. The rightful leader may also lead over it (`play.py`); the false card then lies exposed and the choice stays open until
the offender's side next leads.
"""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT
from oddtrick_rules.code import Cites, Rule
from oddtrick_rules.commands import Call, Demand, Object
from oddtrick_rules.laws.common import (
    Answer,
    Answers,
    Consequences,
    dealers_side,
    open_right,
    playing,
    refuse,
    the_hand,
)
from oddtrick_rules.laws.play import expose
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import PARTNER, SIDE, Actor, Seat
from oddtrick_rules.state import Hand, Right, RightKind, State, Trick
from oddtrick_rules.turns import open_trick, rightful_leader


def open_choice(state: State, event: e.LedOutOfTurn) -> tuple[e.Event, ...]:
    """Open the choice between the card and a suit; none against the dealer's side (81)."""
    if dealers_side(the_hand(state), event.seat):
        return ()
    partner = PARTNER[event.seat]
    opened = open_right(
        state,
        RightKind.LEAD,
        Rule.LEAD_OUT_OF_TURN,
        offender=event.seat,
        trick=event.trick,
        options=(Demand.CARD, Demand.SUIT),
        on=partner if event.rightful is partner else None,
        cards=(event.card,),
        holds=state.reasonable_time and event.rightful is partner,
    )
    return (opened,)


def lying(hand: Hand, right: Right) -> Trick | None:
    """Return the trick in which the false lead still lies, if it does."""
    trick = open_trick(hand)
    if trick is not None and trick.rightful is not None and trick.plays[0] == (right.offender, right.cards[0]):
        return trick
    return None


def take_back(state: State, trick: Trick, cites: Cites) -> tuple[e.Event, ...]:
    """Return all the cards of the trick to their hands, the followers' without liability (63)."""
    followed = state.code.cites(Rule.FOLLOWED)
    back: list[e.Event] = []
    for seat, card in reversed(trick.plays[1:]):
        back.append(e.CardReturned(seat, card, trick.number, followed))
        if not followed:
            back.extend(expose(state, seat, (card,), state.code.cites(Rule.EXPOSED)))
    seat, card = trick.plays[0]
    return (*back, e.CardReturned(seat, card, trick.number, cites))


def object_to_lead(state: State, actor: Actor, command: Object) -> Answer:
    """Stop a false lead: it is taken back and lies exposed."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    hand, cites = the_hand(state), state.code.cites(Rule.LEAD_OUT_OF_TURN)
    for right in reversed(hand.rights):
        if right.kind is not RightKind.LEAD or actor not in right.holders:
            continue
        trick = lying(hand, right)
        if trick is None:
            continue
        if any(seat is actor for seat, _ in trick.plays):
            return refuse(Why.TOO_LATE, (*cites, "R30"))
        return exact_card(state, right, trick, actor)
    return refuse(Why.NO_RIGHT, cites)


def exact_card(state: State, right: Right, trick: Trick, by: Seat) -> tuple[e.Event, ...]:
    """Choose the card: it goes back to be called."""
    cites = right.cites
    return (
        *take_back(state, trick, cites),
        *expose(state, right.offender, right.cards, cites),
        e.RightClosed(right.id, "used", by, cites),
    )


def exact_suit(state: State, right: Right, by: Seat, command: Call) -> Answer:
    """Choose a suit, on the next lead that either of the side obtains: at once, if the lead is the partner's now (62)."""
    hand, cites = the_hand(state), right.cites
    side = (right.offender, PARTNER[right.offender])
    trick = lying(hand, right)
    leader = rightful_leader(hand) if trick is None else trick.rightful
    if command.seat not in side:
        return refuse(Why.NO_RIGHT, cites)
    if leader in side and command.seat is not leader and (trick is not None or open_trick(hand) is None):
        return refuse(Why.NO_RIGHT, cites)
    if trick is not None and any(seat is by for seat, _ in trick.plays):
        return refuse(Why.TOO_LATE, (*cites, "R30"))
    back: tuple[e.Event, ...]
    if trick is not None:
        back = take_back(state, trick, cites)
    elif hand.exposed[right.offender] & BIT[right.cards[0]]:
        back = (e.CardsPickedUp(right.offender, right.cards, cites),)
    else:
        back = ()
    called = e.Called(by, side, Demand.SUIT, None, command.suit, right.id, cites)
    return (*back, e.RightClosed(right.id, "used", by, cites), called)


def waive_lead(state: State, right: Right, by: Seat | None) -> tuple[e.Event, ...]:
    """Let the false lead stand, or (the card exposed already) call no suit."""
    trick = lying(the_hand(state), right)
    stands = (e.LeadCondoned(trick.number, right.cites),) if trick is not None else ()
    return (*stands, e.RightClosed(right.id, "waived", by, right.cites))


def lapse(state: State, event: e.CardPlayed) -> tuple[e.Event, ...]:
    """Left to lead freely, the side owes no suit any more; the card alone can be called (62)."""
    hand = the_hand(state)
    if not hand.rights:
        return ()
    closed = []
    trick = hand.tricks[event.trick - hand.tricks[0].number]
    for right in hand.rights:
        if right.kind is not RightKind.LEAD:
            continue
        led = trick.leader is event.seat and len(trick.plays) == 1 and SIDE[event.seat] != right.side
        played = event.seat is right.offender and event.card == right.cards[0] and event.trick >= right.trick
        if led or (played and not state.code.uncalled_card_keeps_suit_call):
            closed.append(e.RightClosed(right.id, "lapsed", None, right.cites))
    return tuple(closed)


def can_object(hand: Hand, seat: Seat) -> bool:
    """Tell whether a false lead lies on the table that this seat may still stop."""
    for right in hand.rights:
        if right.kind is RightKind.LEAD and seat in right.holders:
            trick = lying(hand, right)
            if trick is not None and not any(who is seat for who, _ in trick.plays):
                return True
    return False


def no_suit(state: State, command: Call) -> Refusal | None:
    """Refuse a call of a suit that names none."""
    if command.suit is None or command.suit not in (0, 1, 2, 3):
        return refuse(Why.MALFORMED)
    return None


ANSWERS: Answers = {Object: object_to_lead}
CONSEQUENCES: Consequences = {e.LedOutOfTurn: (open_choice,), e.CardPlayed: (lapse,)}
