"""Who asked to be forgotten: what the store keeps of it, and for how long."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec
import pytest

from oddtrick_server import forgotten
from oddtrick_server.app import FORGET_FIRST_S, App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.hand_record import HandRecord, Player, decode_record, encode_record, watched_by
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from oddtrick_server.store.errors import StoreCorrupt
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.table_actor import put_hand
from support.kept_hands import hand_of
from support.several import until


def hand(number: int) -> HandRecord:
    """A hand of a private table that Anna and Ben played and Eve watched."""
    players = Player("Anna", "anna"), Player("Ben", "ben"), Player("Clay", bot="courteous")
    return hand_of(*players, number=number, ended_ms=number, private=True, watchers=["eve"])


async def kept(store: MemoryStore, number: int) -> HandRecord:
    body = await store.get_hand("t", number)
    assert body is not None
    return decode_record(body, "hand")


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


async def test_no_hand_is_kept_with_who_is_forgotten(store: MemoryStore) -> None:
    """Players and bystanders who are forgotten are not in what is kept from then on; everybody else is."""
    assert await forgotten.without_forgotten(store, hand(1)) == hand(1)
    for number, identity in enumerate(("anna", "eve"), 1):
        await forgotten.note(store, identity, now_ms=number)
    record = await forgotten.without_forgotten(store, hand(1))
    assert [one and (one.name, one.identity) for one in record.players] == [
        ("(forgotten)", ""),
        ("Ben", "ben"),
        ("Clay", ""),
        None,
    ]
    assert not record.watchers
    assert record.identities == ["ben"]


async def test_a_hand_kept_at_that_very_moment_is_found_later(store: MemoryStore) -> None:
    """A server that did not know yet puts the hand with him in it: the next day he is out of it, and one day he is not even noted."""
    await forgotten.note(store, "anna", now_ms=1_000)
    await store.put_hand("t", 1, encode_record(hand(1)), identities=["anna", "ben"], finished_ms=1)
    assert await forgotten.tidy(store, before_ms=1_000) == 0
    assert not await store.list_hands_of("anna")
    assert (await kept(store, 1)).identities == ["ben"]
    assert await forgotten.listed(store) == {"anna"}
    assert await forgotten.tidy(store, before_ms=1_001) == 1
    assert not await forgotten.listed(store)


async def test_who_only_watched_is_taken_out_too(store: MemoryStore) -> None:
    """A hand that somebody watched is none of his own, and when he is forgotten he is in it no more."""
    await put_hand(store, hand(1))
    assert await store.list_hands_of("eve") == []
    assert await forgotten.take_out(store, "eve") == 1
    record = await kept(store, 1)
    assert not record.watchers
    assert record.identities == ["anna", "ben"]
    assert await store.list_hands_of(watched_by("eve")) == []
    assert len(await store.list_hands_of("ben")) == 1
    assert await forgotten.take_out(store, "eve") == 0


async def test_a_hand_that_cannot_be_read_keeps_nobody_in_the_others(store: MemoryStore) -> None:
    """He is taken out of all others, however many, and stays noted; who is forgotten with him goes; who asks is told of the one."""
    count = 2 * forgotten.HANDS_AT_ONCE + 1
    for number in range(1, count + 1):
        await put_hand(store, hand(number))
    await store.put_hand("t", count + 1, b"junk", identities=["anna"], finished_ms=count + 1)
    for identity in ("anna", "ben"):
        await forgotten.note(store, identity, now_ms=1)
    assert await forgotten.tidy(store, before_ms=2) == 1
    assert [ref.hand_no for ref in await store.list_hands_of("anna")] == [count + 1]
    assert await store.list_hands_of("ben") == []
    for number in range(1, count + 1):
        assert (await kept(store, number)).identities == []
    assert await forgotten.listed(store) == {"anna"}
    with pytest.raises(StoreCorrupt, match=f"hand {count + 1} of table t"):
        await forgotten.take_out(store, "anna")


@pytest.mark.parametrize(("hands_s", "left"), [(2 * FORGET_FIRST_S, 1), (FORGET_FIRST_S / 2, 0), (0.0, 1)])
async def test_a_finished_hand_is_kept_as_long_as_the_operator_says(
    store: MemoryStore, hands_s: float, left: int
) -> None:
    """The hands of a table that is closed go when `hands_s` is over; where that is 0 they stay."""
    clock = VirtualClock()
    settings = Settings(port=0, limits=replace(DEFAULT_LIMITS, hands_s=hands_s, token_s=1.0))
    async with App(settings, store=store, clock=clock):
        await put_hand(store, msgspec.structs.replace(hand(1), ended_ms=clock.unix_ms()))
        await put_hand(store, msgspec.structs.replace(hand(1), table="other", ended_ms=0))
        await asyncio.sleep(0)  # the sweeper begins to wait
        clock.move(FORGET_FIRST_S + 1)
        # What has no one to keep it for is looked after in the same round, after this.
        await forgotten.note(store, "nobody", now_ms=0)
        await until(lambda: (forgotten.FORGOTTEN, "nobody") not in store._pairs)
        assert len(await store.list_hands("t")) == left
        assert len(await store.list_hands("other")) == (hands_s == 0.0)
