"""What nobody else would delete."""

from oddtrick_server.leftovers import drop_secrets_of_closed_tables
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.table_actor import SECRETS


async def test_the_secrets_of_closed_tables_are_dropped() -> None:
    """Secrets of tables that there are no longer are deleted, and those of the others stay."""
    store = MemoryStore()
    await store.put_table("open", b"")
    for name in ("open/1/0a", "open/1/0b", "open/2/pack2/0c", "closed/1/0d", "closed/2/pack2/0e", "closed/7"):
        await store.put(SECRETS, name, b"secret")
    assert await drop_secrets_of_closed_tables(store) == 3
    assert await store.list_keys(SECRETS) == ["open/1/0a", "open/1/0b", "open/2/pack2/0c"]
    assert await drop_secrets_of_closed_tables(store) == 0
