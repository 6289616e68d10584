"""The house bots by name."""

from __future__ import annotations

from random import Random
from typing import Final

from oddtrick_sdk.bots.brain import Brain, BrainMaker
from oddtrick_sdk.bots.courteous import CourteousBrain
from oddtrick_sdk.bots.random_bot import RandomBrain

BRAINS: Final[dict[str, BrainMaker]] = {"courteous": CourteousBrain, "random": RandomBrain}


def brain_named(name: str, chance: Random) -> Brain:
    """Return a new brain of that kind; ValueError that lists the kinds if there is none."""
    maker = BRAINS.get(name)
    if maker is None:
        raise ValueError(f"no house bot {name!r}: {' or '.join(sorted(BRAINS))}")
    return maker(chance)
