"""A trick after its cards: quitted (R1), left behind (R2), placed (85), looked at again (91, R14)."""

import pytest

from oddtrick_rules.commands import Quit
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import Reviewed
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import Official
from oddtrick_rules.state import RevokeStage, State
from support.acting import done, events_of, table
from support.law_table import Row, law_table

ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K..5.2 E:94..9. S:7..2.A W:3..J.4
    Tricks: NS 6 EW 4
"""

QUITTING = law_table(
    ENDING
    + """
    case                                       | law | acts                                             | then
    the fourth card counts the trick           | -   | N SK, E S4, S S7, W S3                           | law R1, tricks NS 7 EW 4, turn N
    the winner may quit it                     | R1  | N SK, E S4, S S7, W S3, N quits                  | law R1, turn N
    his partner may                            | R1  | N SK, E S4, S S7, W S3, S quits                  | law R1, turn N
    his adversary may not                      | R1  | N SK, E S4, S S7, W S3, E quits                  | refused R1, may N quits
    an open trick is not quitted               | R1  | N SK, E S4, S S7, N quits                        | refused R1, turn W
    it is quitted once                         | R1  | N SK, E S4, S S7, W S3, N quits, S quits         | refused R1
    before any card there is nothing to quit   | R1  | N quits                                          | refused R1
    to gather it is not yet to quit it         | R1  | N SK, E S4, S S7, W S3, S gathers                | law R1, may S quits, may N quits, may not S gathers
    nor is it the adversary's to gather        | R1  | N SK, E S4, S S7, W S3, W gathers                | refused R1
    not while a correction is pending          | R1  | N SK, E D9, S S7, W S3, E withdraws, N quits     | refused R1
    a trick corrected is counted again         | -   | N SK, E S4, S D2, W S3, = tricks NS 7 EW 4, S withdraws, = tricks NS 6 EW 4, E waives, S S7 | law R1, tricks NS 7 EW 4
    the last trick is quitted like any other   | -   | N SK, E S4, S S7, W S3, N quits, N D5, E D9, S D2, W DJ, W quits |
                                               |     | W C4, N C2, E S9, S CA, = may not W cuts, = may not E claims honours, N quits | law R1, may W cuts
    """
)

EARLY = law_table(
    ENDING
    + """
    case                                       | law | acts                                                       | then
    one may lead before the last is quitted    | -   | N SK, E S4, S S7, W S3, N D5                               | turn E, may N quits
    and play, and quit it then                 | -   | N SK, E S4, S S7, W S3, N D5, E D9, N quits                | turn S, may not N quits
    tricks are quitted in their order          | -   | N SK, E S4, S S7, W S3, N D5, E D9, S D2, W DJ, = may not W quits, N quits, W quits | turn W
    an adversary's lead settles no revoke      | 73  | N SK, E D9, S S7, W S3, N D5, = revoke E 11 made, = not law 73, E S9 | law 73
    his own side's lead does                   | 73  | N SK, E S4, S D2, W S3, N D5                               | law 73, revoke S 11 established
    corrected, the later card goes back        | R2  | N SK, E D9, S S7, W S3, N D5, E withdraws                  | law R2, hand N D5 C2, turn E
    and it is not exposed                      | R2  | N SK, E D9, S S7, W S3, N D5, E withdraws, = law R2, S calls lowest from E, E S4, N quits, N C2 | callable N -, turn E
    """
)

# Both ways of play are the same where nothing irregular may happen.
PLACING = law_table(
    ENDING
    + """
    case                                       | law | enforcement | acts                                          | then
    while the trick is open                    | 85  | club        | N SK, E S4, W places                          | law 85, turn S
    by the last to play                        | 85  | guided      | N SK, E S4, S S7, W S3, W places              | law 85, turn N
    by anyone                                  | 85  | strict      | N SK, E S4, S S7, W S3, N places              | law 85, may E places, may S places, may W places
    as long as nobody has touched the cards    | 85  | club        | N SK, E S4, S S7, W S3, N gathers, E places   | refused 85
    not when the trick is quitted              | 85  | club        | N SK, E S4, S S7, W S3, N quits, E places     | refused 85
    not before there is a card                 | 85  | strict      | E places                                      | refused 85
    nobody's but a player's in play            | -   | club        | N SK, E S4, S S7, W S3, N gathers, N quits    | may not N places, turn N
    """
)

LAST_TRICK = law_table(
    ENDING
    + """
    case                                       | law | enforcement | acts                                          | then
    once it is quitted                         | 91  | club        | N SK, E S4, S S7, W S3, N quits, E reviews    | law 91, turn N
    by anyone                                  | 91  | guided      | N SK, E S4, S S7, W S3, N quits, S reviews    | law 91, may N reviews, may E reviews, may W reviews
    strictly too                               | 91  | strict      | N SK, E S4, S S7, W S3, N quits, W reviews    | law 91
    while the next is played                   | 91  | club        | N SK, E S4, S S7, W S3, N quits, N D5, E D9, E reviews | law 91, turn S
    not before it is quitted                   | 91  | club        | N SK, E S4, S S7, W S3, E reviews             | refused 91
    not before any is                          | 91  | strict      | N SK, W reviews                               | refused 91
    """
)


@pytest.mark.law("english-1864", "R1")
@pytest.mark.parametrize("row", QUITTING, ids=str)
def test_turning_and_quitting(row: Row) -> None:
    """A trick is counted at its fourth card, and is quitted by an act of either of those who won it."""
    row.check()


@pytest.mark.law("english-1864", "73", "R2")
@pytest.mark.parametrize("row", EARLY, ids=str)
def test_leading_before_the_last_trick_is_quitted(row: Row) -> None:
    """One may lead on; only the offender's own side settles a revoke by it, and a correction sends the later cards back."""
    row.check()


@pytest.mark.law("english-1864", "85")
@pytest.mark.parametrize("row", PLACING, ids=str)
def test_placing_the_cards(row: Row) -> None:
    """Anybody may have the cards placed before their players until they are touched to be gathered."""
    row.check()


@pytest.mark.law("english-1864", "91", "R14")
@pytest.mark.parametrize("row", LAST_TRICK, ids=str)
def test_seeing_the_last_trick(row: Row) -> None:
    """Anybody may see the trick last quitted, until the next is."""
    row.check()


@pytest.mark.law("english-1864", "91", "R14")
def test_only_the_last_trick_is_seen() -> None:
    """When the next trick is quitted the one before can be seen no more."""
    one = done(table(ENDING), "N SK, E S4, S S7, W S3, N quits")
    two = done(one, "N D5, E D9, S D2, W DJ, W quits")
    assert [event.trick for event in events_of(one, "S reviews") if isinstance(event, Reviewed)] == [11]
    assert [event.trick for event in events_of(two, "S reviews") if isinstance(event, Reviewed)] == [12]


def clock_quits(state: State) -> Verdict | Refusal:
    """What becomes of the clock's quitting a trick."""
    return judge(state, Official.CLOCK, Quit())


@pytest.mark.law("english-1864", "R1", "R32")
def test_the_clock_quits_for_the_winner() -> None:
    """A complete trick that nobody quits is quitted by the clock, as if by its winner: the revoke in it is established."""
    complete = done(table(ENDING), "N SK, E D9, S S7, W S3")
    quitted = clock_quits(complete)
    assert isinstance(quitted, Verdict)
    assert quitted.state.hand is not None
    assert [revoke.stage for revoke in quitted.state.hand.revokes] == [RevokeStage.ESTABLISHED]
    assert isinstance(clock_quits(quitted.state), Refusal)
    assert isinstance(clock_quits(done(table(ENDING), "N SK, E D9, S S7")), Refusal)


@pytest.mark.law("english-1864", "74", "76", "R1", "R5", "R32")
def test_the_clock_waits_for_a_question_and_a_correction() -> None:
    """The clock does not quit while a question is unanswered or a card withdrawn has not been replaced."""
    asked = done(table(ENDING), "N SK, E D9, S S7, W S3, W asks")
    assert isinstance(clock_quits(asked), Refusal)
    assert isinstance(clock_quits(done(asked, "E answers some")), Verdict)
    mending = done(asked, "E withdraws, N waives")
    assert isinstance(clock_quits(mending), Refusal)
    assert isinstance(clock_quits(done(mending, "E S4")), Verdict)
