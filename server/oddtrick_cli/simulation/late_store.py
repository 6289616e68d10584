"""A store as slow as a disk: a write is made a moment after it was asked for, and known to be made a moment later still.

A server that dies between the two has made the write and told nobody; one that dies before has made none. Every append that is made
is entered in the ledger, which looks at it before anybody can act on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

from oddtrick_cli.simulation.checks import Ledger
from oddtrick_server.store.interface import AppendResult, Outcome, Store

WRITES: Final = frozenset({"put", "put_table", "put_hand", "delete", "drop_table", "acquire", "drop_hands", "forget"})


class LateStore:
    """Hands everything on to the store it is given, writes with a delay before and after."""

    def __init__(self, store: Store, delay: Callable[[], float], ledger: Ledger) -> None:
        self._store = store
        self._delay = delay
        self._ledger = ledger

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)
        return self._late(call) if name in WRITES else call

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

        async def later() -> AppendResult:
            await asyncio.sleep(self._delay())
            result = await self._store.append(table_id, expected_seq, entries, fence=fence, command_key=command_key)
            if result.outcome is Outcome.OK:
                self._ledger.appended(table_id, entries, seq=expected_seq, fence=fence)
            await asyncio.sleep(self._delay())
            return result

        return asyncio.ensure_future(later())

    def _late(self, call: Callable[..., Any]) -> Callable[..., Any]:
        async def later(*args: Any, **options: Any) -> Any:
            await asyncio.sleep(self._delay())
            result = await call(*args, **options)
            await asyncio.sleep(self._delay())
            return result

        return lambda *args, **options: asyncio.ensure_future(later(*args, **options))

    async def close(self) -> None:
        """The store outlives the server."""
