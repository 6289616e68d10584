"""How much anybody may ask for: per identity, per address, per table."""

import asyncio
import contextlib
import io
import json
import socket
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from websockets.exceptions import InvalidStatus

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS, Limits
from oddtrick_server.settings import Settings
from support.wire import Peer, dial, guests, until


@contextlib.asynccontextmanager
async def bounded(clock: VirtualClock | None = None, **bounds: float) -> AsyncIterator[App]:
    limits: Limits = replace(DEFAULT_LIMITS, **bounds)  # type: ignore[arg-type]
    settings = Settings(port=0, store="memory", limits=limits, trusted_proxies=("127.0.0.1",))
    async with App(settings, clock=VirtualClock() if clock is None else clock) as app:
        yield app


async def from_address(app: App, address: str) -> Peer:
    return await dial(app.url, additional_headers={"X-Forwarded-For": address})


async def test_a_new_connection_is_no_new_allowance() -> None:
    """The messages of an identity are counted over all its connections."""
    async with bounded(messages_burst=5) as app:
        anna = await (await dial(app.url)).hello("Anna")
        for _ in range(4):
            await anna.ok(t="ping")
        again = await (await dial(app.url)).hello("Anna", token=anna.token)
        assert await again.refused(t="ping") == "rate"
        await again.close()


async def test_an_address_has_an_allowance_of_its_own() -> None:
    """Many identities at one address share a bound, and those at another do not feel it."""
    clock = VirtualClock()
    async with bounded(clock, address_messages_burst=6, address_messages_per_s=1.0) as app:
        peers = [await (await from_address(app, "198.51.100.1")).hello(f"Guest {n}") for n in range(4)]
        await peers[0].ok(t="ping")
        await peers[1].ok(t="ping")
        assert await peers[2].refused(t="ping") == "rate"
        other = await (await from_address(app, "198.51.100.2")).hello("Other")
        await other.ok(t="ping")
        clock.move(1.0)
        await peers[2].ok(t="ping")
        for peer in (*peers, other):
            await peer.close()


async def test_an_address_makes_so_many_guests() -> None:
    """New identities of one address are bounded; who has a token still gets in, and so does another address."""
    async with bounded(guests_burst=2) as app:
        anna = await (await from_address(app, "198.51.100.1")).hello("Anna")
        await (await from_address(app, "198.51.100.1")).hello("Ben")
        third = await from_address(app, "198.51.100.1")
        assert (await third.ask(t="hello", name="Clara", protocol=1))["code"] == "rate"
        again = await (await from_address(app, "198.51.100.1")).hello("Anna", token=anna.token)
        assert again.identity == anna.identity
        other = await (await from_address(app, "198.51.100.2")).hello("Dev")
        for peer in (third, again, other):
            await peer.close()


async def test_one_identity_is_at_so_many_tables() -> None:
    """Seats, places to watch from and tables of one's own count together, over all connections, until one leaves (R33)."""
    async with bounded(tables_per_identity_max=3) as app, guests(app.url, "Host", "Anna") as (host, anna):
        tables = [(await host.ok(t="create"))["table"] for _ in range(3)]
        assert await host.refused(t="create") == "too_many_tables"
        await anna.ok(t="sit", table=tables[0])
        await anna.ok(t="watch", table=tables[1])
        fourth = await (await dial(app.url)).hello("Fourth")
        tables.append((await fourth.ok(t="create"))["table"])
        await anna.ok(t="sit", table=tables[2])
        assert await anna.refused(t="watch", table=tables[3]) == "too_many_tables"
        again = await (await dial(app.url)).hello("Anna", token=anna.token)
        assert await again.refused(t="sit", table=tables[3]) == "too_many_tables"
        await again.ok(t="leave", table=tables[0])
        await again.ok(t="watch", table=tables[1])
        await again.ok(t="sit", table=tables[3])
        assert await again.refused(t="create") == "too_many_tables"
        await again.close()
        await fourth.close()


async def test_a_seat_refused_takes_no_room() -> None:
    """Tables that would not have him do not count against an identity."""
    async with (
        bounded(tables_per_identity_max=2) as app,
        guests(app.url, "Anna", "Host", "Other") as (anna, host, other),
    ):
        for one in (host, host, other, other):
            table = (await one.ok(t="create"))["table"]
            await one.ok(t="sit", table=table, seat="N")
            assert await anna.refused(t="sit", table=table, seat="N") == "seat_taken"
        await anna.ok(t="create")


async def test_a_table_has_so_many_bystanders() -> None:
    """One bystander more than a table may have is refused, and the others stay."""
    async with bounded(bystanders_per_table_max=2) as app, guests(app.url, "Host", "A", "B", "C") as (host, *watchers):
        table = (await host.ok(t="create"))["table"]
        await watchers[0].ok(t="watch", table=table)
        await watchers[1].ok(t="watch", table=table)
        assert await watchers[2].refused(t="watch", table=table) == "no_watching"
        await watchers[0].ok(t="leave", table=table)
        await watchers[2].ok(t="watch", table=table)


async def test_there_are_so_many_tables() -> None:
    """A server has a bound on its tables, whoever opens them."""
    async with bounded(tables_max=2) as app, guests(app.url, "Anna", "Ben", "Clara") as people:
        assert (await people[0].ask(t="create"))["t"] == "ok"
        assert (await people[1].ask(t="create"))["t"] == "ok"
        assert await people[2].refused(t="create") == "too_many_tables"


async def test_tables_that_are_put_away_count() -> None:
    """Tables begun and deserted leave the memory, but neither the bound of the server nor that of their host."""
    clock = VirtualClock()
    bounds = {"tables_max": 5, "tables_per_identity_max": 3, "unload_s": 1.0, "freeze_s": 1.0, "sweep_s": 1.0}
    async with bounded(clock, **bounds) as app:
        host = await (await dial(app.url)).hello("Host")
        for _ in range(3):
            table = (await host.ok(t="create", bots=3))["table"]
            await host.ok(t="sit", table=table)
            await host.ok(t="start", table=table)
        await host.close()
        for _ in range(400):
            clock.move(1.0)
            await asyncio.sleep(0)
            if not len(app.lobby):
                break
        assert not len(app.lobby)
        again = await (await dial(app.url)).hello("Host", token=host.token)
        assert await again.refused(t="create") == "too_many_tables"
        async with guests(app.url, "Other") as (other,):
            for _ in range(2):
                await other.ok(t="create")
            assert await other.refused(t="create") == "too_many_tables"
        await again.close()


async def test_an_address_opens_so_many_tables() -> None:
    """New identities of one address are no way to open tables without end; those of another do not feel it."""
    async with bounded(address_creates_burst=2) as app:
        first, second, third = [await (await from_address(app, "198.51.100.1")).hello(f"Guest {n}") for n in range(3)]
        await first.ok(t="create")
        await second.ok(t="create")
        assert await third.refused(t="create") == "rate"
        other = await (await from_address(app, "198.51.100.2")).hello("Other")
        await other.ok(t="create")
        for peer in (first, second, third, other):
            await peer.close()


async def test_finished_hands_are_asked_for_so_often() -> None:
    """To write out a hand is dear: an identity may ask so often, and an address, whatever else they may send."""
    async with bounded(reads_burst=2, address_reads_burst=3) as app:
        anna, ben = [await (await from_address(app, "198.51.100.1")).hello(name) for name in ("Anna", "Ben")]
        await anna.ok(t="hands")
        assert await anna.refused(t="record", table="nowhere", hand=1) == "no_such_hand"
        assert await anna.refused(t="record", table="nowhere", hand=1) == "rate"
        assert await anna.refused(t="hands") == "rate"
        await anna.ok(t="tables")
        await ben.ok(t="hands")
        assert await ben.refused(t="hands") == "rate"
        for peer in (anna, ben):
            await peer.close()


async def test_a_code_that_is_none_is_not_remembered() -> None:
    """Who asks for tables of codes that nobody knows gets none, and leaves nothing behind."""
    async with bounded() as app, guests(app.url, "Anna") as (anna,):
        await anna.ok(t="create")
        assert len((await anna.ok(t="tables"))["tables"]) == 1
        kept = len(app.lobby._listed)
        for number in range(20):
            assert not (await anna.ok(t="tables", code=f"code-{number}")).get("tables")
        assert len(app.lobby._listed) == kept


async def test_words_come_so_fast() -> None:
    """One person's words at one table are bounded, and nobody else's are by it."""
    async with bounded(chats_burst=2) as app, guests(app.url, "Anna", "Ben") as (anna, ben):
        table = (await anna.ok(t="create"))["table"]
        await anna.ok(t="sit", table=table)
        await ben.ok(t="sit", table=table)
        for _ in range(2):
            await anna.ok(t="chat", table=table, channel="table", text="good evening")
        assert await anna.refused(t="chat", table=table, channel="table", text="good evening") == "rate"
        assert await anna.refused(t="phrase", table=table, phrase="hello") == "rate"
        await ben.ok(t="chat", table=table, channel="table", text="good evening")
        assert await anna.refused(t="chat", table=table, channel="table", text="x" * 281) == "malformed_message"


async def test_lines_that_never_say_anything_are_bounded_and_cut() -> None:
    """Before a word is said lines are counted: beyond the bound of their address they are cut, and one that closes makes room."""
    limits = replace(DEFAULT_LIMITS, connections_per_address_max=2, lines_spare=3)
    async with App(Settings(port=0, store="memory", limits=limits), clock=VirtualClock()) as app:
        loop = asyncio.get_running_loop()
        silent = [socket.create_connection(("127.0.0.1", app.port)) for _ in range(5)]
        await until(lambda: app.listener.line_count == 5)
        extra = socket.create_connection(("127.0.0.1", app.port))
        extra.settimeout(0)
        with contextlib.suppress(ConnectionResetError):
            assert await loop.sock_recv(extra, 1) == b""
        assert app.listener.line_count == 5
        silent.pop().close()
        await until(lambda: app.listener.line_count == 4)
        await (await (await dial(app.url)).hello("Anna")).close()
        for line in (*silent, extra):
            line.close()
        await until(lambda: app.listener.line_count == 0)


async def test_a_request_without_end_is_cut(server_log: io.StringIO) -> None:
    """Headers that go on and on end the line at the bound, before they fill the memory; a long one within it is read."""
    async with bounded() as app:
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.write(b"GET /ws HTTP/1.1\r\nHost: x\r\n")
        with contextlib.suppress(ConnectionError):
            for _ in range(64):
                writer.write(b"X-Long: " + b"x" * 1000 + b"\r\n")
                await writer.drain()
                await asyncio.sleep(0)
            await writer.drain()
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        peer = await dial(app.url, additional_headers={"Authorization": "Bearer " + "x" * 4_000})
        await peer.hello("Anna")
        await peer.close()
        await until(lambda: app.listener.line_count == 0)
    assert not [line for line in server_log.getvalue().splitlines() if json.loads(line)["event"] == "fault"]


async def test_a_server_that_is_full_says_so() -> None:
    """Beyond the connections a server may have, an upgrade is told that there is no room."""
    async with bounded(connections_max=1) as app:
        first = await dial(app.url)
        with pytest.raises(InvalidStatus) as refused:
            await dial(app.url)
        assert refused.value.response.status_code == 503
        await first.close()


async def test_a_long_list_is_not_made_anew_for_everybody() -> None:
    """Of many tables the list may be a moment old, so that asking for it again and again costs nothing; of few it is fresh."""
    clock = VirtualClock()
    async with (
        bounded(clock, list_fresh_max=2, creates_burst=10) as app,
        guests(app.url, "Host", "Anna") as (host, anna),
    ):
        for count in (1, 2):
            await host.ok(t="create")
            assert len((await anna.ok(t="tables"))["tables"]) == count
        await host.ok(t="create")
        assert len((await anna.ok(t="tables"))["tables"]) == 2
        assert len((await anna.ok(t="tables", code="english-1864"))["tables"]) == 3
        clock.move(DEFAULT_LIMITS.list_s)
        assert len((await anna.ok(t="tables"))["tables"]) == 3


async def test_the_list_shows_what_has_changed() -> None:
    """A table's line is what the table is: who sits, whether it plays, who has gone."""
    clock = VirtualClock()
    async with bounded(clock) as app, guests(app.url, "Host", "Anna") as (host, anna):
        table = (await host.ok(t="create", bots=2))["table"]

        async def line() -> dict[str, object]:
            (found,) = (await anna.ok(t="tables"))["tables"]
            return dict(found)

        assert (await line())["seats"] == [None, None, "Clay", "Deschapelles"]
        await host.ok(t="sit", table=table, seat="N")
        assert (await line())["seats"] == ["Host", None, "Clay", "Deschapelles"]
        await host.ok(t="start", table=table)
        assert (await line())["playing"] is True
        await host.ok(t="leave", table=table)
        seats = (await line())["seats"]
        assert isinstance(seats, list)
        assert seats[0] is None
        await anna.ok(t="sit", table="any")
        assert len(app.lobby) == 2, "a table in play is none to sit down at any"
