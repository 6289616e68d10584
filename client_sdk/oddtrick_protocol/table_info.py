"""The sum of a table's own events: what a snapshot's `info` holds.

Rules of this file: `info_after` is total and decides nothing; an event that changes nothing here leaves the record as
it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from oddtrick_protocol import table_events as happened
from oddtrick_protocol.limits import ACCOUNTS_MAX
from oddtrick_protocol.table_events import ClockLimits, TableEvent
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Enforcement


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who has a seat: `bot` is the kind of a house bot, `substitute` that of the bot now playing for its owner.

    `playing_for` is the identity of the owner who named him as substitute for this rubber.
    """

    identity: str
    name: str
    bot: str | None = None
    away: bool = False
    substitute: str | None = None
    playing_for: str | None = None


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


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a seat has proposed about a bystander, and who has agreed; he himself must be `willing`."""

    number: int
    what: str
    seat: Seat
    identity: str
    name: str
    asked: tuple[Seat, ...]
    given: tuple[Seat, ...]
    willing: bool


@dataclass(frozen=True, slots=True)
class Account:
    """What somebody owes, in counters without money value (R18)."""

    identity: str
    name: str
    counters: int


DEFAULT_CLOCKS: Final = ClockLimits()
SUBSTITUTE: Final = "substitute"


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The table but for the play; `waiting` are the identities of bystanders who are to have a place, in their order.

    `proposal` ends without an event when its seat is given up, the bystander leaves, seats change or a rubber begins.

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
    stakes: int = 1
    proposal: Proposal | None = None
    referee: str = ""
    owed: tuple[Account, ...] = ()
    other_pack: FairDeal | None = None


def has_room(info: TableInfo, identity: str) -> bool:
    """Whether the table can keep an account of what that person owes."""
    return len(info.owed) < ACCOUNTS_MAX or any(one.identity == identity for one in info.owed)


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
        stakes=event.stakes,
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
        proposal=_without_consent(info.proposal, seat),
        pause_asked=tuple(other for other in info.pause_asked if other != seat),
        unpause_asked=tuple(other for other in info.unpause_asked if other != seat),
        again_asked=tuple(other for other in info.again_asked if other != seat),
    )


def _without_consent(proposal: Proposal | None, seat: Seat) -> Proposal | None:
    if proposal is None or proposal.seat == seat:
        return None
    return replace(proposal, given=tuple(other for other in proposal.given if other != seat))


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
    return replace(info, rubber=event.rubber, again_asked=(), proposal=None)


def _came(info: TableInfo, event: happened.BystanderCame) -> TableInfo:
    others = tuple(one for one in info.bystanders if one.identity != event.identity)
    return replace(info, bystanders=(*others, Bystander(event.identity, event.name)))


def _left(info: TableInfo, event: happened.BystanderLeft) -> TableInfo:
    proposal = info.proposal
    return replace(
        info,
        proposal=None if proposal is not None and proposal.identity == event.identity else proposal,
        referee="" if info.referee == event.identity else info.referee,
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
    return replace(
        info, seats=(north, east, south, west), pause_asked=(), unpause_asked=(), again_asked=(), proposal=None
    )


def _proposed(info: TableInfo, event: happened.Proposed) -> TableInfo:
    willing = event.what != SUBSTITUTE
    proposal = Proposal(
        event.number, event.what, event.seat, event.identity, event.name, event.asked, event.given, willing
    )
    return replace(info, proposal=proposal)


def _consented(info: TableInfo, event: happened.Consented) -> TableInfo:
    proposal = info.proposal
    if proposal is None or proposal.number != event.number:
        return info
    if event.seat is None:
        return replace(info, proposal=replace(proposal, willing=True))
    return replace(info, proposal=replace(proposal, given=_with(proposal.given, event.seat)))


def _proposal_closed(info: TableInfo, _: happened.ProposalClosed) -> TableInfo:
    return replace(info, proposal=None)


def _named(info: TableInfo, event: happened.SubstituteNamed) -> TableInfo:
    return _sitter_with(info, event.seat, playing_for=event.owner)


def _owed(info: TableInfo, event: happened.CountersOwed) -> TableInfo:
    before = sum(one.counters for one in info.owed if one.identity == event.identity)
    others = tuple(one for one in info.owed if one.identity != event.identity)
    return replace(info, owed=(*others, Account(event.identity, event.name, before + event.counters)))


def _referee(info: TableInfo, event: happened.RefereeChosen) -> TableInfo:
    return replace(info, referee=event.identity)


def _committed(info: TableInfo, event: happened.DealCommitted) -> TableInfo:
    other = info.other_pack
    if other is not None and other.commitment == event.commitment:
        other = info.deal  # the other of the two is taken
    elif other is not None and other.hand != event.hand:
        other = None
    deal = FairDeal(event.hand, event.hand_id, event.commitment, event.previous)
    return replace(info, deal=deal, other_pack=other)


def _pack_offered(info: TableInfo, event: happened.PackOffered) -> TableInfo:
    return replace(info, other_pack=FairDeal(event.hand, event.hand_id, event.commitment, event.previous))


def _pack_opened(info: TableInfo, event: happened.PackOpened) -> TableInfo:
    other = info.other_pack
    return replace(info, other_pack=None if other is not None and other.commitment == event.commitment else other)


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
    happened.Proposed: _proposed,
    happened.Consented: _consented,
    happened.ProposalClosed: _proposal_closed,
    happened.SubstituteNamed: _named,
    happened.CountersOwed: _owed,
    happened.RefereeChosen: _referee,
    happened.DealCommitted: _committed,
    happened.SeatCommitted: _seat_committed,
    happened.RevealsAsked: _reveals,
    happened.SeatRevealed: _seat_revealed,
    happened.PackOffered: _pack_offered,
    happened.PackOpened: _pack_opened,
    happened.TableClosed: _closed,
}
