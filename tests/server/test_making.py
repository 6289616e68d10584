"""Those who would sit anywhere at the same moment sit together, however long the table takes to be opened."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.settings import Settings
from oddtrick_server.store.errors import StoreUnusable
from oddtrick_server.store.memory import MemoryStore
from support.house import UNHURRIED
from support.tables import seeded
from support.wire import Peer, Plain, guests, until

NAMES = ("Anna", "Ben", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal")


class SlowStore(MemoryStore):
    """A store that keeps tables waiting at a gate, and then fails so many of them."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.asked = 0
        self.failures = 0

    async def put_table(self, table_id: str, meta: bytes) -> None:
        self.asked += 1
        await self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise StoreUnusable("no room")
        await super().put_table(table_id, meta)


@pytest.fixture
async def store() -> SlowStore:
    return SlowStore()


@pytest.fixture
async def app(store: SlowStore) -> AsyncIterator[App]:
    settings = Settings(port=0, store="memory", limits=UNHURRIED)
    async with App(settings, store=store, clock=VirtualClock(), entropy=seeded("making")) as app:
        yield app


async def answer_to(peer: Peer, id_: str) -> Plain:
    """The answer to what was sent before."""
    return await peer.until(lambda one: one.get("id") == id_)


async def asking(
    store: SlowStore, peers: list[Peer], opened: int, *wishes: dict[str, str]
) -> list[asyncio.Task[Plain]]:
    """Each has asked for a seat anywhere, one after another, and so many tables are being opened."""
    asked = []
    for peer, wish in zip(peers, wishes or [{}] * len(peers), strict=True):
        asked.append(asyncio.create_task(answer_to(peer, await peer.send(t="sit", table="any", **wish))))
        await peer.ok(t="ping")  # answered after what was sent before was taken up
    await until(lambda: store.asked == opened)
    return asked


def tables_of(answers: list[Plain]) -> list[str]:
    """The table each sits at."""
    assert {answer["t"] for answer in answers} == {"ok"}, answers
    return [answer["table"] for answer in answers]


async def test_those_who_come_together_sit_together(app: App, store: SlowStore) -> None:
    """While a table is being opened, three more wait for it; the fifth to come opens another, and three wait for that."""
    async with guests(app.url, *NAMES) as peers:
        asked = await asking(store, peers, 2)
        store.gate.set()
        tables = tables_of(await asyncio.gather(*asked))
        assert [tables.count(table) for table in tables] == [4] * 8
        assert len(set(tables[:4])) == 1
        assert len(app.lobby) == 2


async def test_only_who_wishes_the_same_waits(app: App, store: SlowStore) -> None:
    """Who wishes another code or way of play, or a seat that is wanted, does not wait for a table that will not do."""
    wishes: list[dict[str, str]] = [
        {"seat": "N"},
        {"code": "bridge-1904"},
        {"enforcement": "club"},
        {"seat": "N", "code": "english-1864", "enforcement": "guided"},
        {"seat": "S", "code": "english-1864", "enforcement": "guided"},
        {},
    ]
    async with guests(app.url, *NAMES[:6]) as peers:
        asked = await asking(store, peers, 4, *wishes)
        store.gate.set()
        ann, ben, cyd, dan, eve, fay = tables_of(await asyncio.gather(*asked))
        assert len({ann, ben, cyd, dan}) == 4
        assert eve == ann
        assert fay in {ann, ben, cyd, dan}


async def test_a_table_that_cannot_be_opened_keeps_nobody(app: App, store: SlowStore) -> None:
    """Who opens it is told; of those who waited one opens another, and the rest sit there."""
    async with guests(app.url, *NAMES[:4]) as peers:
        asked = await asking(store, peers, 1)
        store.failures = 1
        store.gate.set()
        failed, *answers = await asyncio.gather(*asked)
        assert failed["code"] == "busy"
        assert len(set(tables_of(answers))) == 1
        assert len(app.lobby) == 1


async def test_who_goes_while_he_waits_keeps_nobody(app: App, store: SlowStore) -> None:
    """The line of the one a table is opened for is lost meanwhile: the others get their seats all the same."""
    async with guests(app.url, *NAMES[:3]) as peers:
        asked = await asking(store, peers, 1)
        await peers[0].close()
        asked[0].cancel()
        await until(lambda: len(app.listener.clients) == 2)
        store.gate.set()
        assert len(set(tables_of(await asyncio.gather(*asked[1:])))) == 1


async def test_it_is_so_on_a_file(tmp_path: Path) -> None:
    """On SQLite, where every table waits for the disk, eight who come at once sit at two tables."""
    settings = Settings(port=0, store=f"sqlite:{tmp_path / 'tables'}", limits=UNHURRIED)
    async with App(settings, clock=VirtualClock(), entropy=seeded("file")) as app, guests(app.url, *NAMES) as peers:
        tables = tables_of(await asyncio.gather(*(peer.ask(t="sit", table="any") for peer in peers)))
        assert sorted(tables.count(table) for table in set(tables)) == [4, 4]
