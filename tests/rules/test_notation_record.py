import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_rules.cards import Suit, card_named, mask_of
from oddtrick_rules.commands import Call, ClaimRevoke, Demand, Play, Quit, Search
from oddtrick_rules.notation.errors import RECORD_CHARS_MAX, NotationError
from oddtrick_rules.notation.expect import (
    BetDecided,
    Cited,
    Expectation,
    GameEnded,
    Holds,
    Judged,
    May,
    Must,
    Numbers,
    Refused,
    Revoked,
    RubberEnded,
    Turn,
)
from oddtrick_rules.notation.expect_text import parse_expectation
from oddtrick_rules.notation.record import Step, parse_record
from oddtrick_rules.seats import Seat, Side
from support.records import ENDING

H3 = card_named("H3")
EXPECTATIONS: dict[str, Expectation] = {
    "refused": Refused(),
    "refused 73": Refused("73"),
    "law R5": Cited("R5"),
    "not law 73": Cited("73", yes=False),
    "may E calls H3 from S": May(Seat.E, Call(Demand.CARD, Seat.S, card=H3)),
    "may not S H3": May(Seat.S, Play(H3), yes=False),
    "turn W": Turn(Seat.W),
    "must S lowest S": Must(Seat.S, Demand.LOWEST, suit=Suit.S),
    "must S card H3": Must(Seat.S, Demand.CARD, card=H3),
    "must S suit D": Must(Seat.S, Demand.SUIT, suit=Suit.D),
    "must S lose": Must(Seat.S, Demand.LOSE),
    "must S nothing": Must(Seat.S),
    "must S trump highest": Must(Seat.S, Demand.TRUMP_HIGHEST),
    "hand S H3 S7": Holds(Seat.S, mask_of(map(card_named, ("S7", "H3")))),
    "callable S -": Holds(Seat.S, 0, callable_=True),
    "revoke S 1 established": Revoked(Seat.S, 1, "established"),
    "revoke S 13 none": Revoked(Seat.S, 13, "none"),
    "claim proved": Judged(proved=True),
    "claim not proved": Judged(proved=False),
    "tricks NS 5 EW 4": Numbers("tricks", ((Side.NS, 5), (Side.EW, 4))),
    "score EW 3": Numbers("score", ((Side.EW, 3),)),
    "games NS 1 EW 0": Numbers("games", ((Side.NS, 1), (Side.EW, 0))),
    "above NS 16 EW 0": Numbers("above", ((Side.NS, 16), (Side.EW, 0))),
    "game NS treble": GameEnded(Side.NS, 3),
    "game NS": GameEnded(Side.NS),
    "rubber NS -8": RubberEnded(Side.NS, -8),
    "bet 1 N": BetDecided(1, Seat.N),
}


@pytest.mark.parametrize(("text", "expectation"), EXPECTATIONS.items())
def test_an_expectation_is_read_as_it_is_written(text: str, expectation: Expectation) -> None:
    """Each kind of expectation is read from its text, in any capitals, and writes that text again."""
    assert parse_expectation(text) == parse_expectation(text.upper()) == expectation
    assert expectation.text() == text


def test_games_may_be_counted_by_their_words() -> None:
    """In an expectation of games the word of a game counts as one game."""
    assert parse_expectation("games NS treble EW 0") == parse_expectation("games NS 1 EW 0")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing stands after the `=`"),
        ("wins N", "`wins N` is not an expectation: one begins with may, may not, refused, law, not law"),
        ("law", "write `= law 73`"),
        ("law seventy", "`seventy` is not the number of a law"),
        ("not 73", "write `= not law 73`"),
        ("may", "does not begin with a seat"),
        ("may not N", "does not say what the seat does"),
        ("may N frobs", "neither a card nor an act"),
        ("turn", "write `= turn W`"),
        ("turn X", "`x` is not a seat"),
        ("must S", "write `= must S lowest S`"),
        ("must S card X1", "`x1` is not a card"),
        ("must S suit NT", "write `= must"),
        ("hand S", "write `= hand S S7 H3`"),
        ("callable S", "write `= callable"),
        ("hand S S7 S1", "`s1` is not a card"),
        ("revoke S made", "write `= revoke S 12 made`"),
        ("revoke S 14 made", "no trick 14"),
        ("claim", "write `= claim proved`"),
        ("tricks", "does not give each side a value"),
        ("tricks NS x", "not a number"),
        ("games NS grand", "is not a game"),
        ("game treble", "`treble` is not a side"),
        ("game NS grand", "write `= game NS treble`"),
        ("rubber NS", "write `= rubber NS 8`"),
        ("bet 1", "write `= bet 1 N`"),
        ("turn \N{LATIN SMALL LETTER LONG S}", "is not an expectation"),
    ],
)
def test_what_is_no_expectation_is_said_to_be_none(text: str, reason: str) -> None:
    """Text after a `=` that states nothing is refused in one line that shows how it is written."""
    with pytest.raises(NotationError) as refused:
        parse_expectation(text)
    assert reason in refused.value.reason


def test_a_record_is_acts_with_what_must_hold_after_them() -> None:
    """Commas and lines part acts, comments and blank lines are nothing, and expectations belong to the act above."""
    record = parse_record(
        "\N{ZERO WIDTH NO-BREAK SPACE}\r\n# about it\r\n"
        + ENDING.replace("Code", "# the code\nCode").replace("\n", "\r\n")
        + "\r\n  e quits, E searches   # twice\n\n= turn E, may E SK, = revoke S 12 none\n\n\n= law 75\nE claims revoke s"
    )
    line = len(ENDING.splitlines()) + 5
    first, quits, searches, claims = record.steps
    assert first == Step(0)
    assert (quits.line, quits.seat, quits.command, quits.expected) == (line, Seat.E, Quit(), ())
    assert (searches.command, [item.line - line for item in searches.expected]) == (Search(), [2, 2, 2, 5])
    assert [item.what.text() for item in searches.expected][1:3] == ["may E SK", "revoke S 12 none"]
    assert (claims.line, claims.command) == (line + 6, ClaimRevoke(Seat.S))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no header"),
        ("# nothing\n\n", 1, "no header"),
        ("Code: english-1864\n\nN SA", 1, "no `Dealer:`"),
        (ENDING + "\nE SK,, S D2", 9, "does not begin with a seat"),
        (ENDING + "\n\nE SK, S frobs", 10, "`frobs` is neither a card nor an act"),
        (ENDING + "\n= turn E\n= turns E", 10, "`turns E` is not an expectation"),
        (ENDING + "\n= refused", 9, "speaks of the act just before, and there is none"),
        (ENDING + "\n= law 73", 9, "there is none"),
        (ENDING + "\nE SK\n= law 92", 10, "english-1864 has no law 92"),
        (ENDING + "\nE SK\n= refused 0", 10, "is not the number of a law"),
        (ENDING + "\nDealer: N", 9, "does not begin with a seat"),
        ("x" * (RECORD_CHARS_MAX + 1), 1, "at most"),
    ],
)
def test_the_first_wrong_line_is_named(text: str, line: int, reason: str) -> None:
    """A text that is no record is refused with the number of its first wrong line and one line of why."""
    with pytest.raises(NotationError) as refused:
        parse_record(text)
    assert reason in refused.value.reason
    assert (refused.value.line, str(refused.value)) == (line, f"line {line}: {refused.value.reason}")


@given(st.text() | st.lists(st.sampled_from(["E SK", ",", "=", "may", "law 73", "\n", "#", " ", "S"])).map("".join))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever the text, alone or after a header, a record comes out or a NotationError with its line."""
    for whole in (text, f"{ENDING}\n{text}"):
        wrong = None
        try:
            parse_record(whole)
        except NotationError as refused:
            wrong = refused
        assert wrong is None or (wrong.line and wrong.reason.isprintable())
