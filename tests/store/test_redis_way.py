"""Whom the Redis store asks for its way: what happens when some of them are silent, wrong, or ask for a password."""

import asyncio
import contextlib
import dataclasses
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.asyncio.connection import Connection
from redis.crc import key_slot

from oddtrick_server.store.errors import StoreBusy, StoreClosed, StoreUnusable, StoreWriteFailed
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_lane import Lost
from oddtrick_server.store.redis_place import Address, parse_place
from oddtrick_server.store.redis_way import Voting, latest, primary_of
from support.certificates import loopback_certificate
from support.redis_servers import SERVICE, RedisServer, cluster, free_port, with_sentinels

PASSING = (StoreBusy, StoreWriteFailed)


def store_at(spec: str, **changes: int) -> RedisStore:
    return RedisStore(dataclasses.replace(parse_place(spec), **changes))  # type: ignore[arg-type]


def hosts(*ports: int) -> str:
    return ",".join(f"127.0.0.1:{port}" for port in ports)


@contextlib.contextmanager
def silent(count: int) -> Iterator[list[int]]:
    """Ports on which a line is taken and nothing ever said."""
    with contextlib.ExitStack() as stack:
        listeners = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in listeners:
            one.bind(("127.0.0.1", 0))
            one.listen(50)
        yield [one.getsockname()[1] for one in listeners]


@pytest.fixture
def sentinel(redis_server: RedisServer, tmp_path: Path) -> Iterator[RedisServer]:
    """A Sentinel over the Redis that no test hurts."""
    with RedisServer(tmp_path, sentinel=f"sentinel monitor {SERVICE} 127.0.0.1 {redis_server.port} 1") as server:
        server.wait_for(f"SENTINEL MASTER {SERVICE}", b"num-slaves")
        yield server


def table_held_by(nodes: list[RedisServer], number: int) -> str:
    """A table whose keys the third of all slots has that this primary was given."""
    return next(
        name
        for name in (f"t{count}" for count in range(1_000))
        if min(2, key_slot(f"oddtrick:{{tbl:{name}}}:own".encode()) // (16_384 // 3)) == number
    )


# --- some are silent ---


async def test_silent_sentinels_hold_nobody_up(sentinel: RedisServer) -> None:
    """Two of three Sentinels take lines and say nothing, and are listed first: the first call is answered all the same."""
    with silent(2) as ports:
        store = store_at(f"redis+sentinel://{hosts(*ports, sentinel.port)}/{SERVICE}?wait=0&prefix=silent")
        await store.ping()
        await store.close()


async def test_silent_nodes_hold_nobody_up(redis_nodes: list[RedisServer]) -> None:
    """The same with the nodes of a cluster that an operator listed."""
    with silent(2) as ports:
        store = store_at(f"redis+cluster://{hosts(*ports, redis_nodes[1].port)}?wait=0&prefix=silent")
        await store.ping()
        await store.close()


async def test_a_silent_node_holds_up_no_key_of_another(tmp_path: Path) -> None:
    """One primary of a cluster is stopped: its tables wait, those of the others go on at each call, also for a server that has just come."""
    with cluster(tmp_path) as nodes:
        for one in nodes:
            one.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")
        place = f"redis+cluster://{hosts(*(one.port for one in nodes))}?wait=0"
        store, late = store_at(place, reply_ms=300, patience_ms=500), store_at(place, reply_ms=300, patience_ms=500)
        stuck, *others = [table_held_by(nodes, number) for number in range(3)]
        await asyncio.gather(*(store.append(table, 0, [b"a"]) for table in (stuck, *others)))
        nodes[0].pause()
        for seq in range(1, 4):
            with pytest.raises(PASSING):
                await store.append(stuck, 1, [b"b"])
            for table in others:
                for asked in (store, late):
                    result = await asked.append(table, seq, [b"b"])
                    assert result.is_stored
        nodes[0].go_on()
        await asyncio.to_thread(nodes[0].wait_for, "CLUSTER INFO", b"cluster_state:ok")
        for _ in range(200):
            with contextlib.suppress(*PASSING):
                assert (await store.append(stuck, 1, [b"b"])).is_stored
                break
        assert len(await store.read(stuck)) == 2
        await store.close()
        await late.close()


async def test_the_replica_of_a_silent_node_is_found(tmp_path: Path) -> None:
    """A primary is stopped and its replica voted in: whoever had only that primary's address and its word goes on with the replica."""
    with cluster(tmp_path, replicas=1) as nodes:
        store = store_at(f"redis+cluster://{hosts(nodes[0].port)}?wait=0", reply_ms=500)
        table = table_held_by(nodes, 0)
        await store.append(table, 0, [b"a"])
        nodes[0].pause()
        await asyncio.to_thread(nodes[3].wait_for, "ROLE", b"master")
        await asyncio.to_thread(nodes[3].wait_for, "CLUSTER INFO", b"cluster_state:ok")
        with pytest.raises(StoreWriteFailed):
            await store.append(table, 1, [b"b"])
        assert (await store.append(table, 1, [b"b"])).is_stored
        nodes[0].go_on()
        await store.close()


async def test_closing_while_the_way_is_asked_for() -> None:
    """A call that still asks for its way when the store is closed is told so, and not cancelled."""
    with silent(1) as ports:
        store = store_at(f"redis+sentinel://{hosts(*ports)}/{SERVICE}")
        call = asyncio.create_task(store.ping())
        await asyncio.sleep(0.05)
        await store.close()
        with pytest.raises(StoreClosed):
            await call


# --- some are wrong ---


async def says(vote: int, what: str) -> tuple[int, str]:
    return vote, what


async def fails(why: Exception) -> tuple[int, str]:
    raise why


async def hangs() -> tuple[int, str]:
    await asyncio.Event().wait()
    raise AssertionError


async def test_the_latest_vote_counts() -> None:
    """Whoever was cut off with an old primary answers as well as the others; who has seen a later vote is believed."""
    lost = Lost("", sent=False)
    assert await latest([says(3, "old"), fails(lost), hangs(), says(4, "new"), says(3, "old")]) == "new"


async def test_nobody_is_believed_while_a_vote_is_under_way() -> None:
    """The old primary comes back before all have heard that it is one no more: whoever counts the votes says to wait."""
    voting = Voting("", sent=False)
    with pytest.raises(Voting):
        await latest([says(3, "old"), fails(voting), says(3, "old")])
    with pytest.raises(Voting):
        await latest([fails(voting), hangs(), says(3, "old")])


async def test_a_sentinel_that_replaces_the_primary_says_so(tmp_path: Path) -> None:
    """While a real fail-over is under way its Sentinel names no primary, and after it the new one."""
    with with_sentinels(tmp_path, sentinels=1) as (servers, (one,)):
        old, *new = (("127.0.0.1", server.port) for server in servers)
        ask, said = primary_of(SERVICE), list[Address | None]()
        line = Connection(host="127.0.0.1", port=one.port, protocol=2)
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(line.disconnect)
            await line.connect()  # type: ignore[no-untyped-call]
            assert (await ask(line, old))[1] == old
            await asyncio.to_thread(one.wait_for, f"SENTINEL FAILOVER {SERVICE}", b"+OK")
            async with asyncio.timeout(30):
                while not said or said[-1] not in new:
                    try:
                        said.append((await ask(line, old))[1])
                    except Voting:
                        said.append(None)
                    await asyncio.sleep(0.01)
        assert None in said
        assert old not in said[said.index(None) :]


async def test_nobody_knows() -> None:
    """If all fail, what an operator must mend is told rather than that another could not be reached."""
    with pytest.raises(Lost):
        await latest([fails(Lost("gone", sent=False)), fails(Lost("gone", sent=False))])
    with pytest.raises(StoreUnusable):
        await latest([fails(StoreUnusable("password")), fails(Lost("gone", sent=False))])


async def test_a_node_that_is_of_no_cluster_is_not_believed(tmp_path: Path, redis_nodes: list[RedisServer]) -> None:
    """A node that was taken out of a cluster, and knows of no slot, is one that does not answer."""
    with RedisServer(tmp_path, ("--cluster-enabled", "yes", "--cluster-port", str(free_port()))) as alone:
        store = store_at(f"redis+cluster://{hosts(alone.port, redis_nodes[0].port)}?wait=0&prefix=alone")
        await store.ping()
        await store.close()


# --- they ask for a password, or speak TLS ---


@contextlib.contextmanager
def guarded(folder: Path, *, tls: bool) -> Iterator[tuple[str, str]]:
    """A Redis and its Sentinel, each with a password of its own: the first of an address, and its hosts with the service."""
    certificate, key = loopback_certificate(folder)
    port, sentinel_port = free_port(), free_port()
    speaks = {
        "tls-cert-file": certificate,
        "tls-key-file": key,
        "tls-ca-cert-file": certificate,
        "tls-auth-clients": "no",
        "tls-replication": "yes",
    }
    options = ["--requirepass", "of-redis"]
    lines = []
    if tls:
        options += ["--tls-port", str(port)] + [
            part for name, value in speaks.items() for part in (f"--{name}", str(value))
        ]
        lines += [f"tls-port {sentinel_port}", *(f"{name} {value}" for name, value in speaks.items())]
    with RedisServer(folder / "redis", options, password="of-redis") as server:
        lines += [
            f"sentinel monitor {SERVICE} 127.0.0.1 {port if tls else server.port} 1",
            f"sentinel auth-pass {SERVICE} of-redis",
            "requirepass of-sentinel",
            "user watcher on >of-watcher ~* &* +@all",
        ]
        with RedisServer(folder / "sentinel", sentinel="\n".join(lines), password="of-sentinel") as watcher:
            watcher.wait_for(f"SENTINEL MASTER {SERVICE}", b"num-slaves")
            where = f"127.0.0.1:{sentinel_port if tls else watcher.port}/{SERVICE}"
            yield where, f"&ca={certificate}" if tls else ""


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
async def test_sentinels_with_a_password(tmp_path: Path, scheme: str) -> None:
    """Sentinels get the password that is for them and Redis its own, over TLS if that is asked for; a wrong one is not waited with."""
    with guarded(tmp_path, tls=scheme == "rediss") as (where, ca):
        form = f"{scheme}+sentinel://:of-redis@{where}?wait=0{ca}"
        for right in ("&sentinel_password=of-sentinel", "&sentinel_username=watcher&sentinel_password=of-watcher"):
            store = store_at(form + right)
            await store.ping()
            await store.close()
        for wrong in ("", "&sentinel_password=hunter2"):
            store = store_at(form + wrong)
            with pytest.raises(StoreUnusable) as caught:
                await store.ping()
            assert not [word for word in ("hunter2", "of-redis") if word in str(caught.value)]
            await store.close()
