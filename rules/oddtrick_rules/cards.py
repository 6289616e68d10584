"""Cards, suits and the pack.

A card is a small int, `suit * 13 + rank`, suits S H D C and ranks 2 to A; a set of cards is an int used as a bit mask, bit
`card` standing for the card. Both are cheap to copy, compare and store, which is what the speed of the engine rests on.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NewType, TypeAlias

Card = NewType("Card", int)
Mask: TypeAlias = int


class Suit(IntEnum):
    """A suit, or `NT`: no trumps, which only a declaration at bridge can name."""

    S = 0
    H = 1
    D = 2
    C = 3
    NT = 4


SUITS: Final = (Suit.S, Suit.H, Suit.D, Suit.C)
RANKS: Final = "23456789TJQKA"
PACK: Final[tuple[Card, ...]] = tuple(Card(card) for card in range(52))
FULL_PACK: Final[Mask] = (1 << 52) - 1

# The cards of each suit; NT, which has none, closes the table so that it can be indexed by any Suit.
SUIT_MASK: Final[tuple[Mask, ...]] = (*(0x1FFF << (13 * suit) for suit in SUITS), 0)
SUIT_OF: Final[tuple[Suit, ...]] = tuple(SUITS[card // 13] for card in PACK)
RANK_OF: Final[tuple[int, ...]] = tuple(card % 13 for card in PACK)
BIT: Final[tuple[Mask, ...]] = tuple(1 << card for card in PACK)
CARD_NAMES: Final[tuple[str, ...]] = tuple(SUIT_OF[card].name + RANKS[RANK_OF[card]] for card in PACK)
_CARDS_BY_NAME: Final = {name: PACK[card] for card, name in enumerate(CARD_NAMES)}


def card_named(name: str) -> Card:
    """Return the card with that two-letter name (`SA`, `HT`), in either case; ValueError if there is none."""
    try:
        return _CARDS_BY_NAME[name.upper()]
    except KeyError:
        raise ValueError(f"{name!r} is not a card: a suit of S H D C and a rank of {RANKS}") from None


def mask_of(cards: Iterable[Card]) -> Mask:
    """Return the set of those cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: Mask) -> tuple[Card, ...]:
    """Return the cards of a set in ascending order (spades first, the lowest of a suit first)."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(PACK[low.bit_length() - 1])
        mask ^= low
    return tuple(cards)


def highest(mask: Mask) -> Card:
    """Return the highest card of a set that lies within one suit and is not empty."""
    return PACK[mask.bit_length() - 1]


def lowest(mask: Mask) -> Card:
    """Return the lowest card of a set that lies within one suit and is not empty."""
    return PACK[(mask & -mask).bit_length() - 1]
