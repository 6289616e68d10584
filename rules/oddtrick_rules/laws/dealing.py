"""From hand to hand: ready, the cut (34 · 26 · 35, R13), new cards (83 · 3 · 100, R19), the deal (33 · 25 · 34)."""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, FULL_PACK, SUIT_OF, mask_of
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import BeReady, CallNewCards, Cut, Deal, Lapse, TakePack
from oddtrick_rules.laws.calls import waived
from oddtrick_rules.laws.claims import pending, settle_by_clock
from oddtrick_rules.laws.common import Answer, Answers, Consequences, refuse
from oddtrick_rules.laws.revoke import lapse_question
from oddtrick_rules.laws.words import held, let_stand
from oddtrick_rules.refusals import Why
from oddtrick_rules.seats import LEFT, SEATS, Actor, Official, Seat
from oddtrick_rules.state import Phase, State


def ready(state: State, actor: Actor, command: BeReady) -> Answer:
    """Say that one has no more to claim from this hand; a new charge asks everybody again."""
    hand = state.hand
    if hand is None or state.phase is not Phase.CLAIMS:
        return refuse(Why.NOT_NOW, ("R13",))
    if not isinstance(actor, Seat):
        return refuse(Why.NOT_YOURS)
    if actor in hand.ready:
        return refuse(Why.ALREADY_DONE, ("R13",))
    return (e.BecameReady(actor, ("R13",)),)


def cut(state: State, actor: Actor, command: Cut) -> Answer:
    """Cut the pack: the player at the next dealer's right, who dealt this hand; all ready, or the clock (R13)."""
    hand, code = state.hand, state.code
    cites = (*code.cites(Rule.CUT), "R13")
    if hand is None or state.phase is not Phase.CLAIMS:
        return refuse(Why.NOT_NOW, cites)
    if code.has(Rule.CUT) and actor is not hand.dealer and actor is not Official.CLOCK:
        return refuse(Why.NOT_YOURS, cites)
    if pending(hand):
        return refuse(Why.OPEN_CLAIMS, (*code.cites(Rule.CUT_CLOSES), "R13"))
    if hand.new_cards is not None:
        return refuse(Why.OPEN_CLAIMS, code.cites(Rule.NEW_CARDS))
    if actor is hand.dealer and any(seat not in hand.ready for seat in SEATS if seat is not actor):
        return refuse(Why.OPEN_CLAIMS, cites)
    seat = actor if isinstance(actor, Seat) else None
    following = LEFT[hand.dealer] if code.has(Rule.DEAL_PASSES) else hand.dealer
    return (e.PackCut(seat, following, (*cites, *code.cites(Rule.DEAL_PASSES))),)


def lapse(state: State, actor: Actor, command: Lapse) -> Answer:
    """The clock has run out on whatever holds the table up (R32)."""
    if actor is not Official.CLOCK:
        return refuse(Why.NOT_YOURS, ("R32",))
    hand = state.hand
    if hand is None:
        return refuse(Why.NOT_NOW, ("R32",))
    if state.phase is Phase.PLAYING:
        if hand.question is not None and not command.right:
            return lapse_question(state)
        pressing = next((one for one in hand.rights if one.holds and command.right in (0, one.id)), None)
        if pressing is not None:
            return waived(state, pressing, None)
        if command.right:
            return refuse(Why.NO_RIGHT, ("R32",))
        if hand.offer is not None:
            return (e.OfferClosed(None, ("R3", "R32")),)
    if (right := held(state)) is not None:
        return let_stand(state, right, None)
    if state.phase is Phase.CLAIMS:
        if hand.new_cards is not None:
            return (e.PackTaken(LEFT[hand.dealer], 1, (*state.code.cites(Rule.NEW_CARDS), "R32")),)
        if pending(hand):
            return settle_by_clock(state)
        return cut(state, actor, Cut())
    return refuse(Why.NOT_NOW, ("R32",))


def call_new_cards(state: State, actor: Actor, command: CallNewCards) -> Answer:
    """Call for fresh cards before the pack is cut; two packs are offered, the caller pays (R19)."""
    hand, code = state.hand, state.code
    cites = (*code.cites(Rule.NEW_CARDS), "R19")
    if not code.has(Rule.NEW_CARDS):
        return refuse(Why.NOT_IN_CODE)
    if hand is None or state.phase is not Phase.CLAIMS:
        late = hand is not None and hand.cut
        return refuse(Why.TOO_LATE if late else Why.NOT_NOW, cites)
    if not isinstance(actor, Seat):
        return refuse(Why.NOT_YOURS, cites)
    if hand.new_cards is not None or hand.pack_taken:
        return refuse(Why.ALREADY_DONE, cites)
    return (e.NewCardsCalled(actor, cites),)


def take_pack(state: State, actor: Actor, command: TakePack) -> Answer:
    """As the next dealer, take one of the two packs."""
    hand = state.hand
    cites = (*state.code.cites(Rule.NEW_CARDS), "R19")
    if hand is None or hand.new_cards is None or state.phase is not Phase.CLAIMS:
        return refuse(Why.NOT_NOW, cites)
    if actor is not LEFT[hand.dealer]:
        return refuse(Why.NOT_YOURS, cites)
    if command.pack not in (1, 2):
        return refuse(Why.MALFORMED, cites)
    return (e.PackTaken(LEFT[hand.dealer], command.pack, cites),)


def deal(state: State, actor: Actor, command: Deal) -> Answer:
    """The house deals: four hands of thirteen, at whist the dealer's last card turned up for trumps."""
    if actor is not Official.HOUSE:
        return refuse(Why.NOT_YOURS)
    if state.phase is not Phase.TO_DEAL:
        return refuse(Why.NOT_NOW)
    code = state.code
    masks = [mask_of(cards) for cards in command.hands]
    whole = sum(masks) == FULL_PACK and all(mask.bit_count() == 13 for mask in masks)
    if not whole or (command.turned is not None) != code.turned_trump:
        return refuse(Why.MALFORMED, code.cites(Rule.WHOLE_DEAL))
    turned = command.turned
    if turned is not None and not masks[state.dealer] & BIT[turned]:
        return refuse(Why.MALFORMED)
    dealt = e.HandDealt(
        number=state.hands_dealt + 1,
        dealer=state.dealer,
        hands=command.hands,
        size=13,
        leader=LEFT[state.dealer],
        trump=None if turned is None else SUIT_OF[turned],
        turned=turned,
        trump_card=turned,
        cites=code.cites(Rule.DEAL_PASSES),
    )
    return (dealt,)


ANSWERS: Answers = {
    BeReady: ready,
    Cut: cut,
    Lapse: lapse,
    CallNewCards: call_new_cards,
    TakePack: take_pack,
    Deal: deal,
}
CONSEQUENCES: Consequences = {}
