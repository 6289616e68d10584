"""What several servers need of a store beyond what one needs: leases that run out, and letters from one to another.

A lease runs on the store's clock and is a courtesy: it says when another may take a table over. That nobody else writes rests on
the fence alone. Letters are a courtesy too: one may be lost, or come twice, and those of one sender to one server come in order;
whoever needs an answer asks again.
"""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Protocol

from oddtrick_server.store.interface import Store


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a table: by which fence, and for how many seconds yet (0 or less: it may be taken over)."""

    owner: str
    fence: int
    left_s: float


class Mail(Protocol):
    """Letters between servers, by the names they acquire tables with."""

    def send(self, server: str, letters: Sequence[bytes]) -> Awaitable[None]:
        """Put letters into a server's inbox, in order. Raises StoreError if that cannot be done now."""
        ...

    def receive(self, server: str) -> Awaitable[list[bytes]]:
        """The letters that came since this was last called; waits for one, but returns an empty list now and then.

        Raises StoreError if the inbox cannot be read now. Only one may read an inbox.
        """
        ...


class SharedStore(Store, Protocol):
    """A store that several servers use at once."""

    @property
    def lease_s(self) -> float:
        """How many seconds a lease runs from when it was acquired or renewed."""
        ...

    @property
    def mail(self) -> Mail:
        """The servers' letters."""
        ...

    def renew(self, table_id: str, fence: int) -> Awaitable[bool]:
        """Let a lease run anew. False if the table has been acquired again since, or dropped."""
        ...

    def release(self, table_id: str, fence: int) -> Awaitable[bool]:
        """End a lease, so that another may acquire the table at once. Whether it was still the caller's."""
        ...

    def holder(self, table_id: str) -> Awaitable[Holder | None]:
        """Who holds a table; None if nobody does."""
        ...
