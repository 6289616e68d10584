"""Facts of all else recorded: charges and penalties, the score, what is said before the play at bridge, bets, packs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from oddtrick_rules import events as e
from oddtrick_rules.commands import Sheet
from oddtrick_rules.recording import hand_of, made_public, noted, plus, put, shown, slipped, staged
from oddtrick_rules.records import changed
from oddtrick_rules.seats import OTHER_SIDE, SIDE, Seat
from oddtrick_rules.state import NO_DUTIES, BetLaid, Charge, Phase, Revoke, RevokeStage, Rubber, Slips, State, Verdict


def _revoke_charged(state: State, event: e.RevokeCharged) -> State:
    hand = hand_of(state)
    charge = Charge(event.number, event.by, event.seat, event.trick)
    return put(state, charges=(*hand.charges, charge), ready=())


def _claim_killed(state: State, event: e.ClaimKilled) -> State:
    return put(state, killed=(*hand_of(state).killed, (event.side, event.seat, event.trick)))


def _charge_judged(state: State, event: e.ChargeJudged) -> State:
    verdict = Verdict.PROVED if event.proved else Verdict.NOT_PROVED
    charges = tuple(
        Charge(one.number, one.by, one.seat, one.trick, verdict) if one.number == event.number else one
        for one in hand_of(state).charges
    )
    return put(state, charges=charges)


def _revoke_proved(state: State, event: e.RevokeProved) -> State:
    hand = hand_of(state)
    proved = Revoke(event.seat, event.trick, event.suit, event.card, RevokeStage.PROVED, event.demand, event.number)
    return put(state, revokes=made_public(hand.revokes, proved), proved=event.number)


def _revokes_cancelled(state: State, event: e.RevokesCancelled) -> State:
    revokes = tuple(
        staged(one, RevokeStage.CANCELLED) if one.stage in (RevokeStage.PROVED, RevokeStage.PAID) else one
        for one in hand_of(state).revokes
    )
    hand = changed(hand_of(state), revokes=revokes, taken=event.taken, taken_for=(), reached=None)
    return slipped(changed(state, score=event.score, hand=hand), score=event.owed)


def _mixed(state: State, event: e.Mixed) -> State:
    mixed = hand_of(state).mixed
    return put(state, mixed=(True, mixed[1]) if SIDE[event.seat] == 0 else (mixed[0], True))


def _play_out(state: State, event: e.PlayOutRequired) -> State:
    return put(state, play_out=True)


def _penalty_exacted(state: State, event: e.PenaltyExacted) -> State:
    hand = hand_of(state)
    revokes = tuple(
        Revoke(one.seat, one.trick, one.suit, one.card, RevokeStage.PAID, one.demand, one.number, event.penalty)
        if one.number == event.number
        else one
        for one in hand.revokes
    )
    taken = plus(plus(hand.taken, event.side, event.tricks), OTHER_SIDE[event.side], -event.tricks)
    taken_for = (*hand.taken_for, (event.number, event.tricks))
    return changed(state, hand=changed(hand, revokes=revokes, taken=taken, taken_for=taken_for))


def _hand_ended(state: State, event: e.HandEnded) -> State:
    hand = hand_of(state)
    taken = (hand.taken[0] + event.awarded[0], hand.taken[1] + event.awarded[1])
    ended = changed(
        hand,
        ended=True,
        thrown_in=event.thrown_in,
        taken=taken,
        offer=None,
        rights=(),
        duties=NO_DUTIES,
        lead_duties=NO_DUTIES,
        question=None,
        mending=None,
    )
    return changed(state, hand=ended, phase=Phase.CLAIMS)


def _became_ready(state: State, event: e.BecameReady) -> State:
    return put(state, ready=(*hand_of(state).ready, event.seat))


def _honours_called(state: State, event: e.HonoursCalled) -> State:
    honours = hand_of(state).honours
    return put(state, honours=(True, honours[1]) if event.side == 0 else (honours[0], True))


def _pack_cut(state: State, event: e.PackCut) -> State:
    return changed(state, dealer=event.dealer, phase=Phase.TO_DEAL, hand=changed(hand_of(state), cut=True))


def _penalty_forfeited(state: State, event: e.PenaltyForfeited) -> State:
    revokes = tuple(
        staged(one, RevokeStage.FORFEITED) if one.number == event.number else one for one in hand_of(state).revokes
    )
    return put(state, revokes=revokes)


def _scored(state: State, event: e.Scored) -> State:
    return slipped(changed(state, score=event.score), score=event.owed)


def _scored_above(state: State, event: e.ScoredAbove) -> State:
    return changed(state, above=event.above)


def _game_reached(state: State, event: e.GameReached) -> State:
    return put(state, reached=event.side)


def _game_undone(state: State, event: e.GameUndone) -> State:
    return slipped(changed(state, score=event.score, hand=changed(hand_of(state), reached=None)), score=event.owed)


def _game_won(state: State, event: e.GameWon) -> State:
    games = state.games
    won = (*games[event.side], event.value)
    return changed(
        state,
        games=(won, games[1]) if event.side == 0 else (games[0], won),
        below=(state.below[0] + state.score[0], state.below[1] + state.score[1]),
        score=(0, 0),
        slips=_with_game(state.slips, event),
        hand=changed(hand_of(state), game_won=True, game_score=state.score),
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
        return slipped(changed(state, score=score), score=None if owed == score else owed)
    if event.sheet is Sheet.ABOVE:
        above = (points, state.above[1]) if side == 0 else (state.above[0], points)
        return slipped(changed(state, above=above), above=plus(slips.above, side, points - state.above[side]))
    marked = (*state.games[side][:-1], points)
    games = (marked, state.games[1]) if side == 0 else (state.games[0], marked)
    rightly = slips.games if slips.games is not None else state.games
    return slipped(changed(state, games=games), games=None if rightly == games else rightly)


def _game_annulled(state: State, event: e.GameAnnulled) -> State:
    left = state.games[event.side][:-1]
    games = (left, state.games[1]) if event.side == 0 else (state.games[0], left)
    ended = hand_of(state).game_score
    below = (state.below[0] - ended[0], state.below[1] - ended[1])
    after = changed(state, score=event.score, games=games, below=below, hand=changed(hand_of(state), game_won=False))
    return slipped(after, score=None)


def _rubber_won(state: State, event: e.RubberWon) -> State:
    return changed(state, phase=Phase.OVER, rubber=Rubber(event.side, event.points))


def _trump_declared(state: State, event: e.TrumpDeclared) -> State:
    hand = changed(hand_of(state), trump=event.trump, maker=event.seat, declaring=None, voice=hand_of(state).leader)
    return changed(state, phase=Phase.DOUBLING, hand=hand)


def _declaration_left(state: State, event: e.DeclarationLeft) -> State:
    return put(state, left=True, declaring=Seat((event.seat + 2) % 4))


def _doubled(state: State, event: e.Doubled) -> State:
    ns, ew = hand_of(state).doublers
    hand = changed(
        hand_of(state),
        multiplier=event.multiplier,
        voice=event.voice,
        doubled_by=event.seat,
        doublers=(event.seat, ew) if SIDE[event.seat] == 0 else (ns, event.seat),
        asked_to_lead=False,
    )
    return changed(state, hand=hand, phase=Phase.PLAYING if event.voice is None else state.phase)


def _lead_asked(state: State, event: e.LeadAsked) -> State:
    return put(state, voice=event.voice, asked_to_lead=True)


def _satisfied(state: State, event: e.Satisfied) -> State:
    hand = changed(hand_of(state), voice=event.voice, asked_to_lead=False)
    return changed(state, hand=hand, phase=Phase.PLAYING if event.voice is None else state.phase)


def _doubling_lost(state: State, event: e.DoublingLost) -> State:
    return put(state, barred=(*hand_of(state).barred, event.seat))


def _led_early(state: State, event: e.LedEarly) -> State:
    return put(shown(state, event.seat, (event.card,), exposed=False), led_early=event.card)


def _deal_voided(state: State, event: e.DealVoided) -> State:
    hand = changed(
        hand_of(state),
        cut=True,
        rights=(),
        duties=NO_DUTIES,
        lead_duties=NO_DUTIES,
        declaring=None,
        voice=None,
        asked_to_lead=False,
    )
    return changed(state, phase=Phase.TO_DEAL, hand=hand)


def _dummy_laid(state: State, event: e.DummyLaid) -> State:
    after = shown(state, event.seat, event.cards, exposed=False)
    return put(after, dummy=event.seat)


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
    return put(state, new_cards=event.seat)


def _pack_taken(state: State, event: e.PackTaken) -> State:
    return put(state, new_cards=None, pack_taken=event.pack)


RECORDERS: Final[dict[type, Callable[[State, Any], State]]] = {
    e.RevokeCharged: _revoke_charged,
    e.ClaimKilled: _claim_killed,
    e.Searched: noted,
    e.ChargeJudged: _charge_judged,
    e.RevokeProved: _revoke_proved,
    e.RevokesCancelled: _revokes_cancelled,
    e.Mixed: _mixed,
    e.PlayOutRequired: _play_out,
    e.PenaltyExacted: _penalty_exacted,
    e.PenaltyForfeited: _penalty_forfeited,
    e.Consulted: noted,
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
    e.SpokenOutOfTurn: noted,
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
