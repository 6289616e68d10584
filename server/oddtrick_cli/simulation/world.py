"""One simulated evening: one server or several on a store, four bots and a bystander at a table, and the faults of a plan.

All of it is the product's own code, on one event loop of virtual time and one network, from one seed: the same seed gives the same
evening to the last byte. `World.run` plays it and returns what was found wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from contextvars import copy_context
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from oddtrick_cli.simulation.checks import Ledger, check_ends, check_evening
from oddtrick_cli.simulation.faults import Fault, FaultKind
from oddtrick_cli.simulation.hearing import hearing, told
from oddtrick_cli.simulation.late_store import LateStore
from oddtrick_cli.simulation.loop import HOST, SimLoop, Stuck
from oddtrick_cli.simulation.network import Network
from oddtrick_cli.simulation.wire import Wire
from oddtrick_protocol import messages as m
from oddtrick_sdk import Client, Refused
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.client import Options, Table
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.errors import OddtrickError
from oddtrick_sdk.player import Player
from oddtrick_sdk.transport import Transport
from oddtrick_server.app import App
from oddtrick_server.limits import Limits
from oddtrick_server.settings import Settings
from oddtrick_server.store.interface import Store
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.store.shared_memory import SharedMemoryStore

PORT: Final = 8765
UNIX_START_S: Final = 1_800_000_000.0
SUM_UP_ENTRIES: Final = 8  # so that logs are trimmed in the middle of an evening, too
QUIET_S: Final = 4.0
SETTLE_LOOKS: Final = 200
PATIENCE_S: Final = 4 * 3600.0  # of virtual time: a rubber that has not ended by then never will
CLOCKS: Final = m.Clocks(
    linger_ms=1_000, linger_min_ms=100, turn_ms=10_000, question_ms=5_000, choice_ms=5_000, election_ms=5_000,
    claims_ms=5_000, absence_ms=15_000,
)  # fmt: skip


class LoopClock:
    """The server's clock, on the loop's time."""

    def __init__(self, loop: SimLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        """The time in seconds."""
        return UNIX_START_S + self._loop.time()

    def unix_ms(self) -> int:
        """The time in milliseconds."""
        return int(self.now() * 1000)

    def call_at(self, when: float, callback: Any) -> asyncio.TimerHandle:
        """Make the call at that time."""
        return self._loop.call_at(max(when - UNIX_START_S, self._loop.time()), callback)

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Evening:
    """What is simulated: the seed, the faults, the law and how far it is enforced; `irregular` is the share of wild acts."""

    seed: int
    faults: tuple[Fault, ...] = ()
    code: str = "english-1864"
    enforcement: str = "guided"
    irregular: float = 0.05
    rubbers: int = 1
    hands: int = 0  # stop after so many hands; 0: when the rubbers are over
    servers: int = 1  # that share the store


@dataclass(slots=True)
class Outcome:
    """What came of an evening: problems (none is good), virtual seconds, acts in the log, rubbers played."""

    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0
    acts: int = 0
    rubbers: int = 0
    frames_acknowledged: int = 0


class World:
    """The evening as it goes."""

    def __init__(self, evening: Evening, *, store: Store | None = None) -> None:
        self.evening = evening
        self.chance = Random(evening.seed)  # noqa: S311 -- a simulation is not secret
        self.network = Network(Random(self.chance.random()))  # noqa: S311
        self.loop = SimLoop(self.network)
        self.memory: Store = self._memory() if store is None else store
        self.wires = [Wire() for _ in range(5)]
        self.tables: list[Table] = []
        self.homes = [""] * evening.servers  # the host of each server
        self.stores: list[LateStore | None] = [None] * evening.servers
        self.started = 0
        self.problems: list[str] = []
        self.ledger = Ledger(self.problems)
        self.rubbers = 0
        self.acts = 0
        self._playing: list[asyncio.Task[Any]] = []
        self._graves: list[asyncio.Task[Any]] = []

    def _memory(self) -> Store:
        return SharedMemoryStore(now=self.loop.time) if self.evening.servers > 1 else MemoryStore()

    # --- the whole ---

    def run(self) -> Outcome:
        """Play the evening and return what was found."""
        outcome = Outcome()
        loop = self.loop
        loop.set_exception_handler(self._unhandled)
        try:
            asyncio.set_event_loop(loop)
            with hearing(self.ledger.say):
                loop.run_until_complete(asyncio.wait_for(self._evening(), PATIENCE_S))
        except (Stuck, TimeoutError):
            self.problems.append(f"the rubber has not ended by {loop.time():.0f} s")
        except OddtrickError as error:
            self.problems.append(f"{type(error).__name__}: {error}")
        except Exception as error:  # noqa: BLE001 -- whatever it is, the evening fails of it and can be played again
            self.problems.append(told(error))
        finally:
            outcome.seconds = loop.time()
            self.problems += check_ends(self)
            self._close()
        outcome.problems = self.problems
        outcome.acts = self.acts
        outcome.rubbers = self.rubbers
        outcome.frames_acknowledged = sum(len(wire.acknowledged) for wire in self.wires)
        return outcome

    def _close(self) -> None:
        """Let everybody, the dead included, put his things away: what they still do is looked at by nobody."""
        found = [*self.problems]
        self.loop.exhume()
        self.network.parted.clear()
        for _ in range(3):
            tasks = asyncio.all_tasks(self.loop)
            for task in tasks:
                task.cancel()
            if tasks:
                with contextlib.suppress(Stuck):
                    self.loop.run_until_complete(asyncio.wait(tasks, timeout=60))
        asyncio.set_event_loop(None)
        self.loop.close()
        self.problems[:] = found

    def _unhandled(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.ledger.say(f"unhandled: {context.get('message')}: {'' if error is None else told(error)}")

    async def _evening(self) -> None:
        for number in range(self.evening.servers):
            await self._serve(number)
        clients = [await self._join(number) for number in range(5)]
        opened = await clients[0].create(
            code=self.evening.code, enforcement=self.evening.enforcement, clocks=CLOCKS, private=False
        )
        assert opened.table is not None
        self.tables = [await client.sit(opened.table) for client in clients[:4]]
        self.tables.append(await clients[4].watch(opened.table))
        with contextlib.suppress(Refused):
            await self.tables[0].ask(m.Start)
        troubles = asyncio.ensure_future(self._troubles())
        watching = asyncio.ensure_future(self._watch(self.tables[4]))
        players = [self._player(number) for number in range(4)]
        self._playing = [asyncio.ensure_future(self._as(f"client-{n}", p.play())) for n, p in enumerate(players)]
        await self._until_over(opened.table)
        self.rubbers = min(len(player.results) for player in players)
        await troubles
        await self._settle(clients)
        watching.cancel()
        self.problems += check_evening(self, opened.table)
        self.problems += [f"unhandled: {told(error)}" for error in self.loop.failed()]
        self.acts = sum(account.acts for account in self.ledger.accounts.values())

    async def _until_over(self, table_id: str) -> None:
        """Wait for the end of the rubbers, or of as many hands as were asked for."""
        playing = asyncio.gather(*self._playing)
        while not playing.done():
            await asyncio.wait([playing], timeout=1.0)
            account = self.ledger.accounts.get(table_id)
            if self.evening.hands and account is not None and account.hands > self.evening.hands:
                playing.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await playing
                return
        playing.result()

    async def _settle(self, clients: list[Client]) -> None:
        """Let everything that is on its way arrive."""
        for client in clients:
            await client.ping()
        await asyncio.sleep(5 if self.evening.servers == 1 else 30)
        # The clocks of a table go on striking. Look at it a while after one did: a letter that was lost is made up for by then.
        for _ in range(SETTLE_LOOKS):
            latest = max(account.book.at for account in self.ledger.accounts.values())
            if self.loop.time() - (latest - UNIX_START_S) >= QUIET_S:
                return
            await asyncio.sleep(0.5)

    # --- who there is ---

    async def _as(self, host: str, work: Coroutine[Any, Any, Any]) -> Any:
        context = copy_context()
        context.run(HOST.set, host)
        return await self.loop.create_task(work, context=context)

    async def _serve(self, number: int) -> None:
        """Start the server of that number, on a host of its own."""
        self.started += 1
        self.homes[number] = f"server-{self.started}"
        chance = Random(self.chance.random())  # noqa: S311
        late = self.stores[number] = LateStore(self.memory, chance, self.ledger)
        limits = Limits(sum_up_entries=SUM_UP_ENTRIES)
        settings = Settings(host="127.0.0.1", port=PORT + number, store="memory", limits=limits)
        app = App(settings, store=late, clock=LoopClock(self.loop), entropy=chance.randbytes)
        await self._as(self.homes[number], app.start())

    async def _join(self, number: int) -> Client:
        chance = Random(self.chance.random())  # noqa: S311

        async def anywhere(url: str, subprotocol: str) -> Transport:
            del url
            port = PORT + chance.randrange(self.evening.servers)
            return await self.wires[number].open(f"ws://127.0.0.1:{port}", subprotocol)

        options = Options(
            opener=anywhere,
            now=self.loop.time,
            chance=chance,
            entropy=chance.randbytes,
            retry_first=True,
        )
        client = Client(f"ws://127.0.0.1:{PORT}", name=f"Player {number + 1}", bot=number < 4, options=options)
        await self._as(f"client-{number}", client.__aenter__())
        return client

    def _player(self, number: int) -> Player:
        chance = Random(self.chance.random())  # noqa: S311
        bot = house_bot("random" if number % 2 else "courteous", chance)
        brain = getattr(bot, "brain", None)
        if brain is not None and hasattr(brain, "irregular"):
            brain.irregular = self.evening.irregular
        return Player(self.tables[number], Driver(bot, chance), self.evening.rubbers)

    @staticmethod
    async def _watch(table: Table) -> None:
        async for _ in table:
            pass

    # --- what goes wrong ---

    async def _troubles(self) -> None:
        for fault in self.evening.faults:
            await asyncio.sleep(max(0.0, fault.at_s - self.loop.time()))
            if all(task.done() for task in self._playing):
                return  # the evening is over
            await self._happen(fault)

    async def _happen(self, fault: Fault) -> None:
        wire = self.wires[fault.whom % 5]
        client = f"client-{fault.whom % 5}"
        number = fault.whom % self.evening.servers
        server = self.homes[number]
        match fault.kind:
            case FaultKind.CUT:
                streams = self.network.streams
                if streams:
                    self.network.cut(streams[fault.whom % len(streams)], after_bytes=int(fault.extent))
            case FaultKind.DUPLICATE:
                wire.duplicate += 1 + int(fault.extent)
            case FaultKind.REORDER:
                wire.reorder = True
            case FaultKind.DROP:
                wire.drop = True
            case FaultKind.DELAY:
                usual, self.network.latency_s = self.network.latency_s, (0.2, 1.5)
                await asyncio.sleep(fault.extent)
                self.network.latency_s = usual
            case FaultKind.CRASH:
                self.loop.unpause(server)
                self._graves += asyncio.all_tasks(self.loop)  # the dead must not be collected while the evening goes on
                self.network.crash(server)
                await asyncio.sleep(fault.extent)
                await self._serve(number)
            case FaultKind.PAUSE:
                self.loop.pause(server)
                await asyncio.sleep(fault.extent)
                self.loop.unpause(server)
            case FaultKind.PARTITION:
                self.network.part(client, server)
                await asyncio.sleep(fault.extent)
                self.network.join(client, server)
            case FaultKind.CUT_OFF:
                store = self.stores[number]
                assert store is not None
                store.cut_off = True
                await asyncio.sleep(fault.extent)
                store.cut_off = False
            case FaultKind.STRAY:
                stray = self.stores[number]
                assert stray is not None
                stray.stray_s = fault.extent
