"""The lobby of one server among several: tables are found wherever they are.

The directory in the store has all of them; it is read again every `directory_s`, and what it says of our own tables is written as
soon as it changes. A table that another server owns is followed; one that nobody owns is taken up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Close, Refuse
from oddtrick_server.at_table import AtTable
from oddtrick_server.book import Book
from oddtrick_server.clock import Clock
from oddtrick_server.cluster.abroad import Abroad
from oddtrick_server.cluster.follower import Follower
from oddtrick_server.cluster.node import Node
from oddtrick_server.limits import Limits
from oddtrick_server.lobby import Lobby, TableMeta
from oddtrick_server.logs import Say, log
from oddtrick_server.person import No, Reply, no
from oddtrick_server.stand_ins import Brains
from oddtrick_server.store.errors import HeldElsewhere, StoreError
from oddtrick_server.store.shared import SharedStore
from oddtrick_server.table import Table
from oddtrick_server.table_actor import TableActor

if TYPE_CHECKING:
    from oddtrick_server.client import Client

DIRECTORY_S: Final = 2.0
WRITE_S: Final = 0.5
WANTED_S: Final = 30.0  # after somebody asked for the list of tables it is kept fresh for so long
UNWANTED_S: Final = 10.0  # otherwise it is read so seldom
UNREACHABLE_S: Final = 6.0  # without a write and a read of the store: not ready until it does both again
SWEPT_MAX: Final = 20  # old tables looked at in one sweep


class ClusterLobby(Lobby):
    """All tables of all servers, as seen from this one."""

    def __init__(
        self,
        *,
        store: SharedStore,
        clock: Clock,
        limits: Limits,
        entropy: Callable[[int], bytes],
        owner: str,
        allow_seeds: bool = False,
    ) -> None:
        super().__init__(store=store, clock=clock, limits=limits, entropy=entropy, owner=owner, allow_seeds=allow_seeds)
        self._shared = store
        self.node = Node(
            store, owner, clock=clock, limits=limits, take_over=self._take_over, ended=self._follower_ended
        )
        self._abroad: dict[str, Abroad] = {}
        self._reading: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._wanted_at = self._read_at = clock.now()

    async def start(self) -> None:
        """Learn which tables there are, and begin to speak with the other servers."""
        await super().start()
        self.node.start()
        self._reading = asyncio.create_task(self._keep_directory(), name="directory")

    # --- finding ---

    async def find(self, table_id: str) -> AtTable | No:
        """A table, wherever it is."""
        known = self.loaded(table_id) is not None or table_id in self._metas or table_id in self._loading
        if not known:
            body = await self._store.get_table(table_id)
            if body is None:
                return no(Refuse.NO_SUCH_TABLE)
            self._metas[table_id] = msgspec.msgpack.decode(body, type=TableMeta)
        return await super().find(table_id)

    async def _load(self, table_id: str) -> AtTable | No:
        try:
            return await super()._load(table_id)
        except HeldElsewhere as held:
            return self._follow(table_id, held.owner)

    async def _settle(self, table_id: str) -> None:
        abroad = self._abroad.pop(table_id, None)
        if abroad is None:
            return
        actor = self._actors.get(table_id)
        if isinstance(actor, TableActor) and actor.abroad is abroad:
            return
        self.node.disown(
            abroad
        )  # before anything is waited for: a lease renewed for nothing keeps the table from all others
        await self.node.release(abroad)

    def _follow(self, table_id: str, owner: str) -> Follower:
        table = Table(
            table_id,
            book=Book(self._limits),
            limits=self._limits,
            entropy=self._entropy,
            brains=Brains(self._entropy),
        )
        follower = self.node.follow(table, owner)
        self._actors[table_id] = follower
        follower.start()
        return follower

    async def sit_anywhere(self, client: Client, wish: m.Sit, *, but: frozenset[str] = frozenset()) -> Reply | None:
        """Seat a client at any table that fits, here or elsewhere, or at a new one."""
        self._wanted_at = self._clock.now()
        if self._open_table(wish, but) is None and not self.draining:
            if not self.knows_all:
                await self.look_again()
            for table_id in self._open_elsewhere(wish, but):
                found = await self.find(table_id)
                if not isinstance(found, No):
                    self._sit_at(client, wish, found, but)
                    return None
        return await super().sit_anywhere(client, wish, but=but)

    def _open_elsewhere(self, wish: m.Sit, but: frozenset[str]) -> list[str]:
        """Tables of other servers with a free seat and somebody at it, the fullest first."""
        found = []
        for table_id, meta in self._metas.items():
            line = meta.line
            if table_id in but or table_id in self._actors or line.private or line.playing or not meta.attended:
                continue
            if wish.code not in {None, line.code} or wish.enforcement not in {None, line.enforcement}:
                continue
            free = [seat for seat, name in zip("NESW", line.seats, strict=True) if name is None]
            if free and (wish.seat == "any" or wish.seat in free):
                found.append((len(free), table_id))
        return [table_id for _, table_id in sorted(found)]

    # --- owning ---

    async def _acquire(self, table_id: str) -> int:
        abroad = await self.node.acquire(table_id)
        self._abroad[table_id] = abroad
        return abroad.fence

    def _actor(self, table: Table, *, fence: int, log_seq: int) -> TableActor:
        abroad = self._abroad[table.id]
        assert abroad.fence == fence
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
            abroad=abroad,
        )

    async def _take_over(self, follower: Follower) -> bool:
        """Become the owner of a table that was followed; its people stay where they are."""
        table_id = follower.id
        if self.draining:
            return False
        async with self._acquired(table_id) as fence:
            try:
                await follower.catch_up()
                if follower.is_gone:
                    await self._forget(table_id)
                    return True
                actor = await self._taken_up(table_id, follower.table.book, fence=fence, log_seq=follower.seq)
            except BaseException:
                follower.unfold()  # the book may be ahead of the log by what could not be kept
                raise
        if isinstance(actor, No):
            # It was closed while we could not hear of it; who asks again is told.
            follower.audience.drop_all(Close.RESTART, "the table is closed", after_ms=0)
            return True
        actor.audience.adopt(follower.audience)
        for line in actor.audience.lines:
            actor.here(line)
            again = follower.way_back(line)
            if again is not None:  # the owner before us took him for gone
                actor.ask(line, again)
        for question in follower.take_questions():
            actor.ask(question.line, question.message, elsewhere=question.elsewhere)
        log.info(Say.TABLE_TAKEN_OVER, table=table_id, fence=fence)
        return True

    def _given_up(self, actor: TableActor) -> None:
        """A table of ours is another's now: its people follow it there."""
        if self.draining:
            return
        follower = self._follow(actor.id, "")
        follower.adopt(actor.audience, actor.unanswered())
        follower.seek()

    def _ended(self, actor: TableActor) -> None:
        abroad = actor.abroad
        assert isinstance(abroad, Abroad)
        self.node.disown(abroad)
        super()._ended(actor)
        if actor.is_lost:
            self._given_up(actor)

    def _follower_ended(self, follower: Follower) -> None:
        if self._actors.get(follower.id) is follower:
            del self._actors[follower.id]

    # --- the directory ---

    async def _keep_directory(self) -> None:
        read_at = tried_at = self._clock.now()
        while True:
            await self._clock.sleep(WRITE_S)
            try:
                await self._write_dirty()
                if self._clock.now() - tried_at >= DIRECTORY_S:
                    tried_at = self._clock.now()
                    await self._look()
                    read_at = self._clock.now()
                    self.outage.worked()
            except StoreError as error:
                self.outage.failed(error)
            self.is_reachable = self._clock.now() - read_at < UNREACHABLE_S

    async def _look(self) -> None:
        """See that the store takes a write; read the directory too, unless nobody has wanted it lately."""
        # A store that lacks replicas or room can still be read, and no table can go on there.
        await self._store.ping()
        now = self._clock.now()
        if now - self._wanted_at > WANTED_S and now - self._read_at < UNWANTED_S:
            return
        self._read_at = now
        await self._read_directory()

    @property
    def knows_all(self) -> bool:
        """Whether the directory was read not much longer ago than it is while somebody wants it."""
        return self._clock.now() - self._read_at <= 2 * DIRECTORY_S

    async def look_again(self) -> None:
        """Read the directory, once for all who wait for it; while the store cannot be read, go by what it said last."""
        self._wanted_at = self._clock.now()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._read_or_say())
        await asyncio.shield(self._looking)

    async def _read_or_say(self) -> None:
        try:
            await self._read_directory()
        except StoreError as error:
            self.outage.failed(error)
        else:
            self._read_at = self._clock.now()

    def lines(self, wish: m.Tables) -> list[m.TableLine]:
        """The tables that anybody may find, as the directory had them a moment ago."""
        self._wanted_at = self._clock.now()
        return super().lines(wish)

    async def _read_directory(self) -> None:
        rows = await self._store.list_tables()
        metas = {row.table_id: msgspec.msgpack.decode(row.meta, type=TableMeta) for row in rows}
        self._metas = {
            table_id: meta for table_id, meta in metas.items() if not isinstance(self._actors.get(table_id), TableActor)
        }

    async def _sweep_old(self) -> None:
        """Close for good what nobody came back to; only tables that no server holds, and a few at a time."""
        before_ms = self._clock.unix_ms() - int(self._limits.frozen_s * 1000)
        old = [key for key, meta in self._metas.items() if meta.touched_ms < before_ms and key not in self._actors]
        for table_id in old[:SWEPT_MAX]:
            holder = await self._shared.holder(table_id)
            if holder is None or holder.left_s <= 0:
                found = await self.find(table_id)
                if isinstance(found, TableActor) and found.audience.is_empty:
                    found.archive("nobody came back")

    def _sweep_one(self, actor: AtTable, now: float) -> None:
        if isinstance(actor, TableActor):
            super()._sweep_one(actor, now)
        elif isinstance(actor, Follower) and actor.is_idle(now):
            actor.leave()
            self._spawn(actor.stop())

    # --- stopping ---

    async def hand_over(self) -> None:
        """Let every table end between two acts, and whoever follows it take it over."""
        self.draining = True
        owned = [actor for actor in self._actors.values() if isinstance(actor, TableActor)]
        await asyncio.gather(*(self._hand_over(actor) for actor in owned))
        await self.node.post.flush(1.0)

    async def _hand_over(self, actor: TableActor) -> None:
        abroad = actor.abroad
        assert isinstance(abroad, Abroad)
        abroad.is_closing = True
        await actor.stop()
        meta = self._metas.get(actor.id)
        if meta is not None:
            try:
                await self._store.put_table(actor.id, msgspec.msgpack.encode(meta))
            except StoreError as error:
                self.outage.failed(error, table=actor.id)
        await self.node.release(abroad)

    async def stop(self) -> None:
        """End, when everything is handed over."""
        await self.hand_over()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
        if self._looking is not None:
            await asyncio.wait([self._looking])
        if self._work:
            await asyncio.wait(self._work)
        await self.node.stop()
