"""The deal nobody can choose: commitments before, the secret after (`oddtrick_rules.shuffle` has the scheme).

The server binds itself to the next deal when the cards of a hand are played, so before its cut; the seats commit and reveal
while claims are made. When new cards are called for it seals a second deal, and the dealer takes one of the two (R19); both are
opened when the hand is over. Secrets are kept apart from the log until then. A deal is never made twice: what it follows from
is in the log, or kept, before anyone is told of it.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as happened
from oddtrick_protocol.closing import Refuse
from oddtrick_protocol.limits import NEW_CARDS_COUNTERS
from oddtrick_protocol.table_info import FairDeal, has_room
from oddtrick_rules.cards import Card
from oddtrick_rules.code import Rule
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.commands import Deal
from oddtrick_rules.seats import SEATS, Official, Seat
from oddtrick_rules.shuffle import SECRET_BYTES, deal_hands, deal_order, seat_commitment, server_commitment
from oddtrick_rules.state import Phase
from oddtrick_server.person import DONE, Person, Reply, no

if TYPE_CHECKING:
    from oddtrick_server.book import Book
    from oddtrick_server.table import Table

SECOND: Final = "/pack2"
NAMED_BY: Final = 16  # characters of a commitment, in the name of the secret that opens it


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
        _commit_to(table, deal)


# --- what follows of itself ---


def follow(table: Table) -> None:
    """Open the deal of a hand that is over, and bring the next one as far as it can go now."""
    book = table.book
    for notes in list(book.notes):
        if notes.over_at is not None:
            _open(table, notes.deal, notes.other)
    state = book.rubber
    if not book.in_play or state is None or state.phase not in {Phase.CLAIMS, Phase.TO_DEAL} or not book.clocks_run:
        return
    deal = book.pending_deal()
    if deal is None:
        deal = _bind(table)
    deal = _new_cards(table, deal)
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


def unopened(book: Book) -> Iterator[str]:
    """The names under which the secrets of sealed deals are kept."""
    for deal, other in _sealed(book):
        yield secret_name(book, deal)
        if other is not None:
            yield secret_name(book, other)


def _sealed(book: Book) -> list[tuple[FairDeal, FairDeal | None]]:
    """The deals not opened yet, each with the other pack that was offered for it."""
    sealed = [(notes.deal, notes.other) for notes in book.notes]
    pending = book.pending_deal()
    return sealed if pending is None else [*sealed, (pending, book.other_pack(pending))]


def secret_name(book: Book, deal: FairDeal) -> str:
    """Under what name the secret of a deal is kept: one that no other deal has, of the same table and number neither."""
    assert book.opened is not None
    # No fence guards a secret. A server that was cut off while it put one, and puts it again when the table is another's
    # and bound anew, must not write over what opens the commitment in the log.
    return f"{book.opened.table}/{deal.hand}{SECOND if _is_second(deal) else ''}/{deal.commitment[:NAMED_BY]}"


def table_of(name: str) -> str:
    """The table whose secret is kept under a name."""
    return name.partition("/")[0]


def open_all(table: Table) -> None:
    """Open every commitment there is, that of a deal which will not be made too."""
    for deal, other in _sealed(table.book):
        _open(table, deal, other)


def _bind(table: Table) -> FairDeal:
    book = table.book
    previous = "" if book.info.deal is None else book.info.deal.commitment
    return _commit_to(table, _seal(table, str(book.hands + 1), book.hands + 1, previous))


def _seal(table: Table, name: str, hand: int, previous: str) -> FairDeal:
    """Draw the secret of a deal, and keep it; what is to be published of it."""
    opened = table.book.opened
    assert opened is not None
    if opened.seed is None:
        hand_id, secret = f"{table.id}/{name}", table.entropy(SECRET_BYTES)
    else:
        # The same deals at any table of that seed: its name is no part of them.
        hand_id, secret = f"seed/{name}", sha256(f"{opened.seed}/{name}".encode()).digest()
    commitment = server_commitment(secret, hand_id=hand_id, previous=bytes.fromhex(previous)).hex()
    deal = FairDeal(hand, hand_id, commitment, previous)
    table.keep_secret(secret_name(table.book, deal), secret)
    return deal


def _commit_to(table: Table, deal: FairDeal) -> FairDeal:
    """Publish what the next deal is bound to, and give the seats time to commit."""
    asked = not _is_seeded(table.book) and any(_is_asked(table.book, seat) for seat in SEATS)
    entropy_ms = int(table.limits.commit_s * 1000) if asked else 0
    table.emit(happened.DealCommitted(deal.hand, deal.hand_id, deal.commitment, deal.previous, entropy_ms))
    return _pending(table.book)


def _new_cards(table: Table, deal: FairDeal) -> FairDeal:
    """Seal a second pack for who has called for new cards, who pays; the deal is that of the pack the dealer takes."""
    book = table.book
    hand = None if book.rubber is None else book.rubber.hand
    other = book.other_pack(deal)
    if hand is None:
        return deal
    if hand.new_cards is not None and other is None:
        pack = _seal(table, f"{deal.hand}{SECOND}", deal.hand, deal.previous)
        table.emit(happened.PackOffered(pack.hand, pack.hand_id, pack.commitment, pack.previous))
        _charge(table, hand.new_cards)
    elif hand.pack_taken == 2 and other is not None and _is_second(other):
        return _commit_to(table, other)
    return deal


def _charge(table: Table, seat: Seat) -> None:
    info = table.book.info
    sitter = info.seats[seat]
    if sitter is not None and has_room(info, sitter.identity):
        cites = (*code_named(info.code).cites(Rule.NEW_CARDS), "R18", "R19")
        table.emit(happened.CountersOwed(sitter.identity, sitter.name, NEW_CARDS_COUNTERS, cites))


def _is_second(deal: FairDeal) -> bool:
    return deal.hand_id.endswith(SECOND)


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
    order = deal_order(
        table.secrets[secret_name(table.book, deal)], entropies, hand_id=deal.hand_id, dealer=state.dealer
    )
    dealt = deal_hands(order, state.dealer)
    north, east, south, west = (tuple(Card(card) for card in hand) for hand in dealt.hands)
    turned = Card(dealt.turn_up) if state.code.turned_trump else None
    refusal = table.act(Official.HOUSE, Deal((north, east, south, west), turned))
    assert refusal is None, f"the house may not deal: {refusal}"


def _open(table: Table, deal: FairDeal, other: FairDeal | None) -> None:
    if other is not None:
        secret = table.spend_secret(secret_name(table.book, other))
        table.emit(happened.PackOpened(other.hand, other.hand_id, other.commitment, other.previous, secret.hex()))
    secret = table.spend_secret(secret_name(table.book, deal))
    table.emit(happened.DealRevealed(deal.hand, secret.hex()))


def _pending(book: Book) -> FairDeal:
    deal = book.pending_deal()
    assert deal is not None
    return deal
