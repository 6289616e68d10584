"""A Redis that keeps nothing on disk is killed and comes back empty: everybody is told, and the servers go on."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from oddtrick_protocol import messages as m
from oddtrick_server.keyring import KEYS
from support.redis_servers import RedisServer
from support.several import NO_CLOCKS, QUICK, several, until

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_table_that_the_store_has_lost_is_closed_to_its_people(tmp_path: Path) -> None:
    """Players at the owner and elsewhere, and who watches, are told that the table is no more, keep their lines, and play anew."""
    with RedisServer(tmp_path / "redis") as redis:
        async with AsyncExitStack() as stack:
            servers = await stack.enter_async_context(
                several(f"redis://127.0.0.1:{redis.port}", 2, limits=replace(QUICK, sweep_s=0.2))
            )
            people = [
                await stack.enter_async_context(servers.client(number % 2, f"P{number}", bot=True))
                for number in range(5)
            ]
            table = (await people[0].create(clocks=NO_CLOCKS, enforcement="strict")).table
            assert table is not None
            tables = [await one.sit(table) for one in people[:4]]
            await people[4].watch(table)
            await tables[0].ask(m.Start)
            await until(lambda: all(one.mirror.state is not None for one in tables))
            keys = {name: await servers.stores[0].get(KEYS, name) for name in await servers.stores[0].list_keys(KEYS)}
            redis.kill()
            redis.start()
            await until(lambda: not any(table in one.session.tables for one in people))
            assert all(one.session.connected for one in people)
            await until(lambda: not any(len(app.lobby) for app in servers.apps))
            again = (await people[1].create(clocks=NO_CLOCKS)).table
            assert again is not None
            await people[0].sit(again)
            for app in servers.apps:
                await app.keyring.refresh()
            assert {name: await servers.stores[1].get(KEYS, name) for name in keys} == keys
