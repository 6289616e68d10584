"""Acts of the laws: from the wire to the judge, by a person, a bot or the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Refuse
from oddtrick_protocol.facts import BadFact, command_from_wire
from oddtrick_rules import commands as c
from oddtrick_rules.awaits import AwaitKind
from oddtrick_rules.cards import BIT
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import Official, Seat
from oddtrick_rules.state import Phase, Stage, State
from oddtrick_rules.turns import playable, to_play
from oddtrick_server.person import DONE, No, Person, Reply, no, no_by_law
from oddtrick_server.waits import ANSWERS

if TYPE_CHECKING:
    from oddtrick_server.table import Table
    from oddtrick_server.waits import Wait

ENDING: Final = (
    *(kind for kinds in ANSWERS.values() for kind in kinds if kind is not c.Play),
    *(c.Quit, c.Gather, c.ClaimRevoke, c.ClaimHonours, c.Search, c.BeReady, c.TakePack, c.Cut),
)
"""The acts that nobody can do without end."""


def act(table: Table, person: Person, message: m.Act, now: float) -> Reply:
    """Do an act of the laws, if table and laws let it."""
    book = table.book
    seat = book.seat_of(person.identity)
    assert seat is not None
    if not book.in_play or book.rubber is None:
        return no(Refuse.NOT_READY, "no rubber is being played")
    if book.info.paused or book.frozen:
        return no(Refuse.PAUSED)
    if not book.acts_for_itself(seat):
        return no(Refuse.SUBSTITUTED, cites=("R20",))
    try:
        command = command_from_wire(message.act)
    except BadFact as error:
        return no(Refuse.MALFORMED_MESSAGE, f"act: {error}")
    refusal = (
        _prompt_refusal(table, seat, command, message.prompt)
        or _too_early(table, seat, command, now)
        or _too_long(table, book.rubber, seat, command)
    )
    if refusal is not None:
        return refusal
    refused = table.act(seat, command)
    return DONE if refused is None else no_by_law(refused)


def _prompt_refusal(table: Table, seat: Seat, command: c.Command, prompt: str | None) -> No | None:
    waits = table.book.waits
    if prompt is not None:
        wait = waits.with_id(prompt)
        return None if wait is not None and seat in wait.seats else no(Refuse.SUPERSEDED)
    standing = waits.of(seat)
    if standing is not None and isinstance(command, ANSWERS.get(standing.kind, ())):
        return no(Refuse.PROMPT_NEEDED)
    return None


def _too_early(table: Table, seat: Seat, command: c.Command, now: float) -> No | None:
    """Nobody snatches a trick away (R1), nor charges without end (B48 of the failures we know)."""
    book = table.book
    if isinstance(command, c.Quit | c.Gather):
        wait_s = book.touched_at + book.info.clocks.linger_min_ms / 1000 - now
        if wait_s > 1e-6:
            return No(Why.NOT_NOW.value, "the trick must lie a moment longer", ("R1",), max(1, int(wait_s * 1000)))
    if isinstance(command, c.ClaimRevoke):
        hand = None if book.rubber is None else book.rubber.hand
        charges = 0 if hand is None else sum(charge.by == seat for charge in hand.charges)
        if charges >= table.limits.claims_per_hand_max:
            return no(Refuse.RATE, "as many charges as one hand may bear")
    return None


def _too_long(table: Table, state: State, seat: Seat, command: c.Command) -> No | None:
    """A hand can be drawn out without end (by a revoke mended and made again): then only what brings it to its end is taken."""
    notes = table.book.notes
    if not notes or len(notes[-1].acts) < table.limits.acts_per_hand_max or isinstance(command, ENDING):
        return None
    if isinstance(command, c.Play):
        hand = seat if command.hand is None else command.hand
        if to_play(state) is hand and playable(state, hand) & BIT[command.card]:
            return None
    return no(Refuse.RATE, "as many acts as one hand may bear: now it is played to its end")


def run_out(table: Table, wait: Wait) -> None:
    """The clock of an expectation has run out: what R32 says happens, once."""
    if wait.kind in {AwaitKind.TURN, AwaitKind.DECLARE, AwaitKind.DOUBLE}:
        for seat in wait.seats:
            if bot_acts(table, seat, wait, by="clock"):
                return
    choice = wait.expected.about if wait.kind is AwaitKind.CHOICE else 0
    command: c.Command = c.Quit() if wait.kind is AwaitKind.LINGER else c.Lapse(choice)
    if not isinstance(table.act(Official.CLOCK, command), Refusal):
        return
    for seat in wait.seats:
        if bot_acts(table, seat, wait, by="clock"):
            return
    # Nothing can be done about it. That is a fault of ours, but the clock must not strike again and again.
    wait.countdown = None
    table.faults.append(f"the clock of {wait.kind.value} ran out and nobody could act")


def bot_acts(table: Table, seat: Seat, wait: Wait | None, *, by: str | None) -> bool:
    """Let a bot act for a seat; whether it did. Where it must answer and gives nothing lawful, the plainest answer is given."""
    state = table.book.rubber
    assert state is not None
    kind = "" if wait is None else wait.kind.value
    right = None if wait is None else wait.expected.about or None
    by_hand = table.book.info.clocks.linger_ms == 0
    sitter, faults = table.book.info.seats[seat], table.faults
    for command in table.brains.acts(state, seat, sitter, kind, right, linger_by_hand=by_hand, faults=faults):
        if not isinstance(table.act(seat, command, by=by), Refusal):
            return True
    return False


def bot_wait(table: Table, seat: Seat) -> Wait | None:
    """What a bot at that seat should answer now: it lets a trick lie before it leads, and quits only where no clock does."""
    waits = table.book.waits
    standing = waits.of(seat)
    if _trick_lies(table) and (standing is None or standing.kind is AwaitKind.TURN):
        # Not while it is being asked about, either: then there is no linger yet.
        linger = waits.of_kind(AwaitKind.LINGER)
        return linger if linger is not None and linger.countdown is None else None
    return standing


def _trick_lies(table: Table) -> bool:
    """Whether a complete trick has not been quitted yet."""
    hand = None if table.book.rubber is None else table.book.rubber.hand
    return hand is not None and bool(hand.tricks) and hand.tricks[-1].stage in {Stage.COMPLETE, Stage.GATHERED}


def has_time_to_ask(table: Table) -> bool:
    """Whether a seat that is asked nothing may still have something to do: ask, withdraw, charge."""
    state = table.book.rubber
    return state is not None and state.phase in {Phase.PLAYING, Phase.CLAIMS}
