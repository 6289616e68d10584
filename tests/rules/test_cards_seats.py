"""Cards, suits, sets of cards and seats: the small values that everything is made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_rules.cards import (
    BIT,
    CARD_NAMES,
    FULL_PACK,
    PACK,
    RANK_OF,
    RANKS,
    SUIT_MASK,
    SUIT_OF,
    SUITS,
    Suit,
    card_named,
    cards_in,
    highest,
    lowest,
    mask_of,
)
from oddtrick_rules.seats import (
    ADVERSARIES,
    LEFT,
    OTHER_SIDE,
    PARTNER,
    RIGHT,
    SEATS,
    SEATS_OF,
    SIDE,
    SIDES,
    Seat,
    seat_named,
)


def test_the_pack() -> None:
    """Fifty-two different cards, thirteen of each suit, deuce to ace."""
    assert len(set(PACK)) == len(set(CARD_NAMES)) == 52
    assert mask_of(PACK) == FULL_PACK
    for suit in SUITS:
        assert [CARD_NAMES[card] for card in cards_in(SUIT_MASK[suit])] == [suit.name + rank for rank in RANKS]
    assert SUIT_MASK[Suit.NT] == 0
    assert sum(SUIT_MASK) == FULL_PACK


@pytest.mark.parametrize("name", ["SA", "HT", "D9", "C2", "ht"])
def test_a_card_has_a_name_of_two_letters(name: str) -> None:
    """Suit and rank name a card, in either case."""
    card = card_named(name)
    assert CARD_NAMES[card] == name.upper()
    assert (SUIT_OF[card].name, RANKS[RANK_OF[card]]) == tuple(name.upper())


@pytest.mark.parametrize("name", ["", "S", "S1", "S10", "XA", "AS", "NTA"])
def test_what_is_no_card_is_said_to_be_none(name: str) -> None:
    """A name that is no card's is an error that says so."""
    with pytest.raises(ValueError, match="is not a card"):
        card_named(name)


@given(st.sets(st.sampled_from(PACK)))
def test_a_set_of_cards_holds_its_cards_in_order(cards: set[int]) -> None:
    """A mask is the set of its cards, listed in ascending order."""
    mask = mask_of(PACK[card] for card in cards)
    assert list(cards_in(mask)) == sorted(cards)
    assert mask.bit_count() == len(cards)
    assert all(mask & BIT[card] for card in cards)


@given(st.sampled_from(SUITS), st.sets(st.integers(0, 12), min_size=1))
def test_highest_and_lowest_of_a_suit(suit: Suit, ranks: set[int]) -> None:
    """Of cards of one suit the highest and the lowest are found, the ace high."""
    mask = mask_of(PACK[suit * 13 + rank] for rank in ranks)
    assert RANK_OF[highest(mask)] == max(ranks)
    assert RANK_OF[lowest(mask)] == min(ranks)


def test_the_seats_go_round_to_the_left() -> None:
    """N E S W in the order of play, partners opposite, two sides of two."""
    for seat in SEATS:
        assert LEFT[LEFT[LEFT[LEFT[seat]]]] is seat
        assert RIGHT[LEFT[seat]] is seat
        assert PARTNER[seat] is LEFT[LEFT[seat]]
        assert SIDE[seat] is SIDE[PARTNER[seat]] is not SIDE[LEFT[seat]]
        assert set(ADVERSARIES[seat]) == {LEFT[seat], RIGHT[seat]} == set(SEATS_OF[OTHER_SIDE[SIDE[seat]]])
    assert [LEFT[seat] for seat in SEATS] == [Seat.E, Seat.S, Seat.W, Seat.N]
    assert sorted(seat for side in SIDES for seat in SEATS_OF[side]) == list(SEATS)


def test_seats_have_letters() -> None:
    """A seat is named by its letter, in either case, and nothing else is a seat."""
    assert seat_named("n") is seat_named("N") is Seat.N
    with pytest.raises(ValueError, match="is not a seat"):
        seat_named("Q")
