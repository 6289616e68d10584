"""The second scorer against results worked out by hand from the codes and their books.

Pairs are `NS-EW`. A revoke is `NS:add`: the side that revoked, and the penalty taken for it. What stands after is a score,
or the side that is game and its value. An `id` in capitals is a decided case or an illustration of a law book.
"""

from collections.abc import Iterator

import pytest

from support.scorer import Games, HandFacts, Holding, Outcome, Paid, Pair, honours_dealt, score_hand, winner

CODES = {"64": "english-1864", "00": "whist-1900"}
SIDES = ("NS", "EW")
VALUES = {"single": 1, "double": 2, "treble": 3}

# id | codes | score | tricks | honours | revokes | after
WHIST = """
odd trick                    | 64 00 | 0-0 | 7-6  | 0-0 |               | 1-0
six each way is nothing      | 64 00 | 2-1 | 6-7  | 0-0 |               | 2-2
all the tricks               | 64 00 | 0-0 | 13-0 | 0-0 |               | NS treble
five by cards                | 64 00 | 0-1 | 11-2 | 0-0 |               | NS double
game in                      | 64 00 | 4-0 | 7-6  | 0-0 |               | NS treble
loser at two                 | 64 00 | 4-2 | 7-6  | 0-0 |               | NS double
loser at three               | 64 00 | 4-3 | 7-6  | 0-0 |               | NS single
loser at four                | 64 00 | 4-4 | 6-7  | 0-0 |               | EW single
two by honours               | 64 00 | 0-0 | 6-7  | 3-1 |               | 2-1
four by honours              | 64 00 | 0-0 | 7-6  | 0-4 |               | 1-4
four and the odd trick       | 64 00 | 0-0 | 6-7  | 0-4 |               | EW treble
FOS-S6 honours divided       | 64 00 | 1-1 | 7-6  | 2-2 |               | 2-1
honours make the game        | 64 00 | 1-0 | 8-5  | 3-1 |               | NS treble
four honours win a game      | 64 00 | 1-1 | 6-7  | 4-0 |               | NS double
barred at four               | 64 00 | 4-0 | 6-7  | 4-0 |               | 4-1
four reached in the hand     | 64 00 | 3-0 | 7-6  | 3-0 |               | NS treble
FOS-S1 tricks spoil a treble | 64 00 | 0-3 | 9-4  | 1-3 |               | EW single
FOS-S2 tricks shut out       | 64 00 | 0-3 | 5-8  | 4-0 |               | EW treble
FOS-S7 out by tricks first   | 64 00 | 3-3 | 8-5  | 1-3 |               | NS single
three tricks                 | 64 00 | 0-0 | 7-6  | 0-0 | NS:tricks     | 0-3
three tricks of few          | 64 00 | 0-0 | 2-11 | 0-0 | NS:tricks     | EW treble
three tricks of two          | 64 00 | 0-4 | 2-11 | 0-0 | NS:tricks     | EW treble
three off                    | 64 00 | 3-2 | 7-6  | 0-0 | NS:deduct     | 1-2
no less than nothing         | 64 00 | 1-2 | 6-7  | 0-0 | NS:deduct     | 0-3
three on                     | 64 00 | 0-1 | 7-6  | 0-0 | NS:add        | 1-4
HOF-01 precedence            | 64 00 | 0-2 | 13-0 | 4-0 | NS:add        | EW treble
added against two            | 64 00 | 2-2 | 13-0 | 4-0 | NS:add        | EW double
added against four           | 64 00 | 4-2 | 13-0 | 4-0 | NS:add        | EW single
FOS-R1 one short of game     | 64 00 | 0-0 | 13-0 | 0-0 | NS:add        | 4-3
cap on honours too           | 64 00 | 2-0 | 6-7  | 4-0 | NS:deduct     | 4-1
cap after three off          | 64 00 | 4-0 | 11-2 | 0-0 | NS:deduct     | 4-0
at four and stays            | 64 00 | 4-0 | 9-4  | 0-0 | NS:add        | 4-3
their tricks before honours  | 64 00 | 0-0 | 9-4  | 0-4 | NS:deduct     | 3-4
their tricks spoil a treble  | 64 00 | 0-1 | 8-5  | 0-4 | NS:deduct     | EW double
two revokes, two penalties   | 64 00 | 4-0 | 6-7  | 0-0 | NS:deduct NS:add | 1-4
deducted first, then added   | 64 00 | 4-2 | 7-6  | 0-0 | NS:deduct NS:add | EW double
added first, then nothing    | 64 00 | 4-2 | 7-6  | 0-0 | NS:add NS:deduct | EW single
twice three on               | 64 00 | 1-0 | 8-5  | 0-0 | NS:add NS:add | EW double
twice three tricks           | 64 00 | 0-0 | 8-5  | 0-0 | NS:tricks NS:tricks | EW treble
taken from one who has five  | 64 00 | 0-0 | 5-8  | 0-0 | NS:tricks NS:tricks | EW treble
CAV-N32 they are added       | 64 00 | 0-0 | 8-5  | 0-0 | NS:tricks     | 0-2
CAV-N34 both punished        | 64    | 3-3 | 5-8  | 0-0 | NS:tricks EW:add | 4-4
both punished, both lose     | 64    | 4-4 | 7-6  | 0-0 | NS:deduct EW:deduct | 2-1
both, and neither is out     | 64    | 4-2 | 13-0 | 4-0 | NS:add EW:add | 4-4
both cancel                  |    00 | 3-3 | 5-8  | 0-0 | NS:tricks EW:add | 3-4
both cancel, nothing off     |    00 | 4-4 | 7-6  | 0-0 | NS:deduct EW:deduct | 4-4
two against one cancel       |    00 | 0-0 | 13-0 | 4-0 | NS:add NS:add EW:add | 4-0
"""

# id | games | score | tricks | honours | revokes | value | points
RUBBERS = """
FOS-S3 the least there is    | 1/3  | 4-3 | 7-6  | 0-0 |        | NS single | 1
FOS-S4 a bumper              | 3/   | 0-0 | 13-0 | 0-0 |        | NS treble | 8
two doubles                  | /2   | 1-4 | 6-7  | 0-0 |        | EW double | 6
a double off                 | 2/1  | 2-3 | 6-7  | 1-3 |        | EW double | 3
won by a penalty             | 3/3  | 0-2 | 13-0 | 4-0 | NS:add | EW treble | 5
"""

# id | trumps | times | score | tricks | revokes | after | above
BRIDGE = """
odd trick in spades          | S  | 1  | 0-0   | 7-6  |           | 2-0   | 0-0
odd trick in clubs           | C  | 1  | 0-0   | 6-7  |           | 0-4   | 0-0
odd trick in diamonds        | D  | 1  | 0-6   | 7-6  |           | 6-6   | 0-0
odd trick in hearts          | H  | 1  | 8-0   | 7-6  |           | 16-0  | 0-0
odd trick at no trumps       | NT | 1  | 0-12  | 7-6  |           | 12-12 | 0-0
three at no trumps are game  | NT | 1  | 0-0   | 9-4  |           | NS    | 0-0
four in hearts are game      | H  | 1  | 0-28  | 10-3 |           | NS    | 0-0
five in diamonds are game    | D  | 1  | 0-0   | 2-11 |           | EW    | 0-0
doubled                      | S  | 2  | 0-0   | 6-7  |           | 0-4   | 0-0
redoubled                    | H  | 4  | 0-0   | 7-6  |           | NS    | 0-0
a trick of a hundred         | NT | 16 | 0-0   | 6-7  |           | EW    | 0-0
a small slam                 | S  | 1  | 0-0   | 12-1 |           | 12-0  | 20-0
a great slam                 | S  | 1  | 0-0   | 0-13 |           | 0-14  | 0-40
a slam is not doubled        | S  | 2  | 0-0   | 12-1 |           | 24-0  | 20-0
FOS-B1 game and slam lost    | H  | 1  | 0-0   | 13-0 | NS:add    | 28-24 | 0-0
FOS-B1 no slam by penalty    | S  | 1  | 0-0   | 3-10 | NS:tricks | 0-14  | 0-0
a slam beside a penalty      | S  | 1  | 0-0   | 1-12 | NS:add    | 0-18  | 0-20
three tricks                 | H  | 1  | 0-0   | 7-6  | NS:tricks | 0-24  | 0-0
three tricks doubled         | D  | 2  | 0-0   | 7-6  | NS:tricks | EW    | 0-0
the value of three off       | H  | 1  | 28-0  | 7-6  | NS:deduct | 12-0  | 0-0
nothing below nothing        | NT | 1  | 24-0  | 6-7  | NS:deduct | 0-12  | 0-0
the value of three on        | C  | 1  | 0-6   | 7-6  | NS:add    | 4-18  | 0-0
the doubled value on         | S  | 4  | 0-0   | 6-7  | NS:add    | EW    | 0-0
cap at twenty-eight          | H  | 1  | 20-0  | 9-4  | NS:add    | 28-24 | 0-0
cap and game against it      | H  | 1  | 20-10 | 9-4  | NS:add    | EW    | 0-0
both revoke                  | H  | 1  | 20-20 | 9-4  | NS:add EW:add | 28-28 | 0-0
both revoke and lose         | NT | 1  | 24-12 | 7-6  | NS:deduct EW:deduct | 12-0 | 0-0
two revokes                  | H  | 1  | 26-0  | 7-6  | NS:deduct NS:add | 10-24 | 0-0
"""

# id | trumps | N | E | S | W | above
DEALT = """
three conjoint           | H  | HA HK SA  | H9 S2     | HQ C2     | H8 HJ     | 16-0
four conjoint            | S  | SA SK H2  | S9 H3     | SQ SJ     | S8 ST     | 8-0
five conjoint            | D  | DA DK DQ  | D9        | DJ DT     | D8        | 30-0
four in one hand         | C  | C9        | CA CK CQ CJ | C8      | C7        | 0-32
four, and partner's one  | C  | C9        | CA CK CQ CJ | C8      | CT        | 0-36
four, the fifth against  | C  | CT        | CA CK CQ CJ | C8      | C7        | 0-32
five in one hand         | H  | HA HK HQ HJ HT | H2   | H3        | H4        | 80-0
two nothing, three four  | S  | SA S2     | SQ SJ     | SK        | ST        | 0-4
chicane                  | H  | HA HK     | SA CA     | HQ        | H2 HJ HT  | 16-16
chicane and four         | S  | D2        | S2        | SA SK SQ SJ | S3 ST   | 20-0
both without a trump     | S  | S2 S3     | DA        | S4 S5     | DK        | 0-8
three aces               | NT | SA HA     | CA        | DA        | C2        | 30-0
four aces                | NT | SA HA     | C3        | DA CA     | C2        | 40-0
four aces in one hand    | NT | SA HA DA CA | C3      | D2        | C2        | 100-0
two aces each            | NT | SA HA     | DA        | D2        | CA        | 0-0
"""


def rows(table: str) -> Iterator[list[str]]:
    for line in table.strip().splitlines():
        yield [cell.strip() for cell in line.split("|")]


def pair(text: str) -> Pair:
    ns, ew = text.split("-")
    return int(ns), int(ew)


def revokes(text: str) -> tuple[Paid, ...]:
    return tuple(Paid(SIDES.index(side), penalty) for side, penalty in (word.split(":") for word in text.split()))


def games(text: str) -> Games:
    ns, ew = (tuple(int(value) for value in side.split()) for side in text.split("/"))
    return ns, ew


def stands(outcome: Outcome) -> str:
    """A score as `3-0`, or a game as `NS treble`."""
    if outcome.game is None:
        return f"{outcome.score[0]}-{outcome.score[1]}"
    side, value = outcome.game
    assert outcome.score == (0, 0)
    return f"{SIDES[side]} {next(name for name, points in VALUES.items() if points == value)}"


WHIST_ROWS = [(CODES[code], *row[2:]) for row in rows(WHIST) for code in row[1].split()]
WHIST_IDS = [f"{CODES[code]}: {row[0]}" for row in rows(WHIST) for code in row[1].split()]


@pytest.mark.parametrize(("code", "score", "tricks", "honours", "paid", "after"), WHIST_ROWS, ids=WHIST_IDS)
def test_a_hand_of_whist(code: str, score: str, tricks: str, honours: str, paid: str, after: str) -> None:
    """B55: a hand was scored with the wrong bonus; here revokes are paid first, tricks next, honours last, by both whist codes."""
    facts = HandFacts(code=code, score=pair(score), tricks=pair(tricks), honours=pair(honours), revokes=revokes(paid))
    assert stands(score_hand(facts)) == after


@pytest.mark.parametrize("code", list(CODES.values()))
@pytest.mark.parametrize("row", list(rows(RUBBERS)), ids=lambda row: row[0])
def test_a_rubber_of_whist(row: list[str], code: str) -> None:
    """The rubber is worth its winners' games and two points, less the game they lost."""
    before, score, tricks, honours, paid, value, points = row[1:]
    facts = HandFacts(
        code=code,
        games=games(before),
        score=pair(score),
        tricks=pair(tricks),
        honours=pair(honours),
        revokes=revokes(paid),
    )
    outcome = score_hand(facts)
    assert stands(outcome) == value
    assert outcome.rubber == (SIDES.index(value.split()[0]), int(points))


@pytest.mark.parametrize("row", list(rows(BRIDGE)), ids=lambda row: row[0])
def test_a_hand_of_bridge(row: list[str]) -> None:
    """Tricks count below the line at the doubled value, slams above it, and a side that revoked has neither game nor slam."""
    trump, times, score, tricks, paid, after, above = row[1:]
    outcome = score_hand(
        HandFacts(
            code="bridge-1904",
            trump=trump,
            multiplier=int(times),
            score=pair(score),
            tricks=pair(tricks),
            revokes=revokes(paid),
        )
    )
    assert stands(outcome).removesuffix(" single") == after
    assert outcome.above == pair(above)


@pytest.mark.parametrize("row", list(rows(DEALT)), ids=lambda row: row[0])
def test_honours_and_chicane_at_bridge(row: list[str]) -> None:
    """Honours and chicane are marked above the line at the plain value of a trick, doubled or not."""
    dealt = (row[2].split(), row[3].split(), row[4].split(), row[5].split())
    for times in (1, 4):
        facts = HandFacts(
            code="bridge-1904", trump=row[1], multiplier=times, tricks=(6, 7), dealt=dealt, above=(10, 20)
        )
        above = score_hand(facts).above
        assert (above[0] - 10, above[1] - 20) == pair(row[6])


@pytest.mark.parametrize(
    ("before", "above", "below", "result"),
    [
        (((1,), ()), (0, 0), (30, 8), (0, 30 + 36 + 100 - 8)),
        (((1,), (1,)), (16, 300), (40, 36), (0, 16 + 40 + 36 + 100 - 336)),
    ],
    ids=["two games straight", "won in games and lost on points"],
)
def test_a_rubber_of_bridge(before: Games, above: Pair, below: Pair, result: Pair) -> None:
    """Both sides add up all their points, the winners of the rubber put on a hundred, and the difference is the result."""
    facts = HandFacts(code="bridge-1904", trump="NT", tricks=(9, 4), games=before, above=above, below=below)
    outcome = score_hand(facts)
    assert outcome.game == (0, 1)
    assert outcome.rubber == result


def test_points_of_the_game_that_ends_stay_below_the_line() -> None:
    """Both sides keep for the rubber what they had in a game at bridge that one of them has won."""
    facts = HandFacts(code="bridge-1904", trump="NT", score=(12, 24), tricks=(8, 5), below=(0, 32))
    outcome = score_hand(facts)
    assert (outcome.score, outcome.below, outcome.rubber) == ((0, 0), (36, 56), None)


@pytest.mark.parametrize("code", list(CODES.values()))
def test_hands_thrown_down_cost_points_and_no_tricks(code: str) -> None:
    """After a general throw-down at whist three points are added or taken off, and tricks cannot be taken."""
    added = HandFacts(code=code, tricks=(8, 5), revokes=revokes("NS:add"), thrown_in=True)
    assert stands(score_hand(added)) == "2-3"
    taken = HandFacts(code=code, tricks=(8, 5), revokes=revokes("NS:tricks"), thrown_in=True)
    with pytest.raises(ValueError, match="no tricks to take"):
        score_hand(taken)


def test_hands_thrown_down_at_bridge_cost_tricks_too() -> None:
    """After a general throw-down at bridge all three penalties may be taken."""
    facts = HandFacts(code="bridge-1904", trump="D", tricks=(8, 5), revokes=revokes("NS:tricks"), thrown_in=True)
    assert stands(score_hand(facts)) == "0-12"


@pytest.mark.parametrize(
    ("plays", "trump", "seat"),
    [
        ("0:S4 1:SA 2:SK 3:S2", "H", 1),
        ("0:S4 1:SA 2:H2 3:S2", "H", 2),
        ("0:S4 1:DA 2:CA 3:H2", "NT", 0),
        ("3:DT 0:DJ 1:H9 2:D9", "C", 0),
        ("2:H3 3:H4 0:SA 1:HT", "H", 1),
    ],
)
def test_who_wins_a_trick(plays: str, trump: str, seat: int) -> None:
    """The highest trump wins, or without one the highest card of the suit led."""
    played = [(int(play[0]), play[2:]) for play in plays.split()]
    assert winner(played, trump) == seat


def test_honours_are_counted_by_sides() -> None:
    """Ace, king, queen and knave count for the side whose hands they were dealt to, and the ten does not."""
    dealt: tuple[Holding, ...] = (["HA", "S2"], ["HT"], ["HK", "HJ"], ["HQ"])
    assert honours_dealt(dealt, "H") == (3, 1)
