"""Whole rubbers of every code in every mode, by bots that err, over lines that break."""

import asyncio
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import TYPE_CHECKING, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.version import JSON, MSGPACK
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.seats import SEATS
from oddtrick_rules.state import Enforcement, Phase
from oddtrick_rules.views import Watcher, view
from oddtrick_sdk import Client, Player, Table
from oddtrick_sdk.bot import BrainBot
from oddtrick_sdk.bots.random_bot import RandomBrain
from oddtrick_sdk.driver import Driver
from support.house import House, open_house
from support.processes import PATIENCE_S
from support.seated import cut_line, options, until
from support.stored import log_of, replayed

if TYPE_CHECKING:
    from conftest import Size

STEP_S: Final = 0.5  # of the table's time, for each
PAUSE_S: Final = 0.002  # of ours
CUTS: Final = 0.03  # of all steps: somebody's line breaks
IRREGULAR: Final = 0.06


async def time_passes(house: House, clients: list[Client], chance: Random) -> None:
    """Let the table's clock run, and break lines, until cancelled."""
    while True:
        await asyncio.sleep(PAUSE_S)
        house.clock.move(STEP_S)
        if chance.random() < CUTS:
            client = chance.choice(clients)
            if client._transport is not None:
                cut_line(client)


async def rubber(code: str, enforcement: Enforcement, seed: str) -> None:
    """Play one, and compare what everybody saw of it with what the log comes to."""
    chance = Random(seed)
    async with open_house(seed=seed) as house, AsyncExitStack() as stack:

        async def enter(name: str, subprotocol: str) -> Client:
            client = Client(house.url, name=name, options=options(name, subprotocol=subprotocol))
            return await stack.enter_async_context(client)

        clients = [await enter(seat.name, JSON if seat & 1 else MSGPACK) for seat in SEATS]
        watcher = await enter("Watcher", JSON)
        opened = (await clients[0].create(code=code, enforcement=enforcement.value)).table or ""
        tables = [await client.sit(opened, seat=seat.name) for client, seat in zip(clients, SEATS, strict=True)]
        watched = await watcher.watch(opened)
        await tables[0].ask(m.Start)
        passing = asyncio.create_task(time_passes(house, [*clients, watcher], chance))
        try:
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.gather(*(player(table, chance).play() for table in tables))
        finally:
            passing.cancel()
            with suppress(asyncio.CancelledError):
                await passing
        await agreed(house, opened, tables, watched)


def player(table: Table, chance: Random) -> Player:
    bot = BrainBot(RandomBrain(chance, irregular=IRREGULAR), "random")
    return Player(table, Driver(bot, chance, limit_s=PATIENCE_S), 1)


async def agreed(house: House, table: str, seats: list[Table], watched: Table) -> None:
    """Everybody connected again, everybody's view is that of the log judged anew."""
    book = house.table(table).book
    for each in (*seats, watched):
        await until(lambda each=each: each.client.session.connected)  # type: ignore[misc]
        await until(lambda each=each: each.mirror.info == book.info)  # type: ignore[misc]
    state = replayed(await log_of(house.store, table)).state
    assert state is not None
    assert state.phase is Phase.OVER
    assert state == book.rubber
    for seat, each in zip(SEATS, seats, strict=True):
        assert each.mirror.state == view(state, seat)
    assert watched.mirror.state == view(state, Watcher.BYSTANDER)


async def test_every_view_survives_errors_and_broken_lines(size: "Size", seed: int) -> None:
    """B05: after broken lines two sides held different states; here all views in the end are those of the log (B60)."""
    chance = Random(seed)
    every = [(code, mode) for code in CODES for mode in Enforcement]
    kinds = size([(code, chance.choice([*Enforcement])) for code in CODES], every * 3)
    for number, (code, mode) in enumerate(kinds):
        await rubber(code, mode, f"{seed} {number}")
