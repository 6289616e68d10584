"""Whose turn it is, and the cards by which every law is kept: read off the state, or off a seat's own view of it."""

from __future__ import annotations

from oddtrick_rules.cards import BIT, RANK_OF, SUIT_MASK, SUIT_OF, Card, Mask, Suit, highest, lowest
from oddtrick_rules.commands import Demand
from oddtrick_rules.seats import LEFT, PARTNER, SEATS, SIDE, Seat
from oddtrick_rules.state import Duty, Hand, Phase, RevokeStage, Stage, State, Trick


def open_trick(hand: Hand) -> Trick | None:
    """Return the earliest trick that wants cards, or None when the next card is a lead."""
    tricks = hand.tricks
    if not tricks:
        return None
    if tricks[-1].stage == Stage.OPEN and len(tricks) == 1:
        return tricks[-1]
    for trick in tricks[-2:]:
        if trick.stage == Stage.OPEN:
            return trick
    return None


def first_number(hand: Hand) -> int:
    """Return the number of the hand's first trick: 1, or for an ending of n cards 14 - n."""
    return 14 - hand.size


def next_number(hand: Hand) -> int:
    """Return the number of the trick that the next lead begins."""
    return hand.tricks[-1].number + 1 if hand.tricks else first_number(hand)


def rightful_leader(hand: Hand) -> Seat:
    """Return the seat whose lead it is, or was, to the next trick to be led."""
    if not hand.tricks:
        return hand.leader
    last = hand.tricks[-1]
    if last.winner is not None:
        return last.winner
    return last.leader


def has_played(trick: Trick, seat: Seat) -> bool:
    """Tell whether the seat has a card in the trick."""
    return any(play[0] == seat for play in trick.plays)


def held_trump_card(hand: Hand) -> Card | None:
    """Return the trump card while the dealer has not played it; None in a view, once it is taken up."""
    card = hand.trump_card
    return card if card is not None and hand.hands[hand.dealer] & BIT[card] else None


def asked_seats(hand: Hand) -> tuple[Seat, ...]:
    """Return the seats that have been asked about a renounce and have not answered, the first asked about first."""
    if hand.question is None:
        return ()
    return tuple(dict.fromkeys(one.seat for one in hand.renounces if one.asked and one.answer is None))


def to_play(state: State) -> Seat | None:
    """Return the seat whose card (at bridge: whose word) is wanted next; None when none is."""
    hand = state.hand
    if hand is None:
        return None
    if state.phase == Phase.PLAYING:
        return card_turn(hand)
    if state.phase == Phase.DECLARING:
        return hand.declaring
    if state.phase == Phase.DOUBLING:
        return hand.voice
    return None


def card_turn(hand: Hand) -> Seat | None:
    """Return the seat that is to put the next card while a hand is played; None when all cards are played."""
    if hand.mending is not None:
        return hand.mending
    trick = open_trick(hand)
    if trick is None:
        if hand.tricks and hand.tricks[-1].number == 13:
            return None
        return rightful_leader(hand)
    if trick.rightful is not None and len(trick.plays) == 1:
        return trick.rightful
    return next_seat(trick)


def next_seat(trick: Trick) -> Seat:
    """Return the first seat, going left from the leader, that has no card in the open trick."""
    plays = trick.plays
    seat = LEFT[plays[-1][0]]
    if SEATS[(trick.leader + len(plays)) & 3] is seat:  # in rotation so far, unless the seat has played before its turn
        for play in plays:
            if play[0] is seat:
                break
        else:
            return seat
    seat = LEFT[trick.leader]
    while has_played(trick, seat):
        seat = LEFT[seat]
    return seat


def acting(hand: Hand, seat: Seat) -> Seat:
    """Return the player who handles that seat's cards: at bridge the dealer plays dummy's."""
    return PARTNER[seat] if seat == hand.dummy else seat


def beats(card: Card, best: Card, trump: Suit | None) -> bool:
    """Tell whether a card played later beats the best so far."""
    suit, best_suit = SUIT_OF[card], SUIT_OF[best]
    if suit == best_suit:
        return RANK_OF[card] > RANK_OF[best]
    return suit == trump


def winning(trick: Trick, trump: Suit | None) -> tuple[Seat, Card]:
    """Return the play that wins the trick as it lies; the trick has at least its lead."""
    plays = trick.plays
    seat, card = plays[0] if plays[0][0] == trick.leader else _lead(trick)
    for other, played in plays:
        if beats(played, card, trump):
            seat, card = other, played
    return seat, card


def _lead(trick: Trick) -> tuple[Seat, Card]:
    return next(play for play in trick.plays if play[0] == trick.leader)


def led_suit(trick: Trick) -> Suit:
    """Return the suit led to the trick."""
    play = trick.plays[0]
    return SUIT_OF[play[1] if play[0] == trick.leader else _lead(trick)[1]]


def followable(mask: Mask, led: Suit | None) -> Mask:
    """Return the cards of a hand that do not revoke to a lead of that suit (None: it leads)."""
    if led is None:
        return mask
    return mask & SUIT_MASK[led] or mask


def obeying(mask: Mask, duty: Duty, *, trick: Trick | None, trump: Suit | None) -> Mask:
    """Return the cards among `mask` that obey the duty; empty when it cannot be obeyed, and so binds nothing (64)."""
    demand = duty.demand
    if demand is Demand.CARD:
        return mask & BIT[duty.card] if duty.card is not None else 0
    if demand is Demand.SUIT:
        return mask & SUIT_MASK[duty.suit] if trick is None and duty.suit is not None else 0
    if demand is Demand.NOT_CARD:
        return mask & ~BIT[duty.card] if duty.card is not None else 0
    if demand is Demand.NOT_SUIT:
        return mask & ~SUIT_MASK[duty.suit] if trick is None and duty.suit is not None else 0
    if demand is Demand.TRUMP_HIGHEST or demand is Demand.TRUMP_LOWEST:
        trumps = mask & SUIT_MASK[trump] if trump is not None else 0
        if not trumps:
            return 0
        return BIT[highest(trumps) if demand is Demand.TRUMP_HIGHEST else lowest(trumps)]
    if demand is Demand.HIGHEST or demand is Demand.LOWEST:
        suit = duty.suit if duty.suit is not None else (led_suit(trick) if trick is not None else None)
        following = mask & SUIT_MASK[suit] if suit is not None else 0
        if not following:
            return 0
        return BIT[highest(following) if demand is Demand.HIGHEST else lowest(following)]
    if trick is None or not trick.plays:
        return 0
    best = winning(trick, trump)[1]
    beating = beating_mask(best, trump) & mask
    return beating if demand is Demand.WIN else mask & ~beating


def beating_mask(best: Card, trump: Suit | None) -> Mask:
    """Return every card of the pack that would beat that one."""
    suit = SUIT_OF[best]
    higher = SUIT_MASK[suit] & ~((1 << (best + 1)) - 1)
    if trump is not None and suit != trump:
        higher |= SUIT_MASK[trump]
    return higher


def current_trick(hand: Hand, seat: Seat) -> Trick | None:
    """Return the trick a card of that seat goes to in turn, or None if it leads."""
    trick = open_trick(hand)
    if trick is None or (
        trick.rightful is not None and seat == trick.rightful and len(trick.plays) == 1 and seat != LEFT[trick.leader]
    ):
        return None
    return trick


def playable(state: State, seat: Seat) -> Mask:
    """Return the cards of that seat by which every law is kept, were it to play now (its own view serves as well)."""
    hand = state.hand
    if hand is None:
        return 0
    trick = current_trick(hand, seat)
    led = led_suit(trick) if trick is not None and trick.plays else None
    cards = followable(hand.hands[seat], led)
    for duty in binding(hand, seat, trick):
        cards = obeying(cards, duty, trick=trick, trump=hand.trump) or cards
    return cards


def binding(hand: Hand, seat: Seat, trick: Trick | None) -> tuple[Duty, ...]:
    """Return the calls that bind a card of that seat put to that trick (None: led), the first to be obeyed first."""
    lead = hand.lead_duties[seat] if trick is None else None
    play = hand.duties[seat] if hand.mending is not seat else _of_mender(hand, seat)
    return tuple(duty for duty in (lead, play) if duty is not None)


def _of_mender(hand: Hand, seat: Seat) -> Duty | None:
    """Return what binds one who plays again: what is called from him now, or else the call he disobeyed."""
    duty = hand.duties[seat]
    if duty is not None:
        return duty
    for revoke in reversed(hand.revokes):
        if revoke.seat is seat and revoke.stage is RevokeStage.WITHDRAWN:
            of_suit = revoke.demand in (Demand.SUIT, Demand.NOT_SUIT, Demand.HIGHEST, Demand.LOWEST)
            return Duty(revoke.demand, (), suit=revoke.suit if of_suit else None) if revoke.demand is not None else None
    return None


def partners(one: Seat, other: Seat) -> bool:
    """Tell whether two seats are of one side."""
    return SIDE[one] == SIDE[other]
