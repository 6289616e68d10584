"""What the table waits for: who is expected to act, on what, and whom a choice holds up."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from oddtrick_rules import commands as c
from oddtrick_rules.awaits import Await, AwaitKind, awaits
from oddtrick_rules.cards import cards_in
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.records import changed
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import Official, Seat
from oddtrick_rules.state import State
from oddtrick_rules.turns import playable
from support.acting import done, table
from support.driver import Game, fresh, run, tables

if TYPE_CHECKING:
    from conftest import Size

ENDING = """
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:K2.2.. E:9..65. S:43.5.. W:T5...2
    Tricks: NS 5 EW 5
"""


def waited(state: State) -> list[str]:
    """The expectations in words: `turn E`, `choice NS`, `linger`."""
    return [" ".join([one.kind.value, "".join(seat.name for seat in one.seats)]).strip() for one in awaits(state)]


@pytest.mark.parametrize(
    ("acts", "expected"),
    [
        ("N SK", ["turn E"]),
        ("N SK, E S9, S S3, W S5", ["turn N", "linger"]),
        ("N SK, E S9, S S3, W S5, N quits", ["turn N"]),
        ("N SK, E D5, W asks", ["question E", "turn S"]),
        ("N SK, E D5, S H5, W asks, N asks", ["question E", "question S", "turn W"]),
        ("N SK, E D5, S S3, W S5, W asks", ["question E", "turn N"]),
        ("N SK, E D5, E withdraws", ["choice NS"]),
        ("N SK, E D5, E withdraws, N waives", ["turn E"]),
        ("N SK, E D5 D6", ["choice NS"]),
        ("N SK, E S9, S S3, W S5, N quits, N H2, E D5, S H5, W ST", ["turn S", "linger"]),
    ],
)
def test_what_is_waited_for_in_play(acts: str, expected: list[str]) -> None:
    """A card, an answer, a choice, or nothing but the quitting of a trick, which is the clock's."""
    assert waited(done(table(ENDING), acts)) == expected


def test_a_choice_with_a_reasonable_time_holds_up_one_player() -> None:
    """Where law 87 is kept by the clock, a call open on a player's partner holds up him alone, and the next card is waited for."""
    state = changed(table(ENDING), reasonable_time=True)
    state = done(state, "N SK, N says mine")
    assert waited(state) == ["choice EW", "turn E"]
    assert waited(done(state, "E S9")) == ["choice EW"]
    assert waited(done(state, "E S9, W calls highest from S")) == ["turn S"]
    assert waited(done(state, "E S9, W waives")) == ["turn S"]


def test_the_hand_over_claims_are_waited_for_and_then_the_cut() -> None:
    """Charges are searched, penalties elected, all say that they are ready, and the dealer of the hand cuts."""
    state = table("""
        Code: english-1864
        Dealer: W
        Trump: C
        Leader: N
        Deal: N:A2... E:3..5. S:54... W:6...2
        Tricks: NS 5 EW 6
    """)
    state = done(state, "N SA, E D5, S S4, W S6, N quits, N S2, E S3, S S5, W C2, W quits")
    assert waited(state) == ["claims NESW"]
    state = done(state, "N claims revoke E, S claims revoke W 13")
    assert waited(state) == ["search NS"]
    state = done(state, "S searches")
    assert waited(state) == ["election NS"]
    state = done(state, "N elects add 1, N ready, E ready, S ready")
    assert waited(state) == ["cut W"]
    state = done(state, "W cuts")
    assert waited(state) == ["deal"]


def test_who_is_waited_for_at_bridge() -> None:
    """The dealer is waited for where dummy's card is, and for his side's penalty alone."""
    state = table("""
        Code: bridge-1904
        Dealer: S
        Declarer: S
        Trump: H
        Leader: W
        Deal: N:4...53 E:3..6.4 S:A...98 W:75..2.
        Tricks: NS 5 EW 5
    """)
    state = done(state, "W S7")
    assert awaits(state) == (Await(AwaitKind.TURN, (Seat.S,), 0, Seat.N),)
    state = done(state, "N S4, E D6, E withdraws")
    assert waited(state) == ["choice S"]


def test_a_card_waited_for_can_be_played(size: Size, seed: int) -> None:
    """Whoever's turn is waited for has a card by which every law is kept, and each of them is accepted without a revoke."""
    kinds = tables(random.Random(seed))
    turns = 0
    for number in range(size(80, 1_500)):
        chance = random.Random(f"{seed} {number}")
        game = Game(fresh(chance, *next(kinds)), chance)
        for _ in range(30):
            run(game, wildness=0.4, acts=3)
            for one in awaits(game.state):
                if one.kind is not AwaitKind.TURN or one.seat is None:
                    continue
                turns += 1
                for card in cards_in(playable(game.state, one.seat)):
                    result = judge(
                        game.state, one.seats[0], c.Play(card, one.seat if one.seat not in one.seats else None)
                    )
                    assert isinstance(result, Verdict), (f"{seed} {number}", one, card, result)
                    assert not any(type(event).__name__ == "RevokeMade" for event in result.events)
                assert playable(game.state, one.seat)
    assert turns > 100


def test_the_clock_runs_out_on_what_its_limit_was_for() -> None:
    """A choice whose time is over is waived though a younger question is still open, and the question keeps its time."""
    state = done(table(ENDING), "N SK, E D5, S H5, N asks, E withdraws")
    assert waited(state) == ["question S", "choice NS"]
    right = next(one.about for one in awaits(state) if one.kind is AwaitKind.CHOICE)
    assert isinstance(judge(state, Official.CLOCK, c.Lapse(right + 1)), Refusal)
    of_choice = judge(state, Official.CLOCK, c.Lapse(right))
    assert isinstance(of_choice, Verdict)
    assert waited(of_choice.state) == ["question S", "turn E"]
    of_question = judge(state, Official.CLOCK, c.Lapse())
    assert isinstance(of_question, Verdict)
    assert waited(of_question.state) == ["choice NS"]
