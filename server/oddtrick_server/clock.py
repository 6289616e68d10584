"""Time as the server sees it: one clock that all timers hang on, so that a test can move it by hand.

`RealClock` follows the machine; `VirtualClock` stands still until it is told to go on. No other module of the server reads
the time or sleeps.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol

Callback = Callable[[], None]


class Timer(Protocol):
    """A call that is due at some time."""

    def cancel(self) -> None:
        """Do not make the call; harmless after it was made."""


class Clock(Protocol):
    """Seconds that only go forward, near to Unix time, and calls to be made at a time."""

    def now(self) -> float:
        """The time in seconds."""

    def unix_ms(self) -> int:
        """The time in milliseconds of Unix time, for people and records."""

    def call_at(self, when: float, callback: Callback) -> Timer:
        """Make the call at that time, or soon if it is past."""

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""


class RealClock:
    """The machine's clock: Unix time when it was made, and monotonic from then on."""

    def __init__(self) -> None:
        self._shift = time.time() - time.monotonic()

    def now(self) -> float:
        """The time in seconds."""
        return time.monotonic() + self._shift

    def unix_ms(self) -> int:
        """The time in milliseconds of Unix time."""
        return time.time_ns() // 1_000_000

    def call_at(self, when: float, callback: Callback) -> Timer:
        """Make the call at that time, or soon if it is past."""
        return asyncio.get_running_loop().call_later(max(0.0, when - self.now()), callback)

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        await asyncio.sleep(seconds)


class _Due:
    """A call a virtual clock owes."""

    __slots__ = ("callback",)

    def __init__(self, callback: Callback) -> None:
        self.callback: Callback | None = callback

    def cancel(self) -> None:
        self.callback = None


class VirtualClock:
    """A clock that moves when it is told to."""

    def __init__(self, start: float = 1_000_000.0) -> None:
        self._now = start
        self._due: list[tuple[float, int, _Due]] = []
        self._order = itertools.count()

    def now(self) -> float:
        """The time in seconds."""
        return self._now

    def unix_ms(self) -> int:
        """The time in milliseconds."""
        return int(self._now * 1000)

    def call_at(self, when: float, callback: Callback) -> Timer:
        """Make the call when the clock has been moved to that time."""
        due = _Due(callback)
        heapq.heappush(self._due, (when, next(self._order), due))
        return due

    async def sleep(self, seconds: float) -> None:
        """Return when the clock has been moved so many seconds."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def wake() -> None:
            if not future.done():
                future.set_result(None)

        timer = self.call_at(self._now + seconds, wake)
        try:
            await future
        finally:
            timer.cancel()

    def next_due(self) -> float | None:
        """When the next call is owed; None if none is."""
        while self._due and self._due[0][2].callback is None:
            heapq.heappop(self._due)
        return self._due[0][0] if self._due else None

    def move(self, seconds: float) -> None:
        """Go on by so many seconds, making the calls due on the way, each at its time."""
        until = self._now + seconds
        while (when := self.next_due()) is not None and when <= until:
            _, _, due = heapq.heappop(self._due)
            callback, due.callback = due.callback, None
            self._now = max(self._now, when)
            assert callback is not None
            callback()
        self._now = until
