"""The trump card: shown until the dealer takes it up (R14), left lying (52), named (53), forgotten (55)."""

import pytest

from oddtrick_rules.cards import card_named
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.views import view
from support.acting import done, table
from support.law_table import Row, law_table

# West has dealt and turned up the two of hearts; he has the queen too, and one spade for the first trick.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H2
    Leader: N
    Deal: N:K6..5. E:Q4.9.. S:7..2.A W:3.Q2..
    Tricks: NS 6 EW 4
"""

LEFT_LYING = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                          | then
    his card to the first trick takes it up     | 52  | club        | N SK, E S4, S S7, W S3                        | law 52, may not W takes up
    so it does at a strict table                | 52  | strict      | N SK, E S4, S S7, W S3                        | law 52, callable W -
    he may leave it lying                       | 52  | club        | W leaves trump, N SK, E S4, S S7, W S3        | not law 52, callable W -, may W takes up
    when the trick is quitted it can be called  | 52  | club        | W leaves trump, N SK, E S4, S S7, W S3, N quits | law 52, callable W H2
    and is                                      | 52  | club        | W leaves trump, N SK, E S4, S S7, W S3, N quits, N D5, E H9, S D2, N calls H2 from W | must W card H2, may not W HQ
    taken up in time it cannot                  | 52  | club        | W leaves trump, N SK, E S4, S S7, W S3, W takes up, = law 52, N quits | callable W -
    taken up late it cannot any more            | 52  | club        | W leaves trump, N SK, E S4, S S7, W S3, N quits, = callable W H2, W takes up | law 52, callable W -
    played, it has been taken up                | 52  | club        | W leaves trump, N D5, E H9, S D2, W H2        | law 52, may not W takes up
    only the dealer leaves it                   | 52  | club        | E leaves trump                                | refused 52
    and before he has played                    | 52  | club        | N SK, E S4, S S7, W S3, W leaves trump        | refused 52
    guided it is not left                       | 52  | guided      | W leaves trump                                | refused 52
    nor strictly                                | 52  | strict      | W leaves trump                                | refused 52
    before his turn he does not take it up      | 54  | club        | N SK, W takes up                              | refused 54
    nor if he meant to leave it                 | 54  | club        | W leaves trump, N SK, E S4, S S7, W takes up  | refused 54, may W S3
    guided it is no different                   | 54  | guided      | W takes up                                    | refused 54, turn N
    """
)

NAMED = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                          | then
    the dealer names it: his trumps are called  | 53  | club        | N SK, E S4, S S7, W S3, W names H2            | law 53, may N calls trump highest from W, may S calls trump lowest from W
    whoever names it                            | 53  | club        | N SK, E S4, S S7, W S3, N names H2            | law 53, may E calls trump highest from N, may not S calls trump highest from N
    it is not exposed by that                   | 53  | club        | N SK, E S4, S S7, W S3, W names H2            | law 53, callable W -
    the highest called is played                | 53  | club        | N SK, E S4, S S7, W S3, W names H2, S calls trump highest from W, N D5, E H9, S D2, W HQ | must W nothing, revoke W 12 none
    another is a revoke                         | 61  | club        | N SK, E S4, S S7, W S3, W names H2, S calls trump highest from W, N D5, E H9, S D2, W H2 | law 61, revoke W 12 made
    nobody revokes for it                       | 64  | club        | N SK, E S4, S S7, W S3, E names H2, N calls trump highest from E, N S6, E SQ | revoke E 12 none, must E nothing
    it may be called again, but not changed     | 53  | club        | N SK, E S4, S S7, W S3, E names H2, N calls trump highest from E, N S6, E SQ | may N calls trump highest from E, may not N calls trump lowest from E
    till the card is played                     | 53  | club        | N SK, E S4, S S7, W S3, W names H2, = law 53, N D5, E H9, S D2, W H2 | law 53, may not N calls trump highest from W
    while it lies there all may name it         | -   | club        | N SK, W names H2                              | not law 53, may not N calls trump highest from W
    another trump is exposed by naming it       | 56  | club        | N SK, E S4, S S7, W S3, W names HQ            | law 56, not law 53, callable W HQ
    once is enough                              | 53  | club        | N SK, E S4, S S7, W S3, W names H2, W names H2 | refused 53
    guided it is refused                        | 53  | guided      | N SK, E S4, S S7, W S3, W names H2            | refused 53
    strictly too                                | 53  | strict      | N SK, E S4, S S7, W S3, N names H2            | refused 53
    """
)

FORGOTTEN = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                          | then
    the dealer forgets: his trumps are called   | 55  | club        | N SK, E S4, S S7, W S3, W forgets             | law 55, may N calls trump highest from W, may S calls trump lowest from W
    the lowest called is played                 | 55  | club        | N SK, E S4, S S7, W S3, W forgets, N calls trump lowest from W, N D5, E H9, S D2 | must W trump lowest
    another is a revoke                         | 61  | club        | N SK, E S4, S S7, W S3, W forgets, N calls trump lowest from W, N D5, E H9, S D2, W HQ | law 61, revoke W 12 made
    called, it is not changed                   | 55  | club        | N SK, E S4, S S7, W S3, W forgets, N calls trump lowest from W, N D5, E H9, S D2, W HQ | may not S calls trump highest from W, may S calls trump lowest from W
    till the card is played                     | 55  | club        | N SK, E S4, S S7, W S3, W forgets, N calls trump lowest from W, N D5, E H9, S D2, W H2 | law 55, may not N calls trump lowest from W
    while it lies there he cannot               | 55  | club        | N SK, E S4, S S7, W forgets                   | refused 55
    nobody but the dealer                       | 55  | club        | N SK, E S4, S S7, W S3, E forgets             | refused 55
    once is enough                              | 55  | club        | N SK, E S4, S S7, W S3, W forgets, W forgets  | refused 55
    guided it is refused                        | 55  | guided      | N SK, E S4, S S7, W S3, W forgets             | refused 55
    strictly too                                | 55  | strict      | N SK, E S4, S S7, W S3, W forgets             | refused 55
    """
)


@pytest.mark.law("english-1864", "52", "54", "R3")
@pytest.mark.parametrize("row", LEFT_LYING, ids=str)
def test_the_trump_card_left_lying(row: Row) -> None:
    """The dealer takes it up with his first card; left lying when that trick is quitted, it can be called."""
    row.check()


@pytest.mark.law("english-1864", "53", "56", "61", "64", "R21")
@pytest.mark.parametrize("row", NAMED, ids=str)
def test_the_trump_card_named(row: Row) -> None:
    """Whoever names it after it was taken up can have his highest or lowest trump called, and called again."""
    row.check()


@pytest.mark.law("english-1864", "55", "61")
@pytest.mark.parametrize("row", FORGOTTEN, ids=str)
def test_the_trump_card_forgotten(row: Row) -> None:
    """A dealer who forgets it can have his highest or lowest trump called, until it is played."""
    row.check()


@pytest.mark.law("english-1864", "53", "R14")
@pytest.mark.parametrize("seat", [seat for seat in SEATS if seat is not Seat.W], ids=str)
def test_the_suit_is_told_and_not_the_card(seat: Seat) -> None:
    """Everybody sees the card while it lies there; later he is told the suit alone."""
    lying = table(ENDING)
    taken = done(lying, "N SK, E S4, S S7, W S3")
    before, after = view(lying, seat).hand, view(taken, seat).hand
    assert before is not None
    assert after is not None
    assert before.turned == card_named("H2")
    assert (after.turned, after.trump_card) == (None, None)
    assert after.trump is before.trump
    assert not after.hands[Seat.W]
