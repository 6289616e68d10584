"""A store as slow as a disk: a write is made a moment after it was asked for, and known to be made a moment later still.

A server that dies between the two has made the write and told nobody; one that dies before has made none. While it is `cut_off`
nothing is answered: a write may have been made all the same. A write can go astray: nothing else of its server gets to the store
until it arrives, which is when another has just acquired the table, or else after some seconds. Every append that is made is
entered in the ledger, which looks at it before anybody can act on it. Letters between servers are late too, and now and then lost,
or come twice.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from oddtrick_cli.simulation.checks import Ledger
from oddtrick_cli.simulation.loop import HOST
from oddtrick_server.store.errors import StoreBusy, StoreWriteFailed
from oddtrick_server.store.interface import AppendResult, Outcome, Store

WRITES: Final = frozenset(
    {
        "put",
        "put_table",
        "put_hand",
        "delete",
        "drop_table",
        "trim",
        "drop_hands",
        "forget",
        "renew",
        "release",
    }
)
LATE_S: Final = 0.01
LOST_SHARE: Final = 0.02  # of the letters
TWICE_SHARE: Final = 0.02


class LateStore:
    """Hands everything on to the store it is given, writes with a delay before and after."""

    def __init__(self, store: Store, chance: Random, ledger: Ledger) -> None:
        self.cut_off = False
        self.stray_s = 0.0  # for how long at most the next append will be astray
        self._astray = 0  # appends that are
        self._store = store
        self._chance = chance
        self._ledger = ledger
        if hasattr(store, "mail"):
            self.mail = LateMail(store.mail, self, chance)

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)
        if not callable(call):
            return call
        return self._late(call) if name in WRITES else self._reading(call)

    def append(
        self,
        table_id: str,
        expected_seq: int,
        entries: Sequence[bytes],
        *,
        fence: int = 0,
        command_key: bytes | None = None,
    ) -> asyncio.Future[AppendResult]:
        """Append, late, and enter what was appended in the ledger."""

        async def made() -> AppendResult:
            result = await self._store.append(table_id, expected_seq, entries, fence=fence, command_key=command_key)
            if result.outcome is Outcome.OK:
                self._ledger.appended(table_id, entries, seq=expected_seq, fence=fence)
            return result

        if self.stray_s:
            return asyncio.ensure_future(self._go_astray(table_id, made))
        return asyncio.ensure_future(self._write(made))

    def acquire(self, table_id: str, owner: str) -> asyncio.Future[int]:
        """Acquire, late, and enter in the ledger who owns the table."""

        async def made() -> int:
            fence = await self._store.acquire(table_id, owner)
            self._ledger.acquired(table_id, fence)
            return fence

        return asyncio.ensure_future(self._write(made))

    @property
    def is_out_of_reach(self) -> bool:
        """Whether nothing is answered."""
        return self.cut_off or self._astray > 0

    async def _go_astray(self, table_id: str, make: Callable[[], Any]) -> Any:
        """Make a write late; until then nothing of this server gets through to the store."""
        seconds, self.stray_s = self.stray_s, 0.0
        # On its way it is nobody's: it arrives though its server stands still, or is no more.
        road = contextvars.copy_context()
        road.run(HOST.set, "network")
        self._astray += 1

        async def arrive() -> Any:
            await asyncio.wait([self._ledger.next_owner(table_id)], timeout=seconds)
            self._astray -= 1
            return await make()

        return await self._answered(await asyncio.get_running_loop().create_task(arrive(), context=road))

    async def pass_time(self) -> None:
        """Wait as long as a disk, or a network, may take."""
        await asyncio.sleep(self._chance.uniform(0.0, LATE_S))

    async def _write(self, make: Callable[[], Any]) -> Any:
        await self.pass_time()
        if self._astray or (self.cut_off and self._chance.random() < 0.5):
            raise StoreWriteFailed("the store cannot be reached; whether it was written is unknown")
        return await self._answered(await make())

    async def _answered(self, result: Any) -> Any:
        await self.pass_time()
        if self.is_out_of_reach:
            raise StoreWriteFailed("the store cannot be reached; whether it was written is unknown")
        return result

    def _late(self, call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **options: asyncio.ensure_future(self._write(lambda: call(*args, **options)))

    def _reading(self, call: Callable[..., Any]) -> Callable[..., Any]:
        async def read(*args: Any, **options: Any) -> Any:
            if self.is_out_of_reach:
                raise StoreBusy("the store cannot be reached; nothing was done")
            return await call(*args, **options)

        return read

    async def close(self) -> None:
        """The store outlives the server."""


class LateMail:
    """Letters on their way."""

    def __init__(self, mail: Any, store: LateStore, chance: Random) -> None:
        self._mail = mail
        self._store = store
        self._chance = chance

    async def send(self, server: str, letters: Sequence[bytes]) -> None:
        """Send them, late; some are lost, some come twice."""
        await self._store.pass_time()
        if self._store.is_out_of_reach:
            raise StoreBusy("the store cannot be reached; nothing was done")
        for letter in letters:
            share = self._chance.random()
            if share >= LOST_SHARE:
                await self._mail.send(server, [letter] * (2 if share > 1 - TWICE_SHARE else 1))

    async def receive(self, server: str) -> list[bytes]:
        """The letters that came."""
        if self._store.is_out_of_reach:
            raise StoreBusy("the store cannot be reached; nothing was done")
        letters: list[bytes] = await self._mail.receive(server)
        return letters
