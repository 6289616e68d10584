"""The score sheet where players keep it: wrong marks, and wrong marks put right (11, 12)."""

import pytest

from oddtrick_rules.cards import SUIT_MASK, Suit, cards_in, highest
from oddtrick_rules.commands import Deal
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.notation.hands import parse_hand
from oddtrick_rules.seats import Official
from oddtrick_rules.state import Phase, State
from support.acting import done, refusal_of, table
from support.law_table import Row, law_table

# The thirteenth trick, which North wins: a point to North and South when West has cut.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K... E:4... S:7... W:3...
    Tricks: NS 6 EW 6
"""
CUT = "N SK, E S4, S S7, W S3, N quits, W cuts"

SCORE = law_table(
    ENDING
    + f"""
    case                                        | law | enforcement | score     | acts                                            | then
    a wrong score is marked                     | 11  | club        | NS 1 EW 0 | {CUT}, N marks NS 3                             | law 11, score NS 3 EW 0
    anybody puts it right                       | 11  | club        | NS 1 EW 0 | {CUT}, N marks NS 3, E marks NS 2               | law 11, score NS 2 EW 0
    the other side's too                        | 11  | club        | NS 1 EW 2 | {CUT}, N marks EW 1, W marks EW 2               | law 11, score NS 2 EW 2
    what is right need not be marked            | 11  | club        | NS 1 EW 0 | {CUT}, E marks NS 2                             | refused 11
    nothing is marked while cards are played    | 11  | club        | NS 1 EW 0 | N SK, E marks NS 0                              | refused 11, score NS 1 EW 0
    no player marks a game                      | 11  | club        | NS 1 EW 0 | {CUT}, N marks NS 5                             | refused 11
    guided, the table keeps the score           | 11  | guided      | NS 1 EW 0 | {CUT}, N marks NS 3                             | refused 11, score NS 2 EW 0
    strictly too                                | 11  | strict      | NS 1 EW 0 | {CUT}, N marks NS 3                             | refused 11, score NS 2 EW 0
    """
)

VALUE = law_table(
    ENDING
    + f"""
    case                                        | law | enforcement | games               | acts                                  | then
    a game is written down at a wrong value     | 12  | club        | NS double EW 0      | {CUT}, E marks game NS single              | law 12, games NS 1 EW 0
    and put right                               | 12  | club        | NS double EW 0      | {CUT}, E marks game NS single, S marks game NS double | law 12, games NS 1 EW 0
    what it is need not be marked               | 12  | club        | NS double EW 0      | {CUT}, E marks game NS double         | refused 12
    who has won no game has none to mark        | 12  | club        | NS double EW 0      | {CUT}, E marks game EW single              | refused 12
    guided nobody can                           | 12  | guided      | NS double EW 0      | {CUT}, E marks game NS single              | refused 12
    """
)


@pytest.mark.law("english-1864", "11", "R3")
@pytest.mark.parametrize("row", SCORE, ids=str)
def test_a_wrong_score(row: Row) -> None:
    """Where players keep the score a wrong mark counts until it is put right."""
    row.check()


@pytest.mark.law("english-1864", "12", "R3")
@pytest.mark.parametrize("row", VALUE, ids=str)
def test_a_wrong_value_of_a_game(row: Row) -> None:
    """The value of a game is put right like a score."""
    row.check()


# East has six good spades, and nobody else can beat them without a trump.
NEXT = tuple(map(parse_hand, ("5432.AK.65432.32", "AKQJT9.543.AK.AK", "876.QJ.QJT9.QJT9", ".T98762.87.87654")))
SIX_LOST = ", ".join(
    f"E {east}, S {south}, W {west}, N {north}, E quits"
    for east, south, west, north in zip(
        ("SA", "SK", "SQ", "SJ", "ST", "S9"),
        ("S6", "S7", "S8", "C9", "CT", "CJ"),
        ("C4", "C5", "C6", "C7", "C8", "D7"),
        ("S2", "S3", "S4", "S5", "C2", "C3"),
        strict=True,
    )
)


def next_deal(state: State) -> State:
    """The state when the next hand has been dealt, and a heart turned up."""
    turned = highest(NEXT[state.dealer] & SUIT_MASK[Suit.H])
    n, e, s, w = (tuple(cards_in(mask)) for mask in NEXT)
    verdict = judge(state, Official.HOUSE, Deal((n, e, s, w), turned))
    assert isinstance(verdict, Verdict)
    return verdict.state


@pytest.mark.law("english-1864", "11")
def test_a_score_is_put_right_as_long_as_its_game_lasts() -> None:
    """The next deal does not end the time for it, but nothing false is marked while cards are played."""
    playing = next_deal(done(table(ENDING), f"{CUT}, N marks NS 4"))
    assert playing.score == (4, 0)
    assert "11" in refusal_of(playing, "N marks NS 3").cites
    assert done(playing, "E marks NS 1").score == (1, 0)


@pytest.mark.law("english-1864", "11")
def test_a_game_is_concluded_by_the_next_turn_up() -> None:
    """A game won by a score that was wrong is undone if that is seen before the next trump card is up, and not after."""
    wrong = next_deal(done(table(ENDING), f"{CUT}, N marks NS 4"))
    down = "N throws down, E throws down, S throws down, W throws down"
    won = done(wrong, f"{SIX_LOST}, N claims rest, {down}, N cuts")
    assert won.games == ((3,), ())
    undone = done(won, "E marks NS 2")
    assert (undone.games, undone.score) == (((), ()), (2, 0))
    assert "11" in refusal_of(next_deal(won), "E marks NS 2").cites


@pytest.mark.law("english-1864", "12")
def test_a_value_is_put_right_until_the_rubber_is_over() -> None:
    """The next deal does not end the time for it; the rubber does."""
    start = table(f"{ENDING}\nGames: NS treble EW 0\nScore: NS 3 EW 0")
    playing = next_deal(done(start, f"{CUT}, N marks game NS single"))
    assert playing.games == ((1,), ())
    assert done(playing, "W marks game NS treble").games == ((3,), ())
    over = done(table(f"{ENDING}\nGames: NS treble EW 0\nScore: NS 4 EW 0"), CUT)
    assert over.phase is Phase.OVER
    assert "12" in refusal_of(over, "W marks game NS double").cites
