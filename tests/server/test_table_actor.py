"""The shell around a table: nothing is shown before it is kept, and a store that fails costs nothing that was acknowledged."""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from oddtrick_server.store.errors import StoreUnusable, StoreWriteFailed
from oddtrick_server.store.interface import AppendResult, Outcome
from oddtrick_server.store.memory import MemoryStore
from support.tables import seeded
from support.wire import Peer, dial, guests, until

SETTINGS = Settings(port=0, store="memory")


class FaultyStore(MemoryStore):
    """A store whose appends wait at a gate, fail, or are refused, as a test likes."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.failing: Exception | None = None
        self.outcome: Outcome | None = None
        self.appends = 0

    async def append(
        self,
        table_id: str,
        expected_seq: int,
        entries: Sequence[bytes],
        *,
        fence: int = 0,
        command_key: bytes | None = None,
    ) -> AppendResult:
        self.appends += 1
        await self.gate.wait()
        if self.failing is not None:
            raise self.failing
        if self.outcome is not None:
            return AppendResult(self.outcome, expected_seq)
        return await super().append(table_id, expected_seq, entries, fence=fence, command_key=command_key)


@pytest.fixture
async def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
async def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
async def app(store: FaultyStore, clock: VirtualClock) -> AsyncIterator[App]:
    async with App(SETTINGS, store=store, clock=clock, entropy=seeded("actor")) as app:
        yield app


async def seated(app: App, *peers: Peer) -> str:
    table: str = (await peers[0].ok(t="create"))["table"]
    for peer in peers:
        await peer.ok(t="sit", table=table)
    return table


async def test_nothing_is_shown_before_it_is_kept(app: App, store: FaultyStore) -> None:
    """While the store has not kept an act, neither its answer nor its event goes to anyone; then both do."""
    async with guests(app.url, "Anna", "Ben") as (anna, ben):
        table = await seated(app, anna, ben)
        store.gate.clear()
        seen = len(ben.got)
        await anna.send(t="phrase", table=table, phrase="hello", id="said")
        await until(lambda: store.appends >= 4)
        await ben.ok(t="ping")
        await anna.ok(t="ping")
        assert not [one for one in anna.got if one.get("id") == "said"]
        assert [one["t"] for one in ben.got[seen:]] == ["pong"]
        store.gate.set()
        assert (await anna.until(lambda one: one.get("id") == "said"))["t"] == "ok"
        await ben.event("phrased", after=seen)


async def test_what_comes_while_the_store_writes_is_written_together(app: App, store: FaultyStore) -> None:
    """Acts that arrive during one append go into the next one, all of them in order."""
    async with guests(app.url, "Anna", "Ben") as (anna, ben):
        table = await seated(app, anna, ben)
        store.gate.clear()
        before = store.appends
        await anna.send(t="phrase", table=table, phrase="hello")
        await until(lambda: store.appends == before + 1)
        for phrase in ("sorry", "thank_you", "goodbye"):
            await ben.send(t="phrase", table=table, phrase=phrase)
        await ben.ok(t="ping")
        store.gate.set()
        await anna.until(lambda one: "goodbye" in json.dumps(one))
        assert store.appends == before + 2
        said = [item["event"]["phrase"] for item in anna.items() if item["event"]["t"] == "phrased"]
        assert said == ["hello", "sorry", "thank_you", "goodbye"]


async def test_a_write_that_fails_is_tried_again(app: App, store: FaultyStore, clock: VirtualClock) -> None:
    """A store that cannot write for a moment costs the table that moment, and nothing else."""
    async with guests(app.url, "Anna") as (anna,):
        table = await seated(app, anna)
        store.failing = StoreWriteFailed("the disk is full")
        before = store.appends
        await anna.send(t="phrase", table=table, phrase="hello", id="said")
        for attempt in range(1, 4):
            await until(lambda attempt=attempt: store.appends == before + attempt)  # type: ignore[misc]
            await until(lambda: clock.next_due() is not None)
            store.failing = None if attempt == 3 else store.failing
            clock.move(DEFAULT_LIMITS.store_retry_s)
        assert (await anna.until(lambda one: one.get("id") == "said"))["t"] == "ok"


@pytest.mark.parametrize(
    ("failing", "outcome"), [(StoreUnusable("gone"), None), (None, Outcome.FENCED), (None, Outcome.CONFLICT)]
)
async def test_a_log_that_is_lost_gives_the_table_up(
    app: App, store: FaultyStore, failing: Exception | None, outcome: Outcome | None, server_log: io.StringIO
) -> None:
    """A table that cannot write its log tells its clients to come back, shows nothing of what it lost, and is taken up anew."""
    async with guests(app.url, "Anna") as (anna,):
        table = await seated(app, anna)
        store.failing, store.outcome = failing, outcome
        await anna.send(t="phrase", table=table, phrase="hello", id="said")
        assert await anna.closed() == 1012
        assert not [one for one in anna.got if one.get("id") == "said"]
        store.failing = store.outcome = None
        again = await (await dial(app.url)).hello("Anna", token=anna.token)
        await again.ok(t="resume", table=table, seq=anna.items()[-1]["seq"] if anna.items() else 0)
        await again.ok(t="phrase", table=table, phrase="hello", id="said")
        await again.ok(t="ping")
        assert [item["event"]["t"] for item in again.items()].count("phrased") == 1
        await again.close()
    assert "table given up" in server_log.getvalue()


async def test_a_full_mailbox_refuses_and_says_when_to_come_again(store: FaultyStore, clock: VirtualClock) -> None:
    """More than a mailbox holds is refused at once, and may be asked again with the same id."""
    limits = replace(DEFAULT_LIMITS, mailbox_max=2)
    app = App(replace(SETTINGS, limits=limits), store=store, clock=clock)
    async with app, guests(app.url, "Anna") as (anna,):
        table = await seated(app, anna)
        store.gate.clear()
        before = store.appends
        await anna.send(t="phrase", table=table, phrase="hello")
        await until(lambda: store.appends == before + 1)
        for number in range(3):
            await anna.send(t="phrase", table=table, phrase="sorry", id=f"s{number}")
        refused = await anna.until(lambda one: one["t"] == "refused")
        assert (refused["id"], refused["code"], refused["retry_after_ms"]) == ("s2", "busy", 1000)
        store.gate.set()
        await anna.ok(t="phrase", table=table, phrase="sorry", id="s2")


async def test_a_fault_at_one_table_leaves_the_others_alone(
    app: App, server_log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug that shows at one table closes the connections there with a code to resume, and no other table notices."""
    async with guests(app.url, "Anna", "Ben") as (anna, ben):
        bad, good = await seated(app, anna), await seated(app, ben)
        actor = app.lobby.loaded(bad)
        assert actor is not None

        def broken(*_: object) -> None:
            raise RuntimeError("a bug")

        monkeypatch.setattr(actor.table, "handle", broken)
        await anna.send(t="phrase", table=bad, phrase="hello")
        assert await anna.closed() == 1011
        await ben.ok(t="phrase", table=good, phrase="hello")
        again = await (await dial(app.url)).hello("Anna", token=anna.token)
        await again.ok(t="resume", table=bad, seq=0)
        await again.ok(t="phrase", table=bad, phrase="hello")
        await again.close()
    assert "a bug" in server_log.getvalue()
