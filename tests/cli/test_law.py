"""`oddtrick law`: the laws of a code, one law, and what the other codes have."""

import re

import pytest

from oddtrick_cli import main
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.codes.rulings import RULINGS
from support.sources import ROOT


def test_the_codes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a code, the codes there are."""
    assert main.run(["law"]) == 0
    assert all(code in capsys.readouterr().out for code in [next(iter(CODES))])


@pytest.mark.parametrize("code", CODES)
def test_every_law_of_a_code_is_listed_and_told(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each law of the book stands in the list, and can be asked for by its number."""
    assert main.run(["law", code]) == 0
    listed = capsys.readouterr().out
    for law in CODES[code].laws:
        assert f" {law.number}  " in listed
        assert main.run(["law", code, law.number]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"Law {law.number} of ")
        assert " ".join(law.gist.split()) in " ".join(told.split())


@pytest.mark.parametrize("code", CODES)
def test_every_ruling_is_listed_and_told(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Acts and events cite rulings beside laws ("law 74, R5"): each can be asked for by its number, in either case."""
    assert main.run(["law", code]) == 0
    listed = capsys.readouterr().out
    for ruling in RULINGS:
        assert f" {ruling.number}  " in listed
        assert main.run(["law", code, ruling.number.lower()]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"Ruling {ruling.number}, ")
        assert " ".join(ruling.gist.split()) in " ".join(told.split())


def test_a_ruling_names_what_rests_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    """The rules of the code that cite it, and the tests that hold it."""
    assert main.run(["law", "english-1864", "R12"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "* a revoke established by throwing down or claiming the game: law 73; ruling R12" in told
    assert "whist-1900: law 77; ruling R12" in told
    named = re.search(r"Held by ([^ ].*?)\. ", told)
    assert named is not None
    assert all((ROOT / path).is_file() for path in named[1].split(", "))


def test_a_law_says_what_the_other_codes_have_in_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    """Revokes on both sides: whist-1900 cancels them, and the other codes' laws are named with their gist."""
    assert main.run(["law", "whist-1900", "85"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "both sides revoke: law 85" in told
    assert "english-1864: law 81" in told
    gist = next(law.gist for law in CODES["english-1864"].laws if law.number == "81")
    assert " ".join(gist.split()) in told


def test_a_law_names_the_tests_that_hold_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever doubts a law is told which tests show it, and they are there."""
    assert main.run(["law", "whist-1900", "85"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    named = re.search(r"Held by ([^ ].*?)\. ", told)
    assert named is not None
    assert all((ROOT / path).is_file() for path in named[1].split(", "))


def test_a_rule_another_code_does_not_have_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a code has nothing in a law's place, it says so."""
    assert main.run(["law", "english-1864", "73"]) == 0
    assert "bridge-1904: has no such rule" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "code", "says"), [(["law", "poker"], 2, "english-1864"), (["law", "english-1864", "999"], 1, "no law 999")]
)
def test_what_is_not_there_is_said_in_one_line(
    argv: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """No such code is 2, no such law is 1, each with one line."""
    assert main.run(argv) == code
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
