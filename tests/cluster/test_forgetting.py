"""Somebody is forgotten on one server while he plays on another."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from oddtrick_protocol import messages as m
from oddtrick_sdk import Disconnected
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.player import Player
from oddtrick_server.accounts import Account
from oddtrick_server.hand_record import decode_record
from oddtrick_server.operating import Operating
from oddtrick_server.session import Session
from support.several import NO_CLOCKS, QUICK, several, until

if TYPE_CHECKING:
    from support.redis_servers import RedisServer

QUICKLY_SWEPT = replace(QUICK, sweep_s=0.1)


@pytest.mark.parametrize("owner", [1, 2], ids=["at a table of his server's", "at a table of a third server's"])
async def test_who_is_forgotten_elsewhere_plays_no_more(redis_server: RedisServer, owner: int) -> None:
    """His line ends, his seat is a bot's and his token is worth nothing; the hand he was dealt is kept without him."""
    address = f"redis://127.0.0.1:{redis_server.port}"
    async with several(address, 3, limits=QUICKLY_SWEPT) as servers, AsyncExitStack() as stack:
        bob = await stack.enter_async_context(servers.client(owner, "Bob"))
        ann = await stack.enter_async_context(servers.client(1, "Ann"))
        table = (await bob.create(clocks=NO_CLOCKS, bots=2)).table
        assert table is not None
        seats = [await bob.sit(table), await ann.sit(table)]
        assert servers.owner(table) == owner
        await seats[0].ask(m.Start)
        await until(lambda: servers.book(owner, table).hand_live)
        assert await Operating(servers.apps[0]).forget(ann.identity) == 0
        await until(lambda: (one := seats[0].mirror.info.seats[1]) is not None and one.identity == "")
        await until(lambda: not ann.session.connected)
        with pytest.raises(Disconnected, match="token"):
            async with servers.client(0, "Ann", token=ann.token):
                pass
        player = Player(seats[0], Driver(house_bot("courteous", Random(1)), Random(1)), 1)
        playing = asyncio.create_task(player.play())
        store = servers.stores[0]
        async with asyncio.timeout(60):
            while (body := await store.get_hand(table, 1)) is None:  # noqa: ASYNC110 - played by bots
                await asyncio.sleep(0.05)
        playing.cancel()
        record = decode_record(body, "hand")
        assert [one and (one.name, one.identity) for one in record.players][:2] == [
            ("Bob", bob.identity),
            ("(forgotten)", ""),
        ]
        assert ann.identity.encode() not in body
        assert not await store.list_hands_of(ann.identity)


async def test_an_account_that_comes_again_at_once_is_forgotten_all_the_same(redis_server: RedisServer) -> None:
    """He is back with his issuer's token before the other servers have swept: who he was leaves his seat there, and he is another."""
    account = Account("acct234567", "Clara")
    async with several(f"redis://127.0.0.1:{redis_server.port}", 2, limits=QUICKLY_SWEPT) as servers:
        first = await servers.apps[1].sessions.hello("x", None, bot=False, account=account)
        assert isinstance(first, Session)
        async with servers.client(1, "Clara", token=first.token) as clara:
            table = (await clara.create(clocks=NO_CLOCKS, bots=3)).table
            assert table is not None
            seat = await clara.sit(table)
            await seat.ask(m.Start)
            await until(lambda: servers.book(1, table).hand_live)
            await Operating(servers.apps[0]).forget(clara.identity)
            again = await servers.apps[0].sessions.hello("x", None, bot=False, account=account)
            assert isinstance(again, Session)
            assert again.person.identity != clara.identity
            await until(lambda: (one := servers.book(1, table).info.seats[0]) is not None and one.identity == "")
            await until(lambda: not clara.session.connected)
        async with servers.client(0, "Clara", token=again.token) as back:
            assert back.identity == again.person.identity
