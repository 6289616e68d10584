"""What the code of 1900 has of its own on the revoke, hands thrown down, the trump card and counting: 42, 43, 45, 62, 75, 77, 78, 85, 94."""

import pytest

from support.law_table import Row, law_table

# East can follow spades; whoever else renounces has the suit too. South's side wins the first trick.
ENDING = """
    Code: whist-1900
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K6..5. E:94..9. S:7..2.A W:3..J.4
    Tricks: NS 6 EW 4
"""

OWN_QUITTING = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                                      | then
    adversaries quit: the question shields      | 78     | club   | N SK, E D9, S S7, W S3, W asks, N quits                        | not law 77, revoke E 11 made, may E withdraws
    either adversary                            | 78     | club   | N S6, E S9, S D2, W S3, N asks, W quits                        | not law 77, revoke S 11 made, may S withdraws
    its own side quits: it is established       | 77     | club   | N SK, E S4, S D2, W S3, N asks, N quits                        | law 77, revoke S 11 established, may not S withdraws
    whoever of the two does                     | 77     | club   | N SK, E S4, S D2, W S3, N asks, S quits                        | law 77, revoke S 11 established
    even when he has answered that he has one   | 77 R23 | club   | N SK, E S4, S D2, W S3, N asks, S answers some, N quits        | law 77, revoke S 11 established
    guided it is the same                       | 77     | guided | N SK, E S4, S D2, W S3, N asks, N quits                        | law 77, revoke S 11 established
    silence shields against the others          | 78     | club   | N SK, E D9, S S7, W S3, W asks, E is silent, N quits           | not law 77, revoke E 11 made
    answered none, any quitting counts          | 77 78  | club   | N SK, E D9, S S7, W S3, W asks, E answers none, = law 78, N quits | law 77, revoke E 11 established
    the adversaries leading on does no harm     | 78     | club   | N SK, E D9, S S7, W S3, W asks, N quits, N D5                  | not law 77, revoke E 11 made, may E withdraws
    nor their quitting after they led           | 78     | club   | N SK, E D9, S S7, W S3, W asks, N D5, N quits                  | not law 77, revoke E 11 made
    the offender's playing on ends it           | 77 78  | club   | N SK, E D9, S S7, W S3, W asks, N quits, = revoke E 11 made, N D5, E S9 | law 77, revoke E 11 established
    throwing down is playing on                 | 77     | club   | N SK, E D9, W throws down                                      | law 77, revoke E 11 established
    so is claiming the game                     | 77     | club   | N SK, E D9, E claims game                                      | law 77, revoke E 11 established
    showing a card is not                       | -      | club   | N SK, E D9, E shows S4                                         | not law 77, revoke E 11 made
    """
)

OVER = "N SK, E D9, S S7, W S3, N quits, N D5, E S4, S D2, W DJ, W quits, W C4, N S6, E S9, S CA, S quits"
TWICE = "N SK, E D9, S S7, W C4, N quits, N D5, E S4, S D2, W DJ, W quits, W S3, N S6, E S9, S CA, E quits"
DOWN = "N throws down, E throws down, S throws down, W throws down"

PER_REVOKE = law_table(
    ENDING
    + f"""
    case                                        | law   | score     | tricks    | acts                                                     | then
    three points added for each                 | 62 75 | NS 0 EW 0 | -         | N SK, E D9, S S7, W C4, {DOWN}, N claims revoke E, N claims revoke W, N searches, N elects add 1, = law 75, S elects deduct 2 | score NS 3 EW 0
    or taken off for each                       | 62 75 | NS 0 EW 4 | -         | N SK, E D9, S S7, W C4, {DOWN}, N claims revoke E, N claims revoke W, N searches, N elects deduct 1, S elects deduct 2 | law 75, score NS 0 EW 0
    three tricks are not to be had              | 88    | NS 0 EW 0 | -         | N SK, E D9, S S7, W S3, {DOWN}, N claims revoke E, N searches, N elects tricks 1 | law 88, revoke E 11 forfeited
    asked for all the same, it is lost          | 88    | NS 0 EW 0 | -         | N SK, E D9, S S7, W S3, {DOWN}, N claims revoke E, N searches, N elects tricks 1, S elects add 1 | refused, score NS 0 EW 0
    only that one                               | 88    | NS 0 EW 0 | -         | N SK, E D9, S S7, W C4, {DOWN}, N claims revoke E, N claims revoke W, N searches, N elects tricks 1, = law 88, N elects add 2 | score NS 3 EW 0
    the side that revoked still cannot win      | 86    | NS 0 EW 4 | NS 4 EW 6 | E claims rest, N SK, E D9, S S7, W S3, {DOWN}, N claims revoke E, N searches, N elects tricks 1, W cuts | score NS 0 EW 4, games NS 0 EW 0
    all four down: only a revoke is pleaded     | 62    | NS 0 EW 0 | -         | {DOWN}                                                   | law 62, law R22, tricks NS 6 EW 7, may not N plays out
    three down: the fourth plays on             | 61    | NS 0 EW 0 | -         | N throws down, E throws down, S throws down              | law 61, turn N, callable E D9 S9 S4
    each pays, and not alike                    | 75    | NS 0 EW 3 | -         | {TWICE}, N claims revoke E, N claims revoke W, N searches, N elects deduct 1, S elects tricks 2 | law 75, score NS 0 EW 0
    """
)

BOTH = "N SK, E D9, S D2, W S3, N quits, N D5, E S4, S S7, W DJ, W quits, W C4, N S6, E S9, S CA, S quits"

CANCELLED = law_table(
    ENDING
    + f"""
    case                                        | law   | score     | acts                                                     | then
    they cancel each other                      | 85    | NS 3 EW 3 | {BOTH}, N claims revoke E, E claims revoke S, N searches | law 85, revoke E 11 cancelled, revoke S 11 cancelled
    nobody pays                                 | 85    | NS 3 EW 3 | {BOTH}, N claims revoke E, E claims revoke S, N searches, N elects add 1 | refused 85, may not W elects tricks 2, may W cuts
    neither wins the game                       | 85 86 | NS 4 EW 3 | {BOTH}, N claims revoke E, E claims revoke S, N searches, = law 85, W cuts | score NS 4 EW 3, games NS 0 EW 0
    a penalty already taken is given back       | 85    | NS 0 EW 3 | {BOTH}, N claims revoke E, N searches, N elects tricks 1, = tricks NS 11 EW 2, E claims revoke S, E searches | law 85, tricks NS 8 EW 5
    and points too                              | 85    | NS 0 EW 3 | {BOTH}, N claims revoke E, N searches, S elects deduct 1, = score NS 0 EW 0, E claims revoke S, E searches | law 85, score NS 0 EW 3
    a game reached by one is undone             | 85    | NS 2 EW 0 | {BOTH}, N claims revoke E, N searches, N elects add 1, = game NS treble, E claims revoke S, E searches | law 85, score NS 2 EW 0
    proved after the penalty, it is one to one  | 85    | NS 1 EW 1 | {BOTH}, E claims revoke S, E searches, E elects tricks 1, N claims revoke E, N searches | law 85, tricks NS 8 EW 5, revoke S 11 cancelled
    one side alone pays                         | 75    | NS 0 EW 0 | {OVER}, N claims revoke E, N searches, N elects add 1    | law 75, not law 85, score NS 3 EW 0
    """
)

# West has dealt and turned up the two of hearts; he has the queen too, and one spade for the first trick.
TRUMPS = """
    Code: whist-1900
    Dealer: W
    Trump: H2
    Leader: N
    Deal: N:K6..5. E:Q4.9.. S:7..2.A W:3.Q2..
    Tricks: NS 6 EW 4
"""
FIRST = "N SK, E S4, S S7, W S3"

TRUMP_CARD = law_table(
    TRUMPS
    + f"""
    case                                        | law | acts                                                         | then
    left lying after the first trick            | -   | W leaves trump, {FIRST}, N quits                             | not law 42, callable W -
    after the second it may be called           | 42  | W leaves trump, {FIRST}, N quits, N D5, E H9, S D2, W HQ, W quits | law 42, callable W H2
    and must be played when called              | 42  | W leaves trump, {FIRST}, N quits, N D5, E H9, S D2, W HQ, W quits, N calls H2 from W | must W card H2
    taken up before that it cannot              | 42  | W leaves trump, {FIRST}, N quits, W takes up, = law 42, N D5, E H9, S D2, W HQ, W quits | callable W -
    named, it is one call of a trump            | 43  | {FIRST}, W names H2, N calls trump lowest from W, = law 43, N D5, E H9, S D2, W H2 | must W nothing
    the same call cannot be repeated            | 43  | {FIRST}, E names H2, N calls trump highest from E, N S6, E SQ, N calls trump highest from E | refused 43
    nor another                                 | 43  | {FIRST}, E names H2, N calls trump highest from E, N S6, E SQ, S calls trump lowest from E | refused 43
    not named, no trump is called               | 43  | {FIRST}, N calls trump highest from W                        | refused 43
    forgotten, the call is repeated             | 45  | {FIRST}, W forgets, N calls trump highest from W, N D5, E H9, S D2, W HQ | may N calls trump highest from W, may not N plays out
    until the card is out                       | 45  | {FIRST}, W forgets, N calls trump lowest from W, N D5, E H9, S D2, W H2 | law 45, may not N calls trump lowest from W
    another trump than the one called: a revoke | 76  | {FIRST}, W forgets, N calls trump lowest from W, N D5, E H9, S D2, W HQ | law 76, revoke W 12 made
    """
)

NO_LOOKING = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                          | then
    nobody sees a trick again                   | 94  | club        | N SK, E S4, S S7, W S3, N quits, E reviews    | refused 94
    nor he who won it                           | 94  | guided      | N SK, E S4, S S7, W S3, N quits, N reviews    | refused 94
    nor while it lies there                     | 94  | strict      | N SK, E S4, S S7, W S3, W reviews             | refused 94
    so no suit is ever called for it            | 94 R29 | club     | N SK, E S4, S S7, W S3, N quits, E reviews    | refused R29, may not N calls suit C from E
    placed they may be, until they are touched  | 89  | club        | N SK, E S4, S S7, W S3, E places              | law 89, may N quits
    touched, they may not                       | 89  | club        | N SK, E S4, S S7, W S3, N gathers, E places   | refused 89
    quitted, they may not                       | 89  | strict      | N SK, E S4, S S7, W S3, N quits, W places     | refused 89
    """
)


@pytest.mark.law("whist-1900", "77", "78", "R12", "R23")
@pytest.mark.parametrize("row", OWN_QUITTING, ids=str)
def test_the_question_and_the_quitting(row: Row) -> None:
    """A question shields against the adversaries' quitting; a side that quits its own revoke establishes it."""
    row.check()


@pytest.mark.law("whist-1900", "61", "62", "75", "86", "88", "R22")
@pytest.mark.parametrize("row", PER_REVOKE, ids=str)
def test_each_revoke_is_paid_for(row: Row) -> None:
    """Each revoke has a penalty of its own; of hands thrown down it is points, and three tricks are a wrong demand."""
    row.check()


@pytest.mark.law("whist-1900", "75", "85", "86", "R11")
@pytest.mark.parametrize("row", CANCELLED, ids=str)
def test_revokes_on_both_sides_cancel(row: Row) -> None:
    """Nobody pays, what was paid is given back, and neither side wins the game by that hand."""
    row.check()


@pytest.mark.law("whist-1900", "42", "43", "45", "76")
@pytest.mark.parametrize("row", TRUMP_CARD, ids=str)
def test_the_trump_card(row: Row) -> None:
    """It lies till the second trick is quitted; named it costs one call, forgotten as many as it takes."""
    row.check()


@pytest.mark.law("whist-1900", "89", "94", "R29")
@pytest.mark.parametrize("row", NO_LOOKING, ids=str)
def test_no_trick_is_looked_at_again(row: Row) -> None:
    """Cards are placed while they lie there; quitted, they are seen by nobody."""
    row.check()
