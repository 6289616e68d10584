"""What a Redis may say for a while instead of doing what it was asked: each is waited out, and none is the end of a table."""

import asyncio
import dataclasses
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from oddtrick_server.store.errors import StoreBusy, StoreUnusable, StoreWriteFailed
from oddtrick_server.store.interface import AppendResult, Outcome
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_place import parse_place
from support.redis_servers import RedisServer

PASSING = (StoreBusy, StoreWriteFailed)
Done = Callable[[RedisServer], None]


def asks(*commands: str) -> Done:
    """Tells Redis so, and that it said yes."""

    def ask(server: RedisServer) -> None:
        for command in commands:
            assert server.ask(*command.split()).startswith((b"+OK", b":")), command

    return ask


def no_snapshot(server: RedisServer) -> None:
    """Lets a snapshot fail."""
    (server.folder / "dump.rdb").mkdir()
    server.ask("CONFIG", "SET", "save", "3600 1")
    server.ask("BGSAVE")
    server.wait_for("INFO persistence", b"rdb_last_bgsave_status:err")


def long_script(server: RedisServer) -> None:
    """Begins a script that never ends."""
    asks("CONFIG SET busy-reply-threshold 1")(server)
    line = socket.create_connection(("127.0.0.1", server.port))
    line.sendall(b"EVAL 'while true do end' 0\r\n")
    server.wait_for("PING", b"-BUSY")
    line.close()


def new_password(server: RedisServer) -> None:
    """Has it ask for a password from now on, and close all lines."""
    asks("CONFIG SET requirepass other")(server)
    server.password = "other"
    asks("CLIENT KILL TYPE normal")(server)


def no_password(server: RedisServer) -> None:
    """Has it ask for none again."""
    server.ask("ACL", "SETUSER", "default", "nopass")
    server.password = ""


# What it says then: how it comes to it, how that ends.
TROUBLES: dict[str, tuple[Done, Done]] = {
    "OOM": (asks("CONFIG SET maxmemory 1"), asks("CONFIG SET maxmemory 0")),
    "MISCONF": (no_snapshot, asks("CONFIG SET stop-writes-on-bgsave-error no")),
    "NOREPLICAS": (asks("CONFIG SET min-replicas-to-write 1"), asks("CONFIG SET min-replicas-to-write 0")),
    "READONLY": (asks("REPLICAOF 127.0.0.1 1"), asks("REPLICAOF NO ONE")),
    "MASTERDOWN": (
        asks("CONFIG SET replica-serve-stale-data no", "REPLICAOF 127.0.0.1 1"),
        asks("REPLICAOF NO ONE"),
    ),
    "BUSY": (long_script, asks("SCRIPT KILL")),
    "NOPERM": (asks("ACL SETUSER default -evalsha"), asks("ACL SETUSER default +@all")),
    "NOAUTH": (new_password, no_password),
}


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_what_redis_says_for_a_while(tmp_path: Path, trouble: str) -> None:
    """A store that was served before says to come again later, and goes on with the next call when the trouble is over."""
    begins, ends = TROUBLES[trouble]
    with RedisServer(tmp_path / "redis") as server:
        place = dataclasses.replace(parse_place(f"redis://127.0.0.1:{server.port}"), patience_ms=100, reply_ms=1_000)
        store = RedisStore(place)
        fence = await store.acquire("t", "server")
        await asyncio.to_thread(begins, server)
        for _ in range(2):
            with pytest.raises(PASSING):
                await store.append("t", 0, [b"a"], fence=fence, command_key=b"k")
        await asyncio.to_thread(ends, server)
        patient = RedisStore(dataclasses.replace(place, patience_ms=10_000))
        assert await patient.append("t", 0, [b"a"], fence=fence, command_key=b"k") == AppendResult(Outcome.OK, 1)
        assert (await store.append("t", 1, [b"b"], fence=fence)).is_stored
        assert [entry.body for entry in await store.read("t")] == [b"a", b"b"]
        await store.close()
        await patient.close()


async def test_what_waiting_does_not_mend(tmp_path: Path) -> None:
    """Who was never allowed what we need is told at once, and so is who finds a key that holds something else."""
    with RedisServer(tmp_path / "redis") as server:
        server.ask("ACL", "SETUSER", "ann", "on", ">pass", "~*", "&*", "+@all", "-hset")
        server.ask("SET", "oddtrick:kv:n", "of somebody else")
        for who in ("ann:pass@", ""):
            store = RedisStore(parse_place(f"redis://{who}127.0.0.1:{server.port}"))
            if not who:
                await store.ping()
            with pytest.raises(StoreUnusable):
                await store.put("n", "key", b"value")
            await store.close()
