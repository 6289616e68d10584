"""Forming the table: cutting for partners, for places and for going out."""

import pytest

from oddtrick_rules.cards import Card, card_named
from oddtrick_rules.forming import CutAgain, Partners, cut_for_partners, cut_for_places, cut_out, places_free

Cuts = dict[str, Card]


def cuts(text: str) -> list[Cuts]:
    """Rounds as text: `a:S3 b:H6 / b:DK`."""
    return [{word[0]: card_named(word[2:]) for word in part.split()} for part in text.split("/")]


@pytest.mark.law("english-1864", "13", "14", "16", "18", "19")
@pytest.mark.law("whist-1900", "4", "5", "7", "8", "9", "10")
@pytest.mark.law("bridge-1904", "14", "15", "17", "19", "20")
@pytest.mark.parametrize(
    ("drawn", "low", "high"),
    [
        ("a:S3 b:H6 c:DJ d:CK", "ab", "cd"),
        ("a:CK b:DJ c:H6 d:S3", "dc", "ba"),
        ("a:SA b:H2 c:DJ d:CK", "ab", "cd"),
        ("a:S3 b:H6 c:DK d:CK", "ab", "cd"),
        ("a:S3 b:H3 c:DK d:CK / a:S9 b:S4", "ba", "cd"),
        ("a:S3 b:H6 c:D6 d:CJ / b:SK c:SQ", "ac", "bd"),
        ("a:S3 b:H6 c:D6 d:CJ / b:S2 c:SQ", "ab", "cd"),
        ("a:S6 b:H6 c:D6 d:CJ / a:SK b:SQ c:S2", "cb", "ad"),
        ("a:S2 b:H6 c:D6 d:C6 / b:S9 c:SQ d:SA", "ad", "bc"),
        ("a:S2 b:H6 c:D6 d:C6 / b:S9 c:H9 d:SA", "ad", "bc"),
        ("a:S6 b:H6 c:D6 d:C6 / a:S9 b:H9 c:SA d:S2 / a:H2 b:H3", "cd", "ab"),
    ],
    ids=[
        "four different",
        "the lowest deals",
        "the ace is low",
        "equal highest stand",
        "equal lowest cut for the deal",
        "equal middle cut for the partner",
        "a lower re-cut moves nobody past the lowest",
        "three alike under the highest",
        "three alike over the lowest",
        "equal again where it does not matter",
        "four alike",
    ],
)
def test_cutting_for_partners(drawn: str, low: str, high: str) -> None:
    """The two lowest play against the two highest, the lowest deals, and a re-cut parts equals only."""
    outcome = cut_for_partners(cuts(drawn))
    assert isinstance(outcome, Partners)
    assert "".join(outcome.low) == low
    assert set(outcome.high) == set(high)
    assert outcome.dealer == low[0]


def test_the_three_keeps_the_deal_whatever_the_re_cut_shows() -> None:
    """With a three, two sixes and a knave the queen of the re-cut joins the three, and no lower card takes the deal from it."""
    first = "a:S3 b:H6 c:D6 d:CJ"
    assert cut_for_partners(cuts(first)) == CutAgain(("b", "c"))
    assert cut_for_partners(cuts(first + " / b:SK c:SQ")) == Partners(("a", "c"), ("b", "d"))
    low = cut_for_partners(cuts(first + " / b:SA c:SQ"))
    assert isinstance(low, Partners)
    assert low.dealer == "a"


@pytest.mark.parametrize(
    ("drawn", "again"),
    [
        ("a:S3 b:H3 c:DK d:CK", "ab"),
        ("a:S3 b:H6 c:D6 d:CJ", "bc"),
        ("a:S6 b:H6 c:D6 d:CJ", "abc"),
        ("a:S2 b:H6 c:D6 d:C6", "bcd"),
        ("a:S6 b:H6 c:D6 d:C6", "abcd"),
        ("a:S6 b:H6 c:D6 d:CJ / a:S2 b:H2 c:D9", "ab"),
    ],
)
def test_who_cuts_again_for_partners(drawn: str, again: str) -> None:
    """Those who cut alike cut again where the partner or the deal hangs on it, and the others do not."""
    assert cut_for_partners(cuts(drawn)) == CutAgain(tuple(again))


@pytest.mark.law("english-1864", "16", "17")
@pytest.mark.law("whist-1900", "7")
@pytest.mark.law("bridge-1904", "17", "18")
def test_cutting_for_places() -> None:
    """The lowest cards have the places, and equals cut again only for the last of them."""
    assert cut_for_places(cuts("a:S9 b:S3 c:SK d:SA e:SJ"), places=4) == ("d", "b", "a", "e")
    assert cut_for_places(cuts("a:S9 b:S3 c:SJ d:SA e:HJ"), places=4) == CutAgain(("c", "e"))
    assert cut_for_places(cuts("a:S9 b:S3 c:SJ d:SA e:HJ / c:S4 e:S5"), places=4) == ("d", "b", "a", "c")
    assert cut_for_places(cuts("a:S3 b:H3 c:SJ d:SA e:SK"), places=4) == ("d", "a", "b", "c")


@pytest.mark.law("english-1864", "17")
@pytest.mark.law("whist-1900", "7")
@pytest.mark.law("bridge-1904", "18")
def test_six_complete_a_table() -> None:
    """A table of four has room for two more, and a table of six for nobody."""
    assert places_free("abcd") == 2
    assert places_free("abcdef") == 0


@pytest.mark.law("english-1864", "20")
@pytest.mark.law("whist-1900", "11")
@pytest.mark.law("bridge-1904", "21")
@pytest.mark.parametrize(
    ("played", "drawn", "leaving", "out"),
    [
        ({"a": 3, "b": 1, "c": 2, "d": 2}, "", 1, ("a",)),
        ({"a": 3, "b": 1, "c": 3, "d": 2}, "", 2, ("a", "c")),
        ({"a": 3, "b": 1, "c": 2, "d": 2}, "", 2, CutAgain(("c", "d"))),
        ({"a": 3, "b": 1, "c": 2, "d": 2}, "c:S4 d:SK", 2, ("a", "d")),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, "a:SA b:S2 c:SQ d:SK", 1, ("d",)),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, "a:SA b:S2 c:SK d:HK", 1, CutAgain(("c", "d"))),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, "a:SA b:S2 c:SK d:HK / c:S2 d:SA", 1, ("c",)),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, "a:SA b:S2 c:SK d:HK", 2, ("c", "d")),
    ],
)
def test_cutting_out(played: dict[str, int], drawn: str, leaving: int, out: tuple[str, ...] | CutAgain[str]) -> None:
    """Those who have played the most in a row go out, and among equals the highest cards."""
    assert cut_out(played, cuts(drawn) if drawn else (), leaving=leaving) == out
