import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_rules.cards import SUIT_OF, Suit, card_named, mask_of
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.notation.errors import NotationError
from oddtrick_rules.notation.hands import hand_text, parse_hand
from oddtrick_rules.notation.header import Header, header_text, parse_header
from oddtrick_rules.seats import LEFT, PARTNER, SEATS, Seat
from oddtrick_rules.state import Enforcement, Pair
from support.strategies import dealt, last_card

ENDING = "N:4...5 E:K...9 S:7..2. W:3...4"
WHOLE = "N:J8763.A7.J8762.7 E:AKQ.QT9543..QJ94 S:92.J6.KT9.AKT862 W:T54.K82.AQ543.53"


def read(text: str) -> Header:
    return parse_header(enumerate(text.strip().splitlines(), 1))


def header(*changed: str, code: str = "english-1864", deal: str = ENDING, tricks: str = "NS 5 EW 6") -> str:
    """A header that holds, with lines changed, added, or (`-Key`) taken away."""
    lines = {"Code": code, "Dealer": "W", "Trump": "H", "Deal": deal, "Tricks": tricks}
    for change in changed:
        if change.startswith("-"):
            del lines[change[1:]]
        else:
            key, _, value = change.partition(": ")
            lines[key] = value
    return "\n".join(f"{key}: {value}" for key, value in lines.items())


def test_a_header_says_where_a_record_begins() -> None:
    """Each line of a header is read, whatever its capitals and order."""
    read_so = read("""
title:  The trick:   quitted
TRICKS: EW 6 NS 5
Code: English-1864
enforcement: Guided
Dealer: w
Leader: e
Trump: h
Deal: S:7..2. N:4...5 w:3.-..4 E:k...9
Score: EW 3
Games: NS treble EW 0
""")
    assert read_so == Header(
        code=CODES["english-1864"],
        title="The trick:   quitted",
        enforcement=Enforcement.GUIDED,
        dealer=Seat.W,
        leader=Seat.E,
        trump=Suit.H,
        hands=tuple(mask_of(map(card_named, hand.split())) for hand in ("S4 C5", "SK C9", "S7 D2", "S3 C4")),  # type: ignore[arg-type]
        tricks=(5, 6),
        score=(0, 3),
        games=((3,), ()),
    )


def test_what_a_header_leaves_out() -> None:
    """Club enforcement, the dealer's left to lead, and nothing won or scored so far."""
    plain = read(header())
    assert plain.enforcement is Enforcement.CLUB
    assert plain.leader is Seat.N
    assert (plain.score, plain.games, plain.totals, plain.multiplier, plain.maker) == (
        (0, 0),
        ((), ()),
        (0, 0),
        1,
        None,
    )


def test_at_bridge_a_trump_is_declared_or_still_to_be() -> None:
    """At bridge a header without a trump is one before the declaration, and the dealer made a trump unless said otherwise."""
    bridge = {"code": "bridge-1904", "deal": WHOLE}
    open_ = read(header("-Trump", "-Tricks", **bridge))
    assert (open_.trump, open_.maker) == (None, None)
    assert read(header("Trump: NT", "-Tricks", **bridge)).maker is Seat.W
    named = read(header("Trump: NT", "-Tricks", "Declarer: E", "Doubled: 8", "Totals: NS 82 EW 40", **bridge))
    assert (named.maker, named.multiplier, named.totals) == (Seat.E, 8, (82, 40))


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (4, header("-Code"), "no `Code:`"),
        (4, header("-Dealer"), "no `Dealer:`"),
        (4, header("-Deal"), "no `Deal:`"),
        (4, header("-Trump"), "no `Trump:`, which english-1864 needs"),
        (1, header("Code: hoyle"), "`hoyle` is no code of laws here; there are english-1864"),
        (2, header("Dealer: Q"), "`Q` is not a seat"),
        (3, header("Trump: X9"), "neither a card nor a suit"),
        (3, header("Trump: NT"), "no hand without trumps"),
        (3, header("Trump: SK"), "the trump card SK was the dealer's, and E holds it"),
        (3, header("Trump: H", "-Tricks", deal=WHOLE), "needs the card turned up"),
        (3, header("Trump: HA", "-Tricks", deal=WHOLE), "not in the hand of the dealer, W"),
        (3, header("Trump: H2", code="bridge-1904"), "no card is turned up in bridge-1904"),
        (4, header("Deal: " + ENDING.replace("7..2", "K..2")), "SK is in two hands"),
        (4, header("Deal: " + ENDING.replace("7..2", "77..")), "S7 stands twice"),
        (4, header("Deal: " + ENDING.replace("7..2", "72..2")), "not equally long: N 2, E 2, S 3, W 2"),
        (4, header("Deal: " + ENDING.replace("7..2.", "7..2")), "is not a hand"),
        (4, header("Deal: " + ENDING.replace("7..2.", "7..1.")), "`1` in `7..1.` is not a rank"),
        (4, header("Deal: " + ENDING.replace("S:", "N:")), "N has two hands"),
        (4, header("Deal: " + ENDING.replace("W:3...4", "")), "no hand for W"),
        (4, header("Deal: N:... E:... S:... W:..."), "the hands are empty"),
        (4, header("Deal: 4...5"), "is not a seat and its hand"),
        (5, header("Tricks: NS 5 EW 5"), "10 tricks taken and 2 cards in each hand do not make 13"),
        (5, header("Tricks: NS 14 EW -3"), "do not make 13"),
        (4, header("-Tricks"), "0 tricks taken"),
        (5, header("Tricks: NS five EW 6"), "`five` is not a number"),
        (5, header("Tricks: NS 5 NS 6"), "NS is named twice"),
        (5, header("Tricks: 5 6"), "`5` is not a side"),
        (5, header("Tricks: NS 5 EW"), "does not give each side a value"),
        (6, header("Score: NS 5 EW 0"), "points stand from 0 to 4"),
        (6, header("Games: NS 2 EW 0"), "`2` is not a game"),
        (6, header("Enforcement: lax"), "not one of strict, guided, club"),
        (6, header("Declarer: N"), "belongs to bridge"),
        (6, header("Doubled: 2"), "belongs to bridge"),
        (6, header("Totals: NS 1 EW 0"), "belongs to bridge"),
        (6, header("Declarer: N", code="bridge-1904"), "not on the side of the dealer"),
        (6, header("Doubled: 3", code="bridge-1904"), "1, 2, 4 to 64"),
        (6, header("Games: NS double EW 0", code="bridge-1904"), "0 or 1"),
        (4, header("-Trump", code="bridge-1904"), "an ending needs its `Trump:`"),
        (6, header("Lawyer: N"), "no header line `Lawyer`"),
        (6, header() + "\nN SA", "`N SA` is not a header line"),
        (6, header() + "\ndealer: N", "`Dealer:` stands twice, first in line 2"),
    ],
)
def test_the_first_wrong_line_is_named(line: int, text: str, reason: str) -> None:
    """A header that could not be set up is refused in one line, with the number of the line that is wrong."""
    with pytest.raises(NotationError) as refused:
        read(text)
    assert reason in refused.value.reason
    assert refused.value.line == line


pairs = st.tuples(st.integers(0, 4), st.integers(0, 4))


@st.composite
def headers(draw: st.DrawFn) -> Header:
    code: Code = draw(st.sampled_from(list(CODES.values())))
    size = draw(st.integers(1, 13))
    hands = dealt(size, draw(st.integers(0, 2**32)))
    dealer = draw(st.sampled_from(SEATS))
    ours = draw(st.integers(0, 13 - size))
    bridge = code.dummy
    turned = last_card(hands, dealer) if not bridge and (size == 13 or draw(st.booleans())) else None
    suit = st.sampled_from(list(Suit)[: 5 if bridge else 4])
    trump = SUIT_OF[turned] if turned is not None else draw(st.none() | suit if bridge and size == 13 else suit)
    declared = bridge and trump is not None
    games: Pair = draw(st.tuples(st.integers(0, 1 if bridge else 3), st.integers(0, 1 if bridge else 3)))
    return Header(
        code=code,
        title=draw(st.sampled_from(["", "A revoke: made, quitted"])),
        enforcement=draw(st.sampled_from(Enforcement)),
        dealer=dealer,
        leader=draw(st.sampled_from([LEFT[dealer], *SEATS])),
        hands=hands,
        trump=trump,
        turned=turned,
        maker=draw(st.sampled_from([dealer, PARTNER[dealer]])) if declared else None,
        multiplier=draw(st.sampled_from([1, 2, 64])) if declared else 1,
        tricks=(ours, 13 - size - ours),
        score=draw(pairs),
        games=((games[0],) if games[0] else (), (games[1],) if games[1] else ()),
        totals=draw(pairs) if bridge else (0, 0),
    )


@given(headers())
def test_reading_undoes_writing(written: Header) -> None:
    """Any header is read from its own text as itself."""
    assert read(header_text(written)) == written


@given(st.integers(0, (1 << 52) - 1))
def test_a_hand_is_read_as_it_is_written(hand: int) -> None:
    """Any set of cards, written as in PBN, is read as itself."""
    assert parse_hand(hand_text(hand)) == hand


@given(st.text(), st.sampled_from(["Deal", "Trump", "Tricks", "Score", "Games", "Code", "Leader"]))
def test_no_value_breaks_the_reader(value: str, key: str) -> None:
    """Whatever stands after a key, a header comes out or a NotationError with the line."""
    lines = header(f"{key}: {value}".replace("\r", " ").replace("\n", " "), "Score: NS 1 EW 0")
    wrong = None
    try:
        parse_header(enumerate(lines.split("\n"), 1))
    except NotationError as refused:
        wrong = refused
    assert wrong is None or (wrong.line and wrong.reason.isprintable())
