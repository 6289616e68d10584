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


@pytest.mark.parametrize(
    "blank",
    [
        "\U0001d159",
        "\U0001d159\u2800 \ufffc",
        "\U00013441\U00013442",
        "\U00016fe4",
        "\u1680\u303f",
        " \u0301",
        " \u17d2",
        "\u00b4",
        "\ufe0f\u180b",
        "\ua4d4\ua4f3\ua4df",
    ],
)
def test_a_blank_that_unicode_calls_a_sign_is_no_name(blank: str) -> None:
    """A name of nothing but a note's missing head was accepted, and nobody could see who sat there."""
    with pytest.raises(ValueError, match="visible"):
        clean_name(blank, chars_max=24)


@pytest.mark.parametrize(
    ("seated", "twin", "shown"),
    [
        ("Anna", "\ua4eenna", "nna"),  # Lisu
        ("Anna", "\u15c5nna", "nna"),  # Canadian syllabics
        ("Anna", "\u2c80nna", "nna"),  # Coptic
        ("Anna", "\U000102a0nna", "nna"),  # Carian
        ("Anna", "\U0001f170nna", "nna"),  # a squared letter
        ("Anna", "\u20b3nna", "nna"),  # a coin
        ("Anna", "Anna\U0001d159", "Anna 2"),  # musical notation
        ("Anna", "Anna\ufffc", "Anna 2"),
        ("TOM", "\ua4d4OM", "OM"),  # Lisu
        ("TOM", "\U00010297OM", "OM"),  # Lycian
        ("TOM", "\U00010315OM", "OM"),  # Old Italic
        ("TOM", "T\U00010404M", "TM"),  # Deseret
        ("TOM", "T\u25cbM", "TM"),  # a geometric shape
        ("paul", "pau\u01c0", "pau\u01c0 2"),  # a click
        ("paul", "pau\ua4f2", "pau"),  # Lisu
        ("paul", "pau\u2d4f", "pau"),  # Tifinagh
        ("paul", "pau\u16c1", "pau"),  # a rune
        ("paul", "pau\u2223", "pau"),  # mathematics
        ("paul", "pau\u2502", "pau"),  # a box's side
        ("paul", "pau\ua7fe", "pau"),  # an epigraph's letter
        ("Joe", "J\u0d02e", "Je"),  # a vowel's ring, on no letter of its script
    ],
)
def test_no_twin_comes_in_letters_that_nobody_writes_names_in(seated: str, twin: str, shown: str) -> None:
    """A letter of a dead script, a sign or a blank made a second Anna without a number behind her."""
    assert told_apart(clean_name(twin, chars_max=24), [seated]) == shown


@pytest.mark.parametrize(
    "name",
    [
        "Łucja Þórsdóttir",
        "Ɛsi Ŋgɔ",
        "Nguyễn Thị Ánh",
        "O\u2019Neil-Smith, Jr.",
        "Ka\u02bbiulani",
        "\u0391\u03b8\u03b7\u03bd\u03ac",
        "\u0429\u0443\u0440\u0491\u04d9",
        "\u0531\u0576\u056b",
        "\u10dc\u10d8\u10dc\u10dd",
        "\u05d0\u05d1\u05f3",
        "\u0645\u064f\u062d\u0645\u062f \u06f4",
        "\u0906\u0930\u0924\u0940",
        "\u0986\u09b0\u09a4\u09bf \u09e8",
        "\u0a06\u0a30\u0a24\u0a40",
        "\u0a86\u0ab0\u0aa4\u0ac0",
        "\u0b06\u0b30\u0b24\u0b3f",
        "\u0b86\u0bb0\u0ba4\u0bbf",
        "\u0c06\u0c30\u0c24\u0c3f",
        "\u0c86\u0cb0\u0ca4\u0cbf",
        "\u0d06\u0d30\u0d24\u0d3f",
        "\u0d86\u0dbb\u0dad\u0dd2",
        "\u0786\u07a6\u078a\u07a8",
        "\u0e2a\u0e21\u0e0a\u0e31\u0e22",
        "\u0eaa\u0ebb\u0ea1",
        "\u179f\u17bb\u1781",
        "\u1021\u1031\u102c\u1004\u103a",
        "\u0f56\u0f7c\u0f51\u0f0b",
        "\u1230\u120b\u121d",
        "\u13e3\u13b3\u13a9",
        "\u182a\u1820\u1832\u1824",
        "\ud76c\uc9c4",
        "\u3055\u304f\u3089",
        "\u30b5\u30c3\u30ab\u30fc",
        "\u310a\u3127",
        "\u4f50\u3005\u6728",
        "Anna \u2665\U0001f0a1\U0001f600\U0001f1eb\U0001f1ee \u270c\U0001f3fd",
    ],
)
def test_people_bear_their_names_as_they_write_them(name: str) -> None:
    """Whatever living script a name is written in, it is shown as written, with its accents, figures and a picture if one likes."""
    assert clean_name(name, chars_max=24) == name


def test_no_tower_of_accents_is_built_over_what_is_taken_out() -> None:
    """A zero-width mark or a dead letter between the accents made a tower of them, two storeys at a time."""
    assert clean_name("e\u0351\u0351\u200d\u0351\u0351\ua4ee\u0351x", chars_max=24) == "e\u0351\u0351x"


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
    assert clean_name(cleaned, chars_max=24) == cleaned


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
    ("name", "twin"),
    [
        ("paul", "pau\u01c0"),
        ("all", "a\u01c1"),
        ("paul", "pau\u01c3"),
        ("tom", "\u01c2om"),
        ("paul", "pau\u05d5"),
        ("paul", "pau\u05c0"),
        ("paul", "pau\u0627"),
        ("paul", "pau\u4e28"),
        ("paul", "pau\u3163"),
        ("paul", "pau\u2758"),
        ("Joe", "J\u05e1e"),
        ("Joe", "J\u0647e"),
        ("Joe", "J\u09e6e"),
        ("Joe", "J\u0d20e"),
        ("Joe", "J\u101de"),
        ("Joe", "J\u12d0e"),
        ("Joe", "J\u3007e"),
        ("Anna", "\uab7anna"),
        ("Kim", "\u049aim"),
        ("Fred", "\u0492red"),
        ("Eva", "Ev\u1d8f"),
        ("Aesop", "\u00c6sop"),
        ("Fi", "F\U0001f1ee"),
        ("O'Neil", "O\u2019Neil"),
        ("O'Neil", "O\u02bcNeil"),
        ("Ann-Kari", "Ann\u2013Kari"),
        ("\u0639\u0644\u064a", "\u0639\u0644\u0640\u06cc"),
        ("\u0c1c\u0c2f", "\u0c9c\u0caf"),
        ("\u529b\u4e8c", "\u30ab\u30cb"),
    ],
)
def test_a_plain_shape_of_any_script_makes_names_alike(name: str, twin: str) -> None:
    """A stroke, a ring or a letter with a hook, from whatever living script, made a twin without a number behind him."""
    cleaned = clean_name(twin, chars_max=24)
    assert likeness(name) == likeness(cleaned)
    assert told_apart(cleaned, [name]) == f"{cleaned} 2"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna", "Hanna"),
        ("Jan", "Jana"),
        ("Ben", "Bea"),
        ("\u0418\u0432\u0430\u043d", "\u0418\u0440\u0430"),
        ("Anna 2", "Anna 3"),
        ("\u05d3\u05df", "\u05d2\u05df"),
        ("\ubbfc\uc9c0", "\ubbfc\uc218"),
        ("\u738b", "\u6797"),
        ("\u0639\u0644\u064a", "\u0639\u0644\u0627"),
    ],
)
def test_names_that_differ_stay_as_they_are(name: str, other: str) -> None:
    """Two names that nobody would confuse are left alone."""
    assert told_apart(name, [other]) == name


def test_words_are_one_line_without_controls() -> None:
    """Free words come out as one line that turns no page or terminal upside down."""
    assert clean_words(" well\tplayed\x1b[2J \u202eyou\n") == "well played [2J you"
    assert not clean_words("\x00\u202e \n")
