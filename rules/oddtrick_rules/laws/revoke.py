"""The revoke: made, questioned, corrected, established (71-76 · 74-80 · 89-95).

A revoke that can still be put right is `made`. Three things may happen to it, and the tables below say when:

- its side plays on, or its trick is quitted without a shield, or (where the code says so) its side throws down or claims the
  game: it is `established`;
- the offender withdraws the card: it is `withdrawn`, his adversaries choose, he plays again: `corrected`;
- a card lawfully changed takes it away.

The partner's question is the shield. Its answer `none` takes the shield away again: the quitting, done or to come, then counts.
Whether there is a revoke is a secret (R4), so nobody but the offender may be answered differently because of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, SUIT_MASK, SUIT_OF, Card
from oddtrick_rules.code import Cites, Rule
from oddtrick_rules.commands import Answer as AnswerCommand
from oddtrick_rules.commands import Ask, Change, Demand, Withdraw
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
from oddtrick_rules.laws.play import renounced, takes_up
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import LEFT, PARTNER, SEATS_OF, SIDE, Actor, Seat
from oddtrick_rules.state import (
    Hand,
    Renounce,
    Revoke,
    RevokeStage,
    RightKind,
    Stage,
    State,
    Trick,
)
from oddtrick_rules.turns import asked_seats, followable, has_played, led_suit, next_number, open_trick


def renounce_of(hand: Hand, seat: Seat, trick: int) -> Renounce | None:
    """Return the seat's renounce in that trick, as everybody saw it."""
    return next((one for one in reversed(hand.renounces) if one.seat is seat and one.trick == trick), None)


def shielded(state: State, revoke: Revoke, quitter: Seat | None) -> bool:
    """Tell whether a question keeps the quitting of the trick by `quitter` (None: nobody in particular) from establishing it.

    A question answered `none` shields nothing; where 78 holds, neither does any question against the offender's own side.
    """
    code = state.code
    if not code.has(Rule.QUESTION):
        return False
    one = renounce_of(the_hand(state), revoke.seat, revoke.trick)
    if one is None or not one.asked or one.answer == "none":
        return False
    own = quitter is not None and SIDE[quitter] == SIDE[revoke.seat]
    return not (own and code.has(Rule.QUESTION_LOST))


@dataclass(frozen=True, slots=True)
class Ground:
    """One way a revoke is established: the rule, the fact that does it, and the test it sets."""

    rule: Rule
    by: tuple[type, ...]
    met: Callable[[State, Revoke, Any], bool]


def _trick_of(hand: Hand, number: int) -> Trick | None:
    if not hand.tricks:
        return None
    index = number - hand.tricks[0].number
    return hand.tricks[index] if 0 <= index < len(hand.tricks) else None


def _quitted(state: State, revoke: Revoke, event: e.TrickQuitted) -> bool:
    if event.trick != revoke.trick:
        return False
    trick = _trick_of(the_hand(state), event.trick)
    quitter = event.seat if event.seat is not None or trick is None else trick.winner
    return not shielded(state, revoke, quitter)


def _denied(state: State, revoke: Revoke, event: e.Answered) -> bool:
    """The answer `none` after the trick was quitted under the question."""
    trick = _trick_of(the_hand(state), revoke.trick)
    return event.none and event.seat is revoke.seat and trick is not None and trick.stage is Stage.QUITTED


def _played_on(state: State, revoke: Revoke, event: e.CardPlayed | e.LedOutOfTurn | e.LedOn) -> bool:
    return event.trick > revoke.trick and SIDE[event.seat] == SIDE[revoke.seat]


def _laid_on(state: State, revoke: Revoke, event: e.LaidTogether) -> bool:
    """Two cards at once are an act of play too, whichever of them is chosen."""
    hand = the_hand(state)
    trick = open_trick(hand)
    number = trick.number if trick is not None else next_number(hand)
    return number > revoke.trick and SIDE[event.seat] == SIDE[revoke.seat]


def _claimed(state: State, revoke: Revoke, event: e.ThrewDown | e.GameClaimed) -> bool:
    return SIDE[event.seat] == SIDE[revoke.seat]


def _offered(state: State, revoke: Revoke, event: e.OfferMade) -> bool:
    return event.kind != "rest" and SIDE[event.seat] == SIDE[revoke.seat]


def _all_down(state: State, revoke: Revoke, event: e.HandEnded) -> bool:
    return event.thrown_in


GROUNDS = (
    Ground(Rule.ESTABLISHED_BY_QUITTING, (e.TrickQuitted,), _quitted),
    Ground(Rule.ESTABLISHED_BY_QUITTING, (e.Answered,), _denied),
    Ground(Rule.ESTABLISHED_BY_PLAY, (e.CardPlayed, e.LedOutOfTurn, e.LedOn), _played_on),
    Ground(Rule.ESTABLISHED_BY_PLAY, (e.LaidTogether,), _laid_on),
    Ground(Rule.ESTABLISHED_BY_CLAIM, (e.ThrewDown, e.GameClaimed), _claimed),
    Ground(Rule.ESTABLISHED_BY_CLAIM, (e.OfferMade,), _offered),
    Ground(Rule.ESTABLISHED_BY_CLAIM, (e.HandEnded,), _all_down),
    Ground(Rule.ESTABLISHED_BY_GENERAL_THROW_DOWN, (e.HandEnded,), _all_down),
)
_GROUNDS_BY_EVENT: dict[type, tuple[Ground, ...]] = {}
for _ground in GROUNDS:
    for _type in _ground.by:
        _GROUNDS_BY_EVENT[_type] = (*_GROUNDS_BY_EVENT.get(_type, ()), _ground)


def establish(state: State, event: Any) -> Iterable[e.Event]:
    """Put every revoke that meets a ground of the code beyond correction."""
    hand = state.hand
    if hand is None or not hand.revokes:
        return ()
    found = []
    for revoke in hand.revokes:
        if revoke.stage is not RevokeStage.MADE:
            continue
        for ground in _GROUNDS_BY_EVENT[event.__class__]:
            if state.code.has(ground.rule) and ground.met(state, revoke, event):
                found.append(e.RevokeEstablished(revoke.seat, revoke.trick, _ground_cites(state, ground, event)))
                break
    return found


def _ground_cites(state: State, ground: Ground, event: Any) -> Cites:
    cites = state.code.cites(ground.rule)
    if isinstance(event, e.Answered):
        return (*cites, *state.code.cites(Rule.QUESTION))
    return cites


def ask(state: State, actor: Actor, command: Ask) -> Answer:
    """The partner's question (74 · 78 · 92, R5): once a renounce, before the trick is quitted."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    code, hand = state.code, the_hand(state)
    if not code.has(Rule.QUESTION):
        return refuse(Why.NOT_IN_CODE)
    cites = code.cites(Rule.QUESTION)
    partner = PARTNER[actor]
    if partner is hand.dummy:
        return refuse(Why.NOT_NOW, cites)
    for one in reversed(hand.renounces):
        if one.seat is not partner:
            continue
        trick = _trick_of(hand, one.trick)
        if trick is None or trick.stage is Stage.QUITTED:
            return refuse(Why.TOO_LATE, cites)
        if not _may_be_asked(state, one, trick):
            continue
        if one.asked:
            return refuse(Why.ALREADY_DONE, (*cites, "R5"))
        return (e.Asked(actor, partner, one.trick, (*cites, "R5")),)
    return refuse(Why.NOT_NOW, cites)


def _may_be_asked(state: State, one: Renounce, trick: Trick) -> bool:
    """The question is about the suit renounced; where the code says so also about a call (78)."""
    if state.code.question_covers_calls:
        return True
    return bool(trick.plays) and SUIT_OF[one.card] is not led_suit(trick)


def answer(state: State, actor: Actor, command: AnswerCommand) -> Answer:
    """Answer the question that is pending."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    cites = (*state.code.cites(Rule.QUESTION), "R5")
    asked = asked_seats(the_hand(state))
    if not asked:
        return refuse(Why.NOT_NOW, cites)
    if actor not in asked:
        return refuse(Why.NOT_YOURS, cites)
    return (e.Answered(actor, command.none, cites),)


def withdraw(state: State, actor: Actor, command: Withdraw) -> Answer:
    """Take back the wrong card, face up (76 · 80 · 94, 95, R6), while the revoke is not established."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    code, hand = state.code, the_hand(state)
    cites = (*code.cites(Rule.CORRECTION), "R6")
    if not code.has(Rule.CORRECTION):
        return refuse(Why.NOT_IN_CODE)
    if hand.mending is not None:
        return refuse(Why.PENDING_CHOICE, cites)
    revoke = next((r for r in reversed(hand.revokes) if r.seat is actor and r.stage is RevokeStage.MADE), None)
    if revoke is None:
        revoke = dummys_slip(hand, actor)
    if revoke is None:
        # At bridge what the dealer has played he has played, save to mend a revoke (66).
        kept = code.cites(Rule.PLAYED_CARD) if dealers_side(hand, actor) else ()
        return _nothing_to_withdraw(hand, actor, (*kept, *cites))
    trick = _trick_of(hand, revoke.trick)
    assert trick is not None
    assert revoke.suit is not None
    assert revoke.card is not None
    order = [seat for seat, _ in trick.plays]
    later = tuple(order[order.index(revoke.seat) + 1 :])
    back = _later_cards(state, revoke.trick, cites)
    if trick.leader is revoke.seat:
        # R25: a suit led against a call is withdrawn; all that was played to it goes back.
        back = (*back, *_cards_back(trick, later, (*cites, "R25")))
        later = ()
    if not code.has(Rule.CHANGING):
        later = ()
    if revoke.seat is hand.dummy:
        cites = (*code.cites(Rule.DUMMY_REVOKES), *cites)
    withdrawn = e.CardWithdrawn(revoke.seat, revoke.trick, revoke.card, revoke.suit, revoke.demand, later, cites)
    return (*back, withdrawn)


def dummys_slip(hand: Hand, actor: Seat) -> Revoke | None:
    """Return the wrong card that the dealer has put from dummy, as long as its trick is not quitted: it is mended freely (68)."""
    dummy = hand.dummy
    if dummy is None or actor is not PARTNER[dummy]:
        return None
    for one in reversed(hand.renounces):
        trick = _trick_of(hand, one.trick)
        if one.seat is dummy and trick is not None and trick.stage is not Stage.QUITTED and trick is hand.tricks[-1]:
            wrong = hand.hands[dummy] & SUIT_MASK[one.suit]
            return Revoke(dummy, one.trick, one.suit, one.card) if wrong else None
    return None


def _nothing_to_withdraw(hand: Hand, actor: Seat, cites: Cites) -> Refusal:
    for one in reversed(hand.renounces):
        if one.seat is actor:
            trick = _trick_of(hand, one.trick)
            if trick is not None and trick.stage is not Stage.QUITTED and trick is hand.tricks[-1]:
                return refuse(Why.TRUE_RENOUNCE, cites)
            return refuse(Why.TOO_LATE, cites)
    return refuse(Why.NOT_NOW, cites)


def _cards_back(trick: Trick, seats: tuple[Seat, ...], cites: Cites) -> tuple[e.Event, ...]:
    return tuple(e.CardReturned(seat, card, trick.number, cites) for seat, card in trick.plays if seat in seats)


def _later_cards(state: State, number: int, cites: Cites) -> tuple[e.Event, ...]:
    """Send back, unexposed, the cards an adversary's early lead has brought to later tricks (R2).

    If it was a lead out of turn besides, it is one no longer.
    """
    hand = the_hand(state)
    early = (*cites, *state.code.cites(Rule.LEADING_EARLY))
    back: list[e.Event] = []
    for trick in reversed(hand.tricks):
        if trick.number > number:
            seats = tuple(seat for seat, _ in trick.plays)
            back.extend(reversed(_cards_back(trick, seats, early)))
    back.extend(
        e.RightClosed(right.id, "lapsed", None, early)
        for right in hand.rights
        if right.kind is RightKind.LEAD and right.trick > number
    )
    return tuple(back)


def choice_after_withdrawal(state: State, event: e.CardWithdrawn) -> tuple[e.Event, ...]:
    """Open the choice that the correction costs: highest or lowest now, or (waived) the wrong card to be called (76 · 80 · 94).

    Against the dealer at bridge the eldest hand alone, and only highest or lowest, and only when both adversaries have played
    and the dealer was not fourth in hand (95).
    """
    code, hand = state.code, the_hand(state)
    offender = event.seat
    options = (Demand.HIGHEST, Demand.LOWEST)
    if offender is hand.dummy:
        return ()
    if not dealers_side(hand, offender):
        opened = open_right(
            state,
            RightKind.CORRECTION,
            Rule.CORRECTION,
            offender=offender,
            trick=event.trick,
            options=options,
            on=offender,
            cards=(event.card,),
            holds=True,
            suit=event.suit,
        )
        return (opened,)
    trick = _trick_of(hand, event.trick)
    adversaries = SEATS_OF[1 - SIDE[offender]]
    if (
        not code.has(Rule.DEALER_CORRECTION)
        or trick is None
        or not event.later
        or not all(has_played(trick, seat) for seat in adversaries)
    ):
        return ()
    opened = open_right(
        state,
        RightKind.CORRECTION,
        Rule.DEALER_CORRECTION,
        offender=offender,
        trick=event.trick,
        options=options,
        on=offender,
        holds=True,
        suit=event.suit,
        entitled=(LEFT[hand.dealer],),
    )
    return (opened,)


def corrected(state: State, event: e.CardPlayed) -> tuple[e.Event, ...]:
    """The offender has played again."""
    if the_hand(state).mending is not event.seat:
        return ()
    return (e.RevokeCorrected(event.seat, event.trick, state.code.cites(Rule.CORRECTION)),)


def change(state: State, actor: Actor, command: Change) -> Answer:
    """Change a card played after one since withdrawn: any number of seats, the offender's partner too, free of liability."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    code, hand = state.code, the_hand(state)
    seat = _changing_seat(hand, actor, command.card)
    cites = (*code.cites(Rule.CHANGING), "R6")
    if actor is hand.dummy:
        return refuse(Why.NOT_YOURS, code.cites(Rule.DUMMY))
    trick = next((one for one in hand.tricks[-2:] if seat in one.later), None)
    if trick is None:
        return refuse(Why.NO_RIGHT, (*(code.cites(Rule.PLAYED_CARD) if dealers_side(hand, actor) else ()), *cites))
    laid = any(right.kind is RightKind.TWO_CARDS and right.offender is seat for right in hand.rights)
    if laid or any(has_played(one, seat) for one in hand.tricks if one.number > trick.number):
        return refuse(Why.TOO_LATE, cites)
    if hand.mending is not None:
        return refuse(Why.PENDING_CHOICE, cites)
    if not hand.hands[seat] & BIT[command.card]:
        return refuse(Why.NO_SUCH_CARD)
    old = next(card for who, card in trick.plays if who is seat)
    led = led_suit(trick)
    following = followable(hand.hands[seat] | BIT[old], led)
    # A revoke established in the trick already is paid for once, whatever card takes its card's place.
    his = [r.stage for r in hand.revokes if r.seat is seat and r.trick == trick.number]
    noted: tuple[e.Event, ...] = ()
    if SUIT_OF[command.card] is not led:
        in_error = not following & BIT[command.card] and RevokeStage.ESTABLISHED not in his
        judged = renounced(state, seat, command.card, led=led, number=trick.number, in_error=in_error)
        if isinstance(judged, Refusal):
            return judged
        noted = judged
    lifted: tuple[e.Event, ...] = ()
    if RevokeStage.MADE in his:
        lifted = (e.RevokeLifted(seat, trick.number, cites),)
    changed = e.CardChanged(seat, trick.number, old, command.card, cites)
    return (*takes_up(state, seat, command.card), changed, *lifted, *noted)


def _changing_seat(hand: Hand, actor: Seat, card: Card) -> Seat:
    """Return the seat whose card is to be changed: at bridge the dealer means dummy's by naming another of dummy's."""
    plays_dummy = hand.dummy is not None and actor is PARTNER[hand.dummy]
    return PARTNER[actor] if plays_dummy and hand.hands[PARTNER[actor]] & BIT[card] else actor


def led_on_before(state: State, event: e.TrickCompleted) -> Iterable[e.Event]:
    """A card is changed when the next trick has been led: what was led goes back if the trick is now another's (R2).

    If it stands, a revoke that the change has made by one whose side has played on is beyond correction.
    """
    hand, code = the_hand(state), state.code
    following = _trick_of(hand, event.trick + 1)
    if following is None:
        return ()
    leader = following.rightful if following.rightful is not None else following.leader
    if event.winner is not leader:
        return _later_cards(state, event.trick, (*code.cites(Rule.CHANGING), "R6"))
    if not code.has(Rule.ESTABLISHED_BY_PLAY):
        return ()
    sides = {SIDE[seat] for seat, _ in following.plays}
    return [
        e.RevokeEstablished(one.seat, one.trick, code.cites(Rule.ESTABLISHED_BY_PLAY))
        for one in hand.revokes
        if one.trick == event.trick and one.stage is RevokeStage.MADE and SIDE[one.seat] in sides
    ]


def lapse_question(state: State) -> tuple[e.Event, ...]:
    """The clock has run out on the question: silence is no answer (R5)."""
    question = the_hand(state).question
    assert question is not None
    return (e.QuestionLapsed(question, (*state.code.cites(Rule.QUESTION), "R5", "R32")),)


ANSWERS: Answers = {Ask: ask, AnswerCommand: answer, Withdraw: withdraw, Change: change}
CONSEQUENCES: Consequences = {
    e.CardPlayed: (establish, corrected),
    e.LedOutOfTurn: (establish,),
    e.LedOn: (establish,),
    e.LaidTogether: (establish,),
    e.TrickQuitted: (establish,),
    e.Answered: (establish,),
    e.ThrewDown: (establish,),
    e.GameClaimed: (establish,),
    e.OfferMade: (establish,),
    e.HandEnded: (establish,),
    e.CardWithdrawn: (choice_after_withdrawal,),
    e.TrickCompleted: (led_on_before,),
}
