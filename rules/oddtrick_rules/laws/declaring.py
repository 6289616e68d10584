"""Bridge before the first card: declaring (47-52) and doubling (53-61, R27); dummy is laid when a card is led (62).

The eldest hand doubles or asks leave to lead, then his partner; doubled, the maker of the trump speaks first and then his partner;
redoubled, he of a side who doubled last, and then his partner. What comes of words out of turn is in `words.py`.
"""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.cards import cards_in
from oddtrick_rules.code import Cites, Rule
from oddtrick_rules.commands import Agree, AskToLead, BeSatisfied, Declare, Double, LeaveIt
from oddtrick_rules.laws.common import Answer, Answers, Consequences, refuse, the_hand
from oddtrick_rules.laws.exposed import agree as agree_to_offer
from oddtrick_rules.laws.scoring import TRICK_POINTS_MAX, TRICK_VALUE
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import OTHER_SIDE, PARTNER, SIDE, Actor, Seat, Side
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
    hand = the_hand(state)
    right = next((one for one in hand.rights if one.holds and not one.options), None)
    if right is not None:
        return refuse(Why.PENDING_CHOICE, right.cites)
    if hand.voice is not actor:
        return refuse(Why.NOT_YOUR_TURN, code.cites(rule))
    return None


def double(state: State, actor: Actor, command: Double) -> Answer:
    """Double or redouble; a trick is worth at most a hundred, which ends the doubling (53-58, R27)."""
    if (no := _speaking(state, actor, Rule.DOUBLING)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    if actor in the_hand(state).barred:
        return refuse(Why.FORFEITED, state.code.cites(Rule.SHOWN_BEFORE_LEAD))
    return (raised(state, actor),)


def raised(state: State, actor: Seat, cites: Cites = ()) -> e.Doubled:
    """Return the event of a double or redouble that counts."""
    code, hand = state.code, the_hand(state)
    assert hand.trump is not None
    first = hand.doubled_by is None
    cites = cites or code.cites(Rule.DOUBLING if first else Rule.REDOUBLING)
    multiplier = hand.multiplier * 2
    voice: Seat | None = first_to_speak(hand, OTHER_SIDE[SIDE[actor]])
    if TRICK_VALUE[hand.trump] * multiplier >= TRICK_POINTS_MAX:
        voice = None
        cites = (*cites, *code.cites(Rule.DOUBLING_LIMIT), "R27")
    return e.Doubled(actor, multiplier, voice, cites)


def first_to_speak(hand: Hand, side: Side) -> Seat:
    """Return who of a side speaks first: he who doubled last for it, else the maker of the trump or the eldest (55, 56, 58)."""
    last = hand.doublers[side]
    if last is not None:
        return last
    assert hand.maker is not None
    return hand.maker if SIDE[hand.maker] == side else hand.leader


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
        first = first_to_speak(hand, SIDE[actor])
        voice = PARTNER[actor] if actor is first else None
    return (e.Satisfied(actor, voice, cites),)


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
