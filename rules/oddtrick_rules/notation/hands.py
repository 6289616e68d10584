"""Hands of cards as in PBN: `AK2.QJ.T98.76543`, the ranks of spades, hearts, diamonds and clubs."""

from __future__ import annotations

from typing import Final

from oddtrick_rules.cards import RANK_OF, RANKS, SUIT_OF, SUITS, Mask, card_named, cards_in
from oddtrick_rules.notation.errors import NotationError, quoted

TRICKS_IN_HAND: Final = 13


def hand_text(cards: Mask) -> str:
    """Return a hand as in PBN: the ranks of spades, hearts, diamonds and clubs, each from the top, dots between."""
    return ".".join(
        "".join(RANKS[RANK_OF[card]] for card in reversed(cards_in(cards)) if SUIT_OF[card] is suit) for suit in SUITS
    )


def parse_hand(text: str) -> Mask:
    """Return the cards of a hand written as in PBN; NotationError if it is not."""
    suits = text.split(".")
    if len(suits) != len(SUITS):
        raise NotationError(f"{quoted(text)} is not a hand: four suits S.H.D.C with dots between")
    mask = 0
    for suit, ranks in zip(SUITS, suits, strict=True):
        for rank in "" if ranks == "-" else ranks:
            if not rank.isascii() or rank.upper() not in RANKS:
                raise NotationError(f"{quoted(rank)} in {quoted(text)} is not a rank: one of {RANKS}")
            bit = 1 << card_named(suit.name + rank)
            if mask & bit:
                raise NotationError(f"{suit.name}{rank.upper()} stands twice in {quoted(text)}")
            mask |= bit
    return mask
