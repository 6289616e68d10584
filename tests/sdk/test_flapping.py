"""A server that takes a client in and drops it at once, over and over."""

from oddtrick_sdk import Client
from oddtrick_sdk.client import STEADY_S
from oddtrick_sdk.testing import ManualClock, MemoryServer, idle


async def openings(server: MemoryServer, clock: ManualClock, *, stands_s: float, seconds: float) -> int:
    """How often a client connects in so many seconds to a server that drops it after `stands_s`."""
    before = server.opened
    until = clock.now() + seconds
    while clock.now() < until:
        opened = server.opened
        await clock.advance(stands_s)
        server.line.drop(1011, "a fault")
        await idle()
        while server.opened == opened and clock.now() < until:
            await clock.advance(0.05)
    return server.opened - before


async def test_a_client_dropped_after_every_welcome_comes_back_less_and_less_often() -> None:
    """A welcome alone does not set the waiting back: a server that fails at once is not stormed."""
    clock, server = ManualClock(), MemoryServer()
    async with Client("memory", name="Ada", options=server.options(clock)):
        await openings(server, clock, stands_s=0.0, seconds=10)
        assert await openings(server, clock, stands_s=0.0, seconds=100) <= 21


async def test_a_connection_that_stood_is_come_back_to_at_once() -> None:
    """After a connection that held, the first wait is short again."""
    clock, server = ManualClock(), MemoryServer()
    async with Client("memory", name="Ada", options=server.options(clock)):
        await openings(server, clock, stands_s=0.0, seconds=30)
        await clock.advance(20)
        assert await openings(server, clock, stands_s=STEADY_S, seconds=100) >= 18
