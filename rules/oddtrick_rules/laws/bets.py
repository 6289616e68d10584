"""Bets in counters on the odd trick and on the game, settled by the state after the penalty is paid (80 · 84 · 98, R18)."""

from __future__ import annotations

from typing import Final

from oddtrick_rules import events as e
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import Bet, BetOn, TakeBet
from oddtrick_rules.laws.common import Answer, Answers, Consequences, refuse, the_hand
from oddtrick_rules.refusals import Why
from oddtrick_rules.seats import Actor, Seat, Side
from oddtrick_rules.state import BetLaid, Phase, State

COUNTERS_MAX: Final = 1000
OPEN_BETS_MAX: Final = 16


def bet(state: State, actor: Actor, command: Bet) -> Answer:
    """Offer a bet in counters on a side."""
    code = state.code
    cites = (*code.cites(Rule.BETS), "R18")
    if not code.has(Rule.BETS):
        return refuse(Why.NOT_IN_CODE)
    if not isinstance(actor, Seat):
        return refuse(Why.NOT_YOURS, cites)
    if state.phase in (Phase.CLAIMS, Phase.OVER) or state.hand is None:
        return refuse(Why.NOT_NOW, cites)
    unsettled = sum(one.winner is None for one in state.bets)
    if not 1 <= command.counters <= COUNTERS_MAX or unsettled >= OPEN_BETS_MAX:
        return refuse(Why.MALFORMED, cites)
    number = max((one.number for one in state.bets), default=0) + 1
    return (e.BetOffered(number, actor, command.counters, command.on, Side(command.side), cites),)


def take(state: State, actor: Actor, command: TakeBet) -> Answer:
    """Take a bet that another player offered."""
    cites = (*state.code.cites(Rule.BETS), "R18")
    if not isinstance(actor, Seat):
        return refuse(Why.NOT_YOURS, cites)
    one = next((one for one in state.bets if one.number == command.bet), None)
    if one is None or one.winner is not None:
        return refuse(Why.NO_RIGHT, cites)
    if one.taker is not None:
        return refuse(Why.ALREADY_DONE, cites)
    if actor is one.by:
        return refuse(Why.NOT_YOURS, cites)
    if state.phase in (Phase.CLAIMS, Phase.OVER):
        return refuse(Why.TOO_LATE, cites)
    return (e.BetTaken(command.bet, actor, cites),)


def settle_odd_trick(state: State, event: e.PackCut) -> list[e.Event]:
    """Settle the bets on the odd trick by the tricks as they stand after the penalty."""
    code = state.code
    if not code.has(Rule.BETS):
        return []
    taken = the_hand(state).taken
    won_by = Side.NS if taken[0] > 6 else Side.EW if taken[1] > 6 else None
    cites = (*code.cites(Rule.BETS), "R18")
    return [
        e.BetSettled(one.number, _winner(one, won_by), cites)
        for one in state.bets
        if one.on is BetOn.ODD_TRICK and one.winner is None
    ]


def settle_score(state: State, event: e.GameWon) -> list[e.Event]:
    """Settle the bets on the game when it is won."""
    if not state.code.has(Rule.BETS):
        return []
    cites = (*state.code.cites(Rule.BETS), "R18")
    return [
        e.BetSettled(one.number, _winner(one, event.side), cites)
        for one in state.bets
        if one.on is BetOn.SCORE and one.winner is None
    ]


def _winner(one: BetLaid, won_by: Side | None) -> Seat | None:
    """Return who wins the bet; None (it is off) if nobody took it or neither side has the odd trick."""
    if one.taker is None or won_by is None:
        return None
    return one.by if one.side == won_by else one.taker


ANSWERS: Answers = {Bet: bet, TakeBet: take}
CONSEQUENCES: Consequences = {e.PackCut: (settle_odd_trick,), e.GameWon: (settle_score,)}
