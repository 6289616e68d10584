"""For the tests of bots and clients: views without a table, a server in memory, a clock you move.

    view = view_of("N", hand="SA SK H2", trick="W S4", trump="H")     # what a bot would be shown
    assert MyBot().play(view) == card_named("SK")

    server = MemoryServer()                                           # no socket, no second program
    clock = ManualClock()
    async with Client("memory", name="Ada", options=server.options(clock)) as client: ...

The server in memory judges nothing: it welcomes whoever comes, keeps what it is sent, and says what the test tells it to. For whole
rubbers with a judge and no server see `oddtrick_arena`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeVar

from msgspec import Struct

from oddtrick_protocol import messages as m
from oddtrick_protocol.codec import BadMessage, codec_for
from oddtrick_protocol.facts import cards_to_wire, command_to_wire, event_to_wire, info_to_wire, view_to_wire
from oddtrick_protocol.table_events import TableEvent
from oddtrick_protocol.table_info import TableInfo, info_after
from oddtrick_protocol.version import MSGPACK
from oddtrick_rules.cards import Card, Mask, Suit, card_named, mask_of
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.commands import Command, Play
from oddtrick_rules.events import CardPlayed, Event, HandDealt, TrickCompleted, TrickQuitted
from oddtrick_rules.evolve import evolve
from oddtrick_rules.seats import LEFT, SEATS, Seat, seat_named
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, State
from oddtrick_rules.turns import acting, card_turn, playable, winning
from oddtrick_sdk.client import Options
from oddtrick_sdk.transport import TransportClosed
from oddtrick_sdk.view import View

Message = TypeVar("Message", bound=Struct)
TABLE: Final = "T1"
WHOLE_HAND: Final = 13


# --- views ---


def view_of(
    seat: str,
    *,
    hand: str,
    trick: str = "",
    played: Sequence[str] = (),
    trump: str = "H",
    code: str = "english-1864",
    enforcement: str = "guided",
    kind: str = "turn",
    acts: Sequence[Command] = (),
) -> View:
    """Return what the seat is shown with that hand (`SA SK H2`) after the tricks `played`, when `trick` (`W S4, N S9`) lies.

    A played trick is four plays in the same form. The rest of the deal is unknown, as it is to the seat. `trump` is a suit.
    """
    me = seat_named(seat)
    left = _cards(hand)
    tricks = [_plays(one) for one in (*played, *([trick] if trick else []))]
    mine = [card for plays in tricks for who, card in plays if who == me]
    leader = tricks[0][0][0] if tricks else me
    state = rubber(code_named(code), enforcement=Enforcement(enforcement), dealer=LEFT[LEFT[LEFT[leader]]])
    state = evolve(state, _dealt(me, (*left, *mine), leader, Suit[trump]))
    for plays in tricks:
        state = _put_trick(state, plays)
    turn = None if state.hand is None else card_turn(state.hand)
    playing = me if turn is None or state.hand is None or acting(state.hand, turn) != me else turn
    cards = playable(state, playing)
    offered = (*acts, *(Play(card) for card in left)) if kind == "turn" else tuple(acts)
    return View(state=state, seat=me, acts=offered, playable=_of_mask(cards) if kind == "turn" else (), kind=kind)


def _of_mask(mask: Mask) -> tuple[Card, ...]:
    return tuple(card_named(name) for name in cards_to_wire(mask))


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(card_named(name) for name in text.split())


def _plays(text: str) -> list[tuple[Seat, Card]]:
    return [(seat_named(play.split()[0]), card_named(play.split()[1])) for play in text.split(",")]


def _dealt(me: Seat, cards: tuple[Card, ...], leader: Seat, trump: Suit) -> HandDealt:
    north, east, south, west = (cards if seat == me else () for seat in SEATS)
    dealer = LEFT[LEFT[LEFT[leader]]]
    return HandDealt(1, dealer, (north, east, south, west), len(cards), leader, trump, None, None)


def _put_trick(state: State, plays: list[tuple[Seat, Card]]) -> State:
    hand = state.hand
    assert hand is not None
    number = hand.tricks[-1].number + 1 if hand.tricks else 1 + WHOLE_HAND - hand.size
    for seat, card in plays:
        state = evolve(state, CardPlayed(seat, card, number))
    assert state.hand is not None
    if len(plays) < len(SEATS):
        return state
    winner, _ = winning(state.hand.tricks[-1], state.hand.trump)
    return evolve(evolve(state, TrickCompleted(number, winner)), TrickQuitted(number, None))


# --- a clock you move ---


class ManualClock:
    """A clock that stands until it is moved. `sleep` is what a client waits with."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> float:
        """Return the seconds since the clock was made."""
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock has been moved so far."""
        if seconds <= 0:
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now_s + seconds, woken))
        await woken

    @property
    def sleeping(self) -> int:
        """How many wait for the clock."""
        return sum(not woken.done() for _, woken in self._sleepers)

    async def advance(self, seconds: float) -> None:
        """Move the clock, wake in order who is due, and let everybody run until he waits again."""
        await idle()
        until = self.now_s + seconds
        while True:
            self._sleepers = [pair for pair in self._sleepers if not pair[1].done()]
            due = min((pair for pair in self._sleepers if pair[0] <= until), key=lambda pair: pair[0], default=None)
            if due is None:
                break
            self.now_s = due[0]
            due[1].set_result(None)
            await idle()
        self.now_s = until
        await idle()


async def idle(turns: int = 50) -> None:
    """Let every task run until it waits for something that only the test can give."""
    for _ in range(turns):
        await asyncio.sleep(0)


# --- a server in memory ---


@dataclass
class MemoryLine:
    """One connection, seen from the server: what the client sent, and a way to answer."""

    server: MemoryServer
    subprotocol: str
    sent: list[m.FromClient] = field(default_factory=list)
    _frames: asyncio.Queue[bytes | str | TransportClosed] = field(default_factory=asyncio.Queue)
    _closed: TransportClosed | None = None

    def __post_init__(self) -> None:
        """Speak the subprotocol."""
        self._codec = codec_for(self.subprotocol)

    # the client's end

    async def send(self, data: bytes | str) -> None:
        """Take a frame of the client."""
        if self._closed is not None:
            raise self._closed
        try:
            message = self._codec.decode_client(data)
        except BadMessage as bad:  # as a server does
            if bad.id is None:
                self.drop(bad.close, bad.text)
            else:
                self.say(m.Refused(id=bad.id, code=bad.code, text=bad.text))
            return
        self.sent.append(message)
        self.server.take(self, message)

    async def recv(self) -> bytes | str:
        """Give the client its next frame."""
        frame = await self._frames.get()
        if isinstance(frame, TransportClosed):
            raise frame
        return frame

    async def close(self) -> None:
        """The client says goodbye."""
        self._closed = self._closed or TransportClosed(1000, "")

    # the server's end

    def say(self, *messages: Struct) -> None:
        """Send messages to the client."""
        for message in messages:
            self._frames.put_nowait(self._codec.encode(message))

    def say_bytes(self, data: bytes | str) -> None:
        """Send a frame as it is."""
        self._frames.put_nowait(data)

    def drop(self, code: int = 1006, reason: str = "the line was lost") -> None:
        """End the connection."""
        self._closed = TransportClosed(code, reason)
        self._frames.put_nowait(self._closed)


@dataclass
class MemoryServer:
    """Welcomes whoever comes and keeps what it is sent; with `answers` it also says `ok` to everything else."""

    answers: bool = True
    refusing: Exception | None = None
    lines: list[MemoryLine] = field(default_factory=list)
    opened: int = 0

    async def open(self, url: str, subprotocol: str) -> MemoryLine:  # noqa: ARG002  # any address will do
        """Open a connection: the `opener` of `Options`."""
        self.opened += 1
        if self.refusing is not None:
            raise self.refusing
        line = MemoryLine(self, subprotocol)
        self.lines.append(line)
        return line

    def options(self, clock: ManualClock | None = None, *, seed: int = 0, subprotocol: str = MSGPACK) -> Options:
        """Return the options of a client of this server, with that clock and with chance that repeats."""
        chance = Random(seed)  # noqa: S311  # for tests
        sleep = asyncio.sleep if clock is None else clock.sleep
        still = ManualClock() if clock is None else clock
        return Options(
            subprotocol=subprotocol,
            opener=self.open,
            sleep=sleep,
            now=still.now,
            chance=chance,
            entropy=chance.randbytes,
            nonce="test",
        )

    @property
    def line(self) -> MemoryLine:
        """The newest connection."""
        return self.lines[-1]

    def take(self, line: MemoryLine, message: m.FromClient) -> None:
        """Answer what needs no test to think about."""
        if isinstance(message, m.Hello):
            identity = message.token or "identity-1"
            line.say(m.Welcome(id=message.id, token=identity, identity=identity, name=message.name, protocol=1))
        elif isinstance(message, m.Ping):
            line.say(m.Pong(id=message.id))
        elif self.answers:
            line.say(m.Ok(id=message.id, table=getattr(message, "table", None)))

    def sent(self, kind: type[Message]) -> list[Message]:
        """Return everything of that kind that any connection was sent, in order."""
        return [message for line in self.lines for message in line.sent if isinstance(message, kind)]


@dataclass
class MemoryTable:
    """A table of a `MemoryServer`, shown to its newest connection; it keeps count of `seq` and of what the events come to."""

    server: MemoryServer
    state: State | None = None
    seat: Seat | None = None
    table: str = TABLE
    seq: int = 0
    info: TableInfo = field(default_factory=TableInfo)
    prompts: int = 0

    def snapshot(self) -> None:
        """Show the table whole."""
        self.server.line.say(
            m.Snapshot(
                table=self.table,
                seq=self.seq,
                info=info_to_wire(self.info),
                view=None if self.state is None else view_to_wire(self.state),
                seat=None if self.seat is None else self.seat.name,
            )
        )

    def happen(self, *events: Event | TableEvent) -> list[m.Item]:
        """Let events happen and show them; return them as they were sent."""
        items = [self.item(event) for event in events]
        self.server.line.say(m.Events(table=self.table, events=items))
        return items

    def item(self, event: Event | TableEvent) -> m.Item:
        """Let an event happen that nobody is shown; return it as it would be sent."""
        self.seq += 1
        if isinstance(event, TableEvent):
            self.info = info_after(self.info, event)
        elif self.state is not None:
            self.state = evolve(self.state, event)
        return m.Item(seq=self.seq, event=event_to_wire(event), hand=1)

    def prompt(self, kind: str, acts: Sequence[Command], *, playable: Sequence[Card] = (), **values: Any) -> str:
        """Put a choice to the seat; return the prompt's id."""
        self.prompts += 1
        prompt = f"p{self.prompts}"
        self.server.line.say(
            m.Prompt(
                table=self.table,
                prompt=prompt,
                kind=kind,
                acts=[command_to_wire(act) for act in acts],
                playable=cards_to_wire(mask_of(playable)),
                **values,
            )
        )
        return prompt

    def no_prompt(self) -> None:
        """Take the choice away."""
        self.server.line.say(m.Prompt(table=self.table, prompt="", kind="none"))
