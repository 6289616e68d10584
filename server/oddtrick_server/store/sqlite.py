"""The store of a server by itself: one SQLite file, no service.

A call here only checks, encodes, and puts work on one of two threads: the writer, which commits in
groups (`sqlite_writer`), or the reader (`sqlite_reader`). Both are bounded; the event loop never
waits for the disk. The file is ours alone while it is open, and survives the end of the process
and of the machine at any moment: every acknowledged change is in it.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Sequence
from pathlib import Path

from oddtrick_server.store.checks import check_append, check_body, check_names, check_numbers
from oddtrick_server.store.files import FileLock, refuse_network_file_system
from oddtrick_server.store.interface import (
    DEFAULT_BOUNDS,
    AppendResult,
    HandRef,
    LogEntry,
    StoreBounds,
    TableRow,
)
from oddtrick_server.store.records import encode_append, encode_value
from oddtrick_server.store.sqlite_file import connect_reader, connect_writer, demand_place, unusable
from oddtrick_server.store.sqlite_reader import SqliteReader
from oddtrick_server.store.sqlite_writer import SqliteWriter
from oddtrick_server.store.worker import Worker


class SqliteStore:
    """A `Store` in a SQLite file; opening it blocks, and raises StoreUnusable with one clear line."""

    def __init__(self, path: Path, *, bounds: StoreBounds = DEFAULT_BOUNDS) -> None:
        refuse_network_file_system(path)
        self._bounds = bounds
        self._closing = threading.Lock()
        self._closed = False
        self._lock, self._write_db, self._read_db = _open(path)
        writer = SqliteWriter(self._write_db, str(path))
        reader = SqliteReader(self._read_db, str(path))
        self._writer = Worker("oddtrick-store-writer", writer.process, bounds=bounds)
        self._reader = Worker("oddtrick-store-reader", reader.process, bounds=bounds)

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
        """Append all of `entries` to a table's log, or none."""
        check_names(self._bounds, table_id)
        check_numbers(expected_seq, fence)
        check_append(self._bounds, entries, command_key)
        records = encode_append(entries, command_key)
        args = (table_id, expected_seq, records, fence)
        return self._writer.submit(SqliteWriter.append, *args, size_bytes=sum(map(len, records)))

    def read(self, table_id: str, after_seq: int = 0, *, limit: int | None = None) -> Awaitable[list[LogEntry]]:
        """The entries numbered above `after_seq`, in order."""
        check_names(self._bounds, table_id)
        check_numbers(after_seq, limit)
        return self._reader.submit(SqliteReader.read, table_id, after_seq, limit)

    def trim(self, table_id: str, first_seq: int, *, fence: int = 0) -> Awaitable[bool]:
        """Delete the entries numbered below `first_seq`."""
        check_names(self._bounds, table_id)
        check_numbers(first_seq, fence)
        return self._writer.submit(SqliteWriter.trim, table_id, first_seq, fence)

    def acquire(self, table_id: str, owner: str) -> Awaitable[int]:
        """Make `owner` the one that may append; always granted."""
        check_names(self._bounds, table_id, owner)
        return self._writer.submit(SqliteWriter.acquire, table_id, owner)

    # --- directory ------------------------------------------------------------------------------

    def put_table(self, table_id: str, meta: bytes) -> Awaitable[None]:
        """Put a table into the directory, or change what is kept about it."""
        check_names(self._bounds, table_id)
        record = self._encoded(meta)
        return self._writer.submit(SqliteWriter.put_table, table_id, record, size_bytes=len(record))

    def get_table(self, table_id: str) -> Awaitable[bytes | None]:
        """What is kept about a table."""
        check_names(self._bounds, table_id)
        return self._reader.submit(SqliteReader.get_table, table_id)

    def list_tables(self) -> Awaitable[list[TableRow]]:
        """All tables of the directory, by identifier."""
        return self._reader.submit(SqliteReader.list_tables)

    def drop_table(self, table_id: str) -> Awaitable[bool]:
        """Delete a table's row, log and owner."""
        check_names(self._bounds, table_id)
        return self._writer.submit(SqliteWriter.drop_table, table_id)

    # --- pairs ----------------------------------------------------------------------------------

    def put(self, namespace: str, key: str, value: bytes, *, only_new: bool = False) -> Awaitable[bool]:
        """Keep a value; with `only_new`, only if the key has none."""
        check_names(self._bounds, namespace, key)
        record = self._encoded(value)
        args = (namespace, key, record, only_new)
        return self._writer.submit(SqliteWriter.put, *args, size_bytes=len(record))

    def get(self, namespace: str, key: str) -> Awaitable[bytes | None]:
        """The value of a key, or None."""
        check_names(self._bounds, namespace, key)
        return self._reader.submit(SqliteReader.get, namespace, key)

    def delete(self, namespace: str, key: str) -> Awaitable[bool]:
        """Delete a key and its value."""
        check_names(self._bounds, namespace, key)
        return self._writer.submit(SqliteWriter.delete, namespace, key)

    def list_keys(self, namespace: str) -> Awaitable[list[str]]:
        """All keys of a namespace, sorted."""
        check_names(self._bounds, namespace)
        return self._reader.submit(SqliteReader.list_keys, namespace)

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
        """Keep a finished hand."""
        check_names(self._bounds, table_id, *identities)
        check_numbers(hand_no, finished_ms)
        stored = self._encoded(record)
        args = (table_id, hand_no, stored, frozenset(identities), finished_ms)
        return self._writer.submit(SqliteWriter.put_hand, *args, size_bytes=len(stored))

    def get_hand(self, table_id: str, hand_no: int) -> Awaitable[bytes | None]:
        """The record of a hand, or None."""
        check_names(self._bounds, table_id)
        check_numbers(hand_no)
        return self._reader.submit(SqliteReader.get_hand, table_id, hand_no)

    def list_hands(self, table_id: str) -> Awaitable[list[HandRef]]:
        """The finished hands of a table, by number."""
        check_names(self._bounds, table_id)
        return self._reader.submit(SqliteReader.list_hands, table_id)

    def list_hands_of(self, identity: str, *, limit: int = 100) -> Awaitable[list[HandRef]]:
        """The hands somebody took part in, latest first."""
        check_names(self._bounds, identity)
        check_numbers(limit)
        return self._reader.submit(SqliteReader.list_hands_of, identity, limit)

    def drop_hands(self, table_id: str) -> Awaitable[int]:
        """Delete all finished hands of a table."""
        check_names(self._bounds, table_id)
        return self._writer.submit(SqliteWriter.drop_hands, table_id)

    def forget(self, identity: str) -> Awaitable[int]:
        """Take somebody out of the index of hands."""
        check_names(self._bounds, identity)
        return self._writer.submit(SqliteWriter.forget, identity)

    # --- life -----------------------------------------------------------------------------------

    def ping(self) -> Awaitable[None]:
        """Return if a transaction could begin and end now."""
        return self._writer.submit(SqliteWriter.ping)

    async def close(self) -> None:
        """Finish every call made before, fold the log into the file, and let go of it."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._writer.close()
            self._reader.close()
            self._read_db.close()
            self._write_db.close()
            self._lock.release()

    def _encoded(self, body: bytes) -> bytes:
        check_body(self._bounds, body)
        return encode_value(body)


def _open(path: Path) -> tuple[FileLock, sqlite3.Connection, sqlite3.Connection]:
    demand_place(path)
    lock = FileLock(path)
    write_db = None
    try:
        write_db = connect_writer(path)
        return lock, write_db, connect_reader(path)
    except sqlite3.Error as error:
        if write_db is not None:
            write_db.close()
        lock.release()
        raise unusable(path, error) from error
    except BaseException:
        lock.release()
        raise
