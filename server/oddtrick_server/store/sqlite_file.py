"""The file of a SQLite store: whether it is ours and sound, its tables, its settings.

Nothing is written to a file before it is known to be ours and not newer than we are.
`PRAGMA user_version` is the number of `MIGRATIONS` it has had.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from oddtrick_server.store.errors import StoreError, StoreTooNew, StoreUnusable

APPLICATION_ID = 0x4F645472  # "OdTr", in the file's header: file(1) can tell what it is
BUSY_TIMEOUT_MS = 5_000  # how long a backup or a curious operator may hold the file
WAL_BYTES_KEPT_MAX = 64 << 20
CHECKED_AT_OPENING_BYTES_MAX = 64 << 20  # read whole in well under a second

_STRICT = "STRICT" if sqlite3.sqlite_version_info >= (3, 37) else ""
_ROWS_BY_KEY = f"{_STRICT}, WITHOUT ROWID" if _STRICT else "WITHOUT ROWID"

_ADVICE = {
    sqlite3.SQLITE_BUSY: "end the process that holds it",
    sqlite3.SQLITE_CANTOPEN: "see to its permissions and its directory's",
    sqlite3.SQLITE_CORRUPT: "restore a backup",
    sqlite3.SQLITE_FULL: "make room on its disk",
    sqlite3.SQLITE_IOERR: "look to its disk",
    sqlite3.SQLITE_PERM: "see to its permissions and its directory's",
    sqlite3.SQLITE_READONLY: "see to its permissions and its directory's",
}

MIGRATIONS = (
    (
        f"""CREATE TABLE log (
            table_id TEXT NOT NULL, seq INTEGER NOT NULL CHECK (seq > 0),
            fence INTEGER NOT NULL, record BLOB NOT NULL,
            PRIMARY KEY (table_id, seq)
        ) {_ROWS_BY_KEY}""",
        f"""CREATE TABLE owners (
            table_id TEXT NOT NULL PRIMARY KEY, fence INTEGER NOT NULL, owner TEXT NOT NULL
        ) {_ROWS_BY_KEY}""",
        f"""CREATE TABLE fences (
            only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1), last INTEGER NOT NULL
        ) {_STRICT}""",
        "INSERT INTO fences VALUES (1, 0)",
        f"""CREATE TABLE directory (
            table_id TEXT NOT NULL PRIMARY KEY, record BLOB NOT NULL
        ) {_ROWS_BY_KEY}""",
        f"""CREATE TABLE pairs (
            namespace TEXT NOT NULL, key TEXT NOT NULL, record BLOB NOT NULL,
            PRIMARY KEY (namespace, key)
        ) {_ROWS_BY_KEY}""",
        f"""CREATE TABLE hands (
            table_id TEXT NOT NULL, hand_no INTEGER NOT NULL, finished_ms INTEGER NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY (table_id, hand_no)
        ) {_STRICT}""",
        f"""CREATE TABLE players (
            identity TEXT NOT NULL, finished_ms INTEGER NOT NULL,
            table_id TEXT NOT NULL, hand_no INTEGER NOT NULL,
            PRIMARY KEY (identity, finished_ms, table_id, hand_no)
        ) {_ROWS_BY_KEY}""",
        "CREATE INDEX players_by_hand ON players (table_id, hand_no)",
    ),
    (
        f"""CREATE TABLE trims (
            table_id TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL
        ) {_ROWS_BY_KEY}""",
    ),
)
SCHEMA_VERSION = len(MIGRATIONS)


def connect_writer(path: Path) -> sqlite3.Connection:
    """Open a store's file, make it if it is not there, bring it up to date.

    Raises StoreUnusable or StoreTooNew, with the file as it was.
    """
    try:
        # Made by us first, because it will hold secrets: SQLite gives its other files the same mode.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        db = _connect(path)
    except OSError as error:
        raise StoreUnusable(f"store {path}: cannot open it: {error.strerror}") from error
    except sqlite3.Error as error:
        raise unusable(path, error) from error
    try:
        _check(path, db)
        _settle(path, db)
        _migrate(db)
    except sqlite3.Error as error:
        db.close()
        raise unusable(path, error) from error
    except StoreError:
        db.close()
        raise
    return db


def connect_reader(path: Path) -> sqlite3.Connection:
    """A second connection to a file that `connect_writer` has opened; it cannot write."""
    db = _connect(path)
    db.execute("PRAGMA query_only = ON")
    return db


def unusable(path: Path, error: sqlite3.Error) -> StoreUnusable:
    """The one line to show for an error by which a file cannot be used."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    advice = _ADVICE.get(code, "choose another file")
    return StoreUnusable(f"store {path}: {error}; {advice}")


def demand_place(path: Path) -> None:
    """Raise StoreUnusable if a file cannot be at `path`."""
    if path.is_dir():
        raise StoreUnusable(f"store {path}: is a directory; name a file")
    if not path.parent.is_dir():
        raise StoreUnusable(f"store {path}: there is no directory {path.parent}")


def _connect(path: Path) -> sqlite3.Connection:
    # Each connection is used by one thread only, but not the one that opens it. No implicit
    # transactions: the writer says where they begin and end.
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def _check(path: Path, db: sqlite3.Connection) -> None:
    application_id = _number(db, "application_id")
    version = _number(db, "user_version")
    if application_id != APPLICATION_ID:
        if application_id == version == _number(db, "schema_version") == 0:
            return  # an empty file, or none before
        raise StoreUnusable(f"store {path}: is another program's database; choose another file")
    if version > SCHEMA_VERSION:
        raise StoreTooNew(
            f"store {path}: was written by a newer oddtrick (form {version}, this one knows"
            f" {SCHEMA_VERSION}); use that version, the file was left as it is"
        )
    if path.stat().st_size <= CHECKED_AT_OPENING_BYTES_MAX:
        with closing(db.execute("PRAGMA quick_check(1)")) as cursor:
            (verdict,) = cursor.fetchone()
        if verdict != "ok":
            line = " ".join(str(verdict).split())
            raise StoreUnusable(f"store {path}: is damaged ({line}); restore a backup")


def _settle(path: Path, db: sqlite3.Connection) -> None:
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreUnusable(f"store {path}: its file system has no shared memory for SQLite's log")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")  # on a Mac nothing less reaches the disk
    db.execute("PRAGMA secure_delete = ON")  # what is deleted on request is gone
    db.execute(f"PRAGMA journal_size_limit = {WAL_BYTES_KEPT_MAX}")


def _migrate(db: sqlite3.Connection) -> None:
    version = _number(db, "user_version")
    if version == SCHEMA_VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _number(db: sqlite3.Connection, pragma: str) -> int:
    (value,) = db.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
