"""What is done before one's partner has played: leading on (57), fourth hand first (67, 68), attention drawn (86)."""

import pytest

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

FOURTH_FIRST = law_table(
    ENDING
    + """
    case                                        | law | acts                                                         | then
    second hand may be told to win, or not to   | 68  | N S6, W S3                                                   | law 68, may N calls win from E, may S calls lose from E, turn E
    by his adversaries                          | 68  | N S6, W S3                                                   | law 68, may not W calls win from E
    told to win he must, with what he has       | 68  | N S6, W S3, N calls win from E, E S4                         | refused 68, must E win
    told not to, he must not                    | 68  | N S6, W S3, S calls lose from E, E SQ                        | refused 68, must E lose
    he obeys                                    | 68  | N S6, W S3, S calls lose from E, E S4                        | law 64, must E nothing, revoke E 10 none
    void, he must ruff to win                   | 68  | N D5, W DJ, S calls win from E, E C8                         | refused 68, may E H9
    and not ruff to lose                        | 68  | N D5, W DJ, N calls lose from E, E H9                        | refused 68, may E C8
    cannot win: he plays what he likes          | 68  | N SK, W S3, S calls win from E                               | law 68, must E win, may E S4, may E SQ
    third hand need not wait for the call       | 68  | N S6, W S3, S S7                                             | not law 68, may N calls win from E, may S calls lose from E
    but second hand's card ends it              | 68  | N S6, W S3, = law 68, E S4                                   | law 68, may not N calls win from E
    third hand had played: there is no penalty  | 67  | N S6, S S7, W S3                                             | law 67, may not N calls win from E
    highest is not to be had for it             | 68  | N S6, W S3, N calls highest from E                           | refused 68, may N calls win from E
    """
)

ATTENTION = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                       | then
    he says that it is his                      | 86  | club        | N SK, N says mine                          | law 86, may E calls highest from S, may W calls lowest from S, may E calls win from S, may W calls lose from S
    he names his card                           | 86  | club        | N SK, N names SK                           | law 86, may E calls lose from S, callable N -
    second in hand too                          | 86  | club        | N S6, E SQ, E says mine                    | law 86, may S calls highest from W, may not W calls highest from S
    highest called, the highest is played       | 86  | club        | N SK, N says mine, W calls highest from S  | law 86, must S highest S
    another is a revoke                         | 61  | club        | N SK, N says mine, W calls highest from S, E S4, S S2 | law 61, revoke S 10 made
    told to lose he may not win                 | 86  | club        | N S6, E SQ, E says mine, N calls lose from W, S S7, W SA | refused 86, may W S3
    told to win he must                         | 86  | club        | N S6, E SQ, E says mine, N calls win from W, S S7, W S3 | refused 86, revoke W 10 none
    not called, he plays what he likes          | 86  | club        | N S6, E SQ, E says mine, = law 86, S S7, W SA | law 86, may not N calls lose from W
    after his partner's card it harms nobody    | 86  | club        | N SK, E S4, S S2, N says mine              | refused 86
    it must be his own to say                   | 86  | club        | N SK, S says mine                          | refused 86
    once is enough                              | 86  | club        | N SK, N says mine, N says mine             | refused 86
    guided it is refused                        | 86  | guided      | N SK, N says mine                          | refused 86, turn E
    and so is naming it                         | 86  | strict      | N SK, N names SK                           | refused 86, turn E
    """
)

# South is void of spades and has a trump; the others follow.
RUN = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:AK..A. E:94..9. S:.8.2.A W:53...4
    Tricks: NS 6 EW 4
"""

LED_ON = law_table(
    RUN
    + """
    case                                        | law | enforcement | leader | acts                                | then
    the card led on is exposed                  | 57  | club        | N      | N SA, N DA                          | law 57, callable N DA, turn E
    and his partner can be told to win          | 57  | club        | N      | N SA, N DA, E calls win from S      | law 57, must S win, may not W calls lose from S
    he must if he can                           | 57  | club        | N      | N SA, N DA, E calls win from S, E S4, S D2 | refused 57, turn S
    he does                                     | 57  | club        | N      | N SA, N DA, W calls win from S, E S4, S H8, W S3 | tricks NS 7 EW 4, turn S
    he cannot: he plays what he likes           | -   | club        | N      | N DA, N SA, W calls win from S, E D9, S D2, W C4 | tricks NS 7 EW 4, turn N
    not told, he is free                        | 57  | club        | N      | N SA, N DA, = may E calls win from S, E S4, S D2 | callable N DA, may not E calls win from S
    second in hand it is the same               | 57  | club        | W      | W S3, N SA, N DA                    | law 57, callable N DA, may W calls win from S
    a run of winners: those led on are exposed  | 57  | club        | N      | N SA, N SK, N DA                    | law 57, callable N DA SK
    told to win any of them                     | 57  | club        | N      | N SA, N SK, E S4, S D2, W S3, N quits, N SK, E calls win from S | law 57, must S win
    not before it is led                        | 57  | club        | N      | N SA, N SK, E S4, S D2, W S3, N quits, = may not E calls win from S, N SK | may E calls win from S, may W calls win from S
    one of them                                 | 57  | club        | N      | N SA, N SK, E calls win from S, E S4, S H8, W S3, S quits | callable N SK, may not E calls win from S
    another card led, nothing is called         | 57  | club        | N      | N SA, N SK, = law 57, E S4, S D2, W S3, N quits, N DA | callable N SK, may not W calls win from S
    a card too many of the loser's is no more   | 56  | club        | N      | N SA, E S4, E D9                    | law 56, not law 57, may not N calls win from W
    than exposed: his partner has played        | 56  | club        | S      | S D2, W C4, N DA, N SA              | law 56, not law 57, callable N SA
    guided it is refused                        | 57  | guided      | N      | N SA, N DA                          | refused 57, turn E
    strictly too                                | 57  | strict      | N      | N SA, N DA                          | refused 57, turn E
    """
)


@pytest.mark.law("english-1864", "64", "67", "68", "R16")
@pytest.mark.parametrize("row", FOURTH_FIRST, ids=str)
def test_fourth_hand_before_second(row: Row) -> None:
    """Second hand may be told to win the trick or not to, unless third hand had played already."""
    row.check()


@pytest.mark.law("english-1864", "61", "86", "R3")
@pytest.mark.parametrize("row", ATTENTION, ids=str)
def test_drawing_attention_to_a_trick(row: Row) -> None:
    """Who does so before his partner has played has his partner's card decided by the adversaries."""
    row.check()


@pytest.mark.law("english-1864", "56", "57", "R3")
@pytest.mark.parametrize("row", LED_ON, ids=str)
def test_leading_on_without_waiting(row: Row) -> None:
    """Cards led on before partner has played are exposed, and he can be told to win one of those tricks."""
    row.check()
