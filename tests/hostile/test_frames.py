"""A storm of broken frames from every side of a table, while another table plays on."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from oddtrick_server.app import App, settle_memory
from oddtrick_server.client import Client
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from support.attacker import Attacker, LoopWatch, Plain, Unhandled, frame, hostile_frame, resident_bytes, settled
from support.footprint import Growth, heap_bytes, traced, until_empty, until_forgotten
from support.house import UNHURRIED
from support.tables import seeded
from support.wire import Peer, dial, until

if TYPE_CHECKING:
    from conftest import Size

# No garbage may end the storm for being too fast, and the server forgets sessions as it does.
STORMY = replace(UNHURRIED, strikes_max=1_000_000_000, connections_per_address_max=100_000, rate_keys_max=50)
WAVES = 6
KEPT_BYTES_MAX = 50  # of a frame
LINES = 12  # of attackers, at a time
BATCH = 6  # frames sent on a line before the server looks at them
STEP_S = 0.5  # of the tables' own time, between two rounds


@pytest.fixture(autouse=True)
def memory_as_served() -> Iterator[None]:
    """Collect garbage as `oddtrick serve` does, or the tests' own modules would be looked through during the storm."""
    thresholds = gc.get_threshold()
    settle_memory()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many messages, of whatever kind, the server has taken in."""
    count = [0]
    received = Client.received

    def counted(self: Client, data: bytes | str) -> None:
        count[0] += 1
        received(self, data)

    monkeypatch.setattr(Client, "received", counted)
    return count


def wishes(table: str) -> list[Plain]:
    """Something of every kind, about that table and about none."""
    acts: list[Plain] = [
        {"do": "play", "card": "SA"},
        {"do": "play", "card": "H7", "hand": "N"},
        {"do": "play_together", "cards": ["SA", "SK"]},
        {"do": "withdraw"},
        {"do": "ask"},
        {"do": "answer", "none": True},
        {"do": "call", "seats": ["E"], "demand": "suit", "suit": "H", "right": 1},
        {"do": "claim_revoke", "seat": "E", "trick": 3},
        {"do": "elect", "penalty": "tricks", "number": 1},
        {"do": "throw_down"},
        {"do": "show", "cards": ["C2", "C3"]},
        {"do": "be_ready"},
        {"do": "cut"},
    ]
    return [
        {"t": "tables"},
        {"t": "sit", "table": table, "seat": "any"},
        {"t": "sit", "table": "any"},
        {"t": "watch", "table": table, "invite": "x"},
        {"t": "stand", "table": table},
        {"t": "start", "table": table},
        {"t": "kick", "table": table, "who": "N"},
        {"t": "set_clocks", "table": table, "clocks": {"turn_ms": 20_000}},
        {"t": "add_bot", "table": table, "seat": "S", "bot": "random"},
        {"t": "remove_bot", "table": table, "seat": "S"},
        {"t": "pause", "table": table},
        {"t": "again", "table": table},
        {"t": "away", "table": table},
        {"t": "back", "table": table},
        {"t": "chat", "table": table, "channel": "bystanders", "text": "\u202egood evening"},
        {"t": "phrase", "table": table, "phrase": "hello"},
        {"t": "resume", "table": table, "seq": 3},
        {"t": "law", "code": "english-1864", "number": "73"},
        {"t": "hands"},
        {"t": "record", "table": table, "hand": 1, "format": "pbn"},
        {"t": "commit", "table": table, "hand": 1, "commitment": "00" * 32},
        {"t": "reveal", "table": table, "hand": 1, "entropy": "00" * 32},
        {"t": "ping"},
        *({"t": "act", "table": table, "act": act, "prompt": "p1"} for act in acts),
        *({"t": "act", "table": table, "act": act} for act in acts),
    ]


async def playing(app: App, clock: VirtualClock, name: str) -> tuple[Peer, str]:
    """A player who lets the clock play for him, and three house bots: a table that goes on by itself as time does."""
    host = await (await dial(app.url)).hello(name)
    table: str = (await host.ok(t="create", bots=3, clocks={"turn_ms": 10_000}))["table"]
    await host.ok(t="sit", table=table)
    await host.ok(t="start", table=table)
    await host.event("deal_committed")
    clock.move(DEFAULT_LIMITS.commit_s)
    await host.event("hand_dealt")
    return host, table


def cards_played(peer: Peer) -> int:
    return sum(item["event"]["t"] == "card_played" for item in peer.items())


@pytest.mark.parametrize("came", ["sit", "watch"])
async def test_a_storm_of_broken_frames_does_no_harm(
    unhandled: Unhandled, seed: int, size: Size, came: str, taken: list[int], tell: Callable[[str], None]
) -> None:
    """Frames changed, cut and doubled bring no fault, and no other table stops."""
    clock, chance = VirtualClock(), Random(f"{seed}/{came}")
    async with App(Settings(port=0, store="memory", limits=STORMY), clock=clock, entropy=seeded(seed)) as app:
        storm = Storm(app, clock, chance, came, taken, unhandled)
        memory = resident_bytes()
        await storm.blow(size(10_000, 500_000))
        tell(
            f"{taken[0]} broken frames over {storm.lines} lines: loop away {storm.away_s * 1000:.0f} ms at most, "
            f"memory x{resident_bytes() / memory:.2f}, the calm table played {storm.played} cards"
        )
    assert not unhandled.all


async def test_broken_frames_leave_nothing(
    unhandled: Unhandled, seed: int, size: Size, taken: list[int], tell: Callable[[str], None]
) -> None:
    """Storm after storm, with days between in which everybody is forgotten, and no memory is kept of any."""
    clock, chance, each = VirtualClock(), Random(f"{seed}/waves"), size(2_000, 20_000)
    memory: list[int] = []
    async with App(Settings(port=0, store="memory", limits=STORMY), clock=clock, entropy=seeded(seed)) as app:
        unhandled.watch_library()  # alone: pytest would keep each record, with all that the error went through
        with traced():
            for wave in range(WAVES):
                storm = Storm(app, clock, chance, ("sit", "watch")[wave % 2], taken, unhandled)
                await storm.blow(each)
                await until_empty(app, clock)
                for table in storm.tables:
                    await app.store.drop_hands(table)  # which would be kept for who asks for them
                await until_forgotten(app, clock)
                unhandled.condense()
                memory.append(heap_bytes())
    growth = Growth.over(memory, each)
    tell(f"{WAVES} storms of {each} broken frames: {growth}")
    assert growth.is_below(KEPT_BYTES_MAX)
    assert not unhandled.all


class Storm:
    """Attackers who come to one table, while another plays on."""

    def __init__(
        self, app: App, clock: VirtualClock, chance: Random, came: str, taken: list[int], unhandled: Unhandled
    ) -> None:
        self.tables: list[str] = []
        self.lines = self.played = 0
        self.away_s = 0.0
        self._app = app
        self._clock = clock
        self._chance = chance
        self._came = came
        self._taken = taken
        self._unhandled = unhandled

    async def blow(self, count: int) -> None:
        """Let the server take so many frames; then everybody is gone."""
        app, clock, came = self._app, self._clock, self._came
        calm, quiet = await playing(app, clock, "Calm")
        stormy, table = await playing(app, clock, "Stormy")
        self.tables = [quiet, table]
        await until(lambda: len(app.listener.clients) == 2)
        tasks = len(asyncio.all_tasks())
        if came == "sit":
            await stormy.ok(t="leave", table=table)
        hello: Plain = {"t": "hello", "name": "Mallory", "protocol": 1}
        greetings = [(hello, {"t": came, "table": table}), (hello,), ()]
        attackers = [Attacker(app.port, greetings[number % 3]) for number in range(LINES)]
        messages = [
            *wishes(table),
            *wishes("nowhere"),
            hello,
            {**hello, "token": calm.token[:-6] + "forged"},
            {"t": "create"},
        ]
        watch, self._taken[0] = LoopWatch(), 0
        calm.forget()
        while self._taken[0] < count:
            for attacker in attackers:
                for _ in range(BATCH):
                    await attacker.send(hostile_frame(self._chance, messages))
                await attacker.drain()
            clock.move(STEP_S)
            await calm.ok(t="ping")
            self.played += cards_played(calm)
            for peer in (calm, stormy):
                peer.forget()
            self._unhandled.condense()
        for attacker in attackers:
            await attacker.close()
        await watch.stop()
        assert self.played, "the other table stood still"
        await settled(lambda: len(app.listener.clients) == 2)
        clock.move(DEFAULT_LIMITS.session_s + DEFAULT_LIMITS.idle_s)
        await settled(lambda: len(asyncio.all_tasks()) <= tasks + 1)
        await calm.ok(t="ping")
        for peer in (calm, stormy):
            await peer.close()
        self.lines = sum(attacker.lines for attacker in attackers)
        self.away_s = watch.worst_s


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\x82\xff" + (1 << 62).to_bytes(8, "big") + b"\x00" * 8, id="a length of exabytes"),
        pytest.param(b"\x82\xfe\xff\xff" + b"\x00" * 8, id="a length that does not come"),
        pytest.param(b"\x82\x05hello", id="no mask"),
        pytest.param(b"\xf2\x85" + b"\x00" * 9, id="reserved bits, as of a compressed frame"),
        pytest.param(b"\x8f\x80\x00\x00\x00\x00", id="an opcode nobody knows"),
        pytest.param(b"\x09\x80\x00\x00\x00\x00", id="a ping in parts"),
        pytest.param(frame(b"x" * 126, opcode=0x9), id="a ping that is too long"),
        pytest.param(frame(b"\x03", opcode=0x8), id="a close of one byte"),
        pytest.param(frame(b"\xff\xff\xff", opcode=0x8), id="a close with a code that is none"),
        pytest.param(frame(b"x", opcode=0x0), id="the end of a message that never began"),
        pytest.param(frame(b"x", fin=False) + frame(b"x", fin=False), id="a message begun within another"),
        pytest.param(frame(b"\x80\x81", opcode=0x1), id="text that is none"),
    ],
)
async def test_a_frame_against_the_rules_ends_its_line_alone(unhandled: Unhandled, data: bytes) -> None:
    """A frame that breaks WebSocket's own rules ends the line it came on, and nobody else's."""
    clock = VirtualClock()
    limits = replace(DEFAULT_LIMITS, close_s=0.1)
    async with App(Settings(port=0, store="memory", limits=limits), clock=clock) as app:
        anna = await (await dial(app.url)).hello("Anna")
        attacker = Attacker(app.port, ({"t": "hello", "name": "Mallory", "protocol": 1},))
        await attacker.send(data)
        await attacker.drain()
        await anna.ok(t="ping")
        if data[0] != 0x82 or data[1] != 0xFE:
            await settled(lambda: len(app.listener.clients) == 1)
        await attacker.close()
        await settled(lambda: len(app.listener.clients) == 1)
        await anna.ok(t="ping")
        await anna.close()
    assert not unhandled.all


async def test_decompression_is_off() -> None:
    """A client that offers compression is not given it, so that no small frame can become a large message."""
    async with App(Settings(port=0, store="memory"), clock=VirtualClock()) as app:
        peer = await dial(app.url, additional_headers={"Sec-WebSocket-Extensions": "permessage-deflate"})
        assert peer.line.response is not None
        assert "Sec-WebSocket-Extensions" not in peer.line.response.headers
        await peer.close()
