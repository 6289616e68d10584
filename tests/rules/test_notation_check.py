import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.notation.acts import seat_act_text
from oddtrick_rules.notation.check import check_record, moments
from oddtrick_rules.notation.record import parse_record
from support.records import BRIDGE_DEAL, ENDING, REVOKE
from support.strategies import commands, seats

LINE = len(ENDING.splitlines()) + 2  # of the first act below the ending's header


def test_a_record_that_holds_is_ok() -> None:
    """A record all of whose acts are accepted and whose expectations hold is ok."""
    outcome = check_record(REVOKE)
    assert (outcome.ok, str(outcome)) == (True, "ok")


@pytest.mark.parametrize(
    ("told", "untold"),
    [
        ("= revoke S 12 established", "= revoke S 12 made"),
        ("= tricks NS 6 EW 6", "= tricks NS 5 EW 7"),
        ("= claim proved", "= claim not proved"),
        ("= score NS 0 EW 3", "= score NS 0 EW 2"),
        ("= score NS 0 EW 3", "= game EW single"),
        ("= score NS 0 EW 3", "= rubber EW 3"),
        ("= score NS 0 EW 3", "= games NS 0 EW 1"),
        ("= score NS 0 EW 3", "= bet 1 N"),
        ("= score NS 0 EW 3", "= not law 34"),
        ("= score NS 0 EW 3", "= law 1"),
        ("= claim proved", "= refused"),
        ("= claim proved", "= may not E elects tricks 1"),
        ("= claim proved", "= may S elects tricks 1"),
        ("= revoke S 12 established", "= turn W"),
        ("= revoke S 12 established", "= must S lowest S"),
        ("= revoke S 12 established", "= hand S -"),
        ("= revoke S 12 established", "= callable S S7"),
    ],
)
def test_an_expectation_that_does_not_hold_fails_at_its_line(told: str, untold: str) -> None:
    """Each kind of expectation, once it is not so, fails the record at its own line and is quoted."""
    outcome = check_record(REVOKE.replace(told, untold))
    assert not outcome.ok
    assert outcome.line == REVOKE.splitlines().index(told) + 1
    assert outcome.reason.startswith(f"`{untold}` does not hold")


def test_the_failure_says_what_is_so_instead() -> None:
    """Where an expectation does not hold, the reason says what would."""
    outcome = check_record(REVOKE.replace("= tricks NS 6 EW 6", "= tricks NS 5 EW 7"))
    assert str(outcome) == f"line {LINE + 2}: `= tricks NS 5 EW 7` does not hold, but `tricks NS 6 EW 6`"


@pytest.mark.parametrize("acts", ["W S3\nE SK", "N quits\nE SK\n= turn S", "E SK, E quits"])
def test_an_act_refused_must_be_said_to_be(acts: str) -> None:
    """An act that is refused fails the record, with expectations in it or without, unless `= refused` follows it."""
    outcome = check_record(f"{ENDING}Enforcement: guided\n\n{acts}")
    assert not outcome.ok
    assert "is refused" in outcome.reason
    refused = acts.rsplit(", ", maxsplit=1)[-1].split("\n", maxsplit=1)[0]
    saying = acts.replace(refused, f"{refused}\n= refused", 1)
    assert check_record(f"{ENDING}Enforcement: guided\n\n{saying}").ok


def test_a_refused_act_changes_nothing() -> None:
    """After an act that was refused the record stands where it stood."""
    record = parse_record(f"{ENDING}\nE SK\nE quits\n= refused\n= turn S")
    (_, _), (_, before), (_, after) = moments(record)
    assert before.state == after.state
    assert after.events == ()


def test_the_cut_finds_all_ready() -> None:
    """`cuts` needs no `ready` before it, and what was not yet said is said by it."""
    played = REVOKE.split("E claims")[0]
    assert check_record(f"{played}W cuts\n= score NS 1 EW 0").ok
    assert check_record(f"{played}W ready, S ready\n= may not W cuts\nW cuts").ok is False
    assert check_record(f"{played}W ready, S ready\n= may W cuts\nW cuts").ok


def test_a_cut_refused_leaves_nobody_ready() -> None:
    """A cut that is refused changes nothing, so whoever had more to claim still may."""
    played = REVOKE.split("E claims")[0]
    assert check_record(f"{played}N cuts\n= refused\nE claims revoke S 12, E searches\n= claim proved").ok


def test_dummys_cards_are_played_by_the_dealer() -> None:
    """What stands under dummy's seat is played by the dealer once dummy's hand is on the table."""
    acts = "S declares H, W satisfied, E satisfied\nW DA\n= turn N\n= may N D5\nN D5\n= turn E\nE D9, S D3\n= turn W"
    assert check_record(f"{BRIDGE_DEAL}\n{acts}").ok


def test_silence_is_the_clocks() -> None:
    """`is silent` lets the question lapse for the seat that was asked, and for no other."""
    acts = "E SK, S H2, N asks\n= may not N is silent\nS is silent\n= may S withdraws\n= may not S answers some"
    assert check_record(f"{ENDING}\n{acts}").ok


@pytest.mark.parametrize("act", ["S declares H", "S leaves it", "W doubles", "W may I lead", "W satisfied"])
def test_an_act_of_another_code_is_named_as_its(act: str) -> None:
    """An act that the record's code does not have is refused by name, saying whose it is."""
    outcome = check_record(f"{ENDING}\n{act}")
    assert str(outcome).startswith(f"line {LINE}: `{act}` is refused: it is an act of bridge-1904, not of english-1864")


def test_another_code_can_be_set_under_a_record() -> None:
    """A record can be run with a law of its code switched off, and then no longer holds."""
    assert not check_record(REVOKE, code=CODES["english-1864"].without("73")).ok


@given(st.lists(st.tuples(seats, commands), max_size=12), st.sampled_from(list(CODES)))
def test_no_record_breaks_the_runner(acts: list[tuple[object, object]], code: str) -> None:
    """Whatever stands in a record, it holds or fails; nothing is raised, and an act refused changes nothing."""
    lines = [seat_act_text(seat, command) for seat, command in acts]  # type: ignore[arg-type]
    text = "\n".join([ENDING.replace("english-1864", code), "", *lines])
    outcome = check_record(text)
    assert outcome.ok or outcome.line
    for _, moment in moments(parse_record(text)):
        assert moment.refusal is None or not moment.events
