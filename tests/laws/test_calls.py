"""Calls and what they bind: exposed cards (64, 65), choosing (84), time for it (87), disobeying (61, R7)."""

import pytest

from oddtrick_rules.codes.english_1864 import ENGLISH_1864
from oddtrick_rules.commands import Lapse
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.records import changed
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import Official
from oddtrick_rules.state import State
from support.acting import done, outcome_of, refusal_of, table
from support.law_table import Row, law_table

# North leads. East can follow or, to a diamond, ruff or discard; West has two spades, one of which is the ace.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K6.3.5. E:Q4.9..8 S:72..2.A W:A3..J.4
    Tricks: NS 5 EW 4
"""

CARD_CALLED = law_table(
    ENDING
    + """
    case                                        | law | acts                                                         | then
    called, the card must be played             | 65  | E shows S4, N SK, S calls S4 from E                          | must E card S4, may E S4, may not E SQ
    another is refused, and is no revoke        | 65  | E shows S4, N SK, S calls S4 from E, E SQ                    | refused 65, revoke E 10 none, turn E
    played, it is called no more                | 65  | E shows S4, N SK, S calls S4 from E, E S4                    | law 65, callable E -, must E nothing
    called before his turn, it waits for that   | 65  | E shows S4, S calls S4 from E, = must E card S4, N SK, E SQ  | refused 65, may E S4
    it need not be played if it cannot          | 64  | E shows C8, N SK, S calls C8 from E, E S4                    | revoke E 10 none, must E nothing, callable E C8
    then it may be called again                 | 65  | E shows C8, N SK, S calls C8 from E, E S4, = law 65, S S2, W S3, N D5, N calls C8 from E | must E card C8, may not E H9
    and again, till it is played                | 65  | E shows C8, N SK, S calls C8 from E, E S4, = law 65, S S2, W S3, N S6, S calls C8 from E, E SQ, S S7, W SA, W DJ, N calls C8 from E | must E card C8
    nobody need call it                         | -   | E shows S4, N SK, E SQ                                       | callable E S4, turn S
    it cannot be forbidden                      | -   | E shows S4, N SK, E S4                                       | callable E -, turn S
    two exposed, one is called                  | 84  | E shows SQ S4, N SK, N calls SQ from E, S calls S4 from E    | refused 84, must E card SQ
    """
)

NO_FORCED_REVOKE = law_table(
    ENDING
    + """
    case                                        | law | acts                                                         | then
    a card of another suit is not enforced      | 64  | E shows H9, N SK, N calls H9 from E, E SQ                    | revoke E 10 none, turn S, callable E H9
    he may not even revoke by it                | 71  | E shows H9, N SK, N calls H9 from E, E H9                    | law 71, revoke E 10 made
    it is when he has none of the suit led      | 65  | E shows H9, N D5, N calls H9 from E, E C8                    | refused 65, may E H9
    told to win, he need not ruff a suit he has | 64  | N SK, W S3, S calls win from E, E S4                         | revoke E 10 none, turn S
    but what beats the trick he plays           | 68  | N S6, W S3, S calls win from E, E S4                         | refused 68, may E SQ, may not E H9
    """
)

CHOOSING = law_table(
    ENDING
    + """
    case                                        | law | acts                                                         | then
    the first demand is final                   | 84  | N SK, E H9, E withdraws, N calls lowest from E, S calls highest from E | refused 84, must E lowest S
    his own is, too                             | 84  | N SK, E H9, E withdraws, N calls lowest from E, N calls highest from E | refused 84
    they consult: they lose it                  | 84  | N SK, E H9, E withdraws, N consults                          | law 84, law R15, may not N calls lowest from E, may not S calls highest from E
    and the card is not liable                  | 84  | N SK, E H9, E withdraws, N consults                          | callable E -, may E SQ, may E S4
    consulting, the partner loses it as well    | 84  | N SK, N says mine, W consults                                | law 84, may not E calls highest from S, may not W calls lose from S
    the false lead then stands                  | 84  | E C8, S consults                                             | law 84, may not N objects, may not S calls suit D from E, turn S
    or the rightful leader has led over it      | 84  | E C8, N SK, N consults                                       | law 84, callable E -, may not N calls suit D from W
    the side that erred has nothing to consult  | -   | N SK, E H9, E withdraws, W consults                          | refused R15, may N calls lowest from E
    with nothing to choose nobody has           | -   | N SK, N consults                                             | refused R15
    over a revoke they may                      | -   | N SK, E H9, S S2, W S3, E quits, N throws down, S throws down, E throws down, W throws down, N claims revoke E, N searches, S consults | not law 84, may N elects add 1
    """
)

WRONG_DEMAND = law_table(
    ENDING
    + """
    case                                        | law | acts                                                         | then
    refused, and nothing is lost                | 68  | N S6, W S3, N calls lowest from E                            | refused 68, may N calls lose from E
    a suit is not called for a wrong card       | 76  | N SK, E H9, E withdraws, N calls suit D from E               | refused 76, may N calls lowest from E
    the card called wrongly can still be        | 76  | N SK, E H9, E withdraws, N calls win from E, = refused 76, N waives, E S4 | callable E H9
    """
)

DISOBEYING = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                       | then
    lowest called, he plays another             | 61  | club        | N SK, E H9, E withdraws, N calls lowest from E, E SQ | law 61, law R7, revoke E 10 made, may E withdraws
    so it is where the umpire guides            | 61  | guided      | N SK, E H9, E withdraws, N calls lowest from E, E SQ | law 61, revoke E 10 made, may E withdraws
    a suit called, he leads another             | 61  | club        | S CA, E calls suit D from N, N SK          | law 61, revoke N 10 made, may N withdraws
    it is established like any other            | 61  | club        | S CA, E calls suit D from N, N SK, E S4, S S2, W S3, N quits | law 73, revoke N 10 established
    to the called suit he has obeyed            | -   | club        | S CA, E calls suit D from N, N D5          | not law 61, revoke N 10 none
    with none of it he has not disobeyed        | -   | club        | S CA, E calls suit C from N, N SK          | not law 61, revoke N 10 none
    to win or lose is simply enforced           | R7  | club        | N S6, W S3, N calls win from E, E S4       | refused R7, revoke E 10 none
    so is a card called                         | 65  | club        | E shows S4, N SK, S calls S4 from E, E SQ  | refused 65, revoke E 10 none
    corrected, he obeys                         | 61  | club        | N SK, N says mine, W calls highest from S, E S4, S S2, S withdraws, E calls highest from S, S S7 | law 76, revoke S 10 corrected
    charged, it is proved a revoke              | 61  | club        | N SK, N says mine, W calls highest from S, E S4, S S2, W S3, N quits, E throws down, W throws down, S throws down, N throws down, E claims revoke S 10, E searches | law 61, claim proved, revoke S 10 proved
    it costs what a revoke costs                | 61  | club        | N SK, N says mine, W calls highest from S, E S4, S S2, W S3, N quits, E throws down, W throws down, S throws down, N throws down, E claims revoke S, E searches, E elects add 1 | law 72, score NS 0 EW 3
    """
)


@pytest.mark.law("english-1864", "64", "65", "84", "R24")
@pytest.mark.parametrize("row", CARD_CALLED, ids=str)
def test_an_exposed_card_called(row: Row) -> None:
    """It must be played if it can be, and if it cannot it may be called trick after trick till it is gone."""
    row.check()


@pytest.mark.law("english-1864", "64", "65", "68", "71")
@pytest.mark.parametrize("row", NO_FORCED_REVOKE, ids=str)
def test_no_call_forces_a_revoke(row: Row) -> None:
    """Whatever is called from him, a player follows suit."""
    row.check()


@pytest.mark.law("english-1864", "84", "R15")
@pytest.mark.parametrize("row", CHOOSING, ids=str)
def test_choosing_between_penalties(row: Row) -> None:
    """The first demand is final, and partners who consult lose the choice, but for that of a revoke."""
    row.check()


@pytest.mark.law("english-1864", "68", "76", "R16")
@pytest.mark.parametrize("row", WRONG_DEMAND, ids=str)
def test_demanding_what_the_offence_does_not_carry(row: Row) -> None:
    """A wrong demand is refused and costs nothing."""
    row.check()


@pytest.mark.law("english-1864", "61", "65", "R7")
@pytest.mark.parametrize("row", DISOBEYING, ids=str)
def test_disobeying_a_call(row: Row) -> None:
    """To disobey a call of highest, lowest or a suit is a revoke; any other is enforced."""
    row.check()


def patient() -> State:
    """The ending at a table that keeps law 87 by the clock."""
    return changed(table(ENDING), reasonable_time=True)


@pytest.mark.law("english-1864", "87")
@pytest.mark.parametrize(
    ("acts", "play", "choice"),
    [
        ("N S6, W S3", "E SQ", "N calls win from E"),
        ("N SK, N says mine, E S4", "S S2", "W calls lowest from S"),
        ("S CA", "N SK", "E calls suit S from N"),
    ],
    ids=["fourth hand first", "attention drawn", "partner's lead"],
)
def test_reasonable_time_to_choose(acts: str, play: str, choice: str) -> None:
    """Where time is kept for it, the play that would end a choice waits until it is made or given up."""
    waiting = done(patient(), acts)
    refusal = refusal_of(waiting, play)
    assert refusal.why is Why.PENDING_CHOICE
    assert "87" in refusal.cites
    assert isinstance(outcome_of(done(waiting, choice), play), Verdict)
    assert isinstance(outcome_of(done(waiting, f"{choice[0]} waives"), play), Verdict)


@pytest.mark.law("english-1864", "87", "R32")
def test_reasonable_time_ends() -> None:
    """When the clock has run out the choice is waived, and play goes on."""
    waiting = done(patient(), "N S6, W S3")
    lapsed = judge(waiting, Official.CLOCK, Lapse())
    assert isinstance(lapsed, Verdict)
    assert isinstance(outcome_of(lapsed.state, "E SQ"), Verdict)
    assert isinstance(outcome_of(lapsed.state, "N calls win from E"), Refusal)


@pytest.mark.law("english-1864", "87")
def test_without_the_law_nobody_waits() -> None:
    """A code without the law does not hold up play, nor does a table that does not keep it."""
    hasty = done(changed(patient(), code=ENGLISH_1864.without("87")), "N S6, W S3")
    assert isinstance(outcome_of(hasty, "E SQ"), Verdict)
    assert isinstance(outcome_of(done(table(ENDING), "N S6, W S3"), "E SQ"), Verdict)
