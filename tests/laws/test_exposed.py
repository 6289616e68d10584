"""Exposed cards: shown, named or put down together (56), thrown down (58, 59); and offers to end the hand (R3)."""

import pytest

from support.law_table import Row, law_table

# South is void of spades and has a trump; the others follow.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:AK..A. E:94..9. S:.8.2.A W:53...4
    Tricks: NS 6 EW 4
"""

EXPOSED = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                     | then
    a card shown lies exposed                   | 56     | club        | E shows D9                               | law 56, callable E D9, may N calls D9 from E, may S calls D9 from E
    two cards are                               | 56     | club        | E shows D9 S4                            | law 56, callable E D9 S4
    a card named is as good as shown            | 56 R21 | club        | E names D9                               | law 56, law R21, callable E D9
    to name one that lies there shows nothing   | -      | club        | E shows D9, E names D9                   | not law 56, callable E D9
    a card not called may be played             | 56     | club        | E shows S4, = callable E S4, N SA, E S4  | callable E -, turn S
    or kept                                     | 56     | club        | E shows S4, N SA, E S9                   | callable E S4, turn S
    his partner does not call it                | 56     | club        | E shows D9, W calls D9 from E            | refused 56
    nor is it his to call                       | 56     | club        | E shows D9, E calls D9 from E            | refused 56
    a hidden card cannot be called              | 56     | club        | N calls D9 from E                        | refused 56
    nobody shows a card he has not              | -      | club        | E shows DA                               | refused, callable E -
    guided nothing is shown                     | 56     | guided      | E shows D9                               | refused 56, callable E -
    nor named                                   | 56     | guided      | E names D9                               | refused 56, callable E -
    strictly it is the same                     | 56     | strict      | E shows D9                               | refused 56, callable E -
    """
)

TOGETHER = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                        | then
    two at once: the adversaries choose         | 56  | club        | N SA DA                                     | law 56, may E calls SA from N, may W calls DA from N
    nobody plays till they have                 | 56  | club        | N SA DA, E S4                               | refused 56, turn E
    nor does he                                 | 56  | club        | N SA DA, N SK                               | refused 56
    the card chosen is played                   | 56  | club        | N SA DA, W calls DA from N                  | law 56, hand N SA SK, turn E
    the other lies exposed                      | 56  | club        | N SA DA, W calls DA from N                  | callable N SA
    and is called later                         | 56  | club        | N SA DA, W calls DA from N, E D9, S D2, W C4, N quits, E calls SA from N | must N card SA
    waived, the first named is played           | 56  | club        | N SA DA, W waives                           | law 56, hand N DA SK, callable N DA, turn E
    three at once as well                       | 56  | club        | N SA DA SK, E calls SK from N               | law 56, hand N DA SA, callable N DA SA
    to follow suit they cannot choose another   | 64  | club        | N SA, E S4 D9, S calls D9 from E            | refused 64, may S calls S4 from E
    unless both are of another                  | -   | club        | N SA, E S4, S D2 CA, W calls D2 from S      | not law 71, hand S CA H8, turn W
    out of turn both are exposed                | 56  | club        | S D2 CA                                     | law 56, callable S CA D2, turn N
    guided it is refused                        | 56  | guided      | N SA DA                                     | refused 56, turn N
    strictly too                                | 56  | strict      | N SA DA                                     | refused 56, hand N DA SA SK
    """
)

THROWN_DOWN = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                             | then
    a hand thrown down lies exposed             | 58  | club        | E throws down                                    | law 58, callable E D9 S9 S4
    and is called card by card                  | 58  | club        | E throws down, S calls S9 from E, N SA           | must E card S9, may not E S4, may E S9
    then another                                | 58  | club        | E throws down, S calls S9 from E, N SA, E S9, S D2, W S3, N quits, N calls S4 from E | must E card S4
    nobody else has to give up                  | 58  | club        | E throws down, N throws down, S throws down      | law 58, turn N, may not W cuts
    his partner plays on                        | 58  | club        | E throws down, N SA, E S4, S D2, W S5            | callable E D9 S9, callable W -, turn N
    it is done once                             | 58  | club        | E throws down, E throws down                     | refused 58
    where the umpire guides it is an offer      | -   | guided      | E throws down                                    | law R3, callable E -, may N agrees, may S agrees, may W agrees
    declined, the hand goes on                  | -   | guided      | E throws down, N declines                        | law R3, callable E -, turn N
    so it does when somebody plays              | -   | guided      | E throws down, N SA                              | callable E -, may not S agrees, turn E
    one offer at a time                         | -   | guided      | E throws down, N throws down                     | refused R3
    """
)

ALL_THROWN_DOWN = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                          | then
    all four: the hand is over                  | 59     | club        | E throws down, W throws down, N throws down, S throws down | law 59, law R22, may W cuts
    and cannot be resumed                       | 59     | club        | E throws down, W throws down, N throws down, S throws down, N SA | refused
    the rest goes to those who held out         | 59     | club        | E throws down, W throws down, N throws down, S throws down | tricks NS 9 EW 4
    but to those who had claimed it             | 59     | club        | W claims rest, E throws down, W throws down, N throws down, S throws down | tricks NS 6 EW 7
    or had claimed the game                     | 59     | club        | W claims game, E throws down, W throws down, N throws down, S throws down | tricks NS 6 EW 7
    tricks made stay made                       | 59     | club        | N SA, E S4, S D2, W S3, N quits, N throws down, E throws down, S throws down, W throws down | tricks NS 7 EW 6
    a revoke is punished, but not by tricks     | 59     | club        | N SA, E D9, E throws down, N throws down, S throws down, W throws down, N claims revoke E, N searches, N elects tricks 1 | refused 59, may N elects deduct 1
    three are added                             | 59 72  | club        | N SA, E D9, E throws down, N throws down, S throws down, W throws down, N claims revoke E, N searches, N elects add 1 | law 72, score NS 3 EW 0
    all agree: it is the same                   | 59     | guided      | E throws down, N agrees, S agrees, W agrees   | law 59, tricks NS 9 EW 4
    all have to                                 | -      | guided      | E throws down, N agrees, S agrees             | not law 59, turn N, may W agrees, may not S agrees
    the rest is claimed: both adversaries agree | -      | strict      | N claims rest, E agrees, W agrees             | law R22, tricks NS 9 EW 4
    or they do not                              | -      | strict      | N claims rest, E declines                     | law R3, turn N, tricks NS 6 EW 4
    it is not his partner's to agree            | -      | strict      | N claims rest, S agrees                       | refused R3
    """
)


@pytest.mark.law("english-1864", "56", "R3", "R21")
@pytest.mark.parametrize("row", EXPOSED, ids=str)
def test_cards_shown_or_named(row: Row) -> None:
    """A card that others were let see lies on the table to be called, till it is played."""
    row.check()


@pytest.mark.law("english-1864", "56", "64", "R3")
@pytest.mark.parametrize("row", TOGETHER, ids=str)
def test_two_cards_at_once(row: Row) -> None:
    """Of cards put down together the adversaries say which is played, and the others lie exposed."""
    row.check()


@pytest.mark.law("english-1864", "58", "R3")
@pytest.mark.parametrize("row", THROWN_DOWN, ids=str)
def test_a_hand_thrown_down(row: Row) -> None:
    """It lies exposed and binds nobody else; where nothing can be exposed, to throw down is an offer."""
    row.check()


@pytest.mark.law("english-1864", "59", "72", "R3", "R22")
@pytest.mark.parametrize("row", ALL_THROWN_DOWN, ids=str)
def test_all_four_thrown_down(row: Row) -> None:
    """The hand is finished, and nothing but a revoke can be brought up."""
    row.check()
