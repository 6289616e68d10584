"""Bridge before the first card: declaring (47-52) and doubling (53-61, R27); dummy is laid when a card is led (62).

The server orders the words: the eldest hand doubles or asks leave to lead, then his partner; doubled, the maker of the trump speaks
first and then his partner; redoubled, the doubler and then his partner. Nobody can speak out of turn.
"""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.cards import cards_in
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import Agree, AskToLead, BeSatisfied, Declare, Double, LeaveIt
from oddtrick_rules.laws.common import Answer, Answers, Consequences, refuse, the_hand
from oddtrick_rules.laws.exposed import agree as agree_to_offer
from oddtrick_rules.laws.scoring import TRICK_POINTS_MAX, TRICK_VALUE
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import PARTNER, SIDE, Actor, Seat
from oddtrick_rules.state import Hand, Phase, State


def _declaring(state: State, actor: Actor) -> Refusal | None:
    code = state.code
    if not code.has(Rule.DECLARING):
        return refuse(Why.NOT_IN_CODE)
    if state.phase is not Phase.DECLARING:
        late = state.phase in (Phase.DOUBLING, Phase.PLAYING)
        return refuse(Why.TOO_LATE if late else Why.NOT_NOW, code.cites(Rule.DECLARED))
    if the_hand(state).declaring is not actor:
        return refuse(Why.NOT_YOUR_TURN, code.cites(Rule.DECLARING))
    return None


def declare(state: State, actor: Actor, command: Declare) -> Answer:
    """Name the trump suit, or no trumps (47)."""
    if (no := _declaring(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    return (e.TrumpDeclared(actor, command.trump, state.code.cites(Rule.DECLARING)),)


def leave_it(state: State, actor: Actor, command: LeaveIt) -> Answer:
    """Pass the declaration to one's partner, who must make it (48)."""
    if (no := _declaring(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    cites = state.code.cites(Rule.LEAVING)
    if the_hand(state).left:
        return refuse(Why.ALREADY_DONE, cites)
    return (e.DeclarationLeft(actor, cites),)


def _speaking(state: State, actor: Actor, rule: Rule) -> Refusal | None:
    code = state.code
    if not code.has(Rule.DOUBLING):
        return refuse(Why.NOT_IN_CODE)
    if state.phase is not Phase.DOUBLING:
        return refuse(Why.TOO_LATE if state.phase is Phase.PLAYING else Why.NOT_NOW, code.cites(rule))
    if the_hand(state).voice is not actor:
        return refuse(Why.NOT_YOUR_TURN, code.cites(rule))
    return None


def double(state: State, actor: Actor, command: Double) -> Answer:
    """Double or redouble; a trick is worth at most a hundred, which ends the doubling (53-58, R27)."""
    if (no := _speaking(state, actor, Rule.DOUBLING)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    code, hand = state.code, the_hand(state)
    assert hand.trump is not None
    assert hand.maker is not None
    first = hand.doubled_by is None
    cites = code.cites(Rule.DOUBLING if first else Rule.REDOUBLING)
    multiplier = hand.multiplier * 2
    value = TRICK_VALUE[hand.trump] * multiplier
    voice: Seat | None = hand.maker if first else _first_of_other_side(hand, actor)
    if value >= TRICK_POINTS_MAX:
        voice = None
        cites = (*cites, *code.cites(Rule.DOUBLING_LIMIT), "R27")
    return (e.Doubled(actor, multiplier, voice, cites),)


def _first_of_other_side(hand: Hand, actor: Seat) -> Seat:
    """Return who of the side doubled now speaks first: the maker of the trump, or the first doubler (55, 56)."""
    assert hand.maker is not None
    assert hand.doubled_by is not None
    if SIDE[actor] != SIDE[hand.maker]:
        return hand.maker
    return _first_doubler(hand)


def may_i_lead(state: State, actor: Actor, command: AskToLead) -> Answer:
    """As the eldest hand, ask leave to lead instead of doubling (54)."""
    if (no := _speaking(state, actor, Rule.MAY_LEAD)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    hand, cites = the_hand(state), state.code.cites(Rule.MAY_LEAD)
    if hand.doubled_by is not None or actor is not hand.leader:
        return refuse(Why.NOT_NOW, cites)
    return (e.LeadAsked(actor, PARTNER[actor], cites),)


def satisfied(state: State, actor: Actor, command: BeSatisfied) -> Answer:
    """Leave the value as it stands: the partner then has the word, and after him play begins (55, 56, 60)."""
    if (no := _speaking(state, actor, Rule.MAY_LEAD)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    hand, cites = the_hand(state), state.code.cites(Rule.MAY_LEAD)
    if hand.doubled_by is None:
        voice = PARTNER[actor] if actor is hand.leader else None
    else:
        first = hand.maker if SIDE[hand.doubled_by] != SIDE[hand.dealer] else _first_doubler(hand)
        voice = PARTNER[actor] if actor is first else None
    return (e.Satisfied(actor, voice, cites),)


def _first_doubler(hand: Hand) -> Seat:
    return hand.first_doubler if hand.first_doubler is not None else hand.leader


def agree(state: State, actor: Actor, command: Agree) -> Answer:
    """Say `yes`: to `may I lead` while the doubling goes on, otherwise to the offer that stands."""
    if state.phase is not Phase.DOUBLING:
        return agree_to_offer(state, actor, command)
    if (no := _speaking(state, actor, Rule.MAY_LEAD)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    cites = state.code.cites(Rule.MAY_LEAD)
    if not the_hand(state).asked_to_lead:
        return refuse(Why.NOT_NOW, cites)
    return (e.Satisfied(actor, None, cites),)


def lay_dummy(state: State, event: e.CardPlayed | e.LedOutOfTurn) -> tuple[e.Event, ...]:
    """A card led, in turn or out of it, dummy's hand is laid on the table (62)."""
    hand = the_hand(state)
    if hand.maker is None or hand.dummy is not None or not state.code.dummy:
        return ()
    dummy = PARTNER[hand.dealer]
    return (e.DummyLaid(dummy, cards_in(hand.hands[dummy]), state.code.cites(Rule.DUMMY)),)


ANSWERS: Answers = {
    Declare: declare,
    LeaveIt: leave_it,
    Double: double,
    AskToLead: may_i_lead,
    BeSatisfied: satisfied,
    Agree: agree,
}
CONSEQUENCES: Consequences = {e.CardPlayed: (lay_dummy,), e.LedOutOfTurn: (lay_dummy,)}
