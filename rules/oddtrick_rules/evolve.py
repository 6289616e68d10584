"""`evolve(state, event)`: record a fact. Total, and free of rules: whatever follows from a fact is another event.

The same function folds the full log into the table's state and what a viewer was shown into his view, so no step here may rest on
what only the table knows: cards are added to and taken from hands by sets, and a revoke the viewer never heard of is added when
it becomes public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, Mask, mask_of
from oddtrick_rules.commands import Sheet
from oddtrick_rules.records import changed
from oddtrick_rules.seats import OTHER_SIDE, SIDE, Seat, Side
from oddtrick_rules.state import (
    BetLaid,
    Charge,
    Duty,
    Hand,
    Masks,
    Offer,
    Pair,
    Phase,
    Renounce,
    Revoke,
    RevokeStage,
    Right,
    Rubber,
    Slips,
    Stage,
    State,
    Trick,
    Verdict,
)


def evolve(state: State, event: e.Event) -> State:
    """Return the state after the event."""
    return _EVOLVE[event.__class__](state, event)


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


def _plus(pair: Pair, side: Side, points: int) -> Pair:
    return (pair[0] + points, pair[1]) if side == 0 else (pair[0], pair[1] + points)


def _hand(state: State) -> Hand:
    hand = state.hand
    assert hand is not None
    return hand


def _put(state: State, **values: Any) -> State:
    return changed(state, hand=changed(_hand(state), **values))


def _trick_at(hand: Hand, number: int) -> int:
    """Return the index of the trick of that number; the last one as a rule."""
    index = number - hand.tricks[0].number
    assert 0 <= index < len(hand.tricks)
    return index


def _put_trick(state: State, number: int, values: dict[str, Any], **hand_values: Any) -> State:
    hand = _hand(state)
    tricks = hand.tricks
    index = number - tricks[0].number
    trick = changed(tricks[index], **values)
    return changed(state, hand=changed(hand, tricks=(*tricks[:index], trick, *tricks[index + 1 :]), **hand_values))


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
    return _slip(after, score=None) if concluded else after


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
    return _put_trick(after, event.trick, {"rightful": event.rightful})


def _lead_condoned(state: State, event: e.LeadCondoned) -> State:
    return _put_trick(state, event.trick, {"rightful": None})


def _back_to_hand(hand: Hand, seat: Seat, card: int) -> dict[str, Any]:
    """The values by which a card everybody has seen goes back to its hand."""
    bit = BIT[card]
    held = hand.held
    return {
        "hands": with_mask(hand.hands, seat, hand.hands[seat] | bit),
        "seen": with_mask(hand.seen, seat, hand.seen[seat] | bit),
        "held": (*held[:seat], held[seat] + 1, *held[seat + 1 :]),
    }


def _without_play(hand: Hand, number: int, seat: Seat) -> dict[str, Any]:
    """The values by which a seat's card leaves a trick; a trick left empty is gone, a complete one is open again."""
    index = _trick_at(hand, number)
    trick = hand.tricks[index]
    plays = tuple(play for play in trick.plays if play[0] != seat)
    values: dict[str, Any] = {}
    if trick.winner is not None:
        values["taken"] = _plus(hand.taken, SIDE[trick.winner], -1)
    if plays:
        reopened = changed(trick, plays=plays, winner=None, stage=Stage.OPEN)
        values["tricks"] = (*hand.tricks[:index], reopened, *hand.tricks[index + 1 :])
    else:
        values["tricks"] = (*hand.tricks[:index], *hand.tricks[index + 1 :])
        if not values["tricks"]:
            values["leader"] = trick.rightful if trick.rightful is not None else trick.leader
    return values


def _card_returned(state: State, event: e.CardReturned) -> State:
    hand = _hand(state)
    revokes = tuple(r for r in hand.revokes if not (r.seat == event.seat and r.trick == event.trick and _secret(r)))
    return changed(
        state,
        hand=changed(
            hand,
            revokes=revokes,
            **_others(hand, event.seat, event.trick),
            **_without_play(hand, event.trick, event.seat),
            **_back_to_hand(hand, event.seat, event.card),
        ),
    )


def _secret(revoke: Revoke) -> bool:
    return revoke.stage in (RevokeStage.MADE, RevokeStage.ESTABLISHED)


def _renounced(state: State, event: e.Renounced) -> State:
    return _put(
        state,
        renounces=(*_hand(state).renounces, Renounce(event.seat, event.trick, event.suit, event.card)),
    )


def _revoke_made(state: State, event: e.RevokeMade) -> State:
    revoke = Revoke(event.seat, event.trick, event.suit, event.card, demand=event.demand)
    return _put(state, revokes=(*_hand(state).revokes, revoke))


def _restage(state: State, seat: Seat, trick: int, stage: RevokeStage) -> State:
    """Move the latest live revoke of that seat in that trick to another stage."""
    revokes = list(_hand(state).revokes)
    for index in range(len(revokes) - 1, -1, -1):
        revoke = revokes[index]
        if revoke.seat == seat and revoke.trick == trick and revoke.stage != RevokeStage.CORRECTED:
            revokes[index] = _staged(revoke, stage)
            break
    return _put(state, revokes=tuple(revokes))


def _staged(revoke: Revoke, stage: RevokeStage, *, number: int = 0) -> Revoke:
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


def _revoke_lifted(state: State, event: e.RevokeLifted) -> State:
    hand = _hand(state)
    kept = tuple(
        r for r in hand.revokes if not (r.seat == event.seat and r.trick == event.trick and r.stage == RevokeStage.MADE)
    )
    return changed(state, hand=changed(hand, revokes=kept))


def _revoke_established(state: State, event: e.RevokeEstablished) -> State:
    return _restage(state, event.seat, event.trick, RevokeStage.ESTABLISHED)


def _revoke_barred(state: State, event: e.RevokeBarred) -> State:
    return _restage(state, event.seat, event.trick, RevokeStage.BARRED)


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
    return _put_trick(state, event.trick, {"stage": Stage.GATHERED})


def _trick_quitted(state: State, event: e.TrickQuitted) -> State:
    return _put_trick(state, event.trick, {"stage": Stage.QUITTED, "later": ()})


def _asked(state: State, event: e.Asked) -> State:
    renounces = list(_hand(state).renounces)
    for index in range(len(renounces) - 1, -1, -1):
        if renounces[index].seat == event.of and renounces[index].trick == event.trick:
            renounces[index] = replace(renounces[index], asked=True, answer=None)
            break
    return _put(state, **_renounces(renounces))


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
        for one in _hand(state).renounces
    )
    return _put(state, **_renounces(answered))


def _answered(state: State, event: e.Answered) -> State:
    return _answer(state, event.seat, "none" if event.none else "some")


def _question_lapsed(state: State, event: e.QuestionLapsed) -> State:
    return _answer(state, event.seat, "silence")


def _card_withdrawn(state: State, event: e.CardWithdrawn) -> State:
    hand = _hand(state)
    withdrawn = Revoke(event.seat, event.trick, event.suit, event.card, RevokeStage.WITHDRAWN, event.demand)
    revokes = _made_public(hand.revokes, withdrawn)
    values = _without_play(hand, event.trick, event.seat)
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
            **_back_to_hand(hand, event.seat, event.card),
        ),
    )


def _made_public(revokes: tuple[Revoke, ...], public: Revoke) -> tuple[Revoke, ...]:
    """Put a revoke that becomes known to all last, in place of what was known of it in secret.

    Public revokes stand in the order in which they became so: another would tell when the secret ones were made.
    """
    kept = tuple(r for r in revokes if not (r.seat == public.seat and r.trick == public.trick and _secret(r)))
    return (*kept, public)


def _revoke_corrected(state: State, event: e.RevokeCorrected) -> State:
    revokes = tuple(
        _staged(one, RevokeStage.CORRECTED)
        if one.stage == RevokeStage.WITHDRAWN and one.seat == event.seat and one.trick == event.trick
        else one
        for one in _hand(state).revokes
    )
    return _put(state, revokes=revokes, mending=None)


def _card_changed(state: State, event: e.CardChanged) -> State:
    hand = _hand(state)
    index = _trick_at(hand, event.trick)
    trick = hand.tricks[index]
    plays = tuple((seat, event.card) if seat == event.seat else (seat, card) for seat, card in trick.plays)
    later = tuple(seat for seat in trick.later if seat != event.seat)
    taken = hand.taken if trick.winner is None else _plus(hand.taken, SIDE[trick.winner], -1)
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


def _show(state: State, seat: Seat, cards: e.Cards, *, exposed: bool) -> State:
    hand = _hand(state)
    mask = mask_of(cards)
    values: dict[str, Any] = {
        "hands": with_mask(hand.hands, seat, hand.hands[seat] | mask),
        "seen": with_mask(hand.seen, seat, hand.seen[seat] | mask),
    }
    if exposed:
        values["exposed"] = with_mask(hand.exposed, seat, hand.exposed[seat] | mask)
    return changed(state, hand=changed(hand, **values))


def _cards_exposed(state: State, event: e.CardsExposed) -> State:
    return _show(state, event.seat, event.cards, exposed=True)


def _cards_shown(state: State, event: e.CardsShown) -> State:
    return _show(state, event.seat, event.cards, exposed=False)


def _cards_picked_up(state: State, event: e.CardsPickedUp) -> State:
    hand = _hand(state)
    return _put(state, exposed=with_mask(hand.exposed, event.seat, hand.exposed[event.seat] & ~mask_of(event.cards)))


def _led_together(state: State, event: e.LedTogether) -> State:
    return _show(state, event.seat, (event.card,), exposed=False)


def _laid_together(state: State, event: e.LaidTogether) -> State:
    return _show(state, event.seat, event.cards, exposed=False)


def _right_opened(state: State, event: e.RightOpened) -> State:
    hand = _hand(state)
    return _put(state, rights=(*hand.rights, event.right), rights_made=max(hand.rights_made, event.right.id))


def _right_kept(state: State, event: e.RightKept) -> State:
    rights = tuple(_narrowed(right, event) if right.id == event.right else right for right in _hand(state).rights)
    return _put(state, rights=rights)


def _narrowed(right: Right, event: e.RightKept) -> Right:
    return replace(right, options=event.options)


def _right_closed(state: State, event: e.RightClosed) -> State:
    return _put(state, rights=tuple(right for right in _hand(state).rights if right.id != event.right))


def _called(state: State, event: e.Called) -> State:
    duties = list(_hand(state).duties)
    for seat in event.seats:
        duties[seat] = Duty(event.demand, event.cites, event.card, event.suit, event.right)
    return _put(state, duties=tuple(duties))


def _duty_ended(state: State, event: e.DutyEnded) -> State:
    duties = list(_hand(state).duties)
    for seat in event.seats:
        duties[seat] = None
    return _put(state, duties=tuple(duties))


def _call_lost(state: State, event: e.CallLost) -> State:
    return _put(state, uncallable=(*_hand(state).uncallable, event.seat))


def _calls_restored(state: State, event: e.CallsRestored) -> State:
    return _put(state, uncallable=())


def _trump_taken_up(state: State, event: e.TrumpTakenUp) -> State:
    hand, seat = _hand(state), event.seat
    values: dict[str, Any] = {"turned": None, "trump_lying": False}
    if hand.turned is not None and seat not in hand.thrown:
        bit = BIT[hand.turned]
        values["seen"] = with_mask(hand.seen, seat, hand.seen[seat] & ~bit)
        values["exposed"] = with_mask(hand.exposed, seat, hand.exposed[seat] & ~bit)
        if not hand.dealt[seat]:  # a view that is not the dealer's: its viewer is no longer told the card
            values["hands"] = with_mask(hand.hands, seat, hand.hands[seat] & ~bit)
    return changed(state, hand=changed(hand, **values))


def _trump_left(state: State, event: e.TrumpLeft) -> State:
    return _put(state, trump_lying=True)


def _threw_down(state: State, event: e.ThrewDown) -> State:
    after = _show(state, event.seat, event.cards, exposed=False)
    return _put(after, thrown=(*_hand(after).thrown, event.seat))


def _claimed(state: State, event: e.GameClaimed | e.RestClaimed) -> State:
    hand = _hand(state)
    return state if hand.claimed is not None else _put(state, claimed=SIDE[event.seat])


def _offer_made(state: State, event: e.OfferMade) -> State:
    return _put(state, offer=Offer(event.seat, event.kind))


def _offer_agreed(state: State, event: e.OfferAgreed) -> State:
    offer = _hand(state).offer
    assert offer is not None
    return _put(state, offer=Offer(offer.by, offer.kind, (*offer.agreed, event.seat)))


def _offer_closed(state: State, event: e.OfferClosed) -> State:
    return _put(state, offer=None)


def _revoke_charged(state: State, event: e.RevokeCharged) -> State:
    hand = _hand(state)
    charge = Charge(event.number, event.by, event.seat, event.trick)
    return _put(state, charges=(*hand.charges, charge), ready=())


def _claim_killed(state: State, event: e.ClaimKilled) -> State:
    return _put(state, killed=(*_hand(state).killed, (event.side, event.seat, event.trick)))


def _charge_judged(state: State, event: e.ChargeJudged) -> State:
    verdict = Verdict.PROVED if event.proved else Verdict.NOT_PROVED
    charges = tuple(
        Charge(one.number, one.by, one.seat, one.trick, verdict) if one.number == event.number else one
        for one in _hand(state).charges
    )
    return _put(state, charges=charges)


def _revoke_proved(state: State, event: e.RevokeProved) -> State:
    hand = _hand(state)
    proved = Revoke(event.seat, event.trick, event.suit, event.card, RevokeStage.PROVED, event.demand, event.number)
    return _put(state, revokes=_made_public(hand.revokes, proved), proved=event.number)


def _revokes_cancelled(state: State, event: e.RevokesCancelled) -> State:
    revokes = tuple(
        _staged(one, RevokeStage.CANCELLED) if one.stage in (RevokeStage.PROVED, RevokeStage.PAID) else one
        for one in _hand(state).revokes
    )
    hand = changed(_hand(state), revokes=revokes, taken=event.taken, taken_for=(), reached=None)
    return _slip(changed(state, score=event.score, hand=hand), score=event.owed)


def _mixed(state: State, event: e.Mixed) -> State:
    mixed = _hand(state).mixed
    return _put(state, mixed=(True, mixed[1]) if SIDE[event.seat] == 0 else (mixed[0], True))


def _play_out(state: State, event: e.PlayOutRequired) -> State:
    return _put(state, play_out=True)


def _penalty_exacted(state: State, event: e.PenaltyExacted) -> State:
    hand = _hand(state)
    revokes = tuple(
        Revoke(one.seat, one.trick, one.suit, one.card, RevokeStage.PAID, one.demand, one.number, event.penalty)
        if one.number == event.number
        else one
        for one in hand.revokes
    )
    taken = _plus(_plus(hand.taken, event.side, event.tricks), OTHER_SIDE[event.side], -event.tricks)
    taken_for = (*hand.taken_for, (event.number, event.tricks))
    return changed(state, hand=changed(hand, revokes=revokes, taken=taken, taken_for=taken_for))


def _hand_ended(state: State, event: e.HandEnded) -> State:
    hand = _hand(state)
    taken = (hand.taken[0] + event.awarded[0], hand.taken[1] + event.awarded[1])
    ended = changed(
        hand,
        ended=True,
        thrown_in=event.thrown_in,
        taken=taken,
        offer=None,
        rights=(),
        duties=(None, None, None, None),
        question=None,
        mending=None,
    )
    return changed(state, hand=ended, phase=Phase.CLAIMS)


def _became_ready(state: State, event: e.BecameReady) -> State:
    return _put(state, ready=(*_hand(state).ready, event.seat))


def _honours_called(state: State, event: e.HonoursCalled) -> State:
    honours = _hand(state).honours
    return _put(state, honours=(True, honours[1]) if event.side == 0 else (honours[0], True))


def _pack_cut(state: State, event: e.PackCut) -> State:
    return changed(state, dealer=event.dealer, phase=Phase.TO_DEAL, hand=changed(_hand(state), cut=True))


def _penalty_forfeited(state: State, event: e.PenaltyForfeited) -> State:
    revokes = tuple(
        _staged(one, RevokeStage.FORFEITED) if one.number == event.number else one for one in _hand(state).revokes
    )
    return _put(state, revokes=revokes)


def _slip(state: State, **values: Any) -> State:
    """Put what the score sheet ought to say; nothing is made anew where nothing was marked wrongly."""
    slips = replace(state.slips, **values)
    return state if slips == state.slips else changed(state, slips=slips)


def _scored(state: State, event: e.Scored) -> State:
    return _slip(changed(state, score=event.score), score=event.owed)


def _scored_above(state: State, event: e.ScoredAbove) -> State:
    return changed(state, above=event.above)


def _game_reached(state: State, event: e.GameReached) -> State:
    return _put(state, reached=event.side)


def _game_undone(state: State, event: e.GameUndone) -> State:
    return _slip(changed(state, score=event.score, hand=changed(_hand(state), reached=None)), score=event.owed)


def _game_won(state: State, event: e.GameWon) -> State:
    games = state.games
    won = (*games[event.side], event.value)
    return changed(
        state,
        games=(won, games[1]) if event.side == 0 else (games[0], won),
        below=(state.below[0] + state.score[0], state.below[1] + state.score[1]),
        score=(0, 0),
        slips=_with_game(state.slips, event),
        hand=changed(_hand(state), game_won=True, game_score=state.score),
    )


def _with_game(slips: Slips, event: e.GameWon) -> Slips:
    if slips.games is None:
        return slips
    ns, ew = slips.games
    games = ((*ns, event.value), ew) if event.side == 0 else (ns, (*ew, event.value))
    return replace(slips, games=games)


def _score_marked(state: State, event: e.ScoreMarked) -> State:
    side, points, slips = event.side, event.points, state.slips
    if event.sheet is Sheet.SCORE:
        score = (points, state.score[1]) if side == 0 else (state.score[0], points)
        owed = slips.score if slips.score is not None else state.score
        return _slip(changed(state, score=score), score=None if owed == score else owed)
    if event.sheet is Sheet.ABOVE:
        above = (points, state.above[1]) if side == 0 else (state.above[0], points)
        return _slip(changed(state, above=above), above=_plus(slips.above, side, points - state.above[side]))
    marked = (*state.games[side][:-1], points)
    games = (marked, state.games[1]) if side == 0 else (state.games[0], marked)
    rightly = slips.games if slips.games is not None else state.games
    return _slip(changed(state, games=games), games=None if rightly == games else rightly)


def _game_annulled(state: State, event: e.GameAnnulled) -> State:
    left = state.games[event.side][:-1]
    games = (left, state.games[1]) if event.side == 0 else (state.games[0], left)
    ended = _hand(state).game_score
    below = (state.below[0] - ended[0], state.below[1] - ended[1])
    after = changed(state, score=event.score, games=games, below=below, hand=changed(_hand(state), game_won=False))
    return _slip(after, score=None)


def _rubber_won(state: State, event: e.RubberWon) -> State:
    return changed(state, phase=Phase.OVER, rubber=Rubber(event.side, event.points))


def _trump_declared(state: State, event: e.TrumpDeclared) -> State:
    hand = changed(_hand(state), trump=event.trump, maker=event.seat, declaring=None, voice=_hand(state).leader)
    return changed(state, phase=Phase.DOUBLING, hand=hand)


def _declaration_left(state: State, event: e.DeclarationLeft) -> State:
    return _put(state, left=True, declaring=Seat((event.seat + 2) % 4))


def _doubled(state: State, event: e.Doubled) -> State:
    ns, ew = _hand(state).doublers
    hand = changed(
        _hand(state),
        multiplier=event.multiplier,
        voice=event.voice,
        doubled_by=event.seat,
        doublers=(event.seat, ew) if SIDE[event.seat] == 0 else (ns, event.seat),
        asked_to_lead=False,
    )
    return changed(state, hand=hand, phase=Phase.PLAYING if event.voice is None else state.phase)


def _lead_asked(state: State, event: e.LeadAsked) -> State:
    return _put(state, voice=event.voice, asked_to_lead=True)


def _satisfied(state: State, event: e.Satisfied) -> State:
    hand = changed(_hand(state), voice=event.voice, asked_to_lead=False)
    return changed(state, hand=hand, phase=Phase.PLAYING if event.voice is None else state.phase)


def _doubling_lost(state: State, event: e.DoublingLost) -> State:
    return _put(state, barred=(*_hand(state).barred, event.seat))


def _led_early(state: State, event: e.LedEarly) -> State:
    return _put(_show(state, event.seat, (event.card,), exposed=False), led_early=event.card)


def _deal_voided(state: State, event: e.DealVoided) -> State:
    hand = changed(
        _hand(state),
        cut=True,
        rights=(),
        duties=(None, None, None, None),
        declaring=None,
        voice=None,
        asked_to_lead=False,
    )
    return changed(state, phase=Phase.TO_DEAL, hand=hand)


def _dummy_laid(state: State, event: e.DummyLaid) -> State:
    after = _show(state, event.seat, event.cards, exposed=False)
    return _put(after, dummy=event.seat)


def _bet_offered(state: State, event: e.BetOffered) -> State:
    return changed(state, bets=(*state.bets, BetLaid(event.number, event.seat, event.counters, event.on, event.side)))


def _bet(state: State, number: int, **values: Any) -> State:
    return changed(state, bets=tuple(replace(bet, **values) if bet.number == number else bet for bet in state.bets))


def _bet_taken(state: State, event: e.BetTaken) -> State:
    return _bet(state, event.number, taker=event.seat)


def _bet_settled(state: State, event: e.BetSettled) -> State:
    if event.winner is None:
        return changed(state, bets=tuple(bet for bet in state.bets if bet.number != event.number))
    return _bet(state, event.number, winner=event.winner)


def _new_cards(state: State, event: e.NewCardsCalled) -> State:
    return _put(state, new_cards=event.seat)


def _pack_taken(state: State, event: e.PackTaken) -> State:
    return _put(state, new_cards=None, pack_taken=event.pack)


def _noted(state: State, event: e.Event) -> State:
    return state


_EVOLVE: Final[dict[type, Callable[[State, Any], State]]] = {
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
    e.LedOn: _noted,
    e.LedTogether: _led_together,
    e.LaidTogether: _laid_together,
    e.RightOpened: _right_opened,
    e.RightKept: _right_kept,
    e.RightClosed: _right_closed,
    e.Called: _called,
    e.DutyEnded: _duty_ended,
    e.CallLost: _call_lost,
    e.CallsRestored: _calls_restored,
    e.Placed: _noted,
    e.Reviewed: _noted,
    e.SaidMine: _noted,
    e.CardNamed: _noted,
    e.TrumpForgotten: _noted,
    e.TrumpTakenUp: _trump_taken_up,
    e.TrumpLeft: _trump_left,
    e.ThrewDown: _threw_down,
    e.GameClaimed: _claimed,
    e.RestClaimed: _claimed,
    e.OfferMade: _offer_made,
    e.OfferAgreed: _offer_agreed,
    e.OfferClosed: _offer_closed,
    e.RevokeCharged: _revoke_charged,
    e.ClaimKilled: _claim_killed,
    e.Searched: _noted,
    e.ChargeJudged: _charge_judged,
    e.RevokeProved: _revoke_proved,
    e.RevokesCancelled: _revokes_cancelled,
    e.Mixed: _mixed,
    e.PlayOutRequired: _play_out,
    e.PenaltyExacted: _penalty_exacted,
    e.PenaltyForfeited: _penalty_forfeited,
    e.Consulted: _noted,
    e.HandEnded: _hand_ended,
    e.BecameReady: _became_ready,
    e.HonoursCalled: _honours_called,
    e.PackCut: _pack_cut,
    e.Scored: _scored,
    e.ScoredAbove: _scored_above,
    e.GameReached: _game_reached,
    e.GameUndone: _game_undone,
    e.GameWon: _game_won,
    e.ScoreMarked: _score_marked,
    e.GameAnnulled: _game_annulled,
    e.RubberWon: _rubber_won,
    e.TrumpDeclared: _trump_declared,
    e.DeclarationLeft: _declaration_left,
    e.Doubled: _doubled,
    e.LeadAsked: _lead_asked,
    e.Satisfied: _satisfied,
    e.SpokenOutOfTurn: _noted,
    e.DoublingLost: _doubling_lost,
    e.LedEarly: _led_early,
    e.DealVoided: _deal_voided,
    e.DummyLaid: _dummy_laid,
    e.BetOffered: _bet_offered,
    e.BetTaken: _bet_taken,
    e.BetSettled: _bet_settled,
    e.NewCardsCalled: _new_cards,
    e.PackTaken: _pack_taken,
}
