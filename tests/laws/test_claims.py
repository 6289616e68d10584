"""A revoke after the play: charged and proved (75, 77, 78), paid for (72), by both sides (81), and what it bars (79, 82)."""

import pytest

from oddtrick_rules.commands import Lapse
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.seats import Official
from oddtrick_rules.state import State
from support.acting import done, table
from support.law_table import Row, law_table

# East ruffs a spade though he has one, and so wins the last two tricks.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K..5. E:4.9.. S:7..2. W:3...4
    Tricks: NS 6 EW 5
"""
OVER = "N SK, E H9, S S7, W S3, E quits, E S4, S D2, W C4, N D5, E quits"
PROVED = f"{OVER}, N claims revoke E, N searches"
# West throws a club on it, though he has a spade too; or South a diamond.
TWICE = (
    "N SK, E H9, S S7, W C4, E quits, E S4, S D2, W S3, N D5, E quits, N claims revoke W, S claims revoke E, S searches"
)
BOTH = (
    "N SK, E H9, S D2, W S3, E quits, E S4, S S7, W C4, N D5, S quits, N claims revoke E, E claims revoke S, N searches"
)

CHARGED = law_table(
    ENDING
    + f"""
    case                                        | law | enforcement | acts                                               | then
    charged and searched, it is proved          | 75  | club        | {OVER}, N claims revoke E 12, = law 75, N searches | law 75, claim proved, revoke E 12 proved
    without saying in which trick               | 75  | club        | {OVER}, S claims revoke E, N searches              | claim proved, revoke E 12 proved
    in another trick it is not                  | 75  | club        | {OVER}, N claims revoke E 13, N searches           | claim not proved, revoke E 12 established
    that costs nothing, but is not said twice   | 75  | club        | {OVER}, N claims revoke E 13, N searches, S claims revoke E 13 | refused 75, may S claims revoke E 12
    nor are there any of the partner's          | 75  | club        | {OVER}, N claims revoke W, N searches              | claim not proved, revoke W 12 none
    one may charge while cards are played       | 75  | club        | N SK, E H9, S claims revoke E 12                   | law 75, law R8, revoke E 12 made
    and he may still correct it                 | 75  | club        | N SK, E H9, S claims revoke E 12, E withdraws, S waives, E S4, S S7, W S3, N quits, N D5, E H9, S D2, W C4, E quits, N searches | claim not proved, revoke E 12 corrected
    it is not searched before the end           | 75  | club        | N SK, E H9, S claims revoke E 12, S searches       | refused 75
    nor by those who have charged nobody        | 75  | club        | {OVER}, N searches                                 | refused 75
    nor by the accused                          | 75  | club        | {OVER}, N claims revoke E, W searches              | refused 75, may S searches
    one's own side is not charged               | 75  | club        | {OVER}, W claims revoke E                          | refused 75
    nor anybody in a trick to come              | 75  | club        | N SK, E H9, N claims revoke E 13                   | refused 75
    charged twice over, it is one revoke        | 75  | club        | {OVER}, N claims revoke E 12, S claims revoke E, S searches, = claim proved, N elects tricks 1 | may W cuts
    where the umpire guides he announces it     | 71  | guided      | {OVER}                                             | law 71, revoke E 12 proved, may S elects add 1
    """
)

PAID = law_table(
    ENDING
    + f"""
    case                                        | law | score     | acts                                                 | then
    three tricks go over                        | 72  | NS 0 EW 0 | {PROVED}, N elects tricks 1                          | law 72, tricks NS 9 EW 4, revoke E 12 paid
    three points come off                       | 72  | NS 0 EW 4 | {PROVED}, S elects deduct 1                          | law 72, score NS 0 EW 1, tricks NS 6 EW 7
    down to nothing, and no further             | 72  | NS 0 EW 2 | {PROVED}, S elects deduct 1                          | law 72, score NS 0 EW 0
    three points are added                      | 72  | NS 1 EW 0 | {PROVED}, N elects add 1                             | law 72, score NS 4 EW 0, tricks NS 6 EW 7
    three added may end the game                | 72  | NS 2 EW 0 | {PROVED}, N elects add 1                             | law 72, game NS treble
    at the value it has then                    | 72  | NS 3 EW 2 | {PROVED}, N elects add 1                             | law 72, game NS double
    what is over goes to no other game          | 72  | NS 4 EW 3 | {PROVED}, N elects add 1, = game NS single, W cuts   | score NS 0 EW 0, games NS 1 EW 0
    the first of the two to choose has chosen   | 72  | NS 0 EW 0 | {PROVED}, N elects deduct 1, S elects add 1          | refused 72, score NS 0 EW 0
    the offender's side does not choose         | 72  | NS 0 EW 0 | {PROVED}, W elects add 1                             | refused 72
    nor anybody before it is proved             | 72  | NS 0 EW 0 | {OVER}, N claims revoke E, N elects tricks 1         | refused 72
    nor while cards are played                  | 72  | NS 0 EW 0 | N SK, E H9, N claims revoke E 12, N elects tricks 1  | refused 72
    each is paid for                            | 72  | NS 0 EW 0 | {TWICE}, N elects tricks 1, N elects tricks 2        | law 72, tricks NS 12 EW 1
    and not alike unless they choose            | 72  | NS 1 EW 0 | {TWICE}, N elects tricks 1, S elects add 2           | law 72, tricks NS 9 EW 4, score NS 4 EW 0
    they are numbered as they were charged      | 72  | NS 1 EW 0 | {TWICE}, N elects tricks 1                           | revoke W 12 paid, revoke E 12 proved, may S elects add 2
    taken off before the tricks are counted     | 72  | NS 0 EW 3 | {PROVED}, N elects deduct 1, W cuts                  | score NS 0 EW 1
    over a penalty they may consult             | 72  | NS 0 EW 0 | {PROVED}, N consults                                 | law 72, may S elects add 1
    """
)

MIXED = law_table(
    ENDING
    + f"""
    case                                        | law    | enforcement | acts                                            | then
    the accused mixes: it counts as proved      | 77     | club        | {OVER}, N claims revoke E 12, E mixes           | law 77, claim proved, may N elects tricks 1
    his partner does                            | 77     | club        | {OVER}, N claims revoke E, W mixes              | law 77, claim proved, may S elects add 1
    even if there was none                      | 77     | club        | {OVER}, N claims revoke W, W mixes, N elects tricks 1 | law 72, tricks NS 9 EW 4
    before the charge, the trick must be named  | 77 R26 | club        | {OVER}, E mixes, N claims revoke E, N searches  | law R26, claim not proved
    named, it is judged                         | 77     | club        | {OVER}, E mixes, N claims revoke E 12, N searches | law 77, claim proved, revoke E 12 proved
    the others' mixing proves nothing           | 77 R26 | club        | {OVER}, N claims revoke E, S mixes, = not law 75, N searches | claim not proved, revoke E 12 established
    guided nobody mixes them                    | 77     | guided      | {OVER}, E mixes                                 | refused 77
    nor strictly                                | 77     | strict      | N SK, E S4, S S7, W S3, N quits, N D5, E H9, S D2, W C4, E quits, E mixes | refused 77
    """
)

CLOSED = law_table(
    ENDING
    + f"""
    case                                        | law | acts                                                       | then
    the cut bars what was not claimed           | 78  | {OVER}, = revoke E 12 established, W cuts                  | law 78, revoke E 12 barred
    it is claimed no more                       | 78  | {OVER}, W cuts, N claims revoke E 12                       | refused 78
    nor searched                                | 78  | {OVER}, W cuts, N searches                                 | refused 78
    nor paid for                                | 78  | {OVER}, W cuts, N elects tricks 1                          | refused 78
    a charge not judged holds up the cut        | 78  | {OVER}, N claims revoke E 12, W cuts                       | refused 78
    and so does a penalty not chosen            | 78  | {PROVED}, W cuts                                           | refused 78
    chosen, it does not                         | -   | {PROVED}, N elects tricks 1, W cuts                        | score NS 3 EW 0
    nor does a charge that was not proved       | 78  | {OVER}, N claims revoke W, N searches, W cuts              | law 78, revoke E 12 barred, score NS 0 EW 1
    """
)

PLAYED_OUT = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                           | then
    the accused may have the hand played out    | 79  | club        | N SK, E H9, N claims revoke E, E plays out     | law 79, turn S
    his partner may                             | 79  | club        | N SK, E H9, N claims revoke E, W plays out     | law 79
    it is asked once                            | 79  | club        | N SK, E H9, N claims revoke E, W plays out, E plays out | refused 79
    not by the other side                       | 79  | club        | N SK, E H9, N claims revoke E, N plays out     | refused 79
    nor where nobody is charged                 | 79  | club        | N SK, E H9, E plays out                        | refused 79
    then no offer ends it                       | 79  | guided      | N SK, E H9, N claims revoke E, E plays out, N throws down | refused 79, turn S
    and all that is made is scored              | 79  | club        | N SK, E H9, N claims revoke E, E plays out, = law 79, S S7, W S3, E quits, E S4, S D2, W C4, N D5, E quits | tricks NS 6 EW 7
    """
)

BOTH_REVOKE = law_table(
    ENDING
    + f"""
    case                                        | law   | score     | acts                                               | then
    both are proved                             | 81    | NS 3 EW 3 | {BOTH}                                             | law 81, revoke E 12 proved, revoke S 12 proved
    both are paid for                           | 81    | NS 3 EW 3 | {BOTH}, = law 81, N elects tricks 1, E elects deduct 2 | tricks NS 10 EW 3, score NS 0 EW 3
    neither side goes out                       | 81 82 | NS 3 EW 3 | {BOTH}, = law 81, N elects add 1, E elects add 2, W cuts | score NS 4 EW 4, games NS 0 EW 0
    each chooses for itself                     | 81    | NS 3 EW 3 | {BOTH}, = law 81, E elects deduct 2, S elects add 1 | score NS 3 EW 3
    a game reached before is undone             | 82    | NS 2 EW 0 | {BOTH.replace("E claims revoke S, ", "")}, N elects add 1, = game NS treble, E claims revoke S, E searches | law 81, law 82, score NS 4 EW 0
    one side alone is no case of it             | -     | NS 0 EW 0 | {PROVED}                                           | not law 81, revoke E 12 proved
    """
)

CAPPED = law_table(
    ENDING
    + f"""
    case                                        | law | score     | tricks      | acts                                     | then
    a side that revoked stops at four           | 82  | NS 0 EW 3 | NS 4 EW 7   | {PROVED}, N elects add 1, W cuts         | score NS 3 EW 4, games NS 0 EW 0
    however many tricks it has                  | 82  | NS 0 EW 0 | NS 0 EW 11  | {PROVED}, N elects add 1, W cuts         | score NS 3 EW 4, games NS 0 EW 0
    at four already, it stays there             | 82  | NS 0 EW 4 | NS 4 EW 7   | {PROVED}, N elects add 1, W cuts         | score NS 3 EW 4
    short of game it scores what it made        | -   | NS 0 EW 0 | NS 4 EW 7   | {PROVED}, N elects add 1, W cuts         | score NS 3 EW 3
    the others may win                          | -   | NS 3 EW 0 | NS 6 EW 5   | {PROVED}, N elects tricks 1, W cuts      | game NS treble
    a revoke not proved bars nobody             | -   | NS 0 EW 4 | NS 6 EW 5   | {OVER}, W cuts                           | game EW treble
    """
)


@pytest.mark.law("english-1864", "71", "75", "R3", "R8")
@pytest.mark.parametrize("row", CHARGED, ids=str)
def test_charging_and_proving(row: Row) -> None:
    """A revoke is charged from the card to the cut, and proved by a search when the hand is over."""
    row.check()


@pytest.mark.law("english-1864", "72", "R9", "R10", "R15")
@pytest.mark.parametrize("row", PAID, ids=str)
def test_the_penalty(row: Row) -> None:
    """Each revoke costs three tricks, or three points off or on, as the first of the adversaries to speak has it."""
    row.check()


@pytest.mark.law("english-1864", "77", "R26")
@pytest.mark.parametrize("row", MIXED, ids=str)
def test_mixing_the_tricks(row: Row) -> None:
    """Mixing by the accused after the charge proves it; mixed before, the trick has to be named."""
    row.check()


@pytest.mark.law("english-1864", "78", "R13")
@pytest.mark.parametrize("row", CLOSED, ids=str)
def test_the_cut_closes_the_claims(row: Row) -> None:
    """Once the pack is cut nothing is claimed, and it is not cut while a claim is open."""
    row.check()


@pytest.mark.law("english-1864", "79")
@pytest.mark.parametrize("row", PLAYED_OUT, ids=str)
def test_playing_the_hand_out(row: Row) -> None:
    """The side that is charged may always require it."""
    row.check()


@pytest.mark.law("english-1864", "81", "82", "R10", "R11")
@pytest.mark.parametrize("row", BOTH_REVOKE, ids=str)
def test_both_sides_revoke(row: Row) -> None:
    """Both pay, and neither wins the game."""
    row.check()


@pytest.mark.law("english-1864", "82", "R10")
@pytest.mark.parametrize("row", CAPPED, ids=str)
def test_a_side_that_revoked_cannot_win(row: Row) -> None:
    """Its score stops at four, whatever it makes."""
    row.check()


def lapsed(state: State) -> State:
    """The state after the clock has run out."""
    verdict = judge(state, Official.CLOCK, Lapse())
    assert isinstance(verdict, Verdict)
    return verdict.state


@pytest.mark.law("english-1864", "72", "R9", "R32")
def test_no_choice_in_time_is_three_tricks() -> None:
    """The clock searches for the claimants, then takes three tricks for them, then cuts."""
    state = done(table(ENDING), f"{OVER}, N claims revoke E")
    for stage in ("proved", "paid"):
        state = lapsed(state)
        assert state.hand is not None
        assert [revoke.stage for revoke in state.hand.revokes] == [stage]
    assert state.hand is not None
    assert state.hand.taken == (9, 4)
    assert lapsed(state).score == (3, 0)


@pytest.mark.law("english-1864", "59", "72", "R9", "R22", "R32")
def test_no_choice_in_time_after_a_general_throw_down_is_three_added() -> None:
    """Where there are no tricks to take the clock adds three."""
    down = "N SK, E H9, N throws down, S throws down, E throws down, W throws down, N claims revoke E, N searches"
    state = lapsed(done(table(ENDING), down))
    assert state.score == (3, 0)
