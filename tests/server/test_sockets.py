"""The server over real sockets: hello, tables, resuming, the newest connection, health."""

import asyncio
import http.client
from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from oddtrick_protocol.version import JSON, MSGPACK
from oddtrick_server.app import RETURNS_PER_S, App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from oddtrick_server.store.memory import MemoryStore
from support.tables import seeded
from support.wire import Peer, dial, guests, until

SETTINGS = Settings(port=0, store="memory", origins=("https://cards.example",))


@pytest.fixture
async def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
async def app(clock: VirtualClock) -> AsyncIterator[App]:
    async with App(SETTINGS, clock=clock, entropy=seeded("sockets")) as app:
        yield app


async def table_of(host: Peer, *others: Peer, **wish: object) -> str:
    """A table with these people in N, E, S, W."""
    made = await host.ok(t="create", **wish)
    for seat, peer in zip("NESW", (host, *others), strict=False):
        await peer.ok(t="sit", table=made["table"], seat=seat)
    table: str = made["table"]
    return table


async def begun(clock: VirtualClock, host: Peer, *others: Peer, **wish: object) -> str:
    """A table where the cards are dealt."""
    table = await table_of(host, *others, **wish)
    await host.ok(t="start", table=table)
    await host.event("deal_committed")
    clock.move(DEFAULT_LIMITS.commit_s)
    for peer in (host, *others):
        await peer.event("hand_dealt")
    return table


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
@pytest.mark.parametrize("path", ["", "/", "/ws"])
async def test_a_guest_says_hello_and_is_known_by_his_token(app: App, subprotocol: str, path: str) -> None:
    """A hello makes a guest; the token of its welcome brings the same identity back, on either subprotocol and path."""
    peer = await (await dial(app.url + path, subprotocol=subprotocol)).hello("Anna")
    again = await (await dial(app.url + path, subprotocol=subprotocol)).hello("Anna", token=peer.token)
    assert again.identity == peer.identity
    await again.close()


async def test_the_newest_connection_wins(app: App) -> None:
    """A second line of one identity takes over, and the first is closed and told to stop."""
    first = await (await dial(app.url)).hello("Anna")
    second = await (await dial(app.url)).hello("Anna", token=first.token)
    assert await first.closed() == 4409
    assert first.got[-1]["t"] == "going"
    assert first.got[-1]["retry"] == "stop"
    await second.ok(t="ping")
    await second.close()


async def test_nothing_is_answered_before_hello(app: App) -> None:
    """Until it has said who it is, a client is refused whatever it asks."""
    peer = await dial(app.url)
    assert await peer.refused(t="tables") == "hello_first"
    assert await peer.refused(t="hello", name=" ", protocol=1) == "bad_name"
    await peer.hello("Anna")
    assert await peer.refused(t="hello", name="Anna", protocol=1) == "malformed_message"
    await peer.close()


async def test_who_does_not_say_hello_in_time_is_closed(app: App, clock: VirtualClock) -> None:
    """A connection that stays silent is closed when its time is over, with the code for policy."""
    peer = await dial(app.url)
    await until(lambda: app.listener.clients)
    clock.move(DEFAULT_LIMITS.hello_s)
    assert await peer.closed() == 1008


@pytest.mark.parametrize(
    ("hello", "code", "close"),
    [
        ({"protocol": 2, "name": "Anna"}, "version", 4426),
        ({"protocol": 1, "name": "Anna", "token": "o1.k1.anna.99999999999.x"}, "bad_token", 4401),
    ],
)
async def test_a_hello_that_will_not_do_is_refused_and_closed(
    app: App, hello: dict[str, object], code: str, close: int
) -> None:
    """A version not spoken here, or a token not ours, is refused by name and closed with its code (B65)."""
    peer = await dial(app.url)
    assert await peer.refused(t="hello", **hello) == code
    assert await peer.closed() == close


async def test_four_people_and_a_bystander_see_the_same_card(app: App, clock: VirtualClock) -> None:
    """What one plays all others are shown, on either subprotocol, numbered without a gap."""
    async with (
        guests(app.url, "Anna", "Ben", subprotocol=JSON) as json_ones,
        guests(app.url, "Clara", "Dev", "Eve", subprotocol=MSGPACK) as packed_ones,
    ):
        *others, eve = packed_ones
        peers = [*json_ones, *others]
        table = await begun(clock, *peers)
        await eve.ok(t="watch", table=table)
        assert (await eve.of("snapshot"))["view"]["hand"]["held"] == [13] * 4
        prompted = next(peer for peer in peers if any(one["t"] == "prompt" for one in peer.got))
        prompt = await prompted.of("prompt")
        card = prompt["playable"][0]
        await prompted.ok(t="act", table=table, act={"do": "play", "card": card}, prompt=prompt["prompt"])
        for peer in (*peers, eve):
            assert (await peer.event("card_played"))["card"] == card
            seqs = [item["seq"] for item in peer.items()]
            assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


async def test_all_bystanders_get_the_same_bytes(app: App, clock: VirtualClock) -> None:
    """What one bystander is sent every other is sent, byte for byte, from the moment he watches."""
    async with guests(app.url, "Anna", "Eve", "Frank", "Gil") as (anna, *watchers):
        table = await begun(clock, anna, clocks={"linger_ms": 1_000})
        for one in watchers:
            await one.ok(t="watch", table=table)
            await one.of("snapshot")
        await watchers[0].event("bystander_came")
        marks = [len(one.raw) for one in watchers]
        for _ in range(60):
            clock.move(1)
            await anna.ok(t="ping")
        await anna.ok(t="phrase", table=table, phrase="goodbye")
        for one in watchers:
            await one.event("phrased")
        told = [[str(data) for data in one.raw[mark:]] for one, mark in zip(watchers, marks, strict=True)]
        last = [lines[-6:] for lines in told]
        assert len(last[0]) == 6
        assert last[0] == last[1] == last[2]


async def test_the_same_id_is_answered_once_and_the_same(app: App) -> None:
    """A message sent twice is done once, and both get the one answer, also when they come together (B58)."""
    async with guests(app.url, "Anna") as (anna,):
        made = await anna.ok(t="create", id="c")
        assert await anna.ok(t="create", id="c") == made
        for _ in range(3):
            await anna.send(t="create", id="d")
        await anna.ok(t="ping")
        await until(lambda: sum(one.get("id") == "d" for one in anna.got) == 3)
        answers = [one for one in anna.got if one.get("id") == "d"]
        assert len(app.lobby) == 2
        assert answers[0] == answers[1] == answers[2]


async def test_a_lost_line_resumes_where_it_was(app: App, clock: VirtualClock) -> None:
    """B06: who lost his line came back a stranger; here he has his seat, the run he missed, the same prompt and his cards (B01)."""
    async with guests(app.url, "Anna", "Ben", "Clara", "Dev") as peers:
        table = await begun(clock, *peers)
        lost = next(peer for peer in peers if any(one["t"] == "prompt" for one in peer.got))
        prompt = await lost.of("prompt")
        other = peers[(peers.index(lost) + 1) % 4]
        seq = lost.items()[-1]["seq"]
        await lost.cut()
        await other.event("went_away")
        clock.move(10)
        back = await (await dial(app.url)).hello("whoever", token=lost.token)
        await back.ok(t="resume", table=table, seq=seq)
        await back.event("came_back")
        assert [item["seq"] for item in back.items()] == [seq + 1, seq + 2]
        again = await back.of("prompt")
        assert again["prompt"] == prompt["prompt"]
        assert again["deadline_ms"] == prompt["deadline_ms"] - 10_000
        await back.ok(t="resume", table=table, seq=0)
        snapshot = await back.of("snapshot")
        seat = "NESW".index(snapshot["seat"])
        hands = snapshot["view"]["hand"]["hands"]
        turned = snapshot["view"]["hand"].get("turned")
        assert len(hands[seat]) == 13
        for other_seat in {0, 1, 2, 3} - {seat}:
            assert set(hands[other_seat]) <= {turned}
        await back.close()


async def test_a_client_cannot_have_seen_what_has_not_happened(app: App) -> None:
    """A resume beyond the last event is refused, and so is one of somebody who is not at the table."""
    async with guests(app.url, "Anna", "Mallory") as (anna, mallory):
        table = await table_of(anna)
        assert await anna.refused(t="resume", table=table, seq=1_000_000) == "bad_seq"
        assert await mallory.refused(t="resume", table=table, seq=0) == "not_at_table"
        assert await mallory.refused(t="resume", table="nowhere", seq=0) == "no_such_table"


async def test_fifty_who_join_at_once_fill_four_seats(app: App) -> None:
    """Of fifty who ask for a seat at the same moment as many sit as there are seats, each on one of his own (B17)."""
    names = [f"P{number}" for number in range(49)]
    async with guests(app.url, "Host", *names) as peers:
        made = await peers[0].ok(t="create")
        answers = await asyncio.gather(*(peer.ask(t="sit", table=made["table"]) for peer in peers))
        seats = [one["seat"] for one in answers if one["t"] == "ok"]
        assert sorted(seats) == ["E", "N", "S", "W"]
        assert {one["code"] for one in answers if one["t"] == "refused"} == {"no_free_seat"}


async def test_any_seat_is_one_at_a_table_that_fits(app: App) -> None:
    """Whoever asks for any seat sits at the fullest table that fits, and a new one is opened when there is none."""
    async with guests(app.url, *(f"P{number}" for number in range(9))) as peers:
        answers = [await peer.ok(t="sit", enforcement="club") for peer in peers]
        tables = [one["table"] for one in answers]
        assert tables[:4] == [tables[0]] * 4
        assert tables[4:8] == [tables[4]] * 4
        assert len({tables[0], tables[4], tables[8]}) == 3
        assert (await peers[0].ok(t="tables", enforcement="guided"))["tables"] == []


async def test_tables_hear_nothing_of_one_another(app: App) -> None:
    """B99: rooms got each other's events, hands and all; here each names its table, and a client gets those of its own (B76)."""
    async with guests(app.url, "Anna", "Ben") as (anna, ben):
        first, second = await table_of(anna), await table_of(ben)
        await anna.ok(t="phrase", table=first, phrase="hello")
        await ben.ok(t="phrase", table=second, phrase="goodbye")
        for peer, own in ((anna, first), (ben, second)):
            said = {one["table"] for one in peer.got if one["t"] not in {"welcome", "pong"} and "table" in one}
            assert said == {own}


@pytest.mark.parametrize("way", ["stand", "leave"])
async def test_who_has_gone_is_shown_no_deal(app: App, way: str) -> None:
    """He on whom alone a deal waited goes: the bot in his place is dealt his hand at once, and he is told that he left, no more."""
    async with guests(app.url, "Host", "Mallory") as (host, gone):
        table = (await host.ok(t="create", watch="none", bots=2))["table"]
        await host.ok(t="sit", table=table, seat="N")
        await gone.ok(t="sit", table=table, seat="E")
        await host.ok(t="away", table=table)
        await host.ok(t="start", table=table)
        await gone.event("deal_committed")
        after = len(gone.got)
        await gone.ok(t=way, table=table)
        await host.event("hand_dealt")
        await gone.ok(t="ping")
        told = [item["event"]["t"] for item in gone.items(after=after)]
        assert told == ([] if way == "leave" else ["stood"])
        assert not any(message["t"] in {"snapshot", "prompt", "may"} for message in gone.got[after:])


async def test_one_client_may_play_at_many_tables(app: App) -> None:
    """One identity sits at several tables over one connection (R33)."""
    async with guests(app.url, "Anna") as (anna,):
        tables = [await table_of(anna) for _ in range(5)]
        assert len(set(tables)) == 5


async def test_a_private_table_is_not_listed(app: App) -> None:
    """The list has public tables only, and the invite lets a friend in."""
    async with guests(app.url, "Anna", "Ben") as (anna, ben):
        made = await anna.ok(t="create", private=True)
        assert (await ben.ok(t="tables"))["tables"] == []
        assert await ben.refused(t="sit", table=made["table"]) == "invite_needed"
        await ben.ok(t="sit", table=made["table"], invite=made["invite"])


async def test_what_a_table_cannot_be_is_named(app: App) -> None:
    """An unknown code, bot, a clock out of bounds, or a seed not allowed is refused by name, and no table is opened."""
    async with guests(app.url, "Anna") as (anna,):
        assert await anna.refused(t="create", code="hoyle") == "no_such_code"
        assert await anna.refused(t="create", bots=1, bot="clever") == "no_such_bot"
        assert await anna.refused(t="create", clocks={"turn_ms": 1}) == "bad_clocks"
        assert await anna.refused(t="create", seed="x") == "seed_refused"
        assert len(app.lobby) == 0


async def test_a_law_can_be_read(app: App) -> None:
    """A law of a code is answered with its gist, and a ruling as the acts cite it; one that is not there is refused."""
    async with guests(app.url, "Anna") as (anna,):
        law = (await anna.ok(t="law", code="english-1864", number="73"))["law"]
        assert law["number"] == "73"
        assert law["gist"]
        ruling = (await anna.ok(t="law", code="whist-1900", number="R5"))["law"]
        assert (ruling["number"], ruling["lives"]) == ("R5", "ruling")
        assert ruling["gist"].startswith("Only the partner asks")
        assert (await anna.ok(t="law", code="english-1864", number="r5"))["law"]["number"] == "R5"
        assert await anna.refused(t="law", code="english-1864", number="R34") == "no_such_law"
        assert await anna.refused(t="law", code="english-1864", number="999") == "no_such_law"
        assert await anna.refused(t="law", code="hoyle", number="1") == "no_such_code"


async def test_a_slow_reader_is_dropped_and_may_resume(app: App) -> None:
    """A client for which too much waits to be read is closed with 4408, and resumes without a gap; the others notice nothing."""
    async with guests(app.url, "Anna", "Eve") as (anna, eve):
        table = await table_of(anna)
        await eve.ok(t="watch", table=table)
        line = next(client for client in app.listener.clients if client.person.identity == eve.identity)
        line.connection._outbox_bytes_max = -1_000_000  # how much a kernel takes is its own business
        await anna.ok(t="phrase", table=table, phrase="hello")
        assert await eve.closed() == 4408
        assert "going" not in [one["t"] for one in eve.got]  # which would wait behind all the rest
        await anna.ok(t="ping")
        again = await (await dial(app.url)).hello("Eve", token=eve.token)
        await again.ok(t="watch", table=table)
        await again.of("snapshot")
        await again.close()


async def test_too_many_messages_are_refused_and_at_last_closed(clock: VirtualClock) -> None:
    """Over its rate a client is told to wait, and one that does not is closed."""
    limits = replace(DEFAULT_LIMITS, messages_burst=5, strikes_max=3)
    async with App(replace(SETTINGS, limits=limits), clock=clock) as app:
        peer = await (await dial(app.url)).hello("Anna")
        for _ in range(4):
            await peer.ok(t="ping")
        answer = await peer.ask(t="ping")
        assert (answer["code"], answer["retry_after_ms"]) == ("rate", 50)
        for _ in range(5):
            await peer.send(t="ping")
        assert await peer.closed() == 4429


async def test_tables_are_not_opened_without_end(clock: VirtualClock) -> None:
    """One identity opens a burst of tables and then must wait (B70)."""
    limits = replace(DEFAULT_LIMITS, creates_burst=2)
    async with App(replace(SETTINGS, limits=limits), clock=clock) as app, guests(app.url, "Anna") as (anna,):
        await anna.ok(t="create")
        await anna.ok(t="create")
        assert await anna.refused(t="create") == "rate"


async def test_tables_nobody_joins_go_away(app: App, clock: VirtualClock) -> None:
    """B70: tables that nobody joined piled up; here one is gone after its time, and so is one that everybody has left."""
    async with guests(app.url, "Anna") as (anna,):
        await anna.ok(t="create")
        await table_of(anna)
        assert len(app.lobby) == 2
    await until(lambda: all(actor.audience.is_empty for actor in app.lobby.actors))
    for _ in range(200):
        clock.move(DEFAULT_LIMITS.sweep_s)
        await asyncio.sleep(0.001)
        if not len(app.lobby):
            break
    assert len(app.lobby) == 0
    assert await app.store.list_tables() == []


async def test_a_table_everybody_left_in_mid_rubber_waits_in_the_store(app: App, clock: VirtualClock) -> None:
    """A rubber without anybody is put away, is taken up again when a player resumes, and archived when none does (B15)."""
    async with guests(app.url, "Anna", "Ben") as (anna, ben):
        table = await begun(clock, anna, ben)
        token = anna.token
    for _ in range(100):
        clock.move(DEFAULT_LIMITS.sweep_s)
        await asyncio.sleep(0.001)
        if not len(app.lobby):
            break
    assert len(app.lobby) == 0
    anna = await (await dial(app.url)).hello("Anna", token=token)
    assert [line["table"] for line in (await anna.ok(t="tables"))["tables"]] == [table]
    await anna.ok(t="resume", table=table, seq=0)
    assert len((await anna.of("snapshot"))["view"]["hand"]["hands"][0]) == 13
    await anna.close()
    for _ in range(5_000):
        clock.move(DEFAULT_LIMITS.sweep_s)
        await asyncio.sleep(0)
        if not await app.store.list_tables():
            break
    assert await app.store.list_tables() == []
    assert [ref.hand_no for ref in await app.store.list_hands(table)] == [1]


async def test_a_rubber_that_everybody_left_is_over(app: App, clock: VirtualClock) -> None:
    """When the last player has left a rubber, not lost his line, nothing is kept waiting for him; the hand is kept as given up."""
    async with guests(app.url, "Anna") as (anna,):
        table = await begun(clock, anna)
        await anna.ok(t="leave", table=table)
        for _ in range(5):
            clock.move(DEFAULT_LIMITS.sweep_s)
            await anna.ok(t="ping")
        assert await anna.refused(t="watch", table=table) == "no_such_table"
        assert [line["hand"] for line in (await anna.ok(t="hands"))["hands"]] == [1]


async def test_health_is_told_over_http(app: App) -> None:
    """A prober learns that the process lives and that it takes clients, and a path that leads nowhere is not found."""

    def get(path: str) -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", app.port, timeout=10)
        line.request("GET", path)
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        return answer.status, text

    assert await asyncio.to_thread(get, "/livez") == (200, "alive\n")
    assert await asyncio.to_thread(get, "/readyz") == (200, "ready\n")
    assert (await asyncio.to_thread(get, "/nowhere"))[0] == 404
    assert (await asyncio.to_thread(get, "/ws"))[0] == 426


@pytest.mark.parametrize(
    ("origin", "status"), [("https://evil.example", 403), ("https://cards.example", 101), (None, 101)]
)
async def test_a_page_of_another_site_may_not_connect(app: App, origin: str | None, status: int) -> None:
    """A browser's upgrade is taken from our own pages and listed sites only; programs send no origin."""
    chosen = None if origin is None else Origin(origin)
    if status == 101:
        async with connect(app.url, subprotocols=[Subprotocol(JSON)], origin=chosen):
            pass
        own = Origin(app.url.replace("ws://", "http://"))
        async with connect(app.url, subprotocols=[Subprotocol(JSON)], origin=own):
            pass
        return
    with pytest.raises(InvalidStatus) as refused:
        await connect(app.url, subprotocols=[Subprotocol(JSON)], origin=chosen)
    assert refused.value.response.status_code == status


async def test_who_offers_no_subprotocol_is_told_which_to_offer(app: App) -> None:
    """An upgrade without a subprotocol of ours is answered with their names."""
    for offer in (None, [Subprotocol("chess.v1")]):
        with pytest.raises(InvalidStatus) as refused:
            await connect(app.url, subprotocols=offer)
        assert refused.value.response.status_code == 400
        text = (refused.value.response.body or b"").decode()
        assert JSON in text
        assert MSGPACK in text


async def test_one_address_has_so_many_connections(clock: VirtualClock) -> None:
    """Connections of one address are bounded, and a closed one makes room."""
    limits = replace(DEFAULT_LIMITS, connections_per_address_max=2)
    async with App(replace(SETTINGS, limits=limits), clock=clock) as app:
        first, second = await dial(app.url), await dial(app.url)
        with pytest.raises(InvalidStatus) as refused:
            await dial(app.url)
        assert refused.value.response.status_code == 429
        await first.close()
        await until(lambda: len(app.listener.clients) == 1)
        third = await dial(app.url)
        await second.close()
        await third.close()


async def test_a_server_that_stops_says_so_and_the_next_goes_on(clock: VirtualClock) -> None:
    """Draining tells every client to come back, keeps what was acknowledged, and the next server on the store goes on."""
    store = MemoryStore()
    first = App(SETTINGS, clock=clock, store=store)
    await first.start()
    anna = await (await dial(first.url)).hello("Anna")
    table = await begun(clock, anna)
    await first.stop()
    assert await anna.closed() == 1012
    assert anna.got[-1]["retry"] == "resume"
    assert 0 <= anna.got[-1]["after_ms"] < 10  # nobody else comes back with her
    seen = [item["event"]["t"] for item in anna.items()]
    assert "went_away" not in seen
    async with App(SETTINGS, clock=clock, store=store) as second:
        again = await (await dial(second.url)).hello("Anna", token=anna.token)
        await again.ok(t="resume", table=table, seq=anna.items()[-1]["seq"])
        await again.ok(t="ping")
        assert "snapshot" not in [one["t"] for one in again.got]
        await again.close()


async def test_the_more_clients_a_server_sends_away_the_longer_they_come_back(clock: VirtualClock) -> None:
    """Each is asked to wait a time of its own, all within what those who take them need."""
    app = App(SETTINGS, clock=clock, entropy=Random(5).randbytes)
    await app.start()
    peers = [await (await dial(app.url)).hello(f"Guest {number}") for number in range(40)]
    await app.stop()
    for peer in peers:
        assert await peer.closed() == 1012
    waits = [peer.got[-1]["after_ms"] for peer in peers]
    assert max(waits) <= 1_000 * len(peers) / RETURNS_PER_S
    assert len(set(waits)) > len(peers) / 2


async def test_finished_hands_can_be_had_in_every_form(app: App, clock: VirtualClock) -> None:
    """A finished hand is listed and read as events, as a table record and as PBN; one in play or elsewhere is not there."""
    async with guests(app.url, "Anna", "Mallory") as (anna, mallory):
        table = await begun(clock, anna, private=True)
        assert await anna.refused(t="record", table=table, hand=1) == "no_such_hand"
        while not (await anna.ok(t="hands"))["hands"]:
            clock.move(30)
            await asyncio.sleep(0.001)
        line = (await anna.ok(t="hands", table=table))["hands"][0]
        assert (line["table"], line["hand"], sum(line["tricks"])) == (table, 1, 13)
        for form, says in (("jsonl", '"proof"'), ("whist", "Code: english-1864"), ("pbn", "[Deal ")):
            assert says in (await anna.ok(t="record", table=table, hand=1, format=form))["record"]
        assert (await mallory.ok(t="hands", table=table))["hands"] == []
        assert await mallory.refused(t="record", table=table, hand=1) == "no_such_hand"
