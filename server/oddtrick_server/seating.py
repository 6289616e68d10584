"""Who sits, who watches, who is away: the seats of a table and the people around it (R20, R33)."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as happened
from oddtrick_protocol.closing import Refuse
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Phase, Stage, State
from oddtrick_server.entries import Found
from oddtrick_server.names import told_apart
from oddtrick_server.person import DONE, Done, No, Person, Reply, no

if TYPE_CHECKING:
    from oddtrick_server.book import Book
    from oddtrick_server.table import Table

BOT_NAMES: Final = ("Ada", "Blaise", "Clay", "Deschapelles")


# --- seats ---


def sit(table: Table, person: Person, message: m.Sit, _now: float) -> Reply:
    """Take a free seat; in the middle of a rubber, one whose player left."""
    book = table.book
    if book.seat_of(person.identity) is not None:
        return no(Refuse.ALREADY_SEATED, cites=("R33",))
    shut_out = _shut_out(book, person, message.invite, private=book.info.private)
    if shut_out is not None:
        return shut_out
    if not book.in_play and _is_bespoken(book, person):
        return no(Refuse.NO_FREE_SEAT, "others wait for a place: watch, and declare in")
    held = book.hands_held.get(person.identity) if book.hand_live else None
    if held is not None and message.seat not in {"any", held.name}:
        return no(Refuse.HAND_KNOWN, cites=("R20",))
    seat = free_seat(book, message.seat if held is None else held.name)
    if seat is None and held is not None and free_seat(book, "any") is not None:
        return no(Refuse.HAND_KNOWN, cites=("R20",))
    if seat is None:
        return no(Refuse.NO_FREE_SEAT if message.seat == "any" else Refuse.SEAT_TAKEN)
    if book.watches(person.identity):
        table.emit(happened.BystanderLeft(person.identity, _watcher_name(book, person.identity)))
    bot = None
    sitter = book.info.seats[seat]
    if sitter is not None:
        bot = sitter.bot
        table.emit(happened.Stood(seat))
    table.attended.add(person.identity)
    table.emit(happened.Sat(seat, person.identity, told_apart(person.name, names_at(book))))
    if bot is not None:
        table.emit(happened.SubstituteSat(seat, bot))
    return Done(seat)


def free_seat(book: Book, wish: str) -> Seat | None:
    """A seat that may be taken: the one wished for, or the first."""
    for seat in SEATS:
        if wish in {"any", seat.name} and _is_free(book, seat):
            return seat
    return None


def _is_bespoken(book: Book, person: Person) -> bool:
    """Whether as many others wait for a place as there are places to have."""
    others = sum(identity != person.identity for identity in book.info.waiting)
    return others > 0 and others >= sum(_is_free(book, seat) for seat in SEATS)


def _is_free(book: Book, seat: Seat) -> bool:
    sitter = book.info.seats[seat]
    return sitter is None or (sitter.bot is not None and book.places[seat].vacated)


def _shut_out(book: Book, person: Person, invite: str | None, *, private: bool) -> No | None:
    """Why somebody may not come in; None if he may. One who is at the table already needs no invite."""
    if person.identity in book.banned:
        return no(Refuse.FORBIDDEN, "the host has sent you away from this table")
    assert book.opened is not None
    known = person.identity == book.opened.creator or book.watches(person.identity)
    if private and not known and not hmac.compare_digest((invite or "").encode(), book.opened.invite.encode()):
        return no(Refuse.INVITE_NEEDED)
    return None


def names_at(book: Book) -> list[str]:
    """The names at the table, so that a newcomer's can be told from them."""
    names = [sitter.name for sitter in book.info.seats if sitter is not None]
    return names + [one.name for one in book.info.bystanders]


def stand(table: Table, person: Person, _message: m.Stand, _now: float) -> Reply:
    """Give up one's seat, and watch if the table admits bystanders."""
    seat = table.book.seat_of(person.identity)
    assert seat is not None
    name = _sitter_name(table.book, seat)
    give_up(table, seat)
    if table.book.info.watch != "none":
        table.emit(happened.BystanderCame(person.identity, told_apart(name, names_at(table.book))))
    return DONE


def leave(table: Table, person: Person, _message: m.Leave, _now: float) -> Reply:
    """Leave the table altogether."""
    book = table.book
    seat = book.seat_of(person.identity)
    if seat is not None:
        give_up(table, seat)
    if book.watches(person.identity):
        table.emit(happened.BystanderLeft(person.identity, _watcher_name(book, person.identity)))
    table.attended.discard(person.identity)
    return DONE


def give_up(table: Table, seat: Seat, *, kicked: bool = False) -> None:
    """Empty a seat; in the middle of a rubber a bot takes it, until somebody else does (R20)."""
    table.emit(happened.Stood(seat, kicked))
    if table.book.in_play:
        seat_bot(table, seat, table.brains.substitute, identity="")


def seat_bot(table: Table, seat: Seat, kind: str, *, identity: str) -> None:
    """Seat a house bot. One without an identity keeps the seat for a player to come."""
    name = told_apart(BOT_NAMES[seat], names_at(table.book))
    table.emit(happened.Sat(seat, identity, name, kind))


def fill_with_bots(table: Table, kind: str, *, count: int = 4, from_last: bool = False) -> None:
    """Put house bots into so many empty seats."""
    empty = [seat for seat in SEATS if table.book.info.seats[seat] is None]
    chosen = empty[::-1][:count] if from_last else empty[:count]
    for seat in sorted(chosen):
        seat_bot(table, seat, kind, identity=f"bot-{seat.name}")


# --- bystanders ---


def watch(table: Table, person: Person, message: m.Watch, _now: float) -> Reply:
    """Watch the table, named to it (R17)."""
    book = table.book
    if book.seat_of(person.identity) is not None:
        return no(Refuse.ALREADY_SEATED)
    invited_only = book.info.watch == "invited" or book.info.private
    shut_out = _shut_out(book, person, message.invite, private=invited_only)
    if shut_out is not None:
        return shut_out
    if book.info.watch == "none":
        return no(Refuse.NO_WATCHING)
    table.attended.add(person.identity)
    if book.watches(person.identity):
        return DONE
    if len(book.info.bystanders) >= table.limits.bystanders_per_table_max:
        return no(Refuse.NO_WATCHING, "the table has all the bystanders it may have")
    table.emit(happened.BystanderCame(person.identity, told_apart(person.name, names_at(book))))
    return DONE


# --- coming and going ---


def arrived(table: Table, person: Person) -> None:
    """A line of his is up: unless he said that he is away, he is back."""
    book = table.book
    seat = book.seat_of(person.identity)
    if seat is not None:
        sitter, place = book.info.seats[seat], book.places[seat]
        assert sitter is not None
        if sitter.away and not place.asked:
            table.emit(happened.CameBack(seat))
        elif place.gone:
            table.mark(Found(person.identity))
    elif person.identity in book.lost_bystanders:
        table.mark(Found(person.identity))


def lost(table: Table, identity: str) -> None:
    """His last line is down."""
    book = table.book
    seat = book.seat_of(identity)
    if seat is not None:
        if book.is_here(seat):
            _is_away(table, seat)
    elif book.watches(identity):
        table.emit(happened.BystanderLeft(identity, _watcher_name(book, identity)))


def _is_away(table: Table, seat: Seat) -> None:
    left_s = table.book.places[seat].absence.left_s(table.now)
    limited = table.book.places[seat].absence.limit_s > 0
    table.emit(happened.WentAway(seat, asked=False, absence_ms=int(left_s * 1000) if limited else None))


def not_regained(table: Table) -> None:
    """The time for coming back after our own absence is over: who is not here is away."""
    book = table.book
    for seat in SEATS:
        if book.places[seat].gone:
            _is_away(table, seat)
    for identity in sorted(book.lost_bystanders):
        table.emit(happened.BystanderLeft(identity, _watcher_name(book, identity)))


def absent_too_long(table: Table, seat: Seat) -> None:
    """The clock of absence has run: a substitute sits, or outside a rubber the seat is free (R20, R32)."""
    if table.book.in_play:
        table.emit(happened.SubstituteSat(seat, table.brains.substitute))
    else:
        table.emit(happened.Stood(seat))


def away(table: Table, person: Person, _message: m.Away, _now: float) -> Reply:
    """Step away: in a rubber a substitute sits at once."""
    seat = table.book.seat_of(person.identity)
    assert seat is not None
    sitter = table.book.info.seats[seat]
    assert sitter is not None
    if table.book.places[seat].asked:
        return DONE
    table.emit(happened.WentAway(seat, asked=True, absence_ms=None))
    if table.book.in_play and sitter.substitute is None:
        table.emit(happened.SubstituteSat(seat, table.brains.substitute))
    return DONE


def back(table: Table, person: Person, _message: m.Back, _now: float) -> Reply:
    """Be back; the seat is one's own again between tricks."""
    seat = table.book.seat_of(person.identity)
    assert seat is not None
    sitter = table.book.info.seats[seat]
    assert sitter is not None
    if sitter.away:
        table.emit(happened.CameBack(seat))
    return DONE


def owners_return(table: Table) -> None:
    """Give owners who are back their seats, if no trick lies open (R20)."""
    book = table.book
    if book.in_play and not between_tricks(book.rubber):
        return
    for seat in SEATS:
        sitter = book.info.seats[seat]
        if sitter is not None and sitter.substitute is not None and book.is_here(seat):
            table.emit(happened.SubstituteStood(seat))


def between_tricks(state: State | None) -> bool:
    """Whether no trick lies open or unturned, and no play is being mended."""
    hand = None if state is None else state.hand
    if state is None or hand is None or state.phase is not Phase.PLAYING:
        return True
    if hand.question is not None or hand.mending is not None:
        return False
    return not hand.tricks or hand.tricks[-1].stage is Stage.QUITTED


def _sitter_name(book: Book, seat: Seat) -> str:
    sitter = book.info.seats[seat]
    return "" if sitter is None else sitter.name


def _watcher_name(book: Book, identity: str) -> str:
    return next((one.name for one in book.info.bystanders if one.identity == identity), "")
