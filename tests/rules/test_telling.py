from typing import get_args

import pytest

from oddtrick_rules import telling
from oddtrick_rules.cards import PACK, Card, Suit, card_named
from oddtrick_rules.events import CardPlayed, Event, RevokeMade, TrickQuitted
from oddtrick_rules.seats import Seat


def test_every_event_can_be_told() -> None:
    """There is a sentence for every event, and for nothing else."""
    assert set(telling._TELL) == set(get_args(Event))


def test_every_card_has_words_of_its_own() -> None:
    """No two cards are told alike."""
    assert len({telling.card_words(card) for card in PACK}) == 52
    assert telling.card_words(card_named("D9")) == "the nine of diamonds"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (CardPlayed(Seat.N, card_named("SJ"), 3), "North plays the knave of spades."),
        (TrickQuitted(4, None, ("R1",)), "Trick 4 is turned and quitted. (R1)"),
        (TrickQuitted(4, Seat.E, ("R1",)), "Trick 4 is turned and quitted by East. (R1)"),
    ],
)
def test_an_event_is_told_with_its_law(event: Event, sentence: str) -> None:
    """A sentence names the seats and cards of the event and ends with the law it rests on."""
    assert telling.tell_with_law(event) == sentence


def test_a_secret_event_names_the_law_it_breaks() -> None:
    """The offender of a guided table reads what he did and by which law."""
    event = RevokeMade(Seat.S, 5, Suit.S, Card(13), None, ("71",))
    told = telling.tell_with_law(event)
    assert told == "South has revoked in trick 5 with the two of hearts: he holds a spade. (law 71)"
