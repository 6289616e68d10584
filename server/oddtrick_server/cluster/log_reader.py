"""Reading a log that another server writes, on from where we are; whether it is still the one that we read before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddtrick_server.store.errors import StoreBusy, StoreWriteFailed

if TYPE_CHECKING:
    from oddtrick_server.clock import Clock
    from oddtrick_server.store.interface import LogEntry
    from oddtrick_server.store.shared import SharedStore


class LogReader:
    """The log of one table, in a store that is waited for as long as it takes."""

    def __init__(self, store: SharedStore, table: str, *, clock: Clock, retry_s: float) -> None:
        self._store = store
        self._table = table
        self._clock = clock
        self._retry_s = retry_s

    async def after(self, seq: int, last: bytes) -> tuple[list[LogEntry], bool]:
        """The entries from the one numbered `seq` on, which was `last` when we read it.

        If that is not there any more, and was not trimmed either, the log is another one: then all of it, and True.
        """
        entries = await self._read(max(0, seq - 1))
        first = entries[0] if entries else None
        goes_on = first is not None and (first.body == last if first.seq == seq else first.seq > seq)
        if not seq or goes_on:
            return entries, False
        return await self._read(0), True

    async def _read(self, after: int) -> list[LogEntry]:
        while True:
            try:
                return await self._store.read(self._table, after)
            except (StoreBusy, StoreWriteFailed):  # the lobby, which looks at the store for all, says so
                await self._clock.sleep(self._retry_s)
