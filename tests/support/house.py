"""A whole server in this process, with sockets, a store of one's choice, chance from a seed and a clock the test moves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from oddtrick_rules.state import State
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS, Limits
from oddtrick_server.settings import Settings
from oddtrick_server.store.interface import Store
from oddtrick_server.table import Table
from support.tables import seeded

# The clock of the buckets stands while a test acts, so that they would never fill again.
UNHURRIED: Final = replace(
    DEFAULT_LIMITS,
    connects_per_s=1e6,
    connects_burst=1_000_000,
    connections_per_address_max=10_000,
    messages_per_s=1e6,
    messages_burst=1_000_000,
    address_messages_burst=1_000_000,
    guests_burst=1_000_000,
    creates_burst=1_000_000,
    address_creates_burst=1_000_000,
    reads_burst=1_000_000,
    address_reads_burst=1_000_000,
)


class House:
    """One running server; `clock` is the only time its tables know."""

    def __init__(self, app: App, clock: VirtualClock) -> None:
        self.app = app
        self.clock = clock

    @property
    def url(self) -> str:
        return self.app.url

    @property
    def store(self) -> Store:
        return self.app.store

    def table(self, table_id: str) -> Table:
        """A table as the server has it."""
        actor = self.app.lobby.loaded(table_id)
        assert actor is not None, f"table {table_id} is not in memory"
        return actor.table

    def state(self, table_id: str) -> State:
        """The rubber of a table, with everything in it."""
        state = self.table(table_id).book.rubber
        assert state is not None, f"no rubber at table {table_id}"
        return state


@asynccontextmanager
async def open_house(*, store: str = "memory", seed: object = 0, limits: Limits = UNHURRIED) -> AsyncIterator[House]:
    """Run a server on a free port; deals may be seeded."""
    settings = Settings(port=0, store=store, allow_seeds=True, limits=limits, log_level="error")
    clock = VirtualClock()
    async with App(settings, clock=clock, entropy=seeded(seed)) as app:
        yield House(app, clock)
