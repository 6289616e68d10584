"""What the commands that talk to a server tell of the way to it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.settings import Settings
from support.house import UNHURRIED
from support.processes import PATIENCE_S, command, environment
from support.tables import seeded
from support.wire import guests


@pytest.fixture
async def app() -> AsyncIterator[App]:
    """A server that takes one guest; its clock stands, so that no other is ever let in."""
    limits = replace(UNHURRIED, guests_burst=1)
    settings = Settings(port=0, store="memory", limits=limits)
    async with App(settings, clock=VirtualClock(), entropy=seeded("joining")) as app:
        yield app


@pytest.mark.parametrize("arguments", [["watch"], ["play"], ["bot", "--count", "2"], ["bot", "--count", "4"]])
async def test_a_command_that_is_put_off_says_so_once(app: App, arguments: list[str]) -> None:
    """A server that takes nobody for the moment is tried again, and whoever waits is told why nothing happens."""
    async with guests(app.url, "Anna"):
        program = await asyncio.create_subprocess_exec(
            *command(*arguments, "--url", app.url),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(),
        )
        assert program.stderr is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                line = (await program.stderr.readline()).decode()
        finally:
            program.kill()
            out, rest = await program.communicate()
    assert line.startswith(f"{app.url}: ")
    assert line.endswith("; trying again\n")
    assert (out, rest) == (b"", b"")
