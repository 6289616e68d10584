import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_rules.cards import SUIT_OF, Suit, card_named
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.notation.errors import NotationError
from oddtrick_rules.notation.pbn import pbn_text
from oddtrick_rules.notation.pbn_read import PBN_CHARS_MAX, parse_pbn
from oddtrick_rules.seats import SEATS, SIDE, Seat
from oddtrick_rules.start import position
from oddtrick_rules.state import Enforcement, State
from support.acting import done, random_hand, table
from support.records import BRIDGE_DEAL, ENDING
from support.strategies import dealt, last_card

WHIST = """\
Code: english-1864
Dealer: W
Trump: S5
Deal: N:J8763.A7.J8762.7 E:AKQ.QT9543..QJ94 S:92.J6.KT9.AKT862 W:T54.K82.AQ543.53
"""
PACK = "N:J8763.A7.J8762.7 AKQ.QT9543..QJ94 92.J6.KT9.AKT862 T54.K82.AQ543.53"


def whole(code: str, seed: int) -> State:
    """A whole deal at the first lead."""
    law = CODES[code]
    hands, dealer = dealt(13, seed), SEATS[seed % 4]
    turned = last_card(hands, dealer) if law.turned_trump else None
    trump = SUIT_OF[turned] if turned is not None else Suit(seed % 5)
    return position(law, enforcement=Enforcement.CLUB, dealer=dealer, hands=hands, trump=trump, turned=turned)


def test_a_hand_at_whist_is_written_as_bridge_without_a_dummy() -> None:
    """The dealer declares the odd trick in the suit turned up, his left leads, and each column of the play is a seat's."""
    state = done(table(WHIST), "N D6, E SQ, S D9, W D3, E quits, E HT")
    text = pbn_text(state, tags={"Event": 'The "odd" trick', "North": "Ann\x07"})
    lines = text.splitlines()
    assert lines[:8] == [
        '[Event "The \\"odd\\" trick"]',
        '[Site "?"]',
        '[Date "?"]',
        '[Board "?"]',
        '[West "?"]',
        '[North "Ann "]',
        '[East "?"]',
        '[South "?"]',
    ]
    assert lines[8:] == [
        '[Dealer "W"]',
        '[Vulnerable "None"]',
        '[Deal "W:T54.K82.AQ543.53 J8763.A7.J8762.7 AKQ.QT9543..QJ94 92.J6.KT9.AKT862"]',
        '[Scoring "?"]',
        '[Declarer "W"]',
        '[Contract "1S"]',
        '[Result "?"]',
        '[Variant "whist"]',
        '[Code "english-1864"]',
        '[TrumpCard "S5"]',
        '[Auction "W"]',
        "{ The auction is a fiction: the trump was turned up or declared, and the dealer stands as declarer. }",
        "1S Pass Pass Pass",
        '[Play "N"]',
        "D6 SQ D9 D3",
        "- HT - -",
        "*",
    ]


def test_at_bridge_the_doubling_is_told() -> None:
    """A doubled hand has the contract and an auction to it; more than a redouble stands in a tag of our own."""
    state = table(BRIDGE_DEAL)
    doubled = done(state, "S declares NT, W doubles, S satisfied, N satisfied")
    assert '[Contract "1NTX"]' in pbn_text(doubled)
    assert "1NT X Pass Pass Pass" in pbn_text(doubled)
    often = done(state, "S declares H, W doubles, S redoubles, W redoubles")
    assert '[Contract "1HXX"]' in pbn_text(often)
    assert '[Multiplier "8"]' in pbn_text(often)


def test_what_pbn_cannot_hold_is_not_written() -> None:
    """Endings, and hands whose trump is still to be declared, are refused."""
    with pytest.raises(ValueError, match="whole deals"):
        pbn_text(table(ENDING))
    with pytest.raises(ValueError, match="still to be declared"):
        pbn_text(table(BRIDGE_DEAL))


@given(st.sampled_from(list(CODES)), st.integers(0, 2**32))
def test_what_is_written_is_read_again(code: str, seed: int) -> None:
    """Deal, dealer, trump, tricks and result of any hand come back from its PBN."""
    final = random_hand(whole(code, seed), seed=seed, wild=0.05).final
    hand = final.hand
    assert hand is not None
    (game,) = parse_pbn(pbn_text(final))
    assert (game.dealer, game.hands, game.trump, game.turned) == (hand.dealer, hand.dealt, hand.trump, hand.trump_card)
    played = [
        {seat: card for seat, card in zip(SEATS, trick, strict=True) if card is not None} for trick in game.tricks
    ]
    assert played == [dict(trick.plays) for trick in hand.tricks]
    if len(hand.tricks) == 13:
        won = sum(1 for trick in hand.tricks if trick.winner is not None and SIDE[trick.winner] is SIDE[hand.dealer])
        assert game.tags["Result"] == str(won)


def test_the_pbn_of_others_is_read_for_its_deals() -> None:
    """Comments, escapes, marks and tags of any kind are passed over; `#` stands for the game before."""
    text = (
        '% PBN 2.1\r\n[Event "a {b}; [c]"] ; said [Deal "x"]\r\n{ over\r\n[Dealer "E"] lines } [Dealer "?"]\r\n'
        f'[Deal "{PACK}"][Contract "4SX"]\r\n[Auction "N"]\r\n1S =1= Pass {{!}} 4S $1 AP\r\n'
        '[Play "W"]\r\nD3 D6! =1=\r\n'
        f'[Event "#"]\n[Dealer "s"]\n[Deal "E:{PACK[2:]}"]\n[TrumpCard "CJ"]\n[Play "W"]\nD3 d6 SQ - H2\n*\nx\n'
    )
    first, second = parse_pbn(text)
    assert (first.line, first.dealer, first.trump, first.turned) == (2, Seat.N, Suit.S, None)
    assert first.tricks == ((card_named("D6"), None, None, card_named("D3")),)
    assert first.tags["Event"] == second.tags["Event"] == "a {b}; [c]"
    assert (second.dealer, second.turned, second.trump) == (Seat.S, card_named("CJ"), Suit.C)
    assert second.hands[Seat.E] == first.hands[Seat.N]
    assert len(second.tricks) == 2


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("N SA", 1, "`N SA` is not a tag"),
        ('[Event "x"', 1, "is not a tag"),
        ('[Event "x"]\n\n[Board "1"]', 1, "no `Deal`"),
        ('\n[Deal "N:AK.."]', 2, "four hands"),
        (f'[Deal "X:{PACK[2:]}"]', 1, "`X` is not a seat"),
        (f'[Dealer "N"]\n[Deal "{PACK.replace("T54", "T5")}"]', 2, "thirteen cards"),
        (f'[Deal "{PACK.replace("T54", "T55")}"]', 1, "stands twice"),
        (f'[Deal "{PACK.replace("T54", "AT5")}"]', 1, "SA is in two hands"),
        (f'[Deal "{PACK}"]\n[Dealer "Q"]', 2, "`Q` is not a seat"),
        (f'[Dealer "N"]\n[Deal "{PACK}"]\n[TrumpCard "C5"]', 3, "not in the hand of the dealer"),
        (f'[Deal "{PACK}"]\n[TrumpCard "X5"]', 2, "`X5` is not a card"),
        (f'[Deal "{PACK}"]\n[Play "N"]\nD3 X4', 2, "`X4` is not a card played"),
        ("%" * (PBN_CHARS_MAX + 1), 1, "is read up to"),
    ],
)
def test_what_is_no_pbn_is_refused_by_its_line(text: str, line: int, reason: str) -> None:
    """The first thing that is not PBN, or not a deal, is named with its line."""
    with pytest.raises(NotationError) as refused:
        parse_pbn(text)
    assert reason in refused.value.reason
    assert refused.value.line == line


@given(
    st.text()
    | st.lists(st.sampled_from(['[Deal "', PACK, '"]', "[", "{", "}", ";", "\n", "%", '[Play "W"]', "D3"])).map("".join)
)
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever the text, games come out or a NotationError with its line."""
    wrong = None
    try:
        parse_pbn(text)
    except NotationError as refused:
        wrong = refused
    assert wrong is None or (wrong.line and wrong.reason.isprintable())
