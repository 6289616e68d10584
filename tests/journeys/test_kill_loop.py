"""`kill -9` of a real server, again and again, under four bots that know nothing of it: the rubber ends as if nothing had been."""

import asyncio
import itertools
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec

from oddtrick_protocol import messages as m
from oddtrick_protocol.version import JSON, MSGPACK
from oddtrick_rules.cards import SUIT_OF, Card
from oddtrick_rules.commands import Command
from oddtrick_rules.seats import SEATS, SIDE, Seat
from oddtrick_rules.state import Phase, Stage
from oddtrick_rules.views import view as view_of
from oddtrick_sdk import Bot, Client, Options, Player, View, lowest_of
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.transport import Transport, open_websocket
from oddtrick_server.entries import Acted
from oddtrick_server.store.opening import open_store
from support.processes import PATIENCE_S, QUICK, ServerProcess, serving
from support.stored import acts_by_id, log_of, replayed
from support.wire import Plain, items

if TYPE_CHECKING:
    from conftest import Size

LIMITS: Final = {**QUICK, "commit_s": 0.5, "reveal_s": 0.5}
CLOCKS: Final = m.Clocks(
    linger_ms=0, linger_min_ms=0, turn_ms=0, question_ms=0, choice_ms=0, election_ms=0, claims_ms=0
)
PLAYS: Final = 52
SAMPLE: Final = 8
MOMENTS: Final = ("before it is sent", "when it is sent", "when it is answered")
# What is open when the server is killed: a prompt of that kind, or a charge on its way.
CHOICES: Final = ("question", "choice", "charge", "search", "election", "claims", "cut")


@dataclass
class Ledger:
    """What one identity sent and was told, over all its connections."""

    identity: str = ""
    sent: dict[str, Plain] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    events: dict[int, Plain] = field(default_factory=dict)
    playing: int = 0  # the number, in the first hand, of the card it is about to play

    def sends(self, message: Plain) -> None:
        if message["t"] == "act":
            assert self.sent.setdefault(message["id"], message["act"]) == message["act"]

    def gets(self, message: Plain) -> None:
        if message["t"] == "welcome":
            assert self.identity in {"", message["identity"]}
            self.identity = message["identity"]
        elif message["t"] in {"ok", "refused"} and message["id"] in self.sent:
            first, other = (self.done, self.refused) if message["t"] == "ok" else (self.refused, self.done)
            assert message["id"] not in other or message.get("code") in {"rate", "busy"}, (
                "another answer to the same id"
            )
            first.add(message["id"])
        for item in items(message):
            assert self.events.setdefault(item["seq"], item["event"]) == item["event"], "what was shown has changed"


class Plot:
    """When to kill, and how the bots are to err so that there is something open to kill at."""

    def __init__(self, server: ServerProcess, plays: dict[int, str]) -> None:
        self.server = server
        self.plays = plays
        self.choices = set(CHOICES)
        self.kills = 0
        self.revoked: list[tuple[int, Seat, int]] = []  # in which hand, by whom, in which trick
        self._lock = asyncio.Lock()

    @property
    def wants_questions(self) -> bool:
        """First come revokes that the partner asks about and that are mended, then such as are charged."""
        return bool(self.choices & {"question", "choice"})

    @property
    def wants_a_charge(self) -> bool:
        return not self.wants_questions and bool(self.choices & {"charge", "search", "election"})

    @property
    def is_done(self) -> bool:
        return not self.choices and not self.plays

    async def kill(self) -> None:
        async with self._lock:
            self.kills += 1
            await self.server.kill()
            await self.server.start()

    async def at_choice(self, kind: str) -> None:
        if kind in self.choices:
            self.choices.discard(kind)
            await self.kill()

    async def at_play(self, number: int, moment: str) -> None:
        if self.plays.get(number) == moment:
            del self.plays[number]
            await self.kill()


class Line:
    """A connection that notes what passes, and kills the server when the plot has it so."""

    def __init__(self, inner: Transport, ledger: Ledger, plot: Plot) -> None:
        self._inner = inner
        self._ledger = ledger
        self._plot = plot
        self._plays: dict[str, int] = {}

    async def send(self, data: bytes | str) -> None:
        message = plain(data)
        self._ledger.sends(message)
        act = message.get("act", {}).get("do")
        if act == "play":
            self._plays[message["id"]] = self._ledger.playing
        await self._inner.send(data)
        if act == "play":
            await self._plot.at_play(self._ledger.playing, MOMENTS[1])
        elif act == "claim_revoke":
            await self._plot.at_choice("charge")

    async def recv(self) -> bytes | str:
        data = await self._inner.recv()
        message = plain(data)
        self._ledger.gets(message)
        if message["t"] == "ok" and message["id"] in self._plays:
            await self._plot.at_play(self._plays[message["id"]], MOMENTS[2])
        return data

    async def close(self) -> None:
        await self._inner.close()


def plain(data: bytes | str) -> Plain:
    message: Plain = msgspec.json.decode(data) if isinstance(data, str) else msgspec.msgpack.decode(data)
    return message


class Erring(Bot):
    """Plays low, and revokes as long as the plot wants it."""

    def __init__(self, name: str, plot: Plot, ledger: Ledger) -> None:
        self.name = name
        self.plot = plot
        self.ledger = ledger

    async def act(self, view: View) -> Command | None:
        await self.plot.at_choice(view.kind)
        return await super().act(view)

    async def play(self, view: View) -> Card:
        first = view.state.hands_dealt == 1
        self.ledger.playing = 1 + sum(len(trick.plays) for trick in view.history) if first else 0
        await self.plot.at_play(self.ledger.playing, MOMENTS[0])
        wrong = [card for card in view.hand if SUIT_OF[card] not in {view.led, view.trump}]
        mending = view.deal.mending is view.seat
        if mending or view.led is None or not wrong or SUIT_OF[view.playable[0]] != view.led:
            return lowest_of(view.playable)
        # The second to play, so that his partner has still to play and asks first; the last, so that nobody need hurry.
        if self.plot.wants_questions and len(view.trick) == 1:
            return lowest_of(wrong)
        if self.plot.wants_a_charge and len(view.trick) == 3:
            self.plot.revoked.append((view.state.hands_dealt, view.seat, view.history[-1].number))
            return lowest_of(wrong)
        return lowest_of(view.playable)

    def ask(self, view: View) -> bool:
        return self.plot.wants_questions

    def withdraw(self, view: View) -> bool:
        asked = bool(view.deal.renounces) and view.deal.renounces[-1].answer is not None
        return self.plot.wants_questions and asked and bool(super().withdraw(view))

    def claim(self, view: View) -> tuple[Seat, int] | None:
        quitted = {trick.number for trick in view.history if trick.stage is Stage.QUITTED}
        charged = {(one.seat, one.trick) for one in view.deal.charges}
        for hand, seat, trick in self.plot.revoked:
            fresh = hand == view.state.hands_dealt and trick in quitted and (seat, trick) not in charged
            if fresh and SIDE[seat] is not view.side:
                return seat, trick
        return None


@dataclass
class Company:
    """Four bots at a table of a server that is killed."""

    plot: Plot
    table: str
    ledgers: dict[Seat, Ledger]
    players: dict[Seat, Player]

    async def play(self) -> None:
        """Play rubbers until the server has been killed at all that was planned, and the last of them to its end."""
        for player in self.players.values():
            player.on_result = lambda _, player=player: self._ended(player)
        await asyncio.gather(*(player.play() for player in self.players.values()))

    def _ended(self, player: Player) -> None:
        if self.plot.is_done:
            player.rubbers = len(player.results)


def options(ledger: Ledger, plot: Plot, name: str, spoken: str) -> Options:
    seconds = itertools.count(step=100)

    async def opener(url: str, subprotocol: str) -> Transport:
        return Line(await open_websocket(url, subprotocol), ledger, plot)

    async def soon(wanted: float) -> None:
        await asyncio.sleep(min(wanted, 0.02))

    return Options(subprotocol=spoken, opener=opener, sleep=soon, now=lambda: float(next(seconds)), nonce=name)


async def company(stack: AsyncExitStack, plot: Plot) -> Company:
    """Seat four bots at a new table, and begin."""
    ledgers, tables = {}, {}
    opened = ""
    for seat in SEATS:
        ledger = ledgers[seat] = Ledger()
        chosen = options(ledger, plot, seat.name, JSON if seat & 1 else MSGPACK)
        client = await stack.enter_async_context(Client(plot.server.url, name=seat.name, options=chosen))
        if not opened:
            opened = (await client.create(enforcement="club", clocks=CLOCKS)).table or ""
        tables[seat] = await client.sit(opened, seat=seat.name)
    await tables[Seat.N].ask(m.Start)
    players = {
        seat: Player(table, Driver(Erring(seat.name, plot, ledgers[seat]), Random(seat), limit_s=PATIENCE_S))
        for seat, table in tables.items()
    }
    return Company(plot, opened, ledgers, players)


async def test_a_server_killed_at_every_card_and_choice_loses_nothing(tmp_path: Path, seed: int, size: "Size") -> None:
    """B66: a restart lost the games; here a server killed at any play or choice ends the rubber with all it acknowledged."""
    chance = Random(seed)
    numbers = chance.sample(range(1, PLAYS + 1), size(SAMPLE, PLAYS))
    plot_of = {number: MOMENTS[place % len(MOMENTS)] for place, number in enumerate(numbers)}
    async with (
        serving(tmp_path, limits=LIMITS, options=["--log-level", "warning"]) as server,
        AsyncExitStack() as stack,
    ):
        plot = Plot(server, plot_of)
        playing = await company(stack, plot)
        async with asyncio.timeout(PATIENCE_S * size(1, 4)):
            await playing.play()
        assert plot.is_done
        assert plot.kills == len(numbers) + len(CHOICES)
        views = {seat: player.table.mirror.state for seat, player in playing.players.items()}
    store = open_store(f"sqlite:{server.database}")
    try:
        log = await log_of(store, playing.table)
    finally:
        await store.close()
    state = replayed(log).state
    assert state is not None
    assert state.phase is Phase.OVER
    for seat, ledger in playing.ledgers.items():
        assert views[seat] == view_of(state, seat)
        kept = acts_by_id(log, ledger.identity)
        acts = {key: found[0].act for key, found in kept.items() if found}
        assert ledger.done <= kept.keys(), "an act that was acknowledged is lost"
        assert not ledger.refused & kept.keys(), "an act that was refused was done"
        assert acts.items() <= ledger.sent.items()
        by_hand = [one for entry in log for one in entry.steps if isinstance(one, Acted) and one.actor == seat.name]
        assert len(by_hand) == len(acts), "something was played that nobody sent"
