"""Every command times everybody there is: allowed, or refused with the code he deserves, and never done in silence (B22)."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import refusal_codes
from oddtrick_protocol.codec import CLIENT_TYPES
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.person import Done, No
from oddtrick_server.settings import Settings
from support.house import UNHURRIED
from support.tables import ANNA, BEN, CLARA, DEV, Seated, person, seeded
from support.wire import Peer, dial

# Anna is host and sits North with Clara as her partner; Ben is an adversary, Robot a bot through the SDK; Eve and Dev
# watch; Ruth watches too, and once a rubber is begun the four make her their referee of fact; Mallory is nobody.
ROBOT, EVE, RUTH, MALLORY = person("Robot", bot=True), person("Eve"), person("Ruth"), person("Mallory")
WHO = {
    "host": ANNA, "partner": CLARA, "seat": BEN, "bot": ROBOT, "bystander": EVE, "referee": RUTH, "stranger": MALLORY,
}  # fmt: skip

BEFORE_A_RUBBER = """
    command    | host           | partner        | seat           | bot            | bystander      | referee        | stranger
    sit        | already_seated | already_seated | already_seated | already_seated | no_free_seat   | no_free_seat   | no_free_seat
    stand      | ok             | ok             | ok             | ok             | not_seated     | not_seated     | not_at_table
    leave      | ok             | ok             | ok             | ok             | ok             | ok             | not_at_table
    watch      | already_seated | already_seated | already_seated | already_seated | idle           | idle           | ok
    declare_in | forbidden      | forbidden      | forbidden      | forbidden      | not_ready      | not_ready      | not_at_table
    start      | ok             | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    kick       | ok             | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    set_clocks | ok             | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    add_bot    | seat_taken     | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    remove_bot | no_such_bot    | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    pause      | not_ready      | not_ready      | not_ready      | not_ready      | not_seated     | not_seated     | not_at_table
    unpause    | not_ready      | not_ready      | not_ready      | not_ready      | not_seated     | not_seated     | not_at_table
    again      | not_ready      | not_ready      | not_ready      | not_ready      | not_seated     | not_seated     | not_at_table
    propose    | not_ready      | not_ready      | not_ready      | not_ready      | not_seated     | not_seated     | not_at_table
    consent    | superseded     | superseded     | superseded     | superseded     | superseded     | superseded     | not_at_table
    act        | not_ready      | not_ready      | not_ready      | not_ready      | not_seated     | not_seated     | not_at_table
    chat       | ok             | ok             | ok             | ok             | channel_closed | channel_closed | not_at_table
    phrase     | ok             | ok             | ok             | ok             | not_seated     | not_seated     | not_at_table
    away       | ok             | ok             | ok             | ok             | not_seated     | not_seated     | not_at_table
    back       | idle           | idle           | idle           | idle           | not_seated     | not_seated     | not_at_table
    resume     | idle           | idle           | idle           | idle           | idle           | idle           | not_at_table
    commit     | bad_commitment | bad_commitment | bad_commitment | bad_commitment | not_seated     | not_seated     | not_at_table
    reveal     | bad_commitment | bad_commitment | bad_commitment | bad_commitment | not_seated     | not_seated     | not_at_table
"""
IN_PLAY = """
    command    | host           | partner        | seat           | bot            | bystander      | referee        | stranger
    sit        | already_seated | already_seated | already_seated | already_seated | no_free_seat   | no_free_seat   | no_free_seat
    stand      | ok             | ok             | ok             | ok             | not_seated     | not_seated     | not_at_table
    leave      | ok             | ok             | ok             | ok             | ok             | ok             | not_at_table
    watch      | already_seated | already_seated | already_seated | already_seated | idle           | idle           | ok
    declare_in | forbidden      | forbidden      | forbidden      | forbidden      | not_ready      | not_ready      | not_at_table
    start      | in_play        | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    kick       | ok             | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    set_clocks | in_play        | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    add_bot    | in_play        | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    remove_bot | in_play        | not_host       | not_host       | not_host       | not_host       | not_host       | not_host
    pause      | ok             | ok             | ok             | ok             | not_seated     | not_seated     | not_at_table
    unpause    | not_ready      | not_ready      | not_ready      | not_ready      | not_seated     | not_seated     | not_at_table
    again      | in_play        | in_play        | in_play        | in_play        | not_seated     | not_seated     | not_at_table
    propose    | ok             | ok             | ok             | ok             | not_seated     | not_seated     | not_at_table
    consent    | superseded     | superseded     | superseded     | superseded     | superseded     | superseded     | not_at_table
    act        | not_now        | not_now        | not_now        | not_now        | not_seated     | not_seated     | not_at_table
    chat       | channel_closed | channel_closed | channel_closed | channel_closed | channel_closed | channel_closed | not_at_table
    phrase     | ok             | ok             | ok             | ok             | not_seated     | not_seated     | not_at_table
    away       | ok             | ok             | ok             | ok             | not_seated     | not_seated     | not_at_table
    back       | idle           | idle           | idle           | idle           | not_seated     | not_seated     | not_at_table
    resume     | idle           | idle           | idle           | idle           | idle           | idle           | not_at_table
    commit     | bad_commitment | bad_commitment | bad_commitment | bad_commitment | not_seated     | not_seated     | not_at_table
    reveal     | bad_commitment | bad_commitment | bad_commitment | bad_commitment | not_seated     | not_seated     | not_at_table
"""
# What no single table answers: at a server with a private table where a hand has been played out.
AT_THE_LOBBY = """
    command    | host           | partner        | seat           | bot            | bystander      | referee        | stranger
    hello      | malformed_message | malformed_message | malformed_message | malformed_message | malformed_message | malformed_message | malformed_message
    create     | ok             | ok             | ok             | ok             | ok             | ok             | ok
    tables     | ok             | ok             | ok             | ok             | ok             | ok             | ok
    law        | ok             | ok             | ok             | ok             | ok             | ok             | ok
    hands      | ok             | ok             | ok             | ok             | ok             | ok             | ok
    record     | ok             | ok             | ok             | ok             | ok             | ok             | no_such_hand
    ping       | ok             | ok             | ok             | ok             | ok             | ok             | ok
"""
FIELDS: dict[str, dict[str, Any]] = {
    "sit": {"seat": "any"},
    "resume": {"seq": 0},
    "kick": {"who": DEV.identity},
    "set_clocks": {"clocks": m.Clocks(turn_ms=20_000)},
    "add_bot": {"seat": "N"},
    "remove_bot": {"seat": "N"},
    "act": {"act": {"do": "place"}},
    "chat": {"channel": "table", "text": "good evening"},
    "phrase": {"phrase": "hello"},
    "propose": {"what": "remark", "who": EVE.identity},
    "consent": {"proposal": 99},
    "commit": {"hand": 1, "commitment": "00" * 32},
    "reveal": {"hand": 1, "entropy": "00" * 32},
}
Cell = tuple[str, str, str]


def cells(matrix: str) -> list[Cell]:
    """Every command, role and what comes of it."""
    head, *rows = ([cell.strip() for cell in line.split("|")] for line in matrix.strip().splitlines())
    assert head == ["command", *WHO]
    return [(row[0], who, cell) for row in rows for who, cell in zip(WHO, row[1:], strict=True)]


def prepared(*, playing: bool) -> Seated:
    table = Seated()
    for one, seat in zip((ANNA, BEN, CLARA, ROBOT), "NESW", strict=True):
        table.done(one, m.Sit, seat=seat)
    for one in (EVE, RUTH, DEV):
        table.done(one, m.Watch)
    if playing:
        table.done(ANNA, m.Start)
        table.deal()
        table.done(ANNA, m.Propose, what="referee", who=RUTH.identity)
        for one in (BEN, CLARA, ROBOT):
            table.done(one, m.Consent, proposal=1)
        assert table.table.book.info.referee == RUTH.identity
    return table


@pytest.mark.parametrize(("command", "who", "cell"), cells(BEFORE_A_RUBBER), ids="-".join)
def test_who_may_do_what_before_a_rubber(command: str, who: str, cell: str) -> None:
    """B22: one command served two ends and anybody could ruin a table; here each is done for those it is for, refused to the rest."""
    holds(prepared(playing=False), command, who, cell)


@pytest.mark.parametrize(("command", "who", "cell"), cells(IN_PLAY), ids="-".join)
def test_who_may_do_what_while_a_rubber_is_played(command: str, who: str, cell: str) -> None:
    """Each command is done for those it is for, with an event that tells of it, and refused by name to all others (B22)."""
    holds(prepared(playing=True), command, who, cell)


def holds(table: Seated, command: str, who: str, cell: str) -> None:
    """Let somebody ask something: what is done is seen, what is refused or idle changes nothing."""
    before = table.fingerprint()
    kind = cast("type[m.ClientMessage]", CLIENT_TYPES[command])
    reply = table.ask(WHO[who], kind, **FIELDS.get(command, {}))
    if isinstance(reply, No):
        assert reply.code == cell
        assert reply.text
        assert table.fingerprint() == before
    else:
        assert isinstance(reply, Done)
        assert cell == ("ok" if table.fingerprint() != before else "idle")


async def test_who_may_do_what_at_the_lobby() -> None:
    """What no table answers is for everybody, but for the hand of a private table, which is for those who were there (B22)."""
    clock = VirtualClock()
    settings = Settings(port=0, store="memory", limits=UNHURRIED)
    async with App(settings, clock=clock, entropy=seeded("matrix")) as app:
        peers = {who: await (await dial(app.url)).hello(one.name) for who, one in WHO.items()}
        table = await played_out(clock, peers)
        fields: dict[str, dict[str, Any]] = {
            "hello": {"name": "Again", "protocol": 1},
            "law": {"code": "english-1864", "number": "73"},
            "hands": {"table": table},
            "record": {"table": table, "hand": 1},
        }
        for command, who, cell in cells(AT_THE_LOBBY):
            answer = await peers[who].ask(t=command, **fields.get(command, {}))
            assert {"ok": "ok", "pong": "ok"}.get(answer["t"], answer.get("code")) == cell, (command, who, answer)
        assert (await peers["stranger"].ok(t="hands", table=table))["hands"] == []
        for peer in peers.values():
            await peer.close()


async def played_out(clock: VirtualClock, peers: dict[str, Peer]) -> str:
    """A private table with these people, and a hand played out by the clock."""
    host = peers["host"]
    made = await host.ok(t="create", private=True, clocks={"turn_ms": 10_000})
    table: str = made["table"]
    for who, seat in (("host", "N"), ("seat", "E"), ("partner", "S"), ("bot", "W")):
        await peers[who].ok(t="sit", table=table, seat=seat, invite=made["invite"])
    for who in ("bystander", "referee"):
        await peers[who].ok(t="watch", table=table, invite=made["invite"])
    await host.ok(t="start", table=table)
    await host.event("deal_committed")
    clock.move(DEFAULT_LIMITS.commit_s)
    await host.event("hand_dealt")
    while not (await host.ok(t="hands"))["hands"]:
        clock.move(20.0)
        await asyncio.sleep(0.001)
    return table


def test_the_tables_are_whole() -> None:
    """Every message a client can send stands in these tables, for everybody, with codes that there are."""
    at_a_table = {tag for tag, kind in CLIENT_TYPES.items() if issubclass(kind, m.TableMessage | m.Sit)} - {"record"}
    known = {"ok", "idle", *refusal_codes()}
    checks: list[tuple[str, set[str]]] = [
        (BEFORE_A_RUBBER, at_a_table),
        (IN_PLAY, at_a_table),
        (AT_THE_LOBBY, set(CLIENT_TYPES) - at_a_table),
    ]
    for matrix, commands in checks:
        assert {command for command, _, _ in cells(matrix)} == commands
        assert {cell for _, _, cell in cells(matrix)} <= known


PLANTED: list[Callable[[Seated], object]] = [
    lambda table: table.ask(MALLORY, m.Start),
    lambda table: table.ask(EVE, m.Kick, who=BEN.identity),
]


@pytest.mark.parametrize("asked", PLANTED)
def test_a_door_left_open_would_be_seen(asked: Callable[[Seated], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """If the matrix let everybody do everything, strangers and bystanders would get done what these tables refuse."""
    monkeypatch.setattr("oddtrick_server.table.refusal_for", lambda _kind, _roles: None)
    assert isinstance(asked(prepared(playing=False)), Done)
