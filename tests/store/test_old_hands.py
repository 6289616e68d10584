"""Finished hands are kept for so long, whoever keeps them, and no longer."""

from collections.abc import Callable

import pytest

from oddtrick_server.leftovers import drop_old_hands
from oddtrick_server.store.interface import Store
from oddtrick_server.table_actor import WITH_HANDS


@pytest.mark.parametrize("kind", ["memory", "sqlite", "redis"])
async def test_old_hands_of_closed_tables_are_dropped(open_keeper: Callable[[str], Store], kind: str) -> None:
    """Of tables that are closed and had no hand since, all hands go, from the players' own lists too; of all others none."""
    store = open_keeper(kind)
    await store.put_table("open", b"")
    for table_id, times in (("open", [1, 2]), ("old", [3, 4]), ("late", [5, 60])):
        for number, finished_ms in enumerate(times, 1):
            await store.put(WITH_HANDS, table_id, str(finished_ms).encode())
            await store.put_hand(table_id, number, b"record", identities=["anna"], finished_ms=finished_ms)
    assert await drop_old_hands(store, before_ms=60) == 1
    left = [(ref.table_id, ref.hand_no) for ref in await store.list_hands_of("anna")]
    assert left == [("late", 2), ("late", 1), ("open", 2), ("open", 1)]
    assert await store.get_hand("old", 1) is None
    assert await store.list_keys(WITH_HANDS) == ["late", "open"]
    assert await drop_old_hands(store, before_ms=60) == 0
    await store.drop_table("open")
    assert await drop_old_hands(store, before_ms=61) == 2
    assert await store.list_hands_of("anna") == []
    await store.close()
