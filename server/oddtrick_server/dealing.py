"""The deal nobody can choose: commitments before, the secret after (`oddtrick_rules.shuffle` has the scheme).

The server binds itself to the next deal when the cards of a hand are played, so before its cut; the seats commit and reveal
while claims are made. The secret is kept apart from the log until the hand is over. A deal is never made twice: what it follows
from is in the log, or kept, before anyone is told of it.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as happened
from oddtrick_protocol.closing import Refuse
from oddtrick_protocol.table_info import FairDeal
from oddtrick_rules.cards import Card
from oddtrick_rules.commands import Deal
from oddtrick_rules.seats import SEATS, Official, Seat
from oddtrick_rules.shuffle import SECRET_BYTES, deal_hands, deal_order, seat_commitment, server_commitment
from oddtrick_rules.state import Phase
from oddtrick_server.person import DONE, Person, Reply, no

if TYPE_CHECKING:
    from oddtrick_server.book import Book
    from oddtrick_server.table import Table


# --- what the seats send ---


def commit(table: Table, person: Person, message: m.Commit, _now: float) -> Reply:
    """Bind oneself to entropy for the next deal."""
    deal = table.book.pending_deal()
    seat = table.book.seat_of(person.identity)
    assert seat is not None
    if deal is None or deal.hand != message.hand or deal.revealing:
        return no(Refuse.BAD_COMMITMENT, "no commitments are taken for that hand now")
    if deal.commitments[seat]:
        return no(Refuse.BAD_COMMITMENT, "the seat is committed already")
    table.emit(happened.SeatCommitted(deal.hand, seat, message.commitment))
    return DONE


def reveal(table: Table, person: Person, message: m.Reveal, _now: float) -> Reply:
    """Reveal the entropy one is bound to."""
    deal = table.book.pending_deal()
    seat = table.book.seat_of(person.identity)
    assert seat is not None
    if deal is None or deal.hand != message.hand or not deal.revealing or deal.entropies[seat]:
        return no(Refuse.BAD_COMMITMENT, "nothing is to be revealed for that hand now")
    entropy = bytes.fromhex(message.entropy)
    commitment = bytes.fromhex(deal.commitment)
    bound_to = seat_commitment(entropy, hand_id=deal.hand_id, seat=seat, commitment=commitment).hex()
    if not hmac.compare_digest(bound_to, deal.commitments[seat]):
        return no(Refuse.BAD_COMMITMENT, "the entropy does not open the seat's commitment")
    table.emit(happened.SeatRevealed(deal.hand, seat, message.entropy))
    return DONE


def commit_anew(table: Table) -> None:
    """The seats have changed hands: what was committed to the deal that is being made is asked for again."""
    deal = table.book.pending_deal()
    if deal is not None and not deal.revealing and any(deal.commitments):
        entropy_ms = int(table.limits.commit_s * 1000)
        table.emit(happened.DealCommitted(deal.hand, deal.hand_id, deal.commitment, deal.previous, entropy_ms))


# --- what follows of itself ---


def follow(table: Table) -> None:
    """Open the deal of a hand that is over, and bring the next one as far as it can go now."""
    book = table.book
    for notes in list(book.notes):
        if notes.over_at is not None:
            _open(table, notes.deal)
    state = book.rubber
    if not book.in_play or state is None or state.phase not in {Phase.CLAIMS, Phase.TO_DEAL} or not book.clocks_run:
        return
    deal = book.pending_deal()
    if deal is None:
        deal = _bind(table)
    if not deal.revealing and _all_in(book, deal):
        deal = _ask_reveals(table)
    if state.phase is Phase.TO_DEAL and is_ready(book, deal) and _cut_has_rested(table):
        _deal(table, deal)


def entropy_time_is_up(table: Table) -> None:
    """The seats' time to commit, or to reveal, has run out."""
    deal = table.book.pending_deal()
    assert deal is not None
    if not deal.revealing:
        _ask_reveals(table)
        return
    for seat in SEATS:
        if deal.commitments[seat] and not deal.entropies[seat] and seat not in table.book.withheld:
            table.emit(happened.SeatRevealed(deal.hand, seat, ""))


def is_ready(book: Book, deal: FairDeal) -> bool:
    """Whether every seat that is bound has revealed, or had the time to."""
    return deal.revealing and all(
        not deal.commitments[seat] or deal.entropies[seat] or seat in book.withheld for seat in SEATS
    )


def unopened(book: Book) -> Iterator[tuple[int, str]]:
    """The deals whose secrets must be kept: by hand, with the name each is kept under."""
    for notes in book.notes:
        yield notes.hand, secret_name(book, notes.hand)
    deal = book.pending_deal()
    if deal is not None:
        yield deal.hand, secret_name(book, deal.hand)


def secret_name(book: Book, hand: int) -> str:
    """Under what name the secret of a hand is kept."""
    assert book.opened is not None
    return f"{book.opened.table}/{hand}"


def open_all(table: Table) -> None:
    """Open every commitment there is, that of a deal which will not be made too."""
    deals = [notes.deal for notes in table.book.notes]
    pending = table.book.pending_deal()
    for deal in [*deals, *([] if pending is None else [pending])]:
        _open(table, deal)


def _bind(table: Table) -> FairDeal:
    book = table.book
    assert book.opened is not None
    hand = book.hands + 1
    seed = book.opened.seed
    if seed is None:
        hand_id, secret = f"{table.id}/{hand}", table.entropy(SECRET_BYTES)
    else:
        # The same deals at any table of that seed: its name is no part of them.
        hand_id, secret = f"seed/{hand}", sha256(f"{seed}/{hand}".encode()).digest()
    previous = "" if book.info.deal is None else book.info.deal.commitment
    commitment = server_commitment(secret, hand_id=hand_id, previous=bytes.fromhex(previous)).hex()
    table.keep_secret(hand, secret_name(book, hand), secret)
    asked = seed is None and any(_is_asked(book, seat) for seat in SEATS)
    entropy_ms = int(table.limits.commit_s * 1000) if asked else 0
    table.emit(happened.DealCommitted(hand, hand_id, commitment, previous, entropy_ms))
    return _pending(book)


def _is_asked(book: Book, seat: Seat) -> bool:
    """Whether a seat may be expected to add entropy of its own."""
    return book.acts_for_itself(seat) and book.is_here(seat)


def _all_in(book: Book, deal: FairDeal) -> bool:
    return all(deal.commitments[seat] or not _is_asked(book, seat) for seat in SEATS) or _is_seeded(book)


def _is_seeded(book: Book) -> bool:
    return book.opened is not None and book.opened.seed is not None


def _ask_reveals(table: Table) -> FairDeal:
    table.emit(happened.RevealsAsked(_pending(table.book).hand))
    return _pending(table.book)


def _cut_has_rested(table: Table) -> bool:
    clock = table.book.cut_clock
    return clock is None or clock.is_out(table.now)


def _deal(table: Table, deal: FairDeal) -> None:
    state = table.book.rubber
    assert state is not None
    entropies = [bytes.fromhex(entropy) for entropy in deal.entropies]
    order = deal_order(table.secrets[deal.hand], entropies, hand_id=deal.hand_id, dealer=state.dealer)
    dealt = deal_hands(order, state.dealer)
    north, east, south, west = (tuple(Card(card) for card in hand) for hand in dealt.hands)
    turned = Card(dealt.turn_up) if state.code.turned_trump else None
    refusal = table.act(Official.HOUSE, Deal((north, east, south, west), turned))
    assert refusal is None, f"the house may not deal: {refusal}"


def _open(table: Table, deal: FairDeal) -> None:
    secret = table.spend_secret(deal.hand, secret_name(table.book, deal.hand))
    table.emit(happened.DealRevealed(deal.hand, secret.hex()))


def _pending(book: Book) -> FairDeal:
    deal = book.pending_deal()
    assert deal is not None
    return deal
