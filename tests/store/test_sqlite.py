import asyncio
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from oddtrick_server.store.errors import StoreCorrupt, StoreError, StoreInUse, StoreTooNew, StoreUnusable
from oddtrick_server.store.interface import AppendResult, HandRef, Outcome, TableRow
from oddtrick_server.store.sqlite import SqliteStore
from oddtrick_server.store.sqlite_file import SCHEMA_VERSION


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "club.db"


async def fill(path: Path) -> None:
    """A store with something of everything, closed."""
    store = SqliteStore(path)
    fence = await store.acquire("t", "server")
    await store.append("t", 0, [b"1", b"2"], fence=fence, command_key=b"k")
    await store.put_table("t", b"meta")
    await store.put("n", "k", b"value")
    await store.put_hand("t", 1, b"hand", identities=["ann"], finished_ms=5)
    await store.close()


def filled(path: Path) -> None:
    asyncio.run(fill(path))


def altered(path: Path, statement: str) -> None:
    """Change a closed store behind its back."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(statement)
    db.close()


# --- durability ---------------------------------------------------------------------------------


async def test_all_of_it_is_there_after_a_restart(path: Path) -> None:
    """What was put into a store that was closed is in it when it is opened again."""
    await fill(path)
    store = SqliteStore(path)
    assert [(entry.fence, entry.body, entry.command_key) for entry in await store.read("t")] == [
        (1, b"1", b"k"),
        (1, b"2", b"k"),
    ]
    assert await store.list_tables() == [TableRow("t", b"meta")]
    assert await store.get("n", "k") == b"value"
    assert await store.get_hand("t", 1) == b"hand"
    assert await store.list_hands_of("ann") == [HandRef("t", 1, 5)]
    assert (await store.append("t", 0, [b"1", b"2"], fence=1, command_key=b"k")).outcome is Outcome.DUP
    assert await store.acquire("t", "server") == 2
    assert await store.acquire("u", "server") == 3
    await store.close()


async def test_closing_finishes_what_was_begun(path: Path) -> None:
    """Appends that nobody waited for yet are stored and answered before the store is closed."""
    store = SqliteStore(path)
    begun = [asyncio.ensure_future(store.append("t", seq, [b"%d" % seq])) for seq in range(200)]
    await store.close()
    assert [result.head_seq for result in await asyncio.gather(*begun)] == list(range(1, 201))
    again = SqliteStore(path)
    assert [entry.body for entry in await again.read("t")] == [b"%d" % seq for seq in range(200)]
    await again.close()


async def test_nothing_is_acknowledged_before_it_is_committed(path: Path) -> None:
    """While the transaction cannot end an append is not answered and not to be read."""
    store = SqliteStore(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begun = asyncio.ensure_future(store.append("t", 0, [b"1"]))
    for _ in range(50):
        assert await store.read("t") == []
        assert not begun.done()
    other.execute("ROLLBACK")
    other.close()
    assert await begun == AppendResult(Outcome.OK, 1)
    await store.close()


async def test_an_append_that_was_cancelled_may_be_repeated(path: Path) -> None:
    """A caller who gave up and asks again finds his entries stored once."""
    store = SqliteStore(path)
    begun = asyncio.ensure_future(store.append("t", 0, [b"1"], command_key=b"k"))
    begun.cancel()
    with pytest.raises(asyncio.CancelledError):
        await begun
    assert (await store.append("t", 0, [b"1"], command_key=b"k")).is_stored
    assert [entry.body for entry in await store.read("t")] == [b"1"]
    await store.close()


async def test_every_commit_waits_for_the_disk(path: Path) -> None:
    """The writer's connection is in WAL mode with full synchronisation, and deletes for good."""
    store = SqliteStore(path)
    for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("fullfsync", 1), ("secure_delete", 1)):
        assert store._write_db.execute(f"PRAGMA {pragma}").fetchone() == (value,)
    await store.close()


WRITE_UNTIL_KILLED = """
import asyncio, os, sys
from pathlib import Path
from oddtrick_server.store.sqlite import SqliteStore

async def play(store, table_id):
    fence = await store.acquire(table_id, "server")
    seq = len(await store.read(table_id))
    while True:
        entries = [b"%s %d" % (table_id.encode(), n) for n in range(seq, seq + 1 + seq % 3)]
        result = await store.append(table_id, seq, entries, fence=fence, command_key=b"%d" % seq)
        seq += len(entries)
        assert (result.outcome.name, result.head_seq) == ("OK", seq)
        os.write(1, b"%s %d\\n" % (table_id.encode(), seq))

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    await asyncio.gather(*(play(store, f"t{n}") for n in range(20)))

asyncio.run(main())
"""


async def logs_of(path: Path) -> dict[str, list[str]]:
    store = SqliteStore(path)
    logs = {f"t{n}": [entry.body.decode() for entry in await store.read(f"t{n}")] for n in range(20)}
    await store.close()
    return logs


def test_killed_at_any_moment_it_has_lost_nothing(path: Path, size: Callable[[int, int], int], seed: int) -> None:
    """After kill -9 under load every acknowledged entry is there, once, in place, with no gap."""
    random, acknowledged = Random(seed), dict[str, int]()
    for _ in range(size(4, 40)):
        command = [sys.executable, "-c", WRITE_UNTIL_KILLED, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=path.parent) as writer:
            assert writer.stdout
            lines = [writer.stdout.readline() for _ in range(random.randrange(1, 2_000))]
            writer.kill()
            lines += writer.stdout.readlines()
        for line in lines:
            table_id, head = line.decode().split()
            acknowledged[table_id] = int(head)
        for table_id, log in asyncio.run(logs_of(path)).items():
            assert len(log) >= acknowledged.get(table_id, 0)
            assert log == [f"{table_id} {n}" for n in range(len(log))]
    assert sum(acknowledged.values()) > 0


# --- one file, one process ----------------------------------------------------------------------


async def test_one_process_at_a_time(path: Path) -> None:
    """Who opens a store that is open is told which process has it; when that ends, he may."""
    store = SqliteStore(path)
    with pytest.raises(StoreInUse, match=r"process \d+ has it open"):
        SqliteStore(path)
    script = f"from pathlib import Path\nfrom oddtrick_server.store.sqlite import SqliteStore\nSqliteStore(Path({str(path)!r}))"
    other = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", script], capture_output=True, check=False, cwd=path.parent
    )
    assert other.returncode == 1
    assert b"StoreInUse" in other.stderr
    assert await store.append("t", 0, [b"1"]) == AppendResult(Outcome.OK, 1)
    await store.close()
    await SqliteStore(path).close()


async def test_only_its_owner_may_read_the_files(path: Path) -> None:
    """The file and those SQLite makes beside it hold secrets: no group, no others."""
    store = SqliteStore(path)
    await store.put("n", "k", b"secret")
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files] == ["club.db", "club.db-shm", "club.db-wal", "club.db.lock"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    await store.close()


# --- files that will not do ---------------------------------------------------------------------


def refusal(path: Path, kind: type[StoreError] = StoreUnusable) -> str:
    """What opening says; afterwards nobody holds the lock."""
    texts = set()
    for _ in range(2):
        with pytest.raises(kind) as caught:
            SqliteStore(path)
        assert type(caught.value) is kind
        texts.add(str(caught.value).replace(str(path.parent), ""))
    (text,) = texts
    assert "\n" not in text
    return text


def test_a_newer_store_is_left_as_it_is(path: Path) -> None:
    """A store of a later form is StoreTooNew, and not a byte of it is changed."""
    filled(path)
    altered(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    assert refusal(path, StoreTooNew) == (
        f"store /club.db: was written by a newer oddtrick (form {SCHEMA_VERSION + 1}, this one knows"
        f" {SCHEMA_VERSION}); use that version, the file was left as it is"
    )
    assert path.read_bytes() == before


def test_another_programs_database_is_left_as_it_is(path: Path) -> None:
    """A database that is not ours is refused, and not a byte of it is changed."""
    altered(path, "CREATE TABLE theirs (a)")
    before = path.read_bytes()
    assert refusal(path) == "store /club.db: is another program's database; choose another file"
    assert path.read_bytes() == before


async def test_a_store_of_the_first_form_is_brought_up_to_date(path: Path) -> None:
    """A file written before logs could be trimmed opens with all that is in it, and its logs can be trimmed."""
    await fill(path)
    altered(path, "DROP TABLE trims")
    altered(path, "PRAGMA user_version = 1")
    for _ in range(2):
        store = SqliteStore(path)
        assert [entry.body for entry in await store.read("t")][-1:] == [b"2"]
        assert await store.get("n", "k") == b"value"
        assert await store.trim("t", 2, fence=1)
        assert [entry.seq for entry in await store.read("t")] == [2]
        await store.close()


def test_a_file_that_is_no_database(path: Path) -> None:
    """A text is refused in one line, and left."""
    path.write_text("Dear diary, today we played whist. " * 200)
    assert refusal(path) == "store /club.db: file is not a database; choose another file"
    assert path.read_text().startswith("Dear diary")


def test_a_place_where_no_file_can_be(tmp_path: Path) -> None:
    """A directory, or a path into one that is not there, is refused in one line; nothing is made."""
    (tmp_path / "dir").mkdir()
    assert refusal(tmp_path / "dir") == "store /dir: is a directory; name a file"
    assert refusal(tmp_path / "no" / "club.db").startswith("store /club.db: there is no directory ")
    assert [file.name for file in tmp_path.iterdir()] == ["dir"]


def test_a_file_cut_short_is_refused(path: Path) -> None:
    """Half a store is found when it is opened, with what to do."""
    filled(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert refusal(path).endswith("restore a backup")


def test_a_damaged_page_is_found(path: Path) -> None:
    """A store with a page overwritten is refused when it is opened."""
    filled(path)
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(4096)
    path.write_bytes(data)
    assert refusal(path).endswith("restore a backup")


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    """A file without a byte in it is as good as none."""
    path.touch()
    filled(path)
    assert path.stat().st_size > 0


async def test_a_damaged_record_is_found_when_it_is_read(path: Path) -> None:
    """A record that is not what was written is StoreCorrupt with its place; the others are read."""
    await fill(path)
    altered(path, "UPDATE log SET record = x'0100' WHERE seq = 2")
    altered(path, "UPDATE pairs SET record = CAST(replace(record, 'v', 'w') AS BLOB)")
    store = SqliteStore(path)
    with pytest.raises(StoreCorrupt, match="entry 2 of table t is damaged"):
        await store.read("t")
    assert [entry.body for entry in await store.read("t", limit=1)] == [b"1"]
    with pytest.raises(StoreCorrupt, match="damaged"):
        await store.get("n", "k")
    assert await store.get_table("t") == b"meta"
    await store.close()


async def test_a_missing_entry_is_found_when_it_is_read(path: Path) -> None:
    """A log with a gap is StoreCorrupt, not a shorter game."""
    await fill(path)
    altered(path, "DELETE FROM log WHERE seq = 1")
    store = SqliteStore(path)
    with pytest.raises(StoreCorrupt, match="entry 1 of table t is missing"):
        await store.read("t")
    await store.close()
