"""What a server still writes that has lost its table and does not know it yet."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from oddtrick_protocol import messages as m
from oddtrick_rules.shuffle import server_commitment
from oddtrick_server.store.errors import StoreBusy
from oddtrick_server.table_actor import SECRETS, TableActor
from support.several import NO_CLOCKS, lobby_of, several, until

if TYPE_CHECKING:
    import pytest

    from oddtrick_protocol.table_info import FairDeal
    from oddtrick_server.store.interface import Store
    from support.redis_servers import RedisServer
    from support.several import Several

CALLS = ("put", "append", "renew", "put_table", "read", "holder", "acquire", "get_table", "list_tables")
STALE = "put by the stale owner"


class Cut:
    """A server that is cut off from the store just as it would put a secret; and what it did when it was healed."""

    def __init__(self, servers: Several, server: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_cut, self.is_healed = asyncio.Event(), asyncio.Event()
        self.late: list[str] = []
        self._store = servers.stores[server]
        for name in CALLS:
            monkeypatch.setattr(self._store, name, self._through(name, getattr(self._store, name)))
        # Nor do its letters leave.
        monkeypatch.setattr(lobby_of(servers.apps[server]).node, "_tell", lambda: None)

    def _through(self, name: str, call: Any) -> Any:
        async def through(*args: Any, **options: Any) -> Any:
            is_secret = name == "put" and args[0] == SECRETS
            if is_secret:
                self.is_cut.set()
            if self.is_cut.is_set() and not self.is_healed.is_set():
                raise StoreBusy("cut off")
            result = await call(*args, **options)
            if self.is_healed.is_set() and (is_secret or name == "append"):
                self.late.append(STALE if is_secret else result.outcome.value)
            return result

        return through


async def kept(store: Store, table: str) -> list[bytes]:
    """Every secret that is kept for a table."""
    names = [name for name in await store.list_keys(SECRETS) if name.startswith(f"{table}/")]
    return [secret for name in names if (secret := await store.get(SECRETS, name)) is not None]


async def test_a_stale_owner_does_not_write_over_the_secret_of_a_deal(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server cut off while it binds a deal puts its secret late: that of the deal in the log is still there, and opens it."""
    async with (
        several(f"redis://127.0.0.1:{redis_server.port}", 2, lease_ms=1_000) as servers,
        AsyncExitStack() as stack,
    ):
        ann = await stack.enter_async_context(servers.client(0, "Ann"))
        bob = await stack.enter_async_context(servers.client(1, "Bob"))
        table = (await ann.create(clocks=NO_CLOCKS, bots=3)).table
        assert table is not None
        seat = await bob.sit(table)
        await (await ann.watch(table)).ask(m.Leave)
        await until(lambda: seat.mirror.info.host == bob.identity)
        cut = Cut(servers, 0, monkeypatch)
        async with asyncio.timeout(30):
            await seat.ask(m.Start)
        assert cut.is_cut.is_set()
        assert isinstance(servers.apps[1].lobby.loaded(table), TableActor)
        cut.is_healed.set()
        await until(lambda: len(cut.late) == 2)
        assert cut.late == [STALE, "fenced"]
        deal = sealed(servers, table)
        secrets = await kept(servers.stores[1], table)
        assert len(secrets) == 2
        assert sum(commitment_of(secret, deal) == deal.commitment for secret in secrets) == 1


def sealed(servers: Several, table: str) -> FairDeal:
    """The deal that the table is bound to."""
    deal = servers.book(1, table).info.deal
    assert deal is not None
    return deal


def commitment_of(secret: bytes, deal: FairDeal) -> str:
    return server_commitment(secret, hand_id=deal.hand_id, previous=bytes.fromhex(deal.previous)).hex()
