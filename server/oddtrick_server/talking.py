"""Words at the table (R15, R17, R31): who may speak when, on which channel, to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as happened
from oddtrick_protocol.closing import Refuse
from oddtrick_rules.commands import Consult
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SIDE, Seat
from oddtrick_rules.state import Hand, RevokeStage
from oddtrick_server.person import DONE, No, Person, Reply, no, no_by_law
from oddtrick_server.words import clean_words

if TYPE_CHECKING:
    from oddtrick_server.book import Book
    from oddtrick_server.table import Table

PHRASES: Final = {
    "hello": "Hello.",
    "one_moment": "One moment, please.",
    "thank_you": "Thank you.",
    "thank_you_partner": "Thank you, partner.",
    "well_played": "Well played.",
    "sorry": "Sorry.",
    "no_matter": "No matter.",
    "good_game": "A good game.",
    "goodbye": "Goodbye.",
}
"""The set phrases, which tell nothing (R31), with their words in English."""


def phrase(table: Table, person: Person, message: m.Phrase, now: float) -> Reply:
    """Say one of the set phrases; at any time."""
    if message.phrase not in PHRASES:
        return no(Refuse.NO_SUCH_PHRASE, f"one of: {' '.join(PHRASES)}", cites=("R31",))
    refusal = _too_fast(table, person, now)
    if refusal is not None:
        return refusal
    seat = table.book.seat_of(person.identity)
    assert seat is not None
    table.emit(happened.Phrased(seat, message.phrase))
    return DONE


def chat(table: Table, person: Person, message: m.Chat, now: float) -> Reply:
    """Speak free words, on a channel that is open to one."""
    book = table.book
    text = clean_words(message.text)
    if not text:
        return no(Refuse.MALFORMED_MESSAGE, "nothing to be seen in these words")
    seat = book.seat_of(person.identity)
    refusal = _closed(book, seat, message.channel) or _too_fast(table, person, now)
    if refusal is not None:
        return refusal
    if message.channel == "partner":
        assert seat is not None
        refused = _consulting(table, seat)
        if refused is not None:
            return refused
    table.emit(happened.Said(message.channel, _name_of(book, person, seat), text, seat))
    return DONE


def _closed(book: Book, seat: Seat | None, channel: str) -> No | None:
    """Why a channel is closed to somebody now, as far as it does not depend on what is open to his side."""
    if channel == "bystanders":
        return None if seat is None else no(Refuse.CHANNEL_CLOSED, "bystanders' words are their own", cites=("R17",))
    if seat is None:
        return no(Refuse.CHANNEL_CLOSED, "a bystander cannot reach the seats", cites=("R17",))
    if channel == "table" and book.hand_live:
        return no(Refuse.CHANNEL_CLOSED, "during a deal seats speak in acts and set phrases", cites=("R31",))
    return None


def _consulting(table: Table, seat: Seat) -> No | None:
    """A word to the partner: free while a revoke's penalty is open, else the consultation that forfeits a choice (R15)."""
    book = table.book
    hand = None if book.rubber is None else book.rubber.hand
    if hand is None or not book.in_play:
        return no(Refuse.CHANNEL_CLOSED, "there is nothing to consult on", cites=("R15",))
    if _revoke_is_open(hand, seat):
        return None
    if not any(right.side == SIDE[seat] for right in hand.rights):
        return no(Refuse.CHANNEL_CLOSED, "partners have no channel of their own now", cites=("R15",))
    if book.info.paused:
        return no(Refuse.PAUSED)
    refusal = table.act(seat, Consult())
    return no_by_law(refusal) if isinstance(refusal, Refusal) else None


def _revoke_is_open(hand: Hand, seat: Seat) -> bool:
    """Whether the seat's side has a revoke's penalty to choose."""
    return any(
        revoke.stage is RevokeStage.PROVED and revoke.penalty is None and SIDE[revoke.seat] != SIDE[seat]
        for revoke in hand.revokes
    )


def _too_fast(table: Table, person: Person, now: float) -> No | None:
    wait_s = table.chats.take(person.identity, now)
    return no(Refuse.RATE, "not so fast", retry_after_s=wait_s) if wait_s else None


def _name_of(book: Book, person: Person, seat: Seat | None) -> str:
    if seat is not None:
        sitter = book.info.seats[seat]
        assert sitter is not None
        return sitter.name
    return next((one.name for one in book.info.bystanders if one.identity == person.identity), person.name)
