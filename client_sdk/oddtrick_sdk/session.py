"""The client's side of the conversation, sans-I/O: messages in, messages and updates out.

Theory of operation
    A session outlives its connections. What was sent and not answered is kept, and sent again with the same id after
    every reconnection: the server answers an id it knows with its first answer, so nothing is done twice and nothing
    is lost. Per table it keeps the number of the last event. An event already seen is dropped; one that comes too
    early means that something between was lost: it is dropped as well, and the run after the last one seen is asked
    for. If one does not fit what is known (a newer server's rules, or a fault), the whole table is asked for.

    On a new connection the order is: `hello`; after `welcome`, one `resume` per table; then whatever is unanswered.

Rules of this file
    1. It never waits and never reads a clock.
    2. Whatever the caller must send stands in `outgoing`, in order; whatever happened is returned by `received`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from oddtrick_protocol import messages as m
from oddtrick_protocol.version import BUILD, MINOR, PROTOCOL
from oddtrick_sdk.errors import ProtocolViolation
from oddtrick_sdk.mirror import Mirror, OutOfStep, Update

UNANSWERED_MAX: Final = 256
RETRIES_MAX: Final = 20
RETRY_MS: Final = 1_000
PASSING: Final = frozenset({"rate", "busy", "draining"})
CLIENT: Final = "oddtrick-sdk"


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server knows who we are: `identity` and `token` bring the seat back from anywhere."""

    identity: str
    name: str
    token: str
    build: str
    caps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """A message of ours has its answer."""

    id: str
    answer: m.Ok | m.Refused | m.Welcome | m.Pong


@dataclass(frozen=True, slots=True)
class GoingAway:
    """The server is about to close the connection."""

    reason: str
    retry: str
    after_ms: int | None


@dataclass(frozen=True, slots=True)
class NotYet:
    """A message of ours came too fast or to a table too busy: `resend` it after so long."""

    id: str
    after_ms: int


@dataclass(frozen=True, slots=True)
class Gone:
    """A table we were at is not there for us any more."""

    table: str
    why: str


Output: TypeAlias = Update | Answered | Welcomed | GoingAway | NotYet | Gone


@dataclass
class Session:
    """One identity's conversation with one server.

    `nonce` makes ids of different sessions of one identity differ; let it be random, or fixed to have the same bytes
    again.
    """

    name: str
    nonce: str
    token: str | None = None
    bot: bool = False
    identity: str | None = None
    tables: dict[str, Mirror] = field(default_factory=dict)
    outgoing: list[m.FromClient] = field(default_factory=list)
    connected: bool = False
    _count: int = 0
    _hello: str | None = None
    _unanswered: dict[str, m.FromClient] = field(default_factory=dict)
    _resuming: dict[str, str] = field(default_factory=dict)
    _retries: dict[str, int] = field(default_factory=dict)
    _watched: dict[str, str | None] = field(default_factory=dict)  # tables we asked to watch, and the invites
    _returns: dict[str, m.FromClient] = field(default_factory=dict)  # what asks for a table again, by id
    _coming_back: set[str] = field(default_factory=set)  # of these, those we ask to watch again

    def opened(self) -> None:
        """A connection stands: say who we are. Nothing else goes out before the answer."""
        self.connected = False
        self.outgoing.clear()
        self._resuming.clear()
        self._returns.clear()
        self._coming_back.clear()
        self._hello = self._next_id()
        self.outgoing.append(
            m.Hello(
                id=self._hello,
                name=self.name,
                protocol=PROTOCOL,
                minor=MINOR,
                token=self.token,
                client=CLIENT,
                build=BUILD,
                bot=self.bot,
            )
        )

    def lost(self) -> None:
        """The connection is gone; what is unanswered stays."""
        self.connected = False
        self.outgoing.clear()

    def send(self, message: m.FromClient) -> str:
        """Send a message when there is a connection, and again until it is answered; return the id it was given.

        Raises RuntimeError if too much is unanswered.
        """
        if len(self._unanswered) >= UNANSWERED_MAX:
            raise RuntimeError(f"{UNANSWERED_MAX} messages are unanswered")
        id_ = self._next_id()
        message = replace(message, id=id_)
        self._unanswered[id_] = message
        if isinstance(message, m.Watch):
            self._watched[message.table] = message.invite
        if self.connected:
            self.outgoing.append(message)
        return id_

    def give_up(self, id_: str) -> None:
        """Stop sending that message again: nobody waits for its answer any more."""
        self._unanswered.pop(id_, None)
        self._retries.pop(id_, None)

    def resend(self, id_: str) -> None:
        """Send a message again that came too fast, if it is still wanted."""
        message = self._unanswered.get(id_) or self._returns.get(id_)
        if message is not None and self.connected:
            self.outgoing.append(message)

    def forget(self, table: str) -> None:
        """A table is left: do not resume it."""
        self.tables.pop(table, None)
        self._resuming.pop(table, None)
        self._watched.pop(table, None)

    def take_outgoing(self) -> list[m.FromClient]:
        """Return what must be sent now, in order, and forget it."""
        taken, self.outgoing = self.outgoing, []
        return taken

    def received(self, message: m.FromServer | m.Unknown) -> list[Output]:
        """Take a message of the server; return what it comes to. ProtocolViolation if it may not be sent."""
        match message:
            case m.Event():
                return self._run(message.table, (message,))
            case m.Events():
                return self._run(message.table, message.events)
            case m.Ok() | m.Refused() | m.Pong():
                return self._answered(message)
            case m.Welcome():
                return self._welcomed(message)
            case m.Snapshot():
                self._resuming.pop(message.table, None)
                self._coming_back.discard(message.table)
                mirror = self.tables.setdefault(message.table, Mirror(message.table))
                return [mirror.snapshot(message)]
            case m.Prompt() | m.May() | m.Waiting():
                return self._unsequenced(message)
            case m.Going():
                return [GoingAway(message.reason, message.retry, message.after_ms)]
            case m.Unknown():
                return []

    def _unsequenced(self, message: m.Prompt | m.May | m.Waiting) -> list[Output]:
        mirror = self.tables.get(message.table)
        if mirror is None:
            return []
        match message:
            case m.Prompt():
                asked = mirror.prompted(message)
                return [] if asked is None else [asked]
            case m.May():
                return [mirror.allowed(message)]
            case m.Waiting():
                return [mirror.waits(message)]

    def _run(self, table: str, items: Iterable[m.Event | m.Item]) -> list[Output]:
        mirror = self.tables.get(table)
        if mirror is None:
            return []  # the tail of a table that was left; a new one begins with its snapshot
        outputs: list[Output] = []
        for item in items:
            if item.seq <= mirror.seq:
                continue
            if item.seq > mirror.seq + 1:
                self._ask_again(mirror)
                break
            self._resuming.pop(table, None)
            try:
                happened = mirror.happened(item)
            except OutOfStep:
                mirror.seq = 0
                self._ask_again(mirror)
                break
            if happened is not None:
                outputs.append(happened)
        return outputs

    def _ask_again(self, mirror: Mirror) -> None:
        """Ask once for the run after the last event seen."""
        if mirror.table not in self._resuming:
            self._resuming[mirror.table] = self._resume(mirror)

    def _resume(self, mirror: Mirror) -> str:
        return self._return_by(m.Resume(id=self._next_id(), table=mirror.table, seq=mirror.seq))

    def _return_by(self, message: m.Resume | m.Watch) -> str:
        """Send what asks for a table again, and keep it in case the table is too busy to answer; return its id."""
        self._returns[message.id] = message
        self.outgoing.append(message)
        return message.id

    def _answered(self, message: m.Ok | m.Refused | m.Pong) -> list[Output]:
        for table, id_ in tuple(self._resuming.items()):
            if id_ == message.id:
                return self._resumed(table, message)
        if message.id == self._hello and isinstance(message, m.Refused):
            return [Answered(message.id, message)]
        if message.id not in self._unanswered:
            return []  # given up, or a second answer to one id
        if isinstance(message, m.Refused) and self._is_passing(message):
            return [NotYet(message.id, message.retry_after_ms or RETRY_MS)]
        asked = self._unanswered[message.id]
        if isinstance(message, m.Ok) and isinstance(asked, m.Sit | m.Watch):
            # Its snapshot follows; if the line breaks before, the table is resumed from the beginning.
            table = message.table or asked.table
            self.tables.setdefault(table, Mirror(table))
        self.give_up(message.id)
        return [Answered(message.id, message)]

    def _is_passing(self, message: m.Refused) -> bool:
        """Tell whether the refusal says no more than `not now`, and has not said so too often."""
        if message.code not in PASSING or message.retry_after_ms is None:
            return False
        retries = self._retries[message.id] = self._retries.get(message.id, 0) + 1
        return retries <= RETRIES_MAX

    def _resumed(self, table: str, message: m.Ok | m.Refused | m.Pong) -> list[Output]:
        if isinstance(message, m.Refused) and message.code in PASSING:
            # The table is busy, not gone: we are at it still, and ask for as long as it takes.
            return [NotYet(message.id, message.retry_after_ms or RETRY_MS)]
        self._returns.pop(self._resuming.pop(table), None)
        if not isinstance(message, m.Refused):
            return []  # the run or the snapshot follows
        mirror = self.tables.get(table)
        if mirror is not None and mirror.seq and message.code == "bad_seq":
            mirror.seq = 0
            self._ask_again(mirror)
            return []
        if mirror is not None and mirror.seat is None and table in self._watched and table not in self._coming_back:
            # A bystander whose line is down has left the table; he comes in again by the same door.
            self._coming_back.add(table)
            watch = m.Watch(id=self._next_id(), table=table, invite=self._watched[table])
            self._resuming[table] = self._return_by(watch)
            return []
        self._coming_back.discard(table)
        self.tables.pop(table, None)
        return [Gone(table, message.text or message.code)]

    def _welcomed(self, message: m.Welcome) -> list[Output]:
        if message.id != self._hello:
            raise ProtocolViolation("a welcome to a hello that was not sent")
        self.identity = message.identity
        self.token = message.token
        self.name = message.name
        self.connected = True
        for mirror in self.tables.values():
            self._resuming[mirror.table] = self._resume(mirror)
        self.outgoing.extend(self._unanswered.values())
        welcomed = Welcomed(message.identity, message.name, message.token, message.build, tuple(message.caps))
        return [welcomed, Answered(message.id, message)]

    def _next_id(self) -> str:
        self._count += 1
        return f"{self.nonce}-{self._count}"


def unaddressed(kind: type[m.ClientMessage], **values: Any) -> Any:
    """Return a message of that kind with an id that `Session.send` will replace."""
    return kind(id="?", **values)
