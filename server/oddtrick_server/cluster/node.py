"""One server among several: the tables it owns and those it follows, the leases it renews, the letters it sorts.

Every beat it renews the leases of its tables and tells each server it has to do with that it is there. A beat is a fraction of a
lease, so that one that fails is made up for by the next.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Final

from oddtrick_server.clock import Clock
from oddtrick_server.cluster.abroad import SURE_SHARE, Abroad
from oddtrick_server.cluster.follower import Follower, TakeOver
from oddtrick_server.cluster.letters import (
    Ask,
    Beat,
    Follow,
    Gone,
    Head,
    Letter,
    NotMine,
    Released,
    Unfollow,
    lines_digest,
)
from oddtrick_server.cluster.post import Post
from oddtrick_server.limits import Limits
from oddtrick_server.logs import Say, log
from oddtrick_server.store.errors import StoreError
from oddtrick_server.store.shared import SharedStore
from oddtrick_server.table import Table

BEATS_PER_LEASE: Final = 3.5


class Node:
    """This server, towards the others."""

    def __init__(
        self,
        store: SharedStore,
        name: str,
        *,
        clock: Clock,
        limits: Limits,
        take_over: TakeOver,
        ended: Callable[[Follower], None],
    ) -> None:
        self.name = name
        self.post = Post(store.mail, name, clock=clock, deliver=self.deliver)
        self._store = store
        self._clock = clock
        self._limits = limits
        self._take_over = take_over
        self._follower_ended = ended
        self._owned: dict[str, Abroad] = {}
        self._following: dict[str, Follower] = {}
        self._numbers = itertools.count(1)
        self._beating: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to read letters and to beat."""
        self.post.start()
        self._beating = asyncio.create_task(self._beat(), name="beat")

    async def stop(self) -> None:
        """Tell nobody anything more."""
        await asyncio.gather(*(follower.stop() for follower in list(self._following.values())))
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait([self._beating])
        await self.post.flush(1.0)
        await self.post.stop()

    # --- tables ---

    async def acquire(self, table_id: str) -> Abroad:
        """Become the owner of a table; HeldElsewhere or another StoreError if that cannot be."""
        asked_at = self._clock.now()
        fence = await self._store.acquire(table_id, self.name)
        sure_until = asked_at + SURE_SHARE * self._store.lease_s
        abroad = Abroad(table_id, fence=fence, sure_until=sure_until, name=self.name, post=self.post, clock=self._clock)
        self._owned[table_id] = abroad
        return abroad

    def disown(self, abroad: Abroad) -> None:
        """A table of ours has ended, or is another's now."""
        if self._owned.get(abroad.table) is abroad:
            del self._owned[abroad.table]

    async def release(self, abroad: Abroad) -> None:
        """Let go of a table, and tell those who follow it."""
        self.disown(abroad)
        try:
            await self._store.release(abroad.table, abroad.fence)
        except StoreError as error:
            log.warning(Say.STORE_WAITS, table=abroad.table, why=str(error))
            return  # the lease runs out by itself
        for server in abroad.followers:
            self.post.put(server, Released(self.name, abroad.table))

    def follow(self, table: Table, owner: str) -> Follower:
        """Follow a table of another server."""
        follower = Follower(
            table,
            name=self.name,
            owner=owner,
            store=self._store,
            post=self.post,
            clock=self._clock,
            limits=self._limits,
            take_over=self._take_over,
            ended=self._ended,
            numbers=lambda: next(self._numbers),
        )
        self._following[table.id] = follower
        return follower

    def _ended(self, follower: Follower) -> None:
        if self._following.get(follower.id) is follower:
            del self._following[follower.id]
        self._follower_ended(follower)

    # --- letters ---

    def deliver(self, letter: Letter) -> None:
        """Give a letter to the table it is about."""
        match letter:
            case Beat():
                self._take_beat(letter)
            case Follow() | Ask():
                abroad = self._owned.get(letter.table)
                if abroad is None or abroad.actor is None:
                    self.post.put(letter.sender, NotMine(self.name, letter.table))
                elif isinstance(letter, Follow):
                    abroad.follow(letter)
                else:
                    abroad.ask(letter)
            case Gone() | Unfollow():
                abroad = self._owned.get(letter.table)
                if abroad is not None and isinstance(letter, Gone):
                    abroad.gone(letter.sender, letter.number)
                elif abroad is not None:
                    abroad.unfollow(letter.sender)
            case _:
                follower = self._following.get(letter.table)
                if follower is not None:
                    follower.take(letter)

    def _take_beat(self, beat: Beat) -> None:
        for head in beat.owned:
            follower = self._following.get(head.table)
            if follower is None:
                self.post.put(beat.sender, Unfollow(self.name, head.table))
            else:
                follower.heard(beat.sender, head.fence, head.seq, beat.now)
        for table_id in beat.followed:
            abroad = self._owned.get(table_id)
            if abroad is None or not abroad.heard(beat.sender, beat.lines.get(table_id)):
                self.post.put(beat.sender, NotMine(self.name, table_id))

    # --- beating ---

    async def _beat(self) -> None:
        period_s = self._store.lease_s / BEATS_PER_LEASE
        while True:
            renewed = await self._renew()
            self._tell()
            await self._clock.sleep(period_s if renewed else period_s / 4)

    async def _renew(self) -> bool:
        """Renew all leases; whether the store could be asked."""
        owned = list(self._owned.values())
        asked_at = self._clock.now()
        answers = await asyncio.gather(
            *(self._store.renew(abroad.table, abroad.fence) for abroad in owned), return_exceptions=True
        )
        for abroad, answer in zip(owned, answers, strict=True):
            if answer is True:
                abroad.renewed(asked_at, SURE_SHARE * self._store.lease_s)
            elif answer is False and self._owned.get(abroad.table) is abroad:
                abroad.lose()
            elif isinstance(answer, BaseException) and not isinstance(answer, StoreError):
                raise answer
        return not any(isinstance(answer, StoreError) for answer in answers)

    def _tell(self) -> None:
        owned: dict[str, list[Head]] = {}
        followed: dict[str, list[Follower]] = {}
        for abroad in self._owned.values():
            abroad.beat()
            for server in abroad.followers:
                owned.setdefault(server, []).append(abroad.head)
        for follower in list(self._following.values()):
            follower.beat()
            followed.setdefault(follower.owner, []).append(follower)
        now = self._clock.now()
        for server in {**owned, **followed}:
            theirs = followed.get(server, [])
            lines = {follower.id: lines_digest(follower.numbers) for follower in theirs}
            self.post.put(server, Beat(self.name, owned.get(server, []), [*lines], now, lines))
