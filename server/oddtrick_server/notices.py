"""What is put to the people at a table besides events: prompts, what else they may do, the clocks that run.

None of it is numbered. It is worked out from the table as it stands and sent when it has changed; deadlines are what is left
when it is sent. `waiting` is the same for everybody and rests on public knowledge alone (R4, R32).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from oddtrick_protocol.facts import cards_to_wire, command_to_wire
from oddtrick_protocol.messages import Clock, May, Prompt, Waiting
from oddtrick_rules.awaits import AwaitKind
from oddtrick_rules.cards import PACK
from oddtrick_rules.commands import Command, Play
from oddtrick_rules.legal import dynamic
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.turns import playable
from oddtrick_server import dealing
from oddtrick_server.acting import ANSWERS
from oddtrick_server.countdown import Countdown

if TYPE_CHECKING:
    from oddtrick_server.table import Table
    from oddtrick_server.waits import Wait

Plain: TypeAlias = dict[str, Any]
NO_PROMPT: Final = "none"
_PLAYS: Final = {card: command_to_wire(Play(card)) for card in PACK}


class Asked:
    """What one seat is asked and what else it may do, as last worked out."""

    __slots__ = ("acts", "may", "playable", "wait")

    def __init__(self, wait: Wait | None, acts: list[Plain], may: list[Plain], cards: list[str]) -> None:
        self.wait = wait
        self.acts = acts
        self.may = may
        self.playable = cards


def asked_of(table: Table, seat: Seat) -> Asked:
    """What a seat is asked now. A seat that a bot plays for its owner, or that must wait, is asked nothing."""
    book = table.book
    state = book.rubber
    if state is None or not book.clocks_run or not book.acts_for_itself(seat):
        return Asked(None, [], [], [])
    wait = book.waits.of(seat)
    answers = () if wait is None else ANSWERS.get(wait.kind, ())
    acts: list[Plain] = []
    may: list[Plain] = []
    for command in dynamic(state, seat):
        (acts if isinstance(command, answers) else may).append(_wire(command))
    cards: list[str] = []
    if wait is not None and wait.kind is AwaitKind.TURN and wait.expected.seat is not None:
        cards = cards_to_wire(playable(state, wait.expected.seat))
    if wait is not None and wait.kind not in ANSWERS:
        acts, may = may, []
    return Asked(wait, acts, may, cards)


def _wire(command: Command) -> Plain:
    if type(command) is Play and command.hand is None:
        return _PLAYS[command.card]
    return command_to_wire(command)


def prompt_of(table: Table, asked: Asked, now: float) -> Prompt:
    """The prompt as it is sent; of kind `none` if nothing is asked."""
    wait = asked.wait
    if wait is None:
        return Prompt(table=table.id, prompt="", kind=NO_PROMPT)
    countdown = wait.countdown
    return Prompt(
        table=table.id,
        prompt=wait.id,
        kind=wait.kind.value,
        acts=asked.acts,
        playable=asked.playable,
        deadline_ms=None if countdown is None else int(countdown.left_s(now) * 1000),
        limit_ms=None if countdown is None else int(countdown.limit_s * 1000),
        right=wait.expected.about or None,
    )


def may_of(table: Table, asked: Asked) -> May:
    """What else the seat may do, as it is sent."""
    return May(table=table.id, acts=asked.may)


def is_same_prompt(before: Asked | None, after: Asked) -> bool:
    """Whether the prompt need not be sent again."""
    if before is None:
        return after.wait is None
    return before.wait is after.wait and before.acts == after.acts and before.playable == after.playable


def is_same_may(before: Asked | None, after: Asked) -> bool:
    """Whether the list of other acts need not be sent again."""
    return before.may == after.may if before is not None else not after.may


# --- for everybody ---

ClockKey: TypeAlias = tuple[tuple[str, tuple[Seat, ...], float | None], ...]


def running_clocks(table: Table) -> list[tuple[str, tuple[Seat, ...], Countdown]]:
    """The limits that run: kind, seats, countdown."""
    book = table.book
    clocks: list[tuple[str, tuple[Seat, ...], Countdown]] = [
        (wait.kind.value, wait.seats, wait.countdown)
        for wait in book.waits
        if wait.countdown is not None and wait.countdown.is_running
    ]
    clocks += [
        ("absence", (seat,), book.places[seat].absence) for seat in SEATS if book.places[seat].absence.is_running
    ]
    deal = book.pending_deal()
    if deal is not None:
        clock = book.cut_clock if dealing.is_ready(book, deal) else book.entropy_clock
        if clock is not None and clock.is_running:
            clocks.append(("deal", (), clock))
    if book.pause.is_running:
        clocks.append(("pause", (), book.pause))
    return clocks


def clock_key(clocks: list[tuple[str, tuple[Seat, ...], Countdown]]) -> ClockKey:
    """What must be the same for `waiting` not to be sent again."""
    return tuple((kind, seats, clock.due) for kind, seats, clock in clocks)


def waiting_of(table: Table, clocks: list[tuple[str, tuple[Seat, ...], Countdown]], now: float) -> Waiting:
    """The limits that run, as they are sent."""
    return Waiting(
        table=table.id,
        clocks=[
            Clock(
                kind=kind,
                seats=[seat.name for seat in seats],
                deadline_ms=int(clock.left_s(now) * 1000),
                limit_ms=int(clock.limit_s * 1000),
            )
            for kind, seats, clock in clocks
        ],
    )
