"""One's own share in a fair deal: commit when the server has committed, reveal when everyone has.

Whoever keeps this up knows that the deal was not chosen by the server, nor by the other three with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.table_events import DealCommitted, RevealsAsked
from oddtrick_protocol.table_info import FairDeal
from oddtrick_rules.seats import Seat
from oddtrick_rules.shuffle import seat_commitment
from oddtrick_sdk.mirror import Happened
from oddtrick_sdk.session import Session, unaddressed

ENTROPY_BYTES: Final = 16


class Entropy:
    """What one has committed to, per table, until it is revealed."""

    def __init__(self, draw: Callable[[int], bytes]) -> None:
        self._draw = draw
        self._drawn: dict[str, tuple[int, Seat, bytes]] = {}

    def happened(self, happened: Happened, session: Session) -> None:
        """Send what the event asks for, if one has a seat at its table."""
        mirror = session.tables.get(happened.table)
        if mirror is None or mirror.seat is None:
            return
        match happened.event:
            case DealCommitted() as deal:
                self._commit(session, happened.table, mirror.seat, deal)
            case RevealsAsked(hand=hand):
                self._reveal(session, happened.table, hand)
            case _:
                return

    def resynced(self, table: str, session: Session) -> None:
        """Commit to a deal that a snapshot tells of, if one's seat has not: one has sat down since the server committed."""
        mirror = session.tables.get(table)
        if mirror is None or mirror.seat is None or mirror.info.deal is None:
            return
        deal = mirror.info.deal
        hand, seat, _ = self._drawn.get(table, (0, mirror.seat, b""))
        is_sent = hand == deal.hand and seat is mirror.seat  # and on its way
        if not deal.revealing and not deal.commitments[mirror.seat] and not is_sent:
            self._commit(session, table, mirror.seat, deal)

    def _commit(self, session: Session, table: str, seat: Seat, deal: DealCommitted | FairDeal) -> None:
        entropy = self._draw(ENTROPY_BYTES)
        self._drawn[table] = (deal.hand, seat, entropy)
        commitment = seat_commitment(
            entropy, hand_id=deal.hand_id, seat=seat, commitment=bytes.fromhex(deal.commitment)
        )
        session.send(unaddressed(m.Commit, table=table, hand=deal.hand, commitment=commitment.hex()))

    def _reveal(self, session: Session, table: str, hand: int) -> None:
        committed, _, entropy = self._drawn.pop(table, (0, Seat.N, b""))
        if committed == hand and entropy:
            session.send(unaddressed(m.Reveal, table=table, hand=hand, entropy=entropy.hex()))
