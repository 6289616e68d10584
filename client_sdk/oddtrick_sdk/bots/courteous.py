"""A bot with manners: the maxims a partner at whist may count on, and nothing cleverer.

Second hand plays low, third hand high; an honour led through is covered; partner's lead is returned; partner is asked
"none?"; a revoke is charged only when the cards seen have proved it. Fourth hand wins as cheaply as it can.
"""

from __future__ import annotations

from random import Random
from typing import Final

from oddtrick_rules.cards import (
    RANK_OF,
    SUIT_MASK,
    SUIT_OF,
    SUITS,
    Card,
    Mask,
    Suit,
    cards_in,
    highest,
    lowest,
)
from oddtrick_rules.commands import Command
from oddtrick_rules.seats import PARTNER, Seat
from oddtrick_rules.state import Hand, Trick
from oddtrick_rules.turns import beating_mask, current_trick, led_suit, winning
from oddtrick_sdk.bots import honest
from oddtrick_sdk.bots.brain import Moment, by_rank

HONOUR_RANK: Final = 8  # the ten: what is worth covering
LONG_TRUMPS: Final = 5  # with so many, trumps are led


class CourteousBrain:
    """Plays by the maxims; `chance` is taken and never used, so its play is the same for every seed."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def act(self, moment: Moment) -> Command | None:
        """Return what a courteous player does."""
        if moment.kind == "turn":
            return honest.free_act(moment) or self._card(moment)
        answer = honest.ANSWERS.get(moment.kind)
        command = answer(moment) if answer is not None else None
        return command if command is not None else honest.free_act(moment)

    def _card(self, moment: Moment) -> Command | None:
        cards = moment.playable
        return honest.play_of(moment, card_of(moment, cards)) if cards else None


def card_of(moment: Moment, cards: Mask) -> Card:
    """Return the card the maxims choose among those that keep every law."""
    hand, seat = moment.hand, moment.playing
    if not cards & (cards - 1):
        return cards_in(cards)[0]
    trick = current_trick(hand, seat)
    if trick is None or not trick.plays:
        return lead(hand, seat, cards)
    led = led_suit(trick)
    if not cards & SUIT_MASK[led]:
        return void(hand, seat, trick, cards)
    return (second, third, fourth)[min(len(trick.plays), 3) - 1](hand, seat, trick, cards)


# --- leading ---


def lead(hand: Hand, seat: Seat, cards: Mask) -> Card:
    """Partner's suit back; trumps from five; else from the longest suit."""
    returned = partners_suit(hand, seat)
    if returned is not None and cards & SUIT_MASK[returned]:
        return back(cards & SUIT_MASK[returned])
    trumps = _trumps(hand, cards)
    if trumps.bit_count() >= LONG_TRUMPS:
        return from_suit(trumps)
    plain = [suit for suit in SUITS if suit != hand.trump and cards & SUIT_MASK[suit]]
    if not plain:
        return from_suit(trumps)
    suit = max(plain, key=lambda suit: ((cards & SUIT_MASK[suit]).bit_count(), _tops(cards & SUIT_MASK[suit]), -suit))
    return from_suit(cards & SUIT_MASK[suit])


def partners_suit(hand: Hand, seat: Seat) -> Suit | None:
    """Return the suit partner led first of his own accord, None if he has not led."""
    for trick in hand.tricks:
        if trick.leader == PARTNER[seat] and trick.plays:
            return led_suit(trick)
    return None


def back(suit: Mask) -> Card:
    """Return partner's lead: the highest of a few, the lowest of many."""
    return highest(suit) if suit.bit_count() <= 3 else lowest(suit)


def from_suit(suit: Mask) -> Card:
    """Lead the top of touching honours, else the fourth best, else the lowest."""
    ordered = by_rank(suit)[::-1]
    if len(ordered) > 1 and RANK_OF[ordered[0]] >= HONOUR_RANK and ordered[0] - ordered[1] == 1:
        return ordered[0]
    return ordered[3] if len(ordered) > 3 else ordered[-1]


# --- following suit ---


def second(hand: Hand, seat: Seat, trick: Trick, cards: Mask) -> Card:
    """Low; but cover an honour with an honour, and do not duck with the two best."""
    suit = cards & SUIT_MASK[led_suit(trick)]
    led = winning(trick, hand.trump)[1]
    higher = suit & beating_mask(led, hand.trump)
    if RANK_OF[led] >= HONOUR_RANK and higher:
        return lowest(higher)
    top = highest(suit)
    if master(hand, seat, top) and suit.bit_count() > 1 and top - highest(suit & ~(1 << top)) == 1:
        return highest(suit & ~(1 << top))
    return lowest(suit)


def third(hand: Hand, seat: Seat, trick: Trick, cards: Mask) -> Card:
    """High, with the lowest of equals; low if partner's card is as good, or if high would not win."""
    suit = cards & SUIT_MASK[led_suit(trick)]
    winner, best = winning(trick, hand.trump)
    higher = suit & beating_mask(best, hand.trump)
    if not higher:
        return lowest(suit)
    top = lowest_of_equals(hand, seat, higher, highest(higher))
    if winner == PARTNER[seat] and (master(hand, seat, best) or equals(hand, seat, best, top)):
        return lowest(suit)
    return top


def fourth(hand: Hand, seat: Seat, trick: Trick, cards: Mask) -> Card:
    """Win as cheaply as one can, unless partner has won it."""
    suit = cards & SUIT_MASK[led_suit(trick)]
    winner, best = winning(trick, hand.trump)
    higher = suit & beating_mask(best, hand.trump)
    return lowest(higher) if higher and winner != PARTNER[seat] else lowest(suit)


def void(hand: Hand, seat: Seat, trick: Trick, cards: Mask) -> Card:
    """Trump what partner has not won, as low as will do; else throw a small card away."""
    winner, best = winning(trick, hand.trump)
    ruffs = _trumps(hand, cards) & beating_mask(best, hand.trump)
    partners = winner == PARTNER[seat] and (len(trick.plays) == 3 or master(hand, seat, best))
    if ruffs and not partners:
        return lowest(ruffs)
    return discard(hand, cards)


def discard(hand: Hand, cards: Mask) -> Card:
    """Throw the lowest card away; of several, one of the longest plain suit."""
    plain = cards & ~_trumps(hand, cards) or cards
    length = {suit: (plain & SUIT_MASK[suit]).bit_count() for suit in SUITS}
    return min(cards_in(plain), key=lambda card: (RANK_OF[card], -length[SUIT_OF[card]], card))


# --- counting ---


def gone(hand: Hand, seat: Seat) -> Mask:
    """Return the cards that cannot turn up against one: those played, and one's own."""
    mask = hand.hands[seat]
    for trick in hand.tricks:
        for _, card in trick.plays:
            mask |= 1 << card
    return mask


def master(hand: Hand, seat: Seat, card: Card) -> bool:
    """Tell whether no card of the suit that beats this one can still turn up."""
    above = SUIT_MASK[SUIT_OF[card]] & ~((1 << (card + 1)) - 1)
    return not above & ~gone(hand, seat)


def equals(hand: Hand, seat: Seat, one: Card, other: Card) -> bool:
    """Tell whether two cards of a suit are worth the same: nothing that may still turn up lies between them."""
    low, high = sorted((one, other))
    between = ((1 << high) - 1) & ~((1 << (low + 1)) - 1)
    return not between & ~gone(hand, seat)


def lowest_of_equals(hand: Hand, seat: Seat, suit: Mask, card: Card) -> Card:
    """Return the lowest card of one's suit that is worth as much as that one."""
    return next(lower for lower in cards_in(suit) if equals(hand, seat, lower, card))


def _trumps(hand: Hand, cards: Mask) -> Mask:
    return cards & SUIT_MASK[hand.trump] if hand.trump is not None else 0


def _tops(suit: Mask) -> int:
    return sum(1 for card in cards_in(suit) if RANK_OF[card] >= HONOUR_RANK)
