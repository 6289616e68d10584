"""Crowds around one table: those who never read, and two thousand who do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from support.attacker import LoopWatch, Unhandled, open_files, resident_bytes, settled
from support.crowd import Crowd, allow_files
from support.house import UNHURRIED
from support.processes import QUICK, serving
from support.tables import seeded
from support.wire import Peer, dial

if TYPE_CHECKING:
    from conftest import Size

CROWDED = replace(UNHURRIED, chats_burst=1_000_000, guests_burst=1_000_000, close_s=3.0)
LONG_WORDS = "\N{SPEAK-NO-EVIL MONKEY}" * 280
EVENT_BYTES_MAX = 4_096  # of what one round may add before a reader is found to be too slow
GROWTH_BYTES_MAX = 32_000_000  # of a server with a hundred who never read


@pytest.fixture
async def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
async def app(clock: VirtualClock, unhandled: Unhandled) -> AsyncIterator[App]:
    async with App(Settings(port=0, store="memory", limits=CROWDED), clock=clock, entropy=seeded("crowd")) as app:
        yield app
    assert not unhandled.all


async def seated(app: App, clock: VirtualClock) -> tuple[Peer, str]:
    """A player with three house bots, the cards dealt."""
    host = await (await dial(app.url)).hello("Host")
    table: str = (await host.ok(t="create", bots=3, clocks={"turn_ms": 10_000}))["table"]
    await host.ok(t="sit", table=table)
    await host.ok(t="start", table=table)
    await host.event("deal_committed")
    clock.move(DEFAULT_LIMITS.commit_s)
    await host.event("hand_dealt")
    return host, table


def waiting_bytes(app: App) -> int:
    """What the server keeps for its clients to read."""
    return sum(client.connection.transport.get_write_buffer_size() for client in app.listener.clients)


async def test_bystanders_who_never_read_are_dropped_and_cost_what_they_may(
    app: App, clock: VirtualClock, tell: Callable[[str], None]
) -> None:
    """A hundred who never read are each dropped at the bound of their outbox, with the code that lets them resume; play goes on."""
    host, table = await seated(app, clock)
    talker = await (await dial(app.url)).hello("Talker")
    await talker.ok(t="watch", table=table)
    crowd = Crowd(app.port, table)
    await crowd.come(100, reads=False)
    began, memory = time.monotonic(), resident_bytes()
    await settled(lambda: len(app.lobby.actors[0].table.book.info.bystanders) == 101)
    most = words = 0
    cards = sum(item["event"]["t"] == "card_played" for item in host.items())
    while any(client.connection.dropped is None for client in app.listener.clients if client.person.name[0] == "O"):
        await talker.ok(t="chat", table=table, channel="bystanders", text=LONG_WORDS)
        words += 1
        if words % 20 == 0:
            clock.move(1.0)
            await host.ok(t="ping")
        most = max(most, waiting_bytes(app))
        assert words < 20_000
    tell(
        f"100 who never read, all in one process: {most / 1e6:.1f} MB kept for them at most, all dropped after {words} words and"
        f" {time.monotonic() - began:.1f} s; it grew by {(resident_bytes() - memory) / 1e6:.1f} MB"
    )
    assert most < GROWTH_BYTES_MAX
    assert sum(item["event"]["t"] == "card_played" for item in host.items()) > cards
    for one in crowd.people[:5]:
        one.read_on()
    await settled(lambda: all(one.is_lost for one in crowd.people[:5]))
    assert [one.close_code for one in crowd.people[:5]] == [4408] * 5
    await settled(lambda: len(app.listener.clients) == 2)
    assert waiting_bytes(app) < EVENT_BYTES_MAX
    await settled(lambda: len(app.lobby.actors[0].table.book.info.bystanders) == 1)
    for peer in (host, talker):
        await peer.ok(t="ping")
        await peer.close()
    crowd.go()


async def test_a_server_with_bystanders_who_never_read_grows_little(
    tmp_path: Path, tell: Callable[[str], None]
) -> None:
    """A hundred who never read cost a server of its own little until their lines are let go of, and a player is served on."""
    # They are dropped as soon as they are 256 KiB behind; at a table where nothing happens, for a ping that is not answered.
    limits = {**QUICK, "chats_burst": 1_000_000, "close_s": 0.2, "messages_per_s": 1e6}
    async with serving(tmp_path, options=["--log-level", "warning"], limits=limits) as server:
        host = await (await dial(server.url)).hello("Host")
        table = (await host.ok(t="create", bots=3))["table"]
        await host.ok(t="sit", table=table)
        talker = await (await dial(server.url)).hello("Talker")
        await talker.ok(t="watch", table=table)
        files = open_files(server.id)
        crowd = Crowd(server.port, table)
        await crowd.come(100, reads=False)
        began, memory, most, slowest_s, words = time.monotonic(), resident_bytes(server.id), 0, 0.0, 0
        while open_files(server.id) > files:
            await talker.ok(t="chat", table=table, channel="bystanders", text=LONG_WORDS)
            words += 1
            before = time.monotonic()
            await host.ok(t="ping")
            slowest_s = max(slowest_s, time.monotonic() - before)
            most = max(most, resident_bytes(server.id) - memory)
            assert words < 20_000
        tell(
            f"100 who never read, at a server alone: it grew by {most / 1e6:.1f} MB at most, the last line was let go of after"
            f" {words} words and {time.monotonic() - began:.1f} s, and a player waited {slowest_s * 1000:.0f} ms at most meanwhile;"
            f" at a quiet table it takes {DEFAULT_LIMITS.ping_interval_s + DEFAULT_LIMITS.ping_timeout_s:.0f} s"
        )
        assert most < GROWTH_BYTES_MAX
        for peer in (host, talker):
            await peer.close()
        crowd.go()


async def test_two_thousand_bystanders_get_each_event(
    app: App, clock: VirtualClock, size: Size, tell: Callable[[str], None]
) -> None:
    """Everybody in a crowd gets every event once and in order, and nobody is dropped."""
    count, rounds = size(200, 2_000), size(20, 100)
    allow_files(2 * count)
    host, table = await seated(app, clock)
    crowd = Crowd(app.port, table)
    await crowd.come(count)
    book = app.lobby.actors[0].table.book
    await settled(lambda: len(book.info.bystanders) == count)
    await crowd.until(lambda one: one.head == book.streams.head(4))
    loop, watch, taken = asyncio.get_running_loop(), LoopWatch(), []
    for _ in range(rounds):
        before = loop.time()
        await host.ok(t="phrase", table=table, phrase="one_moment")
        head = book.streams.head(4)
        await crowd.until(lambda one, head=head: one.head >= head)  # type: ignore[misc]
        taken.append(loop.time() - before)
    await watch.stop()
    taken.sort()
    tell(
        f"{count} bystanders, {rounds} events: until the last has it {taken[len(taken) // 2] * 1000:.0f} ms (median), "
        f"{taken[-1 - len(taken) // 100] * 1000:.0f} ms (p99); loop away {watch.worst_s * 1000:.0f} ms at most"
    )
    assert not [one for one in crowd.people if one.is_lost or one.close_code is not None]
    assert {one.head for one in crowd.people} == {book.streams.head(4)}
    crowd.go()
    await settled(lambda: len(app.listener.clients) == 1)
    await settled(lambda: not book.info.bystanders)
    await host.close()
