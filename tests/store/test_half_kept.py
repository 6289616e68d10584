"""Hands that a server was keeping in Redis, or taking somebody out of, when it ended."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from oddtrick_server import forgotten
from oddtrick_server.hand_record import Player, decode_record, watched_by
from oddtrick_server.store.errors import StoreClosed
from oddtrick_server.store.interface import HandRef, Store
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.table_actor import put_hand
from support.kept_hands import hand_of

CALLS_MAX = 30  # of Redis, more than any of it takes
ENOUGH_S = 20.0
HAND = hand_of(Player("Anna", "anna"), Player("Ben", "ben"), ended_ms=5, private=True, watchers=["eve"])
REF = HandRef("t", 1, 5)


async def cut_short(store: RedisStore, deed: Callable[[RedisStore], Awaitable[object]], *, after: int) -> bool:
    """Let a server do something that ends after so many calls of Redis; whether it came so far."""
    call, left = store._call, after

    async def called(*args: Any, **options: Any) -> Any:
        nonlocal left
        if not left:
            raise StoreClosed("the server has ended")
        left -= 1
        return await call(*args, **options)

    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(StoreClosed):
        patch.setattr(store, "_call", called)
        await deed(store)
        return False
    return True


async def at_every_call(
    open_keeper: Callable[[str], Store],
    deed: Callable[[RedisStore], Awaitable[object]],
    then: Callable[[RedisStore], Awaitable[None]],
    *,
    first: Callable[[RedisStore], Awaitable[object]] | None = None,
) -> None:
    """Let servers end at each call of a deed in turn, each with a store of its own, and look at what is left."""
    for after in range(CALLS_MAX):
        store = open_keeper("redis")
        assert isinstance(store, RedisStore)
        if first is not None:
            await first(store)
        was_cut = await cut_short(store, deed, after=after)
        async with asyncio.timeout(ENOUGH_S):
            await then(store)
        await store.close()
        if not was_cut:
            return
    raise AssertionError(f"it takes more than {CALLS_MAX} calls of Redis")


async def keep(store: RedisStore) -> None:
    await put_hand(store, HAND)


async def forget(store: RedisStore) -> None:
    for identity in ("anna", "eve"):
        await forgotten.note(store, identity, now_ms=1)
        await forgotten.take_out(store, identity)


async def nothing_is_left(store: RedisStore) -> None:
    """The hand is there for Ben, without the others."""
    for name in ("anna", "eve", watched_by("eve")):
        assert await store.list_hands_of(name) == []
    assert await store.list_hands_of("ben") == [REF]
    body = await store.get_hand("t", 1)
    assert body is not None
    assert not any(name in body for name in (b"Anna", b"anna", b"eve"))
    assert decode_record(body, "hand").identities == ["ben"]


async def test_a_hand_half_kept_is_kept_without_who_was_forgotten_meanwhile(
    open_keeper: Callable[[str], Store],
) -> None:
    """A server ends while it keeps a hand, somebody is forgotten, the next server keeps it: the next tidying ends, and he is nowhere."""

    async def taken_up(store: RedisStore) -> None:
        for identity in ("anna", "eve"):
            await forgotten.note(store, identity, now_ms=1)
        await keep(store)
        assert await forgotten.tidy(store, before_ms=2) == 2
        await nothing_is_left(store)

    await at_every_call(open_keeper, keep, taken_up)


async def test_somebody_is_forgotten_while_a_hand_of_his_is_half_kept(open_keeper: Callable[[str], Store]) -> None:
    """A server ends while it keeps a hand, and he is forgotten before another takes the table up: that ends, and he is nowhere."""

    async def before_it_is_taken_up(store: RedisStore) -> None:
        await forget(store)
        await keep(store)
        await forgotten.tidy(store, before_ms=0)
        await nothing_is_left(store)

    await at_every_call(open_keeper, keep, before_it_is_taken_up)


async def test_taking_somebody_out_is_cut_short(open_keeper: Callable[[str], Store]) -> None:
    """A server ends while it takes somebody out of a hand: the others find it all the while, and the next tidying takes him out."""

    async def next_day(store: RedisStore) -> None:
        assert await store.list_hands_of("ben") == [REF]
        for identity in ("anna", "eve"):
            await forgotten.note(store, identity, now_ms=1)
        await forgotten.tidy(store, before_ms=0)
        await nothing_is_left(store)

    await at_every_call(open_keeper, forget, next_day, first=keep)


async def test_a_hand_half_kept_is_kept_again(open_keeper: Callable[[str], Store]) -> None:
    """A server ends while it keeps a hand: it is listed everywhere or not at all, and kept again it is whole."""

    async def kept_again(store: RedisStore) -> None:
        for _ in range(2):
            if await store.list_hands("t"):
                for identity in ("anna", "ben"):
                    assert await store.list_hands_of(identity) == [REF]
            await keep(store)
        assert await store.list_hands("t") == [REF]
        assert await store.list_hands_of("ben") == [REF]

    await at_every_call(open_keeper, keep, kept_again)
