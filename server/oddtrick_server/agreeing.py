"""What the players agree on about a bystander (R17, R18, R20): a substitute, a remark that he pays for, a referee of fact.

One matter at a time is put to them. A house bot consents to everything, and so does the bot that plays for somebody who is
away; when all have consented, it is done. A bystander is made to sit down only if he is willing himself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as happened
from oddtrick_protocol.closing import Refuse
from oddtrick_protocol.table_info import SUBSTITUTE, Proposal, Sitter, has_room
from oddtrick_rules import bystanders, forming
from oddtrick_rules.code import Code, Rule
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.forming import Consent
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_server.person import DONE, No, Person, Reply, no, no_by_law

if TYPE_CHECKING:
    from oddtrick_server.book import Book
    from oddtrick_server.table import Table

REMARK, REFEREE = "remark", "referee"
Asked: TypeAlias = Consent[Seat] | Refusal


def propose(table: Table, person: Person, message: m.Propose, _now: float) -> Reply:
    """Put a matter to the players; who proposes it is for it."""
    book = table.book
    seat = book.seat_of(person.identity)
    assert seat is not None
    if book.info.proposal is not None:
        return no(Refuse.NOT_READY, "something else is being agreed on")
    if book.rubber is None or (message.what == SUBSTITUTE and not book.in_play):
        return no(Refuse.NOT_READY, "no rubber is being played")
    if not book.watches(message.who):
        return no(Refuse.NO_SUCH_PERSON, "no bystander of that identity")
    if message.what == REMARK and not has_room(book.info, message.who):
        return no(Refuse.NOT_READY, "the table keeps as many accounts as it may")
    asked = _asked(book, message.what, seat, message.who)
    if isinstance(asked, Refusal):
        return no_by_law(asked)
    name = next(one.name for one in book.info.bystanders if one.identity == message.who)
    given = (seat,) if seat in asked.asked else ()
    number = book.proposals + 1
    table.emit(happened.Proposed(number, message.what, seat, message.who, name, asked.asked, given, asked.cites))
    return DONE


def consent(table: Table, person: Person, message: m.Consent, _now: float) -> Reply:
    """Agree to what is proposed, or prevent it."""
    book = table.book
    proposal = book.info.proposal
    if proposal is None or proposal.number != message.proposal:
        return no(Refuse.SUPERSEDED, "that is not what is proposed now")
    seat = book.seat_of(person.identity)
    refusal = _no_say(book, proposal, person, seat, agreed=message.agreed)
    if refusal is not None:
        return refusal
    if message.agreed:
        table.emit(happened.Consented(proposal.number, seat))
    else:
        table.emit(happened.ProposalClosed(proposal.number, agreed=False))
    return DONE


def follow(table: Table) -> None:
    """Let bots consent, do what all have consented to, and end what its rubber no longer waits for."""
    book = table.book
    _owners_return(table)
    proposal = book.info.proposal
    if proposal is None:
        return
    if not book.in_play and proposal.what != REFEREE:
        table.emit(happened.ProposalClosed(proposal.number, agreed=False))
        return
    for seat in proposal.asked:
        if seat not in proposal.given and book.info.seats[seat] is not None and not book.acts_for_itself(seat):
            table.emit(happened.Consented(proposal.number, seat))
    now = book.info.proposal
    assert now is not None
    if now.willing and set(now.asked) <= set(now.given):
        table.emit(happened.ProposalClosed(now.number, agreed=True))
        _done(table, now)


# --- who is asked ---


def _asked(book: Book, what: str, seat: Seat, who: str) -> Asked:
    """Whose consent a matter takes, by the laws of the table."""
    code = _code(book)
    if what == REMARK:
        return bystanders.remark(code, stakes_paid=not book.in_play)
    if what == REFEREE:
        return bystanders.referee(code)
    playing = [_label(sitter, at) for at, sitter in zip(SEATS, book.info.seats, strict=True)]
    asked = forming.substitute(code, playing=playing, leaver=playing[seat], newcomer=who)
    if isinstance(asked, Refusal):
        return asked
    return Consent(tuple(at for at in SEATS if playing[at] in asked.asked), asked.cites)


def _label(sitter: Sitter | None, seat: Seat) -> str:
    """A person by his identity, a house bot by its seat."""
    return sitter.identity if sitter is not None and sitter.bot is None else f"bot {seat.name}"


def _no_say(book: Book, proposal: Proposal, person: Person, seat: Seat | None, *, agreed: bool) -> No | None:
    """Why somebody has no say in what is proposed; None if he has."""
    if seat is None:
        if proposal.what == SUBSTITUTE and person.identity == proposal.identity:
            return None
        return no(Refuse.FORBIDDEN, "this is for the players to agree on")
    if not agreed and seat in {proposal.seat, *proposal.asked}:
        return None
    said = Consent(proposal.asked, _cites(book, proposal.what), proposal.given).agreed(seat)
    return no_by_law(said) if isinstance(said, Refusal) else None


# --- what comes of it ---


def _done(table: Table, proposal: Proposal) -> None:
    book = table.book
    cites = _cites(book, proposal.what)
    if proposal.what == REFEREE:
        table.emit(happened.RefereeChosen(proposal.identity, proposal.name, cites))
    elif proposal.what == REMARK:
        bets = () if book.rubber is None else book.rubber.bets
        debt = bystanders.owed(_code(book), stakes=book.info.stakes, bets=bets)
        table.emit(happened.CountersOwed(proposal.identity, proposal.name, debt.counters, (*debt.cites, "R18")))
    else:
        owner = _swap(table, proposal.seat, proposal.identity, proposal.name)
        table.emit(happened.SubstituteNamed(proposal.seat, owner, (*cites, "R20")))


def _swap(table: Table, seat: Seat, identity: str, name: str) -> str:
    """Seat a bystander in somebody's place, who watches from now on if he is there; whose place it was."""
    sitter = table.book.info.seats[seat]
    assert sitter is not None
    table.emit(happened.Stood(seat))
    table.emit(happened.BystanderLeft(identity, name))
    table.emit(happened.Sat(seat, identity, name))
    if sitter.identity in table.attended:
        table.emit(happened.BystanderCame(sitter.identity, sitter.name))
    return sitter.identity


def _owners_return(table: Table) -> None:
    """The rubber is over: a substitute gives the seat back to its owner, if he still watches, and else leaves it free."""
    book = table.book
    if book.in_play:
        return
    for seat in SEATS:
        sitter = book.info.seats[seat]
        if sitter is None or sitter.playing_for is None:
            continue
        owner = next((one for one in book.info.bystanders if one.identity == sitter.playing_for), None)
        if owner is not None:
            _swap(table, seat, owner.identity, owner.name)
            continue
        table.emit(happened.Stood(seat))
        if sitter.identity in table.attended:
            table.emit(happened.BystanderCame(sitter.identity, sitter.name))


def _code(book: Book) -> Code:
    return code_named(book.info.code)


def _cites(book: Book, what: str) -> tuple[str, ...]:
    rule = {SUBSTITUTE: Rule.SUBSTITUTE, REMARK: Rule.BYSTANDER, REFEREE: Rule.REFEREE}[what]
    return _code(book).cites(rule)
