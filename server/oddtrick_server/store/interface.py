"""What every keeper of tables promises; `tests/store` holds each of them to it.

A store keeps bytes it does not read. It knows four things:

    logs        per table, entries numbered 1, 2, 3 ... without a gap, only ever appended to; the
                game is what its log says. The one that may append is told by a fence. What a later
                entry sums up may be trimmed from the front; numbers stay as they were.
    directory   which tables there are, with a few bytes about each
    pairs       small values by namespace and key: identities, token hashes, secrets of deals
    hands       finished hands, to be found by table and number, or by who took part

Durability. A call that changes something returns when the change would survive the end of the
process (and, with SQLite, of the machine). One that raises StoreWriteFailed, or is cancelled, may
or may not have taken place; every such call may simply be made again.

Order. Calls that were awaited one after another take effect in that order, and a read sees all that
was acknowledged before it began. A call may take effect before it is awaited, so await it at once.

A store belongs to one event loop at a time. Identifiers are text of 1 to `name_chars_max`
characters without NUL; bodies are at most `body_bytes_max` long. Anything else is a ValueError: a
bug of the caller, since what strangers send is bounded long before it comes here.
"""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Outcome(Enum):
    """What became of an append."""

    OK = "ok"  # the entries are in the log now
    DUP = "dup"  # they were there already, at this place, from the same command: nothing was done
    CONFLICT = "conflict"  # other entries are at this place: the caller's log is out of date
    GAP = "gap"  # the log is shorter than the caller thinks
    FENCED = "fenced"  # the caller does not own the table (any more)


@dataclass(frozen=True, slots=True)
class AppendResult:
    """The outcome of an append, and the number of the log's last entry after it."""

    outcome: Outcome
    head_seq: int

    @property
    def is_stored(self) -> bool:
        """Whether the log holds these entries, so that they may be shown."""
        return self.outcome in {Outcome.OK, Outcome.DUP}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a log, as it was appended.

    `command_key` is that of the append that brought it, on each of its entries.
    """

    seq: int
    fence: int
    body: bytes
    command_key: bytes | None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table of the directory."""

    table_id: str
    meta: bytes


@dataclass(frozen=True, slots=True)
class HandRef:
    """Where a finished hand is to be found, and when it ended (milliseconds of Unix time)."""

    table_id: str
    hand_no: int
    finished_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreBounds:
    """How much a store takes; each is there so that a fault elsewhere cannot fill the memory."""

    name_chars_max: int = 200
    body_bytes_max: int = 1 << 20  # a hand with its record; entries are far smaller
    command_key_bytes_max: int = 200
    append_entries_max: int = 1_000  # one act and all its consequences: a dozen
    queue_calls_max: int = 50_000  # more than twice the tables a server may have
    queue_bytes_max: int = 64 << 20
    batch_calls_max: int = 2_000  # in one transaction, so that nobody waits for a longer one


DEFAULT_BOUNDS = StoreBounds()


class Store(Protocol):
    """A keeper of tables."""

    # --- logs -----------------------------------------------------------------------------------

    def append(
        self,
        table_id: str,
        expected_seq: int,
        entries: Sequence[bytes],
        *,
        fence: int = 0,
        command_key: bytes | None = None,
    ) -> Awaitable[AppendResult]:
        """Append all of `entries` (at least one) to a table's log, or none.

        `expected_seq` is the number of the last entry the caller knows, 0 for an empty log: the
        first of `entries` becomes `expected_seq + 1`. `fence` must be what the table's last
        `acquire` gave; 0 if there was none. Outcomes are looked for in the order FENCED, GAP, OK,
        DUP, CONFLICT. DUP is given only for the very same append: the same entries, no fewer and
        no more, at the same place with the same `command_key`; so any append may be repeated.
        """
        ...

    def read(self, table_id: str, after_seq: int = 0, *, limit: int | None = None) -> Awaitable[list[LogEntry]]:
        """The entries numbered above `after_seq` that are not trimmed, in order; at most `limit` of them.

        A table without a log has none. Raises StoreCorrupt if one is damaged or missing.
        """
        ...

    def trim(self, table_id: str, first_seq: int, *, fence: int = 0) -> Awaitable[bool]:
        """Delete the entries numbered below `first_seq`, for the owner by `fence`; the last entry of a log stays.

        False, and nothing is done, if another owns the table or the log does not reach `first_seq`.
        """
        ...

    def acquire(self, table_id: str, owner: str) -> Awaitable[int]:
        """Make `owner` the one that may append to the table; gives the fence to append with.

        Each fence is 1 or more and above every earlier one of the table; with it, all earlier
        ones are void. Where several servers share a store, raises HeldElsewhere while another
        owner's lease runs; keepers of one process always grant it.
        """
        ...

    # --- directory ------------------------------------------------------------------------------

    def put_table(self, table_id: str, meta: bytes) -> Awaitable[None]:
        """Put a table into the directory, or change what is kept about it."""
        ...

    def get_table(self, table_id: str) -> Awaitable[bytes | None]:
        """What is kept about a table; None if it is not in the directory."""
        ...

    def list_tables(self) -> Awaitable[list[TableRow]]:
        """All tables of the directory, by identifier."""
        ...

    def drop_table(self, table_id: str) -> Awaitable[bool]:
        """Delete a table: its row in the directory, its log, its owner. Finished hands stay.

        Whether there was any of it.
        """
        ...

    # --- pairs ----------------------------------------------------------------------------------

    def put(self, namespace: str, key: str, value: bytes, *, only_new: bool = False) -> Awaitable[bool]:
        """Keep a value; with `only_new`, only if the key has none. Whether it was kept."""
        ...

    def get(self, namespace: str, key: str) -> Awaitable[bytes | None]:
        """The value of a key, or None."""
        ...

    def delete(self, namespace: str, key: str) -> Awaitable[bool]:
        """Delete a key and its value. Whether there was one."""
        ...

    def list_keys(self, namespace: str) -> Awaitable[list[str]]:
        """All keys of a namespace, sorted."""
        ...

    # --- finished hands -------------------------------------------------------------------------

    def put_hand(
        self,
        table_id: str,
        hand_no: int,
        record: bytes,
        *,
        identities: Sequence[str],
        finished_ms: int,
    ) -> Awaitable[None]:
        """Keep a finished hand, to be found under each of `identities` too.

        A hand of the same table and number is replaced, with all that pointed to it.
        """
        ...

    def get_hand(self, table_id: str, hand_no: int) -> Awaitable[bytes | None]:
        """The record of a hand, or None."""
        ...

    def list_hands(self, table_id: str) -> Awaitable[list[HandRef]]:
        """The finished hands of a table, by number."""
        ...

    def list_hands_of(self, identity: str, *, limit: int = 100) -> Awaitable[list[HandRef]]:
        """The hands somebody took part in, latest first; at most `limit`."""
        ...

    def drop_hands(self, table_id: str) -> Awaitable[int]:
        """Delete all finished hands of a table; how many there were."""
        ...

    def forget(self, identity: str) -> Awaitable[int]:
        """Take somebody out of the index of hands; from how many hands. The records stay."""
        ...

    # --- life -----------------------------------------------------------------------------------

    def ping(self) -> Awaitable[None]:
        """Return if the store could take a write now; raise StoreError if not."""
        ...

    def close(self) -> Awaitable[None]:
        """Finish every call made before, then let go of all resources; may be called again."""
        ...
