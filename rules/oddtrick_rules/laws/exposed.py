"""Exposed cards (56-60 · 58-63 · 72-76): shown, named, two put down at once; and the hands thrown down.

In `strict` and `guided` nothing can be exposed, and throwing down or claiming is an offer that the others may accept (R3).
"""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, Card, cards_in, mask_of
from oddtrick_rules.code import Cites, Rule
from oddtrick_rules.commands import (
    Agree,
    ClaimGame,
    ClaimRest,
    Decline,
    Demand,
    NameCard,
    PlayTogether,
    Show,
    ThrowDown,
)
from oddtrick_rules.laws.common import (
    Answer,
    Answers,
    Consequences,
    dealers_side,
    irregular,
    open_right,
    playing,
    refuse,
    the_hand,
)
from oddtrick_rules.laws.play import expose, placed
from oddtrick_rules.laws.scoring import game_said
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import OTHER_SIDE, PARTNER, SEATS, SEATS_OF, SIDE, Actor, Seat, Side
from oddtrick_rules.state import Enforcement, Right, RightKind, State
from oddtrick_rules.turns import (
    card_turn,
    current_trick,
    followable,
    has_played,
    held_trump_card,
    led_suit,
    next_number,
    open_trick,
)


def show(state: State, actor: Actor, command: Show) -> Answer:
    """Let cards be seen: they lie face up, liable to be called."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    if (no := irregular(state, Rule.EXPOSED)) is not None:
        return no
    if actor is the_hand(state).dummy:
        return refuse(Why.NOT_YOURS, state.code.cites(Rule.DUMMY))
    mask = mask_of(command.cards)
    if not command.cards or mask.bit_count() != len(command.cards) or mask & ~the_hand(state).hands[actor]:
        return refuse(Why.NO_SUCH_CARD)
    return expose(state, actor, command.cards, state.code.cites(Rule.EXPOSED))


def name_card(state: State, actor: Actor, command: NameCard) -> Answer:
    """Name a card: the trump card after it was taken up (53 · 43), one's card in the trick (86), or a card held (R21)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    code, hand, card = state.code, the_hand(state), command.card
    trumps = code.has(Rule.TRUMP_NAMED) and hand.turned is None and card == held_trump_card(hand)
    trick = open_trick(hand)
    mine = trick is not None and (actor, card) in trick.plays and not has_played(trick, PARTNER[actor])
    rule = Rule.TRUMP_NAMED if trumps else Rule.ATTENTION if mine else Rule.NAMED
    if (no := irregular(state, rule if code.has(rule) else Rule.EXPOSED)) is not None:
        return no
    cites = code.cites(rule)
    if trumps and any(right.kind is RightKind.TRUMP_NAMED and right.offender is actor for right in hand.rights):
        return refuse(Why.ALREADY_DONE, cites)
    if trumps or mine:
        return (e.CardNamed(actor, card, cites),)
    if not hand.hands[actor] & BIT[card]:
        return refuse(Why.NO_SUCH_CARD)
    if not cites or hand.seen[actor] & BIT[card]:
        # To name a card that lies face up tells nobody anything.
        return (e.CardNamed(actor, card, ()),)
    return (e.CardNamed(actor, card, cites), *expose(state, actor, (card,), cites))


def play_together(state: State, actor: Actor, command: PlayTogether) -> Answer:
    """Put two or more cards down at once: the adversaries say which is played, the others lie exposed (56 · 58 · 73)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    if not state.code.has(Rule.TWO_CARDS):
        return refuse(Why.NOT_IN_CODE)
    if (no := irregular(state, Rule.TWO_CARDS)) is not None:
        return no
    hand, cards = the_hand(state), command.cards
    mask = mask_of(cards)
    if len(cards) < 2 or mask.bit_count() != len(cards) or mask & ~hand.hands[actor]:
        return refuse(Why.NO_SUCH_CARD)
    if hand.mending is not None or any(right.holds for right in hand.rights):
        return refuse(Why.PENDING_CHOICE)
    cites = state.code.cites(Rule.TWO_CARDS)
    if card_turn(hand) is not actor:
        return expose(state, actor, cards, cites)
    if (no := _none_playable(state, actor, cards)) is not None:
        return no
    return (e.LaidTogether(actor, cards, cites),)


def _none_playable(state: State, seat: Seat, cards: tuple[Card, ...]) -> Refusal | None:
    """Refuse cards of which none can be played, a call being enforced (R7); None if one of them can."""
    refusals = [answer for card in cards if isinstance(answer := placed(state, seat, card), Refusal)]
    return refusals[0] if len(refusals) == len(cards) else None


def two_cards(state: State, event: e.LaidTogether) -> tuple[e.Event, ...]:
    """Open the adversaries' choice; from the dealer's side there is none, and the first named is played (69)."""
    hand = the_hand(state)
    trick = open_trick(hand)
    number = trick.number if trick is not None else next_number(hand)
    if dealers_side(hand, event.seat):
        return _first_playable(state, event.seat, event.cards)[1]
    opened = open_right(
        state,
        RightKind.TWO_CARDS,
        Rule.TWO_CARDS,
        offender=event.seat,
        trick=number,
        options=(Demand.CARD,),
        on=event.seat,
        cards=event.cards,
        holds=True,
    )
    return (opened,)


def _first_playable(state: State, seat: Seat, cards: tuple[Card, ...]) -> tuple[Card | None, tuple[e.Event, ...]]:
    """Return the first of the cards that can be played, and what its play is; None if a call lets none be."""
    for card in cards:
        answer = placed(state, seat, card)
        if not isinstance(answer, Refusal):
            return card, tuple(answer)
    return None, ()


def settle_two_cards(state: State, right: Right, card: Card, by: Seat) -> Answer:
    """Play the card an adversary has chosen; the others lie exposed."""
    trick = current_trick(the_hand(state), right.offender)
    led = led_suit(trick) if trick is not None else None
    if not followable(mask_of(right.cards), led) & BIT[card]:
        # What lies on the table shows by itself that the choice would force a revoke; the hand tells nothing (64).
        return refuse(Why.NO_RIGHT, state.code.cites(Rule.NO_FORCED_REVOKE))
    answer = placed(state, right.offender, card)
    if isinstance(answer, Refusal):
        return answer
    rest = tuple(one for one in right.cards if one != card)
    return (
        e.RightClosed(right.id, "used", by, right.cites),
        *answer,
        *expose(state, right.offender, rest, right.cites),
    )


def leave_two_cards(state: State, right: Right, how: str, by: Seat | None, cites: Cites) -> tuple[e.Event, ...]:
    """Play the first named that can be played: the choice is given up, or forfeited and the others go back to the hand."""
    played, events = _first_playable(state, right.offender, right.cards)
    rest = tuple(one for one in right.cards if one != played)
    left = () if how == "forfeited" else expose(state, right.offender, rest, right.cites)
    return (e.RightClosed(right.id, how, by, cites), *events, *left)


def two_cards_back(state: State, event: e.CardReturned | e.CardWithdrawn) -> tuple[e.Event, ...]:
    """Cards laid together on what is now taken back go back too, without liability (63, 76 · 66, 80 · 82, 94)."""
    return tuple(
        e.RightClosed(right.id, "lapsed", None, event.cites)
        for right in the_hand(state).rights
        if right.kind is RightKind.TWO_CARDS and right.trick >= event.trick
    )


def throw_down(state: State, actor: Actor, command: ThrowDown) -> Answer:
    """Throw the hand face up: every card is exposed, and the player who keeps his is not bound by it (58 · 61 · 76)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    code, hand = state.code, the_hand(state)
    if actor is hand.dummy:
        return refuse(Why.NOT_YOURS, code.cites(Rule.DUMMY))
    if state.enforcement is not Enforcement.CLUB:
        return _offer(state, actor, "throw down")
    cites = code.cites(Rule.THROWN_DOWN)
    if actor in hand.thrown:
        return refuse(Why.ALREADY_DONE, cites)
    cards = cards_in(hand.hands[actor])
    if not cards:
        return refuse(Why.NO_SUCH_CARD, cites)
    return (e.ThrewDown(actor, cards, cites),)


def lie_exposed(state: State, event: e.ThrewDown) -> tuple[e.Event, ...]:
    """A hand thrown down lies exposed; all four thrown down, the hand is over (59 · 62 · 77, R22)."""
    code, hand = state.code, the_hand(state)
    exposed: tuple[e.Event, ...] = ()
    if code.has(Rule.THROWN_DOWN):
        exposed = expose(state, event.seat, event.cards, code.cites(Rule.THROWN_DOWN))
    down = {*hand.thrown, *((hand.dummy,) if hand.dummy is not None else ())}
    if len(down) < len(SEATS) or not code.has(Rule.ALL_THROWN_DOWN):
        return exposed
    return (*exposed, end_by_agreement(state, SIDE[hand.thrown[0]]))


def end_by_agreement(state: State, first: Side) -> e.HandEnded:
    """End the hand; unplayed tricks go to the side that claimed, else to the adversaries of the first to throw down (R22)."""
    hand = the_hand(state)
    side = hand.claimed if hand.claimed is not None else OTHER_SIDE[first]
    unplayed = 13 - hand.taken[0] - hand.taken[1]
    awarded = (unplayed, 0) if side is Side.NS else (0, unplayed)
    return e.HandEnded(thrown_in=True, awarded=awarded, cites=(*state.code.cites(Rule.ALL_THROWN_DOWN), "R22"))


def claim_game(state: State, actor: Actor, command: ClaimGame) -> Answer:
    """Say that the game is one's own: an act of play where the code or a decision makes it one (R12).

    When the hand is over it is a call of honours (7 · 52).
    """
    if state.hand is not None and state.hand.ended and state.code.has(Rule.HONOURS_CALLED):
        return game_said(state, actor)
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    if actor is the_hand(state).dummy:
        return refuse(Why.NOT_YOURS, state.code.cites(Rule.DUMMY))
    if state.enforcement is not Enforcement.CLUB:
        return _offer(state, actor, "game")
    return (e.GameClaimed(actor, state.code.cites(Rule.ESTABLISHED_BY_CLAIM) or ("R12",)),)


def claim_rest(state: State, actor: Actor, command: ClaimRest) -> Answer:
    """Say that the remaining tricks are one's own; a dealer at bridge must lay his cards on the table (75)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    hand = the_hand(state)
    if actor is hand.dummy:
        return refuse(Why.NOT_YOURS, state.code.cites(Rule.DUMMY))
    if state.enforcement is not Enforcement.CLUB:
        return _offer(state, actor, "rest")
    cites = state.code.cites(Rule.REST_CLAIMED) if dealers_side(hand, actor) else ()
    claimed = e.RestClaimed(actor, cites or ("R22",))
    if cites and hand.hands[actor]:
        return (claimed, e.CardsShown(actor, cards_in(hand.hands[actor]), cites))
    return (claimed,)


def _offer(state: State, actor: Seat, kind: str) -> Answer:
    hand = the_hand(state)
    if hand.offer is not None:
        return refuse(Why.ALREADY_DONE, ("R3",))
    if hand.play_out:
        return refuse(Why.NOT_NOW, state.code.cites(Rule.PLAY_OUT))
    if hand.mending is not None or hand.question is not None:
        return refuse(Why.PENDING_CHOICE, ("R3",))
    return (e.OfferMade(actor, kind, ("R3",)),)


def asked_to_agree(state: State) -> tuple[Seat, ...]:
    """Return who has yet to agree to the offer: both adversaries, for throwing down the partner too; dummy is not asked."""
    hand = the_hand(state)
    offer = hand.offer
    if offer is None:
        return ()
    seats = [*SEATS_OF[OTHER_SIDE[SIDE[offer.by]]]]
    if offer.kind == "throw down":
        seats.append(PARTNER[offer.by])
    return tuple(seat for seat in seats if seat not in offer.agreed and seat is not hand.dummy)


def agree(state: State, actor: Actor, command: Agree) -> Answer:
    """Agree to the offer to end the hand."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    if the_hand(state).offer is None:
        return refuse(Why.NOT_NOW, ("R3",))
    if actor not in asked_to_agree(state):
        return refuse(Why.NOT_YOURS, ("R3",))
    return (e.OfferAgreed(actor, ("R3",)),)


def all_agreed(state: State, event: e.OfferAgreed) -> tuple[e.Event, ...]:
    """The last to agree ends the hand."""
    hand = the_hand(state)
    if hand.offer is None or asked_to_agree(state):
        return ()
    by = SIDE[hand.offer.by]
    if hand.offer.kind == "throw down":
        return (end_by_agreement(state, by),)
    unplayed = 13 - hand.taken[0] - hand.taken[1]
    awarded = (unplayed, 0) if by is Side.NS else (0, unplayed)
    return (e.HandEnded(thrown_in=True, awarded=awarded, cites=("R3", "R22")),)


def decline(state: State, actor: Actor, command: Decline) -> Answer:
    """Decline the offer; play goes on without penalty."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    offer = the_hand(state).offer
    if offer is None:
        return refuse(Why.NOT_NOW, ("R3",))
    if actor not in asked_to_agree(state) and actor is not offer.by:
        return refuse(Why.NOT_YOURS, ("R3",))
    return (e.OfferClosed(actor, ("R3",)),)


def overtaken(state: State, event: e.CardPlayed) -> tuple[e.Event, ...]:
    """A card played is an answer to the offer."""
    return (e.OfferClosed(None, ("R3",)),) if the_hand(state).offer is not None else ()


ANSWERS: Answers = {
    Show: show,
    NameCard: name_card,
    PlayTogether: play_together,
    ThrowDown: throw_down,
    ClaimGame: claim_game,
    ClaimRest: claim_rest,
    Agree: agree,
    Decline: decline,
}
CONSEQUENCES: Consequences = {
    e.LaidTogether: (two_cards,),
    e.CardReturned: (two_cards_back,),
    e.CardWithdrawn: (two_cards_back,),
    e.ThrewDown: (lie_exposed,),
    e.OfferAgreed: (all_agreed,),
    e.CardPlayed: (overtaken,),
}
