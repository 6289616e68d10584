"""A table is taken over, or taken up, and something goes wrong just then."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random
from typing import Any

import pytest
import pytest_asyncio

from oddtrick_protocol import messages as m
from oddtrick_sdk import Client, Disconnected, Refused
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.client import Table
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.player import Player
from oddtrick_server.book import Book
from oddtrick_server.entries import decode_entry
from oddtrick_server.store.errors import StoreBusy, StoreError, StoreTooNew
from oddtrick_server.store.shared_memory import SharedMemoryStore
from oddtrick_server.streams import STREAMS
from oddtrick_server.table_actor import TableActor
from support.several import NO_CLOCKS, QUICK, Several, lobby_of, until

LEASE_S = 0.8
IMPATIENT = replace(QUICK, store_stuck_s=0.3, store_retry_s=0.05)
CALLS = (
    "acquire", "append", "delete", "drop_table", "get", "get_table", "holder", "list_hands", "list_tables", "put", "put_hand",
    "put_table", "read", "release", "renew", "trim",
)  # fmt: skip


class Way:
    """One server's own way to a store that several share: it can be cut, and single calls can be led astray."""

    def __init__(self, store: SharedMemoryStore) -> None:
        self.is_cut = False
        self.astray: dict[str, Callable[[], Exception | None]] = {}
        self.mail = self
        self.lease_s = store.lease_s
        self._store = store

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)
        return self._through(name, call) if name in CALLS else call

    def _through(self, name: str, call: Any) -> Any:
        async def through(*args: Any, **options: Any) -> Any:
            wrong = self.astray[name]() if name in self.astray else None
            if self.is_cut or wrong is not None:
                raise wrong or StoreBusy("cut off")
            return await call(*args, **options)

        return through

    async def send(self, *args: Any) -> Any:
        if self.is_cut:
            raise StoreBusy("cut off")
        return await self._store.mail.send(*args)

    async def receive(self, *args: Any) -> Any:
        found = await self._store.mail.receive(*args)
        if self.is_cut:  # what came meanwhile is lost
            raise StoreBusy("cut off")
        return found

    async def close(self) -> None:
        """Others use the store still."""


class Club(Several):
    """Three servers on one store in memory."""

    def __init__(self) -> None:
        super().__init__(limits=IMPATIENT)
        self.store = SharedMemoryStore(now=time.monotonic, lease_s=LEASE_S)
        self.ways: list[Way] = []

    async def open(self) -> None:
        for _ in range(3):
            self.ways.append(Way(self.store))
            await self.add(self.ways[-1])

    def is_owner(self, server: int, table: str) -> bool:
        actor = self.apps[server].lobby.loaded(table)
        return isinstance(actor, TableActor)

    async def told(self, table: str) -> Book:
        """The table as its log tells it, from the beginning."""
        book = Book(IMPATIENT)
        for entry in await self.store.read(table):
            book.fold(decode_entry(entry.body, f"entry {entry.seq}"))
        return book


@pytest_asyncio.fixture
async def club() -> AsyncIterator[Club]:
    made = Club()
    await made.open()
    yield made
    for way in made.ways:
        way.is_cut = False
    await made.close()


@pytest_asyncio.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as made:
        yield made


async def seated(
    club: Club, stack: AsyncExitStack, count: int = 2, **wish: Any
) -> tuple[str, list[Client], list[Table]]:
    """A table of server 0, and people of server 0, 1, 0, ... who sit at it."""
    clients = [await stack.enter_async_context(club.client(n % 2, f"P{n}")) for n in range(count)]
    made = await clients[0].create(clocks=NO_CLOCKS, **wish)
    assert made.table is not None
    return made.table, clients, [await client.sit(made.table) for client in clients]


def play_on(tables: list[Table]) -> list[asyncio.Task[Any]]:
    """Let bots play in the background."""
    players = [Player(one, Driver(house_bot("courteous", Random(n)), Random(n)), 1) for n, one in enumerate(tables)]
    return [asyncio.create_task(player.play()) for player in players]


async def ask_again_and_again(client: Client, table: str) -> None:
    """Until it is refused."""
    async with asyncio.timeout(20):
        while True:
            await client.request(m.Watch, table=table)


def same(one: Book, other: Book) -> bool:
    """Whether two books tell the same table, and have shown the same of it."""
    heads = [one.streams.head(stream) == other.streams.head(stream) for stream in STREAMS]
    return one.info == other.info and one.rubber == other.rubber and all(heads)


async def test_a_take_over_that_could_not_be_kept_is_forgotten(club: Club, stack: AsyncExitStack) -> None:
    """What a server made of a table that it then could not take over is no part of it: every act after it would be lost."""
    table, _, tables = await seated(club, stack, 4, enforcement="strict")
    await tables[0].ask(m.Start)
    await until(lambda: club.book(1, table).rubber is not None)
    failed = 0

    def fails() -> Exception | None:
        nonlocal failed
        failed += 1
        return StoreBusy("gone for a while") if failed <= 12 else None

    club.ways[1].astray["append"] = fails
    club.ways[0].is_cut = True
    await until(lambda: club.is_owner(1, table) and failed > 12)
    await tables[1].ask(m.Phrase, phrase="hello")
    async with asyncio.timeout(20):
        while not same(club.book(1, table), await club.told(table)):  # noqa: ASYNC110 - the deal goes on meanwhile
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("owner_lives", [True, False])
async def test_a_log_that_went_back(club: Club, stack: AsyncExitStack, *, owner_lives: bool) -> None:
    """A Redis that lost its last second takes every table back by it, on all servers and for everybody, whoever owns it then."""
    table, _, tables = await seated(club, stack)
    await tables[0].ask(m.AddBot, seat="W", bot="courteous")
    for number in range(3):
        await tables[0].ask(m.Chat, channel="table", text=f"lost {number}")
    await until(lambda: tables[1].mirror.seq == tables[0].mirror.seq)
    await until(lambda: club.book(1, table).entries == len(club.store._logs[table]))
    if not owner_lives:
        club.ways[0].is_cut = True
    del club.store._logs[table][-4:]  # the bot's coming, too
    speaker = tables[0 if owner_lives else 1]
    await speaker.ask(m.Chat, channel="table", text="new")
    told = await club.told(table)
    assert told.info.seats[3] is None
    for server in (0, 1) if owner_lives else (1,):
        await until(lambda server=server: same(club.book(server, table), told))  # type: ignore[misc]
        await until(lambda server=server: tables[server].mirror.info == told.info)  # type: ignore[misc]
        assert tables[server].mirror.seq == told.streams.head(STREAMS[server])


async def test_a_table_closed_while_nothing_could_be_heard(club: Club, stack: AsyncExitStack) -> None:
    """A server that was cut off while a table was closed lets its people go, and does not own what is not there."""
    table, clients, _ = await seated(club, stack)
    club.ways[1].is_cut = True
    actor = club.apps[0].lobby.loaded(table)
    assert isinstance(actor, TableActor)
    actor.archive("closed by the operator")
    await until(lambda: club.apps[0].lobby.loaded(table) is None)
    club.store.mail._inboxes[lobby_of(club.apps[1]).node.name].clear()  # what waits for a server too long is dropped
    club.ways[1].is_cut = False
    await until(lambda: club.apps[1].lobby.loaded(table) is None)
    holder = await club.store.holder(table)
    assert holder is None or holder.left_s <= 0
    assert not lobby_of(club.apps[1]).node._owned
    with pytest.raises((Refused, Disconnected)):
        await ask_again_and_again(clients[1], table)


@pytest.mark.parametrize(
    "error", [StoreBusy("a hiccup"), StoreTooNew("an entry of a newer form")], ids=["busy", "newer"]
)
async def test_who_cannot_take_a_table_up_lets_go_of_it(club: Club, stack: AsyncExitStack, error: StoreError) -> None:
    """A server that became the owner of a table and then could not read it does not keep it from all the others."""
    table, _, _ = await seated(club, stack, 1)
    await club.stop(0)
    errors = [error]
    club.ways[1].astray["read"] = lambda: errors.pop() if errors else None
    there = await stack.enter_async_context(club.client(1, "Ben"))
    asking = asyncio.create_task(there.request(m.Watch, table=table))
    await until(lambda: not errors)
    elsewhere = await stack.enter_async_context(club.client(2, "Cora"))
    async with asyncio.timeout(20):
        await elsewhere.request(m.Watch, table=table)
    assert [server for server in (1, 2) if club.is_owner(server, table)] != []
    assert table not in lobby_of(club.apps[1])._abroad
    asking.cancel()
    await asyncio.wait([asking])


@pytest.mark.parametrize("number", range(3))
async def test_ids_of_tables_that_are_gone_leave_nothing(club: Club, stack: AsyncExitStack, number: int) -> None:
    """Who asks for a table that the directory still has, and whose log is gone, is told so, and nobody owns it afterwards."""
    client = await stack.enter_async_context(club.client(1, "Anna"))
    lobby = lobby_of(club.apps[1])
    table, _, _ = await seated(club, stack, 1)
    row = await club.store.get_table(table)
    assert row is not None
    stale = f"stale{number}"
    await club.store.put_table(stale, row)
    with pytest.raises(Refused):
        await client.request(m.Watch, table=stale)
    assert stale not in lobby.node._owned
    assert stale not in lobby._abroad


async def test_a_hand_whose_owner_died_before_he_kept_it(club: Club, stack: AsyncExitStack) -> None:
    """The log has the end of the hand, the record is not kept yet, and the owner is gone: who takes over keeps it."""
    table, _, tables = await seated(club, stack, 4, enforcement="strict")
    began = asyncio.Event()

    def dies() -> Exception:
        began.set()
        club.ways[0].is_cut = True
        return StoreBusy("cut off")

    club.ways[0].astray["put_hand"] = dies
    await tables[0].ask(m.Start)
    playing = play_on(tables)
    async with asyncio.timeout(60):
        await began.wait()
    await until(lambda: club.is_owner(1, table))
    for task in playing:
        task.cancel()
    await asyncio.wait(playing)
    assert [ref.hand_no for ref in await club.store.list_hands(table)][:1] == [1]


async def test_a_table_closed_in_a_hand_whose_owner_died(club: Club, stack: AsyncExitStack) -> None:
    """The log says that the table is closed, and the hand given up was not kept yet: it is, before the log goes."""
    table, _, tables = await seated(club, stack, 4, enforcement="strict")

    def dies() -> Exception:
        club.ways[0].is_cut = True
        return StoreBusy("cut off")

    club.ways[0].astray["put_hand"] = dies
    await tables[0].ask(m.Start)
    playing = play_on(tables)
    await until(lambda: club.book(0, table).hand_live)
    actor = club.apps[0].lobby.loaded(table)
    assert isinstance(actor, TableActor)
    actor.archive("closed by the operator")
    await until(lambda: club.ways[0].is_cut)
    await until(lambda: club.apps[1].lobby.loaded(table) is None)
    async with asyncio.timeout(20):
        while await club.store.get_table(table) is not None:
            await lobby_of(club.apps[1]).find(table)
            await asyncio.sleep(0.05)
    assert [ref.hand_no for ref in await club.store.list_hands(table)] == [1]
    for task in playing:
        task.cancel()
    await asyncio.wait(playing)
