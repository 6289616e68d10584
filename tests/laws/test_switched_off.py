"""Each law does something: taken out of its code, the rows that hold it fail."""

import pytest

from oddtrick_rules.codes.registry import CODES
from support.law_table import idle, rows_by_law


def decided() -> list[tuple[str, str]]:
    """The laws and rulings that the engine decides by and that tables hold, by code."""
    numbers = {(code.id, cite) for code in CODES.values() for cites in code.rules.values() for cite in cites}
    return sorted(numbers & set(rows_by_law()))


@pytest.mark.parametrize(("code", "number"), decided(), ids="-".join)
def test_a_law_switched_off_is_missed(code: str, number: str) -> None:
    """Without the law every row that names it fails, and one row does at the least."""
    assert not idle(number, rows_by_law()[code, number])
