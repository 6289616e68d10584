"""The deal nobody can choose, as the table runs it; `tests/rules/test_shuffle.py` has the scheme itself."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from oddtrick_protocol import messages as m
from oddtrick_protocol.facts import event_from_wire
from oddtrick_protocol.table_events import DealCommitted, DealRevealed, RevealsAsked, SeatRevealed
from oddtrick_rules.events import HandDealt, PackCut
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.shuffle import DealProof, verify_chain, verify_deal
from oddtrick_rules.state import Masks, Phase
from oddtrick_server.dealing import table_of
from oddtrick_server.hand_record import HandRecord
from support.tables import ANNA, BEN, Seated


def started(**wish: Any) -> Seated:
    table = Seated(**wish)
    table.sit_all()
    table.done(ANNA, m.Start)
    return table


def history(table: Seated) -> Iterator[Any]:
    """Everything that happened, from the log, in order."""
    for entry in table.entries():
        for step in entry.steps:
            wires = [step.event] if hasattr(step, "event") else getattr(step, "events", [])
            yield from map(event_from_wire, wires)


def entropy(seat: Seat) -> bytes:
    return sha256(seat.name.encode()).digest()


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


def dealt_order(record: HandRecord) -> tuple[int, ...]:
    deal = next(event for event in map(event_from_wire, record.acts[0].events) if isinstance(event, HandDealt))
    return tuple(deal.hands[(deal.dealer + 1 + number) % 4][number // 4] for number in range(52))


def test_with_everybody_s_entropy_the_cards_are_dealt_at_once() -> None:
    """When all four have committed, reveals are asked for, and when all have revealed, the cards are dealt."""
    table = started()
    for seat in SEATS:
        assert table.phase() is Phase.TO_DEAL
        table.commit(seat, entropy(seat))
    for seat in SEATS:
        assert table.phase() is Phase.TO_DEAL
        table.done(table.at(seat), m.Reveal, hand=1, entropy=entropy(seat).hex())
    assert table.phase() is Phase.PLAYING
    kinds = [type(event) for event in history(table)]
    assert kinds.index(DealCommitted) < kinds.index(RevealsAsked) < kinds.index(HandDealt)


def test_without_entropy_the_deal_waits_no_longer_than_its_limit() -> None:
    """Seats that commit to nothing are waited for once, and count as having given nothing."""
    table = started()
    table.wait(table.limits.commit_s - 0.1)
    assert table.phase() is Phase.TO_DEAL
    table.wait(0.1)
    assert table.phase() is Phase.PLAYING


def test_who_commits_and_does_not_reveal_is_marked() -> None:
    """A committed seat that does not reveal in time is shown to have withheld, and the deal goes on."""
    table = started()
    table.commit(Seat.E, entropy(Seat.E))
    table.wait(table.limits.commit_s)
    assert table.phase() is Phase.TO_DEAL
    table.wait(table.limits.reveal_s)
    assert table.phase() is Phase.PLAYING
    assert SeatRevealed(1, Seat.E, "") in list(history(table))


def test_what_does_not_fit_is_refused() -> None:
    """Nobody commits twice, for another hand, or too late, nor reveals what he was not bound to."""
    table = started()
    table.commit(Seat.E, entropy(Seat.E))
    assert table.refused(BEN, m.Commit, hand=1, commitment="00" * 32) == "bad_commitment"
    assert table.refused(ANNA, m.Commit, hand=2, commitment="00" * 32) == "bad_commitment"
    assert table.refused(BEN, m.Reveal, hand=1, entropy=entropy(Seat.E).hex()) == "bad_commitment"
    table.wait(table.limits.commit_s)
    assert table.refused(ANNA, m.Commit, hand=1, commitment="00" * 32) == "bad_commitment"
    assert table.refused(BEN, m.Reveal, hand=1, entropy="11" * 32) == "bad_commitment"
    assert table.refused(ANNA, m.Reveal, hand=1, entropy="11" * 32) == "bad_commitment"
    table.done(BEN, m.Reveal, hand=1, entropy=entropy(Seat.E).hex())
    assert table.phase() is Phase.PLAYING


def played_out(table: Seated, hands: int) -> None:
    for _ in range(20_000):
        if len(table.finished) >= hands:
            return
        table.wait(20)
    raise AssertionError("the hands do not end")


def test_every_finished_hand_proves_its_deal() -> None:
    """B93: players never trusted the shuffle; here each record proves the cards dealt, and the hands of a table form a chain."""
    table = started()
    table.commit(Seat.N, entropy(Seat.N))
    table.wait(table.limits.commit_s)
    table.done(ANNA, m.Reveal, hand=1, entropy=entropy(Seat.N).hex())
    played_out(table, 3)
    proofs = [proof_of(record) for record in table.finished]
    for record, proof in zip(table.finished, proofs, strict=True):
        assert verify_deal(proof, dealt_order(record)).holds
    assert verify_chain(proofs) == ()
    assert proofs[0].entropies[0] == entropy(Seat.N)


def test_the_server_binds_itself_before_the_cut() -> None:
    """The commitment to a hand's deal stands in the log before the cards of the hand before are cut."""
    table = started()
    played_out(table, 2)
    order = [event for event in history(table) if isinstance(event, DealCommitted | PackCut | DealRevealed | HandDealt)]
    second = next(at for at, event in enumerate(order) if isinstance(event, DealCommitted) and event.hand == 2)
    cut = next(at for at, event in enumerate(order) if isinstance(event, PackCut))
    assert second < cut
    revealed = next(at for at, event in enumerate(order) if isinstance(event, DealRevealed))
    assert cut < revealed


def test_a_secret_is_kept_apart_and_never_in_the_log_before_its_hand_is_over() -> None:
    """While a hand is played its secret is in no entry; it is given out to be kept before the commitment is logged."""
    table = started()
    ((name, kept),) = table.secrets.items()
    secret = kept.hex()
    table.wait(table.limits.commit_s)
    assert table.phase() is Phase.PLAYING
    assert not any(secret.encode() in body or bytes.fromhex(secret) in body for body in table.bodies)
    played_out(table, 1)
    assert name not in table.secrets
    assert any(secret.encode() in body for body in table.bodies)


def test_one_deal_bound_twice_has_two_secrets() -> None:
    """Two servers that bind the same deal of the same table, each not knowing of the other, keep their secrets under two names."""
    first, second = started(chance=7), started(chance=8)
    assert {name.rpartition("/")[0] for name in (*first.secrets, *second.secrets)} == {"t1/1"}
    assert not first.secrets.keys() & second.secrets.keys()
    assert {table_of(name) for name in first.secrets} == {first.table.id}


def test_a_crash_before_the_deal_does_not_change_it() -> None:
    """A table taken up again deals what it was bound to: never anew."""
    plain, crashed = started(chance=7), started(chance=7)
    crashed.crash()
    for table in (plain, crashed):
        table.arrive(ANNA)
        table.wait(30)
    assert plain.state.hand is not None
    assert crashed.state.hand is not None
    assert plain.state.hand.dealt == crashed.state.hand.dealt


def test_a_seeded_table_deals_the_same_cards_again() -> None:
    """Two tables of one seed deal the same hands, at once and without asking the seats; another seed deals others."""
    hands: list[Masks] = []
    for seed in ("x", "x", "y"):
        table = Seated(chance=len(hands), seed=seed)
        table.sit_all()
        table.done(ANNA, m.Start)
        assert table.phase() is Phase.PLAYING
        assert table.state.hand is not None
        hands.append(table.state.hand.dealt)
    assert hands[0] == hands[1] != hands[2]


def test_a_table_given_up_opens_every_commitment() -> None:
    """When a table is closed in the middle of a hand, its deal is opened and the hand is kept as abandoned."""
    table = started()
    table.wait(table.limits.commit_s)
    table.table.archive(table.now, "nobody came back")
    table.keep()
    assert not table.secrets
    assert [record.abandoned for record in table.finished] == [True]
    assert verify_deal(proof_of(table.finished[0]), dealt_order(table.finished[0])).holds
    assert table.refused(ANNA, m.Sit) == "no_such_table"
