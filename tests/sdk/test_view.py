"""What a bot is shown."""

from dataclasses import replace

import pytest

from oddtrick_rules.cards import PACK, Suit, card_named, mask_of
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.commands import Play, Waive
from oddtrick_rules.events import CardsExposed
from oddtrick_rules.evolve import evolve
from oddtrick_rules.seats import Seat, Side
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase
from oddtrick_sdk.testing import view_of
from oddtrick_sdk.view import View, lowest_of, name_of, rank_of, suit_of

VIEW = view_of("N", hand="SA SK H2", played=("E D4, S D5, W DA, N D3",), trick="W S4", trump="H")


def test_a_view_reads_as_its_seat_sees_the_table() -> None:
    """Hand, trick, suit led, winner, trump, tricks and seats are those of the seat."""
    assert [name_of(card) for card in VIEW.hand] == ["SK", "SA", "H2"]
    assert [name_of(card) for card in VIEW.playable] == ["SK", "SA"]
    assert VIEW.trick == ((Seat.W, card_named("S4")),)
    assert (VIEW.led, VIEW.winning, VIEW.trump) == (Suit.S, (Seat.W, card_named("S4")), Suit.H)
    assert (VIEW.seat, VIEW.partner, VIEW.adversaries, VIEW.side) == (Seat.N, Seat.S, (Seat.E, Seat.W), Side.NS)
    assert (VIEW.code, VIEW.enforcement, VIEW.phase) == ("english-1864", Enforcement.GUIDED, Phase.PLAYING)


def test_tricks_and_score_are_ours_and_theirs() -> None:
    """Each side reads its own tricks first."""
    theirs = view_of("W", hand="SA SK", played=("E D4, S D5, W DA, N D3",), trick="")
    assert VIEW.tricks == (0, 1)
    assert theirs.tricks == (1, 0)
    assert VIEW.score == (0, 0)


def test_what_was_seen_and_what_was_not_make_the_pack() -> None:
    """Every card is either known to lie somewhere or may be in any other hand."""
    seen = {name_of(card) for card in VIEW.seen}
    assert seen == {"SA", "SK", "H2", "D3", "D4", "D5", "DA", "S4"}
    assert len(VIEW.seen) + len(VIEW.unseen) == len(PACK)
    assert seen | {name_of(card) for card in VIEW.unseen} == {name_of(card) for card in PACK}


def test_a_leader_has_an_empty_trick() -> None:
    """Who leads finds nothing led and nothing winning."""
    leading = view_of("N", hand="SA SK H2")
    assert (leading.trick, leading.led, leading.winning) == ((), None, None)
    assert len(leading.playable) == 3


def test_the_exposed_cards_of_a_seat_are_told() -> None:
    """Cards liable to be called are listed by their seat."""
    state = evolve(VIEW.state, CardsExposed(Seat.E, (card_named("CA"),), ("56",)))
    view = View(state=state, seat=Seat.N)
    assert view.exposed(Seat.E) == (card_named("CA"),)
    assert view.exposed(Seat.S) == ()
    assert view.count(Seat.E) == VIEW.count(Seat.E)


def test_a_record_gives_the_same_view_again() -> None:
    """The one line of a bug report is all that is needed."""
    view = View(VIEW.state, Seat.N, (Waive(), Play(card_named("SA"))), VIEW.playable, 5000, "choice", 3, "T")
    assert View.of_record(view.record()) == view


def test_between_deals_there_is_no_hand() -> None:
    """Asking for the cards before a deal is an error that says so."""
    view = View(state=rubber(code_named("whist-1900"), enforcement=Enforcement.CLUB, dealer=Seat.N), seat=Seat.N)
    with pytest.raises(RuntimeError, match="no hand is dealt"):
        _ = view.hand
    assert view.right is None


def test_cards_have_names_suits_and_ranks() -> None:
    """The helpers say what a card is."""
    card = card_named("HT")
    assert (name_of(card), suit_of(card), rank_of(card)) == ("HT", Suit.H, 8)
    assert name_of(lowest_of([card_named("HT"), card_named("D9"), card_named("S9")])) == "S9"


def test_the_dealer_at_bridge_plays_dummys_cards() -> None:
    """When the card asked for is dummy's, the view shows dummy's hand."""
    view = view_of("N", hand="SA SK", trick="E S4", code="bridge-1904")
    hand = view.state.hand
    assert hand is not None
    dummys = (card_named("S7"), card_named("H7"))
    laid = replace(hand, dealer=Seat.N, dummy=Seat.S, hands=(hand.hands[0], 0, mask_of(dummys), 0))
    shown = View(state=replace(view.state, hand=laid), seat=Seat.N, playable=(card_named("S7"),))
    assert shown.playing is Seat.S
    assert shown.hand == dummys
