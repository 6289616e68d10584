"""The judge: every act has a chapter that answers it, every answer rests on laws there are, and consequences come to an end."""

from __future__ import annotations

import random
import typing
from typing import TYPE_CHECKING

import pytest

from oddtrick_rules import commands as c
from oddtrick_rules import decide
from oddtrick_rules import events as e
from oddtrick_rules.cards import card_named
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.decide import CHAPTERS, EVENTS_MAX, Verdict, allowed, judge
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import SEATS, Official, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, State
from support.acting import table
from support.driver import Game, fresh, run, space, tables

if TYPE_CHECKING:
    from conftest import Size

RULINGS = {f"R{number}" for number in range(1, 34)}
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:K2.2.. E:9..65. S:43.5.. W:T5...2
    Tricks: NS 5 EW 5
"""


def test_every_act_is_answered() -> None:
    """Each command there is has a handler, and no handler is for anything else."""
    answered = {command for chapter in CHAPTERS for command in chapter.ANSWERS}
    assert answered == set(typing.get_args(c.Command))
    happening = {event for chapter in CHAPTERS for event in chapter.CONSEQUENCES}
    assert happening <= set(typing.get_args(e.Event))


def cited(code: Code, cites: typing.Iterable[str]) -> list[str]:
    """The citations of no law of the code and no ruling."""
    known = {law.number for law in code.laws} | RULINGS
    return [cite for cite in cites if cite not in known]


def test_whatever_is_cited_is_a_law_of_the_code(size: Size, seed: int) -> None:
    """Every event and every refusal cites laws that its own code has, or rulings."""
    kinds = tables(random.Random(seed))
    whys: set[Why] = set()
    for number in range(size(120, 1_500)):
        chance = random.Random(f"{seed} {number}")
        game = Game(fresh(chance, *next(kinds)), chance)
        code = game.state.code
        run(game, wildness=0.6, acts=120)
        for event in game.log:
            assert not cited(code, event.cites), (f"{seed} {number}", event)
        for actor, command in chance.sample(list(_some(game, chance)), 40):
            result = judge(game.state, actor, command)
            if isinstance(result, Refusal):
                whys.add(result.why)
                assert not cited(code, result.cites), (f"{seed} {number}", command, result)
    assert len(whys) > 8


def _some(game: Game, chance: random.Random) -> typing.Iterator[tuple[Seat, c.Command]]:
    for seat in SEATS:
        for command in space(game.state, seat):
            if chance.random() < 0.2:
                yield seat, command


@pytest.mark.parametrize("actor", [Seat.N, Official.CLOCK, Official.HOUSE])
def test_before_the_first_deal_only_the_house_can_act(actor: Seat | Official) -> None:
    """At a table that waits for its first deal every act but the deal is refused."""
    for code in CODES.values():
        state = rubber(code, enforcement=Enforcement.CLUB, dealer=Seat.S)
        for command in space(state, Seat.N):
            assert isinstance(judge(state, actor, command), Refusal), command


def test_allowed_says_what_judging_does() -> None:
    """An act is allowed exactly if it would be accepted."""
    state = table(ENDING)
    for seat in SEATS:
        for command in space(state, seat):
            assert allowed(state, seat, command) is isinstance(judge(state, seat, command), Verdict)


def test_consequences_without_end_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A consequence that causes itself is stopped as the mistake it is, and does not hang the table."""

    def again(_state: State, event: e.Placed) -> tuple[e.Event, ...]:
        return (event,)

    monkeypatch.setitem(decide._CONSEQUENCES, e.Placed, (again,))
    state = table(ENDING)
    verdict = judge(state, Seat.N, c.Play(card_named("SK")))
    assert isinstance(verdict, Verdict)
    with pytest.raises(AssertionError, match="no end to the consequences"):
        judge(verdict.state, Seat.E, c.Place())
    assert EVENTS_MAX >= 100
