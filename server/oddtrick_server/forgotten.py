"""Who asked to be forgotten, for as long as anything of him could still come up somewhere.

A pair `forgotten/IDENTITY` in the store tells all servers on it. Each ends his line and puts him out of its tables when it sweeps
(`operating.py`), and no hand is kept with him in it any more. When the last token he could have is out of date, the pair goes too.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import msgspec

from oddtrick_server.hand_record import HandRecord, decode_record, encode_record

if TYPE_CHECKING:
    from oddtrick_server.store.interface import HandRef, Store

FORGOTTEN: Final = "forgotten"
NAME: Final = "(forgotten)"  # in the place of his own
HANDS_AT_ONCE: Final = 100


def without(record: HandRecord, gone: frozenset[str]) -> HandRecord:
    """The record of a hand with some people taken out of it: their names, and what would find the hand under them."""
    if gone.isdisjoint([*record.identities, *record.watchers]):
        return record
    players = [
        player
        if player is None or player.identity not in gone
        else msgspec.structs.replace(player, name=NAME, identity="")
        for player in record.players
    ]
    watchers = [one for one in record.watchers if one not in gone]
    return msgspec.structs.replace(record, players=players, watchers=watchers)


async def listed(store: Store) -> frozenset[str]:
    """The identities that are to be found nowhere any more."""
    return frozenset(await store.list_keys(FORGOTTEN))


async def note(store: Store, identity: str, *, now_ms: int) -> None:
    """Let all servers on the store know."""
    await store.put(FORGOTTEN, identity, str(now_ms).encode())


async def without_forgotten(store: Store, record: HandRecord) -> HandRecord:
    """The record of a finished hand as it may be kept now: without anybody who is forgotten."""
    return without(record, await listed(store))


async def take_out(store: Store, identity: str) -> int:
    """Take somebody out of all hands that are kept; of how many."""
    count = 0
    while refs := await store.list_hands_of(identity, limit=HANDS_AT_ONCE):
        for ref in refs:
            await _take_out_of(store, ref, identity)
            count += 1
    await store.forget(identity)
    return count


async def tidy(store: Store, *, before_ms: int) -> int:
    """Take those who are forgotten out of hands that were being kept just then; let go of whom was noted before; of how many."""
    count = 0
    for identity in sorted(await listed(store)):
        await asyncio.sleep(0)  # a store in memory answers at once
        await take_out(store, identity)
        noted = await store.get(FORGOTTEN, identity)
        if noted is not None and int(noted) < before_ms:
            count += await store.delete(FORGOTTEN, identity)
    return count


async def _take_out_of(store: Store, ref: HandRef, identity: str) -> None:
    body = await store.get_hand(ref.table_id, ref.hand_no)
    if body is None:
        await store.forget(identity)  # it points at nothing
        return
    record = decode_record(body, f"hand {ref.hand_no} of table {ref.table_id}")
    await _put(store, without(record, frozenset({identity})), finished_ms=ref.finished_ms)


async def _put(store: Store, record: HandRecord, *, finished_ms: int) -> None:
    body = encode_record(record)
    await store.put_hand(record.table, record.hand, body, identities=record.identities, finished_ms=finished_ms)
