"""Whom the table waits for, for what and how long: prompts and their clocks (R32).

The rules say who is expected to act (`awaits`); here each expectation gets an id, which a later one never bears again, and a
limit. Only what everybody at the table knows goes into it (R4).

A limit belongs to a decision, not to its prompt. If somebody else's act takes a decision away and another brings it back, what
was spent of it is spent: nobody's time grows by another's act, nor by going away and coming back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, TypeAlias

from oddtrick_protocol.facts import snake_case
from oddtrick_protocol.table_events import ClockLimits
from oddtrick_rules import commands as c
from oddtrick_rules.awaits import Await, AwaitKind
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Hand, State
from oddtrick_server.countdown import Countdown

Key: TypeAlias = tuple[object, ...]

_LIMIT_OF: Final[dict[AwaitKind, Callable[[ClockLimits], int]]] = {
    AwaitKind.TURN: lambda clocks: clocks.turn_ms,
    AwaitKind.DECLARE: lambda clocks: clocks.turn_ms,
    AwaitKind.DOUBLE: lambda clocks: clocks.turn_ms,
    AwaitKind.QUESTION: lambda clocks: clocks.question_ms,
    AwaitKind.CHOICE: lambda clocks: clocks.choice_ms,
    AwaitKind.OFFER: lambda clocks: clocks.choice_ms,
    AwaitKind.NEW_CARDS: lambda clocks: clocks.choice_ms,
    AwaitKind.ELECTION: lambda clocks: clocks.election_ms,
    AwaitKind.SEARCH: lambda clocks: clocks.claims_ms,
    AwaitKind.CLAIMS: lambda clocks: clocks.claims_ms,
    AwaitKind.CUT: lambda clocks: clocks.claims_ms,
    AwaitKind.LINGER: lambda clocks: clocks.linger_ms,
}

ANSWERS: Final[dict[AwaitKind, tuple[type[c.Command], ...]]] = {
    AwaitKind.TURN: (c.Play,),
    AwaitKind.QUESTION: (c.Answer,),
    AwaitKind.CHOICE: (c.Call, c.Waive, c.Object),
    AwaitKind.ELECTION: (c.Elect,),
    AwaitKind.DECLARE: (c.Declare, c.LeaveIt),
    AwaitKind.DOUBLE: (c.Double, c.AskToLead, c.BeSatisfied, c.Agree),
    AwaitKind.OFFER: (c.Agree, c.Decline),
}
"""The acts that answer a prompt of each kind, and must name it, so that none is taken for the answer to another."""

_TAGS: Final = {
    kind: frozenset(snake_case(command.__name__) for command in commands) for kind, commands in ANSWERS.items()
}


class Wait:
    """One expectation: its prompt's id, and what is left of its limit (None: it has none)."""

    __slots__ = ("countdown", "expected", "id", "key", "spent_key")

    def __init__(self, wait_id: str, expected: Await, key: Key, spent_key: Key, countdown: Countdown | None) -> None:
        self.id = wait_id
        self.expected = expected
        self.key = key
        self.spent_key = spent_key
        self.countdown = countdown

    @property
    def kind(self) -> AwaitKind:
        """What is expected."""
        return self.expected.kind

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who may do it."""
        return self.expected.seats


class Waits:
    """The expectations that stand, in the order the rules give them."""

    __slots__ = ("_made", "_spent_s", "_standing")

    def __init__(self) -> None:
        self._standing: list[Wait] = []
        self._made = 0
        self._spent_s: dict[Key, float] = {}

    def __iter__(self) -> Iterator[Wait]:
        return iter(self._standing)

    @property
    def made(self) -> int:
        """How many prompts there have been."""
        return self._made

    def restore(self, made: int) -> None:
        """Stand as after so many prompts, none of which stands."""
        self._made = made

    def settle(
        self,
        expected: Sequence[Await],
        state: State | None,
        *,
        hand_no: int,
        clocks: ClockLimits,
        now: float,
        acted: Collection[tuple[Seat, str]] = (),
    ) -> None:
        """Make what stands agree with what is expected; a decision that is still to be made keeps its prompt and its clock.

        `acted` is what the seats have just done. A prompt that outlives an act of the kind that answers it gets a new id, so
        that whoever took his act for the answer sees that it was none.
        """
        before = {wait.key: wait for wait in self._standing}
        standing = []
        hand = None if state is None else state.hand
        for one in expected:
            if one.kind is AwaitKind.DEAL:
                continue
            key = _key(one, hand, hand_no)
            kept = before.pop(key, None)
            if kept is None:
                kept = self._wait(one, key, hand, hand_no, clocks)
            elif any(seat in one.seats and tag in _TAGS.get(one.kind, ()) for seat, tag in acted):
                kept = Wait(self._new_id(), one, key, kept.spent_key, kept.countdown)
            kept.expected = one
            standing.append(kept)
        for dropped in before.values():
            self._remember(dropped, now)
        self._standing = standing

    def forget_spent(self) -> None:
        """A new hand begins: every decision of it has its whole limit."""
        self._spent_s.clear()

    def of(self, seat: Seat) -> Wait | None:
        """The prompt that stands before a seat; None if nothing is asked of it."""
        for wait in self._standing:
            if wait.kind is not AwaitKind.LINGER and seat in wait.seats:
                return wait
        return None

    def of_kind(self, kind: AwaitKind) -> Wait | None:
        """The first expectation of that kind."""
        return next((wait for wait in self._standing if wait.kind is kind), None)

    def with_id(self, wait_id: str) -> Wait | None:
        """The expectation with that prompt id, if it still stands."""
        return next((wait for wait in self._standing if wait.id == wait_id), None)

    def _wait(self, one: Await, key: Key, hand: Hand | None, hand_no: int, clocks: ClockLimits) -> Wait:
        spent_key = _spent_key(one, hand, hand_no, key)
        limit_s = _LIMIT_OF[one.kind](clocks) / 1000
        countdown = Countdown(limit_s, spent_s=self._spent_s.get(spent_key, 0.0)) if limit_s else None
        return Wait(self._new_id(), one, key, spent_key, countdown)

    def _new_id(self) -> str:
        self._made += 1
        return f"p{self._made}"

    def _remember(self, wait: Wait, now: float) -> None:
        if wait.countdown is not None and wait.kind is not AwaitKind.LINGER:
            self._spent_s[wait.spent_key] = wait.countdown.spent_s(now)


# Asked of several, each for himself: that one has answered does not change the question to the others.
_FOR_EACH: Final = frozenset({AwaitKind.CLAIMS, AwaitKind.OFFER})
# What one chooses here rests on the cards and penalties that lie open; and an act of the same kind may change those alone.
_CHOSEN: Final = frozenset({AwaitKind.TURN, AwaitKind.CHOICE})
# One limit for both: when the time for claims has run, the cut is due.
_ONE_WINDOW: Final = frozenset({AwaitKind.CLAIMS, AwaitKind.CUT})


def _key(one: Await, hand: Hand | None, hand_no: int) -> Key:
    """What makes an expectation the same one: everything public that its answer may rest on."""
    seats = () if one.kind in _FOR_EACH else one.seats
    if hand is None:
        return (one.kind, seats, one.about, hand_no)
    lying = tuple((trick.number, trick.plays) for trick in hand.tricks[-2:])
    open_ones = (hand.duties, hand.lead_duties, hand.seen, hand.exposed, hand.rights) if one.kind in _CHOSEN else ()
    # A question to another seat changes nothing about the card one is to play.
    asked = () if one.kind is AwaitKind.TURN else hand.question
    return (one.kind, seats, one.about, hand_no, lying, open_ones, asked, hand.mending, hand.multiplier)


def _spent_key(one: Await, hand: Hand | None, hand_no: int, key: Key) -> Key:
    """What makes a decision the same one, however often it is interrupted."""
    if one.kind is AwaitKind.LINGER or hand is None:
        return key
    if one.kind in _ONE_WINDOW:
        return (AwaitKind.CLAIMS, hand_no)
    if one.kind is AwaitKind.TURN and one.seat is not None:
        # The same card is wanted as long as the hand is as long: a card taken back is wanted again.
        return (one.kind, one.seat, hand.held[one.seat], hand_no)
    seats = () if one.kind in _FOR_EACH else one.seats
    return (one.kind, seats, one.about, hand_no, len(hand.renounces), hand.multiplier)
