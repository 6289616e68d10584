"""Putting cards to tricks: following suit (71), in turn (67, 70), at a table that allows errors and at one that does not (R3)."""

import pytest

from support.law_table import Row, law_table

# North leads; East has a spade and a trump, and no diamond.
FOLLOWING = law_table("""
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K..5. E:4.9.. S:7..2. W:3...4
    Tricks: NS 6 EW 5

    case                                   | law | enforcement | acts                      | then
    the suit led is followed               | -   | club        | N SK, E S4                | turn S, revoke E 12 none
    another suit is a revoke, just made    | 71  | club        | N SK, E H9                | law 71, revoke E 12 made, turn S
    so it is where the umpire guides       | 71  | guided      | N SK, E H9                | law 71, revoke E 12 made, may E withdraws
    a strict table refuses it              | 71  | strict      | N SK, E H9                | refused 71, hand E H9 S4, turn E
    the other card is taken there          | -   | strict      | N SK, E S4                | hand E H9, turn S
    a revoke wins the trick for the moment | 71  | club        | N SK, E H9, S S7, W S3    | tricks NS 6 EW 6, turn E, revoke E 12 made
    without the suit one may ruff          | -   | club        | N D5, E H9                | not law 71, revoke E 12 none
    and has nothing to take back           | -   | club        | N D5, E H9, E withdraws   | refused 76, revoke E 12 none
    at a strict table too                  | -   | strict      | N D5, E H9                | not law 71, turn S
    or throw a card away                   | -   | strict      | N SK, E S4, S S7, W S3, N D5, E H9, S D2, W C4 | revoke W 13 none, tricks NS 7 EW 6
    the leader cannot revoke               | -   | club        | N D5                      | revoke N 12 none
    the fourth hand can                    | 71  | club        | N SK, E S4, S S7, W C4    | revoke W 12 made, tricks NS 7 EW 5
    two can in one trick                   | 71  | club        | N SK, E H9, S D2, W S3    | revoke E 12 made, revoke S 12 made
    two partners can                       | 71  | guided      | N SK, E H9, S S7, W C4    | revoke E 12 made, revoke W 12 made
    it costs nothing yet                   | 71  | club        | N SK, E H9                | revoke E 12 made, tricks NS 6 EW 5, score NS 0 EW 0
    nobody plays a card he has not         | -   | club        | N SK, E D5                | refused, turn E
""")

# North leads, and holds the king that nobody beats; the trick wants one card of each.
IN_TURN = law_table("""
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K..5.2 E:94..9. S:7..2.A W:3..J.4
    Tricks: NS 6 EW 4

    case                                        | law | enforcement | acts                         | then
    third hand before second is refused         | 67  | guided      | N SK, S S7                   | refused 67, turn E
    strictly too                                | 67  | strict      | N SK, S S7                   | refused 67, turn E
    it is let pass at a club table              | 67  | club        | N SK, S S7                   | law 67, turn E, callable S -
    then fourth hand need not wait              | 67  | club        | N SK, S S7, W S3             | law 67, not law 68, may not N calls win from E
    and second hand plays as he likes           | 67  | club        | N SK, S S7, = law 67, W S3, E S4 | tricks NS 7 EW 4, turn N
    but fourth hand may wait as well            | -   | club        | N SK, S S7, E S4, W S3       | tricks NS 7 EW 4, revoke E 11 none
    fourth hand before second is refused        | 68  | guided      | N SK, W S3                   | refused 68, turn E
    strictly as well                            | 68  | strict      | N SK, W S3                   | refused 68, turn E
    a second card is refused                    | 70  | guided      | N SK, E S4, E S9             | refused 70, hand E D9 S9
    strictly just so                            | 70  | strict      | N SK, E S4, E D9             | refused 70, turn S
    at a club table it lies exposed             | 70  | club        | N SK, E S4, E D9             | law 70, callable E D9, turn S
    the trick keeps one card of each            | 70  | club        | N SK, E S4, S S7, S D2, = law 70, W S3 | tricks NS 7 EW 4, hand S D2 CA
    the card too many is played in its turn     | 70  | club        | N SK, E S4, E D9, = law 70, S S7, W S3, N D5, E D9 | callable E -, turn S
    a lead out of turn is refused               | 62  | guided      | E D9                         | refused 62, turn N
    strictly likewise                           | 62  | strict      | S CA                         | refused 62, turn N
    nobody plays for another                    | -   | club        | N S4                         | refused, turn N
""")


@pytest.mark.law("english-1864", "71", "R3")
@pytest.mark.parametrize("row", FOLLOWING, ids=str)
def test_following_suit(row: Row) -> None:
    """Another suit than the one led, played by one who could follow, is a revoke; only a strict table refuses it."""
    row.check()


@pytest.mark.law("english-1864", "62", "67", "68", "70", "R3")
@pytest.mark.parametrize("row", IN_TURN, ids=str)
def test_playing_in_turn(row: Row) -> None:
    """Each plays once, in his turn: the other irregularities of order are refused, or cost what the law says."""
    row.check()
