"""Every failure that users of other servers have met is held by a test, or stands in the table with its reason."""

import ast
import re
from pathlib import Path

import pytest

from support.sources import ROOT, files, tree

IDS = Path(__file__).with_name("ids.txt")
ID = re.compile(r"\bB\d{2,3}\b")
STATED = re.compile(r"((?:B\d{2,3}, )*B\d{2,3}): ([^;]+); \S")
ROW = re.compile(r"^\| (B\d{2,3}) \| (.+) \|$", re.MULTILINE)
REASON_WORDS_MIN = 8
SYMPTOM_WORDS_MIN = 4


def listed(text: str) -> list[str]:
    """The numbers of a list, which may have lines of comment."""
    return [number for line in text.splitlines() if not line.startswith("#") for number in line.split()]


def docstrings(source: ast.Module) -> list[str]:
    """What a module's tests say they hold."""
    return [
        ast.get_docstring(node) or ""
        for node in ast.walk(source)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]


def held_by(source: ast.Module) -> set[str]:
    """The numbers with which a test's docstring begins, if it goes on with what had happened."""
    return {
        number
        for docstring in docstrings(source)
        if (stated := STATED.match(docstring)) and len(stated[2].split()) >= SYMPTOM_WORDS_MIN
        for number in ID.findall(stated[1])
    }


def named_by(source: ast.Module) -> set[str]:
    """All numbers that a module's tests name."""
    return {number for docstring in docstrings(source) for number in ID.findall(docstring)}


def excused(page: str) -> dict[str, str]:
    """The numbers in the table of tests/README.md, each with its reason."""
    return dict(ROW.findall(page))


def wrong(numbers: list[str], held: set[str], named: set[str], reasons: dict[str, str]) -> set[str]:
    """Numbers that are nowhere held, both named and excused, unknown, or excused without a reason."""
    both = named & set(reasons)
    nowhere = set(numbers) - held - set(reasons)
    unknown = (named | set(reasons)) - set(numbers)
    bare = {number for number, reason in reasons.items() if len(reason.split()) < REASON_WORDS_MIN}
    return both | nowhere | unknown | bare


def test_every_failure_is_held_or_excused() -> None:
    """Each of the 72 is stated in the docstring of a test or, with the reason why it cannot happen here, in tests/README.md."""
    numbers = listed(IDS.read_text(encoding="utf-8"))
    assert len(numbers) == len(set(numbers)) == 72
    modules = [tree(path) for path in files("tests", "test_*.py")]
    held = {number for module in modules for number in held_by(module)}
    named = {number for module in modules for number in named_by(module)}
    reasons = excused((ROOT / "tests/README.md").read_text(encoding="utf-8"))
    assert not wrong(numbers, held, named, reasons)


def test_a_failure_that_nobody_holds_is_caught() -> None:
    """A number without test or reason, one with both, an unknown one and an excuse without words are each found."""
    reason = "it cannot happen here because there is no such thing"
    assert not wrong(["B01", "B02"], {"B01"}, {"B01"}, {"B02": reason})
    assert wrong(["B01", "B02"], {"B01"}, {"B01"}, {}) == {"B02"}
    assert wrong(["B01", "B02"], {"B01"}, {"B01", "B02"}, {}) == {"B02"}
    assert wrong(["B01"], {"B01"}, {"B01"}, {"B01": reason}) == {"B01"}
    assert wrong(["B01"], {"B01"}, {"B01", "B99"}, {}) == {"B99"}
    assert wrong(["B01"], set(), set(), {"B01": "no"}) == {"B01"}


@pytest.mark.parametrize(
    ("docstring", "held"),
    [
        ("B07: somebody closed the browser; here the deal ends.", {"B07"}),
        ("B07, B14: somebody closed the browser; here the deal ends.", {"B07", "B14"}),
        ("B07: he left; here the deal ends.", set()),
        ("B07: somebody closed the browser and all were stuck.", set()),
        ("The deal ends, whoever closed his browser (B07).", set()),
    ],
)
def test_a_number_alone_holds_nothing(docstring: str, held: set[str]) -> None:
    """A docstring that does not say in words what had happened, and then what holds here, is none."""
    source = ast.parse(
        f'def test_a():\n    """{docstring}"""\ndef helper():\n    """B08: nobody would play on; here."""'
    )
    assert held_by(source) == held
    assert "B08" not in named_by(source) >= {"B07"}
