"""A storm against a server in a process of its own, as it is run: what players elsewhere notice of it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.processes import QUICK, serving
from support.wire import Peer, dial

if TYPE_CHECKING:
    from conftest import Size

UNBOUNDED = {**QUICK, "strikes_max": 1_000_000_000, "lines_spare": 100_000}
TESTS = Path(__file__).parents[1]


async def pace(peer: Peer, count: int) -> list[float]:
    """How long so many answers took, shortest first."""
    loop, taken = asyncio.get_running_loop(), []
    for _ in range(count):
        before = loop.time()
        await peer.ok(t="ping")
        taken.append(loop.time() - before)
        await asyncio.sleep(0.06)
    return sorted(taken)


@asynccontextmanager
async def stormed(port: int, table: str, seed: str, said: list[str]) -> AsyncIterator[None]:
    """Storm that port in the meantime; what the storm said is put into the list."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "support.storm",
        str(port),
        table,
        seed,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )
    try:
        await asyncio.sleep(1.0)
        yield
        process.terminate()
        out, _ = await process.communicate()
        said.append(out.decode().strip())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("limits", [pytest.param({}, id="as served"), pytest.param(UNBOUNDED, id="without bounds")])
async def test_players_at_other_tables_notice_little(
    tmp_path: Path, seed: int, size: Size, tell: Callable[[str], None], limits: dict[str, float]
) -> None:
    """While one process is stormed its players are answered all the time, it writes no traceback, and it stops as it should."""
    async with serving(tmp_path, limits=limits) as server:
        calm = await (await dial(server.url)).hello("Calm")
        table = (await calm.ok(t="create", bots=3))["table"]
        await calm.ok(t="sit", table=table)
        await calm.ok(t="start", table=table)
        count, said = size(60, 1_000), list[str]()
        before = await pace(calm, count)
        async with stormed(server.port, table, f"{seed}/apart", said):
            during = await pace(calm, count)
        p99 = count - 1 - count // 100
        tell(
            f"{said[0]} against a process: an answer takes {before[count // 2] * 1000:.1f} / "
            f"{before[p99] * 1000:.1f} ms before and {during[count // 2] * 1000:.1f} / {during[p99] * 1000:.1f} ms "
            "meanwhile (median / p99)"
        )
        assert int(said[0].split()[0]) > count
        assert '"fault"' not in server.errors
        assert " fault" not in server.errors
        await calm.close()
