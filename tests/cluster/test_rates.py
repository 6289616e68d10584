"""How much anybody may ask for of several servers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest
import pytest_asyncio

from oddtrick_server.cluster import follower
from support.redis_servers import RedisServer
from support.several import PATIENCE_S, QUICK, Several, lobby_of, several
from support.wire import Peer, dial

TABLES_MAX = 2


@pytest_asyncio.fixture
async def two(redis_server: RedisServer) -> AsyncIterator[Several]:
    limits = replace(QUICK, tables_per_identity_max=TABLES_MAX)
    async with several(f"redis://127.0.0.1:{redis_server.port}", 2, lease_ms=600, limits=limits) as made:
        yield made


async def let_go(servers: Several, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait until the second server follows a table no longer, and has it in its directory alone."""
    lobby = lobby_of(servers.apps[1])
    with monkeypatch.context() as patch:
        patch.setattr(follower, "UNFOLLOW_S", 0.0)  # its servers go by the machine's clock
        async with asyncio.timeout(PATIENCE_S):
            while lobby.loaded(table) is not None:
                await lobby.sweep()
                await asyncio.sleep(0.01)
    await lobby._read_directory()
    assert lobby.is_put_away(table)


@pytest.mark.parametrize("way", ["he leaves", "his line is closed", "he is sent away"])
async def test_a_table_left_elsewhere_takes_no_room(two: Several, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """One after another he is at more tables of another server than he may be at together, however each ended for him."""
    async with AsyncExitStack() as stack:

        async def guest(server: int, name: str, *, token: str | None = None) -> Peer:
            peer = await (await dial(two.apps[server].url)).hello(name, token=token)
            stack.push_async_callback(peer.close)
            return peer

        anna = await guest(1, "Anna")
        for number in range(TABLES_MAX + 2):
            host = await guest(0, f"Host {number}")
            table = (await host.ok(t="create"))["table"]
            await host.ok(t="sit", table=table)
            await anna.ok(t="watch", table=table)
            await anna.of("snapshot")
            match way:
                case "he leaves":
                    await anna.ok(t="leave", table=table)
                case "he is sent away":
                    await host.ok(t="kick", table=table, who=anna.identity)
                case _:
                    await anna.close()
                    anna = await guest(1, "Anna", token=anna.token)
            await let_go(two, table, monkeypatch)


async def test_a_seat_kept_elsewhere_takes_room(two: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of another server at which he has a seat counts, also while nobody here is shown it."""
    async with AsyncExitStack() as stack:
        host = await (await dial(two.apps[0].url)).hello("Host")
        stack.push_async_callback(host.close)
        tables = [(await host.ok(t="create"))["table"] for _ in range(TABLES_MAX)]
        anna = await (await dial(two.apps[1].url)).hello("Anna")
        for table in tables:
            await anna.ok(t="sit", table=table)
        await anna.close()
        for table in tables:
            await let_go(two, table, monkeypatch)
        again = await (await dial(two.apps[1].url)).hello("Anna", token=anna.token)
        stack.push_async_callback(again.close)
        assert await again.refused(t="create") == "too_many_tables"
        await again.ok(t="leave", table=tables[0])
        await again.ok(t="create")
