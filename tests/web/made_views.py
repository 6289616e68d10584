"""Rubbers played at random, as each viewer was shown them: what the page's fold must come to."""

from collections.abc import Iterator
from random import Random
from typing import Any

from oddtrick_protocol.facts import event_to_wire, view_to_wire
from oddtrick_rules.cards import PACK, Card
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.commands import Command, Deal, Lapse, Play, Quit
from oddtrick_rules.decide import judge
from oddtrick_rules.legal import dynamic, legal
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SEATS, Actor, Official
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase, State
from oddtrick_rules.turns import card_turn
from oddtrick_rules.views import VIEWERS, Viewer, Watcher, seen_by, view

CHOICES = 0.3  # how often a seat does something besides playing on
TRIES = 40


def played(code: str, enforcement: Enforcement, chance: Random, acts: int) -> Iterator[list[dict[str, Any]]]:
    """Each act at one table: for every viewer the events he was shown, and his view after them."""
    state = rubber(code_named(code), enforcement=enforcement, dealer=chance.choice(SEATS))
    for _ in range(acts):
        if state.phase is Phase.OVER:
            return
        events, after = _act(state, chance)
        yield [_shown(events, after, viewer) for viewer in (*VIEWERS, Watcher.REFEREE)]
        state = after


def _shown(events: tuple[Any, ...], after: State, viewer: Viewer) -> dict[str, Any]:
    seen = [seen_by(event, viewer, enforcement=after.enforcement) for event in events]
    return {
        "events": [event_to_wire(event) for event in seen if event is not None],
        "view": view_to_wire(view(after, viewer)),
    }


def _act(state: State, chance: Random) -> tuple[tuple[Any, ...], State]:
    if state.phase is Phase.TO_DEAL:
        return _judged(state, Official.HOUSE, _deal(state, chance))
    for _ in range(TRIES):
        seat = chance.choice(SEATS)
        hand = state.hand
        turn = None if hand is None or state.phase is not Phase.PLAYING else card_turn(hand)
        wished = legal(state, seat) if chance.random() < CHOICES else dynamic(state, seat)
        plays = [one for one in wished if isinstance(one, Play)]
        if turn is not None and chance.random() > CHOICES and plays:
            wished = tuple(plays)
        if not wished:
            continue
        verdict = judge(state, seat, chance.choice(wished))
        if not isinstance(verdict, Refusal):
            return verdict.events, verdict.state
    for late in (Quit(), Lapse()):
        verdict = judge(state, Official.CLOCK, late)
        if not isinstance(verdict, Refusal):
            return verdict.events, verdict.state
    for seat in SEATS:
        for command in dynamic(state, seat):
            verdict = judge(state, seat, command)
            if not isinstance(verdict, Refusal):
                return verdict.events, verdict.state
    raise AssertionError("nobody can do anything")


def _judged(state: State, actor: Actor, command: Command) -> tuple[tuple[Any, ...], State]:
    verdict = judge(state, actor, command)
    assert not isinstance(verdict, Refusal)
    return verdict.events, verdict.state


def _deal(state: State, chance: Random) -> Deal:
    pack: list[Card] = list(PACK)
    chance.shuffle(pack)
    north, east, south, west = (tuple(pack[13 * seat : 13 * seat + 13]) for seat in range(4))
    hands = (north, east, south, west)
    return Deal(hands, hands[state.dealer][-1] if state.code.turned_trump else None)
