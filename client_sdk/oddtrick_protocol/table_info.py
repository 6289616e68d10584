"""The sum of a table's own events: what a snapshot's `info` holds.

Rules of this file: `info_after` is total and decides nothing; an event that changes nothing here leaves the record as
it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from oddtrick_protocol import table_events as happened
from oddtrick_protocol.table_events import ClockLimits, TableEvent
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Enforcement


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who has a seat: `bot` is the kind of a house bot, `substitute` that of the bot now playing for its owner."""

    identity: str
    name: str
    bot: str | None = None
    away: bool = False
    substitute: str | None = None


Sitters: TypeAlias = tuple[Sitter | None, Sitter | None, Sitter | None, Sitter | None]


@dataclass(frozen=True, slots=True)
class Bystander:
    """Somebody who watches."""

    identity: str
    name: str


@dataclass(frozen=True, slots=True)
class FairDeal:
    """What is published of the deal in progress, as hexadecimal text.

    Entries of `commitments` and `entropies` are N E S W.
    """

    hand: int
    hand_id: str
    commitment: str
    previous: str
    commitments: tuple[str, str, str, str] = ("", "", "", "")
    entropies: tuple[str, str, str, str] = ("", "", "", "")
    revealing: bool = False


DEFAULT_CLOCKS: Final = ClockLimits()


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The table but for the play; `waiting` are the identities of bystanders who are to have a place, in their order.

    Bare `TableInfo()` is a table before its first event.
    """

    code: str = ""
    enforcement: Enforcement = Enforcement.GUIDED
    clocks: ClockLimits = DEFAULT_CLOCKS
    private: bool = False
    watch: str = "all"
    open_hands: bool = False
    reasonable_time: bool = False
    seats: Sitters = (None, None, None, None)
    host: str = ""
    bystanders: tuple[Bystander, ...] = ()
    rubber: int = 0
    paused: bool = False
    pause_asked: tuple[Seat, ...] = ()
    unpause_asked: tuple[Seat, ...] = ()
    again_asked: tuple[Seat, ...] = ()
    deal: FairDeal | None = None
    closed: str | None = None
    forming: str = "seats"
    waiting: tuple[str, ...] = ()


def info_after(info: TableInfo, event: TableEvent) -> TableInfo:
    """Return the table after that event."""
    fold = _FOLDS.get(type(event))
    return info if fold is None else fold(info, event)


def _opened(info: TableInfo, event: happened.TableOpened) -> TableInfo:
    return replace(
        info,
        code=event.code,
        enforcement=event.enforcement,
        clocks=event.clocks,
        private=event.private,
        watch=event.watch,
        open_hands=event.open_hands,
        reasonable_time=event.reasonable_time,
        forming=event.forming,
    )


def _seated(info: TableInfo, seat: Seat, sitter: Sitter | None) -> TableInfo:
    north, east, south, west = (sitter if at == seat else other for at, other in enumerate(info.seats))
    return replace(info, seats=(north, east, south, west))


def _sat(info: TableInfo, event: happened.Sat) -> TableInfo:
    return _seated(info, event.seat, Sitter(event.identity, event.name, event.bot))


def _stood(info: TableInfo, event: happened.Stood) -> TableInfo:
    return _without_consents(_seated(info, event.seat, None), event.seat)


def _without_consents(info: TableInfo, seat: Seat) -> TableInfo:
    return replace(
        info,
        pause_asked=tuple(other for other in info.pause_asked if other != seat),
        unpause_asked=tuple(other for other in info.unpause_asked if other != seat),
        again_asked=tuple(other for other in info.again_asked if other != seat),
    )


def _sitter_with(info: TableInfo, seat: Seat, **values: Any) -> TableInfo:
    sitter = info.seats[seat]
    return info if sitter is None else _seated(info, seat, replace(sitter, **values))


def _away(info: TableInfo, event: happened.WentAway) -> TableInfo:
    return _sitter_with(info, event.seat, away=True)


def _back(info: TableInfo, event: happened.CameBack) -> TableInfo:
    return _sitter_with(info, event.seat, away=False)


def _substitute(info: TableInfo, event: happened.SubstituteSat) -> TableInfo:
    return _sitter_with(info, event.seat, substitute=event.bot)


def _owner(info: TableInfo, event: happened.SubstituteStood) -> TableInfo:
    return _sitter_with(info, event.seat, substitute=None)


def _host(info: TableInfo, event: happened.HostMoved) -> TableInfo:
    return replace(info, host=event.identity)


def _clocks(info: TableInfo, event: happened.ClocksSet) -> TableInfo:
    return replace(info, clocks=event.clocks)


def _with(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return seats if seat in seats else (*seats, seat)


def _pause_asked(info: TableInfo, event: happened.PauseAsked) -> TableInfo:
    return replace(info, pause_asked=_with(info.pause_asked, event.seat))


def _paused(info: TableInfo, _: happened.PauseBegan) -> TableInfo:
    return replace(info, paused=True, pause_asked=(), unpause_asked=())


def _unpause_asked(info: TableInfo, event: happened.UnpauseAsked) -> TableInfo:
    return replace(info, unpause_asked=_with(info.unpause_asked, event.seat))


def _unpaused(info: TableInfo, _: happened.PauseEnded) -> TableInfo:
    return replace(info, paused=False, pause_asked=(), unpause_asked=())


def _again(info: TableInfo, event: happened.AgainAsked) -> TableInfo:
    return replace(info, again_asked=_with(info.again_asked, event.seat))


def _rubber(info: TableInfo, event: happened.RubberBegan) -> TableInfo:
    return replace(info, rubber=event.rubber, again_asked=())


def _came(info: TableInfo, event: happened.BystanderCame) -> TableInfo:
    others = tuple(one for one in info.bystanders if one.identity != event.identity)
    return replace(info, bystanders=(*others, Bystander(event.identity, event.name)))


def _left(info: TableInfo, event: happened.BystanderLeft) -> TableInfo:
    return replace(
        info,
        bystanders=tuple(one for one in info.bystanders if one.identity != event.identity),
        waiting=tuple(identity for identity in info.waiting if identity != event.identity),
    )


def _declared(info: TableInfo, event: happened.DeclaredIn) -> TableInfo:
    others = tuple(identity for identity in info.waiting if identity != event.identity)
    return replace(info, waiting=(*others, event.identity))


def _queue(info: TableInfo, event: happened.QueueFormed) -> TableInfo:
    return replace(info, waiting=event.identities)


def _seats_changed(info: TableInfo, event: happened.SeatsChanged) -> TableInfo:
    north, east, south, west = (info.seats[seat] for seat in event.before)
    return replace(info, seats=(north, east, south, west), pause_asked=(), unpause_asked=(), again_asked=())


def _committed(info: TableInfo, event: happened.DealCommitted) -> TableInfo:
    return replace(info, deal=FairDeal(event.hand, event.hand_id, event.commitment, event.previous))


Texts: TypeAlias = tuple[str, str, str, str]


def _put(texts: Texts, seat: Seat, text: str) -> Texts:
    north, east, south, west = (text if at == seat else other for at, other in enumerate(texts))
    return north, east, south, west


def _seat_committed(info: TableInfo, event: happened.SeatCommitted) -> TableInfo:
    deal = info.deal
    if deal is None:
        return info
    return replace(info, deal=replace(deal, commitments=_put(deal.commitments, event.seat, event.commitment)))


def _reveals(info: TableInfo, _: happened.RevealsAsked) -> TableInfo:
    return info if info.deal is None else replace(info, deal=replace(info.deal, revealing=True))


def _seat_revealed(info: TableInfo, event: happened.SeatRevealed) -> TableInfo:
    deal = info.deal
    if deal is None:
        return info
    return replace(info, deal=replace(deal, entropies=_put(deal.entropies, event.seat, event.entropy)))


def _closed(info: TableInfo, event: happened.TableClosed) -> TableInfo:
    return replace(info, closed=event.reason)


_FOLDS: Final[dict[type, Callable[[TableInfo, Any], TableInfo]]] = {
    happened.TableOpened: _opened,
    happened.Sat: _sat,
    happened.Stood: _stood,
    happened.WentAway: _away,
    happened.CameBack: _back,
    happened.SubstituteSat: _substitute,
    happened.SubstituteStood: _owner,
    happened.HostMoved: _host,
    happened.ClocksSet: _clocks,
    happened.PauseAsked: _pause_asked,
    happened.PauseBegan: _paused,
    happened.UnpauseAsked: _unpause_asked,
    happened.PauseEnded: _unpaused,
    happened.AgainAsked: _again,
    happened.RubberBegan: _rubber,
    happened.BystanderCame: _came,
    happened.BystanderLeft: _left,
    happened.DeclaredIn: _declared,
    happened.QueueFormed: _queue,
    happened.SeatsChanged: _seats_changed,
    happened.DealCommitted: _committed,
    happened.SeatCommitted: _seat_committed,
    happened.RevealsAsked: _reveals,
    happened.SeatRevealed: _seat_revealed,
    happened.TableClosed: _closed,
}
