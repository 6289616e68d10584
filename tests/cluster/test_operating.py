"""What an operator is told of several servers: each table once, each person where his line is, and whose a table is."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from oddtrick_server.operating import CannotBeDone
from support.several import NO_CLOCKS, several, until

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
