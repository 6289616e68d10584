"""New cards (R19): two packs, each sealed before the dealer takes one, and both opened after the hand."""

from typing import Any

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as t
from oddtrick_protocol.facts import event_from_wire
from oddtrick_protocol.limits import NEW_CARDS_COUNTERS
from oddtrick_protocol.table_info import Account
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import BeReady, CallNewCards, TakePack
from oddtrick_rules.seats import LEFT, SEATS, Seat
from oddtrick_rules.shuffle import DealProof, deal_hands, deal_order, server_commitment, verify_chain, verify_deal
from oddtrick_rules.state import Phase
from oddtrick_server.dealing import secret_name
from oddtrick_server.entries import Happened
from oddtrick_server.hand_record import HandRecord
from oddtrick_server.person import Done
from support.tables import ANNA, Seated

EACH_CODE = pytest.mark.parametrize("code", list(CODES))


def events(table: Seated) -> list[object]:
    return [
        event_from_wire(step.event) for entry in table.entries() for step in entry.steps if isinstance(step, Happened)
    ]


def called(**wish: Any) -> Seated:
    """A table where the cards of a hand have been played, and Anna has called for new ones."""
    table = Seated(**wish)
    table.play_on()
    until(table, Phase.CLAIMS)
    assert isinstance(table.act(Seat.N, CallNewCards(), prompt=None), Done)
    return table


def proof_of(record: HandRecord) -> DealProof:
    proof = record.proof
    return DealProof(
        hand_id=proof.hand_id,
        dealer=Seat[proof.dealer],
        previous=bytes.fromhex(proof.previous),
        commitment=bytes.fromhex(proof.commitment),
        secret=bytes.fromhex(proof.secret),
        seat_commitments=tuple(None if one is None else bytes.fromhex(one) for one in proof.seat_commitments),
        entropies=tuple(bytes.fromhex(one) for one in proof.entropies),
    )


def deals_of(table: Seated) -> set[str]:
    """The deals whose secrets are kept."""
    return {name.rpartition("/")[0] for name in table.secrets}


def until(table: Seated, phase: Phase) -> None:
    """Let the clocks play until the table stands so; Anna is there all the time."""
    for _ in range(2_000):
        if table.phase() is phase:
            return
        due = table.table.due()
        assert due is not None
        table.wait(max(0.0, due - table.now))
    raise AssertionError(f"the table does not come to: {phase.value}")


def dealer_of(table: Seated) -> Seat:
    assert table.state.hand is not None
    return LEFT[table.state.hand.dealer]


def dealt_next(table: Seated) -> None:
    """Cut, and let the next hand be dealt."""
    hands = table.table.book.hands
    for seat in SEATS:
        table.act(seat, BeReady())
    for _ in range(100):
        if table.table.book.hands > hands:
            return
        table.wait(1)
    raise AssertionError("the next hand is not dealt")


@pytest.mark.law("english-1864", "83", "R19")
@pytest.mark.law("whist-1900", "3", "R19")
@pytest.mark.law("bridge-1904", "100", "R19")
@EACH_CODE
@pytest.mark.parametrize("pack", [1, 2])
def test_the_hand_is_dealt_from_the_pack_that_is_taken(code: str, pack: int) -> None:
    """Both packs are bound before the dealer chooses; the cards are those of his pack, and afterwards both are opened."""
    table = called(code=code)
    info = table.table.book.info
    first, second = info.deal, info.other_pack
    assert first is not None
    assert second is not None
    assert len({first.commitment, second.commitment}) == 2
    assert (first.hand, first.previous) == (second.hand, second.previous)
    assert len(table.secrets) >= 2
    assert isinstance(table.act(dealer_of(table), TakePack(pack)), Done)
    taken, left = (first, second) if pack == 1 else (second, first)
    dealt_next(table)
    deal = table.table.book.info.deal
    assert deal is not None
    secret = table.secrets[secret_name(table.table.book, deal)]
    assert (deal.hand_id, deal.commitment) == (taken.hand_id, taken.commitment)
    assert table.state.hand is not None
    order = deal_order(
        secret, [bytes.fromhex(one) for one in deal.entropies], hand_id=deal.hand_id, dealer=table.state.hand.dealer
    )
    assert table.state.hand.dealt == deal_hands(order, table.state.hand.dealer).masks
    assert not [event for event in events(table) if isinstance(event, t.PackOpened)]
    until(table, Phase.CLAIMS)
    until(table, Phase.TO_DEAL)
    opened = next(event for event in events(table) if isinstance(event, t.PackOpened))
    assert opened.commitment == left.commitment
    commitment = server_commitment(
        bytes.fromhex(opened.secret), hand_id=opened.hand_id, previous=bytes.fromhex(opened.previous)
    )
    assert commitment.hex() == opened.commitment
    assert table.table.book.info.other_pack is None
    proofs = [proof_of(record) for record in table.finished]
    assert len(proofs) == 2
    assert all(verify_deal(proof).holds for proof in proofs)
    assert not verify_chain(proofs)


@pytest.mark.law("english-1864", "83", "R18", "R19")
@pytest.mark.law("whist-1900", "3", "R18", "R19")
@pytest.mark.law("bridge-1904", "100", "R18", "R19")
@EACH_CODE
def test_who_calls_for_new_cards_pays_for_them(code: str) -> None:
    """The caller owes the price in counters, once, whoever takes which pack."""
    table = called(code=code)
    table.act(dealer_of(table), TakePack(2))
    dealt_next(table)
    assert table.table.book.info.owed == (Account(ANNA.identity, "Anna", NEW_CARDS_COUNTERS),)


def test_the_seats_commit_to_the_pack_that_is_taken() -> None:
    """What was committed to the first pack is void when the second is taken, and the seats are asked again."""
    table = called()
    table.act(dealer_of(table), TakePack(2))
    pending = table.table.book.pending_deal()
    assert pending is not None
    assert not any(pending.commitments)
    assert not pending.revealing
    committed = [event for event in events(table) if isinstance(event, t.DealCommitted) and event.hand == 2]
    assert [event.hand_id for event in committed] == ["t1/2", "t1/2/pack2"]
    assert committed[1].entropy_ms > 0


@pytest.mark.parametrize("pack", [None, 1, 2])
def test_a_crash_loses_neither_pack(pack: int | None) -> None:
    """Taken up again at any point, the table deals from the pack it was bound to, and opens both."""
    table = called(chance=3)
    if pack is not None:
        table.act(dealer_of(table), TakePack(pack))
    before = table.table.book.info
    table.crash()
    info = table.table.book.info
    assert before.deal is not None
    assert info.deal is not None
    assert (info.deal.hand_id, info.deal.commitment) == (before.deal.hand_id, before.deal.commitment)
    assert info.other_pack == before.other_pack
    assert set(table.table.secrets) == set(table.secrets)
    assert deals_of(table) == {"t1/1", "t1/2", "t1/2/pack2"}
    table.table.archive(table.now, "nobody came back")
    table.keep()
    assert not table.secrets


def test_the_packs_of_a_seeded_table_are_the_same_again() -> None:
    """Two tables of one seed offer the same two packs."""
    offered = []
    for chance in (1, 2):
        info = called(chance=chance, seed="x").table.book.info
        assert info.deal is not None
        assert info.other_pack is not None
        offered.append((info.deal.commitment, info.other_pack.commitment))
    assert offered[0] == offered[1]


def test_without_a_call_there_is_one_pack() -> None:
    """Nothing is sealed that nobody asked for."""
    table = Seated()
    table.play_on()
    until(table, Phase.CLAIMS)
    assert table.table.book.info.other_pack is None
    assert table.refused(ANNA, m.Act, act={"do": "take_pack", "pack": 1})
    assert deals_of(table) == {"t1/1", "t1/2"}


def test_a_second_pack_sealed_twice_has_two_secrets() -> None:
    """Two servers that seal a second pack for the same hand, each not knowing of the other, keep their secrets under two names."""
    first, second = called(chance=3), called(chance=4)
    assert deals_of(first) == deals_of(second)
    assert not first.secrets.keys() & second.secrets.keys()
