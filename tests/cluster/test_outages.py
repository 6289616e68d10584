"""What the people at a table see when Redis is gone, replaced, or reached through Sentinels and clusters."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import structlog

from oddtrick_protocol import messages as m
from oddtrick_sdk import Client
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.client import Table
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.player import Player
from oddtrick_server.audience import CATCHING_UP
from oddtrick_server.logs import Say
from support.faulty_proxy import FaultyProxy
from support.redis_servers import SERVICE, RedisServer, cluster, with_sentinels
from support.several import NO_CLOCKS, Several, several, until

if TYPE_CHECKING:
    from conftest import Size


async def seated(stack: AsyncExitStack, servers: Several, count: int, **clocks: int) -> list[Table]:
    """Four players on servers in turn, at a table whose rubber has begun."""
    clients: list[Client] = [
        await stack.enter_async_context(servers.client(number % count, f"P{number}", bot=True)) for number in range(4)
    ]
    made = await clients[0].create(clocks={**NO_CLOCKS, **clocks}, enforcement="strict")
    assert made.table is not None
    tables = [await client.sit(made.table) for client in clients]
    await tables[0].ask(m.Start)
    return tables


async def play_a_rubber(tables: list[Table], *, rubbers: int = 1) -> None:
    players = [
        Player(table, Driver(house_bot("courteous", Random(n)), Random(n)), rubbers) for n, table in enumerate(tables)
    ]
    async with asyncio.timeout(120):
        await asyncio.gather(*(player.play() for player in players))


async def test_redis_gone_for_a_while(redis_server: RedisServer, size: Size) -> None:
    """Everybody is told and keeps his line, an act waits for its answer, the clocks do not count it, and the deal is the same."""
    outage_s = size(12.0, 60.0)
    async with FaultyProxy(redis_server.port) as proxy, AsyncExitStack() as stack:
        servers = await stack.enter_async_context(several(f"redis://127.0.0.1:{proxy.port}", 2))
        tables = await seated(stack, servers, 2, turn_ms=10_000)
        await until(lambda: all(table.mirror.state is not None for table in tables))
        await until(lambda: any(table.mirror.asked is not None for table in tables))
        state = tables[0].mirror.state
        proxy.refuse()
        said = asyncio.create_task(tables[1].ask(m.Pause))
        await until(lambda: all(CATCHING_UP in [clock.kind for clock in table.mirror.clocks] for table in tables))
        await asyncio.sleep(outage_s)
        assert not said.done()
        assert all(table.client.session.connected for table in tables)
        assert not any(app.is_ready for app in servers.apps)
        proxy.heal()
        async with asyncio.timeout(20):
            await said
        await until(lambda: not any(CATCHING_UP in [clock.kind for clock in table.mirror.clocks] for table in tables))
        await until(lambda: all(app.is_ready for app in servers.apps))
        # Nobody's turn was played by the clock meanwhile, though it is a shorter one.
        assert tables[0].mirror.state == state
        await play_a_rubber(tables)


async def test_redis_without_room(tmp_path: Path) -> None:
    """A Redis that is full, and may drop nothing: everybody is told, no server is ready, and the act is done when there is room again."""
    with RedisServer(tmp_path / "redis", ("--maxmemory-policy", "noeviction")) as redis:
        async with AsyncExitStack() as stack:
            servers = await stack.enter_async_context(several(f"redis://127.0.0.1:{redis.port}", 2))
            tables = await seated(stack, servers, 2)
            await until(lambda: any(table.mirror.asked is not None for table in tables))
            logged = stack.enter_context(structlog.testing.capture_logs())
            assert redis.ask("CONFIG", "SET", "maxmemory", 1) == b"+OK\r\n"
            said = asyncio.create_task(tables[0].ask(m.Pause))
            await until(lambda: all(CATCHING_UP in [clock.kind for clock in table.mirror.clocks] for table in tables))
            assert not said.done()
            # All of it can be read still, but nobody could play here.
            await until(lambda: not any(app.is_ready for app in servers.apps))
            assert redis.ask("CONFIG", "SET", "maxmemory", 0) == b"+OK\r\n"
            async with asyncio.timeout(20):
                await said
            await until(lambda: all(app.is_ready for app in servers.apps))
            assert all(table.client.session.connected for table in tables)
            # A line of each server when it begins, and one when it is over.
            await until(lambda: [line["event"] for line in logged].count(Say.STORE_BACK) == 2)
            assert [line["event"] for line in logged].count(Say.STORE_WAITS) == 2


async def test_a_failover_below_a_rubber(tmp_path: Path) -> None:
    """Servers that were given the addresses of Sentinels go on with their tables when the primary is killed."""
    with with_sentinels(tmp_path) as (redis, sentinels):
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in sentinels)
        async with AsyncExitStack() as stack:
            servers = await stack.enter_async_context(several(f"redis+sentinel://{hosts}/{SERVICE}", 2))
            tables = await seated(stack, servers, 2)
            playing = asyncio.create_task(play_a_rubber(tables))
            await until(lambda: tables[3].mirror.seq > 40)
            redis[0].kill()
            await playing


async def test_a_rubber_on_a_cluster(tmp_path: Path) -> None:
    """Two servers on Redis Cluster play a rubber; the keys of each table lie in one slot."""
    with cluster(tmp_path) as nodes:
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in nodes)
        async with AsyncExitStack() as stack:
            servers = await stack.enter_async_context(several(f"redis+cluster://{hosts}?wait=0", 2))
            tables = await seated(stack, servers, 2)
            await play_a_rubber(tables)
            assert await tables[1].client.hands(tables[0].id)
