"""A store that lasts as long as its process: for tests, simulations and tables of an evening.

It keeps the same records the others write, so that what it accepts they accept. Every call takes
effect when it is awaited, and nothing in it waits for anything.
"""

from collections.abc import Sequence
from typing import Any

from oddtrick_server.store.checks import (
    check_append,
    check_body,
    check_names,
    check_numbers,
    judge_append,
)
from oddtrick_server.store.errors import StoreClosed
from oddtrick_server.store.interface import (
    DEFAULT_BOUNDS,
    AppendResult,
    HandRef,
    LogEntry,
    Outcome,
    StoreBounds,
    TableRow,
)
from oddtrick_server.store.records import decode_entry, decode_value, encode_append, encode_value

HandKey = tuple[str, int]


class MemoryStore:
    """A `Store` in this process's memory."""

    def __init__(self, *, bounds: StoreBounds = DEFAULT_BOUNDS) -> None:
        self._bounds = bounds
        self._closed = False
        self._last_fence = 0
        self._fences: dict[str, int] = {}
        self._logs: dict[str, list[tuple[int, bytes]]] = {}
        self._trimmed: dict[str, int] = {}  # how many entries, from the front of a log
        self._tables: dict[str, bytes] = {}
        self._pairs: dict[tuple[str, str], bytes] = {}
        self._hands: dict[HandKey, tuple[int, bytes]] = {}
        self._players: dict[HandKey, frozenset[str]] = {}

    # --- logs -----------------------------------------------------------------------------------

    async def append(
        self,
        table_id: str,
        expected_seq: int,
        entries: Sequence[bytes],
        *,
        fence: int = 0,
        command_key: bytes | None = None,
    ) -> AppendResult:
        """Append all of `entries` to a table's log, or none."""
        self._check(table_id)
        check_numbers(expected_seq, fence)
        check_append(self._bounds, entries, command_key)
        log, trimmed = self._logs.get(table_id, []), self._trimmed.get(table_id, 0)
        head_seq = trimmed + len(log)
        outcome = judge_append(
            head_seq=head_seq,
            expected_seq=expected_seq,
            owner_fence=self._fences.get(table_id, 0),
            fence=fence,
        )
        if outcome not in {Outcome.OK, None}:
            return AppendResult(outcome, head_seq)
        records = encode_append(entries, command_key)
        if outcome is None:
            at = expected_seq - trimmed
            there = [record for _, record in log[at : at + len(records)]] if at >= 0 else []
            outcome = Outcome.DUP if there == records else Outcome.CONFLICT
            return AppendResult(outcome, head_seq)
        self._logs.setdefault(table_id, log).extend((fence, record) for record in records)
        return AppendResult(outcome, head_seq + len(records))

    async def read(self, table_id: str, after_seq: int = 0, *, limit: int | None = None) -> list[LogEntry]:
        """The entries numbered above `after_seq`, in order."""
        self._check(table_id)
        check_numbers(after_seq, limit)
        trimmed = self._trimmed.get(table_id, 0)
        after_seq = max(after_seq, trimmed)
        at = after_seq - trimmed
        entries = []
        rows = self._logs.get(table_id, [])[at : None if limit is None else at + limit]
        for seq, (fence, record) in enumerate(rows, after_seq + 1):
            key, body = decode_entry(record, f"entry {seq} of table {table_id}")
            entries.append(LogEntry(seq, fence, body, key))
        return entries

    async def trim(self, table_id: str, first_seq: int, *, fence: int = 0) -> bool:
        """Delete the entries numbered below `first_seq`."""
        self._check(table_id)
        check_numbers(first_seq, fence)
        log, trimmed = self._logs.get(table_id, []), self._trimmed.get(table_id, 0)
        if self._fences.get(table_id, 0) != fence or first_seq > trimmed + len(log):
            return False
        if first_seq - 1 > trimmed:
            del log[: first_seq - 1 - trimmed]
            self._trimmed[table_id] = first_seq - 1
        return True

    async def acquire(self, table_id: str, owner: str) -> int:
        """Make `owner` the one that may append; always granted."""
        self._check(table_id, owner)
        self._last_fence += 1
        self._fences[table_id] = self._last_fence
        return self._last_fence

    # --- directory ------------------------------------------------------------------------------

    async def put_table(self, table_id: str, meta: bytes) -> None:
        """Put a table into the directory, or change what is kept about it."""
        self._check(table_id)
        check_body(self._bounds, meta)
        self._tables[table_id] = encode_value(meta)

    async def get_table(self, table_id: str) -> bytes | None:
        """What is kept about a table."""
        self._check(table_id)
        return _decoded(self._tables.get(table_id), table_id)

    async def list_tables(self) -> list[TableRow]:
        """All tables of the directory, by identifier."""
        self._check()
        rows = sorted(self._tables.items())
        return [TableRow(table_id, decode_value(record, table_id)) for table_id, record in rows]

    async def drop_table(self, table_id: str) -> bool:
        """Delete a table's row, log and owner."""
        self._check(table_id)
        parts: tuple[dict[str, Any], ...] = (self._tables, self._logs, self._trimmed, self._fences)
        there = any(table_id in part for part in parts)
        for part in parts:
            part.pop(table_id, None)
        return there

    # --- pairs ----------------------------------------------------------------------------------

    async def put(self, namespace: str, key: str, value: bytes, *, only_new: bool = False) -> bool:
        """Keep a value; with `only_new`, only if the key has none."""
        self._check(namespace, key)
        check_body(self._bounds, value)
        if only_new and (namespace, key) in self._pairs:
            return False
        self._pairs[namespace, key] = encode_value(value)
        return True

    async def get(self, namespace: str, key: str) -> bytes | None:
        """The value of a key, or None."""
        self._check(namespace, key)
        return _decoded(self._pairs.get((namespace, key)), namespace)

    async def delete(self, namespace: str, key: str) -> bool:
        """Delete a key and its value."""
        self._check(namespace, key)
        return self._pairs.pop((namespace, key), None) is not None

    async def list_keys(self, namespace: str) -> list[str]:
        """All keys of a namespace, sorted."""
        self._check(namespace)
        return sorted(key for space, key in self._pairs if space == namespace)

    # --- finished hands -------------------------------------------------------------------------

    async def put_hand(
        self,
        table_id: str,
        hand_no: int,
        record: bytes,
        *,
        identities: Sequence[str],
        finished_ms: int,
    ) -> None:
        """Keep a finished hand."""
        self._check(table_id, *identities)
        check_numbers(hand_no, finished_ms)
        check_body(self._bounds, record)
        self._hands[table_id, hand_no] = (finished_ms, encode_value(record))
        self._players[table_id, hand_no] = frozenset(identities)

    async def get_hand(self, table_id: str, hand_no: int) -> bytes | None:
        """The record of a hand, or None."""
        self._check(table_id)
        check_numbers(hand_no)
        _, record = self._hands.get((table_id, hand_no), (0, None))
        return _decoded(record, f"hand {hand_no} of table {table_id}")

    async def list_hands(self, table_id: str) -> list[HandRef]:
        """The finished hands of a table, by number."""
        self._check(table_id)
        return self._refs(sorted(key for key in self._hands if key[0] == table_id))

    async def list_hands_of(self, identity: str, *, limit: int = 100) -> list[HandRef]:
        """The hands somebody took part in, latest first."""
        self._check(identity)
        check_numbers(limit)
        refs = self._refs([key for key, who in self._players.items() if identity in who])
        refs.sort(key=lambda ref: (ref.finished_ms, ref.table_id, ref.hand_no), reverse=True)
        return refs[:limit]

    async def drop_hands(self, table_id: str) -> int:
        """Delete all finished hands of a table."""
        self._check(table_id)
        keys = [key for key in self._hands if key[0] == table_id]
        for key in keys:
            del self._hands[key], self._players[key]
        return len(keys)

    async def forget(self, identity: str) -> int:
        """Take somebody out of the index of hands."""
        self._check(identity)
        keys = [key for key, who in self._players.items() if identity in who]
        for key in keys:
            self._players[key] -= {identity}
        return len(keys)

    # --- life -----------------------------------------------------------------------------------

    async def ping(self) -> None:
        """Return unless the store was closed."""
        self._check()

    async def close(self) -> None:
        """Refuse all further calls."""
        self._closed = True

    def _check(self, *names: str) -> None:
        if self._closed:
            raise StoreClosed("the store is closed")
        check_names(self._bounds, *names)

    def _refs(self, keys: Sequence[HandKey]) -> list[HandRef]:
        return [HandRef(table_id, no, self._hands[table_id, no][0]) for table_id, no in keys]


def _decoded(record: bytes | None, what: str) -> bytes | None:
    return None if record is None else decode_value(record, what)
