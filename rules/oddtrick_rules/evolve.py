"""`evolve(state, event)`: record a fact. Total, and free of rules: whatever follows from a fact is another event.

The same function folds the full log into the table's state and what a viewer was shown into his view, so no step here may rest on
what only the table knows: cards are added to and taken from hands by sets, and a revoke the viewer never heard of is added when
it becomes public.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from oddtrick_rules import events as e
from oddtrick_rules import recording_play, recording_score
from oddtrick_rules.state import State

_EVOLVE: Final[dict[type, Callable[[State, Any], State]]] = {**recording_play.RECORDERS, **recording_score.RECORDERS}


def evolve(state: State, event: e.Event) -> State:
    """Return the state after the event."""
    return _EVOLVE[event.__class__](state, event)
