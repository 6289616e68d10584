"""A storm against a server in a process of its own, as it is run: what players elsewhere notice of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from support.attacker import Attacker, Plain, hostile_frame
from support.processes import QUICK, serving
from support.wire import Peer, dial

if TYPE_CHECKING:
    from conftest import Size

LIMITS = {**QUICK, "strikes_max": 1_000_000_000, "lines_spare": 100_000}
LINES, BATCH = 6, 6


async def pace(peer: Peer, count: int) -> list[float]:
    """How long so many answers took, shortest first."""
    loop, taken = asyncio.get_running_loop(), []
    for _ in range(count):
        before = loop.time()
        await peer.ok(t="ping")
        taken.append(loop.time() - before)
        await asyncio.sleep(0.002)
    return sorted(taken)


async def storm(port: int, chance: Random, messages: list[Plain], until: asyncio.Event) -> int:
    """Send broken frames until told to stop; how many."""
    hello: Plain = {"t": "hello", "name": "Mallory", "protocol": 1}
    attackers = [Attacker(port, (hello,) if number % 2 else ()) for number in range(LINES)]
    while not until.is_set():
        for attacker in attackers:
            for _ in range(BATCH):
                await attacker.send(hostile_frame(chance, [hello, *messages]))
            await attacker.drain()
            await asyncio.sleep(0.001)
    for attacker in attackers:
        await attacker.close()
    return sum(attacker.sent for attacker in attackers)


async def test_players_at_other_tables_notice_little(
    tmp_path: Path, seed: int, size: Size, tell: Callable[[str], None]
) -> None:
    """While one process is stormed its players are answered all the time, it writes no traceback, and it stops as it should."""
    async with serving(tmp_path, limits=LIMITS) as server:
        calm = await (await dial(server.url)).hello("Calm")
        table = (await calm.ok(t="create", bots=3))["table"]
        await calm.ok(t="sit", table=table)
        await calm.ok(t="start", table=table)
        count = size(300, 10_000)
        before = await pace(calm, count)
        over = asyncio.Event()
        messages: list[Plain] = [
            {"t": "act", "table": table, "act": {"do": "play", "card": "SA"}, "prompt": "p1"},
            {"t": "watch", "table": table},
            {"t": "record", "table": table, "hand": 1},
            {"t": "tables"},
        ]
        storming = asyncio.create_task(storm(server.port, Random(f"{seed}/apart"), messages, over))
        during = await pace(calm, count)
        over.set()
        sent = await storming
        p99 = count - 1 - count // 100
        tell(
            f"{sent} broken frames against a process: an answer takes {before[count // 2] * 1000:.1f} / "
            f"{before[p99] * 1000:.1f} ms before and {during[count // 2] * 1000:.1f} / {during[p99] * 1000:.1f} ms "
            "meanwhile (median / p99, the storm's own work included)"
        )
        assert sent > count // 10
        assert '"fault"' not in server.errors
        assert " fault" not in server.errors
        await calm.close()
