"""The faults of a simulation: planned from the seed before it begins, so that a plan can be cut down to what fails."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final


class FaultKind(StrEnum):
    """What can go wrong."""

    CUT = "cut"  # a stream ends at some byte
    DUPLICATE = "duplicate"  # a client's next frames are sent twice
    REORDER = "reorder"  # a client's next two frames change places
    DROP = "drop"  # a client's next frame is lost, and with it (as over TCP) the line
    DELAY = "delay"  # the network is slow for a while
    CRASH = "crash"  # a server dies on the spot and another takes its place
    PAUSE = "pause"  # a server stands still for a while
    PARTITION = "partition"  # a client and a server cannot reach each other for a while
    CUT_OFF = "cut_off"  # a server cannot reach its store for a while
    STRAY = "stray"  # a server loses its store, and its last write comes there late: when another has the table, if one takes it


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: when (virtual seconds), on whom (an index into whoever there is), for how long (seconds, or bytes of a cut)."""

    at_s: float
    kind: FaultKind
    whom: int
    extent: float

    def __str__(self) -> str:
        return f"{self.at_s:9.3f} s  {self.kind} #{self.whom} {self.extent:.3f}"


# How far each fault goes at most: seconds, bytes for a cut, frames for duplicates.
EXTENT_MAX: Final = {
    FaultKind.CUT: 600.0,
    FaultKind.DUPLICATE: 5.0,
    FaultKind.REORDER: 1.0,
    FaultKind.DROP: 1.0,
    FaultKind.DELAY: 8.0,
    FaultKind.CRASH: 6.0,
    FaultKind.PAUSE: 12.0,
    FaultKind.PARTITION: 25.0,
    FaultKind.CUT_OFF: 20.0,
    FaultKind.STRAY: 20.0,
}


def plan(chance: Random, *, kinds: tuple[FaultKind, ...], count: int, until_s: float) -> tuple[Fault, ...]:
    """Draw `count` faults of those kinds over the first `until_s` seconds, in the order of time."""
    if not kinds:
        return ()
    faults = []
    for _ in range(count):
        kind = chance.choice(kinds)
        faults.append(
            Fault(chance.uniform(0.5, until_s), kind, chance.randrange(64), chance.uniform(0, EXTENT_MAX[kind]))
        )
    return tuple(sorted(faults, key=lambda fault: fault.at_s))
