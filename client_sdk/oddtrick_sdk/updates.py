"""What a table's reader has still to read: bounded, so that a reader who sleeps costs no memory.

When it overflows, what is unread is forgotten and the reader is told so with one `Missed`. The table itself is always
up to date: the mirror folds every event whether anybody reads it or not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final, TypeAlias

from oddtrick_sdk.mirror import Update

UNREAD_MAX: Final = 4096


@dataclass(frozen=True, slots=True)
class Missed:
    """So many updates were not read in time and are gone; the view is up to date all the same."""

    count: int


@dataclass(frozen=True, slots=True)
class Offline:
    """The connection is lost; the next attempt is in about so many seconds."""

    why: str
    again_in_s: float


@dataclass(frozen=True, slots=True)
class Online:
    """The connection stands again; what was missed follows."""


@dataclass(frozen=True, slots=True)
class Left:
    """This client has no part in the table any more."""

    why: str


Told: TypeAlias = Update | Missed | Offline | Online | Left


class Updates:
    """A bounded queue with one reader."""

    def __init__(self, unread_max: int = UNREAD_MAX) -> None:
        self._unread_max = unread_max
        self._unread: deque[Told] = deque()
        self._news = asyncio.Event()
        self._end: Exception | None = None

    def put(self, update: Told) -> None:
        """Add an update; never waits."""
        if len(self._unread) >= self._unread_max:
            gone = sum(old.count if isinstance(old, Missed) else 1 for old in self._unread)
            self._unread.clear()
            self._unread.append(Missed(gone))
        self._unread.append(update)
        self._news.set()

    def end(self, why: Exception) -> None:
        """After what is unread, raise this to the reader."""
        self._end = why
        self._news.set()

    async def get(self) -> Told:
        """Return the next update, waiting for one."""
        while not self._unread:
            if self._end is not None:
                raise self._end
            self._news.clear()
            await self._news.wait()
        return self._unread.popleft()

    def get_nowait(self) -> Told | None:
        """Return the next update, None if there is none unread."""
        return self._unread.popleft() if self._unread else None
