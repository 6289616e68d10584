"""A crowd around one table, over two servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from oddtrick_protocol import messages as m
from oddtrick_sdk import Client
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.player import Player
from support.crowd import Onlooker, allow_files
from support.processes import QUICK, serving
from support.redis_servers import RedisServer

if TYPE_CHECKING:
    from conftest import Size

LIMITS = {**QUICK, "bot_think_s": 0.2, "guests_burst": 1_000_000, "ping_interval_s": 300.0}


class Timed(Onlooker):
    """A bystander that notes when it saw each event."""

    def __init__(self, news: Callable[[], None]) -> None:
        super().__init__(news)
        self.seen: dict[int, float] = {}

    def _take(self, opcode: int, payload: bytes) -> None:
        before = self.head
        super()._take(opcode, payload)
        for seq in range(before + 1, self.head + 1):
            self.seen.setdefault(seq, time.monotonic())


async def test_a_crowd_over_two_servers(
    redis_server: RedisServer, tmp_path: Path, size: Size, tell: Callable[[str], None]
) -> None:
    """Every bystander sees every event, on whichever server; how long after the first one who did is printed."""
    count = size(100, 2_000)
    allow_files(count)
    address = f"redis://127.0.0.1:{redis_server.port}?prefix=crowd"
    async with AsyncExitStack() as stack:
        servers = []
        for number in range(2):
            folder = tmp_path / f"server-{number}"
            folder.mkdir()
            options = ["--log-level", "warning"]
            servers.append(
                await stack.enter_async_context(serving(folder, store=address, options=options, limits=LIMITS))
            )
        host = await stack.enter_async_context(Client(servers[0].url, name="Host"))
        clocks: dict[str, Any] = {"linger_ms": 0, "linger_min_ms": 0, "turn_ms": 10_000}
        made = await host.create(clocks=clocks, bots=3)
        assert made.table is not None
        people: list[Timed] = []
        for start in range(0, count, 50):
            people += await asyncio.gather(
                *(
                    Timed.at(servers[number % 2].port, made.table, number, _nothing)
                    for number in range(start, min(start + 50, count))
                )
            )
        table = await host.sit(made.table)
        await table.ask(m.Start)
        player = Player(table, Driver(house_bot("courteous", Random(1)), Random(1)))
        playing = asyncio.create_task(player.play())
        await _seen_by_all(people, events=40)
        playing.cancel()
        for one in people:
            one.close()
    spreads = sorted(_spreads(people))
    p50, p99 = spreads[len(spreads) // 2], spreads[int(len(spreads) * 0.99)]
    tell(
        f"{count:,} bystanders over two servers, {len(spreads)} events: the last saw each {p50 * 1000:.0f} ms (p50),"
        f" {p99 * 1000:.0f} ms (p99) after the first"
    )


def _nothing() -> None:
    pass


async def _seen_by_all(people: list[Timed], *, events: int) -> None:
    start = max(one.head for one in people)
    async with asyncio.timeout(120):
        while min(one.head for one in people) < start + events:  # noqa: ASYNC110 - of a thousand lines
            await asyncio.sleep(0.1)
    assert not any(one.is_lost for one in people)


def _spreads(people: list[Timed]) -> list[float]:
    everywhere = set.intersection(*(set(one.seen) for one in people))
    times = [[one.seen[seq] for one in people] for seq in sorted(everywhere)[-30:]]
    return [max(row) - min(row) for row in times]
