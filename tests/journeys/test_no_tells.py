"""Nobody can read a hidden card, or a secret revoke, off any byte his socket receives."""

import random
from typing import TYPE_CHECKING, Any

import pytest

from oddtrick_protocol.messages import Waiting
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.events import Event, RevokeMade
from oddtrick_rules.seats import PARTNER, Seat
from oddtrick_rules.state import Enforcement, State
from oddtrick_rules.views import Viewer, Watcher, seen_by
from oddtrick_server.notices import Asked, asked_of, waiting_of
from oddtrick_server.streams import Stream, Streams
from oddtrick_server.table import Table
from support.driver import tables
from support.recorder import VIEWERS
from support.wire_twins import Kind, r4, twins

if TYPE_CHECKING:
    from conftest import Size


async def test_twin_deals_send_the_same_bytes(size: "Size", seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals that differ in cards hidden from a viewer send him the same bytes, whatever is played, asked and refused."""
    kinds, steps = tables(random.Random(seed)), 0
    deals, viewers = size((15, 1), (200, len(VIEWERS)))
    for number in range(deals):
        chance = random.Random(f"{seed} {number}")
        code, enforcement = next(kinds)
        chosen = chance.sample(VIEWERS, viewers)
        done, found = await twins(Kind(code.id, enforcement, f"{seed} {number}"), chance, chosen, monkeypatch)
        assert not found, found[0]
        steps += done
    assert steps > deals


@pytest.mark.parametrize("enforcement", [Enforcement.CLUB, Enforcement.GUIDED])
async def test_a_revoke_sends_others_what_a_true_renounce_does(
    enforcement: Enforcement, size: "Size", seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other seats and the bystanders receive the same bytes in the same order for a revoke and a true renounce (R4)."""
    steps, deals = 0, size(8, 200)
    for number in range(deals):
        chance = random.Random(f"{seed} {enforcement} {number}")
        code = chance.choice([*CODES])
        done, found = await r4(Kind(code, enforcement, f"{seed} {number}"), chance, monkeypatch)
        assert not found, found[0]
        steps += done
    assert steps > deals, "there was next to nothing to compare"


# --- tells planted on purpose ---


def _partner_told(event: Event, viewer: Viewer, *, enforcement: Enforcement) -> Event | None:
    """A filter that lets the partner know."""
    if isinstance(event, RevokeMade) and viewer in {PARTNER[event.seat], Watcher.BYSTANDER}:
        return event
    return seen_by(event, viewer, enforcement=enforcement)


def has_revoked(state: State | None) -> bool:
    return state is not None and state.hand is not None and bool(state.hand.revokes)


def _more_offered(table: Table, seat: Seat) -> Asked:
    """A list of acts that is longer when somebody has revoked."""
    asked = asked_of(table, seat)
    more = [{"do": "play_out"}] if has_revoked(table.book.rubber) else []
    return Asked(asked.wait, asked.acts, [*asked.may, *more], asked.playable)


def _clocks_slower(table: Table, clocks: Any, now: float) -> Waiting:
    """Clocks that show another time when somebody has revoked."""
    return waiting_of(table, clocks, now + 0.001 * has_revoked(table.book.rubber))


def _numbers_left_out(self: Streams, stream: Stream, event: dict[str, Any], *, hand: int, by: str | None) -> None:
    """Streams in which an event one is not shown uses up a number of the bystanders' all the same."""
    if event["t"] == "revoke_made":
        self._heads[4] += 1
    put(self, stream, event, hand=hand, by=by)


put = Streams.put


@pytest.mark.parametrize(
    ("where", "planted"),
    [
        ("oddtrick_server.book.seen_by", _partner_told),
        ("oddtrick_server.audience.asked_of", _more_offered),
        ("oddtrick_server.audience.waiting_of", _clocks_slower),
        ("oddtrick_server.streams.Streams.put", _numbers_left_out),
    ],
    ids=["an event", "a list of acts", "a clock", "a number"],
)
async def test_a_planted_tell_is_caught(where: str, planted: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any byte by which a revoke differs from a true renounce is found by the same comparison."""
    monkeypatch.setattr(where, planted)
    for number in range(60):
        chance = random.Random(f"{seed} {number}")
        if (await r4(Kind("english-1864", Enforcement.GUIDED, f"{number}"), chance, monkeypatch))[1]:
            return
    raise AssertionError("not found")


def _ranked(table: Table, seat: Seat) -> Asked:
    """A prompt that lists the cards of a seat in another order when its partner has the ace of trumps."""
    asked = asked_of(table, seat)
    hand = table.book.rubber.hand if table.book.rubber is not None else None
    if hand is None or hand.trump is None or not hand.hands[PARTNER[seat]] >> (13 * hand.trump + 12) & 1:
        return asked
    return Asked(asked.wait, asked.acts[::-1], asked.may, asked.playable[::-1])


async def test_a_planted_order_is_caught(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list whose order alone hangs on another's hand is found by the comparison of twins."""
    monkeypatch.setattr("oddtrick_server.audience.asked_of", _ranked)
    for number in range(60):
        chance = random.Random(f"{seed} {number}")
        kind = Kind("english-1864", Enforcement.CLUB, f"{number}")
        if (await twins(kind, chance, [chance.choice([*Seat])], monkeypatch))[1]:
            return
    raise AssertionError("not found")
