"""What a table writes into its log: entries, each one accepted command (or one stroke of a clock) and all that came of it.

The log is the table: `book.py` folds entries, and gives the same table again after a crash. Events and commands are kept as
the wire has them (`oddtrick_protocol.facts`), so that a log can be read without this program. An entry of a newer form is
refused, never guessed at.

A step of an entry is one of three
    Happened    an event of the table: somebody sat, spoke, went away
    Acted       an act of the laws, with the events it caused; by a seat, the clock or the house
    marks       what only the server needs: `Opened`, `Frozen`, `Thawed`, `Regained`, `Stalled`, `Found`, `Banned`, `Summed`
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from oddtrick_server.store.errors import StoreCorrupt, StoreTooNew

ENTRY_VERSION: Final = 2
"""The newest form that this version reads."""
SUMMED_VERSION: Final = 2
"""The first form with entries that sum up the log before them."""
Plain: TypeAlias = dict[str, Any]


class Happened(Struct, frozen=True, tag="happened"):
    """An event of the table, as on the wire."""

    event: Plain


class Acted(Struct, frozen=True, tag="acted", omit_defaults=True):
    """An act: `actor` is a seat's letter, `clock` or `house`; `by` says who acted for the seat, if not its owner."""

    actor: str
    act: Plain
    events: list[Plain]
    by: str | None = None


class Opened(Struct, frozen=True, tag="opened", omit_defaults=True):
    """The parts of a table's opening that are nobody else's business."""

    table: str
    creator: str
    creator_name: str
    invite: str
    seed: str | None = None


class Frozen(Struct, frozen=True, tag="frozen"):
    """Nobody is connected any more: the clocks stand."""


class Thawed(Struct, frozen=True, tag="thawed"):
    """Somebody is connected again: the clocks run."""


class Regained(Struct, frozen=True, tag="regained"):
    """A server has taken the table up from its log: no clock ran in between, and nobody is connected yet."""


class Stalled(Struct, frozen=True, tag="stalled"):
    """For so long nothing could be kept, and nobody could act: it counts for no clock."""

    seconds: float


class Found(Struct, frozen=True, tag="found"):
    """Somebody is back before anyone was told that he was gone."""

    identity: str


class Banned(Struct, frozen=True, tag="banned"):
    """Somebody was sent away and may not come back."""

    identity: str


class Summed(Struct, frozen=True, tag="summed"):
    """All that the log before this comes to (`summing.py`): the entries before may be trimmed."""

    book: Plain


Mark: TypeAlias = Opened | Frozen | Thawed | Regained | Stalled | Found | Banned | Summed
Step: TypeAlias = Happened | Acted | Mark


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry: when (seconds, the server's clock), the command accepted and its answer, and what came of it.

    `v` is the oldest form that can be read for it: a log without anything new in it can go back to an older version.
    """

    v: int = 1
    at: float
    who: str = ""
    id: str = ""
    seat: str | None = None  # the seat the answer named
    steps: list[Step]


class _Version(Struct):
    v: int = 1


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Entry)
_version = msgspec.msgpack.Decoder(_Version)


def form_of(steps: list[Step]) -> int:
    """The oldest form that has all of these steps."""
    return SUMMED_VERSION if any(isinstance(step, Summed) for step in steps) else 1


def encode_entry(entry: Entry) -> bytes:
    """The bytes a store keeps."""
    return _encoder.encode(entry)


def decode_entry(body: bytes, what: str) -> Entry:
    """The entry again; StoreTooNew or StoreCorrupt, naming `what`, if it cannot be read."""
    try:
        if _version.decode(body).v > ENTRY_VERSION:
            raise StoreTooNew(f"{what} was written by a newer version of oddtrick: use that one")
        return _decoder.decode(body)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise StoreCorrupt(f"{what} is damaged ({error}): restore it from a backup") from error
