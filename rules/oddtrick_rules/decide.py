"""The judge: `decide(state, actor, command)` gives the events that follow, or a refusal that changes nothing.

A chapter answers the command with events; each event is recorded and may have consequences, declared by the chapters as
data; these are recorded in their turn until nothing more follows (a fixed point, bounded). No rule lives in `evolve`, none
outside `laws`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from oddtrick_rules import events as e
from oddtrick_rules.commands import Command
from oddtrick_rules.evolve import evolve
from oddtrick_rules.laws import (
    bets,
    calls,
    claims,
    dealing,
    declaring,
    exposed,
    leads,
    partner,
    play,
    revoke,
    scoring,
    sheet,
    tricks,
    trump_card,
    words,
)
from oddtrick_rules.laws.common import Consequence, Handler
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import Actor, Seat
from oddtrick_rules.state import NO_DUTIES, State

# The order of the chapters is the order of consequences of one event: the revoke is settled before the trick is counted, and
# what is charged is barred before the hand is scored.
CHAPTERS: Final = (
    words,
    declaring,
    revoke,
    leads,
    calls,
    partner,
    exposed,
    trump_card,
    play,
    tricks,
    claims,
    scoring,
    sheet,
    bets,
    dealing,
)
# No act has ever more consequences than a general throw-down with a dozen revokes announced; past this bound there is a loop.
EVENTS_MAX: Final = 200

_ANSWERS: Final[dict[type, Handler]] = {}
_CONSEQUENCES: Final[dict[type, tuple[Consequence, ...]]] = {}
for _chapter in CHAPTERS:
    for _command, _handler in _chapter.ANSWERS.items():
        _ANSWERS.setdefault(_command, _handler)
    for _event, _functions in _chapter.CONSEQUENCES.items():
        _CONSEQUENCES[_event] = (*_CONSEQUENCES.get(_event, ()), *_functions)


@dataclass(frozen=True, slots=True)
class Verdict:
    """An act accepted: the events in order, and the state after the last of them."""

    events: tuple[e.Event, ...]
    state: State


def judge(state: State, actor: Actor, command: Command) -> Verdict | Refusal:
    """Judge a command and settle all that follows from it."""
    answer = _ANSWERS[command.__class__](state, actor, command)
    if answer.__class__ is Refusal:
        assert isinstance(answer, Refusal)
        return answer
    assert not isinstance(answer, Refusal)
    return _settle(state, answer)


def decide(state: State, actor: Actor, command: Command) -> tuple[e.Event, ...] | Refusal:
    """Return the events a command causes, or the refusal."""
    verdict = judge(state, actor, command)
    return verdict if isinstance(verdict, Refusal) else verdict.events


def allowed(state: State, actor: Seat, command: Command) -> bool:
    """Tell whether the command would be accepted now."""
    return not isinstance(_ANSWERS[command.__class__](state, actor, command), Refusal)


# What a card in turn can set off in a hand without irregularities; the rest of its consequences are about those.
_QUIET: Final[tuple[Consequence, ...]] = (declaring.lay_dummy, play.completed)


def _quiet(state: State, event: e.CardPlayed) -> bool:
    """Tell whether nothing irregular is afoot that the card could touch: the hot path of every deal."""
    hand = state.hand
    assert hand is not None
    return not (
        event.cites
        or hand.revokes
        or hand.rights
        or hand.offer is not None
        or hand.mending is not None
        or hand.tricks[-1].rightful is not None
        or hand.duties is not NO_DUTIES
        or hand.lead_duties is not NO_DUTIES
    )


def _settle(state: State, first: Iterable[e.Event]) -> Verdict:
    queue = [*first]
    done = 0
    while done < len(queue):
        event = queue[done]
        done += 1
        state = evolve(state, event)
        following = _CONSEQUENCES.get(event.__class__)
        if event.__class__ is e.CardPlayed and _quiet(state, event):
            following = _QUIET
        if following is not None:
            for consequence in following:
                caused = consequence(state, event)
                if caused:
                    queue.extend(caused)
        assert done < EVENTS_MAX, f"no end to the consequences of {queue[0]!r}"
    return Verdict(tuple(queue), state)


__all__ = ["Verdict", "Why", "allowed", "decide", "judge"]
