"""What a player does before his partner has played, so that his partner's card is for the adversaries to call.

He leads on from a trick that he is winning (57 · 60 · 74), he plays fourth before second hand (67, 68 · 70, 71 · 86), or he
draws attention to the trick (86 · 90 · 102). The call itself, and how it lapses, is in `calls.py`.
"""

from __future__ import annotations

from dataclasses import replace

from oddtrick_rules import events as e
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import Demand, SayMine
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
from oddtrick_rules.refusals import Why
from oddtrick_rules.seats import LEFT, PARTNER, Actor, Seat
from oddtrick_rules.state import RightKind, State
from oddtrick_rules.turns import has_played, led_suit, open_trick


def say_mine(state: State, actor: Actor, command: SayMine) -> Answer:
    """Say that the trick is one's own before one's partner has played to it."""
    if (no := playing(state, actor)) is not None or not isinstance(actor, Seat):
        return no or refuse(Why.NOT_YOURS)
    if (no := irregular(state, Rule.ATTENTION)) is not None:
        return no
    hand = the_hand(state)
    trick = open_trick(hand)
    cites = state.code.cites(Rule.ATTENTION)
    if trick is None or not trick.plays or not has_played(trick, actor) or has_played(trick, PARTNER[actor]):
        return refuse(Why.NOT_NOW, cites)
    if any(right.kind is RightKind.ATTENTION and right.offender is actor for right in hand.rights):
        return refuse(Why.ALREADY_DONE, cites)
    return (e.SaidMine(actor, cites),)


def attention(state: State, event: e.SaidMine | e.CardNamed) -> tuple[e.Event, ...]:
    """Attention called to the trick: the partner may be told highest, lowest, to win or to lose (86 · 90 · 102)."""
    code, hand = state.code, the_hand(state)
    trick = open_trick(hand)
    seat = event.seat
    if not code.has(Rule.ATTENTION) or dealers_side(hand, seat):
        return ()
    if trick is None or not has_played(trick, seat) or has_played(trick, PARTNER[seat]):
        return ()
    if isinstance(event, e.CardNamed) and (seat, event.card) not in trick.plays:
        return ()
    opened = open_right(
        state,
        RightKind.ATTENTION,
        Rule.ATTENTION,
        offender=seat,
        trick=trick.number,
        options=(Demand.HIGHEST, Demand.LOWEST, Demand.WIN, Demand.LOSE),
        on=PARTNER[seat],
        holds=state.reasonable_time,
        suit=led_suit(trick),
    )
    return (opened,)


def fourth_first(state: State, event: e.CardPlayed) -> tuple[e.Event, ...]:
    """The fourth hand has played before the second: the second may be told to win or not to (68 · 71 · 86).

    Not so if the third had played before him: that costs nothing and frees the fourth (67 · 70).
    """
    code, hand = state.code, the_hand(state)
    trick = hand.tricks[event.trick - hand.tricks[0].number]
    seat = event.seat
    partner = PARTNER[seat]
    if trick.rightful is not None or LEFT[seat] is not trick.leader or has_played(trick, partner):
        return ()
    if len(trick.plays) == 3 and code.has(Rule.THIRD_FIRST):
        return ()
    if not code.has(Rule.FOURTH_FIRST) or dealers_side(hand, seat):
        return ()
    opened = open_right(
        state,
        RightKind.FOURTH_FIRST,
        Rule.FOURTH_FIRST,
        offender=seat,
        trick=trick.number,
        options=(Demand.WIN, Demand.LOSE),
        on=partner,
        holds=state.reasonable_time,
    )
    return (opened,)


def played_on(state: State, event: e.LedOn) -> tuple[e.Event, ...]:
    """Led on without waiting: the partner may be told to win this trick or that to which the card is led (57 · 60 · 74)."""
    hand = the_hand(state)
    trick = open_trick(hand)
    seat = event.seat
    partner = PARTNER[seat]
    if dealers_side(hand, seat) or trick is None or has_played(trick, partner) or hand.duties[partner] is not None:
        return ()
    run = [right for right in hand.rights if right.kind is RightKind.PLAYED_ON and right.offender is seat]
    opened: list[e.Event] = []
    first = trick.number + len(run)
    for number in [first] if run else [first, first + 1]:
        if number > 13:
            break
        later = number > trick.number
        one = open_right(
            state,
            RightKind.PLAYED_ON,
            Rule.PLAYED_ON,
            offender=seat,
            trick=number,
            options=(Demand.WIN,),
            on=partner,
            cards=(event.card,) if later else (),
            holds=state.reasonable_time and not later,
        )
        opened.append(e.RightOpened(replace(one.right, id=one.right.id + len(opened)), one.cites))
    return tuple(opened)


ANSWERS: Answers = {SayMine: say_mine}
CONSEQUENCES: Consequences = {
    e.SaidMine: (attention,),
    e.CardNamed: (attention,),
    e.CardPlayed: (fourth_first,),
    e.LedOn: (played_on,),
}
