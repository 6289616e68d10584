"""Fold a log: the state after it, or after each of its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oddtrick_rules.events import Event
from oddtrick_rules.evolve import evolve
from oddtrick_rules.state import State


def replay(start: State, events: Iterable[Event]) -> State:
    """Return the state after the events."""
    for event in events:
        start = evolve(start, event)
    return start


def steps(start: State, events: Iterable[Event]) -> Iterator[State]:
    """Yield the state before the first event and after each of them."""
    yield start
    for event in events:
        start = evolve(start, event)
        yield start
