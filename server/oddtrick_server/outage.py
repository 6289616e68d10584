"""A store that cannot be used for a while: hundreds of tables find that out every second, and the log says it once.

Whoever fails says so (`failed`); whoever looks now and then whether the store is there says that it is (`worked`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oddtrick_server.logs import Say, log

if TYPE_CHECKING:
    from oddtrick_server.clock import Clock

QUIET_S: Final = 6.0  # without a failure, and it is over; one that waits for the store tries, and fails, more often


class Outage:
    """Whether one server waits for its store."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: float | None = None
        self._failed_at = 0.0

    def failed(self, error: Exception, *, table: str | None = None) -> None:
        """Something that needs the store could not be done, and will be tried again."""
        self._failed_at = self._clock.now()
        if self._since is None:
            self._since = self._failed_at
            about = {} if table is None else {"table": table}
            log.warning(Say.STORE_WAITS, **about, why=str(error))

    def worked(self) -> None:
        """The store did what it was asked just now."""
        if self._since is not None and self._clock.now() - self._failed_at >= QUIET_S:
            log.info(Say.STORE_BACK, waited_s=round(self._failed_at - self._since, 1))
            self._since = None
