"""What others' servers gave away to whoever knocked, and how they muddled those who came together."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from oddtrick_protocol.version import MSGPACK
from oddtrick_rules.cards import CARD_NAMES
from oddtrick_rules.state import Enforcement, Phase
from oddtrick_server.entries import Acted, decode_entry
from oddtrick_server.limits import DEFAULT_LIMITS
from support.house import House, open_house
from support.recorder import recorded
from support.unruly import step
from support.wire import Peer, dial, guests

NAMES = ["Anna", "Anna", "\u0410nna", "A n n a", "\u200bAnna", "\u202eannA", "N", "north", "E", "0", "null", "Anna 2"]
NO_NAMES = ["", " ", "\u200b", "\u2060\ufeff", "\t\n", "\u3164"]


@pytest.fixture
async def house(seed: int) -> AsyncIterator[House]:
    async with open_house(seed=seed) as running:
        yield running


async def test_b20_no_name_gives_anybody_anothers_place(house: House) -> None:
    """B20: an empty name at an occupied seat was given that seat's credentials; here names of any kind bring nobody another's token."""
    async with guests(house.url, "Host") as (host,):
        table = (await host.ok(t="create"))["table"]
        await host.ok(t="sit", table=table, seat="N")
        tokens, identities = {host.token}, {host.identity}
        for name in NAMES:
            peer = await (await dial(house.url)).hello(name)
            assert peer.token not in tokens
            assert peer.identity not in identities
            tokens.add(peer.token)
            identities.add(peer.identity)
            for seat in ("N", "any"):
                answer = await peer.ask(t="sit", table=table, seat=seat)
                assert answer["t"] == "ok" or answer["code"] in {"seat_taken", "no_free_seat", "already_seated"}
            assert not any(token in json.dumps(peer.got[1:]) for token in tokens)
            await peer.close()
        for name in NO_NAMES:
            peer = await dial(house.url)
            assert (await peer.ask(t="hello", name=name, protocol=1))["code"] == "bad_name"
            await peer.close()
        sitter = house.table(table).book.info.seats[0]
        assert sitter is not None
        assert sitter.identity == host.identity


@pytest.mark.parametrize("open_hands", [False, True], ids=["hands hidden", "hands open"])
async def test_b31_no_second_account_sees_a_hand_in_play(house: House, seed: int, open_hands: Any) -> None:
    """B31: a player's second account watched with open hands; here no bystander is shown a hand before it is over, asked for or not."""
    chance = random.Random(f"{seed}/{open_hands}")
    async with recorded(
        house, code="english-1864", enforcement=Enforcement.GUIDED.value, clocks={"turn_ms": 0}, open_hands=open_hands
    ) as table:
        for _ in range(3_000):
            if table.table.book.hands > 1 or table.state.phase is Phase.OVER:
                break
            await step(table, chance, wildness=0.1)
        else:
            raise AssertionError("the hand did not end")
        assert not table.found, table.found[:3]


async def test_b34_bystanders_see_the_whole_deal_only_when_it_is_over(house: House) -> None:
    """B34: a delay made by the page was got round; here the server has the hands out when the deal is over, and words as late."""
    async with guests(house.url, "Anna", "Eve") as (anna, eve):
        table = await _begun(house, anna)
        await eve.ok(t="watch", table=table)
        assert await eve.refused(t="record", table=table, hand=1) == "no_such_hand"
        await eve.ok(t="chat", table=table, channel="bystanders", text="North has the ace")
        await anna.ok(t="ping")
        assert "North has the ace" not in json.dumps(anna.got)
        for _ in range(500):
            house.clock.move(5.0)
            await anna.ok(t="ping")
            if any(item["event"]["t"] == "said" for item in anna.items()):
                break
        kinds = [item["event"]["t"] for item in anna.items()]
        assert kinds.index("pack_cut") < kinds.index("said")
        while (answer := await eve.ask(t="record", table=table, hand=1))["t"] != "ok":
            house.clock.move(5.0)
        assert "Deal: " in answer["record"]


async def _begun(house: House, host: Peer, *others: Peer, **wish: Any) -> str:
    table: str = (await host.ok(t="create", **wish))["table"]
    for seat, peer in zip("NESW", (host, *others), strict=False):
        await peer.ok(t="sit", table=table, seat=seat)
    await host.ok(t="start", table=table)
    await host.event("deal_committed")
    house.clock.move(DEFAULT_LIMITS.commit_s)
    for peer in (host, *others):
        await peer.event("hand_dealt")
    return table


async def test_b100_plays_at_once_are_each_done_once_or_refused_by_name(house: House) -> None:
    """B100: two plays at once lost one and a wrong suit broke the server; here each accepted one is in the log once, the rest refused."""
    async with guests(house.url, "N", "E", "S", "W", subprotocol=MSGPACK) as peers:
        table = await _begun(house, *peers, enforcement="club")
        accepted: Counter[str] = Counter()
        codes: Counter[str] = Counter()

        async def storm(peer: Peer, card: str) -> None:
            prompt = next((one["prompt"] for one in reversed(peer.got) if one["t"] == "prompt"), None)
            answer = await peer.ask(t="act", table=table, act={"do": "play", "card": card}, prompt=prompt)
            if answer["t"] == "ok":
                accepted[card] += 1
            else:
                assert answer["t"] == "refused", answer
                codes[answer["code"]] += 1

        for _ in range(12):
            await asyncio.gather(
                *(storm(peer, card) for peer in peers for card in random.sample(CARD_NAMES, 9)), return_exceptions=False
            )
            house.clock.move(3.0)
            await peers[0].ok(t="ping")
        stored = await house.store.read(table)
        steps = [step for row in stored for step in decode_entry(row.body, "an entry").steps]
        plays = [step for step in steps if isinstance(step, Acted) and step.act["do"] == "play" and step.by is None]
        assert Counter(step.act["card"] for step in plays) == accepted
        assert accepted
        assert codes
        assert "internal" not in codes
        state = house.state(table)
        assert state.hand is not None
        on_table = [card for trick in state.hand.tricks for _, card in trick.plays]
        assert len(on_table) == len(set(on_table))


async def test_b76_one_bot_plays_at_fifty_tables(house: House) -> None:
    """B76: `your turn` named no table; here one identity at fifty tables is told of each by name, without a gap in any."""
    async with guests(house.url, "Busy") as (bot,):
        tables = []
        for _ in range(50):
            table = (await bot.ok(t="create", bots=3))["table"]
            await bot.ok(t="sit", table=table)
            await bot.ok(t="start", table=table)
            tables.append(table)
        for _ in range(30):
            house.clock.move(2.0)
            await bot.ok(t="ping")
        heads: dict[str, int] = {}
        for message in bot.got:
            if message["t"] == "snapshot":
                heads[message["table"]] = message["seq"]
            for item in [message] if message["t"] == "event" else message.get("events", []):
                assert item["seq"] == heads[message["table"]] + 1
                heads[message["table"]] = item["seq"]
        assert set(heads) == set(tables)
        turns = {message["table"] for message in bot.got if message["t"] == "prompt"}
        assert turns == set(tables)
