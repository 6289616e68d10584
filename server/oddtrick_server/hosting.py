"""The host's powers, and what the seats decide together: the start, clocks, bots, sending away, pauses, another rubber."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from oddtrick_protocol import limits as wire
from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as happened
from oddtrick_protocol.closing import Refuse
from oddtrick_protocol.table_events import ClockLimits
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_server import cutting, seating
from oddtrick_server.entries import Banned
from oddtrick_server.person import DONE, Done, Person, Reply, no

if TYPE_CHECKING:
    from oddtrick_server.table import Table

BOUNDS_MS: Final = {
    "linger_ms": wire.LINGER_MS,
    "linger_min_ms": wire.LINGER_MIN_MS,
    "turn_ms": wire.TURN_MS,
    "question_ms": wire.CHOICE_MS,
    "choice_ms": wire.CHOICE_MS,
    "election_ms": wire.CHOICE_MS,
    "claims_ms": wire.CHOICE_MS,
    "absence_ms": wire.ABSENCE_MS,
}


def clocks_with(clocks: ClockLimits, wish: m.Clocks | None) -> ClockLimits:
    """The limits with those changed that `wish` names; ValueError, naming it, for one outside its bounds (R32)."""
    values = {name: getattr(clocks, name) for name in BOUNDS_MS}
    for name, (least, most) in BOUNDS_MS.items():
        wished = None if wish is None else getattr(wish, name)
        if wished is None:
            continue
        if wished and not least <= wished <= most:
            raise ValueError(f"{name} is 0 (off) or {least} to {most}")
        values[name] = wished
    return ClockLimits(**values)


# --- the host ---


def start(table: Table, _person: Person, _message: m.Start, _now: float) -> Reply:
    """Begin a rubber; house bots take the empty seats."""
    book = table.book
    if book.in_play:
        return no(Refuse.IN_PLAY, "a rubber is being played")
    if not book.info.waiting and not any(sitter is not None and sitter.bot is None for sitter in book.info.seats):
        return no(Refuse.NOT_READY, "nobody sits at the table")
    begin_rubber(table)
    return DONE


def begin_rubber(table: Table) -> None:
    """Begin a rubber: with a dealer drawn by lot, or by cutting for everything."""
    book = table.book
    number = book.info.rubber + 1
    if book.info.forming == cutting.CUT:
        dealer = cutting.form(table, number)
    else:
        seating.fill_with_bots(table, table.brains.substitute)
        dealer = _drawn_dealer(table, number)
    info = book.info
    table.emit(happened.RubberBegan(number, info.code, info.enforcement, dealer, info.reasonable_time))
    for seat in SEATS:
        sitter = info.seats[seat]
        if sitter is not None and sitter.away and book.places[seat].asked and sitter.substitute is None:
            table.emit(happened.SubstituteSat(seat, table.brains.substitute))


def _drawn_dealer(table: Table, rubber: int) -> Seat:
    assert table.book.opened is not None
    seed = table.book.opened.seed
    lot = table.entropy(1) if seed is None else sha256(f"{seed}/dealer/{rubber}".encode()).digest()
    return SEATS[lot[0] % 4]


def kick(table: Table, person: Person, message: m.Kick, _now: float) -> Reply:
    """Send somebody away: he may neither sit nor watch here again."""
    book = table.book
    seat = Seat[message.who] if message.who in Seat.__members__ else book.seat_of(message.who)
    sitter = None if seat is None else book.info.seats[seat]
    identity = message.who if sitter is None else sitter.identity
    if identity == person.identity:
        return no(Refuse.FORBIDDEN, "the host cannot send himself away")
    if sitter is not None and sitter.bot is not None:
        return no(Refuse.NO_SUCH_PERSON, "a house bot sits there: remove_bot sends it away")
    watcher = next((one for one in book.info.bystanders if one.identity == identity), None)
    if sitter is None and watcher is None:
        return no(Refuse.NO_SUCH_PERSON)
    table.mark(Banned(identity))
    if seat is not None:
        seating.give_up(table, seat, kicked=True)
    if watcher is not None:
        table.emit(happened.BystanderLeft(watcher.identity, watcher.name))
    table.attended.discard(identity)
    return DONE


def set_clocks(table: Table, _person: Person, message: m.SetClocks, _now: float) -> Reply:
    """Set the limits, before the rubber (R32)."""
    if table.book.in_play:
        return no(Refuse.IN_PLAY, "the clocks are set before the rubber", cites=("R32",))
    try:
        clocks = clocks_with(table.book.info.clocks, message.clocks)
    except ValueError as error:
        return no(Refuse.BAD_CLOCKS, str(error), cites=("R32",))
    table.emit(happened.ClocksSet(clocks))
    return DONE


def add_bot(table: Table, _person: Person, message: m.AddBot, _now: float) -> Reply:
    """Seat a house bot, before the rubber."""
    if table.book.in_play:
        return no(Refuse.IN_PLAY)
    if not table.brains.has(message.bot):
        return no(Refuse.NO_SUCH_BOT)
    seat = seating.free_seat(table.book, message.seat)
    if seat is None:
        return no(Refuse.NO_FREE_SEAT if message.seat == "any" else Refuse.SEAT_TAKEN)
    if table.book.info.seats[seat] is not None:
        table.emit(happened.Stood(seat))
    seating.seat_bot(table, seat, message.bot, identity=f"bot-{seat.name}")
    return Done(seat)


def remove_bot(table: Table, _person: Person, message: m.RemoveBot, _now: float) -> Reply:
    """Send a house bot away, before the rubber."""
    if table.book.in_play:
        return no(Refuse.IN_PLAY)
    seat = Seat[message.seat]
    sitter = table.book.info.seats[seat]
    if sitter is None or sitter.bot is None:
        return no(Refuse.NO_SUCH_BOT, "no house bot sits there")
    table.emit(happened.Stood(seat))
    return DONE


# --- the seats together ---


def pause(table: Table, person: Person, _message: m.Pause, _now: float) -> Reply:
    """Ask for a pause, or consent to it."""
    book = table.book
    seat = book.seat_of(person.identity)
    assert seat is not None
    if not book.in_play:
        return no(Refuse.NOT_READY, "no rubber is being played")
    if book.info.paused:
        return no(Refuse.PAUSED)
    if seat not in book.info.pause_asked:
        table.emit(happened.PauseAsked(seat))
    return DONE


def unpause(table: Table, person: Person, _message: m.Unpause, _now: float) -> Reply:
    """Be for going on; before the pause has begun, take the wish for it back."""
    book = table.book
    seat = book.seat_of(person.identity)
    assert seat is not None
    if book.info.paused:
        if seat not in book.info.unpause_asked:
            table.emit(happened.UnpauseAsked(seat))
    elif book.info.pause_asked:
        table.emit(happened.PauseEnded())
    else:
        return no(Refuse.NOT_READY, "there is no pause")
    return DONE


def again(table: Table, person: Person, _message: m.Again, _now: float) -> Reply:
    """Be for another rubber."""
    book = table.book
    seat = book.seat_of(person.identity)
    assert seat is not None
    if book.in_play:
        return no(Refuse.IN_PLAY, "a rubber is being played")
    if book.rubber is None:
        return no(Refuse.NOT_READY, "the host begins the first rubber")
    if seat not in book.info.again_asked:
        table.emit(happened.AgainAsked(seat))
    return DONE


def consents(table: Table) -> None:
    """Do what every seated person who is here has asked for."""
    info = table.book.info
    here = set(table.book.here())
    if not here:
        return
    if not info.paused and info.pause_asked and here <= set(info.pause_asked):
        table.emit(happened.PauseBegan())
    elif info.paused and info.unpause_asked and here <= set(info.unpause_asked):
        table.emit(happened.PauseEnded())
    if not table.book.in_play and info.again_asked and here <= set(info.again_asked):
        begin_rubber(table)


def host_moves(table: Table) -> None:
    """See that the host is somebody who is there: when he is not, the seat that has been there first is host."""
    book = table.book
    info = book.info
    if info.host and _may_stay_host(table, info.host):
        return
    heirs = [seat for seat in SEATS if book.is_here(seat)]
    heir = None if not heirs else info.seats[heirs[0]]
    if heir is not None:
        table.emit(happened.HostMoved(heir.identity, heir.name))
    elif info.host and not _is_known(table, info.host):
        table.emit(happened.HostMoved("", ""))


def _may_stay_host(table: Table, identity: str) -> bool:
    """A seated host stays host while his absence is brief; any other while he is connected."""
    book = table.book
    seat = book.seat_of(identity)
    if seat is None:
        return identity in table.attended and identity not in book.banned
    sitter = book.info.seats[seat]
    return sitter is not None and sitter.substitute is None


def _is_known(table: Table, identity: str) -> bool:
    """Whether somebody still belongs to the table, however far away he is."""
    book = table.book
    return book.seat_of(identity) is not None or book.watches(identity)
