"""Where two chapters of the law meet: an error made while another is being put right, a choice that loses its object."""

import pytest

from support.law_table import Row, law_table

TWO_CARDS = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:K2.2.. E:9..65. S:4.54.. W:5...32
    Tricks: NS 5 EW 5

    case                                   | leader | given                       | acts                   | then
    neither is the card called             | N      | E shows D5, N H2, S calls D5 from E | E D6 S9, = refused 65 | hand E S9 D6 D5
    one is the card called                 | N      | E shows D5, N H2, S calls D5 from E | E D6 D5        | may S calls D5 from E, may not S calls D6 from E
    given up, the one called is played     | N      | E shows D5, N H2, S calls D5 from E | E D6 D5, S waives | hand E S9 D6, callable E D6
    another card called while two lie      | N      | E shows D5, N H2, E D6 S9   | S calls D5 from E, = refused | turn N
    a card before them is withdrawn        | N      | N S2, E D5, S H4 S4         | E withdraws, = hand S S4 H5 H4, = may not W calls H4 from S |
                                           |        |                             | N waives, E S9, S S4   | hand S H5 H4, callable S -
    the lead before them is objected to    | N      | E D5, S H4, W C2 C3         | N objects              | hand W S5 C3 C2, callable W -, callable E D5, may N S2
    laid over a false lead                 | N      | E S9, N SK S2               | E calls S2 from N      | callable E S9, callable N SK, turn E
    laid to the next trick                 | E      | E S9, S H4, W S5, N SK      | = revoke S 11 made, N S2 H2 | revoke S 11 established, law 73
    called when it is not the suit led     | N      | N SK, E D5 S9               | S calls D5 from E, = refused 64, S calls S9 from E | callable E D5
""")


@pytest.mark.parametrize("row", TWO_CARDS, ids=str)
def test_two_cards_among_other_errors(row: Row) -> None:
    """Two cards down at once always come to one played, whatever else happens before the choice is made."""
    row.check()
