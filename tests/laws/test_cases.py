"""The decided cases of the law books, each acted out as a record or listed with the reason why it cannot occur."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from oddtrick_rules.codes.lawbook_1864 import LAWS
from oddtrick_rules.notation.check import check_record
from support.sources import ROOT

FOLDER = Path(__file__).parent / "cases"
RECORDS = sorted(FOLDER.glob("*.whist"))
CASE = re.compile(r"^# ([A-Z]+-[A-Z0-9]+): \S", re.MULTILINE)

# The cases of the books, by the book: Cavendish, Hewby, Pembridge, Foster, Hoffmann, Hoyle, Elwell.
CASES = {
    *("CAV-" + case for case in "01 02 03 09 11 N04 N16 N19 N23 N26 N27 N32 N34 N35 N36 N37 N39 P03".split()),
    *("HEW-" + case for case in "01 02 03 04 05".split()),
    *("PEM-" + case for case in "A 07 34 42 45".split()),
    *("FOS-" + case for case in "S1 S2 S3 S4 S6 S7 X1 R1 D2 B1 B2".split()),
    *("HOF-" + case for case in "01 02 03 04 05".split()),
    *("HOY-" + case for case in "11 13 14".split()),
    *("ELW-" + case for case in "74 75 96 LOT".split()),
}

# A record begins when the cards are dealt: what is decided of the cutting before it is held by a test of its own.
BEFORE_THE_DEAL = {
    "CAV-N04": "tests/rules/test_forming.py::test_the_three_keeps_the_deal_whatever_the_re_cut_shows",
}


class Absent(NamedTuple):
    """A case that is not acted out, the laws it turns on, and why it cannot occur."""

    id: str
    laws: list[str]
    reason: str


def absent() -> list[Absent]:
    table = tomllib.loads((FOLDER / "cannot_occur.toml").read_text(encoding="utf-8"))
    return [Absent(**case) for case in table["case"]]


def case_of(record: Path) -> str:
    """The case that a record names, in the first comment of its kind."""
    named = CASE.findall(record.read_text(encoding="utf-8"))
    assert len(named) == 1, f"{record.name} names {len(named)} cases"
    return str(named[0])


def test_every_decided_case_is_acted_out_or_listed() -> None:
    """Each of the 51 cases is acted out, or stands in the table of those that cannot occur, and none is both."""
    acted = {case_of(record) for record in RECORDS} | set(BEFORE_THE_DEAL)
    listed = [case.id for case in absent()]
    assert len(CASES) == 51
    assert len(listed) == len(set(listed))
    assert not acted & set(listed)
    assert acted | set(listed) == CASES


def test_what_is_decided_of_the_cutting_has_its_test() -> None:
    """A case that no record can hold names the test that holds it."""
    for test in BEFORE_THE_DEAL.values():
        path, name = test.split("::")
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")


def test_a_case_is_listed_only_for_laws_that_cannot_occur() -> None:
    """What is not acted out turns on laws of the table top, or on manners, and says so."""
    left_out = {law.number for law in LAWS if law.lives == "cannot occur"}
    for case in absent():
        assert set(case.laws) <= left_out, case.id
        assert len(case.reason) > 20, case.id


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_decided_case_holds(record: Path) -> None:
    """The engine decides the case as the record says."""
    outcome = check_record(record.read_text(encoding="utf-8"))
    assert outcome.ok, f"{record.name}, {outcome}"


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_record_is_called_after_its_case(record: Path) -> None:
    """A record's file is named for its case, so that one finds it by the book."""
    assert record.stem == (case := case_of(record).lower()) or record.stem.startswith(f"{case}-")


def test_a_case_that_does_not_hold_is_caught() -> None:
    """A record that expects the wrong outcome fails, so that passing means something."""
    text = (FOLDER / "fos-s4.whist").read_text(encoding="utf-8")
    assert check_record(text).ok
    assert not check_record(text.replace("rubber NS 8", "rubber NS 7")).ok
