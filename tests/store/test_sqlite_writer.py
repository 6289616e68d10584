import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from oddtrick_server.store.errors import StoreUnusable
from oddtrick_server.store.interface import AppendResult, Outcome
from oddtrick_server.store.sqlite_file import connect_writer
from oddtrick_server.store.sqlite_writer import SqliteWriter
from oddtrick_server.store.worker import Answer, Call

FAILED_FSYNC = sqlite3.SQLITE_IOERR | 4 << 8


class FaultyConnection(sqlite3.Connection):
    """A connection on which statements can be made to fail, each with an error code of SQLite."""

    faults: dict[str, int]  # first word of a statement: the error it gives

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        code = self.faults.get(statement.split(maxsplit=1)[0])
        if code is not None:
            error = sqlite3.OperationalError("made to fail")
            error.sqlite_errorcode = code
            raise error
        return super().execute(statement, *values)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "club.db"


@pytest.fixture
def db(path: Path) -> Iterator[FaultyConnection]:
    connect_writer(path).close()
    connection = sqlite3.connect(path, timeout=0, isolation_level=None, factory=FaultyConnection)
    connection.faults = {}
    yield connection
    connection.close()


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


Make = Callable[..., Call]


@pytest.fixture
def call(loop: asyncio.AbstractEventLoop) -> Make:
    def make(run: Callable[..., Any], *args: object) -> Call:
        return Call(run, args, loop.create_future(), 0)

    return make


def append(call: Make, table_id: str, seq: int, *bodies: bytes) -> Call:
    return call(SqliteWriter.append, table_id, seq, list(bodies), 0)


def outcomes(answers: list[Answer]) -> list[object]:
    return [answer.result.outcome.name if answer.error is None else type(answer.error).__name__ for answer in answers]


def stored(db: sqlite3.Connection) -> list[tuple[str, int, bytes]]:
    return list(db.execute("SELECT table_id, seq, record FROM log ORDER BY table_id, seq"))


def test_a_batch_is_one_transaction(db: FaultyConnection, call: Make) -> None:
    """However many calls: one BEGIN, one COMMIT; calls see what those before them did."""
    writer, statements = SqliteWriter(db, "club.db"), list[str]()
    db.set_trace_callback(statements.append)
    answers = writer.process(
        [
            append(call, "t", 0, b"1", b"2"),
            append(call, "t", 2, b"3"),
            append(call, "t", 2, b"3"),
            append(call, "t", 2, b"X"),
            append(call, "t", 9, b"X"),
            append(call, "u", 0, b"1"),
            call(SqliteWriter.drop_table, "u"),
            append(call, "u", 0, b"new"),
        ]
    )
    assert [answer.result for answer in answers] == [
        AppendResult(Outcome.OK, 2),
        AppendResult(Outcome.OK, 3),
        AppendResult(Outcome.DUP, 3),
        AppendResult(Outcome.CONFLICT, 3),
        AppendResult(Outcome.GAP, 3),
        AppendResult(Outcome.OK, 1),
        True,
        AppendResult(Outcome.OK, 1),
    ]
    assert [s for s in statements if s.startswith(("BEGIN", "COMMIT", "ROLLBACK"))] == ["BEGIN IMMEDIATE", "COMMIT"]
    assert stored(db) == [("t", 1, b"1"), ("t", 2, b"2"), ("t", 3, b"3"), ("u", 1, b"new")]


def test_a_full_disk_fails_only_what_does_not_fit(db: FaultyConnection, call: Make) -> None:
    """Of a batch the calls that fit are stored, the others whole undone; with room they succeed."""
    writer = SqliteWriter(db, "club.db")
    db.execute("PRAGMA max_page_count = 40")
    large = bytes(200_000)
    calls = [append(call, "a", 0, b"1"), append(call, "b", 0, b"1", large), append(call, "c", 0, b"1")]
    answers = writer.process(calls)
    assert outcomes(answers) == ["OK", "StoreWriteFailed", "OK"]
    assert str(answers[1].error) == "store club.db: database or disk is full; nothing was written"
    assert stored(db) == [("a", 1, b"1"), ("c", 1, b"1")]
    db.execute("PRAGMA max_page_count = 4000")
    assert outcomes(writer.process(calls)) == ["DUP", "OK", "DUP"]


@pytest.mark.parametrize("statement", ["BEGIN", "COMMIT"])
def test_after_an_error_of_the_disk_nothing_is_written(db: FaultyConnection, call: Make, statement: str) -> None:
    """An I/O error fails its whole batch and all calls after it, even if the disk seems well again."""
    writer = SqliteWriter(db, "club.db")
    db.faults = {statement: FAILED_FSYNC}
    answers = writer.process([append(call, "a", 0, b"1"), append(call, "b", 0, b"1")])
    assert outcomes(answers) == ["StoreUnusable", "StoreUnusable"]
    assert str(answers[0].error) == "store club.db: made to fail; look to the disk and restart the server"
    db.faults = {}
    assert outcomes(writer.process([append(call, "a", 0, b"1")])) == ["StoreUnusable"]
    assert stored(db) == []


def test_a_transaction_that_cannot_be_undone_ends_all(db: FaultyConnection, call: Make) -> None:
    """If even the ROLLBACK fails the store is unusable from then on."""
    writer = SqliteWriter(db, "club.db")
    db.faults = {"COMMIT": sqlite3.SQLITE_FULL, "ROLLBACK": sqlite3.SQLITE_ERROR}
    assert outcomes(writer.process([append(call, "a", 0, b"1")])) == ["StoreUnusable"]
    db.faults = {}
    assert outcomes(writer.process([append(call, "b", 0, b"1")])) == ["StoreUnusable"]


def test_a_file_held_by_another_fails_the_batch_once(db: FaultyConnection, path: Path, call: Make) -> None:
    """While another holds the file a batch waits once, not call by call; later all is well."""
    writer = SqliteWriter(db, "club.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begins = list[str]()
    db.set_trace_callback(begins.append)
    calls = [append(call, "a", 0, b"1"), append(call, "b", 0, b"1")]
    assert outcomes(writer.process(calls)) == ["StoreWriteFailed", "StoreWriteFailed"]
    assert begins == ["BEGIN IMMEDIATE"]
    other.execute("ROLLBACK")
    other.close()
    assert outcomes(writer.process(calls)) == ["OK", "OK"]


def test_a_bug_in_one_call_leaves_its_neighbours_alone(db: FaultyConnection, call: Make) -> None:
    """A call that raises what nobody foresaw gets that error back; the others are stored."""
    writer = SqliteWriter(db, "club.db")
    too_large = call(SqliteWriter.put_hand, "t", 1 << 70, b"", frozenset[str](), 0)
    answers = writer.process([append(call, "a", 0, b"1"), too_large, append(call, "b", 0, b"1")])
    assert outcomes(answers) == ["OK", "OverflowError", "OK"]
    assert [table_id for table_id, _, _ in stored(db)] == ["a", "b"]


def test_it_forgets_logs_it_need_not_remember(
    db: FaultyConnection, call: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is remembered of logs is bounded, and an append to a log forgotten is judged alike."""
    monkeypatch.setattr("oddtrick_server.store.sqlite_writer.LOGS_REMEMBERED_MAX", 2)
    writer = SqliteWriter(db, "club.db")
    for seq in range(3):
        answers = writer.process([append(call, table_id, seq, b"x") for table_id in "abcde"])
        assert outcomes(answers) == ["OK"] * 5
        assert len(writer._logs) <= 2


@pytest.mark.parametrize(("checkpoint_s", "is_whole"), [(0.0, True), (3_600.0, False)])
def test_what_is_committed_comes_into_the_file_now_and_then(
    db: FaultyConnection, path: Path, tmp_path: Path, call: Make, *, checkpoint_s: float, is_whole: bool
) -> None:
    """When it is time, the file by itself has all that was committed; before that SQLite's own log has it."""
    db.execute("PRAGMA journal_mode = WAL").close()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
    writer = SqliteWriter(db, "club", checkpoint_s=checkpoint_s)
    assert not writer.process([call(SqliteWriter.put_table, "t", b"record")])[0].error
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    with contextlib.closing(sqlite3.connect(copy)) as copied:
        assert bool(copied.execute("SELECT * FROM directory").fetchall()) is is_whole


def test_a_disk_that_fails_when_the_log_is_folded_is_trusted_no_more(db: FaultyConnection, call: Make) -> None:
    """What was committed before is acknowledged; after an error of the disk nothing is tried again."""
    writer = SqliteWriter(db, "club", checkpoint_s=0.0)
    db.faults["PRAGMA"] = FAILED_FSYNC
    (first,) = writer.process([call(SqliteWriter.put_table, "t", b"record")])
    (second,) = writer.process([call(SqliteWriter.put_table, "t", b"record")])
    assert first.error is None
    assert isinstance(second.error, StoreUnusable)
