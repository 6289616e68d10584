"""Evenings on which several servers share the store, and letters between them are late, lost or doubled."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import structlog

from oddtrick_cli.simulate import quiet
from oddtrick_cli.simulation.faults import FaultKind
from oddtrick_cli.simulation.search import Wish, evening_of, play
from oddtrick_server.store.interface import AppendResult, Outcome
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.store.records import encode_append
from oddtrick_server.store.shared_memory import SharedMemoryStore

ALL = Wish(kinds=tuple(FaultKind), count=12, until_s=30.0, hands=1, servers=3)
WORKERS = 2


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    quiet()
    yield
    structlog.reset_defaults()


def test_evenings_with_three_servers_hold(size: Any, seed: int) -> None:
    """Servers crash, hang and are cut off while others take over: nothing is lost or doubled, and everybody sees the log."""
    share = size(60, 1_000) // WORKERS
    first = seed % 1_000_000
    wish = f"--servers {ALL.servers} --seeds {share} --count {ALL.count} --until {ALL.until_s:g} --hands {ALL.hands}"
    command = [sys.executable, "-m", "oddtrick_cli.main", "simulate", *wish.split(), "--seed"]
    running = [
        subprocess.Popen([*command, str(first + number * share)], stdout=subprocess.PIPE, text=True)
        for number in range(WORKERS)
    ]
    said = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0] * WORKERS, said


def test_a_store_that_trusts_whoever_writes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an append asks neither for the fence nor for the place, fifty seeds are enough to see a stale owner write."""

    async def trusting(
        self: SharedMemoryStore,
        table_id: str,
        expected_seq: int,
        entries: Sequence[bytes],
        *,
        fence: int = 0,
        command_key: bytes | None = None,
    ) -> AppendResult:
        del expected_seq
        log = self._logs.setdefault(table_id, [])
        log.extend((fence, record) for record in encode_append(entries, command_key))
        return AppendResult(Outcome.OK, len(log))

    monkeypatch.setattr(MemoryStore, "append", trusting)
    wish = Wish(kinds=(FaultKind.PAUSE, FaultKind.CUT_OFF), count=12, until_s=30.0, hands=1, servers=3)
    found = next((problems for seed in range(50) if (problems := play(evening_of(seed, wish)).problems)), None)
    assert found is not None
    assert any("were appended to a log of" in problem or "wrote after owner" in problem for problem in found), found
