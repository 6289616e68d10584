"""A finished hand as it is kept: who played, every act with its events, the proof of the deal.

A record is complete in itself: `start` is the rubber before the deal, and `acts` replay from there. Two of its forms are made
here, JSON Lines and a table record; PBN beside them (`pbn.py`).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from oddtrick_server.store.errors import StoreCorrupt, StoreTooNew

RECORD_VERSION = 1
FORMAT = "oddtrick/hand/1"
WATCHED: Final = "watched:"
Plain: TypeAlias = dict[str, Any]


class Player(Struct, frozen=True, omit_defaults=True):
    """Who had a seat when the hand was dealt; `bot` is the kind of a house bot."""

    name: str
    identity: str = ""
    bot: str | None = None


class ActLine(Struct, frozen=True, omit_defaults=True):
    """One act and what came of it; `at_ms` counts from the deal."""

    actor: str
    act: Plain
    events: list[Plain]
    at_ms: int
    by: str | None = None


class Proof(Struct, frozen=True, omit_defaults=True):
    """All that is published about the deal (`oddtrick_rules.shuffle.DealProof`), as hexadecimal text; lists are N E S W."""

    hand_id: str
    dealer: str
    previous: str
    commitment: str
    secret: str
    seat_commitments: list[str | None]
    entropies: list[str]


class HandRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hand of one table. `hand` counts the table's hands, through all its rubbers."""

    v: int = RECORD_VERSION
    table: str
    hand: int
    rubber: int
    code: str
    enforcement: str
    dealer: str
    trump: str | None = None
    players: list[Player | None]
    dealt_ms: int
    ended_ms: int
    start: Plain
    acts: list[ActLine]
    tricks: list[int]
    score: list[int]
    proof: Proof
    private: bool = False
    watchers: list[str] = []
    abandoned: bool = False

    @property
    def identities(self) -> list[str]:
        """Everybody who may find this hand among his own."""
        return sorted({player.identity for player in self.players if player is not None and player.identity})

    @property
    def found_under(self) -> list[str]:
        """What a store finds this hand under: all whom it names, so that it can be found when one of them is to be forgotten."""
        return [*self.identities, *sorted({watched_by(one) for one in self.watchers})]


class HandSummary(Struct, frozen=True, kw_only=True):
    """What a list of hands says of one; read from the same bytes as the record."""

    table: str
    hand: int
    rubber: int
    code: str
    dealer: str
    trump: str | None = None
    players: list[Player | None]
    tricks: list[int]
    private: bool = False
    watchers: list[str] = []

    def may_be_read_by(self, identity: str) -> bool:
        """A hand of a private table is for those who were there."""
        there = any(player is not None and player.identity == identity for player in self.players)
        return not self.private or there or identity in self.watchers


def watched_by(identity: str) -> str:
    """What a store finds the hands under that somebody watched and did not play: they are not among his own."""
    return WATCHED + identity


class _Version(Struct):
    v: int = RECORD_VERSION


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(HandRecord)
_summary = msgspec.msgpack.Decoder(HandSummary)
_version = msgspec.msgpack.Decoder(_Version)
_json = msgspec.json.Encoder()


def encode_record(record: HandRecord) -> bytes:
    """The bytes a store keeps."""
    return _encoder.encode(record)


def decode_record(body: bytes, what: str) -> HandRecord:
    """The record again; StoreTooNew or StoreCorrupt, naming `what`, if it cannot be read."""
    try:
        if _version.decode(body).v > RECORD_VERSION:
            raise StoreTooNew(f"{what} was written by a newer version of oddtrick: use that one")
        return _decoder.decode(body)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise StoreCorrupt(f"{what} is damaged ({error}): restore it from a backup") from error


def summary_of(body: bytes, what: str) -> HandSummary:
    """What a list says of a record; raises as `decode_record`."""
    try:
        return _summary.decode(body)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise StoreCorrupt(f"{what} is damaged ({error}): restore it from a backup") from error


def to_jsonl(record: HandRecord) -> str:
    """The record as JSON Lines: a header, a line for every event in order, and the result with the proof of the deal.

    An event's line holds `n` (1, 2, 3 ...), `at_ms`, `actor`, `by` if another acted for the seat, and the event as on the wire.
    """
    header = {
        "format": FORMAT,
        "table": record.table,
        "hand": record.hand,
        "rubber": record.rubber,
        "code": record.code,
        "enforcement": record.enforcement,
        "dealer": record.dealer,
        "players": record.players,
        "dealt_ms": record.dealt_ms,
        "start": record.start,
    }
    lines: list[Any] = [header]
    number = 0
    for act in record.acts:
        for event in act.events:
            number += 1
            line: Plain = {"n": number, "at_ms": act.at_ms, "actor": act.actor, "event": event}
            if act.by is not None:
                line["by"] = act.by
            lines.append(line)
    lines.append(
        {
            "tricks": record.tricks,
            "score": record.score,
            "ended_ms": record.ended_ms,
            "abandoned": record.abandoned,
            "proof": record.proof,
        }
    )
    return "".join(_json.encode(line).decode() + "\n" for line in lines)
