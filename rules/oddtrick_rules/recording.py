"""What recording a fact takes: the records of a state changed, cards moved between hands and tricks, revokes restaged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, Mask, mask_of
from oddtrick_rules.records import changed
from oddtrick_rules.seats import SIDE, Seat, Side
from oddtrick_rules.state import Hand, Masks, Pair, Revoke, RevokeStage, Stage, State


def with_mask(masks: Masks, seat: Seat, mask: Mask) -> Masks:
    """Return the masks with that seat's set replaced."""
    n, e_, s, w = masks
    if seat == 0:
        return (mask, e_, s, w)
    if seat == 1:
        return (n, mask, s, w)
    if seat == 2:
        return (n, e_, mask, w)
    return (n, e_, s, mask)


def plus(pair: Pair, side: Side, points: int) -> Pair:
    """Return the pair with points added to that side."""
    return (pair[0] + points, pair[1]) if side == 0 else (pair[0], pair[1] + points)


def hand_of(state: State) -> Hand:
    """Return the hand a fact is about."""
    hand = state.hand
    assert hand is not None
    return hand


def put(state: State, **values: Any) -> State:
    """Return the state with those values put into its hand."""
    return changed(state, hand=changed(hand_of(state), **values))


def trick_at(hand: Hand, number: int) -> int:
    """Return the index of the trick of that number; the last one as a rule."""
    index = number - hand.tricks[0].number
    assert 0 <= index < len(hand.tricks)
    return index


def put_trick(state: State, number: int, values: dict[str, Any], **hand_values: Any) -> State:
    """Return the state with those values put into the trick of that number, and others into the hand."""
    hand = hand_of(state)
    tricks = hand.tricks
    index = number - tricks[0].number
    trick = changed(tricks[index], **values)
    return changed(state, hand=changed(hand, tricks=(*tricks[:index], trick, *tricks[index + 1 :]), **hand_values))


def back_to_hand(hand: Hand, seat: Seat, card: int) -> dict[str, Any]:
    """The values by which a card everybody has seen goes back to its hand."""
    bit = BIT[card]
    held = hand.held
    return {
        "hands": with_mask(hand.hands, seat, hand.hands[seat] | bit),
        "seen": with_mask(hand.seen, seat, hand.seen[seat] | bit),
        "held": (*held[:seat], held[seat] + 1, *held[seat + 1 :]),
    }


def without_play(hand: Hand, number: int, seat: Seat) -> dict[str, Any]:
    """The values by which a seat's card leaves a trick; a trick left empty is gone, a complete one is open again."""
    index = trick_at(hand, number)
    trick = hand.tricks[index]
    plays = tuple(play for play in trick.plays if play[0] != seat)
    values: dict[str, Any] = {}
    if trick.winner is not None:
        values["taken"] = plus(hand.taken, SIDE[trick.winner], -1)
    if plays:
        reopened = changed(trick, plays=plays, winner=None, stage=Stage.OPEN)
        values["tricks"] = (*hand.tricks[:index], reopened, *hand.tricks[index + 1 :])
    else:
        values["tricks"] = (*hand.tricks[:index], *hand.tricks[index + 1 :])
        if not values["tricks"]:
            values["leader"] = trick.rightful if trick.rightful is not None else trick.leader
    return values


def is_secret(revoke: Revoke) -> bool:
    """Tell whether nobody but its offender may know of the revoke."""
    return revoke.stage in (RevokeStage.MADE, RevokeStage.ESTABLISHED)


def restaged(state: State, seat: Seat, trick: int, stage: RevokeStage) -> State:
    """Move the latest live revoke of that seat in that trick to another stage."""
    revokes = list(hand_of(state).revokes)
    for index in range(len(revokes) - 1, -1, -1):
        revoke = revokes[index]
        if revoke.seat == seat and revoke.trick == trick and revoke.stage != RevokeStage.CORRECTED:
            revokes[index] = staged(revoke, stage)
            break
    return put(state, revokes=tuple(revokes))


def staged(revoke: Revoke, stage: RevokeStage, *, number: int = 0) -> Revoke:
    """Return the revoke at that stage; a number, if given, is its place in the order charged."""
    return Revoke(
        revoke.seat,
        revoke.trick,
        revoke.suit,
        revoke.card,
        stage,
        revoke.demand,
        number or revoke.number,
        revoke.penalty,
    )


def made_public(revokes: tuple[Revoke, ...], public: Revoke) -> tuple[Revoke, ...]:
    """Put a revoke that becomes known to all last, in place of what was known of it in secret.

    Public revokes stand in the order in which they became so: another would tell when the secret ones were made.
    """
    kept = tuple(r for r in revokes if not (r.seat == public.seat and r.trick == public.trick and is_secret(r)))
    return (*kept, public)


def shown(state: State, seat: Seat, cards: e.Cards, *, exposed: bool) -> State:
    """Return the state with those cards of a hand seen by all, and if `exposed` liable to be called."""
    hand = hand_of(state)
    mask = mask_of(cards)
    values: dict[str, Any] = {
        "hands": with_mask(hand.hands, seat, hand.hands[seat] | mask),
        "seen": with_mask(hand.seen, seat, hand.seen[seat] | mask),
    }
    if exposed:
        values["exposed"] = with_mask(hand.exposed, seat, hand.exposed[seat] | mask)
    return changed(state, hand=changed(hand, **values))


def slipped(state: State, **values: Any) -> State:
    """Put what the score sheet ought to say; nothing is made anew where nothing was marked wrongly."""
    slips = replace(state.slips, **values)
    return state if slips == state.slips else changed(state, slips=slips)


def noted(state: State, event: e.Event) -> State:
    """Return the state as it is: some facts only have to be known."""
    return state
