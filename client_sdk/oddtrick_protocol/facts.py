"""The rules' facts as plain builtins and back: the only place where the rules and the wire meet.

How to use it::

    event_to_wire(event)      {"t": "card_played", "seat": "N", "card": "SA", "trick": 1, "cites": ["73"]}
    event_from_wire(data)     the event again: of the rules or of the table (`table_events.py`)
    command_to_wire(command)  {"do": "play", "card": "SA"}
    command_from_wire(act)    the command, strictly: what a client may send and nothing else
    view_to_wire(state)       a State (a viewer's, or the table's own for a store)
    view_from_wire(data)
    info_to_wire(info)        a TableInfo
    info_from_wire(data)
    card_to_wire(card), cards_to_wire(mask)

The mapping follows the annotations of the dataclasses and knows no field by name: the tag is the class's name in
snake case; a card is `SA`, a seat `N`, a side `NS`, a suit `S H D C NT`, any other enum its value (a stage its name
in lower case), a set of cards a list of cards in ascending order, a code of laws its id. A field that is None is left
out, and a field that is missing is None or has its default. From a server, fields one does not know are ignored; in a
command they are refused.

Everything raised at bad data is `BadFact`, a ValueError whose text says where and what. An event of an unknown type
raises its subclass `UnknownFact`.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Callable
from enum import Enum, IntEnum, StrEnum
from typing import Any, Final, TypeAlias, get_args, get_origin

from oddtrick_protocol import limits
from oddtrick_protocol.table_events import TableEvent
from oddtrick_protocol.table_info import TableInfo
from oddtrick_rules.cards import CARD_NAMES, Card, card_named, cards_in
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.commands import Command, Deal, Lapse
from oddtrick_rules.events import Event
from oddtrick_rules.state import Stage, State

Plain: TypeAlias = dict[str, Any]
Encoder: TypeAlias = Callable[[Any], Any] | None  # None: the value is plain as it is
Decoder: TypeAlias = Callable[[Any], Any]

OFFICIAL_COMMANDS: Final = (Lapse, Deal)
"""Commands that no client may send: the clock's and the house's own."""


class BadFact(ValueError):
    """Data that is not what it should be; the text says where and what."""


class UnknownFact(BadFact):
    """An event of a type this version does not know."""


def snake_case(name: str) -> str:
    """Return `CardPlayed` as `card_played`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# --- single values ---


def card_to_wire(card: Card) -> str:
    """Return a card's two letters."""
    return CARD_NAMES[card]


def cards_to_wire(mask: int) -> list[str]:
    """Return the cards of a set, in ascending order."""
    return [CARD_NAMES[card] for card in cards_in(mask)]


_CARDS: Final = {name: card_named(name) for name in CARD_NAMES}


def _card_from_wire(data: Any) -> Card:
    card = _CARDS.get(data) if isinstance(data, str) else None
    if card is None:
        raise BadFact("not a card: a letter for its suit and one for its rank")
    return card


def _mask_from_wire(data: Any) -> int:
    mask = 0
    for item in _list(data, len(CARD_NAMES)):
        bit = 1 << _card_from_wire(item)
        if mask & bit:
            raise BadFact("a card twice")
        mask |= bit
    return mask


def _masks_to_wire(masks: tuple[int, ...]) -> list[list[str]]:
    return [cards_to_wire(mask) for mask in masks]


def _masks_from_wire(data: Any) -> tuple[int, ...]:
    items = _list(data, 4)
    if len(items) != 4:
        raise BadFact("not four sets of cards")
    return tuple(_mask_from_wire(item) for item in items)


def _code_to_wire(code: Code) -> str:
    return code.id


def _code_from_wire(data: Any) -> Code:
    try:
        return code_named(_text(data))
    except ValueError as error:
        raise BadFact(str(error)) from None


def _list(data: Any, items_max: int) -> list[Any]:
    if not isinstance(data, list | tuple):
        raise BadFact("not a list")
    if len(data) > items_max:
        raise BadFact(f"more than {items_max} items")
    return list(data)


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise BadFact("not a text")
    return data


def _truth(data: Any) -> bool:
    if not isinstance(data, bool):
        raise BadFact("neither true nor false")
    return data


def _number(data: Any) -> int:
    if isinstance(data, bool) or not isinstance(data, int):
        raise BadFact("not a whole number")
    if not -limits.SEQ_MAX <= data <= limits.SEQ_MAX:
        raise BadFact("a number too large")
    return data


# --- by annotation ---

ITEMS_MAX: Final = 4096  # of a list whose length the annotation leaves open


def enum_names(enum: type[Enum]) -> dict[str, Enum]:
    """Return an enum's members by their names on the wire."""
    if enum is Stage:
        return {member.name.lower(): member for member in enum}
    if issubclass(enum, IntEnum):
        return {member.name: member for member in enum}
    return {str(member.value): member for member in enum}


def _enum_pair(enum: type[Enum]) -> tuple[Encoder, Decoder]:
    by_name = enum_names(enum)
    names = {member: name for name, member in by_name.items()}
    known = " ".join(by_name)

    def decode(data: Any) -> Enum:
        member = by_name.get(data) if isinstance(data, str) else None
        if member is None:
            raise BadFact(f"not one of: {known}")
        return member

    # A StrEnum's member would be packed as it is by msgspec but not by msgpack: always the bare text.
    return names.__getitem__, decode


def _tuple_pair(annotation: Any) -> tuple[Encoder, Decoder]:
    args = get_args(annotation)
    if len(args) == 2 and args[1] is Ellipsis:
        encode, decode = _pair(args[0])

        def decode_run(data: Any) -> tuple[Any, ...]:
            return tuple(decode(item) for item in _list(data, ITEMS_MAX))

        return (list if encode is None else lambda items: [encode(item) for item in items]), decode_run
    pairs = [_pair(arg) for arg in args]

    def encode_fixed(items: tuple[Any, ...]) -> list[Any]:
        return [
            item if encode is None or item is None else encode(item)
            for item, (encode, _) in zip(items, pairs, strict=True)
        ]

    def decode_fixed(data: Any) -> tuple[Any, ...]:
        items = _list(data, len(pairs))
        if len(items) != len(pairs):
            raise BadFact(f"not {len(pairs)} items")
        return tuple(decode(item) for item, (_, decode) in zip(items, pairs, strict=True))

    return encode_fixed, decode_fixed


def _union_pair(annotation: Any) -> tuple[Encoder, Decoder]:
    (inner,) = (arg for arg in get_args(annotation) if arg is not types.NoneType)
    encode, decode = _pair(inner)

    def decode_optional(data: Any) -> Any:
        return None if data is None else decode(data)

    return encode, decode_optional


_SIMPLE: Final[dict[Any, tuple[Encoder, Decoder]]] = {
    Card: (CARD_NAMES.__getitem__, _card_from_wire),
    Code: (_code_to_wire, _code_from_wire),
    str: (None, _text),
    bool: (None, _truth),
    int: (None, _number),
}


def _pair(annotation: Any) -> tuple[Encoder, Decoder]:
    """Return how values of that annotation are encoded and decoded; TypeError for one we have no way for."""
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    origin = get_origin(annotation)
    if origin is tuple:
        return _tuple_pair(annotation)
    if origin in {types.UnionType, typing.Union}:
        return _union_pair(annotation)
    if isinstance(annotation, type) and issubclass(annotation, StrEnum | IntEnum):
        return _enum_pair(annotation)
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        record = record_of(annotation)
        return record.encode, record.decode
    raise TypeError(f"no way to put {annotation!r} on the wire")


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """One field on the wire; `default` is what a missing one means, MISSING if it must be there."""

    name: str
    annotation: str
    encode: Encoder
    decode: Decoder
    default: Any


class Record:
    """How one dataclass is mapped; built once for each."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.tag = snake_case(cls.__name__)
        hints = typing.get_type_hints(cls)
        self.fields = tuple(self._field(field, hints[field.name]) for field in dataclasses.fields(cls))
        self._encoders = tuple((field.name, field.encode) for field in self.fields)
        self._names = frozenset(field.name for field in self.fields)

    @staticmethod
    def _field(field: dataclasses.Field[Any], hint: Any) -> Field:
        # A set of cards is an int; only the name of its alias tells it from a number.
        masks = field.type == "Masks"
        encode, decode = (_masks_to_wire, _masks_from_wire) if masks else _pair(hint)
        default = field.default
        if default is dataclasses.MISSING and types.NoneType in get_args(hint):
            default = None
        return Field(field.name, str(field.type), encode, decode, default)

    def encode(self, value: Any) -> Plain:
        """Return the plain map of a value, without a tag."""
        plain: Plain = {}
        self.encode_into(plain, value)
        return plain

    def encode_into(self, plain: Plain, value: Any) -> None:
        """Add the value's fields to a plain map."""
        for name, encode in self._encoders:
            item = getattr(value, name)
            if item is not None:
                plain[name] = item if encode is None else encode(item)

    def decode(self, data: Any) -> Any:
        """Return the value of a plain map; unknown fields are ignored."""
        if not isinstance(data, dict):
            raise BadFact("not a map")
        values = {}
        for field in self.fields:
            item = data.get(field.name, dataclasses.MISSING)
            if item is dataclasses.MISSING:
                item = field.default
                if item is dataclasses.MISSING:
                    raise BadFact(f"{field.name} is missing")
                values[field.name] = item
                continue
            try:
                values[field.name] = field.decode(item)
            except BadFact as error:
                raise BadFact(f"{field.name}: {error}") from None
        return self.cls(**values)

    def refuse_unknown(self, data: Plain, also: str) -> None:
        """Raise BadFact if the map has a field that is neither the record's nor `also`."""
        for name in data:
            if name not in self._names and name != also:
                raise BadFact(f"{self.tag} has no field {name!r}")


_RECORDS: dict[type, Record] = {}


def record_of(cls: type) -> Record:
    """Return how a dataclass is mapped."""
    record = _RECORDS.get(cls)
    if record is None:
        record = _RECORDS[cls] = Record(cls)
    return record


def _records(union: Any) -> dict[str, Record]:
    return {record.tag: record for record in map(record_of, get_args(union))}


EVENTS: Final = {**_records(Event), **_records(TableEvent)}
COMMANDS: Final = _records(Command)
_BY_CLASS: Final = {record.cls: record for record in (*EVENTS.values(), *COMMANDS.values())}


# --- events, commands, views ---


def event_to_wire(event: Event | TableEvent) -> Plain:
    """Return an event as a plain map."""
    record = _BY_CLASS[type(event)]
    plain: Plain = {"t": record.tag}
    record.encode_into(plain, event)
    return plain


def event_from_wire(data: Any) -> Event | TableEvent:
    """Return the event of a plain map; UnknownFact if its type is not known, BadFact if it is no event."""
    record = EVENTS.get(_tag(data, "t"))
    if record is None:
        raise UnknownFact(f"no event {data['t']!r}")
    event: Event | TableEvent = record.decode(data)
    return event


def command_to_wire(command: Command) -> Plain:
    """Return a command as a plain map."""
    record = _BY_CLASS[type(command)]
    plain: Plain = {"do": record.tag}
    record.encode_into(plain, command)
    return plain


def command_from_wire(act: Any, *, official: bool = False) -> Command:
    """Return the command of a plain map; BadFact unless it is exactly one that a client may give.

    With `official` (for a store) the clock's and the house's commands are read too.
    """
    tag = _tag(act, "do")
    record = COMMANDS.get(tag)
    if record is None or (record.cls in OFFICIAL_COMMANDS and not official):
        raise BadFact(f"no act {tag[: limits.ACT_TEXT_CHARS_MAX]!r}")
    record.refuse_unknown(act, "do")
    command: Command = record.decode(act)
    for field in record.fields:
        _bounded(field.name, getattr(command, field.name), official=official)
    return command


def _bounded(name: str, value: Any, *, official: bool) -> None:
    """Raise BadFact for what a command may not hold: negative numbers, more cards than a hand, a card twice."""
    if type(value) is int and not 0 <= value <= limits.ACT_NUMBER_MAX:
        raise BadFact(f"{name}: a number out of range")
    if isinstance(value, tuple) and not official:
        if not 0 < len(value) <= limits.ACT_CARDS_MAX:
            raise BadFact(f"{name}: one to {limits.ACT_CARDS_MAX} cards")
        if len(set(value)) != len(value):
            raise BadFact(f"{name}: a card twice")


def _tag(data: Any, key: str) -> str:
    tag = data.get(key) if isinstance(data, dict) else None
    if not isinstance(tag, str):
        raise BadFact(f"not a map with {key!r}")
    return tag


_STATE: Final = record_of(State)
_INFO: Final = record_of(TableInfo)


def view_to_wire(state: State) -> Plain:
    """Return a view (or the table's whole state, for a store) as a plain map."""
    return _STATE.encode(state)


def view_from_wire(data: Any) -> State:
    """Return the view of a plain map; BadFact if it is none."""
    state: State = _STATE.decode(data)
    return state


def info_to_wire(info: TableInfo) -> Plain:
    """Return a table's info as a plain map."""
    return _INFO.encode(info)


def info_from_wire(data: Any) -> TableInfo:
    """Return the info of a plain map; BadFact if it is none."""
    info: TableInfo = _INFO.decode(data)
    return info
