"""Looking for a seed that fails, and for the shortest plan of faults that still fails with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from oddtrick_cli.simulation.faults import Fault, FaultKind, plan
from oddtrick_cli.simulation.world import Evening, Outcome, World

Runner: TypeAlias = Callable[[Evening], Outcome]


@dataclass(frozen=True, slots=True)
class Wish:
    """What evenings to try: the kinds of faults, how many an evening and over how long (virtual seconds), and how to play."""

    kinds: tuple[FaultKind, ...]
    count: int
    until_s: float
    code: str | None = None
    enforcement: str | None = None
    rubbers: int = 1
    hands: int = 0
    servers: int = 1


CODES = ("english-1864", "whist-1900", "bridge-1904")
ENFORCEMENTS = ("guided", "club", "strict")


def evening_of(seed: int, wish: Wish) -> Evening:
    """Return the evening of a seed: its faults, and the code and enforcement if the wish leaves them open."""
    chance = Random(f"plan {seed}")  # noqa: S311 -- a simulation is not secret
    code = wish.code or chance.choice(CODES)
    enforcement = wish.enforcement or chance.choice(ENFORCEMENTS)
    return Evening(
        seed=seed,
        faults=plan(chance, kinds=wish.kinds, count=wish.count, until_s=wish.until_s),
        code=code,
        enforcement=enforcement,
        rubbers=wish.rubbers,
        hands=wish.hands,
        servers=wish.servers,
    )


def play(evening: Evening) -> Outcome:
    """Play one evening."""
    return World(evening).run()


def shrink(evening: Evening, *, runner: Runner = play) -> Evening:
    """Return the evening with every fault left out that it does not need to fail."""
    faults: tuple[Fault, ...] = evening.faults
    index = 0
    while index < len(faults):
        fewer = (*faults[:index], *faults[index + 1 :])
        if runner(replace(evening, faults=fewer)).problems:
            faults = fewer
        else:
            index += 1
    return replace(evening, faults=faults)
