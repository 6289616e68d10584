"""Where the code of 1900 repeats that of 1864 the very rows of 1864 hold with its numbers, but for those on which the two part.

What the code of 1900 has in place of the rows named here is in the other tables of 1900, and in `test_differences.py`.
"""

import pytest

from support.law_table import Row, module_at
from support.renumbered import IN_1900, by_case, renumbered
from support.sources import ROOT

# The tables of 1864, by file; of each the rows that do not hold in 1900.
PARTED: dict[str, dict[str, set[str]]] = {
    "bets": {"BETS": set()},
    "calls": {
        "CARD_CALLED": {"called before his turn, it waits for that", "and again, till it is played"},
        "NO_FORCED_REVOKE": {"but what beats the trick he plays"},
        "CHOOSING": set(),
        "WRONG_DEMAND": {
            "refused, and nothing is lost",
            "a suit is not called for a wrong card",
            "the card called wrongly can still be",
        },
        "DISOBEYING": {"to win or lose is simply enforced"},
    },
    "claims": {
        "CHARGED": set(),
        "PAID": set(),
        "MIXED": set(),
        "CLOSED": set(),
        "PLAYED_OUT": set(),
        "BOTH_REVOKE": {
            "both are paid for",
            "neither side goes out",
            "each chooses for itself",
            "a game reached before is undone",
        },
        "CAPPED": set(),
    },
    "dealing": {"CUT": set(), "NEW_CARDS": set()},
    "exposed": {
        "EXPOSED": set(),
        "TOGETHER": set(),
        "THROWN_DOWN": {"and is called card by card", "then another"},
        "ALL_THROWN_DOWN": {"a revoke is punished, but not by tricks"},
    },
    "leads": {
        "ADVERSARY_LEADS": {"one penalty or the other"},
        "PARTNER_LEADS": {"left to lead, the partner owes no suit", "but the card may be called"},
        "FOLLOWED": set(),
        "LED_OVER": {"as long as the card has not been played", "a partner who leads over it is left free"},
        "SUIT_CALLED": set(),
    },
    "partner": {
        "FOURTH_FIRST": {
            "told to win he must, with what he has",
            "told not to, he must not",
            "void, he must ruff to win",
            "and not ruff to lose",
            "highest is not to be had for it",
        },
        "ATTENTION": {"told to lose he may not win", "told to win he must"},
        "LED_ON": {"he must if he can"},
    },
    "play": {"FOLLOWING": set(), "IN_TURN": set()},
    "revoke": {
        "ESTABLISHED": set(),
        "THROWING_DOWN": set(),
        "QUESTION": {"whoever quits"},
        "CORRECTED": {"to win is not among them"},
        "CHANGED": set(),
        "AGAIN": set(),
    },
    "scoring": {"TRICKS": set(), "GAMES": set(), "RUBBERS": set(), "HONOURS": set(), "CALLED": set(), "ORDER": set()},
    "sheet": {"SCORE": set(), "VALUE": set()},
    "tricks": {
        "QUITTING": set(),
        "EARLY": set(),
        "PLACING": set(),
        "LAST_TRICK": {"once it is quitted", "by anyone", "strictly too", "while the next is played"},
    },
    "trump_card": {
        "LEFT_LYING": {
            "when the trick is quitted it can be called",
            "and is",
            "taken up late it cannot any more",
        },
        "NAMED": {"it may be called again, but not changed", "the highest called is played"},
        "FORGOTTEN": {"called, it is not changed"},
    },
}


def tables(*chapters: str) -> list[tuple[str, str, dict[str, Row]]]:
    """The tables of those chapters with their rows as they read in 1900."""
    found = []
    for chapter in chapters or PARTED:
        module = module_at(ROOT / "tests/laws" / f"test_{chapter}.py")
        for name in PARTED[chapter]:
            rows = by_case(getattr(module, name))
            found.append((chapter, name, {case: renumbered(row, "whist-1900", IN_1900) for case, row in rows.items()}))
    return found


def same(*chapters: str) -> list[Row]:
    """The rows on which the two codes agree."""
    return [
        row
        for chapter, name, rows in tables(*chapters)
        for case, row in rows.items()
        if case not in PARTED[chapter][name]
    ]


def parted() -> list[Row]:
    """The rows on which they do not."""
    return [row for chapter, name, rows in tables() for case, row in rows.items() if case in PARTED[chapter][name]]


@pytest.mark.law("whist-1900", "74", "70", "71", "73", "64", "66", "69", "76")
@pytest.mark.parametrize("row", same("play", "leads"), ids=str)
def test_play_and_leads(row: Row) -> None:
    """Following suit, playing in turn and leading out of it are as in 1864."""
    row.check()


@pytest.mark.law("whist-1900", "58", "61", "62", "67", "75")
@pytest.mark.parametrize("row", same("exposed"), ids=str)
def test_exposed_cards(row: Row) -> None:
    """Cards shown, laid together and thrown down are exposed as in 1864."""
    row.check()


@pytest.mark.law("whist-1900", "58", "60", "67", "70", "71", "76", "90")
@pytest.mark.parametrize("row", same("partner"), ids=str)
def test_before_the_partner_has_played(row: Row) -> None:
    """To lead on, to play fourth before second or to draw attention costs what it did in 1864."""
    row.check()


@pytest.mark.law("whist-1900", "67", "68", "71", "74", "76", "87")
@pytest.mark.parametrize("row", same("calls"), ids=str)
def test_calls(row: Row) -> None:
    """A call binds, and is chosen, as in 1864."""
    row.check()


@pytest.mark.law("whist-1900", "74", "76", "77", "78", "80")
@pytest.mark.parametrize("row", same("revoke"), ids=str)
def test_the_revoke_while_it_can_be_put_right(row: Row) -> None:
    """A revoke is established, asked about and corrected as in 1864."""
    row.check()


@pytest.mark.law("whist-1900", "74", "75", "79", "81", "82", "83", "85", "86")
@pytest.mark.parametrize("row", same("claims"), ids=str)
def test_the_revoke_afterwards(row: Row) -> None:
    """A revoke is charged, proved and paid for as in 1864."""
    row.check()


@pytest.mark.law("whist-1900", "42", "43", "44", "45", "77", "89", "94")
@pytest.mark.parametrize("row", same("trump_card", "tricks"), ids=str)
def test_the_trump_card_and_the_tricks(row: Row) -> None:
    """The trump card is taken up, named and forgotten, and tricks are quitted and placed, as in 1864."""
    row.check()


@pytest.mark.law("whist-1900", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "75", "84")
@pytest.mark.parametrize("row", same("scoring", "sheet", "bets"), ids=str)
def test_scoring(row: Row) -> None:
    """Tricks, honours, games, rubbers and bets count as in 1864."""
    row.check()


@pytest.mark.law("whist-1900", "3", "25", "26", "82")
@pytest.mark.parametrize("row", same("dealing"), ids=str)
def test_from_hand_to_hand(row: Row) -> None:
    """The cut, the deal and new cards are as in 1864."""
    row.check()


@pytest.mark.parametrize("row", parted(), ids=str)
def test_where_the_two_part(row: Row) -> None:
    """What is listed as parting does part: the row of 1864 fails in 1900, or no longer rests on its law."""
    assert not row.outcome().ok or any(row.holds_without(law) for law in row.laws)


def test_every_row_that_is_named_is_there() -> None:
    """Each row listed as parting is a row of its table, so that none is passed over by a slip."""
    for chapter, name, rows in tables():
        assert PARTED[chapter][name] <= set(rows), (chapter, name)


def test_every_table_of_1864_is_read() -> None:
    """No table of the code of 1864 is left out."""
    chapters = {path.stem.removeprefix("test_") for path in (ROOT / "tests/laws").glob("test_*.py")}
    for chapter, named in PARTED.items():
        assert chapter in chapters
        module = module_at(ROOT / "tests/laws" / f"test_{chapter}.py")
        tables_there = {
            name
            for name, value in vars(module).items()
            if isinstance(value, tuple) and value and isinstance(value[0], Row)
        }
        assert tables_there == set(named), chapter
