"""Tables that are being opened for somebody who would sit anywhere: whoever wishes the same meanwhile waits and sits there too.

Opening one waits for the store. If nobody looked for the table before it is there, bots or friends who come at the
same moment would each open their own and sit alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from oddtrick_protocol import messages as m
from oddtrick_rules.seats import SEATS

DEFAULT_CODE: Final = "english-1864"
DEFAULT_ENFORCEMENT: Final = "guided"
ANY: Final = "any"


@dataclass(slots=True)
class Making:
    """One such table; `seats` are what the one it is opened for and those who wait for it wish."""

    create: m.Create
    seats: list[str]
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def has_place(self, wish: m.Sit) -> bool:
        """Whether the table, once it is there, should have a seat for that wish."""
        return (
            len(self.seats) < len(SEATS)
            and (wish.seat == ANY or wish.seat not in self.seats)
            and wish.code in {None, self.create.code}
            and wish.enforcement in {None, self.create.enforcement}
        )


class Makings:
    """All of one server."""

    def __init__(self) -> None:
        self._makings: list[Making] = []

    async def wait(self, wish: m.Sit) -> bool:
        """Wait for a table in the making that fits, be it opened or not in the end; False if there is none."""
        making = next((making for making in self._makings if making.has_place(wish)), None)
        if making is None:
            return False
        making.seats.append(wish.seat)
        await making.over.wait()
        return True

    @contextmanager
    def begun(self, wish: m.Sit) -> Iterator[m.Create]:
        """Open within the table that is given, which fits the wish; those who wait go on when that is over."""
        create = m.Create(
            id="",  # the wish's own id is for the seat
            code=wish.code or DEFAULT_CODE,
            enforcement=wish.enforcement or DEFAULT_ENFORCEMENT,
        )
        making = Making(create, [wish.seat])
        self._makings.append(making)
        try:
            yield create
        finally:
            self._makings.remove(making)
            making.over.set()
