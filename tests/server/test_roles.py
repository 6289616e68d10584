"""Who may ask what: every command of a table times every role."""

from typing import Any

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.codec import CLIENT_TYPES
from oddtrick_protocol.messages import Clocks
from oddtrick_server.person import No, Person
from oddtrick_server.roles import MATRIX, Role, refusal_for
from support.tables import ANNA, BEN, CLARA, Seated, person

EVE, MALLORY = person("Eve"), person("Mallory")
ROLES: dict[str, Person] = {"host": ANNA, "seat": BEN, "bystander": EVE, "stranger": MALLORY}
FIELDS: dict[type[m.ClientMessage], dict[str, Any]] = {
    m.Resume: {"seq": 0},
    m.Kick: {"who": CLARA.identity},
    m.SetClocks: {"clocks": Clocks(turn_ms=20_000)},
    m.RemoveBot: {"seat": "W"},
    m.Propose: {"what": "referee", "who": EVE.identity},
    m.Consent: {"proposal": 1},
    m.Act: {"act": {"do": "place"}},
    m.Chat: {"channel": "table", "text": "hello"},
    m.Phrase: {"phrase": "hello"},
    m.Commit: {"hand": 1, "commitment": "00" * 32},
    m.Reveal: {"hand": 1, "entropy": "00" * 32},
}
# For everybody but those whom the matrix names: what they are told.
TOLD = {
    "host": {"stranger": "not_host", "bystander": "not_host", "seat": "not_host"},
    "seat": {"stranger": "not_at_table", "bystander": "not_seated"},
    "member": {"stranger": "not_at_table"},
    "bystander": {"stranger": "not_at_table", "seat": "forbidden", "host": "forbidden"},
    "anybody": {},
}
KIND = {
    **dict.fromkeys([m.Start, m.Kick, m.SetClocks, m.AddBot, m.RemoveBot], "host"),
    **dict.fromkeys(
        [m.Stand, m.Pause, m.Unpause, m.Again, m.Propose, m.Act, m.Phrase, m.Away, m.Back, m.Commit, m.Reveal], "seat"
    ),
    **dict.fromkeys([m.Resume, m.Leave, m.Chat, m.Consent], "member"),
    **dict.fromkeys([m.Sit, m.Watch], "anybody"),
    m.DeclareIn: "bystander",
}


def prepared() -> Seated:
    """Anna is host and sits North, Ben East, Clara South, a bot West; Eve watches, Mallory is nobody."""
    table = Seated(bots=1)
    table.sit_all(ANNA, BEN, CLARA)
    table.done(EVE, m.Watch)
    return table


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", MATRIX, ids=lambda kind: kind.__name__)
def test_the_matrix(kind: type[m.ClientMessage], role: str) -> None:
    """Each command in each role is let to its own judgement, or refused with the code that the role deserves (B22)."""
    table = prepared()
    before = table.fingerprint()
    reply = table.ask(ROLES[role], kind, **FIELDS.get(kind, {}))
    told = TOLD[KIND[kind]].get(role)
    if told is not None:
        assert isinstance(reply, No)
        assert reply.code == told
        assert table.fingerprint() == before
    else:
        code = reply.code if isinstance(reply, No) else ""
        assert code not in {"not_host", "not_seated", "not_at_table"}


def test_the_matrix_is_whole() -> None:
    """Every message about a table that the table itself answers stands in the matrix, and in these tests."""
    own = {kind for kind in CLIENT_TYPES.values() if issubclass(kind, m.TableMessage | m.Sit)} - {m.Record}
    assert set(MATRIX) == own == set(KIND)


def test_what_is_not_in_the_matrix_is_for_nobody() -> None:
    """A command without a row is refused to everybody, the host included."""
    assert refusal_for(m.Hello, frozenset(Role)) is not None
