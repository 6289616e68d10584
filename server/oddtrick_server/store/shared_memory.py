"""A store that several servers of one process use at once: for simulations of several servers, and for tests.

It is what Redis is to them: leases run on its clock, and letters wait until they are read.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from oddtrick_server.store.errors import HeldElsewhere
from oddtrick_server.store.interface import DEFAULT_BOUNDS, StoreBounds
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.store.shared import Holder

RECEIVE_S: Final = 1.0
LETTERS_MAX: Final = 20_000


class MemoryMail:
    """A `Mail` in this process's memory."""

    def __init__(self) -> None:
        self._inboxes: dict[str, deque[bytes]] = {}
        self._news: dict[str, asyncio.Event] = {}

    async def send(self, server: str, letters: Sequence[bytes]) -> None:
        """Put letters into a server's inbox, in order."""
        self._inbox(server).extend(letters)
        self._news[server].set()

    async def receive(self, server: str) -> list[bytes]:
        """The letters that came since; after a while without any, none."""
        inbox = self._inbox(server)
        if not inbox:
            self._news[server].clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RECEIVE_S):
                    await self._news[server].wait()
        letters = list(inbox)
        inbox.clear()
        return letters

    def _inbox(self, server: str) -> deque[bytes]:
        if server not in self._inboxes:
            self._inboxes[server] = deque(maxlen=LETTERS_MAX)
            self._news[server] = asyncio.Event()
        return self._inboxes[server]


class SharedMemoryStore(MemoryStore):
    """A `SharedStore` in this process's memory; `now` gives the seconds that leases run by."""

    def __init__(self, *, now: Callable[[], float], lease_s: float = 5.0, bounds: StoreBounds = DEFAULT_BOUNDS) -> None:
        super().__init__(bounds=bounds)
        self.lease_s = lease_s
        self.mail = MemoryMail()
        self._now = now
        self._owners: dict[str, tuple[str, float]] = {}  # and until when

    async def acquire(self, table_id: str, owner: str) -> int:
        """Make `owner` the one that may append; HeldElsewhere while another's lease runs."""
        holder = self._owners.get(table_id)
        if holder is not None and holder[0] != owner and holder[1] > self._now():
            raise HeldElsewhere(table_id, holder[0])
        fence = await super().acquire(table_id, owner)
        self._owners[table_id] = (owner, self._now() + self.lease_s)
        return fence

    async def drop_table(self, table_id: str) -> bool:
        """Delete a table's row, log and owner."""
        self._owners.pop(table_id, None)
        return await super().drop_table(table_id)

    async def renew(self, table_id: str, fence: int) -> bool:
        """Let the lease run anew; whether it is still the caller's."""
        return self._leave(table_id, fence, self._now() + self.lease_s)

    async def release(self, table_id: str, fence: int) -> bool:
        """End the lease, so that another may acquire the table at once."""
        return self._leave(table_id, fence, self._now())

    async def holder(self, table_id: str) -> Holder | None:
        """Who holds a table; None if nobody does."""
        self._check(table_id)
        found = self._owners.get(table_id)
        return None if found is None else Holder(found[0], self._fences[table_id], found[1] - self._now())

    def _leave(self, table_id: str, fence: int, until: float) -> bool:
        self._check(table_id)
        if self._fences.get(table_id) != fence or table_id not in self._owners:
            return False
        self._owners[table_id] = (self._owners[table_id][0], until)
        return True
