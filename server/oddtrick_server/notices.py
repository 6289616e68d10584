"""What is put to the people at a table besides events: prompts, what else they may do, the clocks that run.

None of it is numbered. It is worked out from the table as it stands and sent when it has changed; deadlines are what is left
when it is sent. `waiting` is the same for everybody and rests on public knowledge alone (R4, R32).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from oddtrick_protocol.facts import cards_to_wire, command_to_wire
from oddtrick_protocol.messages import Clock, May, Prompt, Waiting
from oddtrick_rules.awaits import AwaitKind
from oddtrick_rules.cards import PACK, cards_in
from oddtrick_rules.commands import Command, Gather, Play, Quit
from oddtrick_rules.legal import dynamic
from oddtrick_rules.seats import PARTNER, SEATS, SIDE, Seat
from oddtrick_rules.state import NO_CARDS, Enforcement, Hand, Phase, RevokeStage, Stage, State
from oddtrick_rules.turns import playable
from oddtrick_server import dealing
from oddtrick_server.countdown import Countdown
from oddtrick_server.waits import ANSWERS

if TYPE_CHECKING:
    from oddtrick_server.table import Table
    from oddtrick_server.waits import Wait

Plain: TypeAlias = dict[str, Any]
NO_PROMPT: Final = "none"
_QUITTING: Final = [command_to_wire(Quit()), command_to_wire(Gather())]
_NO_DUTIES: Final = (None, None, None, None)
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
    if state.hand is not None and only_cards(state, state.hand, seat):
        return _in_plain_play(state, state.hand, seat, wait)
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


def only_cards(state: State, hand: Hand, seat: Seat) -> bool:
    """Whether the laws leave nothing open to a seat but a card, if it is to play one, and a complete trick to quit, if it is its.

    So it is in most moments of a deal. A short cut past `dynamic`, which then lists just that; tests/server holds them together.
    """
    if state.phase is not Phase.PLAYING or hand.dummy is not None or (hand.turned is not None and seat is hand.dealer):
        return False
    if hand.rights or hand.question is not None or hand.mending is not None or hand.offer is not None:
        return False
    if hand.exposed != NO_CARDS or hand.duties != _NO_DUTIES or hand.lead_duties != _NO_DUTIES:
        return False
    for trick in hand.tricks[-2:]:
        if trick.later or trick.rightful is not None or trick.stage is Stage.GATHERED:
            return False
    if len(hand.tricks) > 1 and hand.tricks[-2].stage is not Stage.QUITTED:
        return False
    if any(revoke.stage is RevokeStage.MADE and revoke.seat is seat for revoke in hand.revokes):
        return False
    return not _may_speak_of_a_renounce(state, hand, seat)


def _may_speak_of_a_renounce(state: State, hand: Hand, seat: Seat) -> bool:
    """Whether a renounce is fresh enough that the partner may ask of it, or at a `club` table its player take it back."""
    last = hand.tricks[-1] if hand.tricks else None
    for renounce in reversed(hand.renounces):
        if last is None or renounce.trick < last.number - 1:
            return False
        if renounce.asked or (renounce.seat is seat and state.enforcement is Enforcement.CLUB):
            return True
        if renounce.seat is PARTNER[seat] and renounce.trick == last.number and last.stage is not Stage.QUITTED:
            return True
    return False


def _in_plain_play(state: State, hand: Hand, seat: Seat, wait: Wait | None) -> Asked:
    last = hand.tricks[-1] if hand.tricks else None
    mine = last is not None and last.winner is not None and SIDE[last.winner] is SIDE[seat]
    may = _QUITTING if mine and last is not None and last.stage is Stage.COMPLETE else []
    if wait is None:
        return Asked(None, [], may, [])
    keeping = playable(state, seat)
    held = keeping if state.enforcement is Enforcement.STRICT else hand.hands[seat]
    return Asked(wait, [_PLAYS[card] for card in cards_in(held)], may, cards_to_wire(keeping))


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
