"""Which store an operator means: the value of `--store`."""

from pathlib import Path

from oddtrick_server.store.errors import StoreUnusable
from oddtrick_server.store.interface import DEFAULT_BOUNDS, Store, StoreBounds
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.store.sqlite import SqliteStore


def open_store(spec: str, *, bounds: StoreBounds = DEFAULT_BOUNDS) -> Store:
    """Open the store that `spec` names: `memory`, or `sqlite:PATH` for a file, made if need be.

    Blocks while a file is checked, so it belongs before the event loop is busy. Raises StoreError
    (its text is one line for the operator) if the store is not known, or cannot be used.
    """
    kind, colon, rest = spec.partition(":")
    if kind == "memory" and not colon:
        return MemoryStore(bounds=bounds)
    if kind == "sqlite" and rest and not rest.startswith(":") and "\x00" not in rest:
        return SqliteStore(Path(rest), bounds=bounds)
    raise StoreUnusable(f"store {spec!r}: is not one we know; use 'memory' or 'sqlite:PATH'")
