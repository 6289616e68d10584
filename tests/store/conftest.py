"""Every keeper, made ready for one test. A new keeper is a new line here and nothing else.

Redis is started once for all tests; each test has keys of its own there. Its leases last no time here, so that owners follow one
another as with the keepers of one process; what a lease holds up is in `test_leases`.
"""

import dataclasses
import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from oddtrick_server.store.interface import Store
from oddtrick_server.store.opening import open_store
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_place import parse_place
from oddtrick_server.store.shared_memory import SharedMemoryStore
from support.redis_servers import RedisServer, cluster, primary_with_replicas

KEEPERS = ("memory", "shared-memory", "sqlite", "redis", "redis-ha", "redis-cluster")
PREFIXES = itertools.count(1)

Opener = Callable[[str], Store]


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One Redis for all tests that do not hurt it."""
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="session")
def redis_pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RedisServer]]:
    """A primary and a replica, likewise."""
    with primary_with_replicas(tmp_path_factory.mktemp("redis-pair")) as servers:
        yield servers


@pytest.fixture(scope="session")
def redis_nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RedisServer]]:
    """A cluster of three, likewise."""
    with cluster(tmp_path_factory.mktemp("redis-cluster")) as servers:
        yield servers


def redis_store(address: str) -> RedisStore:
    """A store under a prefix of its own, whose leases last no time."""
    place = parse_place(f"{address}{'&' if '?' in address else '?'}prefix=t{next(PREFIXES)}")
    return RedisStore(dataclasses.replace(place, lease_ms=0))


@pytest.fixture
def open_keeper(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """Opens an empty store of that kind."""

    def opened(kind: str) -> Store:
        match kind:
            case "redis":
                return redis_store(f"redis://127.0.0.1:{request.getfixturevalue('redis_server').port}")
            case "redis-ha":
                return redis_store(
                    f"redis://127.0.0.1:{request.getfixturevalue('redis_pair')[0].port}?profile=redis-ha"
                )
            case "redis-cluster":
                ports = [server.port for server in request.getfixturevalue("redis_nodes")]
                nodes = ",".join(f"127.0.0.1:{port}" for port in ports)
                return redis_store(f"redis+cluster://{nodes}?wait=0")
            case "shared-memory":
                return SharedMemoryStore(now=lambda: 0.0, lease_s=0.0)
            case "sqlite":
                return open_store(f"sqlite:{tmp_path / f'club-{next(PREFIXES)}.db'}")
            case _:
                return open_store(kind)

    return opened


@pytest_asyncio.fixture(params=KEEPERS)
async def store(request: pytest.FixtureRequest, open_keeper: Opener) -> AsyncIterator[Store]:
    """An empty store of each kind in turn."""
    opened = open_keeper(request.param)
    yield opened
    await opened.close()
