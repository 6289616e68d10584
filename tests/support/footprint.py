"""What is left of a crowd that has gone: objects, bytes and descriptors, counted so that little of it shows among much."""

import asyncio
import contextlib
import gc
import linecache
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from oddtrick_server.app import App
from oddtrick_server.client import Client
from oddtrick_server.clock import VirtualClock
from oddtrick_server.cluster.follower import Follower
from oddtrick_server.connection import Connection
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.session import IDENTITIES
from oddtrick_server.table_actor import TableActor
from support.attacker import settled

SLACK_BYTES = (
    64 * 1024
)  # by which one wave differs from the next: caches fill up to their bounds, timers have still to run
OURS = (TableActor, Follower, Client, Connection)


def alive() -> Counter[str]:
    """How many tables, clients and connections there are in this process, after all that can be collected was."""
    gc.collect()
    return Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, OURS))


@contextlib.contextmanager
def traced() -> Iterator[None]:
    """Let `heap_bytes` count what is made from now on."""
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def heap_bytes() -> int:
    """What of the objects made while they are traced is still there.

    The memory of the process would not do: what others have left of it free takes up a leak of megabytes unseen.
    """
    linecache.clearcache()  # of whole modules, as soon as one traceback is looked at
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@dataclass(frozen=True, slots=True)
class Growth:
    """What more there is after so many things that are gone."""

    more_bytes: int
    things: int

    @classmethod
    def over(cls, waves: Sequence[int], each: float) -> Self:
        """From wave to wave, with so many things in each; from where a third are over, and all is made that is made once."""
        begun = len(waves) // 3
        return cls(waves[-1] - waves[begun], round((len(waves) - 1 - begun) * each))

    def is_below(self, each_bytes: float) -> bool:
        """Whether each thing has left less than that behind, of what is beyond the slack."""
        return self.more_bytes < SLACK_BYTES + each_bytes * self.things

    def __str__(self) -> str:
        return f"{self.more_bytes / 1000:.0f} kB more after the last {self.things:,} of them"


async def until_empty(app: App, clock: VirtualClock) -> None:
    """Let days pass until no table and no session is left."""
    await settled(lambda: not app.listener.clients)
    for _ in range(20_000):
        clock.move(DEFAULT_LIMITS.sweep_s)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        if not len(app.lobby) and not len(app.sessions) and not await app.store.list_tables():
            break
        clock.move(DEFAULT_LIMITS.frozen_s / 100)
    await settled(lambda: not len(app.lobby))
    await asyncio.sleep(0.05)


async def until_forgotten(app: App, clock: VirtualClock) -> None:
    """Let so much time pass that no guest's token is good any more."""
    clock.move(DEFAULT_LIMITS.token_s + 2 * 86_400.0)
    async with asyncio.timeout(20):
        while await app.store.list_keys(IDENTITIES):
            clock.move(DEFAULT_LIMITS.sweep_s)
            await asyncio.sleep(0.01)
