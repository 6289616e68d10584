"""Seats, sides and the order of play, which goes N E S W: to the left."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, TypeAlias


class Seat(IntEnum):
    """A place at the table."""

    N = 0
    E = 1
    S = 2
    W = 3


class Side(IntEnum):
    """Two partners."""

    NS = 0
    EW = 1


class Official(Enum):
    """Who acts at a table without a seat at it: the clock when a limit runs out (R32), the house that deals."""

    CLOCK = "clock"
    HOUSE = "house"


Actor: TypeAlias = Seat | Official

SEATS: Final = (Seat.N, Seat.E, Seat.S, Seat.W)
SIDES: Final = (Side.NS, Side.EW)
LEFT: Final = (Seat.E, Seat.S, Seat.W, Seat.N)
PARTNER: Final = (Seat.S, Seat.W, Seat.N, Seat.E)
RIGHT: Final = (Seat.W, Seat.N, Seat.E, Seat.S)
SIDE: Final = (Side.NS, Side.EW, Side.NS, Side.EW)
OTHER_SIDE: Final = (Side.EW, Side.NS)
SEATS_OF: Final = ((Seat.N, Seat.S), (Seat.E, Seat.W))
ADVERSARIES: Final = ((Seat.E, Seat.W), (Seat.N, Seat.S), (Seat.E, Seat.W), (Seat.N, Seat.S))


def seat_named(name: str) -> Seat:
    """Return the seat with that letter, in either case; ValueError if there is none."""
    try:
        return Seat[name.upper()]
    except KeyError:
        raise ValueError(f"{name!r} is not a seat: N, E, S or W") from None
