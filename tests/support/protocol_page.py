"""The tables of PROTOCOL.md, made from the code; `python tests/support/protocol_page.py` writes them into the page.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`. What is said outside of them is written by hand.
"""

import dataclasses
import enum
import re
import types
import typing
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from oddtrick_protocol import limits
from oddtrick_protocol.closing import CLOSE_CODES, LAW_REFUSALS, REFUSALS
from oddtrick_protocol.codec import CLIENT_TYPES, SERVER_TYPES
from oddtrick_protocol.facts import COMMANDS, EVENTS, OFFICIAL_COMMANDS, Record, enum_names, record_of
from oddtrick_protocol.messages import Clock, Clocks, HandLine, Item, LawText, TableLine
from oddtrick_protocol.table_events import TableEvent
from oddtrick_protocol.table_info import TableInfo
from oddtrick_rules.cards import Card, Suit
from oddtrick_rules.code import Code
from oddtrick_rules.seats import Seat, Side
from oddtrick_rules.state import State
from support.sources import ROOT

PAGE = ROOT / "client_sdk" / "PROTOCOL.md"
MARK = re.compile(r"(<!-- table: ([a-z ]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

Rows = Iterable[tuple[str, ...]]


def table(head: tuple[str, ...], rows: Rows) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join('---' for _ in head)}|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def gist(cls: type) -> str:
    """The first paragraph of a docstring, as a cell."""
    return " ".join((cls.__doc__ or "").split("\n\n")[0].split()).replace("|", "\\|")


# --- messages ---


def struct_type(kind: Any) -> str:
    """A field's type as a reader of any language understands it."""
    info = kind
    if isinstance(info, msgspec.inspect.UnionType):
        kinds = [one for one in info.types if not isinstance(one, msgspec.inspect.NoneType)]
        return " or ".join(dict.fromkeys(struct_type(one) for one in kinds))
    if isinstance(info, msgspec.inspect.LiteralType):
        return ", ".join(f"`{value}`" for value in info.values)
    if isinstance(info, msgspec.inspect.StrType):
        return text_type(info)
    if isinstance(info, msgspec.inspect.IntType):
        return "number" if info.ge is None else f"number {info.ge}..{info.le}"
    if isinstance(info, msgspec.inspect.BoolType):
        return "bool"
    if isinstance(info, msgspec.inspect.ListType):
        return f"list of {struct_type(info.item_type)}"
    if isinstance(info, msgspec.inspect.StructType):
        return f"[{info.cls.__name__}](#nested-maps)"
    return "map"


def text_type(info: msgspec.inspect.StrType) -> str:
    if info.pattern is not None:
        return "hex"
    return "text" if info.max_length is None else f"text ≤ {info.max_length}"


def struct_fields(struct: type[msgspec.Struct], leave_out: tuple[str, ...] = ()) -> str:
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    cells = []
    for field in info.fields:
        if field.name in leave_out:
            continue
        default = "" if field.required else default_text(field.default)
        cells.append(f"`{field.name}`{'' if field.required else '?'}: {struct_type(field.type)}{default}")
    return "; ".join(cells) or "–"


def default_text(default: object) -> str:
    if default is msgspec.NODEFAULT or default in (None, "", 0, False):
        return ""
    return f" (`{str(default).lower() if isinstance(default, bool) else default}`)"


def messages(types: dict[str, type[msgspec.Struct]], leave_out: tuple[str, ...]) -> str:
    rows = ((f"`{tag}`", struct_fields(struct, leave_out), gist(struct)) for tag, struct in types.items())
    return table(("`t`", "fields", "meaning"), rows)


def nested() -> str:
    structs = (Clocks, TableLine, HandLine, LawText, Item, Clock)
    return table(("map", "fields"), ((f"{one.__name__}", struct_fields(one)) for one in structs))


# --- facts ---

NAMES = {
    Card: "card",
    Seat: "seat",
    Side: "side",
    Suit: "suit",
    Code: "code of laws",
    int: "number",
    bool: "bool",
    str: "text",
}
COUNTS = {2: "two", 4: "four"}


def fact_type(hint: Any) -> str:
    """What stands on the wire for an annotation."""
    if hint in NAMES:
        return NAMES[hint]
    args = [arg for arg in typing.get_args(hint) if arg is not types.NoneType]
    if typing.get_origin(hint) is tuple:
        if args[-1] is Ellipsis:
            return f"list of {item_type(args[0])}"
        if len(set(args)) == 1:
            return f"{COUNTS[len(args)]} of {item_type(args[0])}"
        return f"[{', '.join(item_type(arg) for arg in args)}]"
    if args:
        return fact_type(args[0])
    return f"[{hint.__name__}](#{'records' if dataclasses.is_dataclass(hint) else 'words'})"


def item_type(hint: Any) -> str:
    optional = types.NoneType in typing.get_args(hint)
    return f"{fact_type(hint)} or null" if optional else fact_type(hint)


def fact_fields(record: Record) -> str:
    cells = []
    hints = typing.get_type_hints(record.cls)
    for field in record.fields:
        optional = field.default is not dataclasses.MISSING
        shown = "four sets of cards" if field.annotation == "Masks" else fact_type(hints[field.name])
        cells.append(f"`{field.name}`{'?' if optional else ''}: {shown}")
    return "; ".join(cells) or "–"


def facts(records: Iterable[Record]) -> str:
    return table(
        ("type", "fields", "meaning"),
        ((f"`{record.tag}`", fact_fields(record), gist(record.cls)) for record in records),
    )


def table_events() -> list[Record]:
    return [record_of(cls) for cls in typing.get_args(TableEvent)]


def rule_events() -> list[Record]:
    tags = {record.tag for record in table_events()}
    return [record for tag, record in EVENTS.items() if tag not in tags]


def client_commands() -> list[Record]:
    return [record for record in COMMANDS.values() if record.cls not in OFFICIAL_COMMANDS]


def used(kind: Callable[[Any], bool]) -> dict[str, Any]:
    """Every class of that kind that the fields of events, commands, views and infos lead to, by name."""
    found: dict[str, Any] = {}
    waiting: list[Any] = [record.cls for record in (*EVENTS.values(), *client_commands())] + [State, TableInfo]
    seen: set[Any] = set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if kind(one):
            found[one.__name__] = one
        if isinstance(one, type) and dataclasses.is_dataclass(one) and one is not Code:
            waiting.extend(typing.get_type_hints(one).values())
        waiting.extend(arg for arg in typing.get_args(one) if arg is not Ellipsis)
    return dict(sorted(found.items()))


def record_names() -> dict[str, Any]:
    tags = {record.cls.__name__ for record in (*EVENTS.values(), *COMMANDS.values())}
    return {name: cls for name, cls in used(dataclasses.is_dataclass).items() if name not in tags and name != "Code"}


def records() -> str:
    rows = ((name, fact_fields(record_of(cls)), gist(cls)) for name, cls in record_names().items())
    return table(("record", "fields", "meaning"), rows)


def words() -> str:
    enums = used(lambda one: isinstance(one, type) and issubclass(one, enum.Enum))
    return table(
        ("kind", "values"),
        ((name, ", ".join(f"`{value}`" for value in enum_names(cls))) for name, cls in enums.items()),
    )


# --- closing and limits ---


def closes() -> str:
    rows = ((str(int(row.code)), row.meaning, f"`{row.then}`") for row in CLOSE_CODES.values())
    return table(("code", "meaning", "then"), rows)


def refusals() -> str:
    rows = [(f"`{code}`", meaning) for code, meaning in REFUSALS.items()]
    rows += [(f"`{code}`", f"{meaning} (the laws)") for code, meaning in LAW_REFUSALS.items()]
    return table(("code", "meaning"), rows)


def bounds() -> str:
    rows = []
    for name, value in vars(limits).items():
        if name.isupper():
            shown = " to ".join(f"{part:,}" for part in value) if isinstance(value, tuple) else f"{value:,}"
            rows.append((f"`{name.lower()}`", shown))
    return table(("limit", "value"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "client messages": lambda: messages(CLIENT_TYPES, ("id",)),
    "server messages": lambda: messages(SERVER_TYPES, ()),
    "nested maps": nested,
    "acts": lambda: facts(client_commands()),
    "events of the rules": lambda: facts(rule_events()),
    "events of the table": lambda: facts(table_events()),
    "records": records,
    "words": words,
    "close codes": closes,
    "refusals": refusals,
    "limits": bounds,
}


def filled(page: str) -> str:
    """The page with every table as the code has it now; KeyError for a table nobody makes."""
    return MARK.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[4]}", page)


def tables_in(page: str) -> list[str]:
    return [found[2] for found in MARK.finditer(page)]


def main(path: Path = PAGE) -> None:
    path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
