"""Whose turn it is and which cards keep every law, in the table's own state and in a seat's view."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from oddtrick_rules.cards import CARD_NAMES, PACK, Suit, cards_in
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Phase, State, Trick
from oddtrick_rules.turns import (
    acting,
    beating_mask,
    beats,
    led_suit,
    next_seat,
    open_trick,
    playable,
    to_play,
    winning,
)
from oddtrick_rules.views import view
from support.acting import done, table
from support.driver import Game, fresh, run, tables
from support.scorer import winner

if TYPE_CHECKING:
    from conftest import Size

ENDING = """
    Code: whist-1900
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:K2.2.. E:9..65. S:A43... W:T5...2
    Tricks: NS 5 EW 5
"""


def names(mask: int) -> str:
    return " ".join(CARD_NAMES[card] for card in cards_in(mask))


@pytest.mark.parametrize(
    ("acts", "seat", "cards"),
    [
        ("", "N", "S2 SK H2"),
        ("N SK", "E", "S9"),
        ("N H2", "E", "S9 D5 D6"),
        ("N SK, E S9, N says mine, W calls highest from S", "S", "SA"),
        ("N SK, E S9, N says mine, W calls lose from S", "S", "S3 S4"),
        ("N S2, E S9, N says mine, W calls win from S", "S", "SA"),
        ("N SK, E shows D6, S calls D6 from E", "E", "S9"),
        ("E shows D6, N H2, S calls D6 from E", "E", "D6"),
        ("S SA, W calls suit H from N", "N", "H2"),
        ("S SA, W calls suit D from N", "N", "S2 SK H2"),
        ("N SK, E D5, E withdraws, N calls lowest from E", "E", "S9"),
    ],
)
def test_cards_that_keep_every_law(acts: str, seat: str, cards: str) -> None:
    """Following suit comes before a call, a call before freedom, and a call that cannot be obeyed binds nothing."""
    state = done(table(ENDING), acts) if acts else table(ENDING)
    assert names(playable(state, Seat[seat])) == cards
    assert playable(view(state, Seat[seat]), Seat[seat]) == playable(state, Seat[seat])


def test_a_card_beats_another() -> None:
    """A higher card of its suit, or a trump, beats a card; any other does not."""
    for trump in (*Suit,):
        for best in PACK[::7]:
            mask = beating_mask(best, trump)
            assert {card for card in PACK if beats(card, best, trump)} == set(cards_in(mask)) - {best}


def test_the_winner_of_a_trick_is_the_scorers(seed: int) -> None:
    """Whatever the order the cards came in, the engine and the second scorer give the trick to the same seat."""
    chance = random.Random(seed)
    for _ in range(300):
        cards = chance.sample(PACK, 4)
        leader = chance.choice(SEATS)
        order = [leader, *chance.sample([seat for seat in SEATS if seat is not leader], 3)]
        plays = list(zip(order, cards, strict=True))
        trump = chance.choice([*Suit])
        mixed = plays if chance.random() < 0.5 else chance.sample(plays, 4)
        trick = Trick(1, leader, tuple(mixed))
        expected = winner([(seat, CARD_NAMES[card]) for seat, card in plays], trump.name)
        assert winning(trick, trump)[0] == expected
        assert led_suit(trick) == cards[0] // 13


def test_the_next_seat_is_the_first_without_a_card() -> None:
    """Turn goes left from the leader, past those who have played out of turn."""
    sa, s2, s3 = PACK[12], PACK[0], PACK[1]
    assert next_seat(Trick(1, Seat.N, ((Seat.N, sa),))) is Seat.E
    assert next_seat(Trick(1, Seat.N, ((Seat.N, sa), (Seat.S, s2)))) is Seat.E
    assert next_seat(Trick(1, Seat.N, ((Seat.N, sa), (Seat.S, s2), (Seat.E, s3)))) is Seat.W
    assert next_seat(Trick(1, Seat.W, ((Seat.W, sa), (Seat.N, s2)))) is Seat.E


def test_the_dealer_acts_for_dummy() -> None:
    """At bridge dummy's card is dummy's turn and the dealer's act."""
    state = table("""
        Code: bridge-1904
        Dealer: S
        Declarer: S
        Trump: H
        Leader: W
        Deal: N:4...53 E:3..6.4 S:A...98 W:75..2.
        Tricks: NS 5 EW 5
    """)
    state = done(state, "W S7")
    assert state.hand is not None
    assert to_play(state) is Seat.N
    assert acting(state.hand, Seat.N) is Seat.S
    assert acting(state.hand, Seat.E) is Seat.E


def test_turn_and_trick_are_the_same_in_every_view(size: Size, seed: int) -> None:
    """Whose turn it is, and the trick it is to, are public: every view tells them as the table knows them."""
    chance = random.Random(seed)
    kinds = tables(chance)
    for _ in range(size(60, 2_000)):
        game = Game(fresh(chance, *next(kinds)), chance)
        for _ in range(15):
            run(game, wildness=0.4, acts=4)
            agree(game.state)


def agree(state: State) -> None:
    for seat in SEATS:
        seen = view(state, seat)
        assert to_play(seen) is to_play(state)
        if state.hand is not None and seen.hand is not None and state.phase is Phase.PLAYING:
            assert open_trick(seen.hand) == open_trick(state.hand)
