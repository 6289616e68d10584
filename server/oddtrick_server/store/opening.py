"""Which store an operator means: the value of `--store`."""

from pathlib import Path

from oddtrick_server.store.errors import StoreUnusable
from oddtrick_server.store.interface import DEFAULT_BOUNDS, Store, StoreBounds
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_place import is_redis, parse_place
from oddtrick_server.store.sqlite import SqliteStore


def open_store(spec: str, *, bounds: StoreBounds = DEFAULT_BOUNDS) -> Store:
    """Open the store that `spec` names: `memory`, `sqlite:PATH` for a file, made if need be, or an address of Redis.

    Blocks while a file is checked, so it belongs before the event loop is busy. Raises StoreError (its text is one line for the
    operator) if the store is not known, or cannot be used. Redis is not asked for anything yet: `ping` does.
    """
    if is_redis(spec):
        return RedisStore(parse_place(spec), bounds=bounds)
    kind, colon, rest = spec.partition(":")
    if kind == "memory" and not colon:
        return MemoryStore(bounds=bounds)
    if kind == "sqlite" and rest and not rest.startswith(":") and "\x00" not in rest:
        return SqliteStore(Path(rest), bounds=bounds)
    raise StoreUnusable(f"store {spec!r}: is not one we know; use 'memory', 'sqlite:PATH' or 'redis://HOST:PORT'")
