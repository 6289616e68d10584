"""Tables and connections come and go by the thousand, and nothing of them stays."""

from __future__ import annotations

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from oddtrick_cli.simulation.faults import FaultKind
from oddtrick_cli.simulation.search import Wish, evening_of, play
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.settings import Settings
from oddtrick_server.store.memory import MemoryStore
from support.attacker import Unhandled, open_files, resident_bytes, settled
from support.footprint import Growth, alive, heap_bytes, traced, until_empty, until_forgotten
from support.house import UNHURRIED
from support.tables import seeded
from support.wire import Peer, dial

if TYPE_CHECKING:
    from conftest import Size

TOGETHER = 20  # hosts at work at a time
WAVES = 6
KEPT_BYTES_MAX = 100  # of a table that is gone
EVENING_BYTES_MAX = 10_000  # of one that is over: what a few hundred acts leave in caches that have bounds
# Or who came once would be remembered for it, up to 50,000 of them.
FORGETFUL = replace(UNHURRIED, rate_keys_max=50)


async def open_one(app: App, clock: VirtualClock, number: int, chance: Random) -> str:
    """Open a table and leave it in one of the ways there are: never joined, joined and left, or in the middle of a rubber."""
    host = await (await dial(app.url)).hello(f"Host {number % TOGETHER}")
    table: str = (await host.ok(t="create", bots=3, private=chance.random() < 0.3))["table"]
    way = number % 4
    if way:
        await host.ok(t="sit", table=table)
    if way > 1:
        await host.ok(t="start", table=table)
        await host.event("deal_committed")
    if way == 3:
        await _watched(app, table, host)
    if chance.random() < 0.3:
        await host.cut()
    else:
        await host.close()
    return table


async def _watched(app: App, table: str, host: Peer) -> None:
    watcher = await (await dial(app.url)).hello("Watcher")
    answer = await watcher.ask(t="watch", table=table)
    assert answer["t"] == "ok" or answer["code"] == "invite_needed"
    await host.ok(t="leave", table=table)
    await watcher.close()


async def test_tables_opened_and_closed_leave_nothing(
    unhandled: Unhandled, seed: int, size: Size, tell: Callable[[str], None]
) -> None:
    """B68: tables and players were never let go of; here after thousands of them tasks, descriptors and sessions are as before."""
    count, clock, chance = size(300, 10_000), VirtualClock(), Random(f"{seed}/churn")
    async with App(Settings(port=0, store="memory", limits=FORGETFUL), clock=clock, entropy=seeded(seed)) as app:
        await open_one(app, clock, 0, chance)
        await until_empty(app, clock)
        base = (len(asyncio.all_tasks()), open_files(), alive())
        memory: list[int] = []
        with traced():
            for wave in range(WAVES):
                first, last = wave * count // WAVES, (wave + 1) * count // WAVES
                for start in range(first, last, TOGETHER):
                    numbers = range(start, min(start + TOGETHER, last))
                    tables = await asyncio.gather(*(open_one(app, clock, number, chance) for number in numbers))
                    await until_empty(app, clock)
                    for table in tables:
                        await app.store.drop_hands(table)  # which would be kept for who asks for them
                await until_forgotten(app, clock)
                assert (len(asyncio.all_tasks()), open_files(), alive()) == base
                assert app.listener.line_count == 0
                assert await app.store.list_tables() == []
                unhandled.condense()
                memory.append(heap_bytes())
        growth = Growth.over(memory, count / WAVES)
        tell(f"{count} tables in {WAVES} waves: {growth}, {resident_bytes() / 1e6:.0f} MB in the end")
        assert growth.is_below(KEPT_BYTES_MAX)
    assert not unhandled.all


async def test_a_table_that_is_closed_is_gone(seed: int) -> None:
    """A closed table, whatever was in hand at it, leaves no circle of objects that only the garbage collector could find."""
    clock, chance = VirtualClock(), Random(f"{seed}/gone")
    async with App(Settings(port=0, store="memory", limits=UNHURRIED), clock=clock, entropy=seeded(seed)) as app:
        gc.collect()
        gc.disable()
        try:
            for number in range(12):
                await open_one(app, clock, number, chance)
            await until_empty(app, clock)
            gc.set_debug(gc.DEBUG_SAVEALL)
            gc.collect()
            found = Counter(type(one).__name__ for one in gc.garbage if type(one).__module__.startswith("oddtrick"))
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()
    assert not found


def test_a_soak_with_restarts_leaves_nothing(seed: int, size: Size, tell: Callable[[str], None]) -> None:
    """Evening after evening with servers that die and come back: all hold, and no table or connection outlives its evening."""
    wish = Wish(kinds=(FaultKind.CRASH, FaultKind.CUT, FaultKind.PAUSE), count=6, until_s=40.0, hands=size(1, 0))
    end, evenings = time.monotonic() + size(0.0, 10 * 60.0), 0
    memory: list[int] = []
    base = alive()
    with traced():
        while evenings < 6 or time.monotonic() < end:
            evening = evening_of(seed % 1_000_000 + evenings, wish)
            outcome = play(evening)
            assert not outcome.problems, (evening.seed, outcome.problems)
            evenings += 1
            assert alive() == base, evening.seed
            memory.append(heap_bytes())
    growth = Growth.over(memory, 1)
    tell(f"{evenings} evenings of soak: {growth}, {resident_bytes() / 1e6:.0f} MB in the end")
    assert growth.is_below(EVENING_BYTES_MAX)


async def test_restarts_on_one_store_leave_nothing(unhandled: Unhandled, size: Size) -> None:
    """A server stopped and started again on the same store, with players who return, leaves no task and no descriptor behind."""
    clock, limits = VirtualClock(), replace(UNHURRIED, close_s=0.2)
    store, token, table = MemoryStore(), None, ""
    tasks, files = len(asyncio.all_tasks()), open_files()
    for round_ in range(size(10, 200)):
        async with App(Settings(port=0, limits=limits), clock=clock, store=store, entropy=seeded(round_)) as app:
            peer = await (await dial(app.url)).hello("Anna", token=token)
            token = peer.token
            if not table:
                table = (await peer.ok(t="create", bots=3))["table"]
                await peer.ok(t="sit", table=table)
                await peer.ok(t="start", table=table)
            else:
                await peer.ok(t="resume", table=table, seq=0)
            clock.move(10.0)
            await peer.ok(t="ping")
        assert await peer.closed() == 1012
        await settled(lambda: len(asyncio.all_tasks()) == tasks)
        await settled(lambda: open_files() == files)
    assert not unhandled.all
