"""Folding events: what the table knows and what a viewer was shown are folded by the same function."""

from dataclasses import FrozenInstanceError, replace
from typing import get_args

import pytest

from oddtrick_rules import events as e
from oddtrick_rules import evolve as evolving
from oddtrick_rules.cards import card_named
from oddtrick_rules.decide import Verdict
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import RevokeStage
from support.acting import done, outcome_of, table
from support.leaks import mirrors

# Four cards each: N and S hold the suits they will renounce.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: E
    Deal: N:43..3.3 E:AK..A.A S:76..4.4 W:98..2.2
    Tricks: NS 5 EW 4
"""


@pytest.mark.parametrize("enforcement", ["club", "guided"])
def test_public_revokes_stand_in_the_order_they_became_public(enforcement: str) -> None:
    """A revoke proved late stands after one put right early, though it was made first, or its place would tell when."""
    state = table(f"{ENDING}\nEnforcement: {enforcement}")
    kept = mirrors(state)
    acts = "E SA, S D4, W S8, N S3, E quits, E SK, S S6, W S9, N D3, N withdraws, E waives, N S4, E quits"
    finish = "E DA, S S7, W D2, N D3, E quits, E CA, S C4, W C2, N C3, E quits"
    charge = "" if enforcement == "guided" else ", E claims revoke S, E searches"
    for act in f"{acts}, {finish}{charge}".split(","):
        verdict = outcome_of(state, act.strip())
        assert isinstance(verdict, Verdict), (act, verdict)
        state = verdict.state
        for mirror in kept:
            mirror.take(verdict.events)
            assert not mirror.wrong(state), (act, mirror.viewer)
    assert state.hand is not None
    stages = [(one.seat.name, one.stage) for one in state.hand.revokes]
    assert stages == [("N", RevokeStage.CORRECTED), ("S", RevokeStage.PROVED)]


def test_every_fact_is_recorded() -> None:
    """There is a recorder for each kind of event and for nothing else."""
    assert set(evolving._EVOLVE) == set(get_args(e.Event))


def test_recording_changes_nothing_that_was() -> None:
    """A state is a value: what is recorded makes a new one, and the old stays as it was."""
    state = table(ENDING)
    before = replace(state)
    verdict = outcome_of(state, "E SA")
    assert isinstance(verdict, Verdict)
    assert state == before
    assert verdict.state != state
    with pytest.raises(FrozenInstanceError):
        state.score = (1, 1)  # type: ignore[misc]


def test_a_card_withdrawn_in_an_earlier_trick_opens_that_trick_again() -> None:
    """The trick of the card is open and uncounted, the card is back in its hand face up, and the seat is to play again."""
    state = done(table(ENDING), "E SA, S D4, W S8, N S3, E SK, S withdraws")
    hand = state.hand
    assert hand is not None
    assert [len(trick.plays) for trick in hand.tricks] == [3]
    assert (hand.tricks[0].winner, hand.tricks[0].later, hand.taken) == (None, (Seat.W, Seat.N), (5, 4))
    assert hand.hands[Seat.S] & hand.seen[Seat.S] == 1 << card_named("D4")
    assert hand.held == (3, 3, 4, 3)
    assert hand.mending is Seat.S
