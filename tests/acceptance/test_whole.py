"""Every failure that users of other servers have met is held by a test, or stands in the table with its reason."""

import ast
import re
from pathlib import Path

from support.sources import ROOT, files, tree

IDS = Path(__file__).with_name("ids.txt")
ID = re.compile(r"\bB\d{2,3}\b")
ROW = re.compile(r"^\| (B\d{2,3}) \| (.+) \|$", re.MULTILINE)
WORDS_MIN = 8


def listed(text: str) -> list[str]:
    """The numbers of a list, which may have lines of comment."""
    return [number for line in text.splitlines() if not line.startswith("#") for number in line.split()]


def held_by(source: ast.Module) -> set[str]:
    """The numbers in the docstrings of a module's tests."""
    return {
        number
        for node in ast.walk(source)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        for number in ID.findall(ast.get_docstring(node) or "")
    }


def excused(page: str) -> dict[str, str]:
    """The numbers in the table of tests/README.md, each with its reason."""
    return dict(ROW.findall(page))


def wrong(numbers: list[str], held: set[str], reasons: dict[str, str]) -> set[str]:
    """Numbers that are nowhere, in both places, unknown, or excused without a reason."""
    both = held & set(reasons)
    nowhere = set(numbers) - held - set(reasons)
    unknown = (held | set(reasons)) - set(numbers)
    bare = {number for number, reason in reasons.items() if len(reason.split()) < WORDS_MIN}
    return both | nowhere | unknown | bare


def test_every_failure_is_held_or_excused() -> None:
    """Each of the 72 stands in the docstring of a test or, with the reason why it cannot happen here, in tests/README.md."""
    numbers = listed(IDS.read_text(encoding="utf-8"))
    assert len(numbers) == len(set(numbers)) == 72
    held = {number for path in files("tests", "test_*.py") for number in held_by(tree(path))}
    reasons = excused((ROOT / "tests/README.md").read_text(encoding="utf-8"))
    assert not wrong(numbers, held, reasons)


def test_a_failure_that_nobody_holds_is_caught() -> None:
    """A number without test or reason, one with both, an unknown one and an excuse without words are each found."""
    reason = "it cannot happen here because there is no such thing"
    assert not wrong(["B01", "B02"], {"B01"}, {"B02": reason})
    assert wrong(["B01", "B02"], {"B01"}, {}) == {"B02"}
    assert wrong(["B01"], {"B01"}, {"B01": reason}) == {"B01"}
    assert wrong(["B01"], {"B01", "B99"}, {}) == {"B99"}
    assert wrong(["B01"], set(), {"B01": "no"}) == {"B01"}
    assert held_by(ast.parse('def test_a():\n    """B07: he left."""\ndef helper():\n    """B08."""')) == {"B07"}
