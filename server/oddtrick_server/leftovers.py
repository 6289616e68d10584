"""What nobody would ever delete otherwise: looked for once a day."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from oddtrick_server.dealing import table_of
from oddtrick_server.table_actor import SECRETS, WITH_HANDS

if TYPE_CHECKING:
    from oddtrick_server.store.interface import Store

SLICE: Final = 100  # of them between two looks at the tables


async def drop_secrets_of_closed_tables(store: Store) -> int:
    """Delete secrets of deals that no table will open; how many.

    A table deletes its own as it opens them. There are others: of a server that lost its table when it had put a secret and
    not yet said so in the log. They stay until the table is closed.
    """
    # In this order: a table is in the directory before its first secret is kept, so one that is not there by now is closed.
    names = await store.list_keys(SECRETS)
    tables = {row.table_id for row in await store.list_tables()} if names else set()
    count = 0
    for number, name in enumerate(names, 1):
        if number % SLICE == 0:
            await asyncio.sleep(0)  # a store in memory answers at once
        if table_of(name) not in tables:
            count += await store.delete(SECRETS, name)
    return count


async def drop_old_hands(store: Store, *, before_ms: int) -> int:
    """Delete the finished hands of closed tables that had their last one before that time (Unix time); of how many tables."""
    # In this order: a table is in the directory before its first hand is kept, so one that is not there by now is closed.
    tables = await store.list_keys(WITH_HANDS)
    open_ones = {row.table_id for row in await store.list_tables()} if tables else set()
    count = 0
    for number, table_id in enumerate(tables, 1):
        if number % SLICE == 0:
            await asyncio.sleep(0)  # a store in memory answers at once
        if table_id in open_ones:
            continue
        last = await store.get(WITH_HANDS, table_id)
        if last is not None and int(last) < before_ms:
            await store.drop_hands(table_id)
            count += await store.delete(WITH_HANDS, table_id)
    return count
