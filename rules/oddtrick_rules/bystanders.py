"""Bystanders (88, 89 · 92, 93 · 105, 106; R17): one whose remark reveals what was overlooked pays; the four may make one referee.

No server can tell what a remark reveals (R31), so it is for the players to say: all four are asked, as they are for a referee of
fact. What is owed is in counters without money value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oddtrick_rules.code import Cites, Code, Rule
from oddtrick_rules.forming import Consent
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import BetLaid


@dataclass(frozen=True, slots=True)
class Owed:
    """What a bystander owes to the players, in counters."""

    counters: int
    cites: Cites


def remark(code: Code, *, stakes_paid: bool = False) -> Consent[Seat] | Refusal:
    """Charge a bystander with a remark about the score or a penalty: the four players are asked whether it was one.

    Too late when the stakes have been paid.
    """
    cites = code.cites(Rule.BYSTANDER)
    if not code.has(Rule.BYSTANDER):
        return Refusal(Why.NOT_IN_CODE)
    if stakes_paid:
        return Refusal(Why.TOO_LATE, cites)
    return Consent(SEATS, cites)


def owed(code: Code, *, stakes: int, bets: Iterable[BetLaid]) -> Owed:
    """Return what the remark costs: the stakes of the rubber, and every bet that was taken and is not settled."""
    laid = sum(bet.counters for bet in bets if bet.taker is not None and bet.winner is None)
    return Owed(stakes + laid, code.cites(Rule.BYSTANDER))


def referee(code: Code) -> Consent[Seat] | Refusal:
    """Propose a bystander as referee of fact: it takes all four."""
    if not code.has(Rule.REFEREE):
        return Refusal(Why.NOT_IN_CODE)
    return Consent(SEATS, code.cites(Rule.REFEREE))
