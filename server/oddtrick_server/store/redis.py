"""The store of several servers: Redis, with one stream a table and one script that appends to it.

Keys, each after the prefix, those of one table in one slot of a cluster:

    {tbl:ID}:own     hash    node, until (ms of Redis's clock), fence, seq of the log's last entry
    {tbl:ID}:log     stream  entries `SEQ-FENCE`, one record each
    {tbl:ID}:hands   hash    finished hands by number        {tbl:ID}:refs   hash   when they ended, who played
    dir              hash    the directory                   kv:NAMESPACE    hash   pairs
    by:IDENTITY      zset    the hands somebody is found in  fences          the last fence given

What Redis does not promise, this cannot either. With `replicas` 0 (redis-solo) a write is acknowledged when the one server has it:
how much survives that server's end is what its append-only file is told to keep. With 1 or more (redis-ha) it is acknowledged when
so many replicas have it too, and survives the loss of the primary; not that of the primary and of every replica that had it.
"""

import asyncio
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from oddtrick_server.store.checks import check_append, check_body, check_names, check_numbers
from oddtrick_server.store.errors import HeldElsewhere, StoreClosed, StoreCorrupt
from oddtrick_server.store.interface import (
    DEFAULT_BOUNDS,
    AppendResult,
    HandRef,
    LogEntry,
    Outcome,
    StoreBounds,
    TableRow,
)
from oddtrick_server.store.records import decode_entry, decode_value, encode_append, encode_value
from oddtrick_server.store.redis_lane import Command
from oddtrick_server.store.redis_link import Link
from oddtrick_server.store.redis_mail import RedisMail
from oddtrick_server.store.redis_place import RedisPlace
from oddtrick_server.store.redis_scripts import SCRIPTS, Script
from oddtrick_server.store.shared import Holder

READ_PAGE: Final = 1_000  # entries asked for at once
SCAN_FIELDS: Final = 1_000  # of a hash, asked for at once
UNLOGGED_MS: Final = 3_600_000  # that the owner of a table without a log is kept
_REF: Final = struct.Struct(">Q")


class _Ref(msgspec.Struct, array_like=True):
    finished_ms: int
    identities: list[str]


class RedisStore:
    """A `SharedStore` in Redis. Nothing is asked of Redis before the first call."""

    def __init__(self, place: RedisPlace, *, bounds: StoreBounds = DEFAULT_BOUNDS) -> None:
        self.place = place
        self._bounds = bounds
        self._link = Link(place, bounds=bounds, scripts=tuple(script.text for script in SCRIPTS.values()))
        self._closed = False
        self.mail = RedisMail(self._link)

    @property
    def lease_s(self) -> float:
        """How long a lease runs."""
        return self.place.lease_ms / 1000

    # --- logs -----------------------------------------------------------------------------------

    async def append(
        self,
        table_id: str,
        expected_seq: int,
        entries: Sequence[bytes],
        *,
        fence: int = 0,
        command_key: bytes | None = None,
    ) -> AppendResult:
        """Append all of `entries` to a table's log, or none."""
        self._check(table_id)
        check_numbers(expected_seq, fence)
        check_append(self._bounds, entries, command_key)
        records = encode_append(entries, command_key)
        own, log = self._keys(table_id, "own", "log")
        outcome, head = await self._run("append", [own, log], expected_seq, fence, *records, changes=True)
        return AppendResult(Outcome(outcome.decode().lower()), int(head))

    async def read(self, table_id: str, after_seq: int = 0, *, limit: int | None = None) -> list[LogEntry]:
        """The entries numbered above `after_seq`, in order, and none that a failover could take back."""
        self._check(table_id)
        check_numbers(after_seq, limit)
        own, log = self._keys(table_id, "own", "log")
        entries: list[LogEntry] = []
        at = after_seq
        while limit is None or len(entries) < limit:
            count = READ_PAGE if limit is None else min(READ_PAGE, limit - len(entries))
            trimmed, page = await self._run("read", [own, log], at + 1, count, changes=False)
            if int(trimmed) > at:  # between two pages, too: what sums it up is among what follows
                entries, at = [], int(trimmed)
            for stored_id, fields in page:
                at += 1
                entries.append(_entry(table_id, at, stored_id, fields))
            if len(page) < count:
                break
        return entries

    async def trim(self, table_id: str, first_seq: int, *, fence: int = 0) -> bool:
        """Delete the entries numbered below `first_seq`."""
        self._check(table_id)
        check_numbers(first_seq, fence)
        own, log = self._keys(table_id, "own", "log")
        return bool(await self._run("trim", [own, log], first_seq, fence))

    async def acquire(self, table_id: str, owner: str) -> int:
        """Make `owner` the one that may append; HeldElsewhere while another's lease runs."""
        self._check(table_id, owner)
        (own,) = self._keys(table_id, "own")
        least = await self._call(b"fences", ("INCR", self._key(b"fences")), durable=True)
        granted, *what = await self._run("acquire", [own], owner, self.place.lease_ms, least, UNLOGGED_MS)
        if not granted:
            raise HeldElsewhere(table_id, what[0].decode())
        return int(what[0])

    # --- leases ---------------------------------------------------------------------------------

    async def renew(self, table_id: str, fence: int) -> bool:
        """Let the lease run anew; whether it is still the caller's."""
        self._check(table_id)
        (own,) = self._keys(table_id, "own")
        return bool(await self._run("renew", [own], fence, self.place.lease_ms, durable=False))

    async def release(self, table_id: str, fence: int) -> bool:
        """End the lease, so that another may acquire the table at once; the fence stays good until one does."""
        self._check(table_id)
        (own,) = self._keys(table_id, "own")
        return bool(await self._run("renew", [own], fence, 0))

    async def holder(self, table_id: str) -> Holder | None:
        """Who holds a table, and for how long yet; None if nobody ever did."""
        self._check(table_id)
        (own,) = self._keys(table_id, "own")
        found = await self._run("holder", [own], durable=False)
        return Holder(found[0].decode(), int(found[1]), int(found[2]) / 1000) if found else None

    # --- directory ------------------------------------------------------------------------------

    async def put_table(self, table_id: str, meta: bytes) -> None:
        """Put a table into the directory, or change what is kept about it."""
        self._check(table_id)
        record = self._encoded(meta)
        await self._call(b"dir", ("HSET", self._key(b"dir"), table_id, record), durable=True, size_bytes=len(record))

    async def get_table(self, table_id: str) -> bytes | None:
        """What is kept about a table."""
        self._check(table_id)
        return _decoded(await self._call(b"dir", ("HGET", self._key(b"dir"), table_id)), f"table {table_id}")

    async def list_tables(self) -> list[TableRow]:
        """All tables of the directory, by identifier."""
        self._check()
        rows = await self._scan(b"dir")
        found = [TableRow(key.decode(), decode_value(record, f"table {key!r}")) for key, record in rows.items()]
        return sorted(found, key=lambda row: row.table_id)

    async def drop_table(self, table_id: str) -> bool:
        """Delete a table's row, log and owner; the row last, so that half a drop can be found and made again."""
        self._check(table_id)
        own, log = self._keys(table_id, "own", "log")
        parts = await self._call(own, ("DEL", own, log), durable=True, full=True)
        row = await self._call(b"dir", ("HDEL", self._key(b"dir"), table_id), durable=True)
        return bool(parts or row)

    # --- pairs ----------------------------------------------------------------------------------

    async def put(self, namespace: str, key: str, value: bytes, *, only_new: bool = False) -> bool:
        """Keep a value; with `only_new`, only if the key has none."""
        self._check(namespace, key)
        record = self._encoded(value)
        space = b"kv:" + namespace.encode()
        command = ("HSETNX" if only_new else "HSET", self._key(space), key, record)
        new = await self._call(space, command, durable=True, size_bytes=len(record))
        return bool(new) or not only_new

    async def get(self, namespace: str, key: str) -> bytes | None:
        """The value of a key, or None."""
        self._check(namespace, key)
        space = b"kv:" + namespace.encode()
        return _decoded(await self._call(space, ("HGET", self._key(space), key)), f"{namespace} {key}")

    async def delete(self, namespace: str, key: str) -> bool:
        """Delete a key and its value."""
        self._check(namespace, key)
        space = b"kv:" + namespace.encode()
        return bool(await self._call(space, ("HDEL", self._key(space), key), durable=True))

    async def list_keys(self, namespace: str) -> list[str]:
        """All keys of a namespace, sorted."""
        self._check(namespace)
        space = b"kv:" + namespace.encode()
        return sorted(key.decode() for key in await self._scan(space))

    # --- finished hands -------------------------------------------------------------------------

    async def put_hand(
        self,
        table_id: str,
        hand_no: int,
        record: bytes,
        *,
        identities: Sequence[str],
        finished_ms: int,
    ) -> None:
        """Keep a finished hand. A call cut short, made again, heals it; who found it before finds it until then."""
        self._check(table_id, *identities)
        check_numbers(hand_no, finished_ms)
        stored = self._encoded(record)
        hands, refs = self._keys(table_id, "hands", "refs")
        before = await self._ref(refs, hand_no)
        await self._call(hands, ("HSET", hands, hand_no, stored), durable=True, full=True, size_bytes=len(stored))
        member = _member(table_id, hand_no, finished_ms)
        await self._index(identities, "ZADD", 0, member)
        if before is not None:
            stays = identities if before.finished_ms == finished_ms else ()
            await self._unpoint(table_id, hand_no, before, but=stays)
        # Last: by this a hand is listed, and whoever takes the table up sees whether it is wholly kept.
        ref = msgspec.msgpack.encode(_Ref(finished_ms, sorted(set(identities))))
        await self._call(refs, ("HSET", refs, hand_no, ref), durable=True, full=True)

    async def get_hand(self, table_id: str, hand_no: int) -> bytes | None:
        """The record of a hand, or None."""
        self._check(table_id)
        check_numbers(hand_no)
        (hands,) = self._keys(table_id, "hands")
        record = await self._call(hands, ("HGET", hands, hand_no), full=True)
        return _decoded(record, f"hand {hand_no} of table {table_id}")

    async def list_hands(self, table_id: str) -> list[HandRef]:
        """The finished hands of a table, by number."""
        self._check(table_id)
        found = await self._refs(table_id)
        return [HandRef(table_id, hand_no, found[hand_no].finished_ms) for hand_no in sorted(found)]

    async def list_hands_of(self, identity: str, *, limit: int = 100) -> list[HandRef]:
        """The hands somebody took part in, latest first."""
        self._check(identity)
        check_numbers(limit)
        if not limit:
            return []
        index = b"by:" + identity.encode()
        command = ("ZREVRANGEBYLEX", self._key(index), "+", "-", "LIMIT", 0, limit)
        return [_ref_of(member) for member in await self._call(index, command)]

    async def drop_hands(self, table_id: str) -> int:
        """Delete all finished hands of a table, after what points to them."""
        self._check(table_id)
        found = await self._refs(table_id)
        for hand_no, ref in found.items():
            await self._unpoint(table_id, hand_no, ref)
        hands, refs = self._keys(table_id, "hands", "refs")
        await self._call(hands, ("DEL", hands, refs), durable=True, full=True)
        return len(found)

    async def forget(self, identity: str) -> int:
        """Take somebody out of the index of hands."""
        self._check(identity)
        index = b"by:" + identity.encode()
        members = [_ref_of(member) for member in await self._call(index, ("ZRANGE", self._key(index), 0, -1))]
        for hand in members:
            (refs,) = self._keys(hand.table_id, "refs")
            ref = await self._ref(refs, hand.hand_no)
            if ref is not None and identity in ref.identities:
                ref.identities.remove(identity)
                body = msgspec.msgpack.encode(ref)
                await self._call(refs, ("HSET", refs, hand.hand_no, body), durable=True, full=True)
        await self._call(index, ("DEL", self._key(index)), durable=True)
        return len(members)

    # --- life -----------------------------------------------------------------------------------

    async def ping(self) -> None:
        """Return if a write would be acknowledged now."""
        self._check()
        await self._call(b"ping", ("SET", self._key(b"ping"), b""), durable=True)

    async def close(self) -> None:
        """Finish every call made before, and close the connections."""
        self._closed = True
        await self.mail.close()
        await self._link.close()

    # --- asking redis ---------------------------------------------------------------------------

    def _check(self, *names: str) -> None:
        if self._closed:
            raise StoreClosed("the store is closed")
        check_names(self._bounds, *names)

    def _key(self, name: bytes) -> bytes:
        return self.place.prefix.encode() + b":" + name

    def _keys(self, table_id: str, *parts: str) -> list[bytes]:
        return [f"{self.place.prefix}:{{tbl:{table_id}}}:{part}".encode() for part in parts]

    async def _call(
        self, key: bytes, command: Command, *, durable: bool = False, full: bool = False, size_bytes: int = 0
    ) -> Any:
        where = key if full else self._key(key)
        return await self._link.call(where, command, changes=durable, durable=durable, size_bytes=size_bytes)

    async def _run(
        self, script: Script, keys: list[bytes], *args: bytes | str | int, changes: bool = True, durable: bool = True
    ) -> Any:
        size = sum(len(arg) for arg in args if isinstance(arg, bytes))
        command = ("EVALSHA", SCRIPTS[script].sha, len(keys), *keys, *args)
        return await self._link.call(keys[0], command, changes=changes and durable, durable=durable, size_bytes=size)

    async def _scan(self, key: bytes) -> dict[bytes, bytes]:
        """The fields of a hash that may be very long, a slice at a time: one reply would hold up everybody else's."""
        found: dict[bytes, bytes] = {}
        cursor = b"0"
        while True:
            cursor, flat = await self._call(key, ("HSCAN", self._key(key), cursor, "COUNT", SCAN_FIELDS))
            found.update(_pairs(flat))
            if cursor == b"0":
                return found

    def _encoded(self, body: bytes) -> bytes:
        check_body(self._bounds, body)
        return encode_value(body)

    async def _ref(self, refs: bytes, hand_no: int) -> _Ref | None:
        body = await self._call(refs, ("HGET", refs, hand_no), full=True)
        return None if body is None else msgspec.msgpack.decode(body, type=_Ref)

    async def _refs(self, table_id: str) -> dict[int, _Ref]:
        (refs,) = self._keys(table_id, "refs")
        rows = _pairs(await self._call(refs, ("HGETALL", refs), full=True))
        return {int(key): msgspec.msgpack.decode(body, type=_Ref) for key, body in rows}

    async def _unpoint(self, table_id: str, hand_no: int, ref: _Ref, *, but: Iterable[str] = ()) -> None:
        await self._index(set(ref.identities).difference(but), "ZREM", _member(table_id, hand_no, ref.finished_ms))

    async def _index(self, identities: Iterable[str], command: str, *args: bytes | int) -> None:
        """Change each one's index, all in one go: thousands may have watched a hand."""
        names = [b"by:" + identity.encode() for identity in sorted(set(identities))]
        calls = (self._call(name, (command, self._key(name), *args), durable=True) for name in names)
        # If one fails the others are waited for: none may come through after the hand was put again.
        for answer in await asyncio.gather(*calls, return_exceptions=True):
            if isinstance(answer, BaseException):
                raise answer


def _entry(table_id: str, seq: int, stored_id: bytes, fields: Sequence[bytes]) -> LogEntry:
    found, _, fence = stored_id.decode().partition("-")
    if int(found) != seq:
        raise StoreCorrupt(f"entry {seq} of table {table_id} is missing: restore it from a backup")
    key, body = decode_entry(fields[1], f"entry {seq} of table {table_id}")
    return LogEntry(seq, int(fence), body, key)


def _pairs(flat: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    return list(zip(flat[::2], flat[1::2], strict=True))


def _decoded(record: bytes | None, what: str) -> bytes | None:
    return None if record is None else decode_value(record, what)


def _member(table_id: str, hand_no: int, finished_ms: int) -> bytes:
    """How an index names a hand: bytes that sort by when it ended, then by table and number."""
    return _REF.pack(finished_ms) + table_id.encode() + b"\x00" + _REF.pack(hand_no)


def _ref_of(member: bytes) -> HandRef:
    (finished_ms,) = _REF.unpack_from(member)
    (hand_no,) = _REF.unpack_from(member, len(member) - _REF.size)
    return HandRef(member[_REF.size : -_REF.size - 1].decode(), hand_no, finished_ms)
