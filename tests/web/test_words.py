"""The catalogues of words: every language says the same, and every word a page asks for is there."""

import json
import re

import pytest

from oddtrick_protocol.closing import refusal_codes
from oddtrick_protocol.facts import EVENTS
from oddtrick_rules.awaits import AwaitKind
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Demand
from oddtrick_rules.state import RightKind
from oddtrick_server.talking import PHRASES
from web.node import ROOT, evaluated

WEB = ROOT / "server/oddtrick_server/web"
HOLE = re.compile(r"\{(\w+)(?:\|[^}]*)?\}")
USED = re.compile(r'\bt(?:Or)?\("([a-z_.A-Z]+)"')

# What happens without a word: what all can see, or what is told otherwise (log.js).
SILENT = {
    "renounced", "duty_ended", "calls_restored", "trick_gathered", "trick_quitted", "seat_committed", "reveals_asked",
    "queue_formed", "seat_revealed", "right_kept", "table_opened", "clocks_set", "right_closed", "answered",
}  # fmt: skip


def catalogue(path: str, name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(
        evaluated(
            f'import {{ {name} }} from "./server/oddtrick_server/web/{path}"; console.log(JSON.stringify({name}));'
        )
    )
    return found


@pytest.fixture(scope="module")
def english() -> dict[str, str]:
    return catalogue("en.js", "EN")


def test_every_word_asked_for_is_there(english: dict[str, str]) -> None:
    """A text that a module names is in the catalogue."""
    for path in sorted(WEB.rglob("*.js")):
        missing = {key for key in USED.findall(path.read_text(encoding="utf-8")) if key not in english}
        assert not missing, f"{path.name}: {missing}"


def test_german_says_what_english_says(english: dict[str, str]) -> None:
    """The second language has the same texts with the same holes to fill, and hardly one that is the same."""
    german = catalogue("later/de.js", "DE")
    assert set(german) == set(english)
    for key, text in english.items():
        assert set(HOLE.findall(german[key])) == set(HOLE.findall(text)), key
    same = [key for key in english if german[key] == english[key] and len(english[key]) > 12]
    assert len(same) < 12, same


def test_every_event_can_be_told(english: dict[str, str]) -> None:
    """Each kind of event has its sentence, but for those that need none."""
    for tag in EVENTS:
        assert tag in SILENT or f"ev.{tag}" in english, tag


def test_every_refusal_of_the_laws_can_be_told(english: dict[str, str]) -> None:
    """Each reason for which an act may be refused has a sentence of ours."""
    told_by_the_server = {
        "hello_first", "bad_token", "version", "no_such_code", "no_such_law", "no_such_bot", "no_such_phrase",
        "no_such_person", "bad_commitment", "bad_seq", "seed_refused",
    }  # fmt: skip
    missing = {code for code in refusal_codes() if f"refused.{code}" not in english} - told_by_the_server
    assert not missing


def test_whatever_the_rules_may_name_has_a_name(english: dict[str, str]) -> None:
    """Codes, prompts, demands, penalties and set phrases are all in the catalogue."""
    for code in CODES:
        assert f"code.{code}" in english
    for kind in set(AwaitKind) - {AwaitKind.LINGER, AwaitKind.DEAL}:
        assert f"ask.{kind.value}" in english
    for demand in Demand:
        assert f"demand.{demand.value}" in english
    for right in RightKind:
        assert f"right.{right.value}" in english
    for phrase in PHRASES:
        assert f"phrase.{phrase}" in english


def test_no_module_speaks_of_its_own() -> None:
    """No sentence for a reader stands in a module outside the catalogues."""
    spoken = re.compile(r'"[A-Z][a-z]+(?: [a-z]+){2,}[^"]*"')
    for path in sorted(WEB.rglob("*.js")):
        if path.name.startswith(("en", "de")):
            continue
        assert not spoken.findall(path.read_text(encoding="utf-8")), path.name
