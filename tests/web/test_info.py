"""The page's fold of a table's own events, against `info_after`; and that no event is folded by neither."""

import json
from dataclasses import fields
from random import Random
from typing import Any, get_args

from oddtrick_protocol.facts import EVENTS, event_to_wire, info_to_wire
from oddtrick_protocol.table_events import ClockLimits, TableEvent
from oddtrick_protocol.table_info import TableInfo, info_after
from oddtrick_rules.cards import PACK
from oddtrick_rules.seats import SEATS
from oddtrick_rules.state import Enforcement
from web.node import evaluated

RUNS = 30
EVENTS_IN_A_RUN = 120
CHECK = """
import { createInterface } from "node:readline";
import { infoAfter, newInfo } from "./client_sdk/oddtrick_sdk/js/info.js";
const plain = (value) => JSON.stringify(value, (key, one) =>
  one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.keys(one).sort().filter((name) => one[name] !== null && one[name] !== undefined).map((name) => [name, one[name]])) : one);
let info = newInfo();
for await (const line of createInterface({ input: process.stdin })) {
  const { fact, then } = JSON.parse(line);
  info = fact === null ? newInfo() : infoAfter(info, fact);
  if (plain(info) !== plain(then)) throw new Error(`after ${line}: ${plain(info)}`);
}
console.log("same");
"""

# Facts of the laws that are told and change no view.
NOTED = {
    "led_on", "placed", "reviewed", "said_mine", "card_named", "trump_forgotten", "searched", "consulted",
    "spoken_out_of_turn",
}  # fmt: skip


def value(name: str, kind: str, chance: Random) -> Any:
    """Something that could stand in a field."""
    if kind == "Seat":
        return chance.choice(SEATS)
    if kind.startswith("tuple[Seat"):
        return tuple(chance.sample(SEATS, 4 if "..." not in kind else chance.randrange(5)))
    if kind.startswith("tuple["):
        return tuple(chance.sample(PACK if "Card" in kind else ("anna", "ben", "0a"), 2))
    if kind.startswith("Seat"):
        return chance.choice([None, *SEATS])
    if kind == "Enforcement":
        return chance.choice(list(Enforcement))
    if kind == "ClockLimits":
        return ClockLimits(turn_ms=chance.randrange(9) * 1000)
    if kind == "bool":
        return chance.random() < 0.5
    if kind.startswith("int"):
        return chance.randrange(5)
    if kind == "str | None":
        return chance.choice([None, "courteous"])
    if name == "what":
        return chance.choice(["substitute", "remark"])
    return chance.choice(["", "anna", "ben", "0a", "all"]) if name != "watch" else chance.choice(["all", "none"])


def some_event(chance: Random) -> TableEvent:
    """Any event of a table, with anything in it."""
    kind = chance.choice(get_args(TableEvent))
    event: TableEvent = kind(**{one.name: value(one.name, str(one.type), chance) for one in fields(kind)})
    return event


def test_what_the_page_folds_is_the_info(request: Any) -> None:
    """After any run of a table's events, the page's info is the one a snapshot would hold."""
    chance = Random(request.config.option.seed)
    lines = []
    for _ in range(RUNS):
        info = TableInfo()
        lines.append(json.dumps({"fact": None, "then": info_to_wire(info)}))
        for _ in range(EVENTS_IN_A_RUN):
            event = some_event(chance)
            info = info_after(info, event)
            lines.append(json.dumps({"fact": event_to_wire(event), "then": info_to_wire(info)}))
    assert evaluated(CHECK, "\n".join(lines)).strip() == "same"


def test_every_event_is_folded() -> None:
    """Each event of the protocol is folded into the view or the info, or is known to change neither."""
    script = """
    import { LAW_FACTS, TABLE_FACTS } from "./client_sdk/oddtrick_sdk/js/oddtrick.js";
    console.log(JSON.stringify([...LAW_FACTS, ...TABLE_FACTS]));
    """
    folded = set(json.loads(evaluated(script)))
    assert set(EVENTS) - folded - {"rubber_began"} == NOTED
    assert folded <= set(EVENTS)
