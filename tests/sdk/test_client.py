"""The asyncio shell, on a server in memory and a clock that the test moves."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Then
from oddtrick_protocol.table_events import DealCommitted, RevealsAsked, Stood, TableClosed, TableEvent
from oddtrick_protocol.version import JSON
from oddtrick_rules.cards import card_named
from oddtrick_rules.commands import Play
from oddtrick_rules.events import CardPlayed
from oddtrick_rules.seats import Seat
from oddtrick_rules.shuffle import seat_commitment
from oddtrick_sdk.client import Client
from oddtrick_sdk.errors import Disconnected, Refused, Unreachable, Unwelcome
from oddtrick_sdk.mirror import Happened, Resynced
from oddtrick_sdk.testing import ManualClock, MemoryServer, MemoryTable, idle, view_of
from oddtrick_sdk.transport import TransportRefused
from oddtrick_sdk.updates import Left, Offline, Online

STATE = view_of("N", hand="SA SK SQ").state
S4, S5 = card_named("S4"), card_named("S5")


def table_at(server: MemoryServer) -> MemoryTable:
    return MemoryTable(server, state=STATE, seat=Seat.N)


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def test_a_client_says_hello_and_is_known(server: MemoryServer, clock: ManualClock) -> None:
    """Entering the client connects it; leaving it says goodbye."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        assert client.identity == "identity-1"
        await client.ping()
    assert [message.name for message in server.sent(m.Hello)] == ["Ada"]


@pytest.mark.parametrize("subprotocol", ["oddtrick.v1.msgpack", JSON])
async def test_both_subprotocols_carry_a_conversation(
    server: MemoryServer, clock: ManualClock, subprotocol: str
) -> None:
    """A client may speak either."""
    options = server.options(clock, subprotocol=subprotocol)
    async with Client("memory", name="Ada", options=options) as client:
        assert (await client.create(bots=3)).table is None
    assert server.sent(m.Create)[0].bots == 3


async def test_a_refusal_is_raised_with_its_code_and_law(server: MemoryServer, clock: ManualClock) -> None:
    """A message that is refused raises Refused, and the connection goes on."""
    server.answers = False
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        asking = asyncio.create_task(client.table("T1").act(Play(S4)))
        await idle()
        (act,) = server.sent(m.Act)
        server.line.say(m.Refused(id=act.id, code="must_obey", law="59", cites=["59"], text="no"))
        with pytest.raises(Refused, match=r"no \(law 59\)") as refused:
            await asking
        assert refused.value.code == "must_obey"
        await client.ping()


async def test_events_are_told_in_order_and_fold_into_the_view(server: MemoryServer, clock: ManualClock) -> None:
    """A reader of a table gets each event once, and the mirror is what they come to."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        table = await client.sit("T1")
        at = table_at(server)
        at.snapshot()
        at.happen(CardPlayed(Seat.E, S4, 11), CardPlayed(Seat.S, S5, 11))
        told = [await anext(table) for _ in range(3)]
        assert isinstance(told[0], Resynced)
        assert [one.event for one in told[1:] if isinstance(one, Happened)] == [
            CardPlayed(Seat.E, S4, 11),
            CardPlayed(Seat.S, S5, 11),
        ]
        assert table.mirror.state == at.state


async def test_a_lost_line_is_taken_up_again_and_nothing_is_lost_or_doubled(
    server: MemoryServer, clock: ManualClock
) -> None:
    """After a drop the client comes back, resumes after the last event, and sends its unanswered act with the same id."""
    server.answers = False
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        at = table_at(server)
        at.snapshot()
        at.happen(CardPlayed(Seat.E, S4, 11))
        await idle()
        acting = asyncio.create_task(client.table("T1").act(Play(card_named("SA"))))
        await idle()
        server.line.drop(1012, "restart")
        await clock.advance(1)
        resume, act = server.line.sent[1:]
        assert isinstance(resume, m.Resume)
        assert resume.seq == 1
        assert act == server.lines[0].sent[-1]
        server.line.say(m.Ok(id=act.id))
        await acting
        table = client.table("T1")
        told = [await anext(table) for _ in range(4)]
        assert [type(one) for one in told] == [Resynced, Happened, Offline, Online]


async def test_it_tries_again_for_ever_and_ever_less_often(server: MemoryServer, clock: ManualClock) -> None:
    """While the server is away the client waits longer each time, up to a limit, and comes back when it does."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        server.refusing = TransportRefused("nobody there", Then.RESUME)
        server.line.drop()
        await clock.advance(2)
        early = server.opened
        await clock.advance(600)
        assert early >= 4
        assert 50 <= server.opened - early <= 130
        server.refusing = None
        await clock.advance(20)
        await client.ping()


async def test_clients_do_not_come_back_in_step(clock: ManualClock) -> None:
    """Two clients that lose one server wait for different times."""
    waits = []
    for seed in (1, 2):
        server = MemoryServer()
        async with Client("memory", name="Ada", options=server.options(clock, seed=seed)) as client:
            client.updates_of("T1")
            server.line.drop()
            await idle()
            told = client.updates_of("T1").get_nowait()
            assert isinstance(told, Offline)
            waits.append(told.again_in_s)
    assert waits[0] != waits[1]


@pytest.mark.parametrize("code", [4401, 4409, 4426, 4400])
async def test_a_close_that_says_stop_stops(server: MemoryServer, clock: ManualClock, code: int) -> None:
    """A replaced, refused or outdated client does not come back, and whoever waits is told why."""
    server.answers = False
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        asking = asyncio.create_task(client.tables())
        await idle()
        server.line.drop(code, "no more")
        with pytest.raises(Disconnected, match="no more") as ended:
            await asking
        assert ended.value.code == code
        await clock.advance(600)
        assert server.opened == 1
        with pytest.raises(Disconnected):
            await client.ping()


async def test_what_going_says_outweighs_the_close_code(server: MemoryServer, clock: ManualClock) -> None:
    """A server that says `stop` before it closes is believed, whatever the code."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        reading = asyncio.create_task(anext(client.table("T1")))
        await idle()
        server.line.say(m.Going(reason="closed for good", retry="stop"))
        server.line.drop(1001, "closed for good")
        with pytest.raises(Disconnected, match="closed for good"):
            await reading


async def test_it_comes_back_no_sooner_than_the_server_asked(server: MemoryServer, clock: ManualClock) -> None:
    """What `going` asks to wait is waited, once: not again before each attempt while nobody is there."""
    async with Client("memory", name="Ada", options=server.options(clock)):
        server.line.say(m.Going(reason="restart", retry="resume", code=1012, after_ms=60_000))
        await idle()
        server.refusing = TransportRefused("nobody there", Then.RESUME)
        server.line.drop(1012, "restart")
        await clock.advance(59)
        assert server.opened == 1
        await clock.advance(5)
        assert server.opened >= 4


async def test_a_server_that_is_not_there_is_said_at_once(server: MemoryServer, clock: ManualClock) -> None:
    """The very first connection is not waited for."""
    server.refusing = TransportRefused("cannot reach memory", Then.RESUME)
    with pytest.raises(Unreachable, match="cannot reach memory"):
        async with Client("memory", name="Ada", options=server.options(clock)):
            raise AssertionError("entered")


async def test_a_server_that_breaks_the_protocol_is_given_up(server: MemoryServer, clock: ManualClock) -> None:
    """Bytes that are no message end the conversation with a word on what was wrong."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        server.line.say_bytes(b"\xc1")
        with pytest.raises(Disconnected, match="broke the protocol"):
            await anext(client.table("T1"))


async def test_a_refused_hello_is_told(clock: ManualClock) -> None:
    """A token that is no longer good ends the matter."""

    class Strict(MemoryServer):
        def take(self, line: object, message: m.FromClient) -> None:
            self.line.say(m.Refused(id=message.id, code="bad_token", text="not ours"))

    with pytest.raises(Unwelcome, match="not ours") as ended:
        async with Client("memory", name="Ada", token="old", options=Strict().options(clock)):
            raise AssertionError("entered")
    assert ended.value.refusal == "bad_token"


@pytest.mark.parametrize("name", ["\ud800", "A\udcff"])
async def test_a_hello_that_cannot_be_sent_is_told(server: MemoryServer, clock: ManualClock, name: str) -> None:
    """A name that no frame can carry ends the matter as if the server had refused it."""
    with pytest.raises(Unwelcome) as ended:
        async with Client("memory", name=name, options=server.options(clock)):
            raise AssertionError("entered")
    assert ended.value.refusal == "malformed_message"


@pytest.mark.parametrize("subprotocol", ["oddtrick.v1.msgpack", JSON])
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (m.Record, {"table": "T1", "hand": 10**5000}),
        (m.Consent, {"table": "T1", "proposal": -(10**5000)}),
        (m.Act, {"table": "T1", "act": {"do": "elect", "tricks": 10**5000}}),
        (m.Chat, {"table": "T1", "channel": "table", "text": "\ud800"}),
        (m.Chat, {"table": "T1", "channel": "table", "text": "x" * 5000}),
    ],
)
async def test_what_cannot_be_sent_is_refused_and_the_line_is_well(
    server: MemoryServer, clock: ManualClock, subprotocol: str, kind: type[m.ClientMessage], values: dict[str, Any]
) -> None:
    """A number without bounds or a text without end is refused at once; the connection goes on, and nothing was sent."""
    options = server.options(clock, subprotocol=subprotocol)
    async with Client("memory", name="Ada", options=options) as client:
        with pytest.raises(Refused) as refused:
            await client.request(kind, **values)
        assert refused.value.code == "malformed_message"
        assert server.sent(kind) == []
        await client.ping()
    assert server.opened == 1


async def test_a_client_never_sends_faster_than_a_server_must_take(server: MemoryServer, clock: ManualClock) -> None:
    """Beyond a burst, messages wait for their turn."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        asking = [asyncio.create_task(client.tables()) for _ in range(70)]
        await idle()
        assert len(server.sent(m.Tables)) == 40
        await clock.advance(1)
        assert len(server.sent(m.Tables)) == 55
        await clock.advance(1)
        await asyncio.gather(*asking)


async def test_what_came_too_fast_all_the_same_is_sent_again(server: MemoryServer, clock: ManualClock) -> None:
    """A refusal for haste is waited out and costs the caller nothing but time."""
    server.answers = False
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        asking = asyncio.create_task(client.tables())
        await idle()
        (first,) = server.sent(m.Tables)
        server.line.say(m.Refused(id=first.id, code="rate", retry_after_ms=500))
        await clock.advance(0.6)
        assert [message.id for message in server.sent(m.Tables)] == [first.id, first.id]
        server.line.say(m.Ok(id=first.id, tables=[]))
        assert await asking == []


async def test_a_seat_takes_part_in_the_deal(server: MemoryServer, clock: ManualClock) -> None:
    """When the server commits to a deal, a seated client commits to entropy of its own, and reveals it when asked."""
    async with Client("memory", name="Ada", options=server.options(clock)):
        at = table_at(server)
        at.snapshot()
        at.happen(DealCommitted(2, "T1/2", "00" * 32, ""))
        await idle()
        (commit,) = server.sent(m.Commit)
        at.happen(RevealsAsked(2))
        await idle()
        (reveal,) = server.sent(m.Reveal)
        bound = seat_commitment(bytes.fromhex(reveal.entropy), hand_id="T1/2", seat=Seat.N, commitment=bytes(32))
        assert commit.commitment == bound.hex()


async def test_a_bystander_takes_no_part_in_the_deal(server: MemoryServer, clock: ManualClock) -> None:
    """Who has no seat sends nothing into the shuffle."""
    async with Client("memory", name="Clara", options=server.options(clock)):
        at = MemoryTable(server, state=STATE, seat=None)
        at.snapshot()
        at.happen(DealCommitted(2, "T1/2", "00" * 32, ""))
        await idle()
        assert server.sent(m.Commit) == []


async def test_leaving_ends_the_reading(server: MemoryServer, clock: ManualClock) -> None:
    """After leaving a table its reader comes to an end."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        table = await client.sit("T1")
        table_at(server).snapshot()
        reading = asyncio.create_task(_all(table))
        await idle()
        await table.leave()
        assert [type(one) for one in await reading] == [Resynced]


@pytest.mark.parametrize("event", [TableClosed("empty"), Stood(Seat.N, kicked=True)])
async def test_a_table_that_closes_or_sends_us_away_is_left(
    server: MemoryServer, clock: ManualClock, event: TableEvent
) -> None:
    """The reader is told what happened, then comes to an end; the table is not resumed."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        table = await client.sit("T1")
        at = table_at(server)
        at.snapshot()
        at.happen(event)
        told = await _all(table)
        assert [one.event for one in told if isinstance(one, Happened)] == [event]
        assert client.session.tables == {}


async def test_another_seat_given_up_is_no_reason_to_leave(server: MemoryServer, clock: ManualClock) -> None:
    """Only being sent away oneself ends the reading."""
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        at = table_at(server)
        at.snapshot()
        at.happen(Stood(Seat.E, kicked=True), Stood(Seat.N))
        await idle()
        assert "T1" in client.session.tables


async def _all(table: object) -> list[object]:
    return [told async for told in table]  # type: ignore[attr-defined]


async def test_a_table_the_server_has_forgotten_is_left(server: MemoryServer, clock: ManualClock) -> None:
    """If a table is gone when the client comes back, its reader is told."""
    server.answers = False
    async with Client("memory", name="Ada", options=server.options(clock)) as client:
        table_at(server).snapshot()
        await idle()
        server.line.drop()
        await clock.advance(1)
        (resume,) = server.line.sent[1:]
        server.line.say(m.Refused(id=resume.id, code="no_such_table", text="no such table"))
        await idle()
        told = []
        while (update := client.updates_of("T1").get_nowait()) is not None:
            told.append(update)
        assert "T1" not in client.session.tables
        assert isinstance(told[-1], Left)


async def test_a_hello_that_comes_too_soon_is_said_again_later(clock: ManualClock) -> None:
    """A server that takes no newcomers just now is asked again, no harm is done, and `on_offline` is told where no table is."""

    class Crowded(MemoryServer):
        def take(self, line: object, message: m.FromClient) -> None:
            if self.opened < 3:
                self.line.say(m.Refused(id=message.id, code="rate", text="too many newcomers"))
            else:
                super().take(self.line, message)

    server = Crowded()
    told: list[Offline] = []
    client = Client("memory", name="Ada", options=replace(server.options(clock), on_offline=told.append))
    entering = asyncio.create_task(client.__aenter__())
    await clock.advance(10)
    await entering
    assert server.opened == 3
    server.line.drop(1012, "restart")
    await idle()
    assert [offline.why for offline in told] == ["too many newcomers", "too many newcomers", "restart"]
    assert all(offline.again_in_s > 0 for offline in told)
    await client.__aexit__(None, None, None)
