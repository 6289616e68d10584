"""Where the three codes part: the same acts at the same table under each, and what comes of them.

Each question has an outcome for each code, with that code's numbers; where a code has nothing to say it shows that. Questions on
which the codes agree though their words differ stand here too, so that no point of comparison is without its test.
"""

import pytest

from oddtrick_rules.code import Rule
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Deal
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.notation.check import check_record
from oddtrick_rules.seats import Official
from oddtrick_rules.state import State
from support.acting import done, outcome_of, table
from support.questions import B04, BOTH, E00, E64, LAST, PROVED, REVOKE, SHORT, Question, alike, asked

COUNTING = (
    Question(
        "what a trick is worth",
        LAST,
        "N SK, E S4, S S7, W S3, N quits, W cuts",
        {E64: "law 2, score NS 1 EW 0", E00: "law 47, score NS 1 EW 0", B04: "law 4, score NS 8 EW 0"},
    ),
    Question(
        "what is deducted for a revoke",
        SHORT + "Score: NS 4 EW 0",
        f"{PROVED}, W elects deduct 1",
        {E64: "law 72, score NS 1 EW 0", E00: "law 75, score NS 1 EW 0", B04: "law 90, score NS 0 EW 0"},
    ),
    Question(
        "what is added for a revoke",
        SHORT + "Score: NS 0 EW 1",
        f"{PROVED}, W elects add 1",
        {E64: "law 72, score NS 0 EW 4", E00: "law 75, score NS 0 EW 4", B04: "law 90, score NS 0 EW 25"},
    ),
    Question(
        "three tricks are three tricks everywhere",
        SHORT,
        f"{PROVED}, W elects tricks 1",
        alike("law #, tricks NS 4 EW 9", "72", "75", "90"),
    ),
    Question(
        "a penalty that makes the game",
        SHORT + "Score: NS 0 EW 2",
        f"{PROVED}, W elects add 1",
        {E64: "game EW treble", E00: "game EW treble", B04: "score NS 0 EW 26, games NS 0 EW 0"},
    ),
    Question(
        "where a side that revoked stops",
        SHORT.replace("NS 6 EW 5", "NS 8 EW 3") + "Score: NS 3 EW 0",
        f"{PROVED}, W elects add 1, W cuts",
        {E64: "score NS 4 EW 3", E00: "score NS 4 EW 3", B04: "score NS 27 EW 24"},
    ),
    Question(
        "both sides revoke: who pays",
        SHORT,
        BOTH,
        {
            E64: "law 81, revoke S 12 proved, may W elects tricks 1, may N elects deduct 2",
            E00: "law 85, revoke S 12 cancelled, may not W elects tricks 1, may not N elects deduct 2",
            B04: "law 99, revoke S 12 proved, may W elects tricks 1, may N elects deduct 2",
        },
    ),
    Question(
        "a penalty is not divided",
        SHORT,
        f"{PROVED}, W elects deduct 1, W elects add 1",
        alike("refused #", "72", "75", "90"),
    ),
    Question(
        "over the penalty for a revoke one may consult",
        SHORT,
        f"{PROVED}, W consults",
        alike("law #, may W elects tricks 1", "72", "75", "90"),
    ),
    Question(
        "three hands thrown down",
        SHORT,
        "N SK, E S4, S D2, W S3, N throws down, S throws down, W throws down",
        {
            E64: "law 58, may E throws down, may not W searches",
            E00: "law 61, may E throws down, may not W searches",
            B04: "law 77, revoke S 12 established, may W claims revoke S",
        },
    ),
)


@pytest.mark.law("english-1864", "2", "72", "81", "82", "59", "R9", "R10", "R11")
@pytest.mark.law("whist-1900", "47", "75", "85", "86", "62", "R9", "R10", "R11")
@pytest.mark.law("bridge-1904", "4", "77", "90", "99", "R9", "R10", "R11")
@pytest.mark.parametrize(("question", "code"), asked(*COUNTING))
def test_points_and_penalties(question: Question, code: str) -> None:
    """What tricks and revokes are worth, and what stops at four and at twenty-eight, is each code's own."""
    outcome = check_record(question.record(code))
    assert outcome.ok, f"{outcome}\n{question.record(code)}"


# --- what needs a whole deal ---

WHOLE = """
    Dealer: W
    Deal: N:5432.54.QJ.T9876 E:AKQJT9.AK3.AK.AK S:876.2.T987.QJ543 W:.QJT9876.65432.2
"""
DOWN = "N throws down, S throws down, W throws down"


def whist(code: str, score: str = "NS 0 EW 0") -> State:
    """A whole deal at whist in which East and West hold four honours; North and South are given all the tricks."""
    start = table(f"Code: {code}\nTrump: HQ\nScore: {score}\n{WHOLE}")
    return done(start, f"N S2, N claims rest, E throws down, {DOWN}")


def bridge(score: str = "NS 0 EW 0") -> State:
    """The same deal at bridge."""
    start = table(f"Code: {B04}\nTrump: H\nDeclarer: W\nScore: {score}\n{WHOLE}")
    return done(start, f"N S2, N claims rest, {DOWN}")


def dealt_again(state: State) -> State:
    """The state after the next deal, the same cards to the same seats."""
    assert state.hand is not None
    n, e, s, w = (tuple(card for card in range(52) if mask >> card & 1) for mask in state.hand.dealt)
    turned = n[0] if state.code.turned_trump else None
    verdict = judge(state, Official.HOUSE, Deal((n, e, s, w), turned))  # type: ignore[arg-type]
    assert isinstance(verdict, Verdict)
    return verdict.state


@pytest.mark.law("english-1864", "6")
@pytest.mark.law("whist-1900", "51")
@pytest.mark.parametrize("code", [E64, E00])
def test_at_whist_honours_not_called_are_lost_at_the_next_turn_up(code: str) -> None:
    """Until then they may be called, though the pack is cut; then no more."""
    cut = done(whist(code), "W cuts")
    assert isinstance(outcome_of(cut, "E claims honours"), Verdict)
    assert not isinstance(outcome_of(dealt_again(cut), "E claims honours"), Verdict)


@pytest.mark.law("bridge-1904", "10", "13")
def test_at_bridge_honours_are_right_until_the_rubber_is_over() -> None:
    """Nobody need call them, and a wrong mark for them is put right in the next deal as well."""
    cut = done(bridge(), "W cuts")
    right = cut.above[1]
    assert right > 0
    wrong = done(cut, "N marks above EW 0")
    later = dealt_again(wrong)
    assert later.above[1] == 0
    assert done(later, f"E marks above EW {right}").above[1] == right


@pytest.mark.law("english-1864", "4")
@pytest.mark.law("whist-1900", "49")
@pytest.mark.law("bridge-1904", "6")
@pytest.mark.parametrize("code", [E64, E00])
def test_honours_are_barred_at_four_at_whist_and_never_at_bridge(code: str) -> None:
    """A side that began the deal at four marks none at whist; at bridge no score bars them."""
    assert CODES[code].has(Rule.HONOURS_BARRED)
    called = done(whist(code, "NS 0 EW 4"), "E claims honours, W cuts")
    assert called.games[1] == ()
    assert done(bridge("NS 0 EW 28"), "W cuts").above[1] == done(bridge(), "W cuts").above[1]


@pytest.mark.law("english-1864", "59", "R16")
@pytest.mark.law("whist-1900", "62", "88", "R16")
@pytest.mark.law("bridge-1904", "77", "90")
@pytest.mark.parametrize(
    ("code", "then"),
    [
        (E64, "refused 59, may W elects add 1"),
        (E00, "law 88, may not W elects add 1"),
        (B04, "law 90, tricks NS 4 EW 9"),
    ],
)
def test_three_tricks_for_a_revoke_when_all_hands_are_down(code: str, then: str) -> None:
    """At whist they are not to be had, which in 1900 loses the penalty; at bridge all three choices of it stand."""
    dummy = "" if code == B04 else "E throws down, "
    acts = f"{REVOKE}, N throws down, S throws down, {dummy}W throws down, W claims revoke S, W searches, W elects tricks 1"
    question = Question("all four throw down", SHORT, acts, {code: then})
    outcome = check_record(question.record(code))
    assert outcome.ok, outcome
