"""Names as people may bear them, and words as they are passed on."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_server.lookalikes import likeness
from oddtrick_server.names import clean_name, told_apart
from oddtrick_server.words import clean_words


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \t of\nYork ", "Anna of York"),
        ("An\u200bna", "Anna"),
        ("\u202eannA\u202c", "annA"),
        ("\ufeffAnna\u2060", "Anna"),
        ("\uff21\uff4e\uff4e\uff41", "Anna"),
        ("A" * 40, "A" * 24),
        ("Z\u0351\u036b\u0343a", "Z\u0351\u036ba"),
        ("Zoë ♠", "Zoë ♠"),
    ],
)
def test_a_name_is_cleaned(given_name: str, shown: str) -> None:
    """What a reader cannot see is taken out of a name: controls, zero-width and bidirectional marks, towers of accents."""
    assert clean_name(given_name, chars_max=24) == shown


@pytest.mark.parametrize("empty", ["", " ", "\u200b", "\t\n", "\u202e\u202c", "\u3164\u2800", "\u0301"])
def test_a_name_of_nothing_is_refused(empty: str) -> None:
    """A name without a visible character is none (B20 of the failures we know)."""
    with pytest.raises(ValueError, match="visible"):
        clean_name(empty, chars_max=24)


@given(st.text(max_size=60))
def test_a_clean_name_is_short_and_visible(name: str) -> None:
    """Whatever is put in, what comes out is one short line without controls or formats, and cleaning it again changes nothing."""
    try:
        cleaned = clean_name(name, chars_max=24)
    except ValueError:
        return
    assert 0 < len(cleaned) <= 24
    assert not {unicodedata.category(char) for char in cleaned} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert cleaned == " ".join(cleaned.split())


@pytest.mark.parametrize(
    "twin",
    [
        "anna",
        "ANNA",
        "\u0410nn\u0430",
        "Ánnà",
        "A n n a",
        "Anna\ufe0f",
        "An\u034fna",
        "\u13aanna",
        "\u0251nn\u1d00",
        "\u0391nna",
    ],
)
def test_look_alikes_are_told_apart(twin: str) -> None:
    """A name that a reader would take for another one's at the table gets a number."""
    assert likeness(twin) == likeness("Anna")
    assert told_apart(twin, ["Anna"]) == f"{twin} 2"
    assert told_apart(twin, ["Anna", f"{twin} 2"]) == f"{twin} 3"
    assert told_apart("Ben", ["Anna"]) == "Ben"


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("Hans", "\u0397ans"),
        ("Hans", "\u041dans"),
        ("Ina", "lna"),
        ("Ina", "1na"),
        ("Ina", "\u0406na"),
        ("Martin", "Martirn".replace("rn", "n")),
        ("Martin", "Mart\u0131n"),
        ("Emma", "Ernma"),
        ("William", "VVilliam"),
        ("Nora", "N\u00f8ra"),
        ("Vera", "\u13d9era"),
        ("Olga", "\u0555lga"),
        ("Otto", "0tt0"),
        ("Claude", "Daude"),
        ("Petr", "\u0420\u0435\u0442\u0433"),
    ],
)
def test_letters_that_look_alike_make_names_alike(name: str, twin: str) -> None:
    """A name written with another alphabet's letters, or with pairs that look like one, is taken for the name it looks like."""
    assert likeness(name) == likeness(twin)
    assert told_apart(twin, [name]) == f"{twin} 2"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna", "Hanna"),
        ("Jan", "Jana"),
        ("Ben", "Bea"),
        ("\u0418\u0432\u0430\u043d", "\u0418\u0440\u0430"),
        ("Anna 2", "Anna 3"),
    ],
)
def test_names_that_differ_stay_as_they_are(name: str, other: str) -> None:
    """Two names that nobody would confuse are left alone."""
    assert told_apart(name, [other]) == name


def test_words_are_one_line_without_controls() -> None:
    """Free words come out as one line that turns no page or terminal upside down."""
    assert clean_words(" well\tplayed\x1b[2J \u202eyou\n") == "well played [2J you"
    assert not clean_words("\x00\u202e \n")
