"""Every statement by which a SQLite store is read, on a connection that cannot write.

A statement begins after the writer has acknowledged what its caller knows of, so it sees that.
"""

import sqlite3
from collections.abc import Sequence

from oddtrick_server.store.errors import StoreCorrupt, StoreError
from oddtrick_server.store.interface import HandRef, LogEntry, TableRow
from oddtrick_server.store.records import decode_entry, decode_value
from oddtrick_server.store.worker import Answer, Call

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class SqliteReader:
    """Carries out what only reads; `db` is a connection that nobody else uses."""

    def __init__(self, db: sqlite3.Connection, name: str) -> None:
        self._db = db
        self._name = name

    def process(self, calls: Sequence[Call]) -> list[Answer]:
        """Carry out calls one by one, and say what each came to."""
        return [self._answer(call) for call in calls]

    def read(self, table_id: str, after_seq: int, limit: int | None) -> list[LogEntry]:
        """Entries of a log; a number that is missing is damage."""
        # One statement, so that no trimming comes between its parts.
        query = """SELECT log.seq, fence, record, coalesce(trims.seq, 0) FROM log LEFT JOIN trims USING (table_id)
            WHERE log.table_id = ? AND log.seq > ? ORDER BY log.seq LIMIT ?"""
        entries: list[LogEntry] = []
        rows = self._db.execute(query, (table_id, after_seq, -1 if limit is None else limit))
        number = after_seq
        for seq, fence, record, trimmed in rows:
            number = max(number, trimmed) + 1
            what = f"store {self._name}: entry {number} of table {table_id}"
            if seq != number:
                raise StoreCorrupt(f"{what} is missing: restore a backup")
            key, body = decode_entry(record, what)
            entries.append(LogEntry(seq, fence, body, key))
        return entries

    def get_table(self, table_id: str) -> bytes | None:
        """A row of the directory."""
        return self._value("SELECT record FROM directory WHERE table_id = ?", table_id)

    def list_tables(self) -> list[TableRow]:
        """The directory."""
        rows = self._db.execute("SELECT table_id, record FROM directory ORDER BY table_id")
        return [TableRow(table_id, self._decoded(record, table_id)) for table_id, record in rows]

    def get(self, namespace: str, key: str) -> bytes | None:
        """The value of a key."""
        query = "SELECT record FROM pairs WHERE namespace = ? AND key = ?"
        return self._value(query, namespace, key)

    def list_keys(self, namespace: str) -> list[str]:
        """The keys of a namespace."""
        query = "SELECT key FROM pairs WHERE namespace = ? ORDER BY key"
        return [key for (key,) in self._db.execute(query, (namespace,))]

    def get_hand(self, table_id: str, hand_no: int) -> bytes | None:
        """The record of a hand."""
        query = "SELECT record FROM hands WHERE table_id = ? AND hand_no = ?"
        return self._value(query, table_id, hand_no)

    def list_hands(self, table_id: str) -> list[HandRef]:
        """The hands of a table."""
        query = """SELECT table_id, hand_no, finished_ms FROM hands
            WHERE table_id = ? ORDER BY hand_no"""
        return [HandRef(*row) for row in self._db.execute(query, (table_id,))]

    def list_hands_of(self, identity: str, limit: int) -> list[HandRef]:
        """The hands of a player."""
        query = """SELECT table_id, hand_no, finished_ms FROM players WHERE identity = ?
            ORDER BY finished_ms DESC, table_id DESC, hand_no DESC LIMIT ?"""
        return [HandRef(*row) for row in self._db.execute(query, (identity, limit))]

    def _value(self, query: str, *values: str | int) -> bytes | None:
        row = self._db.execute(query, values).fetchone()
        return None if row is None else self._decoded(row[0], str(values[0]))

    def _decoded(self, record: bytes, what: str) -> bytes:
        return decode_value(record, f"store {self._name}: what is kept of {what}")

    def _answer(self, call: Call) -> Answer:
        try:
            return Answer(call.future, call.run(self, *call.args), None)
        except StoreError as error:
            return Answer(call.future, None, error)
        except sqlite3.Error as error:
            damaged = getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
            kind = StoreCorrupt if damaged else StoreError
            return Answer(call.future, None, kind(f"store {self._name}: cannot read: {error}"))
