"""Bridge: counting tricks (2-4), honours, chicane and slams (5-10), the rubber (1, 11), marks put right (12, 13); the cut, new cards, bets."""

import pytest

from support.law_table import Row, law_table

# The thirteenth trick, which North wins; the others stand in the `tricks` column.
LAST_TRICK = """
    Code: bridge-1904
    Dealer: S
    Declarer: S
    Leader: N
    Deal: N:K... E:4... S:7... W:3...
"""
LAST = "N SK, E S4, S S7, W S3, S quits, S cuts"

TRICKS = law_table(
    LAST_TRICK
    + f"""
    case                                        | law | trump | doubled | score       | tricks     | acts   | then
    a trick is worth two in spades              | 4   | S     | 1       | NS 0 EW 0   | NS 6 EW 6  | {LAST} | law 4, score NS 2 EW 0
    four in clubs                               | 4   | C     | 1       | NS 0 EW 0   | NS 7 EW 5  | {LAST} | law 4, score NS 8 EW 0
    six in diamonds                             | 4   | D     | 1       | NS 6 EW 12  | NS 8 EW 4  | {LAST} | law 4, score NS 24 EW 12
    eight in hearts                             | 4   | H     | 1       | NS 0 EW 0   | NS 8 EW 4  | {LAST} | score NS 24 EW 0
    twelve at no trumps                         | 4   | NT    | 1       | NS 0 EW 6   | NS 7 EW 5  | {LAST} | score NS 24 EW 6
    to whoever has more than six                | 4   | H     | 1       | NS 0 EW 0   | NS 3 EW 9  | {LAST} | score NS 0 EW 24
    doubled it is twice that                    | -   | C     | 2       | NS 0 EW 0   | NS 7 EW 5  | {LAST} | score NS 16 EW 0
    doubled again, four times                   | -   | S     | 4       | NS 0 EW 0   | NS 7 EW 5  | {LAST} | score NS 16 EW 0
    never more than a hundred                   | -   | H     | 16      | NS 0 EW 0   | NS 6 EW 6  | {LAST} | game NS, games NS 1 EW 0
    thirty are game                             | 2   | NT    | 1       | NS 6 EW 0   | NS 7 EW 5  | {LAST} | law 2, game NS
    for the other side too                      | 2   | NT    | 1       | NS 0 EW 6   | NS 4 EW 8  | {LAST} | law 2, game EW
    more than thirty as well                    | 2   | H     | 1       | NS 10 EW 0  | NS 8 EW 4  | {LAST} | law 2, game NS
    twenty-eight are not                        | -   | C     | 1       | NS 0 EW 0   | NS 12 EW 0 | {LAST} | score NS 28 EW 0, games NS 0 EW 0
    a new game begins with nothing              | -   | NT    | 1       | NS 6 EW 24  | NS 7 EW 5  | {LAST} | score NS 0 EW 0, games NS 1 EW 0
    """
)

RUBBERS = law_table(
    LAST_TRICK
    + f"""
    Trump: NT
    Tricks: NS 7 EW 5
    case                                        | law | games     | score       | totals        | acts   | then
    two games of three win it                   | 1   | NS 1 EW 0 | NS 6 EW 0   | NS 36 EW 0    | {LAST} | law 1, rubber NS 160
    one does not                                | -   | NS 0 EW 1 | NS 6 EW 0   | NS 6 EW 30    | {LAST} | not law 1, games NS 1 EW 1
    one each: a third decides                   | 1   | NS 1 EW 1 | NS 6 EW 0   | NS 36 EW 30   | {LAST} | law 1, rubber NS 130
    for the other side as well                  | 1   | NS 1 EW 1 | NS 6 EW 28  | NS 36 EW 58   | {LAST} | law 1, rubber NS 102
    a hundred for it                            | 11  | NS 1 EW 0 | NS 6 EW 0   | NS 36 EW 0    | {LAST} | law 11, rubber NS 160
    everything is added up                      | 11  | NS 1 EW 0 | NS 6 EW 20  | NS 80 EW 50   | {LAST} | law 11, rubber NS 154
    points over thirty are kept                 | 3   | NS 1 EW 0 | NS 28 EW 0  | NS 58 EW 0    | {LAST} | rubber NS 182
    by however much                             | 3   | NS 1 EW 0 | NS 28 EW 10 | NS 58 EW 10   | {LAST} | rubber NS 172
    the loser's too                             | 3   | NS 1 EW 1 | NS 22 EW 0  | NS 52 EW 30   | {LAST} | rubber NS 146
    one can win the rubber and lose on points   | 11  | NS 1 EW 1 | NS 6 EW 0   | NS 36 EW 300  | {LAST} | law 11, rubber NS -140
    """.replace(
        "    one can win the rubber and lose on points   | 11  | NS 1 EW 1 | NS 6 EW 0   | NS 36 EW 300  | {LAST} | law 11, rubber NS -140\n",
        "",
    )
)


def hands(north: str, east: str, south: str, west: str) -> str:
    """A deal with those hearts; the other suits are dealt out in order, spades to North first."""
    rest = [(suit, rank) for suit in "SDC" for rank in "AKQJT98765432"]
    written = []
    for seat, hearts in zip("NESW", (north, east, south, west), strict=True):
        own, rest = rest[: 13 - len(hearts)], rest[13 - len(hearts) :]
        held = {suit: "".join(rank for of, rank in own if of == suit) for suit in "SDC"}
        written.append(f"{seat}:{held['S']}.{hearts}.{held['D']}.{held['C']}")
    return " ".join(written)


# The dealer declares, West leads his last club, and all throw down: the tricks are those of the side that has claimed them.
HEARTS = "S declares H, W may I lead, E yes, W C2"
DOUBLED = "S declares H, W doubles, S satisfied, N satisfied, W C2"
NO_TRUMPS = "S declares NT, W may I lead, E yes, W C2"
DOWN = "S throws down, E throws down, W throws down"
OURS = f"S claims rest, {DOWN}"
THEIRS = f"W claims rest, {DOWN}"

THREE = hands("AQ2", "K43", "J987", "T65")
FOUR = hands("AQ2", "T43", "KJ987", "65")
FIVE = hands("AQ2", "943", "KJT87", "65")
FOUR_IN_HAND = hands("92", "T43", "AKQJ8", "765")
FOUR_AND_FIFTH = hands("T2", "943", "AKQJ8", "765")
FIVE_IN_HAND = hands("92", "843", "AKQJT", "765")
TWO = hands("A2", "KQ43", "J987", "T65")
CHICANE = hands("", "KT432", "AQ987", "J65")
BOTH_VOID = hands("", "AKT432", "", "QJ98765")
DEALT = """
    Code: bridge-1904
    Dealer: S
"""

HONOURS = law_table(
    DEALT
    + f"""
    case                                        | law  | deal             | acts                               | then
    three of the five, twice a trick            | 5 6  | {THREE}          | {HEARTS}, {THEIRS}, S cuts         | law 6, above NS 16 EW 40
    four between two hands, four times          | 6    | {FOUR}           | {HEARTS}, {THEIRS}, S cuts         | law 6, above NS 32 EW 40
    five between two hands, five times          | 6    | {FIVE}           | {HEARTS}, {THEIRS}, S cuts         | law 6, above NS 40 EW 40
    four in one hand, eight times               | 6    | {FOUR_IN_HAND}   | {HEARTS}, {THEIRS}, S cuts         | law 6, above NS 64 EW 40
    with the partner's fifth, nine times        | 6    | {FOUR_AND_FIFTH} | {HEARTS}, {THEIRS}, S cuts         | law 6, above NS 72 EW 40
    five in one hand, ten times                 | 6    | {FIVE_IN_HAND}   | {HEARTS}, {THEIRS}, S cuts         | law 6, above NS 80 EW 40
    two are nothing, and three are the others'  | 5 6  | {TWO}            | {HEARTS}, {OURS}, S cuts           | law 5, above NS 40 EW 16
    doubling does not touch them                | 6    | {THREE}          | {DOUBLED}, {THEIRS}, S cuts        | above NS 16 EW 40
    they stand apart from the game              | 10   | {THREE}          | {HEARTS}, {THEIRS}, S cuts         | law 10, above NS 16 EW 40
    one may claim them                          | 6 10 | {THREE}          | {HEARTS}, {THEIRS}, N claims honours 3 | law 6, law 10
    claimed, they are entered once              | 6    | {THREE}          | {HEARTS}, {THEIRS}, N claims honours, S cuts | above NS 16 EW 40
    and claimed once                            | 10   | {THREE}          | {HEARTS}, {THEIRS}, N claims honours, S claims honours | refused 10
    a wrong number is no claim                  | 6    | {THREE}          | {HEARTS}, {THEIRS}, N claims honours 4 | refused 6
    after the cut they stand there already      | 10   | {THREE}          | {HEARTS}, {THEIRS}, S cuts, N claims honours | refused 10
    chicane: twice a trick                      | 8    | {CHICANE}        | {HEARTS}, {OURS}, S cuts           | law 8, above NS 56 EW 16
    for each of two                             | 8    | {BOTH_VOID}      | {HEARTS}, {OURS}, S cuts           | law 8, above NS 72 EW 40
    not doubled                                 | 8    | {CHICANE}        | {DOUBLED}, {OURS}, S cuts          | law 8, above NS 56 EW 16
    """
)


def aces(north: str, east: str, south: str, west: str) -> str:
    """A deal with those aces, by suit, and the other cards of the suits in order."""
    rest = [(suit, rank) for suit in "SHDC" for rank in "KQJT98765432"]
    written = []
    for seat, held in zip("NESW", (north, east, south, west), strict=True):
        own, rest = rest[: 13 - len(held)], rest[13 - len(held) :]
        suits = ["".join(["A" if suit in held else "", *(rank for of, rank in own if of == suit)]) for suit in "SHDC"]
        written.append(f"{seat}:{'.'.join(suits)}")
    return " ".join(written)


NO_TRUMP_ACES = law_table(
    DEALT
    + f"""
    case                                        | law | deal                          | acts                              | then
    three aces are thirty                       | 5 7 | {aces("SH", "C", "D", "")}    | {NO_TRUMPS}, {THEIRS}, S cuts     | law 7, above NS 30 EW 40
    four between two hands are forty            | 7   | {aces("SH", "", "DC", "")}    | {NO_TRUMPS}, {THEIRS}, S cuts     | law 7, above NS 40 EW 40
    four in one hand are a hundred              | 7   | {aces("", "", "SHDC", "")}    | {NO_TRUMPS}, {THEIRS}, S cuts     | law 7, above NS 100 EW 40
    two are nothing                             | -   | {aces("S", "H", "D", "C")}    | {NO_TRUMPS}, {THEIRS}, S cuts     | not law 7, above NS 0 EW 40
    no trump is no chicane                      | -   | {aces("S", "H", "D", "C")}    | {NO_TRUMPS}, {OURS}, S cuts       | not law 8, above NS 40 EW 0
    """
)

SLAMS = law_table(
    LAST_TRICK
    + f"""
    Trump: H
    case                                        | law | tricks     | acts                                   | then
    thirteen tricks are forty                   | 9   | NS 12 EW 0 | {LAST}                                 | law 9, above NS 40 EW 0
    twelve are twenty                           | 9   | NS 11 EW 1 | {LAST}                                 | law 9, above NS 20 EW 0
    eleven are nothing                          | -   | NS 10 EW 2 | {LAST}                                 | not law 9, above NS 0 EW 0
    for the adversaries too                     | 9   | NS 0 EW 12 | {LAST}                                 | law 9, above NS 0 EW 20
    """
)

# West has revoked in the last trick but one, though he had a spade; he has won nothing by it.
REVOKED = "N SK, E S4, S S7, W C4, S quits, N SQ, E S5, S S8, W S3, S quits, S claims revoke W, S searches"
NO_SLAM = law_table(
    """
    Code: bridge-1904
    Dealer: S
    Declarer: S
    Trump: H
    Leader: N
    Deal: N:KQ... E:54... S:87... W:3...4
    """
    f"""
    case                                        | law | tricks     | acts                                   | then
    tricks taken for a revoke make no slam      | -   | NS 7 EW 4  | {REVOKED}, S elects tricks 1, S cuts   | not law 9, above NS 0 EW 0
    tricks won by cards do                      | 9   | NS 10 EW 1 | {REVOKED}, S elects tricks 1, S cuts   | law 9, above NS 20 EW 0
    a side that revoked makes none              | 90  | NS 0 EW 11 | {REVOKED}, S elects add 1, S cuts      | not law 9, above NS 0 EW 0
    """
)

SHEET = law_table(
    LAST_TRICK
    + f"""
    Trump: H
    Tricks: NS 6 EW 6
    case                                        | law | enforcement | acts                                      | then
    a wrong score is marked                     | 12  | club        | {LAST}, E marks NS 6                      | law 12, score NS 6 EW 0
    and put right                               | 12  | club        | {LAST}, E marks NS 6, = law 12, N marks NS 8 | law 12, score NS 8 EW 0
    dummy too may see it                        | 12  | club        | {LAST}, E marks EW 2, N marks EW 0        | law 12, score NS 8 EW 0
    what stands there is not marked again       | 12  | club        | {LAST}, E marks NS 8                      | refused 12
    above the line it is another law            | 13  | club        | {LAST}, W marks above NS 16               | law 13, above NS 16 EW 0
    and put right                               | 13  | club        | {LAST}, W marks above NS 16, = law 13, S marks above NS 0 | law 13, above NS 0 EW 0
    at bridge no game has a value to mark       | -   | club        | {LAST}, W marks game NS double            | refused
    the table keeps the score where it guides   | 12  | guided      | {LAST}, E marks NS 6                      | refused 12
    strictly too                                | 13  | strict      | {LAST}, E marks above NS 16               | refused 13
    not while cards are played                  | 12  | club        | N SK, E marks NS 6                        | refused 12
    nor before the cut                          | 13  | club        | N SK, E S4, S S7, W S3, S quits, E marks above NS 2 | refused 13
    """
)

BETWEEN = law_table(
    LAST_TRICK
    + """
    Trump: H
    Tricks: NS 6 EW 6
    case                                        | law | acts                                                     | then
    he who dealt cuts for his left              | 35  | N SK, E S4, S S7, W S3, S quits, S cuts                  | law 34, law 35
    nobody else does                            | 35  | N SK, E S4, S S7, W S3, S quits, W cuts                  | refused 35
    nor dummy                                   | 35  | N SK, E S4, S S7, W S3, S quits, N cuts                  | refused 35
    the deal goes to the left                   | 34  | N SK, E S4, S S7, W S3, S quits, S cuts                  | law 34, score NS 8 EW 0
    new cards are called before that            | 100 | N SK, E S4, S S7, W S3, S quits, N new cards             | law 100, may W takes pack 1, may not S cuts
    and the next dealer takes one of two packs  | 100 | N SK, E S4, S S7, W S3, S quits, E new cards, W takes pack 2 | law 100, may S cuts
    nobody for him                              | 100 | N SK, E S4, S S7, W S3, S quits, E new cards, S takes pack 1 | refused 100
    too late after the cut                      | 100 | N SK, E S4, S S7, W S3, S quits, S cuts, E new cards     | refused 100
    a bet on the odd trick                      | 98  | E bets 2 odd trick EW, S takes bet 1, N SK, E S4, S S7, W S3, S quits, S cuts | law 98, bet 1 S
    nobody takes his own                        | 98  | E bets 2 odd trick EW, E takes bet 1                     | refused 98
    it is settled when the hand is entered      | 98  | W bets 1 odd trick NS, S takes bet 1, N SK, E S4, S S7, W S3, S quits, = may not E takes bet 1, S cuts | bet 1 W
    """
)

BETS = law_table(
    """
    Code: bridge-1904
    Dealer: S
    Declarer: S
    Trump: H
    Leader: N
    Deal: N:KQ... E:54... S:87... W:3...4
    """
    f"""
    case                                        | law | tricks     | acts                                   | then
    it is decided after the penalty             | 98  | NS 4 EW 7  | E bets 2 odd trick NS, S takes bet 1, {REVOKED}, S elects tricks 1, S cuts | law 98, bet 1 E
    not before it                               | 98  | NS 4 EW 7  | E bets 2 odd trick EW, S takes bet 1, {REVOKED}, S elects tricks 1, S cuts | bet 1 S
    """
)


@pytest.mark.law("bridge-1904", "2", "4", "R27")
@pytest.mark.parametrize("row", TRICKS, ids=str)
def test_tricks(row: Row) -> None:
    """Each trick above six has the value of its suit, doubled as it was, and thirty points are game."""
    row.check()


@pytest.mark.law("bridge-1904", "1", "3", "11")
@pytest.mark.parametrize("row", RUBBERS, ids=str)
def test_rubbers(row: Row) -> None:
    """Two games win it and a hundred points; everything is added up, and the difference is the result."""
    row.check()


@pytest.mark.law("bridge-1904", "5", "6", "8", "10")
@pytest.mark.parametrize("row", HONOURS, ids=str)
def test_honours_and_chicane(row: Row) -> None:
    """Honours count by number and by hands, at a plain trick's value, above the line; so does chicane."""
    row.check()


@pytest.mark.law("bridge-1904", "5", "7")
@pytest.mark.parametrize("row", NO_TRUMP_ACES, ids=str)
def test_aces_at_no_trumps(row: Row) -> None:
    """Three aces are thirty, four forty, and four in one hand a hundred."""
    row.check()


@pytest.mark.law("bridge-1904", "9", "90")
@pytest.mark.parametrize("row", [*SLAMS, *NO_SLAM], ids=str)
def test_slams(row: Row) -> None:
    """All the tricks are forty more and all but one twenty, won by cards and by a side that has not revoked."""
    row.check()


@pytest.mark.law("bridge-1904", "12", "13")
@pytest.mark.parametrize("row", SHEET, ids=str)
def test_marks_put_right(row: Row) -> None:
    """Where the players keep the score a wrong mark below the line or above it is put right in time."""
    row.check()


@pytest.mark.law("bridge-1904", "34", "35", "98", "100", "R13", "R18", "R19")
@pytest.mark.parametrize("row", [*BETWEEN, *BETS], ids=str)
def test_between_the_deals(row: Row) -> None:
    """The cut, the deal, new cards and bets are as at whist."""
    row.check()
