"""Bystanders (88, 89 · 92, 93 · 105, 106): a remark that pays, and a referee of fact whom all four must want."""

import pytest

from oddtrick_rules.bystanders import owed, referee, remark
from oddtrick_rules.code import Code, Rule
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import BetOn
from oddtrick_rules.forming import Consent
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import SEATS, Seat, Side
from oddtrick_rules.state import BetLaid

EACH_CODE = pytest.mark.parametrize("code", list(CODES.values()), ids=list(CODES))
BETS = (
    BetLaid(1, Seat.N, 3, BetOn.SCORE, Side.NS, taker=Seat.E),
    BetLaid(2, Seat.S, 5, BetOn.ODD_TRICK, Side.NS, taker=Seat.W, winner=Seat.S),
    BetLaid(3, Seat.E, 7, BetOn.SCORE, Side.EW),
    BetLaid(4, Seat.W, 2, BetOn.SCORE, Side.EW, taker=Seat.S),
)


@pytest.mark.law("english-1864", "88", "R17")
@pytest.mark.law("whist-1900", "92", "R17")
@pytest.mark.law("bridge-1904", "105", "R17")
@EACH_CODE
def test_a_bystander_who_lets_it_out_pays_stakes_and_bets(code: Code) -> None:
    """He owes the stakes and every bet that stands, not those settled or never taken."""
    assert owed(code, stakes=10, bets=BETS).counters == 10 + 3 + 2
    assert owed(code, stakes=0, bets=()).counters == 0
    assert owed(code, stakes=1, bets=()).cites == code.cites(Rule.BYSTANDER)


@pytest.mark.law("english-1864", "88")
@pytest.mark.law("whist-1900", "92")
@pytest.mark.law("bridge-1904", "105")
@EACH_CODE
def test_the_players_say_what_a_remark_let_out(code: Code) -> None:
    """No server reads talk: all four have to agree that a remark touched the score or a penalty."""
    asked = remark(code)
    assert isinstance(asked, Consent)
    for seat in SEATS[:3]:
        after = asked.agreed(seat)
        assert isinstance(after, Consent)
        assert not after.complete
        asked = after
    last = asked.agreed(Seat.W)
    assert isinstance(last, Consent)
    assert last.complete


@pytest.mark.law("english-1864", "88")
@pytest.mark.law("whist-1900", "92")
@pytest.mark.law("bridge-1904", "105")
@EACH_CODE
def test_after_the_stakes_are_paid_a_remark_costs_nothing(code: Code) -> None:
    """What is said when everything is settled comes too late to be paid for."""
    assert remark(code, stakes_paid=True) == Refusal(Why.TOO_LATE, code.cites(Rule.BYSTANDER))


@pytest.mark.law("english-1864", "89", "R17")
@pytest.mark.law("whist-1900", "93", "R17")
@pytest.mark.law("bridge-1904", "106", "R17")
@EACH_CODE
def test_a_bystander_is_referee_if_all_four_want_him(code: Code) -> None:
    """It takes each of the four, once, and their agreement cites the law."""
    asked = referee(code)
    assert isinstance(asked, Consent)
    assert (asked.asked, asked.cites) == (SEATS, code.cites(Rule.REFEREE))
    first = asked.agreed(Seat.N)
    assert isinstance(first, Consent)
    assert first.agreed(Seat.N) == Refusal(Why.ALREADY_DONE, code.cites(Rule.REFEREE))
    assert not first.complete


@pytest.mark.law("english-1864", "88", "89")
@pytest.mark.law("whist-1900", "92", "93")
@pytest.mark.law("bridge-1904", "105", "106")
@EACH_CODE
def test_without_its_law_a_bystander_is_nobody(code: Code) -> None:
    """A code that has not the law has neither the charge nor the referee."""
    for rule, ask in ((Rule.BYSTANDER, remark), (Rule.REFEREE, referee)):
        bare = code.without(code.cites(rule)[0])
        assert ask(bare) == Refusal(Why.NOT_IN_CODE)
