"""Facts of the play recorded: cards, tricks, questions and corrections, exposed cards, rights and calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, mask_of
from oddtrick_rules.commands import LEAD_DEMANDS
from oddtrick_rules.recording import (
    back_to_hand,
    hand_of,
    is_secret,
    made_public,
    noted,
    plus,
    put,
    put_trick,
    restaged,
    shown,
    slipped,
    staged,
    trick_at,
    with_mask,
    without_play,
)
from oddtrick_rules.records import changed
from oddtrick_rules.seats import SEATS, SIDE, Seat
from oddtrick_rules.state import (
    NO_DUTIES,
    Duties,
    Duty,
    Hand,
    Masks,
    Offer,
    Phase,
    Renounce,
    Revoke,
    RevokeStage,
    Right,
    Stage,
    State,
    Trick,
)


def _hand_dealt(state: State, event: e.HandDealt) -> State:
    # The turn-up concludes a game won before it: what of its score was marked wrongly stands.
    concluded = state.slips.score is not None and state.hand is not None and state.hand.game_won
    masks = (
        mask_of(event.hands[0]),
        mask_of(event.hands[1]),
        mask_of(event.hands[2]),
        mask_of(event.hands[3]),
    )
    dealt = masks
    seen: Masks = (0, 0, 0, 0)
    if event.turned is not None:
        seen = with_mask(seen, event.dealer, BIT[event.turned])
        masks = with_mask(masks, event.dealer, masks[event.dealer] | BIT[event.turned])
    hand = Hand(
        number=event.number,
        dealer=event.dealer,
        hands=masks,
        held=(event.size,) * 4,
        seen=seen,
        dealt=dealt,
        size=event.size,
        trump=event.trump,
        turned=event.turned,
        trump_card=event.trump_card,
        leader=event.leader,
        score_before=state.score,
        owed_before=None if concluded else state.slips.score,
        declaring=event.dealer if event.trump is None else None,
    )
    phase = Phase.PLAYING if event.trump is not None else Phase.DECLARING
    after = changed(state, hand=hand, phase=phase, hands_dealt=event.number, rubber=None)
    return slipped(after, score=None) if concluded else after


def _card_played(state: State, event: e.CardPlayed) -> State:
    hand = state.hand
    assert hand is not None
    seat = event.seat
    bit = BIT[event.card]
    held = hand.held
    tricks = hand.tricks
    play = (seat, event.card)
    if tricks and tricks[-1].number >= event.trick:
        if tricks[-1].number == event.trick:
            last = tricks[-1]
            tricks = (*tricks[:-1], changed(last, plays=(*last.plays, play)))
        else:
            index = event.trick - tricks[0].number
            trick = tricks[index]
            tricks = (*tricks[:index], changed(trick, plays=(*trick.plays, play)), *tricks[index + 1 :])
    else:
        tricks = (*tricks, Trick(event.trick, seat, (play,)))
    values: dict[str, Any] = {
        "hands": with_mask(hand.hands, seat, hand.hands[seat] & ~bit),
        "held": (*held[:seat], held[seat] - 1, *held[seat + 1 :]),
        "tricks": tricks,
    }
    if hand.seen[seat] & bit:
        values["seen"] = with_mask(hand.seen, seat, hand.seen[seat] & ~bit)
        values["exposed"] = with_mask(hand.exposed, seat, hand.exposed[seat] & ~bit)
    return changed(state, hand=changed(hand, **values))


def _led_out_of_turn(state: State, event: e.LedOutOfTurn) -> State:
    after = _card_played(state, e.CardPlayed(event.seat, event.card, event.trick))
    return put_trick(after, event.trick, {"rightful": event.rightful})


def _lead_condoned(state: State, event: e.LeadCondoned) -> State:
    return put_trick(state, event.trick, {"rightful": None})


def _card_returned(state: State, event: e.CardReturned) -> State:
    hand = hand_of(state)
    revokes = tuple(r for r in hand.revokes if not (r.seat == event.seat and r.trick == event.trick and is_secret(r)))
    return changed(
        state,
        hand=changed(
            hand,
            revokes=revokes,
            **_others(hand, event.seat, event.trick),
            **without_play(hand, event.trick, event.seat),
            **back_to_hand(hand, event.seat, event.card),
        ),
    )


def _renounced(state: State, event: e.Renounced) -> State:
    return put(
        state,
        renounces=(*hand_of(state).renounces, Renounce(event.seat, event.trick, event.suit, event.card)),
    )


def _revoke_made(state: State, event: e.RevokeMade) -> State:
    revoke = Revoke(event.seat, event.trick, event.suit, event.card, demand=event.demand)
    return put(state, revokes=(*hand_of(state).revokes, revoke))


def _revoke_lifted(state: State, event: e.RevokeLifted) -> State:
    hand = hand_of(state)
    kept = tuple(
        r for r in hand.revokes if not (r.seat == event.seat and r.trick == event.trick and r.stage == RevokeStage.MADE)
    )
    return changed(state, hand=changed(hand, revokes=kept))


def _revoke_established(state: State, event: e.RevokeEstablished) -> State:
    return restaged(state, event.seat, event.trick, RevokeStage.ESTABLISHED)


def _revoke_barred(state: State, event: e.RevokeBarred) -> State:
    return restaged(state, event.seat, event.trick, RevokeStage.BARRED)


def _trick_completed(state: State, event: e.TrickCompleted) -> State:
    hand = state.hand
    assert hand is not None
    tricks = hand.tricks
    index = event.trick - tricks[0].number
    trick = changed(tricks[index], winner=event.winner, stage=Stage.COMPLETE)
    side = event.winner & 1
    taken = hand.taken
    return changed(
        state,
        hand=changed(
            hand,
            tricks=(*tricks[:index], trick, *tricks[index + 1 :]),
            taken=(taken[0] + 1, taken[1]) if side == 0 else (taken[0], taken[1] + 1),
        ),
    )


def _trick_gathered(state: State, event: e.TrickGathered) -> State:
    return put_trick(state, event.trick, {"stage": Stage.GATHERED})


def _trick_quitted(state: State, event: e.TrickQuitted) -> State:
    return put_trick(state, event.trick, {"stage": Stage.QUITTED, "later": ()})


def _asked(state: State, event: e.Asked) -> State:
    renounces = list(hand_of(state).renounces)
    for index in range(len(renounces) - 1, -1, -1):
        if renounces[index].seat == event.of and renounces[index].trick == event.trick:
            renounces[index] = replace(renounces[index], asked=True, answer=None)
            break
    return put(state, **_renounces(renounces))


def _renounces(renounces: Iterable[Renounce]) -> dict[str, Any]:
    """The values that go with the renounces: the question that waits for its answer is the first of those not answered."""
    kept = tuple(renounces)
    return {"renounces": kept, "question": next((r.seat for r in kept if r.asked and r.answer is None), None)}


def _others(hand: Hand, seat: Seat, trick: int) -> dict[str, Any]:
    """The renounces but for that seat's in that trick."""
    return _renounces(r for r in hand.renounces if not (r.seat == seat and r.trick == trick))


def _answer(state: State, seat: Seat, answer: str) -> State:
    answered = (
        replace(one, answer=answer) if one.seat == seat and one.asked and one.answer is None else one
        for one in hand_of(state).renounces
    )
    return put(state, **_renounces(answered))


def _answered(state: State, event: e.Answered) -> State:
    return _answer(state, event.seat, "none" if event.none else "some")


def _question_lapsed(state: State, event: e.QuestionLapsed) -> State:
    return _answer(state, event.seat, "silence")


def _card_withdrawn(state: State, event: e.CardWithdrawn) -> State:
    hand = hand_of(state)
    withdrawn = Revoke(event.seat, event.trick, event.suit, event.card, RevokeStage.WITHDRAWN, event.demand)
    revokes = made_public(hand.revokes, withdrawn)
    values = without_play(hand, event.trick, event.seat)
    tricks = values["tricks"]
    if tricks and tricks[-1].number >= event.trick:
        index = event.trick - tricks[0].number
        tricks = (*tricks[:index], changed(tricks[index], later=event.later), *tricks[index + 1 :])
        values["tricks"] = tricks
    return changed(
        state,
        hand=changed(
            hand,
            revokes=revokes,
            mending=event.seat,
            **_others(hand, event.seat, event.trick),
            **values,
            **back_to_hand(hand, event.seat, event.card),
        ),
    )


def _revoke_corrected(state: State, event: e.RevokeCorrected) -> State:
    revokes = tuple(
        staged(one, RevokeStage.CORRECTED)
        if one.stage == RevokeStage.WITHDRAWN and one.seat == event.seat and one.trick == event.trick
        else one
        for one in hand_of(state).revokes
    )
    return put(state, revokes=revokes, mending=None)


def _card_changed(state: State, event: e.CardChanged) -> State:
    hand = hand_of(state)
    index = trick_at(hand, event.trick)
    trick = hand.tricks[index]
    plays = tuple((seat, event.card) if seat == event.seat else (seat, card) for seat, card in trick.plays)
    later = tuple(seat for seat in trick.later if seat != event.seat)
    taken = hand.taken if trick.winner is None else plus(hand.taken, SIDE[trick.winner], -1)
    new = changed(trick, plays=plays, later=later, winner=None, stage=Stage.OPEN)
    seat = event.seat
    old, bit = BIT[event.old], BIT[event.card]
    return changed(
        state,
        hand=changed(
            hand,
            tricks=(*hand.tricks[:index], new, *hand.tricks[index + 1 :]),
            taken=taken,
            hands=with_mask(hand.hands, seat, (hand.hands[seat] | old) & ~bit),
            seen=with_mask(hand.seen, seat, (hand.seen[seat] | old) & ~bit),
            exposed=with_mask(hand.exposed, seat, hand.exposed[seat] & ~bit),
            **_others(hand, seat, event.trick),
        ),
    )


def _cards_exposed(state: State, event: e.CardsExposed) -> State:
    return shown(state, event.seat, event.cards, exposed=True)


def _cards_shown(state: State, event: e.CardsShown) -> State:
    return shown(state, event.seat, event.cards, exposed=False)


def _cards_picked_up(state: State, event: e.CardsPickedUp) -> State:
    hand = hand_of(state)
    return put(state, exposed=with_mask(hand.exposed, event.seat, hand.exposed[event.seat] & ~mask_of(event.cards)))


def _led_together(state: State, event: e.LedTogether) -> State:
    return shown(state, event.seat, (event.card,), exposed=False)


def _laid_together(state: State, event: e.LaidTogether) -> State:
    return shown(state, event.seat, event.cards, exposed=False)


def _right_opened(state: State, event: e.RightOpened) -> State:
    hand = hand_of(state)
    return put(state, rights=(*hand.rights, event.right), rights_made=max(hand.rights_made, event.right.id))


def _right_kept(state: State, event: e.RightKept) -> State:
    rights = tuple(_narrowed(right, event) if right.id == event.right else right for right in hand_of(state).rights)
    return put(state, rights=rights)


def _narrowed(right: Right, event: e.RightKept) -> Right:
    return replace(right, options=event.options)


def _right_closed(state: State, event: e.RightClosed) -> State:
    return put(state, rights=tuple(right for right in hand_of(state).rights if right.id != event.right))


def _called(state: State, event: e.Called) -> State:
    duty = Duty(event.demand, event.cites, event.card, event.suit, event.right)
    return _bind(state, event.seats, duty, lead=event.demand in LEAD_DEMANDS)


def _bind(state: State, seats: tuple[Seat, ...], duty: Duty | None, *, lead: bool) -> State:
    hand = hand_of(state)
    each = hand.lead_duties if lead else hand.duties
    n, ea, s, w = (duty if seat in seats else each[seat] for seat in SEATS)
    # Always the one and the same when nobody is bound, by which the judge knows a regular hand.
    duties: Duties = NO_DUTIES if n is ea is s is w is None else (n, ea, s, w)
    return put(state, lead_duties=duties) if lead else put(state, duties=duties)


def _duty_ended(state: State, event: e.DutyEnded) -> State:
    return _bind(state, event.seats, None, lead=event.lead)


def _call_lost(state: State, event: e.CallLost) -> State:
    return put(state, uncallable=(*hand_of(state).uncallable, event.seat))


def _calls_restored(state: State, event: e.CallsRestored) -> State:
    return put(state, uncallable=())


def _trump_taken_up(state: State, event: e.TrumpTakenUp) -> State:
    hand, seat = hand_of(state), event.seat
    values: dict[str, Any] = {"turned": None, "trump_lying": False}
    if hand.turned is not None and seat not in hand.thrown:
        bit = BIT[hand.turned]
        values["seen"] = with_mask(hand.seen, seat, hand.seen[seat] & ~bit)
        values["exposed"] = with_mask(hand.exposed, seat, hand.exposed[seat] & ~bit)
        if not hand.dealt[seat]:  # a view that is not the dealer's: its viewer is no longer told the card
            values["hands"] = with_mask(hand.hands, seat, hand.hands[seat] & ~bit)
    return changed(state, hand=changed(hand, **values))


def _trump_left(state: State, event: e.TrumpLeft) -> State:
    return put(state, trump_lying=True)


def _threw_down(state: State, event: e.ThrewDown) -> State:
    after = shown(state, event.seat, event.cards, exposed=False)
    return put(after, thrown=(*hand_of(after).thrown, event.seat))


def _claimed(state: State, event: e.GameClaimed | e.RestClaimed) -> State:
    hand = hand_of(state)
    return state if hand.claimed is not None else put(state, claimed=SIDE[event.seat])


def _offer_made(state: State, event: e.OfferMade) -> State:
    return put(state, offer=Offer(event.seat, event.kind))


def _offer_agreed(state: State, event: e.OfferAgreed) -> State:
    offer = hand_of(state).offer
    assert offer is not None
    return put(state, offer=Offer(offer.by, offer.kind, (*offer.agreed, event.seat)))


def _offer_closed(state: State, event: e.OfferClosed) -> State:
    return put(state, offer=None)


RECORDERS: Final[dict[type, Callable[[State, Any], State]]] = {
    e.HandDealt: _hand_dealt,
    e.CardPlayed: _card_played,
    e.LedOutOfTurn: _led_out_of_turn,
    e.LeadCondoned: _lead_condoned,
    e.CardReturned: _card_returned,
    e.Renounced: _renounced,
    e.RevokeMade: _revoke_made,
    e.RevokeLifted: _revoke_lifted,
    e.RevokeEstablished: _revoke_established,
    e.RevokeBarred: _revoke_barred,
    e.TrickCompleted: _trick_completed,
    e.TrickGathered: _trick_gathered,
    e.TrickQuitted: _trick_quitted,
    e.Asked: _asked,
    e.Answered: _answered,
    e.QuestionLapsed: _question_lapsed,
    e.CardWithdrawn: _card_withdrawn,
    e.RevokeCorrected: _revoke_corrected,
    e.CardChanged: _card_changed,
    e.CardsExposed: _cards_exposed,
    e.CardsShown: _cards_shown,
    e.CardsPickedUp: _cards_picked_up,
    e.LedOn: noted,
    e.LedTogether: _led_together,
    e.LaidTogether: _laid_together,
    e.RightOpened: _right_opened,
    e.RightKept: _right_kept,
    e.RightClosed: _right_closed,
    e.Called: _called,
    e.DutyEnded: _duty_ended,
    e.CallLost: _call_lost,
    e.CallsRestored: _calls_restored,
    e.Placed: noted,
    e.Reviewed: noted,
    e.SaidMine: noted,
    e.CardNamed: noted,
    e.TrumpForgotten: noted,
    e.TrumpTakenUp: _trump_taken_up,
    e.TrumpLeft: _trump_left,
    e.ThrewDown: _threw_down,
    e.GameClaimed: _claimed,
    e.RestClaimed: _claimed,
    e.OfferMade: _offer_made,
    e.OfferAgreed: _offer_agreed,
    e.OfferClosed: _offer_closed,
}
