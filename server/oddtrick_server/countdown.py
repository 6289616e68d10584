"""A limit that runs, stands, and runs on: what is used up of it never comes back."""

from __future__ import annotations

_NOTHING_S = 1e-6


class Countdown:
    """So many seconds, of which some are spent. Time comes in as an argument."""

    __slots__ = ("_since", "_spent_s", "limit_s")

    def __init__(self, limit_s: float, *, spent_s: float = 0.0) -> None:
        self.limit_s = limit_s
        self._spent_s = spent_s
        self._since: float | None = None

    @classmethod
    def of(cls, limit_s: float, spent_s: float, since: float | None) -> Countdown:
        """The countdown with those `parts`."""
        countdown = cls(limit_s, spent_s=spent_s)
        countdown._since = since
        return countdown

    @property
    def parts(self) -> tuple[float, float, float | None]:
        """All there is to it: the limit, what was spent when it last stood, and since when it runs."""
        return self.limit_s, self._spent_s, self._since

    @property
    def is_running(self) -> bool:
        """Whether time is running off it."""
        return self._since is not None

    @property
    def due(self) -> float | None:
        """When it will have run out; None while it stands."""
        return None if self._since is None else self._since + self.limit_s - self._spent_s

    def spent_s(self, now: float) -> float:
        """How many seconds are used up."""
        return self._spent_s if self._since is None else self._spent_s + max(0.0, now - self._since)

    def left_s(self, now: float) -> float:
        """How many seconds are left, 0.0 at least."""
        return max(0.0, self.limit_s - self.spent_s(now))

    def is_out(self, now: float) -> bool:
        """Whether nothing is left: at the time `due` says, whatever a sum of floats comes to."""
        return self.left_s(now) <= _NOTHING_S

    def go(self, now: float) -> None:
        """Run from now on, if it does not run already."""
        if self._since is None:
            self._since = now

    def halt(self, now: float) -> None:
        """Stand from now on."""
        self._spent_s = self.spent_s(now)
        self._since = None

    def shift(self, seconds: float) -> None:
        """Leave out a stretch of time in which nobody could act."""
        if self._since is not None:
            self._since += seconds

    def clear(self) -> None:
        """Begin with nothing spent; a countdown that runs is left alone, so that no event of another's refills it."""
        if self._since is None:
            self._spent_s = 0.0

    def __repr__(self) -> str:
        return f"Countdown({self.limit_s}, spent_s={self._spent_s}, since={self._since})"
