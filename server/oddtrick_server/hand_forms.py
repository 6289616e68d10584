"""A finished hand in the forms a player may have it in: JSON Lines, a table record, PBN."""

from __future__ import annotations

from datetime import UTC, datetime

from oddtrick_protocol.facts import command_from_wire, event_from_wire, view_from_wire
from oddtrick_protocol.messages import Format
from oddtrick_rules.commands import Bet, Command, TakeBet
from oddtrick_rules.evolve import evolve
from oddtrick_rules.notation.pbn import pbn_text
from oddtrick_rules.notation.write import write_record
from oddtrick_rules.records import changed
from oddtrick_rules.seats import Actor, Official, Seat
from oddtrick_rules.state import State
from oddtrick_server.hand_record import HandRecord, to_jsonl


def formed(record: HandRecord, form: Format) -> str:
    """The hand in that form; ValueError, in a sentence, if it cannot be had in it."""
    if form == "jsonl":
        return to_jsonl(record)
    if form == "whist":
        return _table_record(record)
    return pbn_text(last_state(record), tags=_tags(record))


def _table_record(record: HandRecord) -> str:
    """The hand in the notation. It has no word for bets that stand since an earlier hand: then all bets are left out."""
    start, acts = view_from_wire(record.start), acts_of(record)
    if start.bets:
        start = changed(start, bets=())
        acts = [(actor, act) for actor, act in acts if not isinstance(act, Bet | TakeBet)]
    return write_record(title=_title(record), start=start, acts=acts)


def acts_of(record: HandRecord) -> list[tuple[Actor, Command]]:
    """Who did what, in order; the first act is the house's deal."""
    return [(_actor(line.actor), command_from_wire(line.act, official=True)) for line in record.acts]


def last_state(record: HandRecord) -> State:
    """The rubber after the last event of the hand."""
    state = view_from_wire(record.start)
    for line in record.acts:
        for wire in line.events:
            state = evolve(state, event_from_wire(wire))  # type: ignore[arg-type]
    return state


def _actor(name: str) -> Actor:
    return Seat[name] if name in Seat.__members__ else Official(name)


def _title(record: HandRecord) -> str:
    return f"Table {record.table}, hand {record.hand}"


def _date(record: HandRecord) -> str:
    return datetime.fromtimestamp(record.dealt_ms / 1000, UTC).strftime("%Y.%m.%d")


def _tags(record: HandRecord) -> dict[str, str]:
    names = ["?" if player is None else player.name for player in record.players]
    return {
        "Event": f"Rubber {record.rubber}",
        "Site": f"Table {record.table}",
        "Date": _date(record),
        "Board": str(record.hand),
        **dict(zip(("North", "East", "South", "West"), names, strict=True)),
    }
