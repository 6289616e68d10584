"""The life of a trick after its cards: gathered, quitted (R1), placed, reviewed; and the end of the hand."""

from __future__ import annotations

from oddtrick_rules import events as e
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import Gather, Place, Quit, Review
from oddtrick_rules.laws.common import Answer, Answers, Consequences, playing, refuse, the_hand
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import SIDE, Actor, Official, Seat
from oddtrick_rules.state import Hand, Phase, Stage, State, Trick


def to_quit(hand: Hand) -> Trick | None:
    """Return the earliest trick not yet quitted if it is complete; None when there is nothing to quit."""
    for trick in hand.tricks[-3:]:
        if trick.stage is not Stage.QUITTED:
            return trick if trick.stage is not Stage.OPEN else None
    return None


def _mine_to_quit(state: State, actor: Seat) -> Trick | Refusal:
    hand = the_hand(state)
    cites = state.code.cites(Rule.QUITTING)
    trick = to_quit(hand)
    if trick is None or trick.winner is None:
        return refuse(Why.NOT_NOW, cites)
    if SIDE[trick.winner] != SIDE[actor]:
        return refuse(Why.NOT_YOURS, cites)
    if actor is hand.dummy:
        return refuse(Why.NOT_YOURS, state.code.cites(Rule.DUMMY))
    return trick


def quit_trick(state: State, actor: Actor, command: Quit) -> Answer:
    """Turn and quit: for either player of the side that won the trick, or for the clock on the winner's behalf (R1)."""
    hand = state.hand
    cites = state.code.cites(Rule.QUITTING)
    if state.phase is not Phase.PLAYING or hand is None:
        return refuse(Why.NOT_NOW)
    if hand.mending is not None or any(right.holds for right in hand.rights):
        return refuse(Why.PENDING_CHOICE, cites)
    if actor is Official.CLOCK:
        trick = to_quit(hand)
        if trick is None or hand.question is not None:
            return refuse(Why.NOT_NOW, cites)
        return (e.TrickQuitted(trick.number, None, cites),)
    if not isinstance(actor, Seat):
        return refuse(Why.NOT_YOURS, cites)
    mine = _mine_to_quit(state, actor)
    if isinstance(mine, Refusal):
        return mine
    return (e.TrickQuitted(mine.number, actor, cites),)


def gather(state: State, actor: Actor, command: Gather) -> Answer:
    """Touch the cards of one's side's trick: from then on nobody may have them placed (85 · 89 · 101)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    mine = _mine_to_quit(state, actor)
    if isinstance(mine, Refusal):
        return mine
    if mine.stage is Stage.GATHERED:
        return refuse(Why.ALREADY_DONE)
    return (e.TrickGathered(mine.number, actor, state.code.cites(Rule.QUITTING)),)


def place(state: State, actor: Actor, command: Place) -> Answer:
    """Have the cards placed before their players, until they are touched to be gathered."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    if not state.code.has(Rule.PLACING):
        return refuse(Why.NOT_IN_CODE)
    hand = the_hand(state)
    cites = state.code.cites(Rule.PLACING)
    if actor is hand.dummy:
        return refuse(Why.NOT_YOURS, state.code.cites(Rule.DUMMY))
    lying = next((trick for trick in hand.tricks[-3:] if trick.stage is not Stage.QUITTED), None)
    if lying is None:
        return refuse(Why.NOT_NOW, cites)
    if lying.stage is Stage.GATHERED:
        return refuse(Why.TOO_LATE, cites)
    return (e.Placed(actor, cites),)


def review(state: State, actor: Actor, command: Review) -> Answer:
    """See the last trick quitted, where the code allows it (91), until the next is quitted; no other trick, ever (R14)."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    code = state.code
    if not code.has(Rule.LAST_TRICK):
        return refuse(Why.NOT_IN_CODE, code.cites(Rule.NO_LOOKING))
    quitted = [trick for trick in the_hand(state).tricks if trick.stage is Stage.QUITTED]
    if not quitted:
        return refuse(Why.NOT_NOW, code.cites(Rule.LAST_TRICK))
    return (e.Reviewed(actor, quitted[-1].number, code.cites(Rule.LAST_TRICK)),)


def played_out(state: State, event: e.TrickQuitted) -> tuple[e.Event, ...]:
    """The thirteenth trick is quitted like any other, and ends the hand."""
    if event.trick != 13:
        return ()
    return (e.HandEnded(thrown_in=False, awarded=(0, 0), cites=("R1",)),)


ANSWERS: Answers = {Quit: quit_trick, Gather: gather, Place: place, Review: review}
CONSEQUENCES: Consequences = {e.TrickQuitted: (played_out,)}
