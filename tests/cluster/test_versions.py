"""A club in the middle of an upgrade: servers of two versions, clients of the older one."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.version import MINOR
from oddtrick_sdk import Client, Refused
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.client import Options
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.player import Player
from support import newer_build
from support.club import Door
from support.processes import PROGRAM, ServerProcess
from support.redis_servers import RedisServer
from support.several import NO_CLOCKS
from support.wire import dial

NEWER = (str(Path(newer_build.__file__)),)


async def test_servers_of_two_versions(redis_server: RedisServer, tmp_path: Path) -> None:
    """Servers one minor version apart share tables both ways; one is drained and replaced by the newer in the middle of a rubber."""
    address = f"redis://127.0.0.1:{redis_server.port}?prefix=versions"
    servers = []
    for name, program in (("old", PROGRAM), ("new", NEWER), ("newer", NEWER)):
        (tmp_path / name).mkdir()
        quiet = ["--log-level", "warning"]
        servers.append(ServerProcess(tmp_path / name, store=address, options=quiet, program=program))
    old, new, replacement = servers
    async with AsyncExitStack() as stack:
        for server in (old, new):
            await server.start()
        stack.push_async_callback(new.kill)
        peer = await dial(new.url)
        welcome = await peer.ok(t="hello", name="Ann", protocol=1, minor=MINOR)
        assert (welcome["minor"], welcome["build"]) == (newer_build.MINOR, newer_build.BUILD)
        await peer.close()
        door = Door(Random(1))
        clients = []
        for number in range(4):
            door.urls = {"one": (old, new)[number % 2].url}
            options = Options(opener=door.open, retry_first=True)
            clients.append(await stack.enter_async_context(Client("ws://club", name=f"P{number}", options=options)))
        made = await clients[0].create(clocks=NO_CLOCKS, enforcement="strict")
        assert made.table is not None
        tables = [await client.sit(made.table) for client in clients]
        with pytest.raises(Refused, match="does not know such a message yet") as refused:
            await tables[1].ask(m.Chat, channel="table", text=newer_build.WAVE)
        assert refused.value.code == "malformed_message"
        await tables[0].ask(m.Start)
        players = [
            Player(table, Driver(house_bot("courteous", Random(n)), Random(n)), 1) for n, table in enumerate(tables)
        ]
        playing = asyncio.gather(*(player.play() for player in players))
        while tables[1].mirror.seq < 60:  # noqa: ASYNC110 - in the first hand
            await asyncio.sleep(0.02)
        await replacement.start()
        stack.push_async_callback(replacement.kill)
        door.urls = {"one": new.url, "two": replacement.url}
        assert await old.stop() == 0
        async with asyncio.timeout(90):
            await playing
        for server in servers:
            assert not server.errors.count("Traceback"), server.errors
