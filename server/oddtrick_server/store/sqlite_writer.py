"""The one writer of a SQLite store: group commit, and every statement that changes something.

Theory. All calls that wait are carried out in one transaction and answered after its COMMIT, so
that one wait for the disk serves them all. Rows of logs are gathered and inserted together at the
end. The writer is the only one that writes to the file (the store's lock sees to that), so the
number of a log's last entry and a table's fence may be remembered between transactions.

Rules of this file
    1. `process` runs on the writer's thread; nothing here is touched by another.
    2. Nothing is remembered across a transaction that failed.
    3. One call's failure does not spoil its neighbours: a batch that fails is tried again call by
       call. After an error of the disk itself nothing is tried again, ever: a file system may have
       thrown away what it could not write, and say next time that all is well.
"""

import sqlite3
import time
from collections.abc import Sequence

from oddtrick_server.store.checks import judge_append
from oddtrick_server.store.errors import StoreError, StoreUnusable, StoreWriteFailed
from oddtrick_server.store.interface import AppendResult, Outcome
from oddtrick_server.store.worker import Answer, Call

LOGS_REMEMBERED_MAX = 20_000
CHECKPOINT_S = 60.0  # at most between two times that what is in SQLite's own log goes into the file
_PUT = "INSERT OR REPLACE INTO pairs VALUES (?, ?, ?)"
_PUT_NEW = "INSERT OR IGNORE INTO pairs VALUES (?, ?, ?)"
_FATAL = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class SqliteWriter:
    """Carries out what changes the store; `db` is a connection that nobody else uses."""

    def __init__(self, db: sqlite3.Connection, name: str, *, checkpoint_s: float = CHECKPOINT_S) -> None:
        self._db = db
        self._checkpoint_s = checkpoint_s
        self._checkpoint_at = time.monotonic() + checkpoint_s
        self._name = name
        self._failure: StoreError | None = None
        self._logs: dict[str, tuple[int, int]] = {}  # table: number of last entry, fence
        self._rows: list[tuple[str, int, int, bytes]] = []

    def process(self, calls: Sequence[Call]) -> list[Answer]:
        """Carry out calls in one transaction, and say what each came to."""
        if self._failure:
            return _failed(calls, self._failure)
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            return _failed(calls, self._judged(error))
        try:
            results = [call.run(self, *call.args) for call in calls]
            self._flush()
            self._db.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 -- the transaction must end, whatever it was
            failure = self._judged(error)
            self._roll_back()
            if len(calls) == 1:
                return _failed(calls, self._failure or failure)
            return [answer for call in calls for answer in self.process((call,))]
        if len(self._logs) > LOGS_REMEMBERED_MAX:
            self._logs.clear()
        self._fold_the_log()
        return [Answer(call.future, result, None) for call, result in zip(calls, results, strict=True)]

    # --- logs -----------------------------------------------------------------------------------

    def append(self, table_id: str, expected_seq: int, records: Sequence[bytes], fence: int) -> AppendResult:
        """Append records to a log, or none."""
        head_seq, owner_fence = self._logs.get(table_id) or self._remember(table_id)
        outcome = judge_append(head_seq=head_seq, expected_seq=expected_seq, owner_fence=owner_fence, fence=fence)
        if outcome is None:
            query = "SELECT record FROM log WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
            there = self._execute(query, table_id, expected_seq, len(records)).fetchall()
            same = there == [(record,) for record in records]
            outcome = Outcome.DUP if same else Outcome.CONFLICT
        elif outcome is Outcome.OK:
            for seq, record in enumerate(records, head_seq + 1):
                self._rows.append((table_id, seq, fence, record))
            head_seq += len(records)
            self._logs[table_id] = (head_seq, owner_fence)
        return AppendResult(outcome, head_seq)

    def trim(self, table_id: str, first_seq: int, fence: int) -> bool:
        """Delete the entries below one."""
        head_seq, owner_fence = self._logs.get(table_id) or self._remember(table_id)
        if fence != owner_fence or first_seq > head_seq:
            return False
        if first_seq <= 1:
            return True
        self._execute("DELETE FROM log WHERE table_id = ? AND seq < ?", table_id, first_seq)
        statement = "INSERT INTO trims VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)"
        self._execute(statement, table_id, first_seq - 1)
        return True

    def acquire(self, table_id: str, owner: str) -> int:
        """Give out the next fence; one count for all tables, so that none comes back after a drop."""
        self._execute("UPDATE fences SET last = last + 1")
        fence = int(self._execute("SELECT last FROM fences").fetchone()[0])
        self._execute("INSERT OR REPLACE INTO owners VALUES (?, ?, ?)", table_id, fence, owner)
        self._logs.pop(table_id, None)
        return fence

    # --- directory and pairs --------------------------------------------------------------------

    def put_table(self, table_id: str, record: bytes) -> None:
        """Put a row into the directory."""
        self._execute("INSERT OR REPLACE INTO directory VALUES (?, ?)", table_id, record)

    def drop_table(self, table_id: str) -> bool:
        """Delete row, log and owner."""
        changed = 0
        for name in ("directory", "log", "trims", "owners"):
            changed += self._execute(f"DELETE FROM {name} WHERE table_id = ?", table_id).rowcount  # noqa: S608
        self._logs.pop(table_id, None)
        return changed > 0

    def put(self, namespace: str, key: str, record: bytes, only_new: bool) -> bool:  # noqa: FBT001
        """Keep a value."""
        statement = _PUT_NEW if only_new else _PUT
        return self._execute(statement, namespace, key, record).rowcount > 0

    def delete(self, namespace: str, key: str) -> bool:
        """Delete a key and its value."""
        statement = "DELETE FROM pairs WHERE namespace = ? AND key = ?"
        return self._execute(statement, namespace, key).rowcount > 0

    # --- finished hands -------------------------------------------------------------------------

    def put_hand(
        self,
        table_id: str,
        hand_no: int,
        record: bytes,
        identities: frozenset[str],
        finished_ms: int,
    ) -> None:
        """Keep a hand and what points to it."""
        self._execute("DELETE FROM players WHERE table_id = ? AND hand_no = ?", table_id, hand_no)
        statement = "INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?)"
        self._execute(statement, table_id, hand_no, finished_ms, record)
        statement = "INSERT INTO players VALUES (?, ?, ?, ?)"
        for identity in sorted(identities):
            self._execute(statement, identity, finished_ms, table_id, hand_no)

    def drop_hands(self, table_id: str) -> int:
        """Delete a table's hands and what points to them."""
        self._execute("DELETE FROM players WHERE table_id = ?", table_id)
        return self._execute("DELETE FROM hands WHERE table_id = ?", table_id).rowcount

    def forget(self, identity: str) -> int:
        """Delete what points from somebody to hands."""
        return self._execute("DELETE FROM players WHERE identity = ?", identity).rowcount

    def ping(self) -> None:
        """Nothing; that it is carried out says that a transaction could begin and end."""

    # --- inside a transaction -------------------------------------------------------------------

    def _execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        self._flush()
        return self._db.execute(statement, values)

    def _flush(self) -> None:
        if self._rows:
            self._db.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", self._rows)
            self._rows.clear()

    def _remember(self, table_id: str) -> tuple[int, int]:
        query = "SELECT coalesce(max(seq), 0) FROM log WHERE table_id = ?"
        (head_seq,) = self._execute(query, table_id).fetchone()
        owner = self._execute("SELECT fence FROM owners WHERE table_id = ?", table_id).fetchone()
        self._logs[table_id] = known = (head_seq, owner[0] if owner else 0)
        return known

    def _fold_the_log(self) -> None:
        """Now and then put what has been committed into the file itself: SQLite would leave the first megabytes beside it."""
        now = time.monotonic()
        if now < self._checkpoint_at:
            return
        self._checkpoint_at = now + self._checkpoint_s
        try:
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").close()
        except sqlite3.Error as error:
            self._judged(error)  # what was committed is kept, whatever came of this

    def _roll_back(self) -> None:
        self._rows.clear()
        self._logs.clear()
        if self._db.in_transaction:
            try:
                self._db.execute("ROLLBACK")
            except sqlite3.Error as error:
                self._failure = StoreUnusable(f"store {self._name}: {error}; restart the server")

    def _judged(self, error: Exception) -> Exception:
        """The error for the callers; an error of the disk is one for all callers to come."""
        if not isinstance(error, sqlite3.Error):
            return error
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _FATAL:
            text = f"store {self._name}: {error}; look to the disk and restart the server"
            self._failure = StoreUnusable(text)
            return self._failure
        return StoreWriteFailed(f"store {self._name}: {error}; nothing was written")


def _failed(calls: Sequence[Call], error: Exception) -> list[Answer]:
    return [Answer(call.future, None, error) for call in calls]
