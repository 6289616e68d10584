"""What the parts around a table are to each other: a client's line, the table to clients and lobby, other servers to the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Close
from oddtrick_protocol.codec import Codec
from oddtrick_server.audience import Audience
from oddtrick_server.person import Person, Reply
from oddtrick_server.table import Table

if TYPE_CHECKING:
    from oddtrick_server.table_actor import TableActor


class Wire(Protocol):
    """The way to a client."""

    codec: Codec

    def push(self, frames: bytes) -> None:
        """Write ready-made frames, or what `Line.answer` made."""

    def drop(self, code: Close, reason: str = "", *, after_ms: int | None = None) -> None:
        """Say why, and close."""


class Line(Protocol):
    """A client as a table sees it: who it is, its connection, and how to answer it."""

    @property
    def is_far(self) -> bool:
        """Whether another server shows the table to it: then nothing but answers is written to it here."""

    @property
    def person(self) -> Person:
        """Who it is."""

    @property
    def connection(self) -> Wire:
        """The way to it."""

    def answer(self, id_: str, reply: Reply, table: str | None) -> bytes:
        """The frame of an answer, remembered for an id that comes again."""

    @property
    def is_closed(self) -> bool:
        """Whether the connection is closed, and the tables were told."""

    def attached(self, table: str) -> None:
        """The table has to do with this line: it is told when the line is closed."""

    def detached(self, table: str) -> None:
        """The table has no more to do with this line."""


class Abroad(Protocol):
    """A table's relations with other servers, where there are any (`cluster/abroad.py`)."""

    @property
    def is_lost(self) -> bool:
        """Whether another server owns the table now."""

    def is_sure(self) -> bool:
        """Whether no other server can own the table yet; only then it is decided upon and shown."""

    def begin(self, actor: TableActor, seq: int) -> None:
        """The table stands, with so many entries in its log."""

    def kept(self, first: int, entries: list[bytes]) -> None:
        """Entries `first`, `first + 1` ... are kept and may be shown."""


class AtTable(Protocol):
    """A table as the lobby and the clients see it, whichever server owns it."""

    table: Table
    audience: Audience
    quiet_since: float
    ever_joined: bool

    @property
    def id(self) -> str:
        """The table's name."""

    @property
    def is_over(self) -> bool:
        """Whether it is no longer in memory."""

    def ask(self, line: Line, message: m.ClientMessage, *, elsewhere: Callable[[], None] | None = None) -> None:
        """Ask something of the table."""

    def gone(self, line: Line) -> None:
        """A line is closed."""

    def attach(self, line: Line, *, seq: int = 0) -> None:
        """Show the table to a line, after event `seq` of its stream (0: from a snapshot)."""

    def archive(self, reason: str) -> None:
        """Close the table for good."""

    async def stop(self) -> None:
        """Put it out of memory."""
