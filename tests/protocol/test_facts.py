"""The mapping of the rules' facts to plain values and back."""

import contextlib
import dataclasses
import json
import types
import typing
from collections.abc import Iterator
from enum import Enum, IntEnum
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_protocol.facts import (
    COMMANDS,
    EVENTS,
    OFFICIAL_COMMANDS,
    BadFact,
    UnknownFact,
    command_from_wire,
    command_to_wire,
    event_from_wire,
    event_to_wire,
    info_from_wire,
    info_to_wire,
    view_from_wire,
    view_to_wire,
)
from oddtrick_protocol.messages import Clocks
from oddtrick_protocol.table_events import ClockLimits
from oddtrick_protocol.table_info import TableInfo
from oddtrick_rules.cards import PACK, Card
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Deal, Lapse, Play
from oddtrick_rules.events import CardPlayed
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import State

CLIENT_COMMANDS = [record.cls for record in COMMANDS.values() if record.cls not in OFFICIAL_COMMANDS]


def values_of(annotation: Any) -> st.SearchStrategy[Any]:
    """Values of an annotation, as the rules would make them."""
    if annotation is Card:
        return st.sampled_from(PACK)
    if annotation is Code:
        return st.sampled_from(list(CODES.values()))
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        return st.integers(0, 1_000)
    if annotation is str:
        return st.text(max_size=8)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(list(annotation))
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        return records_of(annotation)
    args = typing.get_args(annotation)
    if typing.get_origin(annotation) is tuple:
        if args[-1] is Ellipsis:
            return st.lists(values_of(args[0]), max_size=4, unique=args[0] is Card, min_size=1).map(tuple)
        return st.tuples(*(values_of(arg) for arg in args))
    assert types.NoneType in args, annotation
    (inner,) = (arg for arg in args if arg is not types.NoneType)
    return st.none() | values_of(inner)


def records_of(cls: type) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(cls)
    masks = st.tuples(*(st.integers(0, (1 << 52) - 1) for _ in range(4)))
    fields = {
        field.name: masks if field.type == "Masks" else values_of(hints[field.name])
        for field in dataclasses.fields(cls)
    }
    return st.builds(cls, **fields)


def walk(plain: Any) -> Iterator[Any]:
    yield plain
    for inner in plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ():
        yield from walk(inner)


@given(st.sampled_from([record.cls for record in EVENTS.values()]).flatmap(records_of))
def test_an_event_comes_back_as_it_went(event: Any) -> None:
    """Every event, of the rules and of the table, survives both ways through plain values, JSON and MessagePack."""
    plain = event_to_wire(event)
    assert event_from_wire(plain) == event
    assert event_from_wire(json.loads(json.dumps(plain))) == event
    assert event_from_wire(msgpack.unpackb(msgpack.packb(plain))) == event


@given(st.sampled_from(CLIENT_COMMANDS).flatmap(records_of))
def test_a_command_comes_back_as_it_went(command: Any) -> None:
    """Every command that a client may give survives both ways."""
    assert command_from_wire(command_to_wire(command)) == command


@given(records_of(State))
def test_a_view_comes_back_as_it_went(state: State) -> None:
    """Any state, whatever is in it, survives both ways through JSON."""
    assert view_from_wire(json.loads(json.dumps(view_to_wire(state)))) == state


@given(records_of(TableInfo))
def test_an_info_comes_back_as_it_went(info: TableInfo) -> None:
    """A table's info survives both ways through JSON."""
    assert info_from_wire(json.loads(json.dumps(info_to_wire(info)))) == info


@given(st.sampled_from([record.cls for record in EVENTS.values()]).flatmap(records_of))
def test_only_builtins_go_out(event: Any) -> None:
    """What is put on the wire is made of maps, lists, texts, numbers and truth values of exactly those types."""
    for value in walk(event_to_wire(event)):
        assert type(value) in {dict, list, str, int, bool}


def test_a_fact_is_written_as_the_page_says() -> None:
    """A card is its two letters, a seat its letter, and the type the name in snake case."""
    event = CardPlayed(Seat.N, PACK[12], 1, ("73",))
    assert event_to_wire(event) == {"t": "card_played", "seat": "N", "card": "SA", "trick": 1, "cites": ["73"]}
    assert command_to_wire(Play(PACK[12])) == {"do": "play", "card": "SA"}


def test_an_event_of_an_unknown_type_is_known_as_such() -> None:
    """A client can tell a new server's event from a broken one."""
    with pytest.raises(UnknownFact):
        event_from_wire({"t": "pack_burnt"})
    with pytest.raises(BadFact, match="seat is missing"):
        event_from_wire({"t": "card_played", "card": "SA", "trick": 1})


def test_an_event_with_more_in_it_than_we_know_is_read() -> None:
    """Fields that a newer server adds are ignored."""
    plain = {"t": "card_played", "seat": "N", "card": "SA", "trick": 1, "cites": [], "felt": "green"}
    assert event_from_wire(plain) == CardPlayed(Seat.N, PACK[12], 1)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ({"do": "play"}, "card is missing"),
        ({"do": "play", "card": "SA", "seat": "N"}, "no field 'seat'"),
        ({"do": "play", "card": "S1"}, "card: not a card"),
        ({"do": "play", "card": "sa"}, "card: not a card"),
        ({"do": "play", "card": 12}, "card: not a card"),
        ({"do": "play", "card": ["SA"]}, "card: not a card"),
        ({"do": "play", "card": "SA", "hand": "X"}, "hand: not one of: N E S W"),
        ({"do": "answer", "none": 1}, "none: neither true nor false"),
        ({"do": "show", "cards": []}, "cards: one to 13 cards"),
        ({"do": "show", "cards": ["SA", "SA"]}, "cards: a card twice"),
        ({"do": "show", "cards": "SA"}, "cards: not a list"),
        ({"do": "claim_revoke", "seat": "N", "trick": -1}, "trick: a number out of range"),
        ({"do": "claim_revoke", "seat": "N", "trick": True}, "trick: not a whole number"),
        ({"do": "claim_revoke", "seat": "N", "trick": 1.0}, "trick: not a whole number"),
        ({"do": "bet", "counters": 10**9, "on": "score", "side": "NS"}, "counters: a number out of range"),
        ({"do": "elect", "penalty": "all", "revoke": 1}, "penalty: not one of: tricks deduct add"),
        ({"do": "deal", "hands": [[], [], [], []]}, "no act 'deal'"),
        ({"do": "lapse"}, "no act 'lapse'"),
        ({"do": "win"}, "no act 'win'"),
        ({"do": 1}, "not a map with 'do'"),
        ({}, "not a map with 'do'"),
        ([], "not a map with 'do'"),
        (None, "not a map with 'do'"),
    ],
)
def test_an_act_that_is_none_is_refused(act: Any, says: str) -> None:
    """A client's act is read exactly or refused, with a word on what is wrong; the clock's and the house's are no client's."""
    with pytest.raises(BadFact, match=says.replace("(", r"\(")):
        command_from_wire(act)


def test_the_store_reads_the_official_acts_too() -> None:
    """With `official`, a deal and a lapse are read."""
    hands = tuple(tuple(PACK[seat * 13 : seat * 13 + 13]) for seat in range(4))
    for command in (Lapse(), Deal(typing.cast(Any, hands), PACK[0])):
        assert command_from_wire(command_to_wire(command), official=True) == command


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(tag=st.sampled_from([*EVENTS, *COMMANDS]), data=st.dictionaries(st.text(max_size=6), JUNK, max_size=4))
def test_no_data_raises_anything_but_bad_fact(tag: str, data: dict[str, Any]) -> None:
    """Whatever stands in a map, reading it gives a fact or BadFact."""
    for read, key in ((event_from_wire, "t"), (command_from_wire, "do")):
        with contextlib.suppress(BadFact):
            read({**data, key: tag})


@given(st.sampled_from([tag for tag, record in EVENTS.items() if record.fields]), st.data())
def test_every_field_of_an_event_is_checked(tag: str, data: st.DataObject) -> None:
    """With any one field of an event replaced by junk, it is read as an event of that type or is BadFact."""
    record = EVENTS[tag]
    plain = event_to_wire(data.draw(records_of(record.cls)))
    field = data.draw(st.sampled_from(record.fields))
    plain[field.name] = data.draw(JUNK)
    try:
        event = event_from_wire(plain)
    except BadFact as bad:
        said = str(bad)
    else:
        said = field.name
        assert type(event) is record.cls
    assert field.name in said


def test_every_limit_of_the_clocks_can_be_set_on_the_wire() -> None:
    """The clocks a host may set are exactly those a table has."""
    assert {field.name for field in dataclasses.fields(ClockLimits)} == set(Clocks.__struct_fields__)


def test_enums_do_not_share_their_wire_names_within_a_kind() -> None:
    """No two members of one enum look the same on the wire."""
    for record in (*EVENTS.values(), *COMMANDS.values()):
        for hint in typing.get_type_hints(record.cls).values():
            if isinstance(hint, type) and issubclass(hint, IntEnum):
                assert len({member.name for member in hint}) == len(hint)
