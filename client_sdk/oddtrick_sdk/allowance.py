"""How fast a client may send: what every server must take, and no more."""

from __future__ import annotations

from oddtrick_protocol.limits import MESSAGES_BURST, MESSAGES_PER_S


class Allowance:
    """A bucket that fills by `MESSAGES_PER_S` up to `MESSAGES_BURST`; the time comes in as an argument."""

    def __init__(self, per_s: float = MESSAGES_PER_S, burst: float = MESSAGES_BURST) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._at: float | None = None

    def take(self, now: float) -> float:
        """Take one message out; return the seconds to wait before it is sent."""
        if self._at is not None:
            self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        self._left -= 1
        return 0.0 if self._left >= 0 else -self._left / self._per_s
