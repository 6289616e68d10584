"""Three servers on a Redis with replicas and Sentinels, tables of bots with bystanders, and everything going wrong in turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from support.club import Club, Times, check_log, companies, converged

if TYPE_CHECKING:
    from conftest import Size

FAULTS = ("kill_server", "kill_redis", "pause_server", "drain_server", "part_server")
WITHIN_S = 60.0


async def test_every_rubber_ends_whatever_dies(
    tmp_path: Path, seed: int, size: Size, tell: Callable[[str], None]
) -> None:
    """Servers and primaries are killed, stopped, drained and cut off: no acknowledged act is lost or doubled, all see the same."""
    tables, rounds, patience_s = size((3, 1, 240.0), (40, 10, 1_200.0))
    chance = Random(seed)
    async with (
        Club(tmp_path, servers=3, seed=seed, profile="redis-ha") as club,
        companies(club, tables, seed) as seated,
    ):
        times = Times(club)
        for _ in range(rounds):
            for fault in chance.sample(FAULTS, len(FAULTS)):
                since = time.monotonic()
                happening = asyncio.create_task(getattr(club, fault)())
                await times.after(fault, seated, since, within_s=WITHIN_S)
                await happening
                await times.after("afterwards", seated, time.monotonic(), within_s=WITHIN_S)
        await asyncio.gather(*(company.finish(patience_s) for company in seated))
        store = club.store()
        for company in seated:
            check_log(company, await converged(store, company))
        await store.close()
        acts = sum(company.acknowledged for company in seated)
        faults = rounds * len(FAULTS)
        tell(f"{tables} tables, {faults} faults, {acts:,} acts; from each fault to a table's next act:\n{times}")
        for member in club.members:
            assert "Traceback" not in member.process.errors, member.process.errors
