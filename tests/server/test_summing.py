"""A long log is summed up between two hands, and the entries before the sum are not needed any more."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final, cast

import pytest

from oddtrick_protocol import messages as m
from oddtrick_rules.commands import Play
from oddtrick_rules.legal import legal
from oddtrick_rules.seats import SEATS
from oddtrick_rules.turns import to_play
from oddtrick_sdk import Client
from oddtrick_sdk.allowance import Allowance
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.client import Options
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.player import Player
from oddtrick_server.app import App
from oddtrick_server.book import Book
from oddtrick_server.clock import RealClock
from oddtrick_server.entries import SUMMED_VERSION, Summed
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.person import Done
from oddtrick_server.settings import Settings
from oddtrick_server.store.errors import StoreCorrupt
from oddtrick_server.store.interface import Store
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.store.sqlite import SqliteStore
from oddtrick_server.streams import STREAMS
from oddtrick_server.summing import sum_of
from support.house import UNHURRIED
from support.tables import ANNA, BEN, EVE, Seated, people

SHORT = replace(DEFAULT_LIMITS, sum_up_entries=15)
ROUNDS = 1_200
KINDS: Final[list[type[m.ClientMessage]]] = [m.Watch, m.Away, m.Back, m.Sit, m.Again]
NOT_SUMMED: Final = {
    "limits": "the server's own",
    "hands_held": "there are none between two hands",
    "waits": "the number of prompts is; none stands between two hands",
    "streams": "their heads are; what was shown is kept no longer",
    "notes": "there are none between two hands",
    "finished": "kept before the log is trimmed",
    "entries_since_sum": "begins anew",
    "_bystanders": "worked out of info",
    "_watching": "worked out of info",
}


class Summing(Seated):
    """A table whose log is trimmed as the shell trims it: to the entry that sums up the rest."""

    sums = 0

    def keep(self) -> None:
        super().keep()
        if self.table.sum_up(self.now):
            super().keep()
            self.check()
            del self.bodies[:-1]
            self.sums += 1

    def check(self) -> None:
        """What the last entry alone tells is what the whole log does."""
        whole, last = Book(self.limits), Book(self.limits)
        for entry in self.entries():
            whole.fold(entry)
        last.fold(self.entries()[-1])
        assert any(isinstance(step, Summed) for step in self.entries()[-1].steps)
        assert self.entries()[-1].v == SUMMED_VERSION
        live, self.table.book = self.table.book, last
        assert sum_of(last) == sum_of(whole) == sum_of(live)
        told = self.fingerprint()
        self.table.book = live
        assert told == self.fingerprint()


@pytest.mark.parametrize("enforcement", ["strict", "club"])
@pytest.mark.parametrize("code", ["english-1864", "whist-1900", "bridge-1904"])
def test_the_sum_tells_the_table(code: str, enforcement: str, seed: int) -> None:
    """Whatever is asked of a table, the sum between two hands tells as much as all entries before, and it goes on from there."""
    rng = random.Random(f"{seed}/{code}/{enforcement}/sum")
    table = Summing(chance=seed, code=code, enforcement=enforcement, limits=SHORT)
    table.play_on()
    for _ in range(ROUNDS):
        who = rng.choice([*people, EVE])
        what = rng.random()
        if what < 0.2:
            table.wait(rng.choice([0.5, 1, 3, 10]))
        elif what < 0.93:
            for seat in SEATS:
                table.act_anyhow(seat, rng)
        elif what < 0.95:
            table.lose(who)
        elif what < 0.97:
            table.arrive(who)
        elif what < 0.98:
            table.crash()
        else:
            table.ask(who, rng.choice(KINDS))
    for _ in range(1_000):  # the last hand to its end: how far chance has brought the table is chance
        if table.sums >= 2:
            break
        table.wait(10)
        for seat in SEATS:
            table.act_anyhow(seat, rng)
    assert table.sums >= 2, table.table.book.hands
    assert len(table.finished) >= 2


def test_everything_a_book_holds_is_summed_up_or_need_not_be() -> None:
    """A field that is added to the book must be added to the sum, or said to be needless."""
    table = Summing()
    told = sum_of(table.table.book)
    summed = {*told, *told["clocks"], *told["numbers"]} - {"prompts", "heads", "clocks", "numbers"}
    assert summed | set(NOT_SUMMED) == set(vars(table.table.book))
    assert not summed & set(NOT_SUMMED)


def test_a_hand_in_play_is_not_summed_up() -> None:
    """While cards are held the entries are kept: the record of the hand is made of them."""
    table = Summing(limits=replace(DEFAULT_LIMITS, sum_up_entries=1))
    table.play_on()
    before = table.sums
    entries, chance = table.table.book.entries, random.Random(1)
    for _ in range(30):
        table.wait(0.5)
        table.act_anyhow(chance.choice(SEATS), chance)
        assert table.table.book.hand_live
        assert table.sums == before
    assert table.table.book.entries > entries + 5


def test_a_hand_drawn_out_takes_only_what_ends_it() -> None:
    """Pauses, comings and goings without end would make a log that everybody waits for when the table is taken up again."""
    table = Summing(limits=replace(DEFAULT_LIMITS, entries_unsummed_max=60, sum_up_entries=20))
    table.play_on()
    while table.table.book.entries_since_sum < 60:
        table.done(ANNA, m.Pause)
        table.done(BEN, m.Unpause)
    assert table.refused(ANNA, m.Pause) == "rate"
    assert table.refused(ANNA, m.Away) == "rate"
    assert table.refused(EVE, m.Watch) == "rate"
    seat = to_play(table.state)
    assert seat is not None
    play = next(one for one in legal(table.state, seat) if isinstance(one, Play))
    assert isinstance(table.act(seat, play), Done)
    table.done(BEN, m.Leave)
    sums = table.sums
    for _ in range(1_000):
        if table.sums > sums:
            break
        table.wait(5.0)
    assert table.table.book.entries_since_sum < 60
    table.done(ANNA, m.Pause)


def test_a_sum_too_large_for_a_store_is_not_made() -> None:
    """A table with a larger crowd than a store takes goes on with a long log, and tries again when that is twice as long."""
    table = Summing(limits=replace(DEFAULT_LIMITS, sum_up_entries=10, sum_bytes_max=100))
    table.sit_all()
    for _ in range(20):
        table.done(people[0], m.Away)
        table.done(people[0], m.Back)
    assert table.sums == 0
    assert table.table.book.entries_since_sum < 10
    table.limits = table.table.limits = replace(table.limits, sum_bytes_max=1_000_000)
    for _ in range(10):
        table.done(people[0], m.Away)
        table.done(people[0], m.Back)
    assert table.sums == 2


def test_who_resumes_from_before_the_sum_gets_a_snapshot() -> None:
    """What was shown before is kept no longer by a table taken up from a sum; what comes after is."""
    table = Summing(limits=replace(DEFAULT_LIMITS, sum_up_entries=1))
    table.sit_all()
    table.crash()
    streams = table.table.book.streams
    head = streams.head(STREAMS[0])
    assert streams.after(STREAMS[0], head - 1) is None
    table.done(people[0], m.Chat, text="Good evening", channel="table")
    fresh = streams.after(STREAMS[0], head)
    assert fresh is not None
    assert [item.seq for item in fresh] == [head + 1]


# --- with a store, over sockets ---

SOON = replace(
    UNHURRIED, sum_up_entries=40, cut_to_deal_s=0.0, commit_s=0.05, reveal_s=0.05, bot_think_s=0.0, regain_s=0.2
)
CLOCKS: Final = {"linger_ms": 0, "linger_min_ms": 0, "turn_ms": 0, "absence_ms": 0}


@pytest.fixture
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server lets the players send as fast as they can, so they need not hold back."""
    monkeypatch.setattr("oddtrick_sdk.client.Allowance", lambda: Allowance(1e6, 1e6))


@pytest.fixture(params=["memory", "sqlite"])
async def keeper(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "tables.db")
    yield store
    await store.close()


def house(store: Store) -> App:
    lasting = cast("Store", Lasting(store))
    return App(Settings(port=0, store="memory", limits=SOON), store=lasting, clock=RealClock())


class Lasting:
    """A store that outlives the servers on it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def close(self) -> None:
        """Not yet."""


async def play(app: App, table_id: str | None, tokens: dict[str, str | None], *, rubbers: int) -> str:
    """Four players play so many rubbers at a table, or at a new one."""
    async with AsyncExitStack() as stack, asyncio.timeout(120):
        clients = []
        for name in ("P0", "P1", "P2", "P3"):
            client = Client(app.url, name=name, token=tokens.get(name), bot=True, options=Options(retry_first=True))
            clients.append(await stack.enter_async_context(client))
            tokens[name] = client.token
        if table_id is None:
            made = await clients[0].create(clocks=CLOCKS, enforcement="strict")
            assert made.table is not None
            table_id = made.table
            seats = [await client.sit(table_id) for client in clients]
            await seats[0].ask(m.Start)
        else:
            for client in clients:
                await client.request(m.Resume, table=table_id, seq=0)
            seats = [client.table(table_id) for client in clients]
            await asyncio.gather(*(seat.ask(m.Again) for seat in seats))
        drivers = [Driver(house_bot("courteous", Random(n)), Random(n)) for n in range(4)]
        players = [Player(seat, driver, rubbers) for seat, driver in zip(seats, drivers, strict=True)]
        await asyncio.gather(*(player.play() for player in players))
    return table_id


@pytest.mark.usefixtures("_unhurried")
async def test_a_table_of_many_hands_keeps_a_short_log(keeper: Store) -> None:
    """The log does not grow with the hands; every hand is kept, once; a server started anew goes on from the sum."""
    tokens: dict[str, str | None] = {}
    async with house(keeper) as app:
        table_id = await play(app, None, tokens, rubbers=2)
        hands = app.lobby.loaded(table_id).table.book.hands  # type: ignore[union-attr]
    first = await keeper.read(table_id)
    assert first[0].seq > 1
    assert first[-1].seq - first[0].seq < first[-1].seq / 2
    async with house(keeper) as app:
        assert await play(app, table_id, tokens, rubbers=1) == table_id
        book = app.lobby.loaded(table_id).table.book  # type: ignore[union-attr]
        assert book.hands > hands
        kept = [ref.hand_no for ref in await keeper.list_hands(table_id)]
        assert kept == list(range(1, len(kept) + 1))
        assert len(kept) >= book.hands - 1
    again = await keeper.read(table_id)
    assert again[0].seq > first[-1].seq


@pytest.mark.usefixtures("_unhurried")
async def test_a_log_without_its_sum_is_not_taken_for_a_table(keeper: Store) -> None:
    """If the entry that sums up the trimmed ones is gone too, the table is not guessed at; its log is left as it is."""
    async with house(keeper) as app:
        table_id = await play(app, None, {}, rubbers=2)
    entries = await keeper.read(table_id)
    fence = await keeper.acquire(table_id, "a fault")
    await keeper.trim(table_id, entries[0].seq + 1, fence=fence)
    async with house(keeper) as app:
        lobby = app.lobby
        with pytest.raises(StoreCorrupt):
            await lobby._load(table_id)
        assert len(await keeper.read(table_id)) == len(entries) - 1
