"""Several servers on one Redis, as processes, with companies of bots at their tables: what happens to it, and what came of it.

Each server has proxies of its own, to every Redis and to every Sentinel, so that one server alone can be cut off. With Sentinels it
is given their addresses only, and finds the primary by asking them, however often that changes: what they answer is left as it is
but for the ports, in whose place stand those of the server's own proxies. Clients go to any server that takes them.
"""

import asyncio
import collections
import contextlib
import dataclasses
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final, Protocol, Self

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Then
from oddtrick_protocol.codec import codec_for
from oddtrick_rules.views import Watcher, view
from oddtrick_sdk import Client, Refused
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.client import Options, Table
from oddtrick_sdk.driver import AT_ONCE, Driver, Pace
from oddtrick_sdk.player import Player
from oddtrick_sdk.transport import Transport, TransportRefused, open_websocket
from oddtrick_server.book import Book
from oddtrick_server.entries import Entry, decode_entry
from oddtrick_server.limits import Limits
from oddtrick_server.store.interface import Store
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_place import RedisPlace
from support.faulty_proxy import FaultyProxy
from support.processes import QUICK, ServerProcess
from support.redis_servers import SERVICE, RedisServer, with_sentinels

LIMITS: Final = {
    **QUICK,
    "bot_think_s": 0.05,
    "creates_burst": 1_000_000,
    "commit_s": 2.0,
    "reveal_s": 2.0,
}
CLOCKS: Final = {"linger_ms": 0, "linger_min_ms": 0, "absence_ms": 60_000, "turn_ms": 60_000}


class Opening(Protocol):
    """What leads clients to a server."""

    async def open(self, url: str, subprotocol: str) -> Transport:
        """Open a connection."""


class Door:
    """Which servers take clients; a client that opens a connection is led to any of them."""

    def __init__(self, chance: Random) -> None:
        self.urls: dict[str, str] = {}
        self._chance = chance

    async def open(self, url: str, subprotocol: str) -> Transport:
        del url
        if not self.urls:
            raise TransportRefused("no server is up", Then.RESUME)
        return await open_websocket(self._chance.choice(list(self.urls.values())), subprotocol)


class Ledger:
    """What was acknowledged to one client: the ids of its messages about tables that were answered `ok`."""

    def __init__(self, door: Opening) -> None:
        self.acknowledged: dict[str, float] = {}
        self.refused: set[str] = set()
        self.sent: dict[str, str] = {}
        self._door = door

    async def open(self, url: str, subprotocol: str) -> Transport:
        return _Noted(await self._door.open(url, subprotocol), self, subprotocol)


class _Noted:
    """A transport whose answers are noted."""

    def __init__(self, transport: Transport, ledger: Ledger, subprotocol: str) -> None:
        self._transport = transport
        self._ledger = ledger
        self._codec = codec_for(subprotocol)

    async def send(self, data: bytes | str) -> None:
        message = self._codec.decode_client(data)
        if isinstance(message, m.Act):
            self._ledger.sent[message.id] = message.table
        await self._transport.send(data)

    async def recv(self) -> bytes | str:
        data = await self._transport.recv()
        message = self._codec.decode_server(data)
        if isinstance(message, m.Ok) and message.id in self._ledger.sent:
            self._ledger.acknowledged.setdefault(message.id, time.monotonic())
        if isinstance(message, m.Refused) and message.id in self._ledger.sent and message.retry_after_ms is None:
            self._ledger.refused.add(message.id)
        return data

    async def close(self) -> None:
        await self._transport.close()


class Company:
    """Four bots and bystanders at one table."""

    def __init__(self, number: int, door: Opening, seed: int, *, bystanders: int, pace: Pace) -> None:
        self.number = number
        self.id = ""
        self.ledgers = [Ledger(door) for _ in range(4 + bystanders)]
        self.clients: list[Client] = []
        self.tables: list[Table] = []
        self.players: list[Player] = []
        self._door = door
        self._pace = pace
        self._chance = Random(f"{seed}/{number}")
        self._tasks: list[asyncio.Task[object]] = []

    async def sit_down(self, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Open a table, take its seats and begin to play."""
        for who, ledger in enumerate(self.ledgers):
            options = Options(opener=ledger.open, chance=self._chance, retry_first=True, sleep=sleep)
            client = Client("ws://club", name=f"Guest {self.number}.{who}", bot=who < 4, options=options)
            await client.__aenter__()
            self.clients.append(client)
        made = await self.clients[0].create(code="english-1864", enforcement="guided", clocks=CLOCKS)
        assert made.table is not None
        self.id = made.table
        self.tables = [await client.sit(self.id) for client in self.clients[:4]]
        self.tables += [await client.watch(self.id) for client in self.clients[4:]]
        with contextlib.suppress(Refused):
            await self.tables[0].ask(m.Start)
        for seat in range(4):
            chance = Random(self._chance.random())
            driver = Driver(house_bot("courteous", chance), chance, pace=self._pace)
            self.players.append(Player(self.tables[seat], driver, None))
        self._tasks = [asyncio.create_task(player.play()) for player in self.players]
        self._tasks += [asyncio.create_task(_watch(table)) for table in self.tables[4:]]

    @property
    def acknowledged(self) -> int:
        """How many acts were acknowledged so far."""
        return sum(len(ledger.acknowledged) for ledger in self.ledgers)

    def first_after(self, since: float) -> float | None:
        """When the first act after that time was acknowledged."""
        times = [at for ledger in self.ledgers for at in reversed(ledger.acknowledged.values()) if at > since]
        return min(times, default=None)

    async def finish(self, within_s: float) -> None:
        """Play the rubber to its end, as fast as may be."""
        for player in self.players:
            player.driver.pace = AT_ONCE
            player.rubbers = len(player.results) + 1
        async with asyncio.timeout(within_s):
            await asyncio.gather(*self._tasks[:4])
        assert all(player.results for player in self.players)

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for client in self.clients:
            await client.__aexit__(None, None, None)


async def _watch(table: Table) -> None:
    async for _ in table:
        pass


@dataclasses.dataclass
class Member:
    """One server of the club, and its way to Redis."""

    name: str
    process: ServerProcess
    proxies: list[FaultyProxy]


class Club:
    """The servers, and Redis behind them."""

    def __init__(
        self, folder: Path, *, servers: int, seed: int, profile: str, limits: Mapping[str, float] = LIMITS
    ) -> None:
        self.door = Door(Random(seed))
        self.chance = Random(f"{seed}/faults")
        self.members: list[Member] = []
        self.redis: list[RedisServer] = []
        self.sentinels: list[RedisServer] = []
        self.primary = 0
        self._folder = folder
        self._servers = servers
        self._profile = profile
        self._limits = limits
        self._stack = AsyncExitStack()
        self._following: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._profile == "redis-ha":
            self.redis, self.sentinels = self._stack.enter_context(with_sentinels(self._folder / "redis"))
        else:
            options = ("--appendonly", "yes", "--appendfsync", "always")
            self.redis = [self._stack.enter_context(RedisServer(self._folder / "redis", options))]
        for number in range(self._servers):
            address, proxies = await self._way()
            folder = self._folder / f"server-{number}"
            folder.mkdir()
            process = ServerProcess(
                folder,
                store=f"{address}?profile={self._profile}",
                options=["--log-level", "warning"],
                limits=self._limits,
            )
            member = Member(f"server-{number}", process, proxies)
            self.members.append(member)
            await self.start(member)
        if self.sentinels:
            self._following = asyncio.create_task(self._follow_primary())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following])
        for member in self.members:
            for proxy in member.proxies:
                proxy.heal()
            await member.process.kill()
        await self._stack.aclose()

    async def _way(self) -> tuple[str, list[FaultyProxy]]:
        """The address of Redis for one server, by proxies that are its alone."""
        enter = self._stack.enter_async_context
        proxies = [await enter(FaultyProxy(one.port)) for one in self.redis]
        if not self.sentinels:
            return f"redis://127.0.0.1:{proxies[0].port}", proxies
        retold = {_named(one.port): _named(proxy.port) for one, proxy in zip(self.redis, proxies, strict=True)}
        asked = [await enter(FaultyProxy(one.port, retold=retold)) for one in self.sentinels]
        hosts = ",".join(f"127.0.0.1:{proxy.port}" for proxy in asked)
        return f"redis+sentinel://{hosts}/{SERVICE}", proxies + asked

    async def start(self, member: Member) -> None:
        await member.process.start()
        self.door.urls[member.name] = member.process.url

    async def _follow_primary(self) -> None:
        """Know which Redis the Sentinels call the primary; on a busy machine they may change it themselves."""
        while True:
            await asyncio.sleep(0.1)
            try:
                reply = await asyncio.to_thread(self.sentinels[0].ask, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
            except OSError:
                continue
            port = reply.split(b"\r\n")[-2].decode()
            ports = [str(one.port) for one in self.redis]
            self.primary = ports.index(port) if port in ports else self.primary

    # --- faults ---

    async def kill_server(self) -> None:
        """Kill -9, and another is started in its place."""
        member = self.chance.choice(self.members)
        self.door.urls.pop(member.name)
        await member.process.kill()
        await self.start(member)

    async def drain_server(self) -> None:
        """SIGTERM, and another is started in its place."""
        member = self.chance.choice(self.members)
        self.door.urls.pop(member.name)
        code = await member.process.stop()
        assert code == 0, member.process.errors
        await self.start(member)

    async def pause_server(self) -> None:
        """Stop a server for longer than its leases run."""
        member = self.chance.choice(self.members)
        self.door.urls.pop(member.name)
        member.process.pause()
        await asyncio.sleep(6.0)
        member.process.go_on()
        self.door.urls[member.name] = member.process.url

    async def part_server(self) -> None:
        """Cut a server off from Redis for longer than its leases run."""
        member = self.chance.choice(self.members)
        for proxy in member.proxies:
            proxy.hold()
        await asyncio.sleep(7.0)
        for proxy in member.proxies:
            proxy.cut()
            proxy.heal()

    async def kill_redis(self) -> None:
        """Kill the primary; with Sentinels a replica takes its place, without it is started again."""
        server = self.redis[self.primary]
        server.kill()
        if not self.sentinels:
            await asyncio.sleep(1.0)
            await asyncio.to_thread(server.start)
            return
        before = self.primary
        async with asyncio.timeout(60):
            while self.primary == before:  # noqa: ASYNC110 - `_follow_primary` sees it
                await asyncio.sleep(0.05)
        await asyncio.to_thread(server.start)
        primary = self.redis[self.primary]
        await asyncio.to_thread(primary.wait_for, "ROLE", b"master")
        await asyncio.to_thread(server.wait_for, "INFO replication", b"master_link_status:up", within_s=60.0)

    def store(self) -> RedisStore:
        """A way to the store past all proxies; close it."""
        if not self.sentinels:
            return RedisStore(RedisPlace(hosts=(("127.0.0.1", self.redis[0].port),)))
        hosts = tuple(("127.0.0.1", one.port) for one in self.sentinels)
        return RedisStore(RedisPlace(kind="sentinel", hosts=hosts, service=SERVICE))


def _named(port: int) -> bytes:
    """How a Sentinel names a port in what it says of a primary."""
    digits = b"%d" % port
    return b"$4\r\nport\r\n$%d\r\n%s\r\n" % (len(digits), digits)


@asynccontextmanager
async def companies(club: Club, tables: int, seed: int, *, bystanders: int = 1) -> AsyncIterator[list[Company]]:
    """Tables with bots at them, who begin to play; the more tables the slower, so that the machine keeps up."""
    pace = Pace(0.004 * tables, 0.008 * tables)
    made = [Company(number, club.door, seed, bystanders=bystanders, pace=pace) for number in range(tables)]
    try:
        for company in made:
            await company.sit_down()
        yield made
    finally:
        for company in made:
            await company.leave()


def check_log(company: Company, log: list[tuple[int, Entry]]) -> None:
    """No acknowledged act is lost, none is there twice, and fences only rise."""
    fences = [fence for fence, _ in log]
    assert fences == sorted(fences), f"table {company.id}: fences {fences}"
    counts = collections.Counter((entry.who, entry.id) for _, entry in log if entry.id)
    doubled = [key for key, count in counts.items() if count > 1]
    assert not doubled, f"table {company.id}: {len(doubled)} in the log twice, as {doubled[:9]}"
    for client, ledger in zip(company.clients, company.ledgers, strict=True):
        denied = [id_ for id_ in ledger.refused if (client.identity, id_) in counts]
        assert not denied, f"table {company.id}: {len(denied)} refused and yet in the log, as {denied[:9]}"
        lost = [id_ for id_ in ledger.acknowledged if (client.identity, id_) not in counts]
        assert not lost, f"table {company.id}: {len(lost)} acknowledged and not in the log, as {lost[:9]}"


async def log_of(store: Store, table: str) -> list[tuple[int, Entry]]:
    """The log of a table, with the fences; reading it fails if it has a gap."""
    return [(one.fence, decode_entry(one.body, f"entry {one.seq}")) for one in await store.read(table)]


def folded(log: list[tuple[int, Entry]]) -> Book:
    """The table that a log tells of."""
    book = Book(Limits())
    for _, entry in log:
        book.fold(entry)
    return book


async def converged(store: Store, company: Company, *, within_s: float = 30.0) -> list[tuple[int, Entry]]:
    """The log, when every client of the table sees what it tells; fails with who does not."""
    behind: list[str] = []
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        log = await log_of(store, company.id)
        book = folded(log)
        assert book.rubber is not None
        behind = [
            f"{client.session.name}: has {table.mirror.seq}"
            for client, table in zip(company.clients, company.tables, strict=True)
            if not _is_told(book, client, table)
        ]
        if not behind:
            return log
        await asyncio.sleep(0.2)
    raise AssertionError(f"table {company.id}: not all see what happened: {behind}")


def _is_told(book: Book, client: Client, table: Table) -> bool:
    """Whether a client is at the table by its log, and sees what the log tells."""
    assert book.rubber is not None
    seat = book.seat_of(client.identity)
    if seat is None and not book.watches(client.identity):
        return False
    return table.mirror.state == view(book.rubber, Watcher.BYSTANDER if seat is None else seat)


async def described(store: RedisStore, company: Company) -> str:
    """How a table stands at which nothing happens: by its log, and as its clients see it."""
    log = await log_of(store, company.id)
    book = folded(log)
    holder = await store.holder(company.id)
    waits = [(wait.kind.value, [seat.name for seat in wait.seats], wait.id) for wait in book.waits]
    sitters = [one and (one.name, one.away, one.substitute) for one in book.info.seats]
    lines = [
        f"table {company.id}: {len(log)} entries, the last {time.time() - log[-1][1].at:.1f} s ago: {log[-1][1].steps[-1]}",
        f"  held by {holder}; waits for {waits}; seats {sitters}; frozen {book.frozen}; deal {book.info.deal}",
    ]
    for client, table in zip(company.clients, company.tables, strict=True):
        asked = table.mirror.asked
        lines.append(
            f"  {client.session.name}: connected {client.session.connected}, at {table.mirror.seq},"
            f" asked {asked and (asked.prompt, asked.kind)}, clocks {[clock.kind for clock in table.mirror.clocks]},"
            f" {len(client._answers)} questions"
        )
    return "\n".join(lines)


class Times:
    """From each fault to each table's next accepted act."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self.seconds: dict[str, list[float]] = {}

    async def after(self, kind: str, tables: list[Company], since: float, *, within_s: float) -> None:
        """Wait until an act is accepted at every table."""
        give_up = time.monotonic() + within_s
        for company in tables:
            while (at := company.first_after(since)) is None:
                assert time.monotonic() < give_up, f"after {kind}: {await self._described(company)}"
                await asyncio.sleep(0.02)
            self.seconds.setdefault(kind, []).append(at - since)

    async def _described(self, company: Company) -> str:
        store = self._club.store()
        try:
            return await described(store, company)
        finally:
            await store.close()

    def __str__(self) -> str:
        rows = []
        for kind, seconds in sorted(self.seconds.items()):
            ordered = sorted(seconds)
            p50, p99 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
            rows.append(f"{kind}: {len(ordered)} tables, p50 {p50:.2f} s, p99 {p99:.2f} s")
        return "\n".join(rows)
