"""Folding events: what the table knows and what a viewer was shown are folded by the same function."""

import pytest

from oddtrick_rules.decide import Verdict
from oddtrick_rules.state import RevokeStage
from support.acting import outcome_of, table
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
