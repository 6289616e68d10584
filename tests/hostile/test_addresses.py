"""Bounds per address, behind proxies and without."""

import asyncio
from dataclasses import replace

import pytest
from websockets.exceptions import InvalidStatus

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from support.wire import Peer, dial

ONE_EACH = replace(DEFAULT_LIMITS, connections_per_address_max=1)


async def called(app: App, forwarded: str) -> Peer:
    return await dial(app.url, additional_headers={"X-Forwarded-For": forwarded})


async def is_shut_out(app: App, forwarded: str) -> bool:
    try:
        peer = await called(app, forwarded)
    except InvalidStatus as refused:
        return refused.response.status_code == 429
    await peer.close()
    return False


async def test_callers_behind_a_trusted_proxy_are_told_apart() -> None:
    """Each caller that a configured proxy names has bounds of his own, and what he writes before that name changes nothing."""
    settings = Settings(port=0, store="memory", trusted_proxies=("127.0.0.1",), limits=ONE_EACH)
    async with App(settings, clock=VirtualClock()) as app:
        first = await called(app, "198.51.100.1")
        assert not await is_shut_out(app, "198.51.100.2")
        assert await is_shut_out(app, "198.51.100.1")
        assert await is_shut_out(app, "6.6.6.6, 198.51.100.1")
        assert await is_shut_out(app, "::ffff:198.51.100.1")
        await first.close()


async def test_a_stranger_who_names_others_is_himself() -> None:
    """Without a configured proxy the header counts for nothing: many names are one caller."""
    async with App(Settings(port=0, store="memory", limits=ONE_EACH), clock=VirtualClock()) as app:
        first = await called(app, "198.51.100.1")
        assert await is_shut_out(app, "198.51.100.2")
        await first.close()


async def test_connecting_again_and_again_is_bounded_per_caller() -> None:
    """A caller that connects too fast waits, and another behind the same proxy does not."""
    limits = replace(DEFAULT_LIMITS, connects_burst=3, connects_per_s=1.0)
    clock = VirtualClock()
    settings = Settings(port=0, store="memory", trusted_proxies=("127.0.0.1",), limits=limits)
    async with App(settings, clock=clock) as app:
        assert [await is_shut_out(app, "198.51.100.1") for _ in range(4)] == [False, False, False, True]
        assert not await is_shut_out(app, "198.51.100.2")
        clock.move(1.0)
        await asyncio.sleep(0)
        assert not await is_shut_out(app, "198.51.100.1")


@pytest.mark.parametrize("origin", ["null", "https://evil.example", "file://", "http://"])
async def test_a_page_that_hides_where_it_comes_from_may_not_connect(origin: str) -> None:
    """A page with an opaque or a foreign origin is refused, whatever host it names."""
    async with App(Settings(port=0, store="memory"), clock=VirtualClock()) as app:
        with pytest.raises(InvalidStatus) as refused:
            await dial(app.url, additional_headers={"Origin": origin})
        assert refused.value.response.status_code == 403
