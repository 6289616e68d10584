"""Codes are data: a new one is one record; the same acts give the same events everywhere; what a code has not is refused by name."""

import os
import subprocess
import sys
from dataclasses import replace
from types import MappingProxyType

import pytest

from oddtrick_rules.code import Code, Law, Rule
from oddtrick_rules.codes.english_1864 import ENGLISH_1864
from oddtrick_rules.codes.registry import CODES, code_named
from oddtrick_rules.commands import Penalty
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import PenaltyExacted
from oddtrick_rules.notation.check import check_record
from oddtrick_rules.seats import Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase
from support.determinism import Chance, digest, some_act
from support.sources import ROOT

# A code that somebody might add: as in 1864, but a revoke costs two points, and that is another law.
TOY = replace(
    ENGLISH_1864,
    id="toy-1999",
    title="A toy code, one law of which is its own",
    revoke_points=2,
    laws=(*ENGLISH_1864.laws, Law("92", "A revoke costs two points, or three tricks.", "act")),
    rules=MappingProxyType({**ENGLISH_1864.rules, Rule.PENALTY: ("92",)}),
)
REVOKED = """Code: english-1864
Dealer: W
Trump: H
Leader: N
Deal: N:K..5. E:4.9.. S:7..2. W:3...4
Tricks: NS 6 EW 5
Score: NS 0 EW 4

N SK, E H9, S S7, W S3, E quits, E S4, S D2, W C4, N D5, E quits, N claims revoke E, N searches, N elects deduct 1
"""


def test_a_toy_code_is_one_record() -> None:
    """With its one law changed the toy code judges the same acts in its own way, and nothing else had to be written."""
    assert check_record(REVOKED + "= law 72, = score NS 0 EW 1\n").ok
    assert check_record(REVOKED + "= score NS 0 EW 2\n", code=TOY).ok
    assert not check_record(REVOKED + "= score NS 0 EW 1\n", code=TOY).ok


def test_a_rubber_is_played_by_a_toy_code() -> None:
    """The toy code serves for whole hands, revokes and penalties included, which cite its law."""
    chance = Chance("toy")
    state = rubber(TOY, enforcement=Enforcement.CLUB, dealer=Seat.N)
    exacted = []
    for _ in range(4000):
        if state.phase is Phase.OVER:
            break
        result = judge(state, *some_act(state, chance))
        if isinstance(result, Verdict):
            state = result.state
            exacted += [event for event in result.events if isinstance(event, PenaltyExacted)]
    assert state.hands_dealt > 2
    assert exacted
    assert all("92" in event.cites and "72" not in event.cites for event in exacted)
    assert {event.penalty for event in exacted} <= set(Penalty)


def test_a_law_taken_out_of_a_code_is_out() -> None:
    """A code without a law has none of the rules that rest on it, and keeps all the others."""
    for code in CODES.values():
        for law in code.laws:
            bare = code.without(law.number)
            assert all(law.number not in cites for cites in bare.rules.values())
            assert all(bare.has(rule) for rule, cites in code.rules.items() if law.number not in cites)


# --- the same everywhere ---

# What `python tests/support/determinism.py` printed; it is written down anew when a law is judged otherwise than before.
DIGESTS = ROOT / "tests/rules/determinism.txt"


def digests_in(interpreter_hash_seed: str) -> str:
    """What an interpreter of its own prints, with that seed for the hashes of texts."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": interpreter_hash_seed,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), *sys.path]),
    }
    script = ROOT / "tests/support/determinism.py"
    return subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_the_same_acts_give_the_same_events_everywhere(seed: str) -> None:
    """Whatever the interpreter and its hashes, chance and code alone decide what happens."""
    assert digests_in(seed) == DIGESTS.read_text(encoding="utf-8"), (
        "other events than written down; if that is meant: "
        "PYTHONPATH=tests python tests/support/determinism.py > tests/rules/determinism.txt"
    )


def test_another_code_gives_other_events() -> None:
    """One law changed shows in the digest, so that it means something."""
    assert digest(TOY) != digest(replace(TOY, id="toy-1999", revoke_points=3))


# --- refused by name ---


@pytest.mark.parametrize("name", ["english-1865", "", "ENGLISH-1864", "american-1893"])
def test_an_unknown_code_is_refused_by_name(name: str) -> None:
    """Who asks for a code that is not there is told which are."""
    with pytest.raises(ValueError, match=r"english-1864.*whist-1900.*bridge-1904") as raised:
        code_named(name)
    assert repr(name) in str(raised.value)


def test_a_record_of_an_unknown_code_is_refused_by_name() -> None:
    """A record names its code, and one that is not there is named in the answer."""
    outcome = check_record(REVOKED.replace("english-1864", "english-1863"))
    assert not outcome.ok
    assert outcome.line == 1
    assert "english-1863" in outcome.reason
    assert all(code in outcome.reason for code in CODES)


@pytest.mark.parametrize(
    ("code", "law"), [("english-1864", "92"), ("english-1864", "12a"), ("whist-1900", "95"), ("bridge-1904", "109")]
)
def test_a_law_of_another_code_is_refused_by_name(code: str, law: str) -> None:
    """A record that expects a law its code has not is told so, with the law and the code."""
    dealt = REVOKED.replace("english-1864", code).replace("Score: NS 0 EW 4\n", "")
    for expected in (f"= law {law}", f"= not law {law}", f"= refused {law}"):
        outcome = check_record(f"{dealt}{expected}\n")
        assert not outcome.ok
        assert f"{code} has no law {law}" in outcome.reason


@pytest.mark.parametrize(
    ("code", "act", "of"),
    [
        ("english-1864", "W declares H", "bridge-1904"),
        ("whist-1900", "W doubles", "bridge-1904"),
        ("whist-1900", "E reviews", "english-1864"),
        ("bridge-1904", "W leaves trump", "english-1864 and whist-1900"),
        ("bridge-1904", "W forgets", "english-1864 and whist-1900"),
        ("bridge-1904", "S plays out", "english-1864 and whist-1900"),
    ],
)
def test_an_act_of_another_code_is_refused_by_name(code: str, act: str, of: str) -> None:
    """An act the code does not have is named with the codes that have it."""
    header = REVOKED.partition("N SK")[0].replace("english-1864", code).replace("Score: NS 0 EW 4\n", "")
    outcome = check_record(header + act)
    assert not outcome.ok
    assert f"`{act}` is refused: it is an act of {of}, not of {code}" in outcome.reason


def test_an_act_that_no_code_has_is_refused() -> None:
    """A word that is no act is named with its line."""
    outcome = check_record(REVOKED + "N trumpets\n")
    assert not outcome.ok
    assert "trumpets" in outcome.reason


def sized(code: Code) -> int:
    return len(code.rules)


def test_no_two_codes_are_alike() -> None:
    """Each of the three is a record of its own, and no module of the engine names one."""
    assert len({code.id for code in CODES.values()}) == 3
    assert all(sized(code) > 60 for code in CODES.values())
    judged = list((ROOT / "rules/oddtrick_rules").glob("laws/*.py"))
    named = [path.name for path in judged for code in CODES if code in path.read_text(encoding="utf-8")]
    assert not named
