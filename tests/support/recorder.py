"""A table on a real server with every socket recorded: four seats and a bystander, both subprotocols, all bytes kept.

The table is led one step at a time: a message, or the next stroke of its clock. After each step everybody has been sent all that
came of it, so that what a viewer received can be held against what he might know at that very moment.
"""

import re
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from oddtrick_protocol import messages as m
from oddtrick_protocol.version import JSON, MSGPACK
from oddtrick_rules.cards import CARD_NAMES, Mask
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Phase, State
from oddtrick_rules.views import Viewer, Watcher
from oddtrick_sdk.mirror import Mirror
from oddtrick_server.table import Table
from support.house import House
from support.leaks import differences, hidden_from
from support.wire import Peer, Plain, dial, items

VIEWERS: Final[tuple[Viewer, ...]] = (*SEATS, Watcher.BYSTANDER)
SPOKEN: Final[dict[Viewer, str]] = {
    Seat.N: MSGPACK,
    Seat.E: JSON,
    Seat.S: MSGPACK,
    Seat.W: JSON,
    Watcher.BYSTANDER: JSON,
}
# Chance made these texts, so that the name of a card in them says nothing.
RANDOM_TEXTS: Final = frozenset({"token", "invite", "identity"})
# No time, count or number of a law comes near; a set of cards does.
NUMBER_MAX: Final = 10_000_000
CARD: Final = re.compile(r"(?<![A-Za-z0-9])[SHDC][2-9TJQKA](?![A-Za-z0-9])")
BIT: Final = {name: 1 << card for card, name in enumerate(CARD_NAMES)}


@dataclass(frozen=True)
class Step:
    """One thing done: a viewer's message and whether it was accepted, or (nobody's) the clock moved to a time."""

    viewer: Viewer | None
    fields: Plain = field(default_factory=dict)
    accepted: bool = True
    until: float = 0.0


class Recorder:
    """The company at one table, and everything that went over its sockets."""

    def __init__(self, house: House, table_id: str, peers: dict[Viewer, Peer]) -> None:
        self.house = house
        self.id = table_id
        self.peers = peers
        self.steps: list[Step] = []
        self.marks: list[dict[Viewer, int]] = []  # after each step, how many frames everybody had
        self.found: list[str] = []
        self.mirrors = {viewer: Mirror(table_id) for viewer in peers}
        self.snapshots = 0
        self._counts = dict.fromkeys(peers, 0)
        self._read = dict.fromkeys(peers, 0)

    # --- the table as the referee knows it ---

    @property
    def table(self) -> Table:
        return self.house.table(self.id)

    @property
    def state(self) -> State:
        return self.house.state(self.id)

    # --- doing ---

    async def send(self, viewer: Viewer, **fields: Any) -> Plain:
        """Send a message and return its answer, when everybody has what came of it."""
        answer = await self._ask(viewer, **fields)
        self.steps.append(Step(viewer, fields, accepted=answer["t"] != "refused"))
        await self.settle()
        return answer

    async def tick(self, until: float | None = None) -> bool:
        """Move the clock to that time, or to its next stroke; whether there is one."""
        due = self.table.due() if until is None else until
        if due is None:
            return False
        self.house.clock.move(max(0.0, due - self.house.clock.now()))
        await self._ask(Seat.N, t="back", table=self.id)
        self.steps.append(Step(None, until=due))
        await self.settle()
        return True

    async def again(self, steps: list[Step], of: Collection[Viewer]) -> int:
        """Do the steps of another table, as many as are accepted here too; how many were done.

        Left out is what others than `of` were refused there. What one of `of` is refused only here is done all the same: he has
        been told of it.
        """
        for number, step in enumerate(steps):
            if step.viewer is None:
                await self.tick(step.until)
            elif step.viewer not in of and self._may_mend_dummys(step):
                return number
            elif step.accepted or step.viewer in of:
                answer = await self.send(step.viewer, **step.fields)
                if step.accepted and answer["t"] == "refused":
                    return number + (step.viewer in of)
        return len(steps)

    def _may_mend_dummys(self, step: Step) -> bool:
        """Whether somebody withdraws a card of his own or of dummy's, whichever was in error: that tells it to all."""
        hand = self.state.hand
        return step.fields.get("act") == {"do": "withdraw"} and hand is not None and hand.dummy is not None

    async def _ask(self, viewer: Viewer, **fields: Any) -> Plain:
        self._counts[viewer] += 1
        return await self.peers[viewer].ask(id=f"m{self._counts[viewer]}", **fields)

    async def settle(self) -> None:
        """Return when everybody has received what was sent to him, and look at it."""
        for peer in self.peers.values():
            await peer.ok(t="ping")
        for viewer, peer in self.peers.items():
            fresh = peer.got[self._read[viewer] :]
            self._read[viewer] = len(peer.got)
            for message in fresh:
                self._look(viewer, message)
        self.marks.append({viewer: len(self.transcript(viewer)) for viewer in self.peers})

    # --- looking ---

    def transcript(self, viewer: Viewer, *, steps: int | None = None) -> list[bytes | str]:
        """All frames that a viewer received (in the first so many steps), but for the answers to pings."""
        peer = self.peers[viewer]
        frames = [raw for raw, message in zip(peer.raw, peer.got, strict=True) if message["t"] != "pong"]
        return frames if steps is None else frames[: self.marks[steps - 1][viewer]]

    def fresh(self, viewer: Viewer, since: int) -> list[Plain]:
        """What a viewer received from his frame of that number on."""
        return self.peers[viewer].got[since:]

    def _look(self, viewer: Viewer, message: Plain) -> None:
        where = f"step {len(self.steps)} to {viewer}: "
        self._fold(where, viewer, message)
        state = self.table.book.rubber
        if state is None:
            return
        hidden = hidden_from(state, viewer) & ~self._named()
        hand = self.table.book.hands
        if state.phase in {Phase.TO_DEAL, Phase.OVER}:
            hand += 1  # the last one is over, and everybody may have its record
        self.found += [where + leak for leak in leaks_in(message, hidden, hand=hand)]

    def _named(self) -> Mask:
        """Cards of the hand in play that their owners have named aloud, which at bridge exposes nothing (R21)."""
        notes = self.table.book.notes
        events = [event for act in notes[-1].acts for event in act.events] if notes else []
        return sum({BIT[event["card"]] for event in events if event["t"] == "card_named"})

    def _fold(self, where: str, viewer: Viewer, message: Plain) -> None:
        mirror = self.mirrors[viewer]
        if message["t"] == "snapshot":
            sent = Mirror(self.id)
            sent.snapshot(msgspec.convert(message, m.Snapshot))
            if mirror.seq == sent.seq:
                self.snapshots += 1
                self.found += [f"{where}the snapshot: {line}" for line in differences(mirror.state, sent.state)]
                self.found += [f"{where}the snapshot: {line}" for line in differences(mirror.info, sent.info)]
            self.mirrors[viewer] = sent
        for item in items(message):
            if item["seq"] == mirror.seq + 1:
                mirror.happened(msgspec.convert({key: item[key] for key in item if key in ITEM_FIELDS}, m.Item))
            elif item["seq"] > mirror.seq:
                self.found.append(f"{where}event {item['seq']} after {mirror.seq}")


ITEM_FIELDS: Final = frozenset(m.Item.__struct_fields__)


def leaks_in(message: Plain, hidden: Mask, *, hand: int) -> list[str]:
    """The hidden cards that a message names, and numbers that may be sets of cards.

    What tells of an earlier hand is no matter: its cards are known. `hand` is the one in play.
    """
    found = []
    for value in told_of_now(message, hand):
        for path, leaf in leaves(value):
            if isinstance(leaf, str):
                names = [name for name in CARD.findall(leaf) if hidden & BIT[name]]
                found += [f"{name} at {path} of {message}" for name in names]
            elif isinstance(leaf, int) and abs(leaf) > NUMBER_MAX:
                found.append(f"{leaf} at {path} of {message}")
    return found


def told_of_now(message: Plain, hand: int) -> list[Any]:
    """The parts of a message that are not about a hand that is over."""
    if message["t"] in {"event", "events"}:
        return [item for item in items(message) if item.get("hand", 0) == hand]
    if message["t"] == "ok" and "record" in message:
        assert f"hand {hand}" not in message["record"].partition("\n")[0], "a record of the hand in play"
        assert f'"hand":{hand},' not in message["record"].partition("\n")[0], "a record of the hand in play"
        return []
    return [message]


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value in a message, and every key, with where it stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}.{key} (the key)", key
            if key not in RANDOM_TEXTS:
                yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{number}]")
    else:
        yield path, value


@asynccontextmanager
async def recorded(house: House, **create: Any) -> AsyncIterator[Recorder]:
    """Open a table as `create` has it, with five recorded sockets, and let the first hand be dealt."""
    async with AsyncExitStack() as stack:
        peers: dict[Viewer, Peer] = {}
        for viewer in VIEWERS:
            peer = await dial(house.url, subprotocol=SPOKEN[viewer])
            stack.push_async_callback(peer.close)
            name = viewer.name if isinstance(viewer, Seat) else "Watcher"
            welcome = await peer.ok(id="m0", t="hello", name=f"The {name}", protocol=1)
            peer.identity, peer.token = welcome["identity"], welcome["token"]
            peers[viewer] = peer
        opened = await peers[Seat.N].ok(id="open", t="create", **create)
        recorder = Recorder(house, opened["table"], peers)
        for viewer in VIEWERS:
            if isinstance(viewer, Seat):
                await recorder.send(viewer, t="sit", table=recorder.id, seat=viewer.name)
            else:
                await recorder.send(viewer, t="watch", table=recorder.id)
        await recorder.send(Seat.N, t="start", table=recorder.id)
        while recorder.state.hand is None:
            assert await recorder.tick(), "nobody deals"
        yield recorder
