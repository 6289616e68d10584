"""Writing a hand back as a record that, checked, gives the same events and the same result again.

Acts of the clock's are written as the notation allows: its quitting as the winner's, its waiving as an adversary's,
its election, search and cut as those of the player who might have done it. Only a question met with silence is
written as what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from oddtrick_rules import commands as act
from oddtrick_rules.awaits import AwaitKind, awaits
from oddtrick_rules.commands import Command
from oddtrick_rules.decide import judge
from oddtrick_rules.events import (
    Event,
    GameReached,
    GameWon,
    OfferClosed,
    PackCut,
    PackTaken,
    PenaltyExacted,
    QuestionLapsed,
    RightClosed,
    Searched,
    TrickQuitted,
)
from oddtrick_rules.notation.acts import seat_act_text
from oddtrick_rules.notation.expect import STAGE_WORDS, Expectation, GameEnded, Revoked, RubberEnded, numbers
from oddtrick_rules.notation.header import Header, header_text
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import PARTNER, SEATS_OF, SIDE, Actor, Seat, Side
from oddtrick_rules.state import Hand, Pair, Phase, State

LINE_CHARS_MAX: Final = 100
ACTS_IN_LINE_MAX: Final = 6
Act: TypeAlias = tuple[Actor, Command]


@dataclass(slots=True)
class _Lines:
    """Acts, set in lines as a reader wants them: a trick to a line as far as it goes."""

    done: list[str] = field(default_factory=list)
    current: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        if len(", ".join([*self.current, text])) > LINE_CHARS_MAX or len(self.current) == ACTS_IN_LINE_MAX:
            self.end()
        self.current.append(text)

    def end(self) -> None:
        if self.current:
            self.done.append(", ".join(self.current))
            self.current = []


def write_record(*, title: str, start: State, acts: Iterable[Act]) -> str:
    """Return the record of a hand from its start and the acts that were accepted in it, in order.

    `start` is the state just after the deal (no card played), or just before it when the first act is the house's
    `Deal`. The hand may be unfinished. ValueError if an act is refused, for then these are not that hand's acts.
    """
    todo = list(acts)
    if start.phase is Phase.TO_DEAL:
        start, _ = _judged(start, todo.pop(0))
    lines = _Lines()
    state = start
    events: tuple[Event, ...] = ()
    for each in todo:
        before = state
        state, events = _judged(before, each)
        if before.hand is not None and before.hand.cut and state.phase is not Phase.TO_DEAL:
            raise ValueError("a record is of one hand, and here another is dealt")
        for text in _texts(before, each, events):
            lines.add(text)
            if text.endswith(" quits"):
                lines.end()
    lines.end()
    expected = [f"= {expectation.text()}" for expectation in _expectations(state, events)]
    header = header_text(_header(start, title=title))
    return "\n".join([header, *lines.done, *expected, ""])


def _judged(state: State, each: Act) -> tuple[State, tuple[Event, ...]]:
    result = judge(state, *each)
    if isinstance(result, Refusal):
        raise ValueError(f"{each[0].name}: {each[1]} is refused: {result}")  # noqa: TRY004 - it is a value, not a type
    return result.state, result.events


def _header(start: State, *, title: str) -> Header:
    hand = start.hand
    if hand is None or hand.tricks:
        raise ValueError("a record begins with a deal, before any card is played")
    whist = start.code.turned_trump
    declared = hand.trump is not None
    return Header(
        code=start.code,
        title=" ".join(title.replace("#", " ").split()),
        enforcement=start.enforcement,
        dealer=hand.dealer,
        leader=hand.leader,
        hands=hand.dealt,
        trump=hand.trump,
        turned=hand.trump_card if whist else None,
        maker=hand.maker if declared and not whist else None,
        multiplier=hand.multiplier,
        tricks=hand.taken,
        score=start.score,
        games=start.games,
        totals=_totals(start),
    )


def _totals(start: State) -> Pair:
    """Return all points of the rubber so far, which only bridge has."""
    ours, theirs = (sum(points) for points in zip(start.above, start.below, start.score, strict=True))
    return (ours, theirs) if start.code.dummy else (0, 0)


def _texts(before: State, each: Act, events: tuple[Event, ...]) -> Iterator[str]:
    """Give the acts, as text, that a record has for an act accepted at a state."""
    actor, command = each
    if isinstance(actor, Seat):
        yield _seat_text(before, actor, command)
        return
    hand = before.hand
    assert hand is not None
    lapse = isinstance(command, act.Lapse)
    for event in events:
        seat_command = _stand_in(hand, event, before=before, lapse=lapse)
        if seat_command is not None:
            yield seat_act_text(*seat_command)


def _seat_text(before: State, seat: Seat, command: Command) -> str:
    """Return an act of a player's; at bridge some have words of their own in the doubling."""
    if before.phase is Phase.DOUBLING and before.hand is not None:
        if isinstance(command, act.Agree):
            return f"{seat.name} yes"
        if isinstance(command, act.Double) and before.hand.multiplier > 1:
            return f"{seat.name} redoubles"
    return seat_act_text(seat, command)


def _stand_in(hand: Hand, event: Event, *, before: State, lapse: bool) -> tuple[Seat, Command] | None:
    """Return the player's act by which the clock's event comes about too; None for one that follows from others."""
    match event:
        case TrickQuitted(trick=number, seat=None):
            winner = next(trick.winner for trick in hand.tricks if trick.number == number)
            assert winner is not None
            return _who_acts(hand, winner), act.Quit()
        case QuestionLapsed(seat=seat):
            return seat, act.Lapse()
        case RightClosed(right=number, how="waived", by=None) if lapse:
            holders = next(right.holders for right in hand.rights if right.id == number)
            return holders[0], act.Waive()
        case PenaltyExacted(number=number, seat=None, side=side, penalty=penalty):
            return _chooser(hand, side, before=before), act.Elect(penalty, number)
        case Searched(seat=seat):
            return _who_acts(hand, seat), act.Search()
        case PackTaken(seat=seat, pack=pack):
            return seat, act.TakePack(pack)
        case PackCut(seat=None):
            return hand.dealer, act.Cut()
        case OfferClosed(seat=None) if lapse:
            return next(wait.seats[0] for wait in awaits(before) if wait.kind is AwaitKind.OFFER), act.Decline()
        case _:
            return None


def _who_acts(hand: Hand, seat: Seat) -> Seat:
    """Return the seat, or the dealer for dummy."""
    return PARTNER[seat] if seat is hand.dummy else seat


def _chooser(hand: Hand, side: Side, *, before: State) -> Seat:
    """Return a seat that may elect for its side: either, but at bridge the dealer alone for his."""
    return hand.dealer if before.code.dummy and SIDE[hand.dealer] is side else SEATS_OF[side][0]


def _expectations(state: State, events: tuple[Event, ...]) -> Iterator[Expectation]:
    """Give what stands when the hand is over: tricks, score, games, revokes, and the game or rubber if it ended."""
    hand = state.hand
    assert hand is not None
    ended = [event for event in events if isinstance(event, GameWon | GameReached)]
    if ended:
        yield GameEnded(ended[-1].side, None if state.code.dummy else ended[-1].value)
    yield numbers("tricks", hand.taken)
    if not ended and hand.reached is None and state.rubber is None:
        yield numbers("score", state.score)
    won = (len(state.games[Side.NS]), len(state.games[Side.EW]))
    yield numbers("games", won)
    # A revoke established by mixing, on a charge that named no trick, lies in none: no expectation can speak of it.
    for seat, trick in dict.fromkeys((revoke.seat, revoke.trick) for revoke in hand.revokes if revoke.trick):
        last = next(each for each in reversed(hand.revokes) if (each.seat, each.trick) == (seat, trick))
        yield Revoked(seat, trick, STAGE_WORDS[last.stage][0])
    if state.rubber is not None:
        yield RubberEnded(state.rubber.side, state.rubber.points)
