"""What is left of a crowd that has gone: objects, bytes and descriptors, counted so that little of it shows among much."""

import contextlib
import gc
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Sequence

from oddtrick_server.client import Client
from oddtrick_server.cluster.follower import Follower
from oddtrick_server.connection import Connection
from oddtrick_server.table_actor import TableActor

OURS = (TableActor, Follower, Client, Connection)


def alive() -> Counter[str]:
    """How many tables, clients and connections there are in this process, after all that can be collected was."""
    gc.collect()
    return Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, OURS))


@contextlib.contextmanager
def traced() -> Iterator[None]:
    """Let `heap_bytes` count what is made from now on."""
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def heap_bytes() -> int:
    """What of the objects made while they are traced is still there.

    The memory of the process would not do: what others have left of it free takes up a leak of megabytes unseen.
    """
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def growth(waves: Sequence[int], each: float) -> float:
    """By how much one thing has grown, if each wave had so many: from the first third, when all that is made once is made, on."""
    settled = len(waves) // 3
    return (waves[-1] - waves[settled]) / ((len(waves) - 1 - settled) * each)
