"""One table as a client knows it: the sum of what it was shown.

Sans-I/O, and without judgement: events of the rules are folded by `evolve`, the table's own by `info_after`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from oddtrick_protocol.facts import (
    BadFact,
    Plain,
    UnknownFact,
    command_from_wire,
    event_from_wire,
    info_from_wire,
    view_from_wire,
)
from oddtrick_protocol.messages import Clock, Item, May, Prompt, Snapshot, Waiting
from oddtrick_protocol.messages import Event as EventMessage
from oddtrick_protocol.table_events import RubberBegan, TableEvent
from oddtrick_protocol.table_info import TableInfo, info_after
from oddtrick_rules.cards import Card, card_named
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.commands import Command
from oddtrick_rules.events import Event
from oddtrick_rules.evolve import evolve
from oddtrick_rules.seats import Seat, seat_named
from oddtrick_rules.start import rubber
from oddtrick_rules.state import State
from oddtrick_sdk.errors import ProtocolViolation

NO_PROMPT: Final = "none"


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the rules or of the table, in order and once; `state` is the view after it."""

    table: str
    seq: int
    hand: int
    event: Event | TableEvent
    by: str | None
    state: State | None


@dataclass(frozen=True, slots=True)
class Resynced:
    """The table was sent whole: after sitting down, watching, or an absence too long for a run of events."""

    table: str
    seq: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A choice is put to this seat: answer with one of `acts`. `kind` is `turn`, `question`, `choice` ..."""

    table: str
    prompt: str
    kind: str
    acts: tuple[Command, ...]
    playable: tuple[Card, ...]
    deadline_ms: int | None
    limit_ms: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class Allowed:
    """The acts this seat may do besides answering what it is asked have changed."""

    table: str
    acts: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Waits:
    """The clocks now running at the table."""

    table: str
    clocks: tuple[Clock, ...]


class OutOfStep(Exception):
    """An event does not fit what is known of the table: only the whole of it will do."""


Update: TypeAlias = Happened | Resynced | Asked | Allowed | Waits


@dataclass
class Mirror:
    """What is known of one table. `seq` is the last event seen."""

    table: str
    seat: Seat | None = None
    seq: int = 0
    hand: int = 0
    state: State | None = None
    info: TableInfo = field(default_factory=TableInfo)
    asked: Asked | None = None
    acts: tuple[Command, ...] = ()
    clocks: tuple[Clock, ...] = ()

    def happened(self, item: EventMessage | Item) -> Happened | None:
        """Fold in the next event; None for one of a type this version does not know. OutOfStep if it does not fit."""
        self.seq = item.seq
        self.hand = item.hand
        try:
            event = event_from_wire(item.event)
        except UnknownFact:
            return None
        except BadFact as error:
            raise ProtocolViolation(f"event {item.seq} of {self.table}: {error}") from None
        try:
            self._fold(event)
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise OutOfStep(f"{type(event).__name__} at {self.table}: {error}") from error
        return Happened(self.table, item.seq, item.hand, event, item.by, self.state)

    def _fold(self, event: Event | TableEvent) -> None:
        if isinstance(event, TableEvent):
            self.info = info_after(self.info, event)
            if isinstance(event, RubberBegan):
                self.state = rubber(
                    code_named(event.code),
                    enforcement=event.enforcement,
                    dealer=event.dealer,
                    reasonable_time=event.reasonable_time,
                )
        else:
            assert self.state is not None, "play before the rubber began"
            self.state = evolve(self.state, event)

    def snapshot(self, message: Snapshot) -> Resynced:
        """Take the whole table as it was sent."""
        try:
            self.info = info_from_wire(message.info)
            self.state = None if message.view is None else view_from_wire(message.view)
        except BadFact as error:
            raise ProtocolViolation(f"snapshot of {self.table}: {error}") from None
        self.seat = None if message.seat is None else seat_named(message.seat)
        self.seq = message.seq
        self.asked = None
        self.acts = ()
        return Resynced(self.table, message.seq)

    def prompted(self, message: Prompt) -> Asked | None:
        """Take a choice that is put to this seat; None when it is taken away."""
        if message.kind == NO_PROMPT:
            self.asked = None
            return None
        self.asked = Asked(
            self.table,
            message.prompt,
            message.kind,
            _commands(message.acts),
            tuple(_cards(message.playable)),
            message.deadline_ms,
            message.limit_ms,
            message.right,
        )
        return self.asked

    def allowed(self, message: May) -> Allowed:
        """Take the list of acts that are open besides."""
        self.acts = _commands(message.acts)
        return Allowed(self.table, self.acts)

    def waits(self, message: Waiting) -> Waits:
        """Take the clocks that are running."""
        self.clocks = tuple(message.clocks)
        return Waits(self.table, self.clocks)


def _commands(acts: list[Plain]) -> tuple[Command, ...]:
    """Return those of the acts that this version knows."""
    commands = []
    for act in acts:
        try:
            commands.append(command_from_wire(act))
        except BadFact:
            continue
    return tuple(commands)


def _cards(names: list[str]) -> list[Card]:
    try:
        return [card_named(name) for name in names]
    except ValueError as error:
        raise ProtocolViolation(str(error)) from None
