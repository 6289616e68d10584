"""What an operator is told of several servers: each table once, each person where his line is, and whose a table is."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from oddtrick_server.operating import CannotBeDone
from support.several import NO_CLOCKS, lobby_of, several, until

if TYPE_CHECKING:
    from support.redis_servers import RedisServer


async def test_a_table_counts_once_and_is_said_to_be_whose_it_is(redis_server: RedisServer) -> None:
    """One of two servers has a table that the other shows: it counts at that one, its people where they are connected."""
    async with AsyncExitStack() as stack:
        servers = await stack.enter_async_context(several(f"redis://127.0.0.1:{redis_server.port}", 2))
        people = [await stack.enter_async_context(servers.client(number % 2, f"P{number}")) for number in range(4)]
        made = await people[0].create(clocks=NO_CLOCKS, bots=1)
        assert made.table is not None
        for one in people[:3]:
            await one.sit(made.table)
        await people[3].watch(made.table)
        here, there = (app._operating for app in servers.apps)
        await until(lambda: servers.followers(made.table or "") == [1])
        await until(lambda: there._now().people == {"seat": 1, "bystander": 1, "bot": 0})
        assert here._now().people == {"seat": 2, "bystander": 0, "bot": 1}
        assert (here._now().tables["waiting"], there._now().tables["waiting"]) == (1, 0)
        assert (here._now().live_tables, there._now().live_tables) == (1, 0)
        name = servers.apps[0].name
        for asked, is_here in ((here, True), (there, False)):
            (line,) = await asked.tables()
            assert (line["here"], line["server"]) == (is_here, name)
        with pytest.raises(CannotBeDone, match=f"server {name} has that table"):
            await there.close_table(made.table)
        await here.close_table(made.table)
        await until(lambda: not any(len(app.lobby) for app in servers.apps))


async def test_the_first_question_after_a_while_is_answered_from_the_directory(redis_server: RedisServer) -> None:
    """A server nobody asked for long lists a table that another has opened meanwhile, and seats who wants any seat there."""
    async with AsyncExitStack() as stack:
        servers = await stack.enter_async_context(several(f"redis://127.0.0.1:{redis_server.port}", 2))
        ann = await stack.enter_async_context(servers.client(0, "Ann"))
        bob = await stack.enter_async_context(servers.client(1, "Bob"))
        idle = lobby_of(servers.apps[1])
        assert idle._reading is not None
        idle._reading.cancel()  # it would look by itself soon
        table = (await ann.create(clocks=NO_CLOCKS)).table
        assert table is not None
        await ann.sit(table)
        await until(lambda: not servers.apps[0].lobby.actors[0].audience.is_empty)
        await lobby_of(servers.apps[0])._write_dirty()
        idle._read_at -= 100.0
        assert [line.table for line in await bob.tables()] == [table]
        idle._read_at -= 100.0
        idle._metas.clear()
        assert (await bob.sit("any")).id == table
