"""Leases and letters, of every store that several servers share."""

import asyncio
import dataclasses
import time
from collections.abc import Callable
from random import Random

import pytest

from oddtrick_server.store.errors import HeldElsewhere, StoreBusy, StoreClosed
from oddtrick_server.store.interface import Outcome
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_place import parse_place
from oddtrick_server.store.shared import SharedStore
from oddtrick_server.store.shared_memory import SharedMemoryStore
from support.faulty_proxy import FaultyProxy
from support.redis_servers import RedisServer

Opener = Callable[..., SharedStore]


def store_of(server: RedisServer, prefix: str, **changes: int) -> RedisStore:
    place = parse_place(f"redis://127.0.0.1:{server.port}?prefix={prefix}")
    return RedisStore(dataclasses.replace(place, **changes))  # type: ignore[arg-type]


@pytest.fixture(params=["redis", "shared-memory"])
def open_shared(request: pytest.FixtureRequest) -> Opener:
    """Opens an empty store of each kind, with leases of so many milliseconds."""

    def opened(*, lease_ms: int = 5_000) -> SharedStore:
        if request.param == "redis":
            server: RedisServer = request.getfixturevalue("redis_server")
            return store_of(server, request.node.name.partition("[")[0], lease_ms=lease_ms)
        return SharedMemoryStore(now=time.monotonic, lease_s=lease_ms / 1000)

    return opened


async def test_a_lease_keeps_others_away(open_shared: Opener) -> None:
    """While a lease runs nobody else acquires the table, and is told who holds it; its own holder may, by a new fence."""
    store = open_shared()
    first = await store.acquire("t", "one")
    with pytest.raises(HeldElsewhere) as caught:
        await store.acquire("t", "two")
    assert caught.value.owner == "one"
    again = await store.acquire("t", "one")
    assert again > first
    assert (await store.append("t", 0, [b"a"], fence=first)).outcome is Outcome.FENCED
    assert (await store.append("t", 0, [b"a"], fence=again)).outcome is Outcome.OK
    await store.close()


async def test_a_lease_that_ran_out(open_shared: Opener) -> None:
    """When a lease has run out another may acquire the table; until one does, its holder may still append and renew."""
    store = open_shared(lease_ms=30)
    first = await store.acquire("t", "one")
    await asyncio.sleep(0.05)
    assert (await store.append("t", 0, [b"a"], fence=first)).outcome is Outcome.OK
    assert await store.renew("t", first) is True
    await asyncio.sleep(0.05)
    second = await store.acquire("t", "two")
    assert second > first
    assert await store.renew("t", first) is False
    assert await store.release("t", first) is False
    assert (await store.append("t", 1, [b"b"], fence=first)).outcome is Outcome.FENCED
    assert (await store.append("t", 1, [b"b"], fence=second)).outcome is Outcome.OK
    await store.close()


async def test_a_renewed_lease_runs_anew(open_shared: Opener) -> None:
    """Each renewal gives the whole lease again; who holds the table, and how long yet, can be asked."""
    store = open_shared(lease_ms=60_000)
    assert await store.holder("t") is None
    fence = await store.acquire("t", "one")
    holder = await store.holder("t")
    assert holder is not None
    assert (holder.owner, holder.fence) == ("one", fence)
    assert 50 < holder.left_s <= 60
    assert await store.release("t", fence) is True
    holder = await store.holder("t")
    assert holder is not None
    assert holder.left_s <= 0
    assert await store.renew("t", fence) is True
    with pytest.raises(HeldElsewhere):
        await store.acquire("t", "two")
    await store.close()


async def test_a_released_table_is_free_at_once(open_shared: Opener) -> None:
    """A release lets the next owner in without waiting for the lease."""
    store = open_shared()
    fence = await store.acquire("t", "one")
    assert await store.release("t", fence) is True
    assert await store.acquire("t", "two") > fence
    await store.close()


async def test_letters_come_in_order(open_shared: Opener) -> None:
    """What is sent to a server it receives, once and in order; other servers get nothing of it."""
    store = open_shared()
    await store.mail.send("one", [b"1", b"2"])
    await store.mail.send("one", [b"3"])
    await store.mail.send("two", [b"x"])
    assert await store.mail.receive("one") == [b"1", b"2", b"3"]
    waiting = asyncio.ensure_future(store.mail.receive("one"))
    await asyncio.sleep(0.05)
    await store.mail.send("one", [b"4"])
    assert await waiting == [b"4"]
    await store.close()


async def test_a_closed_store_reads_no_letters(redis_server: RedisServer) -> None:
    """After `close` an inbox cannot be read."""
    store = store_of(redis_server, "mail-closed")
    await store.close()
    with pytest.raises(StoreClosed):
        await store.mail.receive("one")


async def test_a_dropped_table_is_held_by_nobody(open_shared: Opener) -> None:
    """Whoever asks next for a table of that name gets it, and the old owner's lease is worth nothing."""
    store = open_shared()
    fence = await store.acquire("t", "one")
    assert await store.drop_table("t") is True
    assert await store.holder("t") is None
    assert await store.renew("t", fence) is False
    assert await store.acquire("t", "two") > fence
    await store.close()


async def test_letters_after_a_broken_line(redis_server: RedisServer) -> None:
    """A reader whose line broke goes on where it was."""
    async with FaultyProxy(redis_server.port) as proxy:
        writer = store_of(redis_server, "mail-cut")
        reader = RedisStore(parse_place(f"redis://127.0.0.1:{proxy.port}?prefix=mail-cut"))
        await writer.mail.send("one", [b"1"])
        assert await reader.mail.receive("one") == [b"1"]
        proxy.cut()
        await writer.mail.send("one", [b"2", b"3"])
        got: list[bytes] = []
        for _ in range(3):
            try:
                got += await reader.mail.receive("one")
            except StoreBusy:  # the first read finds the line broken
                continue
        assert got == [b"2", b"3"]
        await reader.close()
        await writer.close()


async def test_an_inbox_that_was_lost(redis_server: RedisServer) -> None:
    """After a failover an inbox may hold less than was read of it; the reader begins it again, and misses nothing new."""
    store = store_of(redis_server, "mail-lost")
    await store.mail.send("one", [b"1", b"2"])
    assert len(await store.mail.receive("one")) == 2
    redis_server.ask("DEL", "mail-lost:{srv:one}:in")
    redis_server.ask("XADD", "mail-lost:{srv:one}:in", "1-1", "l", "new")
    await store.mail._hang_up()
    assert await store.mail.receive("one") == [b"new"]
    await store.close()


async def test_a_reader_that_is_cancelled_stops(redis_server: RedisServer, seed: int) -> None:
    """At whatever moment a reader of letters, or a call, is cancelled: it ends, and does not read on."""
    store = store_of(redis_server, "mail-cancel")
    chance = Random(seed)
    for _ in range(150):
        reader = asyncio.ensure_future(store.mail.receive("one"))
        for _ in range(chance.randrange(12)):
            await asyncio.sleep(0)
        reader.cancel()
        await asyncio.wait([reader])
        assert reader.cancelled()
    await store.close()
