"""The lobby: which tables there are; opening them, finding them a player, putting them away.

Tables that nobody is at live in the store alone and are taken up from their logs when somebody asks for them.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import msgspec

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Refuse
from oddtrick_protocol.table_events import ClockLimits
from oddtrick_protocol.table_info import TableInfo
from oddtrick_rules.codes.registry import CODES
from oddtrick_server import dealing, hosting, seating
from oddtrick_server.at_table import AtTable
from oddtrick_server.book import Book
from oddtrick_server.clock import Clock
from oddtrick_server.entries import decode_entry
from oddtrick_server.limits import Limits
from oddtrick_server.logs import Say, log
from oddtrick_server.making import Makings
from oddtrick_server.metrics import Metrics
from oddtrick_server.outage import Outage
from oddtrick_server.person import No, Reply, no
from oddtrick_server.rates import Buckets
from oddtrick_server.stand_ins import Brains
from oddtrick_server.store.errors import StoreCorrupt, StoreError, StoreTooNew
from oddtrick_server.store.interface import Store
from oddtrick_server.table import Table
from oddtrick_server.table_actor import SECRETS, TableActor, put_hand

if TYPE_CHECKING:
    from oddtrick_server.client import Client

TABLE_ID_BYTES: Final = 5  # eight letters: found by who is told, not a secret
INVITE_BYTES: Final = 15
FOLD_SLICE: Final = 200  # entries of a log between two looks at the other tables
UNREADABLE: Final = "the log of this table cannot be read; its operator must see to it"


class TableMeta(msgspec.Struct, kw_only=True):
    """What the directory says of a table that is not in memory."""

    line: m.TableLine
    touched_ms: int
    in_play: bool = False
    attended: bool = False  # whether anybody is connected


class Lobby:
    """All tables of this server."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        limits: Limits,
        entropy: Callable[[int], bytes],
        owner: str,
        allow_seeds: bool = False,
    ) -> None:
        self.draining = False
        self.is_reachable = True  # whether the store is; where it is not, new clients do better elsewhere
        self.metrics = Metrics()
        self.outage = Outage(clock)
        self._store = store
        self._clock = clock
        self._limits = limits
        self._entropy = entropy
        self._owner = owner
        self._allow_seeds = allow_seeds
        self._actors: dict[str, AtTable] = {}
        self._loading: dict[str, asyncio.Task[AtTable | No]] = {}
        self._creates = Buckets(per_s=limits.creates_per_s, burst=limits.creates_burst, keys_max=limits.rate_keys_max)
        self._callers = Buckets(
            per_s=limits.address_creates_per_s, burst=limits.address_creates_burst, keys_max=limits.rate_keys_max
        )
        self._dirty: set[str] = set()
        self._metas: dict[str, TableMeta] = {}  # of tables that are put away
        self._unreadable: set[str] = set()  # of those, tables whose logs are damaged or of a newer form
        self._work: set[asyncio.Task[None]] = set()
        self._makings = Makings()
        self._made: dict[str, tuple[TableInfo, bool, m.TableLine]] = {}
        self._listed: dict[tuple[str | None, str | None], tuple[float, list[m.TableLine]]] = {}

    async def start(self) -> None:
        """Learn from the store which tables there are."""
        for row in await self._store.list_tables():
            self._metas[row.table_id] = msgspec.msgpack.decode(row.meta, type=TableMeta)

    # --- finding ---

    def loaded(self, table_id: str) -> AtTable | None:
        """A table that is in memory."""
        actor = self._actors.get(table_id)
        return None if actor is None or actor.is_over else actor

    def __len__(self) -> int:
        return len(self._actors)

    def _count(self) -> int:
        """How many tables there are, in memory and put away."""
        return len(self._actors.keys() | self._metas.keys())

    def is_put_away(self, table_id: str) -> bool:
        """Whether a table is in the store alone, until somebody asks for it."""
        return table_id in self._metas

    @property
    def actors(self) -> list[AtTable]:
        """The tables in memory."""
        return list(self._actors.values())

    async def find(self, table_id: str) -> AtTable | No:
        """A table, taken up from its log if need be."""
        actor = self.loaded(table_id)
        if actor is not None:
            return actor
        if table_id not in self._metas and table_id not in self._loading:
            return no(Refuse.NO_SUCH_TABLE)
        if self.draining:
            return no(Refuse.DRAINING, retry_after_s=1.0)
        if table_id in self._unreadable:
            return no(Refuse.INTERNAL, UNREADABLE)
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load_or_say(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        # Shielded: whoever asked first may go; the others wait for the same table.
        return await asyncio.shield(task)

    @property
    def knows_all(self) -> bool:
        """Whether what this server knows of the tables is fresh; if not, `look_again` first."""
        return True

    async def look_again(self) -> None:
        """Learn which tables there are, where other servers have some too."""

    def lines(self, wish: m.Tables) -> list[m.TableLine]:
        """The tables that anybody may find, those with free seats first; of very many the list may be a moment old."""
        if wish.code is not None and wish.code not in CODES:
            return []  # and not remembered: there is no end of what is none
        key, now = (wish.code, wish.enforcement), self._clock.now()
        at, listed = self._listed.get(key, (0.0, []))
        if now - at < self._limits.list_s and len(self._actors) + len(self._metas) > self._limits.list_fresh_max:
            return listed
        listed = self._list(wish)
        self._listed[key] = (now, listed)
        return listed

    def _list(self, wish: m.Tables) -> list[m.TableLine]:
        lines = [self._line_of(actor) for actor in self._actors.values() if not actor.is_over]
        lines += [
            meta.line
            for table_id, meta in self._metas.items()
            if table_id not in self._actors and table_id not in self._unreadable
        ]
        open_ones = [
            line
            for line in lines
            if not line.private and wish.code in {None, line.code} and wish.enforcement in {None, line.enforcement}
        ]
        open_ones.sort(key=lambda line: (line.playing, -sum(seat is not None for seat in line.seats), line.table))
        return open_ones[: self._limits.tables_listed_max]

    def _line_of(self, actor: AtTable) -> m.TableLine:
        """A table's line, made anew only when the table has changed."""
        book = actor.table.book
        made = self._made.get(actor.id)
        if made is None or made[0] is not book.info or made[1] is not book.in_play:
            made = self._made[actor.id] = (book.info, book.in_play, line_of(actor))
        return made[2]

    # --- opening ---

    async def create(self, client: Client, wish: m.Create) -> tuple[TableActor | No, str]:
        """A new table, and its invite; the client is its host."""
        refusal = self._create_refusal(client, wish)
        if refusal is not None:
            return refusal, ""
        table_id = self._new_id()
        invite = base64.urlsafe_b64encode(self._entropy(INVITE_BYTES)).decode()
        table = Table.opened(
            table_id,
            client.person,
            wish,
            self._clock.now(),
            invite=invite,
            limits=self._limits,
            entropy=self._entropy,
            brains=Brains(self._entropy),
        )
        async with self._acquired(table_id) as fence:
            actor = self._actor(table, fence=fence, log_seq=0)
            await self._store.put_table(table_id, msgspec.msgpack.encode(self._meta(actor)))
            await actor.prepare()
            self._actors[table_id] = actor
        client.tables.add(table_id)
        client.joins(table_id)
        actor.attach(client)
        actor.start()
        if client.is_closed:
            actor.gone(client)
        self.metrics.tables_opened += 1
        log.info(Say.TABLE_OPENED, table=table_id, code=wish.code, enforcement=wish.enforcement)
        return actor, invite

    def _create_refusal(self, client: Client, wish: m.Create) -> No | None:
        if self.draining:
            return no(Refuse.DRAINING)
        if wish.code not in CODES:
            return no(Refuse.NO_SUCH_CODE, f"one of: {' '.join(CODES)}")
        if wish.bots and not Brains.has(wish.bot):
            return no(Refuse.NO_SUCH_BOT)
        if wish.seed is not None and not self._allow_seeds:
            return no(Refuse.SEED_REFUSED)
        try:
            hosting.clocks_with(ClockLimits(), wish.clocks)
        except ValueError as error:
            return no(Refuse.BAD_CLOCKS, str(error), cites=("R32",))
        if self._count() >= self._limits.tables_max or not client.may_join():
            return no(Refuse.TOO_MANY_TABLES)
        now = self._clock.now()
        wait_s = self._creates.take(client.person.identity, now) or self._callers.take(client.connection.address, now)
        return no(Refuse.RATE, "tables are opened too fast", retry_after_s=wait_s) if wait_s else None

    def _new_id(self) -> str:
        while True:
            table_id = base64.b32encode(self._entropy(TABLE_ID_BYTES)).decode().lower()
            if table_id not in self._actors and table_id not in self._metas:
                return table_id

    async def sit_anywhere(self, client: Client, wish: m.Sit, *, but: frozenset[str] = frozenset()) -> Reply | None:
        """Seat a client at any table that fits, or at a new one; None if a table answers itself."""
        actor = self._open_table(wish, but)
        while actor is None and await self._makings.wait(wish):
            actor = self._open_table(wish, but)
        if actor is None:
            with self._makings.begun(wish) as create:
                created, _ = await self.create(client, create)
            if isinstance(created, No):
                return created
            actor = created
        self._sit_at(client, wish, actor, but)
        return None

    def _sit_at(self, client: Client, wish: m.Sit, actor: AtTable, but: frozenset[str]) -> None:
        """Ask a table for a seat, and others after it if there is none."""
        full = actor.id

        def elsewhere() -> None:
            client.spawn(self._again(client, wish, but | {full}), wish.id)

        client.ask(actor, wish, elsewhere=elsewhere)

    async def _again(self, client: Client, wish: m.Sit, but: frozenset[str]) -> None:
        reply = await self.sit_anywhere(client, wish, but=but)
        if reply is not None:
            client.reply(wish.id, reply)

    def _open_table(self, wish: m.Sit, but: frozenset[str]) -> AtTable | None:
        """The fullest table that has a free seat and somebody at it."""
        best: tuple[int, AtTable] | None = None
        for actor in self._actors.values():
            line = self._line_of(actor)
            if line.playing or line.private or None not in line.seats or actor.id in but or actor.is_over:
                continue
            if wish.code not in {None, line.code} or wish.enforcement not in {None, line.enforcement}:
                continue
            book = actor.table.book
            if actor.audience.is_empty or seating.free_seat(book, wish.seat) is None:
                continue
            taken = sum(sitter is not None for sitter in book.info.seats)
            if best is None or taken > best[0]:
                best = (taken, actor)
        return None if best is None else best[1]

    # --- taking up ---

    async def _load_or_say(self, table_id: str) -> AtTable | No:
        """The table, or what keeps it from us: whoever asked is told, and the server goes on."""
        try:
            return await self._load(table_id)
        except (StoreCorrupt, StoreTooNew) as error:
            # Left as it is for an operator; reading it again and again would change nothing.
            self._unreadable.add(table_id)
            log.error(Say.TABLE_UNREADABLE, table=table_id, why=str(error))
            return no(Refuse.INTERNAL, UNREADABLE)
        except StoreError as error:
            self.outage.failed(error, table=table_id)
            return no(Refuse.BUSY, retry_after_s=1.0)

    async def _load(self, table_id: str) -> AtTable | No:
        async with self._acquired(table_id) as fence:
            entries = await self._store.read(table_id)
            book = Book(self._limits)
            log_seq = entries[-1].seq if entries else 0
            for number, stored in enumerate(entries, 1):
                _fold(book, stored.body, f"entry {stored.seq} of table {table_id}")
                if number % FOLD_SLICE == 0:
                    await asyncio.sleep(0)
            return await self._taken_up(table_id, book, fence=fence, log_seq=log_seq)

    @asynccontextmanager
    async def _acquired(self, table_id: str) -> AsyncIterator[int]:
        """Become the owner of a table, with that fence, and begin it within; one that is not begun is let go of again."""
        fence = await self._acquire(table_id)
        try:
            yield fence
        finally:
            await self._settle(table_id)

    async def _acquire(self, table_id: str) -> int:
        """Become the one that may write the table's log; the fence to write with."""
        return await self._store.acquire(table_id, self._owner)

    async def _settle(self, table_id: str) -> None:
        """The table is begun, or nothing has come of it: then it is another's to begin."""

    async def _taken_up(self, table_id: str, book: Book, *, fence: int, log_seq: int) -> TableActor | No:
        """The table that a log tells of, alive again."""
        kept = {ref.hand_no for ref in await self._store.list_hands(table_id)}
        book.finished = [record for record in book.finished if record.hand not in kept]
        if book.opened is None or book.info.closed is not None:
            for record in book.finished:
                await put_hand(self._store, record)
            await self._forget(table_id)
            return no(Refuse.NO_SUCH_TABLE)
        secrets = {}
        for name in dealing.unopened(book):
            # Or as it was named before the commitment was part of it.
            secret = await self._store.get(SECRETS, name) or await self._store.get(SECRETS, name.rpartition("/")[0])
            if secret is None:
                raise StoreCorrupt(f"table {table_id}: the secret of deal {name} is gone")
            secrets[name] = secret
        table = Table.regained(
            table_id,
            book,
            self._clock.now(),
            secrets=secrets,
            limits=self._limits,
            entropy=self._entropy,
            brains=Brains(self._entropy),
        )
        actor = self._actor(table, fence=fence, log_seq=log_seq)
        await actor.prepare()
        self._actors[table_id] = actor
        self._metas.pop(table_id, None)
        actor.start()
        log.info(Say.TABLE_LOADED, table=table_id, entries=log_seq)
        return actor

    def _actor(self, table: Table, *, fence: int, log_seq: int) -> TableActor:
        return TableActor(
            table,
            store=self._store,
            clock=self._clock,
            limits=self._limits,
            metrics=self.metrics,
            outage=self.outage,
            fence=fence,
            log_seq=log_seq,
            changed=self._changed,
            ended=self._ended,
        )

    # --- putting away ---

    def _changed(self, actor: TableActor) -> None:
        """What the list says of a table has changed; written a little later, once for many changes."""
        self._dirty.add(actor.id)

    def _ended(self, actor: TableActor) -> None:
        if self._actors.get(actor.id) is actor:
            del self._actors[actor.id]
        if actor.table.book.info.closed is None:
            self._metas[actor.id] = self._meta(actor)
        self._dirty.discard(actor.id)

    async def sweep(self) -> None:
        """Write what has changed; put away, or close for good, tables that nobody is at."""
        await self._write_dirty()
        self._made = {table_id: made for table_id, made in self._made.items() if table_id in self._actors}
        now = self._clock.now()
        for actor in list(self._actors.values()):
            self._sweep_one(actor, now)
        await self._sweep_old()

    async def _write_dirty(self) -> None:
        """Write into the directory what has changed."""
        for table_id in sorted(self._dirty):
            self._dirty.discard(table_id)
            actor = self._actors.get(table_id)
            if actor is None:
                continue
            try:
                await self._store.put_table(table_id, msgspec.msgpack.encode(self._meta(actor)))
            except StoreError:
                self._dirty.add(table_id)
                raise

    async def _sweep_old(self) -> None:
        """Close for good what nobody came back to."""
        before_ms = self._clock.unix_ms() - int(self._limits.frozen_s * 1000)
        for table_id in [key for key, meta in self._metas.items() if meta.touched_ms < before_ms]:
            found = await self.find(table_id)
            if isinstance(found, TableActor) and found.audience.is_empty:
                found.archive("nobody came back")

    def _sweep_one(self, actor: AtTable, now: float) -> None:
        if not actor.audience.is_empty:
            return
        quiet_s = now - actor.quiet_since
        book = actor.table.book
        if not book.in_play:
            allowed_s = self._limits.idle_s if actor.ever_joined else self._limits.unjoined_s
            if quiet_s >= allowed_s:
                actor.archive("nobody is here")
        elif all(sitter is None or sitter.bot is not None for sitter in book.info.seats):
            actor.archive("everybody has left")
        elif book.frozen and quiet_s >= self._limits.unload_s:
            self._spawn(self._unload(actor))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _unload(self, actor: AtTable) -> None:
        await actor.stop()
        meta = self._metas.get(actor.id)
        if meta is not None:
            await self._store.put_table(actor.id, msgspec.msgpack.encode(meta))
        log.info(Say.TABLE_UNLOADED, table=actor.id)

    async def _forget(self, table_id: str) -> None:
        self._metas.pop(table_id, None)
        await self._store.drop_table(table_id)

    async def hand_over(self) -> None:
        """Where there are other servers, let them take the tables over."""

    async def stop(self) -> None:
        """Let every table finish what it was asked, and end."""
        self.draining = True
        stopped = list(self._actors)
        await asyncio.gather(*(actor.stop() for actor in list(self._actors.values())))
        if self._work:
            await asyncio.wait(self._work)
        for table_id in stopped:
            meta = self._metas.get(table_id)
            if meta is not None:
                await self._store.put_table(table_id, msgspec.msgpack.encode(meta))

    def _meta(self, actor: AtTable) -> TableMeta:
        return TableMeta(
            line=line_of(actor),
            touched_ms=self._clock.unix_ms(),
            in_play=actor.table.book.in_play,
            attended=not actor.audience.is_empty,
        )


def _fold(book: Book, body: bytes, what: str) -> None:
    """Take an entry of a log in; StoreCorrupt, naming it, if it is none or does not follow from those before."""
    entry = decode_entry(body, what)
    try:
        book.fold(entry)
        assert book.opened is not None, "neither an opening nor a sum"
    except (ValueError, LookupError, AttributeError, TypeError, AssertionError) as error:
        raise StoreCorrupt(f"{what} does not follow from those before ({error!r}): restore it from a backup") from error


def line_of(actor: AtTable) -> m.TableLine:
    """A table as the list has it. A seat that a bot keeps for a player to come is free."""
    book = actor.table.book
    info = book.info
    host = next((one.name for one in info.seats if one is not None and info.host and one.identity == info.host), "")
    return m.TableLine(
        table=actor.id,
        code=info.code,
        enforcement=info.enforcement.value,
        seats=[None if one is None or book.places[seat].vacated else one.name for seat, one in enumerate(info.seats)],
        playing=book.in_play,
        private=info.private,
        watch=info.watch,
        bystanders=len(info.bystanders),
        host=host,
    )
