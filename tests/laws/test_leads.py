"""Leads out of turn (62), those that were followed (63, R30), and the suit called in return (66)."""

import pytest

from support.law_table import Row, law_table

# It is North's lead. East's false lead is of diamonds, of which all have one; South's of clubs, which he alone has.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K6..5. E:94..9. S:7..2.A W:3..J.4
    Tricks: NS 6 EW 4
"""

ADVERSARY_LEADS = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                          | then
    the card is stopped, and can be called      | 62  | club        | E D9, = law 62, N objects                     | law 62, callable E D9, hand E D9 S9 S4, turn N
    either adversary may do so                  | 62  | club        | E D9                                          | may N objects, may S objects, may not W objects
    to call the card is the same                | 62  | club        | E D9, S calls D9 from E                       | law 62, callable E D9, turn N
    a suit is called instead                    | 62  | club        | E D9, N calls suit C from W                   | law 62, must E suit C, must W suit C, callable E -, turn N
    then the card goes back to his hand         | 62  | club        | E D9, N calls suit C from W                   | hand E D9 S9 S4, may not N calls D9 from E, may not S objects
    the suit is led when they get the lead      | 62  | club        | E D9, N calls suit C from W, N D5, E D9, S D2, W DJ, W quits, W C4 | law 62, must W nothing, must E nothing
    whichever of them gets it                   | 62  | club        | E D9, S calls suit C from E, N S6, E S9, S S7, W S3, E quits | must E suit C
    it binds no card that is not led            | 62  | club        | E D9, S calls suit C from E, N S6, E S4, S S7, W S3 | must E suit C, must W suit C, turn S
    one penalty or the other                    | 62  | club        | E D9, N objects                               | law 62, may not N calls suit C from E, may not S calls suit C from W
    the objecting comes before the play         | 62  | club        | N SK, E objects                               | refused 62
    there must be a false lead                  | 62  | club        | N objects                                     | refused 62
    condoned by all, it stands                  | 62  | club        | E D9, N waives                                | law 62, turn S, may not N objects
    guided nobody leads out of turn             | 62  | guided      | E D9                                          | refused 62, turn N
    nor strictly                                | 62  | strict      | W C4                                          | refused 62, turn N
    """
)

PARTNER_LEADS = law_table(
    ENDING
    + """
    case                                        | law | acts                                                  | then
    the suit is called at once from the partner | 62  | S CA, W calls suit S from N                           | law 62, must N suit S, turn N, callable S -
    not from the offender                       | 62  | S CA, W calls suit S from S                           | refused 62
    by either adversary                         | 62  | S CA                                                  | may E calls suit D from N, may W calls suit H from N
    the partner obeys, and owes no more         | 62  | S CA, W calls suit D from N, N D5                     | law 62, must N nothing, must S nothing
    or the card is stopped                      | 62  | S CA, E objects                                       | law 62, callable S CA, turn N, must N nothing
    and called when he can play it              | 62  | S CA, E objects, N SK, E S4, S S7, W S3, N quits, N D5, E D9, W calls CA from S | must S card CA
    left to lead, the partner owes no suit      | 62  | S CA, N SK                                            | law 62, callable S CA, may not E calls suit H from S, may not W calls suit H from N
    but the card may be called                  | 62  | S CA, N SK, W calls CA from S                         | must S card CA
    uncalled, it lies there                     | -   | S CA, N SK, E S4, S S7                                | turn W, callable S CA
    """
)

FOLLOWED = law_table(
    ENDING
    + """
    case                                        | law | acts                                                  | then
    followed by all three it stands             | 63  | E D9, S D2, W DJ, N D5                                | law 63, tricks NS 6 EW 5, callable E -, turn W
    and there is no penalty                     | 63  | E D9, S D2, W DJ, N D5                                | may not N calls suit S from W, may not S calls suit S from E
    one has followed: he takes his card back    | 63  | E D9, S D2, N objects                                 | law 63, hand S CA D2 S7, callable S -, callable E D9
    two have: they take theirs back             | 63  | E D9, S D2, W DJ, N objects                           | law 63, hand W DJ C4 S3, callable W -, callable S -, turn N
    so they do when a suit is called            | 63  | E D9, S D2, W DJ, N calls suit H from W               | law 63, callable S -, callable W -, callable E -
    he who has followed does not object         | 62  | E D9, S D2, S objects                                 | refused 62, may N objects
    nor call a suit                             | 62  | E D9, S D2, S calls suit H from E                     | refused R30, may N calls suit H from E
    the trick counts like any other             | -   | E D9, S D2, W DJ, N D5, W quits, W C4                 | turn N
    """
)

LED_OVER = law_table(
    ENDING
    + """
    case                                        | law | acts                                                  | then
    the rightful leader leads all the same      | 62  | E D9, N SK                                            | law 62, law R30, callable E D9, turn E
    his lead it is that all follow              | 62  | E D9, N SK, E S4, S S7, W S3                          | tricks NS 7 EW 4, callable E D9
    a suit may still be called                  | 62  | E D9, N SK, S calls suit C from W                     | law 62, callable E -, must W suit C
    as long as the card has not been played     | 62  | E D9, N SK, E D9                                      | revoke E 11 made, may not S calls suit C from W
    a partner who leads over it is left free    | 62  | S CA, N D5                                            | law R30, callable S CA, may not E calls suit S from S
    the player on the left condones it          | -   | E D9, S D2                                            | turn W, may not S objects
    """
)

SUIT_CALLED = law_table(
    ENDING
    + """
    case                                        | law | acts                                                  | then
    none of it: he leads as he likes            | 66  | S CA, E calls suit H from N, N SK                     | law 66, revoke N 11 none, must N nothing
    and the matter is closed                    | 66  | S CA, E calls suit C from N, N SK, E S4, S S7, W S3, N quits | must N nothing, must S nothing
    for both of them                            | 66  | S CA, W calls suit H from N, N D5, E D9, S D2, W DJ   | must S nothing, must N nothing
    so it is when the lead comes later          | 66  | E D9, N calls suit H from W, N D5, E D9, S D2, W DJ, W quits, W C4 | law 66, must W nothing, must E nothing
    with one of it he leads it                  | -   | S CA, E calls suit D from N, N D5                     | not law 66, revoke N 11 none
    with one of it another is a revoke          | 61  | S CA, E calls suit D from N, N SK                     | law 61, revoke N 11 made, may N withdraws
    withdrawn, all take back their cards        | 61  | S CA, E calls suit D from N, N SK, E S4, S S7, N withdraws | law R25, hand E D9 S9 S4, callable E -, callable S -
    and he leads the suit                       | 61  | S CA, E calls suit D from N, N SK, E S4, N withdraws, E waives, N D5 | revoke N 11 corrected, turn E
    """
)


@pytest.mark.law("english-1864", "62", "R3")
@pytest.mark.parametrize("row", ADVERSARY_LEADS, ids=str)
def test_a_lead_that_was_an_adversarys(row: Row) -> None:
    """Against a lead out of turn either adversary has the card exposed or calls a suit, which is led when that side can."""
    row.check()


@pytest.mark.law("english-1864", "62")
@pytest.mark.parametrize("row", PARTNER_LEADS, ids=str)
def test_a_lead_that_was_the_partners(row: Row) -> None:
    """The suit is called at once from the partner whose lead it is; left to lead freely, he owes none."""
    row.check()


@pytest.mark.law("english-1864", "62", "63", "R30")
@pytest.mark.parametrize("row", FOLLOWED, ids=str)
def test_a_lead_out_of_turn_that_was_followed(row: Row) -> None:
    """Four cards make it stand; fewer are taken back, without liability but for the leader's."""
    row.check()


@pytest.mark.law("english-1864", "62", "R30")
@pytest.mark.parametrize("row", LED_OVER, ids=str)
def test_a_lead_out_of_turn_that_was_passed_over(row: Row) -> None:
    """The card of the rightful leader is the lead, and the false one lies exposed."""
    row.check()


@pytest.mark.law("english-1864", "61", "66", "R25")
@pytest.mark.parametrize("row", SUIT_CALLED, ids=str)
def test_a_suit_called(row: Row) -> None:
    """Who has none of it leads what he likes and owes no more; who has one and leads another has revoked."""
    row.check()
