"""The engine beside the pages: every act done there is judged here too, so that what the pages show can be held to it."""

from oddtrick_rules import commands as c
from oddtrick_rules.cards import CARD_NAMES, SUIT_OF, Card, card_named, cards_in, lowest
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import Event
from oddtrick_rules.seats import Actor, Official, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Hand, State
from oddtrick_rules.turns import card_turn, led_suit, open_trick, playable
from web.dealt import dealer_of, hands_of


class Umpire:
    """One rubber of a seeded table, in the engine."""

    def __init__(self, code: str, enforcement: Enforcement, seed: str) -> None:
        dealer = Seat[dealer_of(seed)]
        self.state: State = rubber(code_named(code), enforcement=enforcement, dealer=dealer)
        hands = hands_of(seed, dealer.name)
        n, e, s, w = (tuple(card_named(card) for card in hands[seat.name]) for seat in Seat)
        turned = (n, e, s, w)[dealer][-1] if self.state.code.turned_trump else None
        self.does(Official.HOUSE, c.Deal((n, e, s, w), turned))

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    def does(self, actor: Actor, command: c.Command) -> tuple[Event, ...]:
        """Judge an act, which must be accepted."""
        verdict = judge(self.state, actor, command)
        assert isinstance(verdict, Verdict), f"{actor} {command}: {verdict}"
        self.state = verdict.state
        return verdict.events

    def turn(self) -> Seat:
        """Whose card is wanted."""
        seat = card_turn(self.hand)
        assert seat is not None
        return seat

    def lawful(self, seat: Seat) -> Card:
        """A card by which every law is kept: the lowest of the first suit."""
        cards = playable(self.state, seat)
        first = cards_in(cards)[0]
        return lowest(sum(1 << card for card in cards_in(cards) if SUIT_OF[card] == SUIT_OF[first]))

    def revoking(self, seat: Seat) -> Card | None:
        """A card by which the seat would renounce in error, if there is one."""
        trick = open_trick(self.hand)
        if trick is None or not trick.plays:
            return None
        led = led_suit(trick)
        cards = cards_in(self.hand.hands[seat])
        others = [card for card in cards if SUIT_OF[card] != led and SUIT_OF[card] != self.hand.trump]
        return others[0] if others and any(SUIT_OF[card] == led for card in cards) else None


def name(card: Card) -> str:
    """The card as the page has it."""
    return CARD_NAMES[card]
