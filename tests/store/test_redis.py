"""What the Redis store does when a line breaks, Redis is gone, or a primary is replaced."""

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio
from redis.crc import key_slot

from oddtrick_server.store.errors import StoreBusy, StoreError, StoreUnusable, StoreWriteFailed
from oddtrick_server.store.interface import AppendResult, Outcome
from oddtrick_server.store.redis import UNLOGGED_MS, RedisStore
from oddtrick_server.store.redis_place import RedisPlace, parse_place
from support.faulty_proxy import FaultyProxy
from support.redis_servers import (
    SERVICE,
    RedisServer,
    cluster,
    free_port,
    primary_with_replicas,
    with_sentinels,
)

OK, DUP = Outcome.OK, Outcome.DUP


def store_at(spec: str, **changes: int) -> RedisStore:
    return RedisStore(dataclasses.replace(parse_place(spec), **changes))  # type: ignore[arg-type]


async def insisted(store: RedisStore, table: str, seq: int, body: bytes, fence: int) -> AppendResult:
    """Append, as a table does: the same call again until it is answered."""
    for _ in range(200):
        try:
            return await store.append(table, seq, [body], fence=fence, command_key=body)
        except (StoreBusy, StoreWriteFailed):
            await asyncio.sleep(0.05)
    raise AssertionError("redis did not come back")


async def bodies(store: RedisStore, table: str) -> list[bytes]:
    return [entry.body for entry in await store.read(table)]


@pytest_asyncio.fixture
async def proxy(redis_server: RedisServer) -> AsyncIterator[FaultyProxy]:
    async with FaultyProxy(redis_server.port) as made:
        yield made


# --- lines that break ---


async def test_an_append_whose_reply_is_lost_is_stored_once(proxy: FaultyProxy) -> None:
    """Redis has it and the reply never comes: the caller is told that he cannot know, asks again, and it is a duplicate."""
    store = store_at(f"redis://127.0.0.1:{proxy.port}?prefix=lost", reply_ms=100)
    fence = await store.acquire("t", "server")
    proxy.hold_replies()
    with pytest.raises(StoreWriteFailed, match="unknown"):
        await store.append("t", 0, [b"a"], fence=fence, command_key=b"k")
    proxy.cut()
    proxy.heal()
    assert await store.append("t", 0, [b"a"], fence=fence, command_key=b"k") == AppendResult(DUP, 1)
    assert await bodies(store, "t") == [b"a"]
    await store.close()


async def test_lines_cut_at_any_byte(proxy: FaultyProxy, seed: int) -> None:
    """Appends that are made again until they are answered stand in the log once each and in order, wherever lines break."""
    store = store_at(f"redis://127.0.0.1:{proxy.port}?prefix=cut{seed}")
    chance = Random(seed)
    fence = await store.acquire("t", "server")
    for seq in range(150):
        if chance.random() < 0.5:
            cut = proxy.cut_replies_after if chance.random() < 0.5 else proxy.cut_requests_after
            cut(chance.randrange(6_000))
            proxy.cut()
        assert (await insisted(store, "t", seq, b"%d" % seq, fence)).is_stored
    assert await bodies(store, "t") == [b"%d" % seq for seq in range(150)]
    assert proxy.lines_made > 30
    await store.close()


async def test_redis_out_of_reach(proxy: FaultyProxy) -> None:
    """While Redis cannot be reached each call ends with StoreBusy after its patience; after it, calls go on as before."""
    store = store_at(f"redis://127.0.0.1:{proxy.port}?prefix=away", patience_ms=200)
    fence = await store.acquire("t", "server")
    proxy.refuse()
    for call in (
        lambda: store.append("t", 0, [b"a"], fence=fence),
        lambda: store.read("t"),
        store.ping,
        store.list_tables,
    ):
        with pytest.raises((StoreBusy, StoreWriteFailed)):
            await call()
        with pytest.raises(StoreBusy, match="nothing was done"):
            await call()
    proxy.heal()
    assert (await store.append("t", 0, [b"a"], fence=fence)).is_stored
    await store.close()


async def test_a_line_on_which_nothing_passes(proxy: FaultyProxy) -> None:
    """A partition that keeps lines up is noticed: the call ends in time, and the next one after it is made on a new line."""
    store = store_at(f"redis://127.0.0.1:{proxy.port}?prefix=held", reply_ms=200, patience_ms=100)
    fence = await store.acquire("t", "server")
    proxy.hold()
    with pytest.raises(StoreWriteFailed, match="unknown"):
        await store.append("t", 0, [b"a"], fence=fence)
    with pytest.raises(StoreBusy):
        await store.append("t", 0, [b"a"], fence=fence)
    proxy.heal()
    assert (await insisted(store, "t", 0, b"a", fence)).is_stored or (await bodies(store, "t")) == [b"a"]
    assert await bodies(store, "t") == [b"a"]
    await store.close()


async def test_a_cancelled_call_leaves_the_line_in_order(redis_server: RedisServer) -> None:
    """Calls cancelled on their way shift no reply: each later caller gets his own."""
    store = store_at(f"redis://127.0.0.1:{redis_server.port}?prefix=cancel")
    for number in range(200):
        await store.put("n", f"{number}", b"%d" % number)
    calls = [asyncio.create_task(store.get("n", f"{number}")) for number in range(200)]
    await asyncio.sleep(0)
    for call in calls[::3]:
        call.cancel()
    values = await asyncio.gather(*calls, return_exceptions=True)
    for number, value in enumerate(values):
        assert value == b"%d" % number or (number % 3 == 0 and isinstance(value, asyncio.CancelledError))
    await store.close()


async def test_scripts_that_redis_forgot(redis_server: RedisServer) -> None:
    """After SCRIPT FLUSH the scripts are loaded again, and no call fails."""
    store = store_at(f"redis://127.0.0.1:{redis_server.port}?prefix=flush")
    await store.append("t", 0, [b"a"])
    assert redis_server.ask("SCRIPT", "FLUSH").startswith(b"+OK")
    assert await store.append("t", 1, [b"b"]) == AppendResult(OK, 2)
    await store.close()


async def test_an_address_that_will_never_do(redis_server: RedisServer) -> None:
    """A wrong password is StoreUnusable in one line without it."""
    store = store_at(f"redis://ann:hunter2@127.0.0.1:{redis_server.port}")
    with pytest.raises(StoreUnusable) as caught:
        await store.ping()
    assert "hunter2" not in str(caught.value)
    await store.close()


# --- redis that ends ---


async def test_redis_is_killed_and_started_again(tmp_path: Path) -> None:
    """With an append-only file synced always, all that was acknowledged is there after a kill, and writing goes on."""
    with RedisServer(tmp_path / "redis", ("--appendonly", "yes", "--appendfsync", "always")) as server:
        store = store_at(f"redis://127.0.0.1:{server.port}")
        fence = await store.acquire("t", "server")
        for seq in range(60):
            if seq % 20 == 10:
                server.kill()
                starting = asyncio.create_task(asyncio.to_thread(server.start))
                assert (await insisted(store, "t", seq, b"%d" % seq, fence)).is_stored
                await starting
            else:
                assert await store.append("t", seq, [b"%d" % seq], fence=fence) == AppendResult(OK, seq + 1)
        assert await bodies(store, "t") == [b"%d" % seq for seq in range(60)]
        await store.close()


async def test_nothing_is_acknowledged_that_no_replica_has(tmp_path: Path) -> None:
    """With redis-ha an append is not acknowledged while the replica hears nothing, is not read either, and is there when it does."""
    with primary_with_replicas(tmp_path) as (primary, replica):
        spec = f"redis://127.0.0.1:{primary.port}?profile=redis-ha"
        patient = store_at(spec)
        fence = await patient.acquire("t", "server")
        assert (await insisted(patient, "t", 0, b"a", fence)).is_stored
        store = store_at(spec, wait_ms=100, patience_ms=200)
        replica.pause()
        with pytest.raises(StoreWriteFailed, match="not yet safe"):
            await store.append("t", 1, [b"b"], fence=fence)
        # Made again, it writes nothing new; it must not be acknowledged for that.
        with pytest.raises(StoreWriteFailed, match="not yet safe"):
            await store.append("t", 1, [b"b"], fence=fence)
        with pytest.raises(StoreBusy):
            await store.read("t")
        with pytest.raises(StoreError):
            await store.ping()
        await store.close()
        replica.go_on()
        assert (await insisted(patient, "t", 1, b"b", fence)).outcome in {DUP, Outcome.CONFLICT}
        assert await bodies(patient, "t") == [b"a", b"b"]
        await patient.close()


async def write_through(store: RedisStore, tables: int, fault: "asyncio.Task[None]", *, at_least: int) -> None:
    """Append at many tables until the fault is over and a while longer; then every log is exactly what was acknowledged."""

    async def play(table: str) -> int:
        fence = await store.acquire(table, "server")
        seq = 0
        while not fault.done() or seq < at_least:
            result = await insisted(store, table, seq, b"%d" % seq, fence)
            assert result.is_stored, result
            seq += 1
            await asyncio.sleep(0.002)
        return seq

    played = await asyncio.gather(*(play(f"table {number}") for number in range(tables)))
    fault.result()
    for number, count in enumerate(played):
        assert await bodies(store, f"table {number}") == [b"%d" % seq for seq in range(count)]


async def test_a_failover_by_sentinels(tmp_path: Path) -> None:
    """The primary is killed, Sentinels promote a replica: no acknowledged append is lost, doubled or out of order."""
    with with_sentinels(tmp_path) as (servers, sentinels):
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in sentinels)
        store = store_at(f"redis+sentinel://{hosts}/{SERVICE}")

        async def fail() -> None:
            await asyncio.sleep(0.3)
            servers[0].kill()
            promoted = asyncio.create_task(
                asyncio.to_thread(sentinels[0].wait_for, f"SENTINEL GET-MASTER-ADDR-BY-NAME {SERVICE}", b"127.0.0.1")
            )
            await promoted
            for _ in range(600):
                address = await asyncio.to_thread(sentinels[0].ask, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
                if b"%d" % servers[0].port not in address:
                    return
                await asyncio.sleep(0.05)
            raise AssertionError("no replica was promoted")

        await write_through(store, 5, asyncio.create_task(fail()), at_least=50)
        await store.close()


async def test_a_failover_in_a_cluster(tmp_path: Path) -> None:
    """A primary of a cluster is killed and its replica takes its slots: its tables' logs keep all that was acknowledged."""
    with cluster(tmp_path, primaries=3, replicas=1) as nodes:
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in nodes)
        # One replica each: after the failover there is none left to wait for.
        store = store_at(f"redis+cluster://{hosts}?wait=1")
        fences = {f"t{number}": await store.acquire(f"t{number}", "server") for number in range(12)}
        for table, fence in fences.items():
            assert (await store.append(table, 0, [b"a"], fence=fence)).outcome is OK
        nodes[0].kill()
        await asyncio.to_thread(nodes[3].wait_for, "ROLE", b"master")
        await asyncio.to_thread(nodes[1].wait_for, "CLUSTER INFO", b"cluster_state:ok")
        after = store_at(f"redis+cluster://{hosts}?wait=0")
        for table, fence in fences.items():
            assert (await insisted(after, table, 0, b"x", fence)).outcome is Outcome.CONFLICT
            assert (await insisted(after, table, 1, b"b", fence)).is_stored
            assert await bodies(after, table) == [b"a", b"b"]
        await after.close()
        await store.close()


INBOX = b"oddtrick:{srv:me}:in"


class Reader:
    """Reads the inbox of a server, as a server does: again and again, whatever happens."""

    def __init__(self, store: RedisStore) -> None:
        self.letters: list[bytes] = []
        self._store = store
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while True:
            try:
                self.letters += await self._store.mail.receive("me")
            except StoreBusy:
                await asyncio.sleep(0.05)

    async def got(self, letter: bytes) -> None:
        """Return when a letter has come."""
        async with asyncio.timeout(20):
            while letter not in self.letters:  # noqa: ASYNC110 - read elsewhere
                await asyncio.sleep(0.02)

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])


@contextlib.asynccontextmanager
async def reader_and_writer(nodes: list[RedisServer]) -> AsyncIterator[tuple[Reader, RedisStore]]:
    """Somebody who reads his inbox in a cluster and asks nothing else of it, and another who writes to him."""
    place = f"redis+cluster://{','.join(f'127.0.0.1:{one.port}' for one in nodes)}?wait=0"
    own, other = store_at(place), store_at(place)
    reader = Reader(own)
    await other.mail.send("me", [b"first"])
    await reader.got(b"first")
    yield reader, other
    await reader.stop()
    await own.close()
    await other.close()


def holder_of_inbox(nodes: list[RedisServer]) -> int:
    """Which of the three primaries has the inbox."""
    return min(2, key_slot(INBOX) // (16_384 // 3))


async def test_letters_are_read_after_a_planned_failover(tmp_path: Path) -> None:
    """A replica takes over while the primary lives on: who had read his inbox there reads it at the replica, and misses nothing."""
    with cluster(tmp_path, primaries=3, replicas=1) as nodes:
        async with reader_and_writer(nodes) as (reader, writer):
            old = nodes[holder_of_inbox(nodes)]
            new = nodes[3 + holder_of_inbox(nodes)]
            assert new.ask("CLUSTER", "FAILOVER").startswith(b"+OK")
            await asyncio.to_thread(new.wait_for, "ROLE", b"master")
            await asyncio.to_thread(old.wait_for, "ROLE", b"slave")
            await writer.mail.send("me", [b"second"])
            await reader.got(b"second")
            assert reader.letters == [b"first", b"second"]


async def test_letters_are_read_while_their_slot_is_moved(tmp_path: Path) -> None:
    """The slot of an inbox goes to another node: its letters are read while it is on its way, and when it is there."""
    with cluster(tmp_path, primaries=3) as nodes:
        async with reader_and_writer(nodes) as (reader, writer):
            old = nodes[holder_of_inbox(nodes)]
            new = nodes[(holder_of_inbox(nodes) + 1) % 3]
            names = [one.ask("CLUSTER", "MYID").split(b"\r\n")[1].decode() for one in (old, new)]
            slot = key_slot(INBOX)
            assert new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", names[0]).startswith(b"+OK")
            assert old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", names[1]).startswith(b"+OK")
            assert old.ask("MIGRATE", "127.0.0.1", new.port, INBOX.decode(), 0, 5_000).startswith(b"+OK")
            await writer.mail.send("me", [b"second"])
            await reader.got(b"second")
            for one in (new, old, *nodes):
                assert one.ask("CLUSTER", "SETSLOT", slot, "NODE", names[1]).startswith(b"+OK")
            await writer.mail.send("me", [b"third"])
            await reader.got(b"third")
            assert reader.letters == [b"first", b"second", b"third"]


async def test_a_slot_that_has_moved_is_asked_for_once(tmp_path: Path) -> None:
    """What a node says about a key that has moved is remembered: the next call goes where the key is."""
    with cluster(tmp_path, primaries=3) as nodes:
        async with reader_and_writer(nodes) as (_, writer):
            old = nodes[holder_of_inbox(nodes)]
            new = nodes[(holder_of_inbox(nodes) + 1) % 3]
            name = new.ask("CLUSTER", "MYID").split(b"\r\n")[1].decode()
            old.ask("DEL", INBOX.decode())
            for one in (new, old, *nodes):
                assert one.ask("CLUSTER", "SETSLOT", key_slot(INBOX), "NODE", name).startswith(b"+OK")
            await writer.mail.send("me", [b"a"])
            link = writer.mail._link
            assert link._known(INBOX) == ("127.0.0.1", new.port)


async def test_sentinels_that_know_no_primary() -> None:
    """Sentinels that cannot be asked are StoreBusy, like a Redis that cannot."""
    place = RedisPlace(kind="sentinel", hosts=(("127.0.0.1", free_port()),), service="club", patience_ms=100)
    store = RedisStore(place)
    with pytest.raises(StoreBusy):
        await store.ping()
    await store.close()


async def test_what_is_never_logged_leaves_nothing(tmp_path: Path) -> None:
    """The owner of a table without a log, who may die before he writes one, is forgotten after a while; of one with a log, never."""
    with RedisServer(tmp_path) as server:
        store, key = store_at(f"redis://127.0.0.1:{server.port}?prefix=u"), "u:{tbl:t}:own"
        fence = await store.acquire("t", "one")
        assert 0 < int(server.ask("PTTL", key)[1:]) <= UNLOGGED_MS
        await store.append("t", 0, [b"opened"], fence=fence, command_key=b"")
        assert server.ask("PTTL", key) == b":-1\r\n"
        assert await store.release("t", fence)
        await store.acquire("t", "two")
        assert server.ask("PTTL", key) == b":-1\r\n"
        await store.close()
