"""What a bot is shown: a friendly reading of its seat's own view of the rubber.

A `View` is immutable and holds nothing its seat may not know. Cards are the rules' small ints; `name_of(card)` is `SA`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec

from oddtrick_protocol.facts import command_from_wire, command_to_wire, view_from_wire, view_to_wire
from oddtrick_protocol.table_info import TableInfo
from oddtrick_rules.cards import CARD_NAMES, PACK, RANK_OF, SUIT_OF, Card, Mask, Suit, card_named, cards_in
from oddtrick_rules.commands import Command
from oddtrick_rules.seats import ADVERSARIES, OTHER_SIDE, PARTNER, SIDE, Seat, Side
from oddtrick_rules.state import Enforcement, Hand, Phase, Right, State, Trick
from oddtrick_rules.turns import current_trick, led_suit, winning

NO_INFO: Final = TableInfo()


def name_of(card: Card) -> str:
    """Return a card's two letters, suit first: `SA`, `HT`."""
    return CARD_NAMES[card]


def suit_of(card: Card) -> Suit:
    """Return a card's suit."""
    return SUIT_OF[card]


def rank_of(card: Card) -> int:
    """Return a card's rank: 0 for a two, 12 for an ace."""
    return RANK_OF[card]


def lowest_of(cards: Iterable[Card]) -> Card:
    """Return the card of the lowest rank; among equals the first in the order spades, hearts, diamonds, clubs."""
    return min(cards, key=lambda card: (RANK_OF[card], card))


@dataclass(frozen=True)
class View:
    """The table from one seat. `acts` are all the acts the seat may do now; `playable` the cards that keep every law.

    `playing` is the seat whose card is asked for: at bridge the dealer plays dummy's too.
    """

    state: State
    seat: Seat
    acts: tuple[Command, ...] = ()
    playable: tuple[Card, ...] = ()
    deadline_ms: int | None = None
    kind: str = ""
    right_id: int | None = None
    table: str = ""
    info: TableInfo = NO_INFO

    @cached_property
    def deal(self) -> Hand:
        """The deal as this seat knows it; RuntimeError between deals."""
        if self.state.hand is None:
            raise RuntimeError("no hand is dealt")
        return self.state.hand

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return PARTNER[self.seat]

    @property
    def adversaries(self) -> tuple[Seat, Seat]:
        """The other two seats."""
        return ADVERSARIES[self.seat]

    @property
    def side(self) -> Side:
        """Our side."""
        return SIDE[self.seat]

    @cached_property
    def playing(self) -> Seat:
        """The seat whose card is asked for: dummy's if it is the dealer who plays it, else one's own."""
        deal = self.state.hand
        if deal is None or deal.dummy is None or deal.dummy != self.partner or not self.playable:
            return self.seat
        return deal.dummy if deal.hands[deal.dummy] >> self.playable[0] & 1 else self.seat

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        """One's own cards still to play (dummy's, when its card is asked for), in ascending order, suit by suit."""
        return cards_in(self.deal.hands[self.playing])

    @cached_property
    def trick(self) -> tuple[tuple[Seat, Card], ...]:
        """What lies in the trick one's next card goes to, in order; empty when it leads."""
        trick = self.open_trick
        return () if trick is None else trick.plays

    @cached_property
    def open_trick(self) -> Trick | None:
        """The trick one's next card goes to, None when it leads."""
        return current_trick(self.deal, self.playing)

    @cached_property
    def led(self) -> Suit | None:
        """The suit led to that trick."""
        trick = self.open_trick
        return led_suit(trick) if trick is not None and trick.plays else None

    @cached_property
    def winning(self) -> tuple[Seat, Card] | None:
        """The play that wins that trick as it lies."""
        trick = self.open_trick
        return winning(trick, self.deal.trump) if trick is not None and trick.plays else None

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None while it is undeclared, `Suit.NT` for none."""
        return self.deal.trump

    @property
    def turned(self) -> Card | None:
        """The trump card while it may be seen."""
        return self.deal.turned

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.deal.dealer

    @property
    def tricks(self) -> tuple[int, int]:
        """The tricks taken so far: ours, theirs."""
        return self.deal.taken[self.side], self.deal.taken[OTHER_SIDE[self.side]]

    @property
    def score(self) -> tuple[int, int]:
        """The points in the present game: ours, theirs."""
        return self.state.score[self.side], self.state.score[OTHER_SIDE[self.side]]

    @property
    def history(self) -> tuple[Trick, ...]:
        """All tricks so far, the one in play included, with every card that was seen in them."""
        return self.deal.tricks

    @cached_property
    def seen(self) -> tuple[Card, ...]:
        """The cards that are out of play or known to lie in a hand, one's own included; with `unseen` the whole pack."""
        return cards_in(self._seen)

    @cached_property
    def _seen(self) -> Mask:
        deal = self.deal
        mask = deal.hands[self.seat]
        for lying in deal.seen:
            mask |= lying
        for trick in deal.tricks:
            for _, card in trick.plays:
                mask |= 1 << card
        return mask

    @cached_property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that may be in any other hand."""
        return tuple(card for card in PACK if not self._seen >> card & 1)

    def exposed(self, seat: Seat) -> tuple[Card, ...]:
        """Return that seat's cards that are liable to be called."""
        return cards_in(self.deal.exposed[seat])

    def count(self, seat: Seat) -> int:
        """Return how many cards that seat has still to play."""
        return self.deal.held[seat]

    @property
    def code(self) -> str:
        """The code of laws."""
        return self.state.code.id

    @property
    def enforcement(self) -> Enforcement:
        """How far the table lets its players err."""
        return self.state.enforcement

    @property
    def phase(self) -> Phase:
        """Where the rubber stands."""
        return self.state.phase

    @property
    def right(self) -> Right | None:
        """The penalty one is asked to choose from, if that is what is asked."""
        deal = self.state.hand
        if deal is None or self.right_id is None:
            return None
        return next((right for right in deal.rights if right.id == self.right_id), None)

    def record(self) -> str:
        """Return the view as one line of JSON, from which `View.of_record` makes it again: for a bug report."""
        plain = {
            "seat": self.seat.name,
            "state": view_to_wire(self.state),
            "acts": [command_to_wire(act) for act in self.acts],
            "playable": [name_of(card) for card in self.playable],
            "deadline_ms": self.deadline_ms,
            "kind": self.kind,
            "right": self.right_id,
            "table": self.table,
        }
        return msgspec.json.encode(plain).decode()

    @staticmethod
    def of_record(line: str) -> View:
        """Return the view of a record; ValueError if it is none."""
        plain = msgspec.json.decode(line)
        try:
            return View(
                state=view_from_wire(plain["state"]),
                seat=Seat[plain["seat"]],
                acts=tuple(command_from_wire(act) for act in plain["acts"]),
                playable=tuple(card_named(name) for name in plain["playable"]),
                deadline_ms=plain["deadline_ms"],
                kind=plain["kind"],
                right_id=plain["right"],
                table=plain["table"],
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a record of a view: {error}") from None
