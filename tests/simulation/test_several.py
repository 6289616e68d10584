"""Evenings on which several servers share the store, and letters between them are late, lost or doubled."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from oddtrick_cli.simulate import quiet
from oddtrick_cli.simulation.faults import FaultKind
from oddtrick_cli.simulation.search import Wish, evening_of, play
from oddtrick_server.cluster.node import Node
from oddtrick_server.store.interface import Outcome

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


def without_the_fence(*, head_seq: int, expected_seq: int, owner_fence: int, fence: int) -> Outcome | None:
    del owner_fence, fence
    if head_seq < expected_seq:
        return Outcome.GAP
    return Outcome.OK if head_seq == expected_seq else None


def without_the_place(*, head_seq: int, expected_seq: int, owner_fence: int, fence: int) -> Outcome | None:
    del head_seq, expected_seq
    return Outcome.OK if fence == owner_fence else Outcome.FENCED


@pytest.mark.parametrize(
    ("judge", "says"),
    [(without_the_fence, "wrote when owner"), (without_the_place, "were appended to a log of")],
)
def test_a_store_that_leaves_a_check_out_is_found_out(
    judge: Callable[..., Outcome | None], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an append asks only for the place, or only for the fence, fifty seeds are enough to see what the other alone stops."""
    monkeypatch.setattr("oddtrick_server.store.memory.judge_append", judge)
    found = next((problems for seed in range(50) if (problems := play(evening_of(seed, ALL)).problems)), None)
    assert found is not None
    assert any(says in problem for problem in found), found


def test_a_task_that_ended_of_itself_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that a server keeps and never asks, as that of its beats, is missed although nobody is told that it failed."""
    honest, beats = Node._renew, 0

    async def failing(self: Node) -> bool:
        nonlocal beats
        beats += 1
        if beats == 20:
            raise LookupError("a beat too many")
        return await honest(self)

    monkeypatch.setattr(Node, "_renew", failing)
    quiet_evening = Wish(kinds=(), count=0, until_s=1.0, hands=1, servers=3)
    problems = play(evening_of(1, quiet_evening)).problems
    assert any(problem.startswith("unhandled: LookupError('a beat too many') in failing") for problem in problems), (
        problems
    )
