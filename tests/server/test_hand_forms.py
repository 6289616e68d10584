"""Finished hands in every form they can be had in."""

import json
import random

import pytest

from oddtrick_cli.verify import hands_in, read_proof
from oddtrick_protocol import messages as m
from oddtrick_protocol.facts import command_to_wire
from oddtrick_rules.legal import dynamic, legal
from oddtrick_rules.notation.check import check_record
from oddtrick_rules.seats import SEATS
from oddtrick_rules.shuffle import verify_chain, verify_deal
from oddtrick_server.hand_forms import formed, last_state
from oddtrick_server.hand_record import (
    RECORD_VERSION,
    HandRecord,
    decode_record,
    encode_record,
    summary_of,
)
from oddtrick_server.store.errors import StoreCorrupt, StoreTooNew
from support.tables import ANNA, Seated, person


def played(code: str, enforcement: str, seed: int, *, hands: int) -> Seated:
    """A table where so many hands have been played, not always well."""
    rng = random.Random(f"{seed}/{code}/{enforcement}")
    table = Seated(chance=seed, code=code, enforcement=enforcement)
    table.play_on()
    for _ in range(6_000):
        if len(table.finished) >= hands:
            return table
        seat = rng.choice(SEATS)
        acts = legal(table.state, seat) if rng.random() < 0.05 else dynamic(table.state, seat)
        wait = table.table.book.waits.of(seat)
        if acts and rng.random() < 0.6:
            prompt = None if wait is None else wait.id
            table.ask(table.at(seat), m.Act, act=command_to_wire(rng.choice(acts)), prompt=prompt)
        else:
            table.wait(2)
    raise AssertionError("the hands do not end")


@pytest.mark.parametrize("enforcement", ["strict", "guided", "club"])
@pytest.mark.parametrize("code", ["english-1864", "whist-1900", "bridge-1904"])
def test_every_form_of_a_hand_holds(code: str, enforcement: str, seed: int) -> None:
    """A hand as table record is what the engine says it is, as events it proves its deal, and PBN has its cards and result."""
    table = played(code, enforcement, seed, hands=2)
    proofs = []
    for record in table.finished:
        outcome = check_record(formed(record, "whist"))
        assert outcome.ok, f"{outcome}\n{formed(record, 'whist')}"
        proof, dealt = read_proof(*hands_in(formed(record, "jsonl")))
        assert verify_deal(proof, dealt).holds
        proofs.append(proof)
        if record.trump is None:  # thrown down before a trump was declared
            with pytest.raises(ValueError, match="declared"):
                formed(record, "pbn")
            continue
        pbn = formed(record, "pbn")
        assert f'[Code "{code}"]' in pbn
        assert '[North "Anna"]' in pbn
    assert verify_chain(proofs) == ()


def test_a_record_is_read_as_it_was_written(seed: int) -> None:
    """What a store keeps of a hand is the hand; a list reads its heading from the same bytes."""
    table = played("english-1864", "club", seed, hands=1)
    (record,) = table.finished
    body = encode_record(record)
    again = decode_record(body, "it")
    assert (again, again.identities) == (record, record.identities)
    summary = summary_of(body, "it")
    assert (summary.hand, summary.tricks, summary.players) == (record.hand, record.tricks, record.players)
    state = last_state(record)
    assert state.hand is not None
    assert list(state.hand.taken) == record.tricks
    assert list(state.score) == record.score


def test_the_lines_are_numbered_and_nothing_is_missing(seed: int) -> None:
    """JSON Lines begin with a header, number the events 1, 2, 3 ... and end with the result and the proof."""
    table = played("english-1864", "guided", seed, hands=1)
    lines = [json.loads(line) for line in formed(table.finished[0], "jsonl").splitlines()]
    assert lines[0]["format"] == "oddtrick/hand/1"
    assert [line["n"] for line in lines[1:-1]] == list(range(1, len(lines) - 1))
    assert lines[1]["event"]["t"] == "hand_dealt"
    assert set(lines[-1]) >= {"tricks", "score", "proof"}


def test_a_hand_given_up_can_be_had_too() -> None:
    """A hand in play when its table is closed is kept as far as it went, with its proof."""
    table = Seated()
    table.play_on()
    table.wait(100)
    table.table.archive(table.now, "nobody came back")
    table.keep()
    (record,) = table.finished
    assert check_record(formed(record, "whist")).ok
    proof, dealt = read_proof(*hands_in(formed(record, "jsonl")))
    assert verify_deal(proof, dealt).holds
    assert '[Result "?"]' in formed(record, "pbn")


def test_a_record_of_a_newer_form_is_refused(seed: int) -> None:
    """A record that a newer version wrote is not guessed at, and a damaged one is named."""
    table = played("english-1864", "strict", seed, hands=1)
    values = {name: getattr(table.finished[0], name) for name in HandRecord.__struct_fields__}
    newer = encode_record(HandRecord(**{**values, "v": RECORD_VERSION + 1}))
    with pytest.raises(StoreTooNew, match="hand 7"):
        decode_record(newer, "hand 7")
    with pytest.raises(StoreCorrupt, match="hand 7"):
        decode_record(newer[:-1], "hand 7")
    with pytest.raises(StoreCorrupt, match="hand 7"):
        summary_of(newer[:40], "hand 7")


def test_a_private_hand_is_for_those_who_were_there(seed: int) -> None:
    """A hand of a private table is read by its players and bystanders only; any other by everybody."""
    table = Seated(private=True, bots=3)
    table.done(ANNA, m.Sit)
    eve = person("Eve")
    table.done(eve, m.Watch, invite="let-me-in")
    table.done(ANNA, m.Start)
    while not table.finished:
        table.wait(30)
    summary = summary_of(encode_record(table.finished[0]), "it")
    assert summary.may_be_read_by(ANNA.identity)
    assert summary.may_be_read_by(eve.identity)
    assert not summary.may_be_read_by("id-mallory")
    assert table.finished[0].watchers == [eve.identity]


def test_who_watched_a_hand_that_all_may_read_is_not_written_down(seed: int) -> None:
    """The record of a hand at an open table has nobody in it but its players."""
    table = Seated(bots=3)
    table.done(ANNA, m.Sit)
    table.done(person("Eve"), m.Watch)
    table.done(ANNA, m.Start)
    while not table.finished:
        table.wait(30)
    assert table.finished[0].watchers == []
