"""`oddtrick watch`: what becomes of a table is told, and that it stands and goes on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from oddtrick_cli.scene import GOES_ON, STANDS, Teller
from oddtrick_cli.watch import tell_all
from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as t
from oddtrick_rules.seats import Seat
from oddtrick_sdk import Client, Happened, Mirror, Offline, Waits
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.settings import Settings
from support.faulty_proxy import FaultyProxy
from support.house import UNHURRIED
from support.redis_servers import RedisServer
from support.several import NO_CLOCKS, several, until
from support.tables import seeded

if TYPE_CHECKING:
    from pathlib import Path

TURN = m.Clock(kind="turn", seats=["N"], deadline_ms=9_000, limit_ms=9_000)
CATCHING_UP = m.Clock(kind="catching_up", seats=[], deadline_ms=0, limit_ms=0)


async def test_a_table_that_waits_for_its_store_is_told_to_who_watches(tmp_path: Path) -> None:
    """Redis was gone for twenty seconds and `oddtrick watch` printed nothing: one line when it goes, one when it is back."""
    shown: list[str] = []
    with RedisServer(tmp_path / "redis") as redis:
        async with FaultyProxy(redis.port) as proxy, AsyncExitStack() as stack:
            servers = await stack.enter_async_context(several(f"redis://127.0.0.1:{proxy.port}", 1))
            host = await stack.enter_async_context(servers.client(0, "Anna"))
            table = await host.sit((await host.create(clocks=NO_CLOCKS, bots=3)).table or "")
            bystander = await stack.enter_async_context(servers.client(0, "Clara"))
            watching = asyncio.create_task(tell_all(await bystander.watch(table.id), shown.append))
            await until(lambda: bool(shown))
            proxy.refuse()
            asked = asyncio.create_task(table.ask(m.Phrase, phrase="sorry"))
            await until(lambda: STANDS in shown)
            proxy.heal()
            await asked
            await until(lambda: GOES_ON in shown)
            assert (shown.count(STANDS), shown.count(GOES_ON)) == (1, 1)
            watching.cancel()


async def test_a_table_formed_by_cutting_is_told() -> None:
    """Who asked for a place, what was cut, who waits and who sits where, each with its law."""
    shown: list[str] = []
    settings = Settings(port=0, store="memory", limits=UNHURRIED)
    async with (
        App(settings, clock=VirtualClock(), entropy=seeded("cutting")) as app,
        Client(app.url, name="Anna") as host,
        Client(app.url, name="Clara") as candidate,
        Client(app.url, name="Dora") as bystander,
    ):
        table = await host.sit((await host.create(forming="cut", bots=3)).table or "")
        watching = asyncio.create_task(tell_all(await bystander.watch(table.id), shown.append))
        await until(lambda: bool(shown))
        await (await candidate.watch(table.id)).ask(m.DeclareIn)
        await table.ask(m.Start)
        await until(lambda: any(line.startswith("Rubber 1 begins") for line in shown))
        watching.cancel()
    said = "\n".join(shown)
    assert "Clara asks for a place in the next rubber. (law " in said
    assert "They cut for partners and the deal: " in said
    assert "They sit as they have cut: " in said


def test_each_stand_is_told_once() -> None:
    """Both ends of it are a line, however often clocks are sent, and what happens tells its end too."""
    teller = Teller(Mirror("T"))
    waits, turn = Waits("T", (CATCHING_UP,)), Waits("T", (TURN,))
    said = [line for update in (turn, waits, waits, turn, turn, waits) for line in teller.lines(update)]
    assert said == [STANDS, GOES_ON, STANDS]
    happened = Happened("T", 1, 0, t.CameBack(Seat.N), None, None)
    assert teller.lines(happened) == [GOES_ON, "North is back."]
    assert teller.lines(happened) == ["North is back."]


def test_a_line_that_is_lost_ends_what_was_known_of_a_stand() -> None:
    """Whether the table stands is said again when the line is back; nobody is told that it goes on because the line was lost."""
    teller = Teller(Mirror("T"))
    teller.lines(Waits("T", (CATCHING_UP,)))
    assert teller.lines(Offline("gone", 1.0)) == ["-- offline: gone; trying again in 1 s"]
    assert teller.lines(Waits("T", (TURN,))) == []
    assert teller.lines(Waits("T", (CATCHING_UP,))) == [STANDS]
