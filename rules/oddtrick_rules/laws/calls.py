"""Calling and waiving (61, 64-66 · 67-69, 76 · 79, 83-85), consulting (84 · 87 · 103), and how calls and choices end.

A call that cannot be obeyed is accepted all the same, since refusing it would tell what the hand holds; it then binds nothing.
Either adversary may choose, the first demand stands (84 · 87), and a demand the offence does not carry is refused or, where
88 holds, costs the whole penalty (R16).
"""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, SUIT_OF, cards_in
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import Call, Consult, Demand, Waive
from oddtrick_rules.laws.common import (
    HOLD_ALL,
    Answer,
    Answers,
    Consequences,
    dealers_side,
    holders,
    playing,
    refuse,
    the_hand,
)
from oddtrick_rules.laws.exposed import leave_two_cards, settle_two_cards
from oddtrick_rules.laws.leads import exact_card, exact_suit, lying, no_suit, waive_lead
from oddtrick_rules.laws.play import expose
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import OTHER_SIDE, PARTNER, SEATS, SEATS_OF, SIDE, Actor, Seat
from oddtrick_rules.state import NO_DUTIES, Hand, Phase, RevokeStage, Right, RightKind, State
from oddtrick_rules.turns import card_turn, open_trick

# The kinds of right that die with the play of the seat they bind.
ONE_PLAY = (
    RightKind.ATTENTION,
    RightKind.FOURTH_FIRST,
    RightKind.PLAYED_ON,
    RightKind.SIMULTANEOUS_LEAD,
    RightKind.SUGGESTED,
    RightKind.SHOWN_BY_THIRD,
)
# The kinds that offer the call of an exposed card, or something else instead of it.
CARD_OR_ELSE = (RightKind.LEAD, RightKind.SHOWN_BY_THIRD)
# The calls that are of the trick lying, and of no other.
OF_THE_TRICK = (Demand.HIGHEST, Demand.LOWEST, Demand.WIN, Demand.LOSE, Demand.NOT_CARD)
TRUMP_KINDS = (RightKind.TRUMP_NAMED, RightKind.TRUMP_FORGOTTEN)


def call(state: State, actor: Actor, command: Call) -> Answer:
    """Judge a call."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    hand = the_hand(state)
    if SIDE[command.seat] == SIDE[actor]:
        return refuse(Why.NOT_YOURS, state.code.cites(Rule.EXPOSED))
    if (lost := _without_a_voice(state, hand, actor, command)) is not None:
        return lost
    if actor is hand.dummy or (actor not in holders(state, command.seat) and not _entitled(hand, actor, command)):
        return refuse(Why.NOT_YOURS, state.code.cites(Rule.DUMMY))
    if command.demand is Demand.CARD:
        return _call_card(state, actor, command)
    return _exact(state, actor, command)


def _without_a_voice(state: State, hand: Hand, actor: Seat, command: Call) -> Answer | None:
    """Dummy's demand kills the penalty it points to (63), and so does that of the partner of one solely entitled (103)."""
    code = state.code
    rule = Rule.DUMMY_SPEAKS if actor is hand.dummy else Rule.PARTNER_SUGGESTS
    if not code.has(rule):
        return None
    cites = code.cites(rule)
    for right in reversed(hand.rights):
        alone = len(right.holders) == 1 and right.holders[0] is PARTNER[actor] and right.side == SIDE[actor]
        if alone and (_binds(right, command.seat) or right.offender is command.seat):
            return forfeit(state, right, actor, cites)
    card = command.card
    if actor is hand.dummy and card is not None and hand.exposed[command.seat] & BIT[card]:
        return (e.CardsPickedUp(command.seat, (card,), cites),)
    return None


def _entitled(hand: Hand, actor: Seat, command: Call) -> bool:
    return any(actor in right.holders and right.offender is command.seat for right in hand.rights)


def _call_card(state: State, actor: Seat, command: Call) -> Answer:
    code, hand, card = state.code, the_hand(state), command.card
    if card is None:
        return refuse(Why.MALFORMED)
    for right in reversed(hand.rights):
        if right.offender is command.seat and card in right.cards and actor in right.holders:
            answer = _card_of(state, right, actor, command)
            if answer is not None:
                return answer
    if (no := _two_lie(state, command.seat)) is not None:
        return no
    cites = code.cites(Rule.CALL_REPEATED)
    if not hand.exposed[command.seat] & BIT[card]:
        return refuse(Why.NO_RIGHT, code.cites(Rule.EXPOSED))
    if hand.mending is command.seat or hand.duties[command.seat] is not None:
        return refuse(Why.ALREADY_DONE, code.cites(Rule.CHOICE))
    if command.seat in hand.uncallable:
        return refuse(Why.FORFEITED, (*code.cites(Rule.CALLED_EARLY), "R24"))
    if code.has(Rule.CALLED_EARLY) and card_turn(hand) is not command.seat:
        return _called_early(state, actor, command)
    used = tuple(
        e.RightClosed(right.id, "used", actor, right.cites)
        for right in hand.rights
        if right.kind in CARD_OR_ELSE and right.offender is command.seat and card in right.cards
    )
    return (e.Called(actor, (command.seat,), Demand.CARD, card, None, 0, cites), *used)


def _two_lie(state: State, seat: Seat) -> Refusal | None:
    """Refuse any other call on a side of which two cards lie to be chosen from: what is called cannot be played now."""
    for right in the_hand(state).rights:
        if right.kind is RightKind.TWO_CARDS and SIDE[right.offender] == SIDE[seat]:
            return refuse(Why.PENDING_CHOICE, right.cites)
    return None


def _card_of(state: State, right: Right, actor: Seat, command: Call) -> Answer | None:
    """Return what the call of a card does by a right that is about it; None if the right leaves it an exposed card."""
    hand, card = the_hand(state), command.card
    assert card is not None
    if right.kind is RightKind.TWO_CARDS:
        return settle_two_cards(state, right, card, actor)
    if right.kind is RightKind.SUGGESTED:
        return _use(state, right, actor, command)
    if right.kind is RightKind.SIMULTANEOUS_LEAD and hand.duties[command.seat] is None:
        # His card is treated as exposed, and is called at once (65).
        called = e.Called(actor, (command.seat,), Demand.CARD, card, None, right.id, right.cites)
        left = waived(state, right, actor)
        return left if isinstance(left, Refusal) else (*left, called)
    trick = lying(hand, right) if right.kind is RightKind.LEAD else None
    return exact_card(state, right, trick, actor) if trick is not None else None


def _called_early(state: State, actor: Seat, command: Call) -> Answer:
    """Called before its owner's turn, the card is free of the call for that trick (59, R24); the call binds nothing."""
    cites = (*state.code.cites(Rule.CALLED_EARLY), "R24")
    return (e.CallLost(actor, command.seat, cites),)


def _exact(state: State, actor: Seat, command: Call) -> Answer:
    """Exact a penalty of choice by one of the rights open on that player's play."""
    code, hand = state.code, the_hand(state)
    if command.demand in (Demand.SUIT, Demand.NOT_SUIT) and (no := no_suit(state, command)) is not None:
        return no
    mine = [
        right
        for right in reversed(hand.rights)
        if actor in right.holders and _binds(right, command.seat) and _in_time(hand, right)
    ]
    for right in mine:
        if not _offers(right, command):
            continue
        if (no := _two_lie(state, command.seat)) is not None:
            return no
        if right.kind is RightKind.LEAD:
            return exact_suit(state, right, actor, command)
        if hand.duties[command.seat] is not None and right.kind is not RightKind.CORRECTION:
            return refuse(Why.ALREADY_DONE, code.cites(Rule.CHOICE))
        return _use(state, right, actor, command)
    if hand.duties[command.seat] is not None:
        return refuse(Why.ALREADY_DONE, code.cites(Rule.CHOICE))
    exposed = cards_in(hand.exposed[command.seat])
    if code.has(Rule.WRONG_DEMAND) and (mine or exposed):
        # A demand that the offence does not carry loses what it carries (88, R16): the choice, or the cards to be called.
        cites = code.cites(Rule.WRONG_DEMAND)
        return forfeit(state, mine[0], actor, cites) if mine else (e.CardsPickedUp(command.seat, exposed, cites),)
    if not mine:
        trump = command.demand in (Demand.TRUMP_HIGHEST, Demand.TRUMP_LOWEST)
        return refuse(Why.NO_RIGHT, code.cites(Rule.TRUMP_NAMED) if trump else ())
    return refuse(Why.WRONG_DEMAND, mine[0].cites)


def _offers(right: Right, command: Call) -> bool:
    """Tell whether the right offers what is demanded; the suit or card forbidden must be the one it is about."""
    if command.demand not in right.options:
        return False
    if command.demand is Demand.NOT_SUIT:
        return command.suit is right.suit
    return command.demand is not Demand.NOT_CARD or command.card in right.cards


def _binds(right: Right, seat: Seat) -> bool:
    if right.kind is RightKind.LEAD:
        return SIDE[seat] == SIDE[right.offender]
    return right.on is seat


def _in_time(hand: Hand, right: Right) -> bool:
    """Tell whether the right is on the trick now open; a card led on is not before its lead."""
    if right.kind is not RightKind.PLAYED_ON:
        return True
    trick = open_trick(hand)
    if trick is None or trick.number != right.trick:
        return False
    return not right.cards or trick.plays[0] == (right.offender, right.cards[0])


def _others(hand: Hand, right: Right, how: str) -> tuple[e.Event, ...]:
    """Close the rights to the other tricks of one run of cards: one of them may be called (57 · 60 · 74)."""
    if right.kind is not RightKind.PLAYED_ON:
        return ()
    same = [one for one in hand.rights if one.kind is right.kind and one.offender is right.offender]
    return tuple(e.RightClosed(one.id, how, None, one.cites) for one in same if one.id != right.id)


def _use(state: State, right: Right, actor: Seat, command: Call) -> tuple[e.Event, ...]:
    cites = right.cites
    called = e.Called(actor, (command.seat,), command.demand, command.card, right.suit, right.id, cites)
    if right.kind is RightKind.SHOWN_BY_THIRD:
        # The suit is forbidden instead of the card being called (71).
        closed = e.RightClosed(right.id, "used", actor, cites)
        return (called, e.CardsPickedUp(right.offender, right.cards, cites), closed)
    if right.kind in TRUMP_KINDS and state.code.trump_call_repeats:
        return (called, e.RightKept(right.id, (command.demand,), cites))
    if right.kind in TRUMP_KINDS and right.kind is RightKind.TRUMP_FORGOTTEN:
        return (called, e.RightKept(right.id, (command.demand,), cites))
    return (called, e.RightClosed(right.id, "used", actor, cites), *_others(the_hand(state), right, "lapsed"))


def waive(state: State, actor: Actor, command: Waive) -> Answer:
    """Give up the choice that holds up play; if none does, the latest right open to the player."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    mine = [right for right in reversed(the_hand(state).rights) if actor in right.holders]
    mine.sort(key=lambda right: not right.holds)
    if not mine:
        return refuse(Why.NO_RIGHT)
    return waived(state, mine[0], actor)


def waived(state: State, right: Right, by: Seat | None) -> Answer:
    """What follows when a choice is given up (by the clock when `by` is None: R32)."""
    if right.kind is RightKind.TWO_CARDS:
        return leave_two_cards(state, right, "waived", by, right.cites)
    if right.kind is RightKind.LEAD:
        return waive_lead(state, right, by)
    closed = e.RightClosed(right.id, "waived", by, right.cites)
    if right.kind in (RightKind.CORRECTION, RightKind.SIMULTANEOUS_LEAD) and right.cards:
        # Highest and lowest given up, the wrong card is left to be called at any later trick (76 · 80 · 94).
        return (closed, *expose(state, right.offender, right.cards, (*right.cites, "R6")))
    return (closed, *_others(the_hand(state), right, "waived"))


def forfeit(state: State, right: Right, by: Seat, cites: tuple[str, ...]) -> Answer:
    """Close a right lost by an act of its own side: nothing can be exacted for that offence."""
    if right.kind is RightKind.TWO_CARDS:
        return leave_two_cards(state, right, "forfeited", by, cites)
    hand = the_hand(state)
    extra: tuple[e.Event, ...] = ()
    if right.kind is RightKind.LEAD:
        trick = lying(hand, right)
        if trick is not None:
            extra = (e.LeadCondoned(trick.number, cites),)
        elif hand.exposed[right.offender] & BIT[right.cards[0]]:
            extra = (e.CardsPickedUp(right.offender, right.cards, cites),)
    return (*extra, e.RightClosed(right.id, "forfeited", by, cites))


def consult(state: State, actor: Actor, command: Consult) -> Answer:
    """Consult one's partner: about a revoke penalty freely, about any other choice at the price of it (84 · 87, R15)."""
    hand = state.hand
    if hand is None or state.phase not in (Phase.PLAYING, Phase.CLAIMS) or not isinstance(actor, Seat):
        return refuse(Why.NOT_NOW)
    code = state.code
    side = SIDE[actor]
    open_ones = [right for right in hand.rights if right.side == side and len(right.options) > 1]
    if open_ones:
        right = open_ones[-1]
        if actor not in right.holders or (code.has(Rule.PARTNER_SUGGESTS) and dealers_side(hand, actor)):
            rule = Rule.PARTNER_SUGGESTS
        else:
            rule = Rule.CHOICE
        if not code.has(rule):
            return (e.Consulted(actor, ("R15",)),)
        cites = (*code.cites(rule), "R15")
        answer = forfeit(state, right, actor, cites)
        return answer if isinstance(answer, Refusal) else (e.Consulted(actor, cites), *answer)
    if any(revoke.stage is RevokeStage.PROVED and SIDE[revoke.seat] != side for revoke in hand.revokes):
        return (e.Consulted(actor, (*code.cites(Rule.PENALTY), "R15")),)
    return refuse(Why.NOT_NOW, ("R15",))


def discharge(state: State, event: e.CardPlayed) -> tuple[e.Event, ...]:
    """A card played ends what bound it: the call obeyed, or not able to be (64-66); a suit waits for a lead."""
    hand = the_hand(state)
    duty = hand.duties[event.seat]
    ended: tuple[e.Event, ...] = ()
    if duty is not None:
        rule = Rule.CALL_REPEATED if duty.demand is Demand.CARD else Rule.NO_FORCED_REVOKE
        ended = (e.DutyEnded((event.seat,), state.code.cites(rule)),)
    trick = hand.tricks[event.trick - hand.tricks[0].number]
    if hand.lead_duties == NO_DUTIES or trick.leader is not event.seat or len(trick.plays) != 1:
        return ended
    return (*ended, *_led(state, event))


def _led(state: State, event: e.CardPlayed) -> tuple[e.Event, ...]:
    """A lead ends what bound it, and what bound the partner's if the suit was called from whichever led first (62)."""
    duties, code = the_hand(state).lead_duties, state.code
    duty = duties[event.seat]
    if duty is None:
        return ()
    if duty.demand is Demand.NOT_SUIT or SUIT_OF[event.card] is duty.suit:
        cites = duty.cites
    elif code.has(Rule.SUIT_VOID):
        # Said of every lead of another suit, for whether he had none is not to be told (R4).
        cites = code.cites(Rule.SUIT_VOID)
    else:
        return ()
    seats = tuple(seat for seat in SEATS_OF[SIDE[event.seat]] if duties[seat] == duty)
    return (e.DutyEnded(seats, cites, lead=True),)


def lapse(state: State, event: e.CardPlayed) -> tuple[e.Event, ...]:
    """Close the rights that the play of the seat they bind ends."""
    hand = the_hand(state)
    if not hand.rights:
        return ()
    return tuple(
        e.RightClosed(right.id, "lapsed", None, right.cites)
        for right in hand.rights
        if (right.kind in ONE_PLAY and right.on is event.seat and event.trick >= right.trick)
        or (right.kind is RightKind.PLAYED_ON and right.cards and _not_led(hand, right, event))
        or (right.kind in TRUMP_KINDS and event.card == hand.trump_card)
    )


def _not_led(hand: Hand, right: Right, event: e.CardPlayed) -> bool:
    """Tell whether another card than the one led on has been led to its trick, or it has gone to another trick."""
    mine = (event.seat, event.card) == (right.offender, right.cards[0])
    lead = hand.tricks[event.trick - hand.tricks[0].number].plays[0] == (event.seat, event.card)
    return (lead and event.trick == right.trick and not mine) or (mine and event.trick != right.trick)


def trick_gone(state: State, event: e.CardReturned | e.CardWithdrawn) -> tuple[e.Event, ...]:
    """All the cards of a trick are taken back: what could be called for in it, or was, is over."""
    hand = the_hand(state)
    if any(trick.number == event.trick for trick in hand.tricks):
        return ()
    closed: list[e.Event] = [
        e.RightClosed(right.id, "lapsed", None, event.cites)
        for right in hand.rights
        if right.kind in ONE_PLAY and right.kind is not RightKind.SHOWN_BY_THIRD and right.trick >= event.trick
    ]
    bound = tuple(seat for seat in SEATS if (duty := hand.duties[seat]) is not None and duty.demand in OF_THE_TRICK)
    if bound:
        closed.append(e.DutyEnded(bound, event.cites))
    if hand.mending is not None and isinstance(event, e.CardReturned):
        closed.extend(_nothing_to_mend(hand, hand.mending, event))
    return tuple(closed)


def _nothing_to_mend(hand: Hand, seat: Seat, event: e.CardReturned) -> list[e.Event]:
    """The false lead a revoke was made to is taken back, and the withdrawn card with it, free of liability (63 · 66 · 82)."""
    revoke = next(one for one in reversed(hand.revokes) if one.seat is seat and one.stage is RevokeStage.WITHDRAWN)
    if revoke.trick != event.trick or revoke.card is None:
        return []
    closed: list[e.Event] = [e.RevokeCorrected(seat, event.trick, event.cites)]
    closed.extend(
        e.RightClosed(right.id, "lapsed", None, event.cites)
        for right in hand.rights
        if right.kind is RightKind.CORRECTION and right.trick == event.trick
    )
    if hand.exposed[seat] & BIT[revoke.card] and seat not in hand.thrown:
        closed.append(e.CardsPickedUp(seat, (revoke.card,), event.cites))
    return closed


def next_trick(state: State, event: e.TrickCompleted) -> tuple[e.Event, ...]:
    """A card called too early is callable again at the next trick (59, R24)."""
    return (e.CallsRestored((*state.code.cites(Rule.CALLED_EARLY), "R24")),) if the_hand(state).uncallable else ()


def callable_by(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return the adversaries from whom this seat may call an exposed card now."""
    hand = the_hand(state)
    return tuple(
        other
        for other in SEATS_OF[OTHER_SIDE[SIDE[seat]]]
        if hand.exposed[other] and seat in holders(state, other) and hand.duties[other] is None
    )


def holding(hand: Hand) -> Right | None:
    """Return the right that holds up all play, if one does."""
    return next((right for right in hand.rights if right.holds and right.kind in HOLD_ALL), None)


ANSWERS: Answers = {Call: call, Waive: waive, Consult: consult}
CONSEQUENCES: Consequences = {
    e.CardPlayed: (discharge, lapse),
    e.TrickCompleted: (next_trick,),
    e.CardReturned: (trick_gone,),
    e.CardWithdrawn: (trick_gone,),
}
