"""Several servers in this process on one Redis, with the machine's own clock."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from oddtrick_sdk import Client
from oddtrick_sdk.client import Options
from oddtrick_server.app import App
from oddtrick_server.book import Book
from oddtrick_server.clock import RealClock
from oddtrick_server.cluster.follower import Follower
from oddtrick_server.cluster.lobby import ClusterLobby
from oddtrick_server.limits import Limits
from oddtrick_server.settings import Settings
from oddtrick_server.store.interface import Store
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_place import parse_place
from oddtrick_server.table_actor import TableActor
from support.house import UNHURRIED

PREFIXES = itertools.count(1)
QUICK: Final = replace(UNHURRIED, cut_to_deal_s=0.0, bot_think_s=0.01, store_told_s=0.3)
NO_CLOCKS: Final = {"linger_ms": 0, "linger_min_ms": 0, "turn_ms": 0, "absence_ms": 0}
PATIENCE_S: Final = 20.0


class Several:
    """Servers that share a store; `stores` are their own connections to it."""

    def __init__(self, *, limits: Limits) -> None:
        self.apps: list[App] = []
        self.stores: list[Store] = []
        self._limits = limits
        self._stopped: set[int] = set()

    async def add(self, store: Store) -> App:
        """One more server."""
        app = App(
            Settings(port=0, store="memory", allow_seeds=True, limits=self._limits), store=store, clock=RealClock()
        )
        await app.start()
        self.apps.append(app)
        self.stores.append(store)
        return app

    def client(self, server: int, name: str, **options: Any) -> Client:
        """A client of that server."""
        return Client(self.apps[server].url, name=name, options=Options(retry_first=True), **options)

    def owner(self, table: str) -> int:
        """The server that owns a table; exactly one does."""
        owners = [
            number
            for number, app in enumerate(self.apps)
            if isinstance(actor := app.lobby.loaded(table), TableActor) and not actor.is_over
        ]
        assert len(owners) == 1, f"table {table} is owned by {owners}"
        return owners[0]

    def followers(self, table: str) -> list[int]:
        """The servers that follow a table."""
        return [n for n, app in enumerate(self.apps) if isinstance(app.lobby.loaded(table), Follower)]

    def book(self, server: int, table: str) -> Book:
        """A table as that server knows it."""
        actor = self.apps[server].lobby.loaded(table)
        assert actor is not None
        return actor.table.book

    async def close(self) -> None:
        for number in range(len(self.apps)):
            if number not in self._stopped:
                await self.stop(number)

    async def stop(self, server: int) -> None:
        """Let a server drain and end."""
        self._stopped.add(server)
        await self.apps[server].stop()
        await self.stores[server].close()


def lobby_of(app: App) -> ClusterLobby:
    """The lobby of one of several."""
    assert isinstance(app.lobby, ClusterLobby)
    return app.lobby


@asynccontextmanager
async def several(
    address: str, servers: int = 3, *, lease_ms: int = 5_000, limits: Limits = QUICK
) -> AsyncIterator[Several]:
    """So many servers on the Redis at `address`, under a prefix of their own."""
    made = Several(limits=limits)
    prefix = f"s{next(PREFIXES)}"
    place = parse_place(f"{address}{'&' if '?' in address else '?'}prefix={prefix}")
    try:
        for _ in range(servers):
            await made.add(RedisStore(replace(place, lease_ms=lease_ms)))
        yield made
    finally:
        await made.close()


async def until(holds: Callable[[], bool], *, within_s: float = PATIENCE_S) -> None:
    """Return as soon as it holds."""
    give_up = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < give_up, "what was waited for did not come about"
        await asyncio.sleep(0.01)
