"""What must hold of an evening, whatever went wrong: of the log at every append, of each client when all is quiet again."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oddtrick_protocol.closing import CLOSE_CODES
from oddtrick_rules.cards import FULL_PACK, mask_of
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Hand
from oddtrick_rules.views import Viewer, Watcher, view
from oddtrick_server.book import Book
from oddtrick_server.entries import decode_entry
from oddtrick_server.limits import Limits

if TYPE_CHECKING:
    from oddtrick_cli.simulation.world import World


@dataclass
class Account:
    """One table in the ledger: its log folded as a server that takes it up would fold it."""

    book: Book = field(default_factory=lambda: Book(Limits()))
    seq: int = 0
    fence: int = 0  # of its last entry
    owner: int = 0  # the fence of who has it now
    ids: Counter[tuple[str, str]] = field(default_factory=Counter)
    acts: int = 0
    hands: int = 0


class Ledger:
    """Looks at every append when it is made. Problems go to the list it is given."""

    def __init__(self, problems: list[str]) -> None:
        self._problems = problems
        self.accounts: dict[str, Account] = {}
        self._succession: dict[str, list[asyncio.Future[None]]] = {}

    def say(self, problem: str) -> None:
        """Note a problem; the same one is noted once."""
        if problem not in self._problems:
            self._problems.append(problem)

    def acquired(self, table_id: str, fence: int) -> None:
        """Enter that whoever has that fence owns the table now, and nobody else."""
        self.accounts.setdefault(table_id, Account()).owner = fence
        for waiting in self._succession.pop(table_id, []):
            if not waiting.done():
                waiting.set_result(None)

    def next_owner(self, table_id: str) -> asyncio.Future[None]:
        """Be told when somebody acquires the table, before he can do anything with it."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._succession.setdefault(table_id, []).append(waiting)
        return waiting

    def appended(self, table_id: str, entries: Sequence[bytes], *, seq: int, fence: int) -> None:
        """Enter entries that follow number `seq`, written under that fence."""
        account = self.accounts.setdefault(table_id, Account())
        if seq != account.seq:
            self.say(f"table {table_id}: entries after {seq} were appended to a log of {account.seq}")
        if fence < account.fence:
            self.say(f"table {table_id}: owner {fence} wrote after owner {account.fence}")
        if fence < account.owner:
            self.say(f"table {table_id}: owner {fence} wrote when owner {account.owner} had it")
        account.seq = seq + len(entries)
        account.fence = fence
        for body in entries:
            entry = decode_entry(body, "an entry")
            account.book.fold(entry)
            if entry.id:
                account.acts += 1
                account.ids[entry.who, entry.id] += 1
                if account.ids[entry.who, entry.id] > 1:
                    self.say(f"table {table_id}: command {entry.id} was done twice")
            if account.book.rubber is not None and account.book.rubber.hand is not None:
                account.hands = account.book.rubber.hands_dealt
                self._count(table_id, account.book.rubber.hand)

    def _count(self, table_id: str, hand: Hand) -> None:
        """Fifty-two cards, each once, in the hands and the tricks."""
        played = [card for trick in hand.tricks for _, card in trick.plays]
        if sum(hand.hands) + mask_of(played) != FULL_PACK or len(played) != len(set(played)):
            self.say(f"table {table_id}: the pack is not whole in hand {hand.number}")
        if hand.ended and sum(hand.taken) != 13:
            self.say(f"table {table_id}: {hand.taken} tricks in hand {hand.number}")


def check_ends(world: World) -> list[str]:
    """Return which clients were closed for good: nobody in a simulation does anything to earn it."""
    return [
        f"client {number} was closed for good for nothing it did ({code}: {CLOSE_CODES[code].meaning})"
        for number, wire in enumerate(world.wires)
        for code in wire.ends
    ]


def check_evening(world: World, table_id: str) -> list[str]:
    """Return every problem found when all is quiet again."""
    account = world.ledger.accounts[table_id]
    state = account.book.rubber
    if state is None:
        return ["the log tells of no rubber"]
    found = []
    stored = {command_id for _, command_id in account.ids}
    for number, wire in enumerate(world.wires):
        lost = set(wire.acknowledged) - stored
        if lost:
            found.append(f"client {number} was told that {len(lost)} acts were done that are not in the log")
        denied = set(wire.refused) & stored
        if denied:
            found.append(f"client {number} was told that {len(denied)} acts were refused that were done")
    for number, table in enumerate(world.tables):
        seat = table.mirror.seat
        viewer: Viewer = Seat[seat.name] if seat is not None else Watcher.BYSTANDER
        if table.mirror.state != view(state, viewer):
            found.append(f"client {number} ({viewer.name}) does not see what the log says")
    return found
