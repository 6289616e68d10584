"""Stores that a server cannot or should not read: it says so in a line, and changes nothing in them."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from oddtrick_protocol import messages as m
from oddtrick_sdk import Client, Refused
from oddtrick_server.store.opening import open_store
from support.processes import run, serving

SPOILED = {
    "an entry of a newer form": msgspec.msgpack.encode({"v": 99, "at": 0.0, "steps": [{"type": "time travel"}]}),
    "bytes that are no entry": b"\xc1 what is this",
    "an entry of nothing known": msgspec.msgpack.encode(
        {"at": 0.0, "steps": [{"type": "happened", "event": {"t": "?"}}]}
    ),
}


async def some_tables(folder: Path, count: int) -> list[str]:
    """A store with so many tables that have been opened and left standing."""
    async with serving(folder) as server, Client(server.url, name="Host") as host:
        tables = []
        for _ in range(count):
            tables.append((await host.create(bots=3)).table or "")
            await host.sit(tables[-1])
            await host.table(tables[-1]).ask(m.Start)
        return tables


async def test_a_store_of_a_newer_version_is_refused_and_not_touched(tmp_path: Path) -> None:
    """A store that a newer version wrote is named in one line, and left byte for byte as it was."""
    await some_tables(tmp_path, 1)
    with sqlite3.connect(tmp_path / "tables.db") as database:
        database.execute("PRAGMA user_version = 999")
    database.close()
    before = (tmp_path / "tables.db").read_bytes()
    done = await run("serve", "--port", "0", "--store", "sqlite:tables.db", folder=tmp_path)
    assert done.code == 2
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert "tables.db" in line
    assert "newer" in line
    assert (tmp_path / "tables.db").read_bytes() == before


@pytest.mark.parametrize("spoiled", SPOILED)
async def test_a_table_that_cannot_be_read_is_refused_by_name(spoiled: str, tmp_path: Path) -> None:
    """One table whose log is damaged or of a newer form is refused by name, kept as it is, and holds up no other table."""
    bad, good = await some_tables(tmp_path, 2)
    store = open_store(f"sqlite:{tmp_path / 'tables.db'}")
    log = await store.read(bad)
    fence = await store.acquire(bad, "somebody")
    assert (await store.append(bad, len(log), [SPOILED[spoiled]], fence=fence)).is_stored
    await store.close()
    async with serving(tmp_path) as server, Client(server.url, name="Guest") as guest:
        for _ in range(3):
            with pytest.raises(Refused) as refused:
                await guest.watch(bad)
            assert refused.value.code == "internal"
        table = await guest.watch(good)
        await guest.ping()
        assert table.mirror.info.code == "english-1864"
        faults = [line for line in server.errors.splitlines() if bad in line]
        assert faults
    store = open_store(f"sqlite:{tmp_path / 'tables.db'}")
    kept = [entry.body for entry in await store.read(bad)]
    await store.close()
    assert kept == [*(entry.body for entry in log), SPOILED[spoiled]]
