"""Lines that break at any byte, and messages sent more than once, with two servers to come back to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from oddtrick_protocol import messages as m
from oddtrick_protocol.codec import codec_for
from oddtrick_sdk.driver import AT_ONCE
from oddtrick_sdk.transport import Transport, open_websocket
from support.club import Company, check_log, converged
from support.faulty_proxy import FaultyProxy
from support.redis_servers import RedisServer
from support.several import QUICK, several

if TYPE_CHECKING:
    from conftest import Size

LONGEST_BYTES = 12_000
TIMES_MAX = 5
WHOLE_LOGS = replace(
    QUICK, sum_up_entries=1_000_000, entries_unsummed_max=1_000_000
)  # every acknowledged act is to be found in them


class Cutting:
    """Leads each connection to any server, by a line that will break; and sends each message one to five times."""

    def __init__(self, proxies: list[FaultyProxy], chance: Random, cuts: int) -> None:
        self._proxies = proxies
        self._chance = chance
        self.left = cuts

    async def open(self, url: str, subprotocol: str) -> Transport:
        del url
        proxy = self._chance.choice(self._proxies)
        if self.left:
            self.left -= 1
            cut = proxy.cut_replies_after if self._chance.random() < 0.7 else proxy.cut_requests_after
            # Most lines break soon; some in the handshake.
            cut(int(LONGEST_BYTES * self._chance.random() ** 2))
        return Stuttering(await open_websocket(f"ws://127.0.0.1:{proxy.port}", subprotocol), self._chance, subprotocol)


class Stuttering:
    """A transport that sends each message but the first several times."""

    def __init__(self, transport: Transport, chance: Random, subprotocol: str) -> None:
        self._transport = transport
        self._chance = chance
        self._codec = codec_for(subprotocol)

    async def send(self, data: bytes | str) -> None:
        is_first = isinstance(self._codec.decode_client(data), m.Hello)
        for _ in range(1 if is_first else self._chance.randint(1, TIMES_MAX)):
            await self._transport.send(data)

    async def recv(self) -> bytes | str:
        return await self._transport.recv()

    async def close(self) -> None:
        await self._transport.close()


async def soon(seconds: float) -> None:
    await asyncio.sleep(min(seconds, 0.02))


async def test_lines_cut_at_any_byte_and_messages_sent_up_to_five_times(
    redis_server: RedisServer, seed: int, size: Size, tell: Callable[[str], None]
) -> None:
    """Wherever lines break, and however often a message comes, each has one effect and all clients see what the log tells."""
    cuts, tables = size((600, 3), (10_000, 6))
    chance = Random(seed)
    async with AsyncExitStack() as stack:
        servers = await stack.enter_async_context(
            several(f"redis://127.0.0.1:{redis_server.port}", 2, limits=WHOLE_LOGS)
        )
        proxies = [await stack.enter_async_context(FaultyProxy(app.port)) for app in servers.apps]
        door = Cutting(proxies, chance, cuts)
        companies = [Company(number, door, seed, bystanders=1, pace=AT_ONCE) for number in range(tables)]
        for company in companies:
            stack.push_async_callback(company.leave)
            await company.sit_down(sleep=soon)
        async with asyncio.timeout(60 + cuts):
            while door.left:  # noqa: ASYNC110 - counted where lines are opened
                await asyncio.sleep(0.1)
        await asyncio.gather(*(company.finish(240.0) for company in companies))
        for company in companies:
            check_log(company, await converged(servers.stores[0], company))
        lines = sum(proxy.lines_made for proxy in proxies)
        acts = sum(company.acknowledged for company in companies)
        tell(f"{cuts:,} cuts on {lines:,} lines, {acts:,} acts acknowledged: one effect each, all clients converged")
