"""How long to wait before connecting again: longer each time, never in step with anybody else, for ever."""

from __future__ import annotations

from random import Random
from typing import Final

from oddtrick_protocol.closing import Then

RESUME_FIRST_S: Final = 0.1
RESUME_MAX_S: Final = 10.0
LATER_FIRST_S: Final = 2.0
LATER_MAX_S: Final = 60.0
DOUBLINGS_MAX: Final = 16


def wait_s(attempt: int, then: Then, chance: Random) -> float:
    """Return the seconds to wait before an attempt (0 the first): between half and all of a limit that doubles."""
    first, most = (RESUME_FIRST_S, RESUME_MAX_S) if then is Then.RESUME else (LATER_FIRST_S, LATER_MAX_S)
    limit: float = min(most, first * 2 ** min(attempt, DOUBLINGS_MAX))
    return limit * (0.5 + chance.random() / 2)
