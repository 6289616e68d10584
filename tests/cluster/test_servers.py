"""Any server takes any player."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random

import pytest
import pytest_asyncio

from oddtrick_protocol import messages as m
from oddtrick_rules.seats import SEATS
from oddtrick_sdk import Client, Disconnected, Refused
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.client import Table
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.player import Player
from oddtrick_server.cluster.abroad import BEATS_MISSED_MAX
from oddtrick_server.cluster.follower import Follower
from oddtrick_server.cluster.lobby import DIRECTORY_S
from support.redis_servers import RedisServer
from support.several import NO_CLOCKS, QUICK, Several, lobby_of, several, until
from support.wire import dial


@pytest_asyncio.fixture
async def three(redis_server: RedisServer) -> AsyncIterator[Several]:
    async with several(f"redis://127.0.0.1:{redis_server.port}") as made:
        yield made


async def opened(client: Client, **options: object) -> str:
    made = await client.create(clocks=NO_CLOCKS, **options)
    assert made.table is not None
    return made.table


async def play_a_rubber(tables: list[Table]) -> None:
    players = [Player(table, Driver(house_bot("courteous", Random(n)), Random(n)), 1) for n, table in enumerate(tables)]
    async with asyncio.timeout(60):
        await asyncio.gather(*(player.play() for player in players))


async def test_a_rubber_over_three_servers(three: Several) -> None:
    """Four players and two bystanders on three servers sit at one table, play a rubber and all see the same; one server owns it."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(three.client(n % 3, f"P{n}", bot=n < 4)) for n in range(6)]
        table = await opened(clients[1], enforcement="strict")
        assert three.owner(table) == 1
        seats = [await client.sit(table) for client in clients[:4]]
        assert [one.mirror.seat for one in seats] == [*SEATS]
        watchers = [await client.watch(table) for client in clients[4:]]
        await seats[1].ask(m.Start)
        await play_a_rubber(seats)
        assert three.followers(table) == [0, 2]
        head = three.book(1, table).entries
        await until(lambda: all(three.book(n, table).entries == head for n in range(3)))
        infos = [one.mirror.info for one in (*seats, *watchers)]
        await until(lambda: all(info == infos[0] for info in infos))
        hands = await clients[5].hands(table)
        assert hands
        assert await clients[4].record(table, 1) == await clients[5].record(table, 1)


async def test_a_server_that_missed_what_has_been_trimmed(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that heard nothing of a table while its log was summed up and trimmed reads the sum, and shows the table as it is."""
    limits = replace(QUICK, sum_up_entries=20)
    address = f"redis://127.0.0.1:{redis_server.port}"
    async with several(address, 2, limits=limits) as servers, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(servers.client(0, f"P{n}", bot=True)) for n in range(4)]
        eve = await stack.enter_async_context(servers.client(1, "Eve"))
        table = await opened(clients[0], enforcement="strict")
        seats = [await client.sit(table) for client in clients]
        watching = await eve.watch(table)
        follower = servers.apps[1].lobby.loaded(table)
        assert isinstance(follower, Follower)
        missed = follower.seq
        with monkeypatch.context() as deaf:
            for hears in ("take", "heard", "beat"):
                deaf.setattr(follower, hears, lambda *_: None)
            await seats[0].ask(m.Start)
            await play_a_rubber(seats)
            entries = await servers.stores[0].read(table)
            assert entries[0].seq > missed + 1
            assert follower.seq == missed
        head = servers.book(0, table).entries
        await until(lambda: servers.book(1, table).entries >= head)
        await until(lambda: watching.mirror.info == seats[0].mirror.info)
        assert servers.followers(table) == [1]


async def test_a_table_of_another_server_is_listed_and_found(three: Several) -> None:
    """A table is in the list of every server soon, and who sits down anywhere joins one that waits for players."""
    async with three.client(0, "Ann") as ann, three.client(2, "Bob") as bob, three.client(1, "Cyd") as cyd:
        table = await opened(ann)
        await ann.sit(table)
        async with asyncio.timeout(10 * DIRECTORY_S):
            while (found := [line.table for line in await bob.tables() if line.seats[0] == "Ann"]) != [table]:
                await asyncio.sleep(0.05)
                assert found in ([], [table])
        assert (await bob.sit("any")).id == table
        assert (await cyd.sit("any")).id == table
        assert three.owner(table) == 0


async def test_a_table_nobody_listed_yet(three: Several) -> None:
    """A table just opened can be joined by its name from every server at once; one that never was is refused."""
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob:
        table = await opened(ann)
        await bob.sit(table)
        with pytest.raises(Refused, match="no table of that name"):
            await bob.sit("nowhere")


async def test_fifty_over_three_servers_want_one_seat(three: Several) -> None:
    """Of many who sit down at once on three servers, one has the seat and all others are told so."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(three.client(0, "Host"))
        table = await opened(host)
        clients = [await stack.enter_async_context(three.client(n % 3, f"P{n}")) for n in range(50)]
        results = await asyncio.gather(*(one.sit(table, seat="E") for one in clients), return_exceptions=True)
        assert sum(isinstance(result, Table) for result in results) == 1
        assert {result.code for result in results if isinstance(result, Refused)} == {"seat_taken"}


async def test_a_token_is_good_everywhere(three: Several) -> None:
    """A guest is the same identity on every server, has his seat there, and his old line is closed."""
    async with three.client(0, "Ann") as ann:
        table = await opened(ann)
        await ann.sit(table)
        async with three.client(1, "Ann", token=ann.token) as again:
            assert again.identity == ann.identity
            await again.request(m.Resume, table=table, seq=0)
            await until(lambda: again.table(table).mirror.seat == 0)
            with pytest.raises(Disconnected):
                await ann.ping()


async def test_a_line_that_is_lost_far_away(three: Several) -> None:
    """When a player's line to another server is lost the table says that he is away, and that he is back when he is."""
    async with three.client(0, "Ann") as ann:
        table = await opened(ann)
        at = await ann.sit(table)
        async with three.client(1, "Bob") as bob:
            await bob.sit(table)
            token = bob.token
        await until(lambda: (one := at.mirror.info.seats[1]) is not None and one.away)
        async with three.client(2, "Bob", token=token) as bob:
            await bob.request(m.Resume, table=table, seq=0)
            await until(lambda: (one := at.mirror.info.seats[1]) is not None and not one.away)


async def test_who_is_sent_away_is_shown_no_more(three: Several) -> None:
    """The host sends away a bystander of another server, who sees nothing after that; who leaves sees nothing either."""
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob, three.client(2, "Cyd") as cyd:
        table = await opened(ann)
        at = await ann.sit(table)
        await bob.watch(table)
        await cyd.watch(table)
        await at.ask(m.Kick, who=bob.identity)
        await cyd.table(table).ask(m.Leave)
        for server in (1, 2):
            actor = three.apps[server].lobby.loaded(table)
            assert actor is not None
            await until(lambda audience=actor.audience: audience.is_empty)  # type: ignore[misc]
        with pytest.raises(Refused) as caught:
            await bob.watch(table)
        assert caught.value.code == "forbidden"


async def test_words_travel(three: Several) -> None:
    """What is said at a table is heard on every server, by those who may hear it."""
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob:
        table = await opened(ann)
        await ann.sit(table)
        at = await bob.sit(table)
        said = asyncio.create_task(_said(at))
        await ann.table(table).ask(m.Chat, channel="table", text="good evening")
        async with asyncio.timeout(10):
            assert await said == "good evening"


async def _said(table: Table) -> str:
    async for told in table:
        event = getattr(told, "event", None)
        if type(event).__name__ == "Said":
            text: str = event.text  # type: ignore[union-attr]
            return text
    raise AssertionError("the table is over")


async def test_a_question_that_comes_twice(three: Several) -> None:
    """The same message, sent again by way of another server, is answered alike and done once."""
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob:
        table = await opened(ann)
        await ann.sit(table)
        await bob.sit(table)
        before = three.book(0, table).entries
        message = m.Chat(id="same", table=table, channel="table", text="once")
        actor = three.apps[1].lobby.loaded(table)
        session = next(iter(three.apps[1].listener.clients))
        assert actor is not None
        for _ in range(5):
            actor.ask(session, message)
        await bob.ping()
        await until(lambda: three.book(1, table).entries > before)
        await asyncio.sleep(0.1)
        assert three.book(0, table).entries == before + 1


async def test_a_drain_hands_tables_over(three: Several) -> None:
    """A server that is told to stop hands its tables to another: who plays there from elsewhere notices nothing but a moment."""
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob, three.client(2, "Cyd") as cyd:
        table = await opened(ann)
        await ann.sit(table)
        seats = [await bob.sit(table), await cyd.sit(table)]
        stopping = asyncio.create_task(three.stop(0))
        for one in seats:
            async with asyncio.timeout(5):
                await one.ask(m.Chat, channel="table", text="still here?")
        await stopping
        assert three.owner(table) in {1, 2}


async def test_nothing_is_left_behind(three: Several) -> None:
    """Tables that everybody has left are forgotten by the servers that followed them."""
    lobby = lobby_of(three.apps[1])
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob:
        table = await opened(ann)
        await ann.sit(table)
        await bob.watch(table)
        await bob.table(table).ask(m.Leave)
        follower = lobby.loaded(table)
        assert follower is not None
        follower.quiet_since = 1.0
        await lobby.sweep()
        await until(lambda: lobby.loaded(table) is None)
        await bob.watch(table)
        await until(lambda: bob.table(table).mirror.seq > 0)


async def test_an_owner_that_took_a_server_for_gone(three: Several) -> None:
    """A server that was silent too long is taken for gone, its people for away; when it is heard again all of them are back."""
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob:
        table = await opened(ann)
        at = await ann.sit(table)
        await bob.sit(table)
        node = lobby_of(three.apps[0]).node
        node._owned[table].unfollow(lobby_of(three.apps[1]).node.name)
        await until(lambda: (one := at.mirror.info.seats[1]) is not None and one.away)
        await until(lambda: (one := at.mirror.info.seats[1]) is not None and not one.away)
        await bob.table(table).ask(m.Chat, channel="table", text="I was here all the time")


async def test_a_server_that_hung_keeps_its_bystanders(three: Several) -> None:
    """Of a server that was silent for a while the players are called away, and the bystanders are still there when it is back."""
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob, three.client(1, "Cyd") as cyd:
        table = await opened(ann)
        at = await ann.sit(table)
        await bob.sit(table)
        await cyd.watch(table)
        owned = lobby_of(three.apps[0]).node._owned[table]
        (server,) = owned.followers
        owned.followers[server] = BEATS_MISSED_MAX
        owned.beat()
        await until(lambda: (one := at.mirror.info.seats[1]) is not None and one.away)
        assert [one.identity for one in at.mirror.info.bystanders] == [cyd.identity]
        await until(lambda: (one := at.mirror.info.seats[1]) is not None and not one.away)
        assert [one.identity for one in at.mirror.info.bystanders] == [cyd.identity]


async def test_a_question_tells_not_who_is_there(three: Several) -> None:
    """A server taken for gone that asks something is not taken back by that: it must say again who is at the table."""
    async with three.client(0, "Ann") as ann, three.client(1, "Bob") as bob, three.client(1, "Cyd") as cyd:
        table = await opened(ann)
        at = await ann.sit(table)
        for one in (bob, cyd):
            await one.sit(table)
        owned = lobby_of(three.apps[0]).node._owned[table]
        (server,) = owned.followers
        owned.followers[server] = BEATS_MISSED_MAX
        owned.beat()
        await bob.table(table).ask(m.Chat, channel="table", text="one of us speaks")
        await until(lambda: not any(one is not None and one.away for one in at.mirror.info.seats))


async def test_what_was_asked_of_a_table_that_is_closed_is_answered(redis_server: RedisServer) -> None:
    """Whoever asks something of it on another server while it is closed is told, and so is who asks the same again."""
    async with several(f"redis://127.0.0.1:{redis_server.port}", 2) as two:
        for _ in range(5):
            ann, bob, cyd = [
                await (await dial(app.url)).hello(name)
                for name, app in zip(("Ann", "Bob", "Cyd"), (two.apps[0], two.apps[1], two.apps[1]), strict=True)
            ]
            table = (await ann.ok(t="create", clocks=NO_CLOCKS))["table"]
            await ann.ok(t="sit", table=table)
            await bob.ok(t="sit", table=table)
            actor = two.apps[0].lobby.loaded(table)
            assert actor is not None
            actor.archive("closed")
            said = {"t": "chat", "channel": "table", "text": "hello", "table": table}
            await asyncio.gather(bob.ask(**said), cyd.ask(t="watch", table=table))
            for peer in (ann, bob, cyd):
                await peer.close()
