"""Who holds a key: asked of all who may know at once, the Sentinels or the nodes of a cluster.

Some of them may be stopped, or cut off with an old primary and sure of it. So nobody is waited for behind another, and of the first
answer and those soon after it the one of the latest vote counts: Sentinels and nodes number their votes, and the numbers only grow.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final, TypeVar

from redis.asyncio.connection import Connection

from oddtrick_server.store.errors import StoreError
from oddtrick_server.store.redis_lane import ERRORS, Lost, read_reply
from oddtrick_server.store.redis_place import Address

SLOTS: Final = 16_384
LISTEN_S: Final = 0.1  # after the first answer, for one of a later vote

Found = TypeVar("Found")
Ask = Callable[
    [Connection, Address], Awaitable[tuple[int, Found]]
]  # on a line to an address: the vote's number, what it says
Slots = tuple[list[Address | None], tuple[Address, ...]]  # who holds each slot, and all nodes there are


class Voting(Lost):
    """A fail-over is under way: whoever is named meanwhile may be the old primary, that has just come back."""


async def latest(askings: Iterable[Coroutine[Any, Any, tuple[int, Found]]]) -> Found:
    """Of the first answer and those soon after it, that of the latest vote; Voting if one of them says that a vote is under way.

    If all fail: why one did, and that is a StoreError if there is one, for of that somebody must hear.
    """
    tasks = [asyncio.create_task(one) for one in askings]
    try:
        pending = set(tasks)
        while pending and not _answers(tasks):
            _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        if pending:
            await asyncio.wait(pending, timeout=LISTEN_S)
        voting = next((one for task in tasks if task.done() and isinstance(one := task.exception(), Voting)), None)
        if voting is not None:
            raise voting
        answers = _answers(tasks)
        if answers:
            return max(answers, key=lambda answer: answer[0])[1]
        failures = [failure for task in tasks if (failure := task.exception()) is not None]
        raise next((one for one in failures if isinstance(one, StoreError)), failures[-1])
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _answers(tasks: Iterable["asyncio.Task[tuple[int, Found]]"]) -> list[tuple[int, Found]]:
    return [task.result() for task in tasks if task.done() and task.exception() is None]


def primary_of(service: str) -> Ask[Address]:
    """Asks a Sentinel for the primary of a service; one that it holds to be down is none."""

    async def ask(line: Connection, _: Address) -> tuple[int, Address]:
        await line.send_command("SENTINEL", "MASTER", service)
        reply = await read_reply(line)
        if isinstance(reply, ERRORS):
            raise reply
        told = dict(zip(reply[::2], reply[1::2], strict=True))
        flags = told[b"flags"].split(b",")
        if b"failover_in_progress" in flags:
            raise Voting(f"the Sentinels are replacing the primary of {service}", sent=False)
        if b"master" not in flags or b"s_down" in flags or b"o_down" in flags:
            raise Lost(f"the Sentinels hold the primary of {service} to be down", sent=False)
        return int(told[b"config-epoch"]), (told[b"ip"].decode(), int(told[b"port"]))

    return ask


async def slots_of(line: Connection, address: Address) -> tuple[int, Slots]:
    """Asks a node of a cluster who holds which slots. A node that gives itself no address is at the one it was asked at."""
    commands = [("CLUSTER", "INFO"), ("CLUSTER", "SLOTS")]
    await line.send_packed_command(line.pack_commands(commands), check_health=False)
    info, ranges = await read_reply(line), await read_reply(line)
    if isinstance(ranges, ERRORS):
        raise ranges
    if not ranges:
        raise Lost("the node is of no cluster", sent=False)
    # Some stand-ins for a cluster do not know INFO; then all their votes are the same.
    vote = re.search(rb"cluster_current_epoch:(\d+)", info) if isinstance(info, bytes) else None
    slots: list[Address | None] = [None] * SLOTS
    nodes: dict[Address, None] = {}
    for first, end, *holders in ranges:
        told = [(host.decode() if host else address[0], int(port)) for host, port, *_ in holders]
        slots[int(first) : int(end) + 1] = [told[0]] * (int(end) + 1 - int(first))
        nodes.update(dict.fromkeys(told))
    return int(vote[1]) if vote else 0, (slots, tuple(nodes))
