"""Each law does something: taken out of its code, the rows that hold it fail."""

import pytest

from oddtrick_rules.code import Code, Rule
from oddtrick_rules.codes.english_1864 import ENGLISH_1864
from oddtrick_rules.codes.registry import CODES
from support.law_table import idle, rows_by_law


def cited(code: Code) -> set[str]:
    """The laws and rulings that the code's rules rest on."""
    return {cite for cites in code.rules.values() for cite in cites}


def decided() -> list[tuple[str, str]]:
    """The laws that the engine decides by and that tables hold, by code; of the rulings those that a row names."""
    numbers = {(code.id, number) for code in CODES.values() for number in cited(code)}
    return sorted(
        (code, number)
        for (code, number), rows in rows_by_law().items()
        if (code, number) in numbers and (not number.startswith("R") or any(number in row.laws for row in rows))
    )


@pytest.mark.parametrize(("code", "number"), decided(), ids=["-".join(law) for law in decided()])
def test_a_law_switched_off_is_missed(code: str, number: str) -> None:
    """Without the law every row that names it fails, and one row does at the least."""
    assert not idle(number, rows_by_law()[code, number])


# Held by tests of other kinds: law 87 is an option that no record has, 88 and 89 are about people who do not play.
NOT_IN_RECORDS = {"87", "88", "89"}
# A record begins with the cards dealt: forming the table has tests of its own.
IN_PLAY = list(Rule)[list(Rule).index(Rule.DEAL_PASSES) :]


def test_three_rows_hold_each_law_of_1864() -> None:
    """Every law that the engine decides by once the table is formed has three rows which fail without it."""
    living = {law.number for law in ENGLISH_1864.laws if law.lives != "cannot occur"} - NOT_IN_RECORDS
    decides = living & {cite for rule in IN_PLAY for cite in ENGLISH_1864.cites(rule)}
    rows = {number: rows_by_law().get((ENGLISH_1864.id, number), ()) for number in decides}
    assert len(decides) > 45
    assert not {number for number, held in rows.items() if sum(number in row.laws for row in held) < 3}
