"""Three servers on a Redis with replicas and Sentinels, or on one alone; tables of bots with bystanders, and everything going wrong."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from support.club import Club, Times, check_log, companies, converged

if TYPE_CHECKING:
    from conftest import Size

FAULTS = ("kill_server", "kill_redis", "pause_server", "drain_server", "part_server")
OF_ONE_REDIS = ("kill_redis", "kill_server")
WITHIN_S = 60.0


async def test_every_rubber_ends_whatever_dies(
    tmp_path: Path, seed: int, size: Size, tell: Callable[[str], None]
) -> None:
    """Servers and primaries are killed, stopped, drained and cut off: no acknowledged act is lost or doubled, all see the same."""
    tables, rounds, patience_s = size((3, 1, 240.0), (40, 10, 1_200.0))
    async with Club(tmp_path, servers=3, seed=seed, profile="redis-ha") as club:
        tell(await survived(club, FAULTS, tables=tables, rounds=rounds, seed=seed, patience_s=patience_s))


async def test_every_rubber_ends_though_the_one_redis_is_killed(
    tmp_path: Path, seed: int, size: Size, tell: Callable[[str], None]
) -> None:
    """A Redis alone that keeps each write on its disk is killed below tables in play and started again: nothing acknowledged is lost."""
    tables, rounds, patience_s = size((2, 1, 240.0), (20, 5, 1_200.0))
    async with Club(tmp_path, servers=2, seed=seed, profile="redis-solo") as club:
        tell(await survived(club, OF_ONE_REDIS, tables=tables, rounds=rounds, seed=seed, patience_s=patience_s))


async def survived(club: Club, kinds: Sequence[str], *, tables: int, rounds: int, seed: int, patience_s: float) -> str:
    """Let everything of these kinds happen, round after round, and the rubbers end; the figures, if all went well."""
    chance = Random(seed)
    async with companies(club, tables, seed) as seated:
        times = Times(club)
        for _ in range(rounds):
            for fault in chance.sample(kinds, len(kinds)):
                since = time.monotonic()
                happening = asyncio.create_task(getattr(club, fault)())
                await times.after(fault, seated, since, within_s=WITHIN_S)
                await happening
                await times.after("afterwards", seated, time.monotonic(), within_s=WITHIN_S)
        await asyncio.gather(*(company.finish(patience_s) for company in seated))
        store = club.store()
        try:
            for company in seated:
                check_log(company, await converged(store, company))
        finally:
            await store.close()
        acts = sum(company.acknowledged for company in seated)
        for member in club.members:
            assert "Traceback" not in member.process.errors, member.process.errors
    return (
        f"{tables} tables, {rounds * len(kinds)} faults, {acts:,} acts; from each fault to a table's next act:\n{times}"
    )
