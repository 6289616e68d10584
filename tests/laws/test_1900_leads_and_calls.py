"""What the code of 1900 has of its own on leads and calls: 59, 60, 64, 65, 68, 70, 71, 76, 87, 88, 90."""

import pytest

from oddtrick_rules.commands import Lapse
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.records import changed
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import Official
from support.acting import done, outcome_of, table
from support.law_table import Row, law_table

# North leads. South's clubs nobody else holds; East's diamond everybody has one of.
ENDING = """
    Code: whist-1900
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K6.3.5. E:Q4.9..8 S:72..2.A W:A3..J.4
    Tricks: NS 5 EW 4
"""

OUT_OF_TURN = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                           | then
    the card goes back when a suit is called    | 64  | club        | E C8, N calls suit D from W                    | law 64, callable E -, hand E H9 SQ S4 C8, must W suit D
    the card is called instead                  | 64  | club        | E C8, S objects                                | law 64, callable E C8, turn N
    played uncalled, it leaves the suit to call | 64  | club        | E H9, N D5, E H9, S D2, W DJ                   | law R1, callable E -, may N calls suit S from E, may S calls suit C from E
    the suit is called at their next lead       | 64  | club        | E H9, N D5, E H9, S D2, W DJ, E quits, S calls suit S from E | law 64, must E suit S
    and led                                     | 64  | club        | E H9, N D5, E H9, S D2, W DJ, E quits, N calls suit C from E, E C8 | must E nothing, must W nothing, revoke E 11 none
    left to lead, they owe no suit              | 64  | club        | E H9, N D5, E H9, S D2, W DJ, E quits, = may N calls suit S from E, E C8 | may not N calls suit S from W
    called as a card, it leaves no suit to call | 64  | club        | E C8, N S6, E S4, S S7, W S3, S quits, S D2, W DJ, N D5, N calls C8 from E | must E card C8, may not S calls suit S from W
    the partner's lead: the suit at once        | 64  | club        | S CA, E calls suit H from N                    | law 64, must N suit H, callable S -
    he leads freely: the card alone is left     | 64  | club        | S CA, N SK                                     | law 64, callable S CA, must S nothing
    guided nobody leads out of turn             | 64  | guided      | E C8                                           | refused 64, turn N
    strictly nobody does                        | 64  | strict      | S CA                                           | refused 64, turn N
    """
)

TOGETHER = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                           | then
    partners lead together                      | 65  | club        | N SK, S CA                                     | law 65, may E calls highest from S, may W calls lowest from S, turn E
    the wrong card goes back                    | 65  | club        | N SK, S CA                                     | law 65, hand S S7 S2 D2 CA, callable S -
    highest of the right suit                   | 65  | club        | N SK, S CA, E calls highest from S             | law 65, must S highest S
    he plays it                                 | 65  | club        | N SK, S CA, W calls highest from S, E S4, S S7 | must S nothing, turn W, callable S -
    another of it is a revoke                   | 65 76 | club      | N SK, S CA, W calls lowest from S, E S4, S S7  | law 76, revoke S 10 made
    or the card is called                       | 65  | club        | N SK, S CA, W calls CA from S                  | law 65, callable S CA
    it does not force a revoke                  | 65  | club        | N SK, S CA, W calls CA from S, E S4, S S7      | revoke S 10 none, callable S CA
    waived, it may be called later              | 65  | club        | N SK, S CA, E waives                           | law 65, callable S CA, must S nothing
    when he has played it is too late           | 65  | club        | N SK, S CA, = law 65, E S4, S S7               | may not W calls highest from S
    not to win, for it gives no such choice     | 65  | club        | N SK, S CA, E calls win from S                 | law 88, must S nothing, may not W calls highest from S
    of the suit led it is third hand too early  | 70  | club        | N SK, S S7                                     | law 70, not law 65, turn E
    adversaries do not lead together            | 71  | club        | N SK, W C4                                     | law 71, not law 65
    guided it is refused                        | 70  | guided      | N SK, S CA                                     | refused 70, turn E
    """
)

CALLED_EARLY = law_table(
    ENDING
    + """
    case                                        | law | acts                                                         | then
    called before his turn, it is lost          | 59  | E shows S4, S calls S4 from E                                | law 59, law R24, must E nothing, callable E S4
    for that trick                              | 59  | E shows S4, S calls S4 from E, N SK, N calls S4 from E       | refused 59
    not for the next                            | 59  | E shows C8, S calls C8 from E, N SK, E S4, = not law 59, S S2, W S3, = law 59, N quits, N D5, S calls C8 from E | must E card C8
    called in his turn, it is good              | 68  | E shows S4, N SK, S calls S4 from E                          | law 68, must E card S4
    the other he may still keep                 | 68  | E shows S4, N SK, S calls S4 from E, E SQ                    | refused 68, callable E S4
    again at each trick, in his turn            | 68  | E shows C8, N SK, S calls C8 from E, E S4, = law 68, S S2, W S3, N S6, S calls C8 from E, E SQ | callable E C8
    of two, one early call loses both           | 59  | E shows S4 SQ, S calls SQ from E, = law 59, N SK, S calls S4 from E | refused 59
    a named card is exposed by law              | 58  | E names C8                                                   | law 58, law R21, callable E C8
    two laid at once are                        | 58 59 | N SK, E S4 C8, S calls S4 from E                           | law 59, callable E C8, turn S
    a card shown is                             | 58 59 | W shows C4                                                 | law 58, law 59, callable W C4
    """
)

WIN_OR_LOSE = law_table(
    ENDING
    + """
    case                                        | law | acts                                                         | then
    told to win, he does not: a revoke          | 76 R7 | N S6, W S3, N calls win from E, E S4                         | law 76, revoke E 10 made
    told not to, he does: a revoke              | 76  | N S6, W S3, S calls lose from E, E SQ                        | law 76, revoke E 10 made
    he obeys                                    | 71  | N S6, W S3, S calls lose from E, E S4                        | must E nothing, revoke E 10 none
    unable, he has not disobeyed                | -   | N SK, W S3, N calls win from E, E S4                         | not law 76, revoke E 10 none
    void, he ruffs or revokes                   | 76  | N D5, W DJ, S calls win from E, E C8                         | law 76, revoke E 10 made, tricks NS 5 EW 4
    he may put it right                         | 76 80 | N S6, W S3, N calls win from E, E S4, E withdraws, N waives, E SQ | law 80, revoke E 10 corrected
    his partner may ask whether he obeyed       | 76 78 | N S6, W S3, N calls win from E, E S4, W asks               | law 78, may E answers none
    and the question shields it                 | 76 78 | N S6, W S3, N calls win from E, E S4, S S7, = tricks NS 6 EW 4, W asks, E answers some, S quits | revoke E 10 made
    it is established by quitting               | 76 77 | N S6, W S3, N calls win from E, E S4, S S7, S quits        | law 77, revoke E 10 established
    highest called: he plays another            | 76  | N SK, N says mine, W calls highest from S, E S4, S S2        | law 76, revoke S 10 made
    a suit called: he leads another             | 76  | S CA, W calls suit D from N, N SK                            | law 76, revoke N 10 made
    led on: his partner could have won          | 60 76 | N S6, N SK, E calls win from S, E S4, S S2                 | law 76, revoke S 10 made, callable N SK
    led on: he wins                             | 60  | N S6, N SK, E calls win from S, E S4, S S7                   | revoke S 10 none, callable N SK, turn W
    led on: he is not able to                   | 60  | N SK, N S6, E calls win from S, E S4, S S2                   | revoke S 10 none, callable N S6
    attention: told to lose he wins             | 76 90 | N S6, E SQ, E says mine, N calls lose from W, S S7, W SA   | law 76, revoke W 10 made
    """
)

WRONG_DEMAND = law_table(
    ENDING
    + """
    case                                        | law    | acts                                                      | then
    highest for fourth hand too early           | 88 R16 | N S6, W S3, N calls highest from E                           | law 88, may not N calls win from E, must E nothing
    his partner cannot mend it                  | 88  | N S6, W S3, N calls highest from E, = law 88, S calls lose from E | refused
    a suit for a corrected revoke               | 88  | N SK, E H9, E withdraws, N calls suit D from E               | law 88, callable E -, may E SQ, may not N calls lowest from E
    to win for a corrected revoke               | 88  | N SK, E H9, E withdraws, N calls win from E                  | law 88, callable E -, may E S4
    a suit for an exposed card                  | 88  | E shows S4, N calls suit D from E                            | law 88, callable E -
    the lowest for an exposed card              | 88  | E shows S4 C8, N SK, S calls lowest from E                   | law 88, callable E -, may E SQ
    to win, for a lead out of turn              | 88  | E C8, N SK, S calls win from E                               | law 88, callable E -
    with no offence there is nothing to lose    | -   | N SK, S calls lowest from E                                  | refused, must E nothing
    the lawful demand is no wrong one           | 71  | N S6, W S3, N calls lose from E                              | law 71, not law 88, must E lose
    """
)

CONSULTING = law_table(
    ENDING
    + """
    case                                        | law | acts                                                         | then
    they consult: all is lost                   | 87  | N S6, W S3, S consults                                       | law 87, law R15, may not N calls win from E, may not S calls lose from E
    of a corrected revoke too                   | 87  | N SK, E H9, E withdraws, N consults                          | law 87, callable E -, may E S4
    the first lawful demand is final            | 87  | N S6, W S3, N calls win from E, S calls lose from E          | refused 87, must E win
    attention drawn: each may choose            | 90  | N SK, N says mine                                            | law 90, may E calls highest from S, may W calls lose from S
    not when partner has played                 | 90  | N SK, E S4, S S7, N says mine                                | refused 90
    guided it is refused                        | 90  | N SK, E S4, E says mine                                      | law 90, may N calls lowest from W
    """
)


@pytest.mark.law("whist-1900", "64")
@pytest.mark.parametrize("row", OUT_OF_TURN, ids=str)
def test_a_lead_out_of_turn(row: Row) -> None:
    """The card is called or a suit, and the suit even when the card has been played uncalled; then the card goes back."""
    row.check()


@pytest.mark.law("whist-1900", "65", "70", "71", "76")
@pytest.mark.parametrize("row", TOGETHER, ids=str)
def test_partners_leading_together(row: Row) -> None:
    """The partner in error plays his highest or lowest of the suit rightly led, or his card may be called."""
    row.check()


@pytest.mark.law("whist-1900", "58", "59", "68", "R21", "R24")
@pytest.mark.parametrize("row", CALLED_EARLY, ids=str)
def test_an_exposed_card_called_too_early(row: Row) -> None:
    """Before its owner's turn a call loses the penalty for that trick; in his turn it may be made at every trick."""
    row.check()


@pytest.mark.law("whist-1900", "60", "71", "76", "77", "78", "80", "90", "R7")
@pytest.mark.parametrize("row", WIN_OR_LOSE, ids=str)
def test_not_winning_or_losing_as_told(row: Row) -> None:
    """To win a trick or lose it against a lawful call, when able to obey, is a revoke like any other."""
    row.check()


@pytest.mark.law("whist-1900", "71", "88", "R16")
@pytest.mark.parametrize("row", WRONG_DEMAND, ids=str)
def test_a_wrong_demand(row: Row) -> None:
    """A demand that the offence does not carry loses every penalty for it."""
    row.check()


@pytest.mark.law("whist-1900", "87", "90", "R15")
@pytest.mark.parametrize("row", CONSULTING, ids=str)
def test_consulting(row: Row) -> None:
    """Partners who confer on a penalty lose it, and a lawful demand is final."""
    row.check()


@pytest.mark.law("whist-1900", "91", "R32")
@pytest.mark.parametrize(
    ("acts", "play", "choice"),
    [
        ("N S6, W S3", "E SQ", "N calls win from E"),
        ("N SK, N says mine, E S4", "S S2", "W calls lowest from S"),
        ("N S6, E SQ, E says mine, S S2", "W S3", "S calls lowest from W"),
    ],
)
def test_there_is_time_to_decide(acts: str, play: str, choice: str) -> None:
    """Where the table keeps law 91 by the clock, the card a choice would bind waits for it, until time is up."""
    state = done(changed(table(ENDING), reasonable_time=True), acts)
    held = outcome_of(state, play)
    assert isinstance(held, Refusal)
    assert "91" in held.cites
    assert isinstance(outcome_of(state, choice), Verdict)
    lapsed = judge(state, Official.CLOCK, Lapse())
    assert isinstance(lapsed, Verdict)
    assert isinstance(outcome_of(lapsed.state, play), Verdict)
    assert isinstance(outcome_of(lapsed.state, choice), Refusal)
