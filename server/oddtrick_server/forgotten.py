"""Who asked to be forgotten, for as long as anything of him could still come up somewhere.

A pair `forgotten/IDENTITY` in the store tells all servers on it. Each ends his line and puts him out of its tables when it sweeps
(`operating.py`), and no hand is kept with him in it any more. When the last token he could have is out of date, the pair goes too.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import msgspec

from oddtrick_server.hand_record import HandRecord, decode_record, encode_record, watched_by
from oddtrick_server.logs import Say, log
from oddtrick_server.store.errors import StoreCorrupt, StoreTooNew

if TYPE_CHECKING:
    from oddtrick_server.store.interface import HandRef, Store

FORGOTTEN: Final = "forgotten"
NAME: Final = "(forgotten)"  # in the place of his own
HANDS_AT_ONCE: Final = 100
UNREADABLE: Final = (StoreCorrupt, StoreTooNew)  # one record, whatever is asked of the others


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


async def is_in_hands(store: Store, identity: str) -> bool:
    """Whether a hand is kept that somebody played or watched."""
    return any([await store.list_hands_of(name, limit=1) for name in (identity, watched_by(identity))])


async def take_out(store: Store, identity: str) -> int:
    """Take somebody out of all hands that are kept, whether he played or watched; of how many.

    Raises StoreCorrupt or StoreTooNew if one of them cannot be read, when he is out of all others.
    """
    played = await _take_out_of_all(store, identity, found_under=identity)
    return played + await _take_out_of_all(store, identity, found_under=watched_by(identity))


async def tidy(store: Store, *, before_ms: int) -> int:
    """Take those who are forgotten out of hands that were being kept just then; let go of whom was noted before; of how many."""
    count = 0
    for identity in sorted(await listed(store)):
        await asyncio.sleep(0)  # a store in memory answers at once
        try:
            await take_out(store, identity)
        except UNREADABLE as error:
            log.warning(Say.HAND_UNREADABLE, why=str(error))
            continue  # he is in there, so he stays noted
        noted = await store.get(FORGOTTEN, identity)
        if noted is not None and int(noted) < before_ms:
            count += await store.delete(FORGOTTEN, identity)
    return count


async def _take_out_of_all(store: Store, identity: str, *, found_under: str) -> int:
    count = 0
    seen: set[HandRef] = set()
    unreadable: StoreCorrupt | StoreTooNew | None = None
    while True:
        # Each hand once: what points to it still was left by a server that ended while it kept the hand.
        refs = await store.list_hands_of(found_under, limit=len(seen) + HANDS_AT_ONCE)
        new = [ref for ref in refs if ref not in seen]
        if not new:
            break
        seen.update(new)
        for ref in new:
            try:
                count += await _take_out_of(store, ref, identity)
            except UNREADABLE as error:
                unreadable = error
    if unreadable is not None:
        raise unreadable
    if refs:
        await store.forget(found_under)
    return count


async def _take_out_of(store: Store, ref: HandRef, identity: str) -> bool:
    """Whether he was in it."""
    body = await store.get_hand(ref.table_id, ref.hand_no)
    if body is None:
        return False
    record = decode_record(body, f"hand {ref.hand_no} of table {ref.table_id}")
    left = without(record, frozenset({identity}))
    if left is not record:
        body, names = encode_record(left), left.found_under
        await store.put_hand(ref.table_id, ref.hand_no, body, identities=names, finished_ms=ref.finished_ms)
    return left is not record
