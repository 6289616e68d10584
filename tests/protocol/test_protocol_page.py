"""PROTOCOL.md says what the code does."""

import json
import re

import pytest

from oddtrick_protocol.codec import CLIENT_TYPES, SERVER_TYPES, codec_for
from oddtrick_protocol.facts import command_from_wire, event_from_wire
from oddtrick_protocol.version import JSON
from oddtrick_rules.awaits import AwaitKind
from support.protocol_page import PAGE, TABLES, filled, tables_in

PAGE_TEXT = PAGE.read_text(encoding="utf-8")
SESSION = re.findall(r"^([<>]) (\{.*\})$", PAGE_TEXT, re.MULTILINE)


def test_every_table_of_the_page_is_as_the_code_has_it() -> None:
    """The tables of PROTOCOL.md agree with messages, facts, codes and limits, word for word."""
    assert filled(PAGE_TEXT) == PAGE_TEXT, "run: PYTHONPATH=tests python tests/support/protocol_page.py"


def test_every_table_there_is_stands_in_the_page_once() -> None:
    """No message, act, event, refusal, close code or limit is left out of PROTOCOL.md."""
    assert sorted(tables_in(PAGE_TEXT)) == sorted(TABLES)


def test_a_table_changed_by_hand_is_caught() -> None:
    """A row that the code does not have is found when it is planted."""
    changed = PAGE_TEXT.replace("| `ping` |", "| `pong` |", 1)
    assert changed != PAGE_TEXT
    assert filled(changed) == PAGE_TEXT


def test_every_kind_of_prompt_is_explained() -> None:
    """The table of prompts names everything a seat may be waited for, but for the linger and the deal, which ask nobody."""
    prompts = set(re.findall(r"`([a-z ]+)`", PAGE_TEXT.split("| `kind` |")[1].split("\n\n")[0]))
    assert {kind.value for kind in AwaitKind} - {"linger", "deal"} <= prompts


@pytest.mark.parametrize(("direction", "line"), SESSION)
def test_the_session_written_out_is_spoken(direction: str, line: str) -> None:
    """Every message of the example is one that the codec reads, and every act and event in it one that the rules know."""
    codec = codec_for(JSON)
    message = codec.decode_client(line) if direction == ">" else codec.decode_server(line)
    plain = json.loads(line)
    assert plain["t"] in (CLIENT_TYPES if direction == ">" else SERVER_TYPES)
    assert type(message) in {*CLIENT_TYPES.values(), *SERVER_TYPES.values()}
    for act in [*plain.get("acts", []), *([plain["act"]] if "act" in plain else [])]:
        command_from_wire(act)
    for item in plain.get("events", []):
        event_from_wire(item["event"])


def test_the_session_written_out_is_there() -> None:
    """The example is found, so that checking it does not pass by reading nothing."""
    assert len(SESSION) > 10
