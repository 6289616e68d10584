"""Each law does something: taken out of its code, the rows that hold it fail."""

import pytest

from oddtrick_rules.code import Code
from oddtrick_rules.codes.english_1864 import ENGLISH_1864
from oddtrick_rules.codes.registry import CODES
from support.law_table import idle, rows_by_law


def cited(code: Code) -> set[str]:
    """The laws and rulings that the code's rules rest on."""
    return {cite for cites in code.rules.values() for cite in cites}


def decided() -> list[tuple[str, str]]:
    """The laws and rulings that the engine decides by and that tables hold, by code."""
    numbers = {(code.id, number) for code in CODES.values() for number in cited(code)}
    return sorted(numbers & set(rows_by_law()))


@pytest.mark.parametrize(("code", "number"), decided(), ids="-".join)
def test_a_law_switched_off_is_missed(code: str, number: str) -> None:
    """Without the law every row that names it fails, and one row does at the least."""
    assert not idle(number, rows_by_law()[code, number])


def test_three_rows_hold_each_law_of_1864() -> None:
    """Every law that the engine decides by has three rows which fail without it; 87 is an option that no record has."""
    living = {law.number for law in ENGLISH_1864.laws if law.lives != "cannot occur"}
    rows = {number: rows_by_law().get((ENGLISH_1864.id, number), ()) for number in living & cited(ENGLISH_1864)}
    few = {number for number, held in rows.items() if sum(number in row.laws for row in held) < 3}
    assert few == {"87"}
