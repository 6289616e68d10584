"""The trump card (51-55 · 42-45, R14): shown until the dealer plays to the first trick; left lying, named, forgotten."""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import Demand, Forget, LeaveTrump, TakeUp
from oddtrick_rules.laws.common import Answer, Answers, Consequences, irregular, open_right, playing, refuse, the_hand
from oddtrick_rules.laws.play import expose
from oddtrick_rules.refusals import Why
from oddtrick_rules.seats import Actor, Seat
from oddtrick_rules.state import Hand, RightKind, State
from oddtrick_rules.turns import first_number, has_played, held_trump_card


def _dealer_has_played(hand: Hand) -> bool:
    return any(has_played(trick, hand.dealer) for trick in hand.tricks)


def leave(state: State, actor: Actor, command: LeaveTrump) -> Answer:
    """Leave the trump card lying when one plays to the first trick (52 · 42)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    hand, cites = the_hand(state), state.code.cites(Rule.TRUMP_LEFT)
    if not state.code.has(Rule.TRUMP_LEFT):
        return refuse(Why.NOT_IN_CODE)
    if (no := irregular(state, Rule.TRUMP_LEFT)) is not None:
        return no
    if actor is not hand.dealer:
        return refuse(Why.NOT_YOURS, cites)
    if hand.turned is None or _dealer_has_played(hand):
        return refuse(Why.TOO_LATE, cites)
    if hand.trump_lying:
        return refuse(Why.ALREADY_DONE, cites)
    return (e.TrumpLeft(actor, cites),)


def take_up(state: State, actor: Actor, command: TakeUp) -> Answer:
    """Take up the trump card that was left; not before one's turn in the first trick (54 · 44)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    code, hand = state.code, the_hand(state)
    if not code.has(Rule.TRUMP_LEFT):
        return refuse(Why.NOT_IN_CODE)
    if actor is not hand.dealer:
        return refuse(Why.NOT_YOURS, code.cites(Rule.TRUMP_LEFT))
    if hand.turned is None:
        return refuse(Why.ALREADY_DONE, code.cites(Rule.TRUMP_LEFT))
    if code.has(Rule.TRUMP_EARLY) and not _dealer_has_played(hand):
        return refuse(Why.NOT_YOUR_TURN, code.cites(Rule.TRUMP_EARLY))
    return (e.TrumpTakenUp(actor, code.cites(Rule.TRUMP_LEFT)),)


def left_too_long(state: State, event: e.TrickQuitted) -> tuple[e.Event, ...]:
    """Still lying when the first trick (in the code of 1900 the second) is quitted, it may be called."""
    code, hand = state.code, the_hand(state)
    if not hand.trump_lying or hand.turned is None or not code.has(Rule.TRUMP_LEFT):
        return ()
    if event.trick != first_number(hand) + code.trump_left_until_trick - 1:
        return ()
    return expose(state, hand.dealer, (hand.turned,), code.cites(Rule.TRUMP_LEFT))


def forget(state: State, actor: Actor, command: Forget) -> Answer:
    """As dealer, say that one does not remember the trump card (55 · 45)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    hand, cites = the_hand(state), state.code.cites(Rule.TRUMP_FORGOTTEN)
    if not state.code.has(Rule.TRUMP_FORGOTTEN):
        return refuse(Why.NOT_IN_CODE)
    if (no := irregular(state, Rule.TRUMP_FORGOTTEN)) is not None:
        return no
    if actor is not hand.dealer:
        return refuse(Why.NOT_YOURS, cites)
    if hand.turned is not None or held_trump_card(hand) is None:
        return refuse(Why.NOT_NOW, cites)
    if any(right.kind is RightKind.TRUMP_FORGOTTEN for right in hand.rights):
        return refuse(Why.ALREADY_DONE, cites)
    return (e.TrumpForgotten(actor, cites),)


def trump_call(state: State, event: e.TrumpForgotten | e.CardNamed) -> tuple[e.Event, ...]:
    """The adversaries may call his highest or lowest trump, again and again but always the same (55; 43 allows it once)."""
    hand = the_hand(state)
    forgotten = isinstance(event, e.TrumpForgotten)
    rule = Rule.TRUMP_FORGOTTEN if forgotten else Rule.TRUMP_NAMED
    if not forgotten and event.cites != state.code.cites(Rule.TRUMP_NAMED):
        return ()
    if not state.code.has(rule):
        return ()
    opened = open_right(
        state,
        RightKind.TRUMP_FORGOTTEN if forgotten else RightKind.TRUMP_NAMED,
        rule,
        offender=event.seat,
        trick=hand.tricks[-1].number if hand.tricks else first_number(hand),
        options=(Demand.TRUMP_HIGHEST, Demand.TRUMP_LOWEST),
        on=event.seat,
    )
    return (opened,)


ANSWERS: Answers = {LeaveTrump: leave, TakeUp: take_up, Forget: forget}
CONSEQUENCES: Consequences = {
    e.TrickQuitted: (left_too_long,),
    e.TrumpForgotten: (trump_call,),
    e.CardNamed: (trump_call,),
}
