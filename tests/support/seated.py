"""Four SDK clients and a bystander at one table of a `House`, led by a script that knows all cards.

Nothing waits for a length of time: after each act a message goes through the table's mailbox and one over every connection, and
when both are answered everybody has been shown all that came of it.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.table_info import Sitter
from oddtrick_protocol.version import JSON, MSGPACK
from oddtrick_rules import commands as c
from oddtrick_rules.awaits import Await, AwaitKind, awaits
from oddtrick_rules.cards import RANK_OF, SUIT_MASK, Card, cards_in
from oddtrick_rules.commands import Command
from oddtrick_rules.seats import ADVERSARIES, SEATS, Seat
from oddtrick_rules.state import Hand, Phase, State
from oddtrick_rules.turns import playable
from oddtrick_sdk import Client, Options, Table
from oddtrick_sdk.player import answers
from oddtrick_sdk.transport import WebSocket
from support.house import House

ACTS_MAX: Final = 5_000
TICK_S: Final = 0.001


def options(name: str, *, subprotocol: str = MSGPACK, may_connect: asyncio.Event | None = None) -> Options:
    """A client that repeats itself from run to run, and does not make the test wait; off line until `may_connect`."""
    chance = Random(name)
    seconds = itertools.count(step=100)

    async def soon(_: float) -> None:
        await asyncio.sleep(TICK_S)
        if may_connect is not None:
            await may_connect.wait()

    return Options(
        subprotocol=subprotocol,
        sleep=soon,
        now=lambda: float(next(seconds)),
        chance=chance,
        entropy=chance.randbytes,
        nonce=name,
    )


class Seated:
    """The company at one table. `state` is the referee's; a script reads it and tells the clients what to do."""

    def __init__(self, house: House, table: str, clients: dict[Seat, Client], watcher: Client) -> None:
        self.house = house
        self.id = table
        self.clients = clients
        self.watcher = watcher
        self.offline: set[Seat] = set()
        self.lines: dict[Seat, asyncio.Event] = {}

    @property
    def state(self) -> State:
        return self.house.state(self.id)

    @property
    def hand(self) -> Hand:
        hand = self.state.hand
        assert hand is not None
        return hand

    def at(self, seat: Seat) -> Table:
        return self.clients[seat].table(self.id)

    @property
    def online(self) -> dict[Seat, Client]:
        return {seat: client for seat, client in self.clients.items() if seat not in self.offline}

    # --- coming and going ---

    async def drop(self, seat: Seat) -> None:
        """Cut a client's line as a bad network would; it cannot connect again until `restore`."""
        self.lines[seat].clear()
        self.offline.add(seat)
        cut_line(self.clients[seat])
        await until(lambda: self._sitter(seat).away)
        await self.caught_up()

    async def restore(self, seat: Seat) -> None:
        """Let the client connect again; the rest is its own business."""
        self.lines[seat].set()
        await self.clients[seat].ping()
        self.offline.discard(seat)
        await self.caught_up()

    async def abandon(self, seat: Seat) -> str:
        """Close a client for good; its token."""
        client = self.clients.pop(seat)
        token = client.token
        assert token is not None
        await client.__aexit__(None, None, None)
        await until(lambda: self._sitter(seat).away)
        await self.caught_up()
        return token

    async def come_back(self, seat: Seat, client: Client) -> None:
        """Return with a new client of the same identity."""
        await client.request(m.Resume, table=self.id, seq=0)
        self.clients[seat] = client
        await self.caught_up()

    def _sitter(self, seat: Seat) -> Sitter:
        sitter = self.house.table(self.id).book.info.seats[seat]
        assert sitter is not None
        return sitter

    # --- acting ---

    async def do(self, seat: Seat, command: Command) -> None:
        """Let a client do an act, naming the prompt it answers; Refused if it is refused."""
        table = self.at(seat)
        asked = table.mirror.asked
        await table.act(command, asked=asked if asked is not None and answers(command, asked) else None)
        await self.caught_up()

    async def say(self, seat: Seat, kind: type[m.TableMessage], **values: Any) -> None:
        await self.at(seat).ask(kind, **values)
        await self.caught_up()

    async def tick(self, seconds: float) -> None:
        """Let time pass at the table."""
        self.house.clock.move(seconds)
        await self.caught_up()

    async def caught_up(self) -> None:
        """Return when the table has nothing more to do and everybody connected has seen all of it."""
        entries = -1
        while entries != self.house.table(self.id).book.entries:
            entries = self.house.table(self.id).book.entries
            online = self.online
            await self.at(next(iter(online))).ask(m.Back)
            await asyncio.gather(*(client.ping() for client in (*online.values(), self.watcher)))

    # --- playing on ---

    async def play_on(self, until: Callable[[State], bool]) -> None:
        """Play lawfully, lowest cards first, until the table stands so; nobody claims anything."""
        for _ in range(ACTS_MAX):
            if until(self.state):
                return
            assert self.state.phase is not Phase.OVER, "the rubber ended before what was waited for"
            await self.step()
        raise AssertionError("what was waited for did not come about")

    async def step(self) -> None:
        """Do the next thing that is waited for; time passes where nobody else should act."""
        waiting = awaits(self.state)
        linger = next((one for one in waiting if one.kind is AwaitKind.LINGER), None)
        one = linger or waiting[0]
        if one.kind is AwaitKind.LINGER:
            await self.tick(self.house.table(self.id).book.info.clocks.linger_ms / 1000)
        elif one.kind is AwaitKind.DEAL:
            await self.tick(self.house.app.settings.limits.cut_to_deal_s)
        elif one.kind is AwaitKind.CLAIMS:
            for seat in one.seats:
                if seat in self.online and seat not in self.hand.ready:
                    await self.do(seat, c.BeReady())
            if self.state.phase is Phase.CLAIMS and awaits(self.state)[0] == one:
                await self.tick(1.0)
        elif one.seats[0] not in self.online:
            await self.tick(1.0)
        else:
            await self.do(one.seats[0], plain_answer(self.state, one))


def plain_answer(state: State, one: Await) -> Command:
    """What a player without guile or luck would do."""
    hand = state.hand
    assert hand is not None
    seat = one.seats[0]
    if one.kind is AwaitKind.TURN:
        assert one.seat is not None
        return c.Play(lowest(playable(state, one.seat), but=hand.exposed[one.seat]))
    if one.kind is AwaitKind.QUESTION:
        renounce = next(made for made in reversed(hand.renounces) if made.seat is seat)
        return c.Answer(none=not hand.hands[seat] & SUIT_MASK[renounce.suit])
    plain: dict[AwaitKind, Command] = {
        AwaitKind.CHOICE: c.Waive(),
        AwaitKind.ELECTION: c.Elect(c.Penalty.TRICKS, one.about),
        AwaitKind.SEARCH: c.Search(),
        AwaitKind.CUT: c.Cut(),
    }
    return plain[one.kind]


def lowest(mask: int, *, but: int = 0) -> Card:
    """The lowest card of a set, by rank; one of `but` only if there is no other."""
    return min(cards_in(mask & ~but or mask), key=lambda card: (RANK_OF[card], card))


def adversary_of(seat: Seat) -> Seat:
    return ADVERSARIES[seat][0]


def cut_line(client: Client) -> None:
    """End a client's connection without a word."""
    transport = client._transport
    assert isinstance(transport, WebSocket)
    transport._connection.transport.abort()


async def until(true: Callable[[], bool], *, seconds: float = 30.0) -> None:
    """Return as soon as something is so; fail if it is not in a time that no machine needs."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 -- the server is not built to tell tests
            await asyncio.sleep(TICK_S)


@asynccontextmanager
async def sit_down(house: House, **create: Any) -> AsyncIterator[Seated]:
    """Open a table as `create` has it, seat four clients (two speak JSON), let one watch, and begin the rubber."""
    async with AsyncExitStack() as stack:
        lines = {seat: asyncio.Event() for seat in SEATS}

        async def enter(name: str, subprotocol: str, line: asyncio.Event | None = None) -> Client:
            chosen = options(name, subprotocol=subprotocol, may_connect=line)
            return await stack.enter_async_context(Client(house.url, name=name, options=chosen))

        clients = {
            seat: await enter(f"Player {seat.name}", JSON if seat & 1 else MSGPACK, lines[seat]) for seat in SEATS
        }
        watcher = await enter("Bystander", JSON)
        opened = (await clients[Seat.N].create(**create)).table
        assert opened is not None
        for seat, client in clients.items():
            await client.sit(opened, seat=seat.name)
        await watcher.watch(opened)
        await clients[Seat.N].table(opened).ask(m.Start)
        seated = Seated(house, opened, clients, watcher)
        seated.lines = lines
        await seated.caught_up()
        yield seated
