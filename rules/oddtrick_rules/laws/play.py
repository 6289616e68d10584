"""Putting cards to tricks: in turn and out of it, following suit, obeying calls.

The first function is the hot path: a card in turn, in a hand without irregularities, falls through a few mask tests. What a card
sets off (a revoke established by it, a duty discharged, a right lapsed, a trick completed) is in the other chapters.
"""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, SUIT_MASK, SUIT_OF, Card, Suit
from oddtrick_rules.code import Cites, Rule
from oddtrick_rules.commands import Demand, Play
from oddtrick_rules.laws.common import (
    Answer,
    Answers,
    Consequences,
    dealers_side,
    held_up,
    open_right,
    pending_choice,
    the_hand,
)
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import LEFT, PARTNER, Actor, Seat
from oddtrick_rules.state import NO_DUTIES, Duty, Enforcement, Hand, Phase, RightKind, Stage, State, Trick
from oddtrick_rules.turns import (
    beating_mask,
    binding,
    card_turn,
    followable,
    has_played,
    led_suit,
    next_number,
    next_seat,
    obeying,
    open_trick,
    rightful_leader,
    winning,
)


def play(state: State, actor: Actor, command: Play) -> Answer:
    """Judge a card put to the table."""
    hand = state.hand
    if state.phase is not Phase.PLAYING or hand is None:
        return _before_its_time(state, actor, command)
    card = command.card
    seat = actor if hand.dummy is None else _whose(state, hand, actor, command)
    if seat.__class__ is not Seat:
        return seat if isinstance(seat, Refusal) else Refusal(Why.NOT_YOURS)
    if command.hand is not None and hand.dummy is None and command.hand is not seat:
        return Refusal(Why.NOT_YOURS)
    if not hand.hands[seat] >> card & 1:
        return Refusal(Why.NO_SUCH_CARD)
    if hand.rights:
        right = held_up(hand, seat)
        if right is not None:
            return pending_choice(state, right)
    if hand.mending is not None and hand.mending is not seat:
        return Refusal(Why.PENDING_CHOICE, state.code.cites(Rule.CORRECTION))
    trick = open_trick(hand)
    if trick is not None and trick.rightful is None and hand.mending is None and seat is next_seat(trick):
        return put(state, seat, card, number=trick.number, trick=trick)
    return placed(state, seat, card)


def placed(state: State, seat: Seat, card: Card) -> Answer:
    """Judge a card the seat puts down now: a lead, a card to the open trick, or one out of turn."""
    hand = the_hand(state)
    trick = open_trick(hand)
    if trick is None:
        number = next_number(hand)
        if number > 13:
            return Refusal(Why.NOT_NOW)
        if seat is hand.mending or seat is rightful_leader(hand):
            answer = put(state, seat, card, number=number, trick=None)
        else:
            answer = _lead_out_of_turn(state, seat, card, number)
        tricks = hand.tricks
        if len(tricks) > 1 and tricks[-2].stage is not Stage.QUITTED and not isinstance(answer, Refusal):
            # Only the last trick can lie unquitted (R2): a lead quits the one before it, for its winner.
            return (*answer, e.TrickQuitted(tricks[-2].number, None, (*state.code.cites(Rule.QUITTING), "R2")))
        return answer
    if trick.rightful is None and seat is (next_seat(trick) if hand.mending is None else hand.mending):
        return put(state, seat, card, number=trick.number, trick=trick)
    return _not_in_turn(state, seat, card, trick)


def _before_its_time(state: State, actor: Actor, command: Play) -> Answer:
    """A card before the play begins: at bridge the eldest hand may lead while the doubling goes on (59)."""
    hand, code = state.hand, state.code
    if state.phase is not Phase.DOUBLING or hand is None or actor is not hand.leader or not code.has(Rule.EARLY_LEAD):
        return Refusal(Why.NOT_NOW)
    cites = code.cites(Rule.EARLY_LEAD)
    if state.enforcement is not Enforcement.CLUB:
        return Refusal(Why.NOT_NOW, (*cites, "R3"))
    if hand.led_early is not None:
        return Refusal(Why.ALREADY_DONE, cites)
    if not hand.hands[hand.leader] >> command.card & 1:
        return Refusal(Why.NO_SUCH_CARD)
    return (e.LedEarly(hand.leader, command.card, cites),)


def _whose(state: State, hand: Hand, actor: Actor, command: Play) -> Actor | Refusal:
    """Return the hand a card is played from where there is a dummy: the dealer plays both of his side's (62)."""
    dummy = hand.dummy
    if not isinstance(actor, Seat) or dummy is None:
        return actor
    if actor is dummy:
        return Refusal(Why.NOT_YOURS, state.code.cites(Rule.DUMMY))
    if actor is PARTNER[dummy]:
        if command.hand is not None:
            return command.hand if command.hand in (actor, dummy) else Refusal(Why.NOT_YOURS)
        return dummy if hand.hands[dummy] >> command.card & 1 else actor
    return actor if command.hand in (None, actor) else Refusal(Why.NOT_YOURS)


def put(state: State, seat: Seat, card: Card, *, number: int, trick: Trick | None, cites: Cites = ()) -> Answer:
    """Judge a card in its place: does it follow suit, does it obey? Yield it and what the umpire notes of it."""
    hand = the_hand(state)
    led = led_suit(trick) if trick is not None and trick.plays else None
    mask = hand.hands[seat]
    following = mask if led is None else mask & SUIT_MASK[led] or mask
    made: tuple[e.Event, ...] = ()
    duties: tuple[Duty, ...] = ()
    free = mask
    if hand.duties is not NO_DUTIES or hand.lead_duties is not NO_DUTIES or hand.mending is not None:
        duties = binding(hand, seat, trick)
        free = following if state.code.has(Rule.NO_FORCED_REVOKE) else mask
    for duty in duties:
        obedient = obeying(free, duty, trick=trick, trump=hand.trump)
        if obedient and not obedient & BIT[card]:
            answer = _disobeyed(state, seat, card, duty=duty, number=number, led=led)
            if isinstance(answer, Refusal):
                return answer
            made = answer
            break
        free = obedient or free
    if not made and led is not None and SUIT_OF[card] is not led:
        answer = renounced(state, seat, card, led=led, number=number, in_error=not following & BIT[card])
        if isinstance(answer, Refusal):
            return answer
        made = answer
    if duties and not made:
        for duty in duties:
            if _may_disobey(state, card, duty, trick):
                made = (e.Renounced(seat, number, _suit_wanted(card, duty, led), card),)
                break
    played = e.CardPlayed(seat, card, number, cites)
    if hand.turned is not None:
        return (*takes_up(state, seat, card), played, *made)
    return (played, *made) if made else (played,)


def takes_up(state: State, seat: Seat, card: Card) -> tuple[e.Event, ...]:
    """The dealer's first card takes up the trump card; left lying, it is taken up at the latest when it is played (52 · 42)."""
    hand = the_hand(state)
    if hand.turned is None or seat is not hand.dealer or (hand.trump_lying and card != hand.turned):
        return ()
    return (e.TrumpTakenUp(seat, state.code.cites(Rule.TRUMP_LEFT)),)


def _may_disobey(state: State, card: Card, duty: Duty, trick: Trick | None) -> bool:
    """Tell whether the table cannot see that the card obeys the call: it is noted then, or the note would tell (R4)."""
    code, demand, trump = state.code, duty.demand, the_hand(state).trump
    if demand not in code.disobedience or not code.has(Rule.DISOBEDIENCE):
        return False
    suit = SUIT_OF[card]
    if demand in (Demand.SUIT, Demand.NOT_SUIT):
        return trick is None and (suit is duty.suit) == (demand is Demand.NOT_SUIT)
    if demand is Demand.NOT_CARD:
        return card == duty.card
    if demand in (Demand.TRUMP_HIGHEST, Demand.TRUMP_LOWEST):
        return trick is None or suit is trump or suit is not led_suit(trick)
    if trick is None or not trick.plays:
        return duty.suit is not None
    if demand in (Demand.WIN, Demand.LOSE):
        wins = bool(beating_mask(winning(trick, trump)[1], trump) & BIT[card])
        return wins == (demand is Demand.LOSE)
    return True


def _suit_wanted(card: Card, duty: Duty, led: Suit | None) -> Suit:
    return led if led is not None else duty.suit if duty.suit is not None else SUIT_OF[card]


def renounced(
    state: State, seat: Seat, card: Card, *, led: Suit, number: int, in_error: bool
) -> tuple[e.Event, ...] | Refusal:
    """Note a card of another suit than the one led (71 · 74 · 89); dummy's is no revoke (68)."""
    code = state.code
    seen = e.Renounced(seat, number, led, card)
    if not in_error or not code.has(Rule.REVOKE):
        return (seen,)
    if seat is the_hand(state).dummy and code.has(Rule.DUMMY_REVOKES):
        strict = state.enforcement is Enforcement.STRICT
        return Refusal(Why.MUST_FOLLOW, (*code.cites(Rule.DUMMY_REVOKES), "R3")) if strict else (seen,)
    if state.enforcement is Enforcement.STRICT:
        return Refusal(Why.MUST_FOLLOW, (*code.cites(Rule.REVOKE), "R3"))
    return (seen, e.RevokeMade(seat, number, led, card, None, code.cites(Rule.REVOKE)))


def _disobeyed(
    state: State, seat: Seat, card: Card, *, duty: Duty, number: int, led: Suit | None
) -> tuple[e.Event, ...] | Refusal:
    """A lawful call not obeyed by one who could: a revoke where the code makes it one, otherwise refused (R7)."""
    code = state.code
    if duty.demand is Demand.CARD:
        if not code.has(Rule.CALL_REPEATED):
            return ()
        return Refusal(Why.MUST_OBEY, duty.cites)
    if duty.demand not in code.disobedience:
        return Refusal(Why.MUST_OBEY, (*duty.cites, *code.cites(Rule.OBEDIENCE)))
    if not code.has(Rule.DISOBEDIENCE):
        return ()
    if state.enforcement is Enforcement.STRICT:
        return Refusal(Why.MUST_OBEY, (*code.cites(Rule.DISOBEDIENCE), "R3"))
    suit = _suit_wanted(card, duty, led)
    cites = code.cites(Rule.DISOBEDIENCE)
    demand = None if led is not None and not _follows(state, seat, card, led) else duty.demand
    if demand is None:
        cites = code.cites(Rule.REVOKE)
    return (
        e.Renounced(seat, number, suit, card),
        e.RevokeMade(seat, number, suit, card, demand, cites),
    )


def _follows(state: State, seat: Seat, card: Card, led: Suit) -> bool:
    return bool(followable(the_hand(state).hands[seat], led) & BIT[card])


def _lead_out_of_turn(state: State, seat: Seat, card: Card, number: int) -> Answer:
    """A lead by one whose lead it is not (62 · 64 · 80, R30); the dealer's costs nothing (81)."""
    code, hand = state.code, the_hand(state)
    rightful = rightful_leader(hand)
    if state.enforcement is not Enforcement.CLUB or not code.has(Rule.LEAD_OUT_OF_TURN):
        return Refusal(Why.NOT_YOUR_TURN, (*code.cites(Rule.LEAD_OUT_OF_TURN), "R3"))
    rule = Rule.WRONG_HAND if dealers_side(hand, seat) and code.has(Rule.WRONG_HAND) else Rule.LEAD_OUT_OF_TURN
    return (*takes_up(state, seat, card), e.LedOutOfTurn(seat, card, number, rightful, code.cites(rule)))


def _not_in_turn(state: State, seat: Seat, card: Card, trick: Trick) -> Answer:
    """A card put to an open trick by one who was not the next to play to it."""
    code, hand = state.code, the_hand(state)
    if trick.rightful is not None:
        if seat is LEFT[trick.leader] and not has_played(trick, seat):
            return put(state, seat, card, number=trick.number, trick=trick)
        if seat is trick.rightful and len(trick.plays) == 1:
            return _rightful_lead(state, seat, card, trick)
        if seat is card_turn(hand) and len(trick.plays) > 1:
            return put(state, seat, card, number=trick.number, trick=trick)
    again = has_played(trick, seat)
    fourth = LEFT[seat] is trick.leader and (len(trick.plays) == 1 or not code.has(Rule.THIRD_FIRST))
    rule = Rule.FOURTH_FIRST if fourth else Rule.THIRD_FIRST
    if again:
        rule = Rule.PLAYED_ON if _leads_on(state, seat, trick) else Rule.ONE_CARD
    if state.enforcement is not Enforcement.CLUB:
        return Refusal(Why.NOT_YOUR_TURN, (*code.cites(rule), "R3"))
    if again:
        return _card_too_many(state, seat, card, trick)
    partner_led = len(trick.plays) == 1 and trick.leader is PARTNER[seat]
    if partner_led and code.has(Rule.SIMULTANEOUS_LEAD) and SUIT_OF[card] is not led_suit(trick):
        return (e.LedTogether(seat, card, trick.number, code.cites(Rule.SIMULTANEOUS_LEAD)),)
    return put(state, seat, card, number=trick.number, trick=trick, cites=code.cites(rule))


def led_together(state: State, event: e.LedTogether) -> tuple[e.Event, ...]:
    """Partners have led at the same time: he whose lead it was not plays highest or lowest, or his card is called (65)."""
    trick = open_trick(the_hand(state))
    assert trick is not None
    opened = open_right(
        state,
        RightKind.SIMULTANEOUS_LEAD,
        Rule.SIMULTANEOUS_LEAD,
        offender=event.seat,
        trick=event.trick,
        options=(Demand.HIGHEST, Demand.LOWEST, Demand.CARD),
        on=event.seat,
        cards=(event.card,),
        holds=state.reasonable_time,
        suit=led_suit(trick),
    )
    return (opened,)


def _rightful_lead(state: State, seat: Seat, card: Card, trick: Trick) -> Answer:
    """The rightful leader leads over the false lead, which then lies exposed (R30)."""
    offender, false = trick.plays[0]
    cites = (*state.code.cites(Rule.LEAD_OUT_OF_TURN), "R30")
    answer = put(state, seat, card, number=trick.number, trick=None)
    if isinstance(answer, Refusal):
        return answer
    return (
        e.CardReturned(offender, false, trick.number, cites),
        *expose(state, offender, (false,), cites),
        *answer,
    )


def expose(state: State, seat: Seat, cards: tuple[Card, ...], cites: tuple[str, ...]) -> tuple[e.Event, ...]:
    """Return the events by which cards come to lie face up: liable to be called if some law (`cites`) makes them so.

    The dealer's side at bridge has none that are (69).
    """
    hand = the_hand(state)
    code = state.code
    if not cites:
        return (e.CardsShown(seat, cards, ()),)
    if hand.maker is not None and code.has(Rule.DEALER_EXPOSES) and (seat - hand.dealer) % 2 == 0:
        return (e.CardsShown(seat, cards, code.cites(Rule.DEALER_EXPOSES)),)
    return (e.CardsExposed(seat, cards, cites),)


def _card_too_many(state: State, seat: Seat, card: Card, trick: Trick) -> Answer:
    """A card from one who has played to the trick already: led on without waiting (57 · 60 · 74), or merely exposed (56)."""
    code = state.code
    if _leads_on(state, seat, trick):
        cites = code.cites(Rule.PLAYED_ON)
        return (e.LedOn(seat, card, trick.number + 1, cites), *expose(state, seat, (card,), cites))
    return expose(state, seat, (card,), (*code.cites(Rule.EXPOSED), *code.cites(Rule.ONE_CARD)))


def _leads_on(state: State, seat: Seat, trick: Trick) -> bool:
    """Tell whether a second card of that seat's leads on from a trick that it wins as it lies, its partner not having played."""
    if not state.code.has(Rule.PLAYED_ON) or trick.number == 13 or has_played(trick, PARTNER[seat]):
        return False
    return winning(trick, the_hand(state).trump)[0] is seat


def completed(state: State, event: e.CardPlayed | e.CardChanged) -> tuple[e.Event, ...]:
    """The fourth card completes the trick (R1: it is counted at once, and again after a correction)."""
    hand = state.hand
    assert hand is not None
    tricks = hand.tricks
    trick = tricks[event.trick - tricks[0].number]
    if len(trick.plays) != 4:
        return ()
    return (e.TrickCompleted(trick.number, winning(trick, hand.trump)[0], ("R1",)),)


def close_lead(state: State, event: e.CardPlayed) -> tuple[e.Event, ...]:
    """A false lead that the player on its left follows is condoned by him; four cards make it stand (63 · 66 · 82)."""
    hand = the_hand(state)
    trick = hand.tricks[event.trick - hand.tricks[0].number]
    if trick.rightful is None or len(trick.plays) != 4:
        return ()
    cites = state.code.cites(Rule.FOLLOWED)
    lapsed = tuple(
        e.RightClosed(right.id, "lapsed", None, cites)
        for right in hand.rights
        if right.kind is RightKind.LEAD and right.trick == trick.number and state.code.has(Rule.FOLLOWED)
    )
    return (e.LeadCondoned(trick.number, cites), *lapsed)


ANSWERS: Answers = {Play: play}
CONSEQUENCES: Consequences = {
    e.CardPlayed: (close_lead, completed),
    e.CardChanged: (completed,),
    e.LedTogether: (led_together,),
}
