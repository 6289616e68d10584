"""From the law book to the tests and back: no law without a test, no citation without a law."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pytest

import oddtrick_rules
from oddtrick_rules.code import Code, Rule
from oddtrick_rules.codes.guarantees import GUARANTEED
from oddtrick_rules.codes.registry import CODES
from support.laws_page import PAGE, modules_of, page
from support.sources import ROOT, files, tree

# Rulings fill what a code leaves open, and are numbered for all codes alike.
RULING = re.compile(r"R\d+")


class Held(NamedTuple):
    """A test is marked as holding this law of this code."""

    code: str
    number: str


def codes() -> dict[str, Code]:
    """Every code of laws there is: each is a value in a module of its own."""
    found: dict[str, Code] = {}
    for module in pkgutil.walk_packages(oddtrick_rules.__path__, "oddtrick_rules."):
        if module.name.startswith("oddtrick_rules.codes."):
            values = vars(importlib.import_module(module.name)).values()
            found |= {value.id: value for value in values if isinstance(value, Code)}
    return found


def marks(source: ast.Module) -> Iterator[Held]:
    """Every `pytest.mark.law("code", "number", ...)` of a test file; it is written out, so that it can be searched for."""
    for node in ast.walk(source):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.law":
            written = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            texts = [value for value in written if isinstance(value, str)]
            if len(texts) < 2 or len(texts) != len(node.args) or node.keywords:
                raise ValueError(f'line {node.lineno}: write it as @pytest.mark.law("english-1864", "73", "74")')
            yield from (Held(texts[0], number) for number in texts[1:])


def unheld(code: Code, held: Iterable[Held]) -> set[str]:
    """Laws of a code that live at the table and that no test holds."""
    living = {law.number for law in code.laws if law.lives != "cannot occur"}
    return living - {number for of, number in held if of == code.id}


def unknown(known: dict[str, Code], held: Iterable[Held]) -> set[Held]:
    """Marks that name no law: a number the code has not, or a code that is not."""
    laws = {Held(code.id, law.number) for code in known.values() for law in code.laws}
    return {mark for mark in held if not (mark in laws or (mark.code in known and RULING.fullmatch(mark.number)))}


def all_marks() -> set[Held]:
    return {mark for path in files("tests", "test_*.py") for mark in marks(tree(path))}


def test_every_law_is_held_by_a_test() -> None:
    """Each law of each code that can occur at the table is named by the mark of some test."""
    missing = {code.id: sorted(laws) for code in codes().values() if (laws := unheld(code, all_marks()))}
    assert not missing


def test_every_mark_names_a_law() -> None:
    """A test is marked only with laws its code has, or with rulings."""
    assert not unknown(codes(), all_marks())


def test_every_citation_names_a_law() -> None:
    """A rule of a code rests on laws that the code lists, or on rulings."""
    for code in codes().values():
        numbers = {law.number for law in code.laws}
        wrong = {
            cite
            for cites in code.rules.values()
            for cite in cites
            if cite not in numbers and not RULING.fullmatch(cite)
        }
        assert not wrong, code.id


def test_a_law_that_cannot_occur_says_why() -> None:
    """A law is left out of the engine only for a stated reason."""
    for code in codes().values():
        assert not [law.number for law in code.laws if law.lives == "cannot occur" and not law.why], code.id


def test_every_code_can_be_chosen() -> None:
    """Each code that a module holds is in the registry, and with all its laws, so that none is passed over here."""
    assert codes() == dict(CODES)
    assert all(code.laws for code in CODES.values())


def test_a_law_without_a_test_is_caught() -> None:
    """Taking away the one mark of a law makes it unheld, and a mark of no law is found."""
    source = ast.parse('@pytest.mark.law("english-1864", "73", "R5")\ndef test_a(): ...')
    held = set(marks(source))
    assert held == {Held("english-1864", "73"), Held("english-1864", "R5")}
    for code in codes().values():
        living = {Held(code.id, law.number) for law in code.laws if law.lives != "cannot occur"}
        assert not unheld(code, living)
        assert all(unheld(code, living - {law}) == {law.number} for law in living)
    assert unknown({}, held) == held


@pytest.mark.parametrize("wrong", ['"english-1864"', '"english-1864", 73', '"english-1864", *NUMBERS', 'law="73"'])
def test_a_mark_that_is_not_a_law_is_caught(wrong: str) -> None:
    """A law mark that does not write out a code and a number, both as text, is refused."""
    with pytest.raises(ValueError, match="write it as"):
        list(marks(ast.parse(f"@pytest.mark.law({wrong})\ndef test_a(): ...")))


def test_every_law_that_lives_is_cited() -> None:
    """A law that can occur is what some rule of its code rests on."""
    for code in codes().values():
        cited = {number for cites in code.rules.values() for number in cites}
        assert not [law.number for law in code.laws if law.lives != "cannot occur" and law.number not in cited], code.id


def test_every_rule_is_applied() -> None:
    """Each rule stands in a code and in the engine, or is kept by what the table is made of."""
    in_codes = {rule for code in codes().values() for rule in code.rules}
    assert not [rule.name for rule in Rule if rule not in in_codes]
    assert not [rule.name for rule in in_codes if not modules_of().get(rule)]
    assert all((ROOT / f"rules/oddtrick_rules/{module}.py").is_file() for module in GUARANTEED.values())


def test_the_page_of_laws_is_fresh() -> None:
    """LAWS.md says what lawbooks, engine and tests say now."""
    assert PAGE.read_text(encoding="utf-8") == page(), "run: PYTHONPATH=tests python tests/support/laws_page.py"


def test_no_law_is_missing_from_the_page() -> None:
    """Every law of every code has its row, and one that can occur names a module and a test."""
    text = PAGE.read_text(encoding="utf-8")
    for code in codes().values():
        rows = text.split(f"\n## {code.id}\n")[1].split("\n## ")[0].splitlines()
        cells = [row.strip("| ").split(" | ") for row in rows if row.startswith("| ") and not row.startswith("| law ")]
        assert [row[0] for row in cells] == [law.number for law in code.laws], code.id
        assert not [row[0] for row in cells if not row[2].startswith("cannot occur") and "–" in row[3:]], code.id


def test_a_page_changed_by_hand_is_caught() -> None:
    """A gist that no lawbook has is found when it is planted."""
    assert page().replace("Two games win the rubber", "Three games win the rubber") != page()
