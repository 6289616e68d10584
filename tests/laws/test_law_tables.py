"""The reader of law tables, and with it the example of tests/README.md."""

import textwrap

import pytest

from oddtrick_rules.codes.registry import CODES
from support.law_table import Row, idle, law_table, rows_by_law
from support.sources import ROOT

TABLE = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: E
    Deal: N:4...5 E:K...9 S:7..2. W:3...4
    Tricks: NS 5 EW 6

    case                             | law    | given                      | acts             | then
    it is turned and quitted         | 73     | E SK, S D2, W S3, N S4     | E quits          | revoke S 12 established, law 73
    the offender's partner leads     | 73     | E SK, S D2, W S3, N S4     | N C5             | revoke S 12 established
    # E has won the trick: his lead is no act of the offender's side.
    an adversary leads               | -      | E SK, S D2, W S3, N S4     | E C9             | revoke S 12 made, may S withdraws
    the partner has asked            | 74     | E SK, S D2, W S3, N S4     | N asks, E quits  | revoke S 12 made
    he has asked and was told "none" | 73, 74 | E SK, S D2, W S3, N S4     | N asks, = may S answers some, S answers none, = revoke S 12 made |
                                     |        |                            | E quits          | revoke S 12 established
"""
ESTABLISHED = law_table(TABLE)


@pytest.mark.law("english-1864", "73", "74")
@pytest.mark.parametrize("row", ESTABLISHED, ids=str)
def test_when_a_revoke_is_established(row: Row) -> None:
    """Quitting the trick establishes a revoke unless the partner has asked; playing on establishes it."""
    row.check()


def test_a_row_is_a_record() -> None:
    """A row stands under the table's header, with its case as the title, an act or an expectation to a line."""
    assert ESTABLISHED[0].record == textwrap.dedent("""\
        Code: english-1864
        Dealer: W
        Trump: H
        Leader: E
        Deal: N:4...5 E:K...9 S:7..2. W:3...4
        Tricks: NS 5 EW 6
        Title: it is turned and quitted

        E SK
        S D2
        W S3
        N S4
        E quits
        = revoke S 12 established
        = law 73
        """)
    assert len(ESTABLISHED) == 5


def test_a_column_of_the_header_changes_the_row_alone() -> None:
    """A column named as a header line puts its own value in place of the table's, where it has one."""
    rows = law_table("""
        Code: english-1864
        Dealer: W
        Trump: H
        Leader: E
        Deal: N:4.. E:K.. S:7.. W:3..
        Deal: N:4... E:K... S:7... W:3...
        Tricks: NS 6 EW 6

        case | leader | score     | acts | then
        one  | -      | NS 1 EW 0 | E SK | score NS 1 EW 0
        two  | S      |           | S S7 | score NS 0 EW 0
    """)
    assert [row.outcome().ok for row in rows] == [True, True]


def test_a_row_that_fails_shows_itself_as_it_should_be() -> None:
    """The failure has the reason, the record with its lines numbered, and the row with what was found, to be pasted."""
    wrong = law_table(
        TABLE.replace(
            "E quits          | revoke S 12 established, law 73", "E quits          | revoke S 12 made, law 74"
        )
    )
    with pytest.raises(AssertionError) as failed:
        wrong[0].check()
    said = str(failed.value)
    assert "line 14: `= revoke S 12 made` does not hold, but `revoke S 12 established`" in said
    assert "  13  E quits\n" in said
    pasted = law_table(TABLE.partition("    it is")[0] + said.partition("found:\n")[2])
    pasted[0].check()


def test_a_row_that_is_not_in_the_notation_fails() -> None:
    """A slip in a row is a failure that names it."""
    (row, *_) = law_table(TABLE.replace("E quits          |", "E quit           |"))
    with pytest.raises(AssertionError, match="`quit` is neither a card nor an act"):
        row.check()


@pytest.mark.parametrize(
    "text",
    [
        "Code: english-1864",
        "acts | then",
        "case | acts | when",
        "case | acts | acts | then",
        "case | acts | then\none | E SK",
    ],
)
def test_what_is_no_table_is_refused(text: str) -> None:
    """A table without a case, an unknown column or a row of the wrong length is a mistake of the test's author."""
    with pytest.raises(ValueError, match=r"table|cells"):
        law_table(text)


def test_the_rows_of_a_law_are_found_by_its_marks() -> None:
    """Rows belong to the laws their test is marked with; those that name laws, to these alone."""
    found = rows_by_law()
    of_74 = [str(row) for row in found["english-1864", "74"] if row.cells in [mine.cells for mine in ESTABLISHED]]
    assert of_74 == ["an adversary leads", "the partner has asked", 'he has asked and was told "none"']


def test_a_row_that_does_not_need_its_law_is_found() -> None:
    """A row that names a law and holds without it is idle, and so is a law that no row needs."""
    assert not idle("73", ESTABLISHED)
    assert not idle("74", ESTABLISHED)
    assert idle("73", [row for row in ESTABLISHED if str(row) == "an adversary leads"]) == [
        "no row fails when law 73 is off"
    ]
    lazy = law_table(TABLE.replace("| 73     | E SK", "| 85     | E SK"))
    assert idle("85", lazy)[0] == "it is turned and quitted: holds without law 85"


def test_the_readmes_example_is_this_table() -> None:
    """The law table that tests/README.md shows is the one that is run here."""
    readme = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    assert TABLE.strip("\n") in readme
    assert set(CODES) >= {"english-1864"}
