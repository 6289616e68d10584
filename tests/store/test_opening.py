from pathlib import Path

import pytest

from oddtrick_server.store.errors import StoreUnusable
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.store.opening import open_store
from oddtrick_server.store.sqlite import SqliteStore


async def test_the_store_an_operator_names(tmp_path: Path) -> None:
    """`memory` is the memory, `sqlite:PATH` a file at that path, colons and blanks in it or not."""
    assert isinstance(open_store("memory"), MemoryStore)
    store = open_store(f"sqlite:{tmp_path}/a club: ours.db")
    assert isinstance(store, SqliteStore)
    assert (tmp_path / "a club: ours.db").is_file()
    await store.close()


@pytest.mark.parametrize(
    "spec", ["", "memory:", "sqlite", "sqlite:", "sqlite::memory:", "sqlite:a\x00b", "mysql:x", "Memory"]
)
def test_a_store_we_do_not_know(spec: str) -> None:
    """Anything else is one line that says what there is."""
    with pytest.raises(StoreUnusable, match=r"use 'memory', 'sqlite:PATH' or 'redis://HOST:PORT'$") as caught:
        open_store(spec)
    assert "\n" not in str(caught.value)
