"""The list of acts: everything on it is accepted, and whatever is accepted is on it, but for what it must not tell."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from oddtrick_rules import commands as c
from oddtrick_rules.cards import card_named
from oddtrick_rules.code import Code, Rule
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Command
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.legal import dynamic, legal, standing
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase, State
from support.acting import done, table
from support.driver import Game, fresh, space, step, tables

if TYPE_CHECKING:
    from conftest import Size

# Rules by which an act is accepted that does nothing but lose a right.
FORFEITING = (Rule.WRONG_DEMAND, Rule.DUMMY_SPEAKS, Rule.PARTNER_SUGGESTS)


def means(state: State, command: Command) -> object:
    """The act without what may be said in more than one way: the dealer may name the hand he plays from, or not."""
    if isinstance(command, c.Play) and state.hand is not None:
        holder = next((seat for seat in SEATS if state.hand.hands[seat] >> command.card & 1), None)
        return ("play", command.card, holder)
    return c.ClaimHonours() if isinstance(command, c.ClaimHonours) else command


def need_not_be_listed(state: State, command: Command, verdict: Verdict) -> bool:
    """Whether the act only loses a right, or names the trump card that nobody is told any more (R14)."""
    code: Code = state.code
    loses = {law for rule in FORFEITING for law in code.cites(rule)}
    if verdict.events and set(verdict.events[0].cites) & loses:
        return True
    assert state.hand is not None
    return isinstance(command, c.NameCard) and command.card == state.hand.trump_card


def faults(state: State, seat: Seat) -> list[str]:
    """Acts listed and refused, accepted and not listed, or listed twice."""
    listed = {means(state, command): command for command in legal(state, seat)}
    found = [f"listed twice: {command}" for command in duplicates(legal(state, seat))]
    for command in listed.values():
        result = judge(state, seat, command)
        if isinstance(result, Refusal) and not may_be_refused(state, command, result):
            found.append(f"listed and refused: {command}: {result}")
    for command in space(state, seat):
        if means(state, command) in listed:
            continue
        result = judge(state, seat, command)
        if isinstance(result, Verdict) and not need_not_be_listed(state, command, result):
            found.append(f"accepted and not listed: {command}")
    return found


def may_be_refused(state: State, command: Command, refusal: Refusal) -> bool:
    """R3: only to take a card back, at a club table, because the renounce was true."""
    club = state.enforcement is Enforcement.CLUB
    return club and isinstance(command, c.Withdraw) and refusal.why in {Why.TRUE_RENOUNCE, Why.TOO_LATE}


def duplicates(commands: tuple[Command, ...]) -> list[Command]:
    return [command for number, command in enumerate(commands) if command in commands[:number]]


def test_the_list_is_what_would_be_accepted(size: Size, seed: int) -> None:
    """At any moment of any table every act listed is accepted, and of all acts there are no other is, but for those it must leave out."""
    kinds = tables(random.Random(seed))
    for number in range(size(50, 800)):
        chance = random.Random(f"{seed} {number}")
        game = Game(fresh(chance, *next(kinds)), chance)
        for _ in range(chance.choice((3, 10, 40, 100))):
            if game.state.phase is not Phase.OVER:
                step(game, wildness=0.3)
        for seat in SEATS:
            found = faults(game.state, seat)
            assert not found, (f"{seed} {number}", seat, found)


def test_nothing_is_listed_before_the_first_deal() -> None:
    """A table that has not been dealt to asks nothing of its players."""
    state = rubber(CODES["english-1864"], enforcement=Enforcement.CLUB, dealer=Seat.N)
    assert all(legal(state, seat) == () for seat in SEATS)


ENDING = """
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: E
    Deal: N:A2.2.. E:9..65. S:43.5.. W:KT...2
    Tricks: NS 5 EW 5
"""


@pytest.mark.parametrize(
    ("enforcement", "act", "listed"),
    [
        ("club", "S H5", True),
        ("club", "S S4", False),
        ("guided", "S H5", True),
        ("guided", "S S4", False),
    ],
)
def test_withdrawing_is_listed_after_a_renounce(enforcement: str, act: str, listed: bool) -> None:  # noqa: FBT001
    """A player may take back a card by which he renounced, and no other."""
    state = done(table(f"{ENDING}\nEnforcement: {enforcement}"), f"E S9, {act}")
    assert (c.Withdraw() in legal(state, Seat.S)) is listed


def test_withdrawing_tells_at_a_guided_table_only() -> None:
    """After a true renounce `withdraws` is listed at a club table, where nobody is told anything, and not at a guided one."""
    for enforcement, listed in (("club", True), ("guided", False)):
        state = done(table(f"{ENDING}\nEnforcement: {enforcement}"), "E S9, S S4, W SK, N SA, N quits, N H2, E D5")
        assert (c.Withdraw() in legal(state, Seat.E)) is listed


def test_what_the_moment_calls_for_is_apart_from_what_lies_open() -> None:
    """The two parts of the list have no act in common and together are the whole of it."""
    state = done(table(ENDING), "E S9, S H5")
    for seat in SEATS:
        assert not set(dynamic(state, seat)) & set(standing(state, seat))
        assert legal(state, seat) == (*dynamic(state, seat), *standing(state, seat))
    assert c.Play(card_named("SK")) in dynamic(state, Seat.W)
    assert c.Ask() in dynamic(state, Seat.N)
    assert c.ClaimRevoke(Seat.S, 11) in standing(state, Seat.E)
