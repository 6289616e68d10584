"""Counting: tricks (2), games and rubbers (1, 8-10), honours (3, 4, 6, 7), and what comes before what (5)."""

import random

import pytest

from oddtrick_rules.cards import PACK
from oddtrick_rules.commands import ClaimHonours, Deal
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import Official, Seat
from support.acting import done, table
from support.law_table import Row, law_table

# The thirteenth trick, which North wins; the others stand in the `tricks` column.
LAST_TRICK = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K... E:4... S:7... W:3...
"""
LAST = "N SK, E S4, S S7, W S3, N quits, W cuts"

TRICKS = law_table(
    LAST_TRICK
    + f"""
    case                                        | law | score     | tricks     | acts    | then
    the odd trick is a point                    | 2   | NS 0 EW 0 | NS 6 EW 6  | {LAST}  | law 2, score NS 1 EW 0
    each one more is another                    | 2   | NS 1 EW 2 | NS 8 EW 4  | {LAST}  | score NS 4 EW 2
    the other side scores its own               | 2   | NS 1 EW 2 | NS 4 EW 8  | {LAST}  | score NS 1 EW 4
    five are game                               | 2   | NS 0 EW 0 | NS 10 EW 2 | {LAST}  | game NS treble
    what is over is lost                        | 2   | NS 4 EW 0 | NS 12 EW 0 | {LAST}  | games NS 1 EW 0, score NS 0 EW 0
    for six tricks there is nothing             | -   | NS 4 EW 4 | NS 5 EW 7  | {LAST}  | game EW single
    """
)

GAMES = law_table(
    LAST_TRICK
    + f"""
    case                                        | law | score     | tricks     | acts    | then
    the losers have nothing: a treble           | 8   | NS 3 EW 0 | NS 7 EW 5  | {LAST}  | law 8, game NS treble
    they have one: a double                     | 8   | NS 3 EW 1 | NS 7 EW 5  | {LAST}  | law 8, game NS double
    they have two: a double                     | 8   | NS 4 EW 2 | NS 6 EW 6  | {LAST}  | game NS double
    they have three: a single                   | -   | NS 4 EW 3 | NS 6 EW 6  | {LAST}  | game NS single
    they have four: a single                    | -   | NS 4 EW 4 | NS 6 EW 6  | {LAST}  | game NS single
    short of five there is no game              | -   | NS 3 EW 0 | NS 6 EW 6  | {LAST}  | not law 8, games NS 0 EW 0
    """
)

RUBBERS = law_table(
    LAST_TRICK
    + f"""
    Score: NS 4 EW 3
    Tricks: NS 6 EW 6

    case                                        | law    | score     | games               | acts   | then
    two games of three, and no third            | 1      | NS 4 EW 3 | NS single EW 0      | {LAST} | law 1, rubber NS 4
    one is not enough                           | -      | NS 4 EW 3 | NS 0 EW 0           | {LAST} | not law 1, games NS 1 EW 0
    one each: a third decides                   | 1      | NS 4 EW 3 | NS single EW single | {LAST} | law 1, rubber NS 3
    nor is one each                             | -      | NS 4 EW 3 | NS 0 EW treble      | {LAST} | not law 1, games NS 1 EW 1
    two points for the rubber                   | 1 9    | NS 4 EW 0 | NS treble EW 0      | {LAST} | law 9, rubber NS 8
    on top of the games                         | 9      | NS 4 EW 1 | NS single EW 0      | {LAST} | law 9, rubber NS 5
    in a rubber of three as well                | 9 10   | NS 4 EW 1 | NS double EW single | {LAST} | rubber NS 5
    the losers' game is taken off               | 10     | NS 4 EW 0 | NS double EW double | {LAST} | law 10, rubber NS 5
    a treble of theirs leaves one point         | 9 10   | NS 4 EW 3 | NS single EW treble | {LAST} | law 10, rubber NS 1
    in a rubber of two nothing is               | 9      | NS 4 EW 3 | NS treble EW 0      | {LAST} | not law 10, rubber NS 6
    """
)

# East has six good spades; West has no spade, and nobody plays a trump. So the honours are where they were dealt.
WHOLE_DEAL = """
    Code: english-1864
    Dealer: W
    Trump: H2
"""
HANDS = "N:5432.{}.65432.32 E:AKQJT9.{}.AK.AK S:876.{}.QJT9.QJT9 W:.{}.87.87654"
NS_FOUR = HANDS.format("AK", "543", "QJ", "T98762")
NS_THREE = HANDS.format("AK", "543", "Q9", "JT8762")
EW_FOUR = HANDS.format("54", "AK3", "T9", "QJ8762")
EW_THREE = HANDS.format("A4", "K53", "T9", "QJ8762")
TWO_EACH = HANDS.format("AK", "543", "T9", "QJ8762")
DOWN = "N throws down, E throws down, S throws down, W throws down"
FOUR_LOST = "N S2, E SA, S S6, W C4, E quits, E SK, S S7, W C5, N S3, E quits, E SQ, S S8, W C6, N S4, E quits, E SJ, S C9, W C7, N S5, E quits"
SIX_LOST = f"{FOUR_LOST}, E ST, S CT, W C8, N C2, E quits, E S9, S CJ, W D7, N C3, E quits"
# North and South have one by cards, or three; or East and West have seven.
ONE = f"{SIX_LOST}, N claims rest, {DOWN}"
THREE = f"{FOUR_LOST}, N claims rest, {DOWN}"
SEVEN = f"E claims rest, {DOWN}"

# East has ruffed the first trick, though he had a spade.
REVOKED = f"N S2, E H3, S S6, W C4, E quits, E claims rest, {DOWN}, N claims revoke E, N searches"

HONOURS = law_table(
    WHOLE_DEAL
    + f"""
    case                                        | law | deal       | score     | acts                                   | then
    four of them are four points                | 3   | {EW_FOUR}  | NS 0 EW 0 | {ONE}, E claims honours, W cuts        | law 3, score NS 1 EW 4
    three are two                               | 3   | {EW_THREE} | NS 0 EW 0 | {ONE}, W claims honours, W cuts        | law 3, score NS 1 EW 2
    two are none                                | 3   | {TWO_EACH} | NS 0 EW 0 | {ONE}, E claims honours                | refused 3
    and the fewer none                          | 3   | {EW_THREE} | NS 0 EW 0 | {ONE}, N claims honours                | refused 3
    they count with the tricks                  | 3   | {NS_THREE} | NS 0 EW 0 | {ONE}, S claims honours, W cuts        | score NS 3 EW 0
    they may make the game                      | 3   | {NS_FOUR}  | NS 0 EW 3 | {ONE}, N claims honours, W cuts        | law 3, game NS single
    not for a side that began at four           | 4   | {EW_FOUR}  | NS 0 EW 4 | {ONE}, E claims honours, W cuts        | score NS 1 EW 4
    nor three of them                           | 4   | {EW_THREE} | NS 2 EW 4 | {ONE}, E claims honours, W cuts        | score NS 3 EW 4
    the other side's four does not bar them     | -   | {NS_THREE} | NS 0 EW 4 | {ONE}, N claims honours, W cuts        | score NS 3 EW 4
    nor to have come to four by tricks          | -   | {NS_FOUR}  | NS 3 EW 0 | {ONE}, N claims honours, W cuts        | game NS treble
    nor does three                              | -   | {EW_FOUR}  | NS 0 EW 3 | {ONE}, E claims honours, W cuts        | game EW double
    called after the cut they are barred too    | 4   | {EW_FOUR}  | NS 0 EW 4 | {ONE}, W cuts, E claims honours        | score NS 1 EW 4, games NS 0 EW 0
    """
)

CALLED = law_table(
    WHOLE_DEAL
    + f"""
    case                                        | law | deal       | enforcement | score     | acts                                   | then
    they are called when the hand is over       | 7   | {EW_FOUR}  | club        | NS 0 EW 0 | {ONE}, E claims honours                | law 7, score NS 0 EW 0
    by either partner                           | 7   | {EW_FOUR}  | club        | NS 0 EW 0 | {ONE}, W claims honours 4              | law 7
    not before                                  | 6   | {EW_FOUR}  | club        | NS 0 EW 0 | E claims honours                       | refused 6
    once                                        | 7   | {EW_FOUR}  | club        | NS 0 EW 0 | {ONE}, E claims honours, W claims honours | refused 7
    at their number                             | 3   | {EW_FOUR}  | club        | NS 0 EW 0 | {ONE}, E claims honours 3              | refused 3, may E claims honours 4
    to say game is to call them                 | 7   | {EW_FOUR}  | club        | NS 0 EW 1 | {ONE}, E claims game, W cuts           | game EW double
    when they make it                           | 7   | {EW_FOUR}  | club        | NS 0 EW 0 | {ONE}, E claims game                   | refused 7
    after the cut there is still time           | 7   | {EW_FOUR}  | club        | NS 0 EW 0 | {ONE}, W cuts, E claims honours        | law 7, law 3, score NS 1 EW 4
    and to win by them                          | 7   | {EW_FOUR}  | club        | NS 0 EW 1 | {ONE}, W cuts, E claims honours        | game EW double
    not called they are not marked              | 6   | {EW_FOUR}  | club        | NS 0 EW 0 | {ONE}, W cuts                          | score NS 1 EW 0
    not even if they would win                  | 6   | {EW_THREE} | club        | NS 0 EW 3 | {ONE}, W cuts                          | score NS 1 EW 3, games NS 0 EW 0
    guided, the umpire calls them               | 7   | {EW_FOUR}  | guided      | NS 0 EW 0 | {SIX_LOST}, N claims rest, E agrees, W agrees, W cuts | law 7, law R13, score NS 1 EW 4
    strictly he does                            | 7   | {NS_THREE} | strict      | NS 0 EW 0 | {SIX_LOST}, N claims rest, E agrees, W agrees, W cuts | law 7, score NS 3 EW 0
    and no player need                          | 7   | {EW_FOUR}  | guided      | NS 0 EW 0 | {SIX_LOST}, N claims rest, E agrees, W agrees, E claims honours | refused 7
    """
)

ORDER = law_table(
    WHOLE_DEAL
    + f"""
    case                                        | law | deal       | score     | acts                                       | then
    tricks count first: no treble               | 5   | {EW_THREE} | NS 0 EW 3 | {THREE}, E claims honours, W cuts          | law 5, game EW single
    out by tricks before the others' honours    | 5   | {EW_FOUR}  | NS 4 EW 1 | {ONE}, E claims honours, W cuts            | game NS double
    which then count for nothing                | 5   | {NS_FOUR}  | NS 0 EW 3 | {SEVEN}, N claims honours, W cuts          | game EW treble
    nor in the next game                        | -   | {NS_FOUR}  | NS 0 EW 3 | {SEVEN}, N claims honours, W cuts          | score NS 0 EW 0, games NS 0 EW 1
    a revoke before both                        | 72  | {EW_FOUR}  | NS 2 EW 1 | {REVOKED}, N elects add 1, = game NS double, E claims honours, W cuts | games NS 1 EW 0, score NS 0 EW 0
    taken off, it leaves room for them          | 72  | {EW_FOUR}  | NS 0 EW 3 | {REVOKED}, N elects deduct 1, E claims honours, W cuts | score NS 0 EW 4, games NS 0 EW 0
    """
)


@pytest.mark.law("english-1864", "2")
@pytest.mark.parametrize("row", TRICKS, ids=str)
def test_tricks(row: Row) -> None:
    """A side scores a point for each trick beyond six, and five are game."""
    row.check()


@pytest.mark.law("english-1864", "8")
@pytest.mark.parametrize("row", GAMES, ids=str)
def test_the_value_of_a_game(row: Row) -> None:
    """A game is a treble, a double or a single by what its losers have."""
    row.check()


@pytest.mark.law("english-1864", "1", "9", "10")
@pytest.mark.parametrize("row", RUBBERS, ids=str)
def test_rubbers(row: Row) -> None:
    """Two games win the rubber and two points more, less the losers' game."""
    row.check()


@pytest.mark.law("english-1864", "3", "4")
@pytest.mark.parametrize("row", HONOURS, ids=str)
def test_honours(row: Row) -> None:
    """Three or four of the four highest trumps score two or four, but not for a side that began the deal at four."""
    row.check()


@pytest.mark.law("english-1864", "3", "6", "7", "R13")
@pytest.mark.parametrize("row", CALLED, ids=str)
def test_calling_honours(row: Row) -> None:
    """Honours are called between the end of the hand and the next turn-up, or they are lost."""
    row.check()


@pytest.mark.law("english-1864", "5", "72", "R10")
@pytest.mark.parametrize("row", ORDER, ids=str)
def test_the_order_of_scoring(row: Row) -> None:
    """Revokes come first, then tricks, then honours."""
    row.check()


@pytest.mark.law("english-1864", "6")
def test_the_next_turn_up_ends_the_time_for_honours() -> None:
    """When the next trump card is up it is too late to call them."""
    cut = done(table(WHOLE_DEAL + f"Deal: {EW_FOUR}"), f"{ONE}, W cuts")
    assert isinstance(judge(cut, Seat.E, ClaimHonours()), Verdict)
    pack = random.Random(0).sample(PACK, 52)
    north, east, south, west = (tuple(sorted(pack[first::4])) for first in range(4))
    dealt = judge(cut, Official.HOUSE, Deal((north, east, south, west), north[0]))
    assert isinstance(dealt, Verdict)
    late = judge(dealt.state, Seat.E, ClaimHonours())
    assert late == Refusal(Why.TOO_LATE, ("6",))
