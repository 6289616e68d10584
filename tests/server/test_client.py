"""What goes wrong with one message ends there: it is answered, its id is free again, and nobody is kept waiting."""

import asyncio
import io
from collections.abc import AsyncIterator

import pytest

from oddtrick_protocol.closing import Refuse
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.person import no
from oddtrick_server.settings import Settings
from oddtrick_server.store.errors import StoreBusy, StoreClosed, StoreCorrupt, StoreUnusable, StoreWriteFailed
from oddtrick_server.store.interface import HandRef
from oddtrick_server.store.memory import MemoryStore
from support.tables import seeded
from support.wire import dial, guests, until

WAITS = (StoreBusy("it is slow"), StoreWriteFailed("the disk is full"), StoreUnusable("no room"), StoreClosed("closed"))
FAULTS = (StoreCorrupt("a record is damaged"), RuntimeError("a bug"))


class BrokenStore(MemoryStore):
    """A store that fails as a test likes, after it has waited at a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.failing: Exception | None = None
        self.asked = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def _fail(self) -> None:
        self.asked += 1
        await self.gate.wait()
        if self.failing is not None:
            raise self.failing

    async def put_table(self, table_id: str, meta: bytes) -> None:
        await self._fail()
        await super().put_table(table_id, meta)

    async def put(self, namespace: str, key: str, value: bytes, *, only_new: bool = False) -> bool:
        await self._fail()
        return await super().put(namespace, key, value, only_new=only_new)

    async def list_hands_of(self, identity: str, *, limit: int = 100) -> list[HandRef]:
        await self._fail()
        return await super().list_hands_of(identity, limit=limit)


@pytest.fixture
async def store() -> BrokenStore:
    return BrokenStore()


@pytest.fixture
async def app(store: BrokenStore) -> AsyncIterator[App]:
    async with App(
        Settings(port=0, store="memory"), store=store, clock=VirtualClock(), entropy=seeded("client")
    ) as app:
        yield app


@pytest.mark.parametrize("error", [*WAITS, *FAULTS], ids=lambda error: type(error).__name__)
async def test_what_fails_is_answered_and_may_be_asked_again(app: App, store: BrokenStore, error: Exception) -> None:
    """Whatever a store raises below a message, it is refused with `busy` or `internal`, the line stays, and the id may come again."""
    async with guests(app.url, "Anna") as (anna,):
        store.failing = error
        refused = await anna.ask(t="create", id="made")
        assert refused["code"] == ("busy" if error in WAITS else "internal")
        assert ("retry_after_ms" in refused) == (error in WAITS)
        assert (await anna.ask(t="hands"))["t"] == "refused"
        store.failing = None
        made = await anna.ok(t="create", id="made")
        await anna.ok(t="sit", table=made["table"])


async def test_whoever_waits_for_the_same_answer_has_it(app: App, store: BrokenStore) -> None:
    """An id sent again on another line while it is worked out is answered there when that fails."""
    async with guests(app.url, "Anna") as (anna,):
        asked = store.asked
        store.gate.clear()
        await anna.send(t="create", id="made")
        await until(lambda: store.asked > asked)
        again = await (await dial(app.url)).hello("Anna", token=anna.token)
        await again.send(t="create", id="made")
        await again.ok(t="ping")
        store.failing = StoreUnusable("no room")
        store.gate.set()
        assert (await again.until(lambda one: one.get("id") == "made"))["code"] == "busy"
        assert store.asked == asked + 1
        await again.close()


async def test_a_fault_on_the_way_to_a_table_is_answered(
    app: App, server_log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug that shows before anything is waited for is a refusal too, and the same id may be asked again."""
    async with guests(app.url, "Anna") as (anna,):
        table = (await anna.ok(t="create"))["table"]

        def broken(*_: object) -> None:
            raise RuntimeError("a bug")

        with monkeypatch.context() as patch:
            patch.setattr(app.lobby, "loaded", broken)
            assert await anna.refused(t="sit", table=table, id="s") == "internal"
        await anna.ok(t="sit", table=table, id="s")
    assert "a bug" in server_log.getvalue()


async def test_a_search_for_a_seat_that_fails_on_the_way_is_answered(
    app: App, store: BrokenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is sent on from a table that has filled up, and for whom no other can be opened, is told."""
    async with guests(app.url, "Anna", "Ben") as (anna, ben):
        table = (await anna.ok(t="create"))["table"]
        await anna.ok(t="sit", table=table)
        actor = app.lobby.loaded(table)
        assert actor is not None
        with monkeypatch.context() as patch:
            patch.setattr(actor.table, "handle", lambda *_: no(Refuse.NO_FREE_SEAT))
            store.failing = StoreUnusable("no room")
            assert await ben.refused(t="sit", table="any", id="s") == "busy"
        store.failing = None
        await ben.ok(t="sit", table="any", id="s")


@pytest.mark.parametrize(
    ("error", "code"), [*((error, 1013) for error in WAITS), *((error, 1011) for error in FAULTS)], ids=str
)
async def test_a_hello_is_not_kept_waiting(app: App, store: BrokenStore, error: Exception, code: int) -> None:
    """A guest who cannot be written down is asked to come later if the store only waits; a fault of ours is called one."""
    store.failing = error
    peer = await dial(app.url)
    await peer.send(t="hello", name="Anna", protocol=1)
    assert await peer.closed() == code
    store.failing = None
    await (await (await dial(app.url)).hello("Anna")).close()


@pytest.mark.parametrize("code", [1000, 3_777, 4_001, 4_999])
async def test_a_client_makes_no_figure_with_its_close_code(app: App, code: int) -> None:
    """Closes are counted by the protocol's codes; whatever else a client closes with is `other`."""
    async with guests(app.url, "Anna") as (anna,):
        await anna.line.close(code)
    await until(lambda: app.lobby.metrics.closes)
    assert dict(app.lobby.metrics.closes) == {"1000" if code == 1000 else "other": 1}
