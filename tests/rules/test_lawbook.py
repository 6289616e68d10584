"""The three lawbooks and the rulings: all there, in order, each law with its gist and its way of living here."""

import re
from collections.abc import Sequence

import pytest

from oddtrick_rules.code import Law
from oddtrick_rules.codes import lawbook_1864, lawbook_1900, lawbook_1904
from oddtrick_rules.codes.book import LIVES, laws_in
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.codes.rulings import RULINGS

GIST_CHARACTERS_MIN = 20
GIST_CHARACTERS_MAX = 240
WHY_CHARACTERS_MAX = 100
SENTENCES_MAX = 3

# Laws that are about pasteboard, manners or money: these alone may be left out of the table's life.
MAY_NOT_OCCUR = {
    "english-1864": "15 26 27 28 31 32 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 54 60 69 70 77 80 83 88 89 90",
    "whist-1900": "1 2 3 6 17 18 19 20 21 23 24 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 44 63 72 81 84 92 93",
    "bridge-1904": ("16 27 28 29 30 32 33 36 37 39 40 41 42 43 44 45 46 63 78 87 88 96 98 100 105 106 107"),
}

# ... and these of them are alive here: rulings bring money, manners and mixed tricks to the table.
ALIVE = {
    "english-1864": "77 80 83 88 89",
    "whist-1900": "3 81 84 92 93",
    "bridge-1904": "63 96 98 100 105 106",
}

# Laws that end a right when a moment has come.
CLOCKS = {
    "english-1864": "6 78 87",
    "whist-1900": "51 82 91",
    "bridge-1904": "97 104",
}

NUMBERS = {
    "english-1864": [str(number) for number in range(1, 92)],
    "whist-1900": [*(str(number) for number in range(1, 13)), "12a", *(str(number) for number in range(13, 95))],
    "bridge-1904": [str(number) for number in range(1, 109)],
}

BOOKS: dict[str, Sequence[Law]] = {
    "english-1864": lawbook_1864.LAWS,
    "whist-1900": lawbook_1900.LAWS,
    "bridge-1904": lawbook_1904.LAWS,
}

EVERY_BOOK = pytest.mark.parametrize("code", list(BOOKS))


def living(code: str, lives: str) -> set[str]:
    """Numbers of the laws of a code that live in that way."""
    return {law.number for law in BOOKS[code] if law.lives == lives}


@EVERY_BOOK
def test_a_lawbook_has_every_law_once_and_in_order(code: str) -> None:
    """The code of 1864 has 91 laws, that of 1900 has 94 and 12a, that of 1904 has 108."""
    assert [law.number for law in BOOKS[code]] == NUMBERS[code]


@EVERY_BOOK
def test_only_pasteboard_manners_and_money_are_left_out(code: str) -> None:
    """A law that can matter at a table without a table top is enforced, an act or a clock."""
    assert living(code, "cannot occur") <= set(MAY_NOT_OCCUR[code].split())


@EVERY_BOOK
def test_what_the_rulings_bring_to_life_is_an_act(code: str) -> None:
    """Bets, new cards, bystanders and mixed tricks are acts a player can do here."""
    assert set(ALIVE[code].split()) <= living(code, "act")


@EVERY_BOOK
def test_laws_that_close_a_window_are_clocks(code: str) -> None:
    """The end of the claims, of the honours and of the time to decide are kept by a clock."""
    assert living(code, "clock") == set(CLOCKS[code].split())


@EVERY_BOOK
def test_a_law_lives_in_one_of_four_ways(code: str) -> None:
    """A law is enforced, an act, a clock, or cannot occur; only the last needs a reason, a short one."""
    for law in BOOKS[code]:
        assert law.lives in LIVES
        assert bool(law.why) == (law.lives == "cannot occur"), law.number
        assert len(law.why) <= WHY_CHARACTERS_MAX, law.number


@EVERY_BOOK
def test_the_engine_rests_on_no_law_that_cannot_occur(code: str) -> None:
    """What an act or a refusal cites is a law that lives at the table."""
    cited = {number for cites in CODES[code].rules.values() for number in cites}
    assert not cited & living(code, "cannot occur")


def faults(gist: str) -> list[str]:
    """What is wrong with a gist, as text for a player to read on one line."""
    found = []
    if not GIST_CHARACTERS_MIN <= len(gist) <= GIST_CHARACTERS_MAX:
        found.append(f"{len(gist)} characters")
    if not gist.isascii() or not gist.isprintable():
        found.append("not plain text")
    if re.search(r"[*_`<>|\[\]]|  |^\s|\s$", gist):
        found.append("marks of a notation")
    if not (gist[:1].isupper() or gist.startswith('"')) or not gist.endswith("."):
        found.append("no sentence")
    if len(re.findall(r"\.(?: |$)", gist)) > SENTENCES_MAX:
        found.append("too many sentences")
    return found


@EVERY_BOOK
def test_every_law_has_a_gist_a_player_can_read(code: str) -> None:
    """A gist is one to three plain sentences that fit two lines of a terminal."""
    assert not {law.number: found for law in BOOKS[code] if (found := faults(law.gist))}


def test_every_ruling_has_a_gist_a_player_can_read() -> None:
    """The rulings are R1 to R33, in order, and each is told in plain sentences."""
    assert [ruling.number for ruling in RULINGS] == [f"R{number}" for number in range(1, 34)]
    assert not {ruling.number: found for ruling in RULINGS if (found := faults(ruling.gist))}


def test_no_two_laws_of_a_code_are_told_alike() -> None:
    """Each law of a code is told in its own words, not in those of its neighbour."""
    for code, laws in BOOKS.items():
        assert len({law.gist for law in laws}) == len(laws), code


@pytest.mark.parametrize(
    "gist",
    [
        "",
        "Too short.",
        "x" * 300,
        "no capital to begin with.",
        "No full stop at the end",
        "A *mark* of notation in it.",
    ],
)
def test_a_gist_nobody_would_read_is_caught(gist: str) -> None:
    """A gist that is empty, too short, too long, no sentence or not plain is found when it is planted."""
    assert faults(gist)


def test_a_lawbook_is_read_as_it_is_written() -> None:
    """A law may run over several lines and may give the reason why it cannot occur."""
    assert laws_in("1 | act | One may\n    do it.\n2 | cannot occur: no pack | Not here.") == (
        Law("1", "One may do it.", "act"),
        Law("2", "Not here.", "cannot occur", "no pack"),
    )


def test_a_law_that_lives_in_no_known_way_is_refused() -> None:
    """A lawbook with a slip in how a law lives cannot be read."""
    with pytest.raises(ValueError, match="law 1 lives as 'acts'"):
        laws_in("1 | acts | One may do it.")
