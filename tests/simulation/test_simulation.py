import asyncio
import logging
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
import structlog

from oddtrick_cli.main import run
from oddtrick_cli.simulate import quiet
from oddtrick_cli.simulation import search
from oddtrick_cli.simulation.faults import Fault, FaultKind, plan
from oddtrick_cli.simulation.hearing import hearing
from oddtrick_cli.simulation.late_store import LateStore
from oddtrick_cli.simulation.search import Wish, evening_of, play, shrink
from oddtrick_cli.simulation.world import Evening, World
from oddtrick_cli.simulation.world import Outcome as Played
from oddtrick_protocol.closing import Close
from oddtrick_sdk.bots.courteous import CourteousBrain
from oddtrick_sdk.driver import Driver
from oddtrick_server.client import Client as Served
from oddtrick_server.logs import Say, log
from oddtrick_server.store.interface import AppendResult, Outcome
from oddtrick_server.table import Table

ALL = Wish(kinds=tuple(FaultKind), count=8, until_s=20.0, hands=1)
WORKERS = 2
PARTS = 5  # so that no one test runs for minutes


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    quiet()
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_thousand_evenings_hold(part: int, size: Any, seed: int) -> None:
    """Whatever goes wrong on an evening, nothing acknowledged is lost or doubled and everybody sees what the log says."""
    share = size(1_000, 10_000) // PARTS // WORKERS
    first = seed % 1_000_000 + part * share * WORKERS
    evenings = f"--seeds {share} --count {ALL.count} --until {ALL.until_s:g} --hands {ALL.hands}".split()
    command = [sys.executable, "-m", "oddtrick_cli.main", "simulate", *evenings, "--seed"]
    running = [
        subprocess.Popen([*command, str(first + number * share)], stdout=subprocess.PIPE, text=True)
        for number in range(WORKERS)
    ]
    said = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0] * WORKERS, said


@pytest.mark.parametrize("seed", [pytest.param(454_696, id="an end that overtook what was written before it")])
def test_an_evening_that_failed_once_holds(seed: int) -> None:
    """Seeds that found something stay: each failed before what it found was mended."""
    assert play(evening_of(seed, replace(ALL, hands=0))).problems == []


def test_an_evening_without_faults_ends_its_rubber() -> None:
    """With nothing amiss the rubber is played to its end, and every act of it is in the log."""
    outcome = play(evening_of(1, Wish(kinds=(), count=0, until_s=1)))
    assert outcome.problems == []
    assert outcome.rubbers == 1
    assert outcome.acts > 100


def test_the_same_seed_gives_the_same_evening() -> None:
    """The simulation depends on nothing but its seed: time, chance and the network are all its own."""
    evening = evening_of(7, ALL)
    once, again = World(evening), World(evening)
    assert once.run() == again.run()
    assert once.ledger.accounts.keys() == again.ledger.accounts.keys()
    for table, account in once.ledger.accounts.items():
        assert account.ids == again.ledger.accounts[table].ids
        assert account.book.rubber == again.ledger.accounts[table].book.rubber


def test_a_server_that_does_a_command_twice_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the table's memory of answered commands taken away, fifty seeds are enough to see one done twice."""
    honest = Table.handle

    def forgetful(self: Table, person: Any, message: Any, now: float) -> Any:
        self.book.answers.pop((person.identity, message.id), None)
        return honest(self, person, message, now)

    monkeypatch.setattr(Table, "handle", forgetful)
    wish = replace(ALL, kinds=(FaultKind.CUT, FaultKind.CRASH, FaultKind.DROP), count=20)
    found = next((problems for seed in range(50) if (problems := play(evening_of(seed, wish)).problems)), None)
    assert found is not None
    assert any("twice" in problem or "refused that were done" in problem for problem in found), found


def test_a_store_that_promises_too_early_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a write is acknowledged before it is made, a crash in between loses it, and fifty seeds are enough to see that."""
    honest = LateStore.append
    waiting: dict[int, asyncio.Future[Any]] = {}

    def hasty(self: LateStore, table_id: str, expected_seq: int, entries: Any, **options: Any) -> Any:
        async def write() -> AppendResult:
            await asyncio.sleep(0.3)
            return await honest(self, table_id, expected_seq, entries, **options)

        async def promise() -> AppendResult:
            before = waiting.get(id(self))
            if before is not None:
                await before  # in order all the same: only the promise comes too early
            waiting[id(self)] = asyncio.ensure_future(write())
            return AppendResult(Outcome.OK, expected_seq + len(entries))

        return asyncio.ensure_future(promise())

    monkeypatch.setattr(LateStore, "append", hasty)
    wish = replace(ALL, kinds=(FaultKind.CRASH,), count=6)
    found = next((problems for seed in range(50) if (problems := play(evening_of(seed, wish)).problems)), None)
    assert found is not None


NO_FAULTS = Wish(kinds=(), count=0, until_s=1.0, hands=1)


def raising(honest: Any, *, every: int, error: Exception) -> Any:
    """The method, but that it raises each so many times."""
    calls = 0

    def method(self: Any, *args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls % every == 0:
            raise error
        return honest(self, *args, **options)

    return method


@pytest.mark.parametrize("servers", [1, 3])
def test_a_fault_that_a_server_outlives_is_found_out(servers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that catches its own fault, closes the table and takes it up again has a fault all the same."""
    monkeypatch.setattr(Table, "handle", raising(Table.handle, every=23, error=KeyError("planted")))
    problems = play(evening_of(1, replace(NO_FAULTS, servers=servers))).problems
    assert any("server-" in problem and "fault: KeyError('planted') in method" in problem for problem in problems), (
        problems
    )


def test_what_ends_the_evening_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is raised in the end is a problem of that seed, not the end of the search."""
    monkeypatch.setattr(Driver, "act", raising(Driver.act, every=23, error=ZeroDivisionError("planted")))
    (problem,) = play(evening_of(1, NO_FAULTS)).problems
    assert "ZeroDivisionError('planted') in method" in problem


def test_a_bot_that_raises_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house bot's fault is one, though another act is done instead of its own, at the server and at a client."""
    act = raising(CourteousBrain.act, every=5, error=IndexError("planted"))
    monkeypatch.setattr(CourteousBrain, "act", act)
    cut = Fault(5.0, FaultKind.PARTITION, 0, 45.0)  # until a substitute has played for the client
    problems = play(Evening(seed=1, faults=(cut,), hands=1)).problems
    assert any("client-0: bot_failed: the bot raised" in problem for problem in problems), problems
    assert any("fault: the bot courteous at" in problem for problem in problems), problems


def test_a_client_that_is_closed_for_good_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody in a simulation takes his own place twice or says what is no message: whoever is told so is told wrong."""
    honest = Served.received
    pings = 0

    def closing(self: Served, data: bytes | str) -> None:
        nonlocal pings
        honest(self, data)
        pings += self.session is not None and b"ping" in (data if isinstance(data, bytes) else data.encode())
        if pings == 5:  # the bystander is the last to be asked whether he is still there
            pings += 1
            self.connection.drop(Close.REPLACED)

    monkeypatch.setattr(Served, "received", closing)
    problems = play(evening_of(1, NO_FAULTS)).problems
    assert [problem for problem in problems if problem.startswith("client 4 was closed for good")], problems


def test_faults_are_heard_whether_the_log_is_shown_or_not() -> None:
    """What is heard of goes to the log as it would; afterwards the log is as it was."""
    heard: list[str] = []
    for level in ("INFO", "CRITICAL"):
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]))
        with structlog.testing.capture_logs() as shown, hearing(heard.append):
            log.error(Say.FAULT, why="planted")
            log.error(Say.TABLE_LOST, why="no fault of ours")
        assert len(shown) == (2 if level == "INFO" else 0)
        log.error(Say.FAULT, why="afterwards")
    assert heard == ["world: fault: planted"] * 2


def test_a_failing_plan_is_cut_down_to_what_fails() -> None:
    """Shrinking leaves out every fault the failure does not need."""
    needed = Fault(2.0, FaultKind.CRASH, 1, 1.0)
    others = plan(Random(3), kinds=(FaultKind.CUT, FaultKind.DELAY), count=6, until_s=9)

    def runner(evening: Evening) -> Any:
        outcome = play(Evening(seed=1, hands=1))
        outcome.problems = ["lost"] if needed in evening.faults else []
        return outcome

    shortest = shrink(Evening(seed=1, faults=(*others[:3], needed, *others[3:])), runner=runner)
    assert shortest.faults == (needed,)


def test_the_command_says_what_it_played(capsys: pytest.CaptureFixture[str]) -> None:
    """`oddtrick simulate` prints one line when all is well, and refuses a fault it does not know."""
    assert run(["simulate", "--seed", "3", "--seeds", "2", "--hands", "1", "--until", "10"]) == 0
    assert capsys.readouterr().out.startswith("ok: 2 seeds from 3")
    assert run(["simulate", "--faults", "meteor"]) == 2
    assert "meteor" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--code", "nosuch"],
        ["--code", ""],
        ["--rubbers", "0"],
        ["--rubbers", "-1"],
        ["--hands", "-1"],
        ["--servers", "0"],
        ["--seeds", "0"],
        ["--count", "-1"],
        ["--until", "0"],
        ["--until", "nan"],
        ["--until", "inf"],
        ["--faults", ""],
    ],
)
def test_what_no_evening_can_be_played_with_is_told(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """An option that will not do is one line that names it, and exit 2; no evening holds or fails of it."""
    assert run(["simulate", *options]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    assert line.startswith(options[0])


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--code", "whist-1900", "--enforcement", "club", "--faults", "cut, drop", "--servers", "2", "--hands", "1"],
        ["--rubbers", "2", "--count", "3", "--until", "1.2345678901", "--verbose"],
    ],
)
def test_the_line_that_plays_a_failure_again_can_be_pasted(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is printed of an evening that fails is a command that plays that very evening again."""
    played: list[Evening] = []

    def fail(evening: Evening) -> Played:
        played.append(evening)
        return Played(problems=["it fails"] if evening.seed >= 8 else [], seconds=0.0, acts=0, rubbers=0)

    monkeypatch.setattr(search, "play", fail)
    monkeypatch.setattr(search, "shrink", lambda evening: evening)
    assert run(["simulate", "--seed", "7", "--seeds", "3", *options]) == 1
    (again,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("again: oddtrick ")]
    failed = played[-1]
    words = shlex.split(again.removeprefix("again: oddtrick "))
    assert len(words) == 3 + len(options)
    assert run(words) == 1
    assert played[-1] == failed
