"""Running a record on the engine: what each act did, and whether what the record expects holds.

An act stands under the seat that does it, and the engine is asked as that seat; four things are read as the
notation means them: dummy's cards are played by the dealer, `cuts` has the other seats ready first, silence is the
clock's, and nothing waits for time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import BeReady, Change, Command, Cut, Lapse, Play
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import ChargeJudged, Event
from oddtrick_rules.notation.acts import seat_act_text
from oddtrick_rules.notation.belonging import rule_of
from oddtrick_rules.notation.errors import NotationError
from oddtrick_rules.notation.expect import Moment
from oddtrick_rules.notation.header import Header
from oddtrick_rules.notation.record import Record, Step, parse_record
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import PARTNER, SEATS, Official, Seat
from oddtrick_rules.start import position
from oddtrick_rules.state import State


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a record holds; if not, the first line that fails (0: none in particular) and why, in one line."""

    ok: bool
    line: int = 0
    reason: str = ""

    def __str__(self) -> str:
        if self.ok:
            return "ok"
        return f"line {self.line}: {self.reason}" if self.line else self.reason


def check_record(text: str, *, code: Code | None = None) -> Outcome:
    """Read a record and run it, under `code` instead of its own if one is given; nothing in the text makes it raise."""
    try:
        record = parse_record(text)
    except NotationError as wrong:
        return Outcome(ok=False, line=wrong.line, reason=wrong.reason)
    return run_record(record, code=code)


def run_record(record: Record, *, code: Code | None = None) -> Outcome:
    """Run a record and return the first thing that does not hold.

    Every act must be accepted unless a `= refused` follows it before the next act.
    """
    for step, moment in moments(record, code=code):
        if moment.refusal is not None and not step.expects_refusal:
            return Outcome(ok=False, line=step.line, reason=refusal_text(step, moment))
        for expected in step.expected:
            if not expected.what.holds(moment):
                reason = f"`= {expected.what.text()}` does not hold" + _instead(expected.what.found(moment), moment)
                return Outcome(ok=False, line=expected.line, reason=reason)
    return Outcome(ok=True)


def moments(record: Record, *, code: Code | None = None) -> Iterator[tuple[Step, Moment]]:
    """Give each step of the record with the moment after its act; a refused act leaves the state as it was."""
    state = start_of(record.header, code=code)
    verdict: ChargeJudged | None = None
    for step in record.steps:
        result: Verdict | Refusal = Verdict((), state)
        if step.seat is not None and step.command is not None:
            result = perform(state, step.seat, step.command)
        events: tuple[Event, ...] = ()
        if isinstance(result, Verdict):
            events, state = result.events, result.state
        judged = [event for event in events if isinstance(event, ChargeJudged)]
        verdict = max(judged, key=lambda event: event.number) if judged else verdict
        refusal = result if isinstance(result, Refusal) else None
        yield step, Moment(state, JudgeAt(state), events, refusal, verdict)


def start_of(header: Header, *, code: Code | None = None) -> State:
    """Return the state that a header sets up, under `code` if one is given instead of its own.

    A trump card that is no longer in the dealer's hand has been played: in such an ending only its suit matters.
    """
    turned = header.turned
    if turned is not None and not header.hands[header.dealer] >> turned & 1:
        turned = None
    return position(
        code or header.code,
        enforcement=header.enforcement,
        dealer=header.dealer,
        hands=header.hands,
        trump=header.trump,
        turned=turned,
        leader=header.leader,
        tricks=header.tricks,
        score=header.score,
        games=header.games,
        totals=header.totals,
        maker=header.maker,
        multiplier=header.multiplier,
    )


def perform(state: State, seat: Seat, command: Command) -> Verdict | Refusal:
    """Judge an act as it stands in a record, under the seat it stands under."""
    hand = state.hand
    if hand is not None and hand.dummy is seat:
        if isinstance(command, Play) and command.hand is None:
            return judge(state, PARTNER[seat], Play(command.card, hand=seat))
        if isinstance(command, Change):
            return judge(state, PARTNER[seat], command)
    if isinstance(command, Cut):
        return _cut(state, seat)
    if isinstance(command, Lapse):
        silent = hand is not None and hand.question is seat
        return judge(state, Official.CLOCK, command) if silent else Refusal(Why.NOT_NOW)
    return judge(state, seat, command)


def refusal_text(step: Step, moment: Moment) -> str:
    """Return why the step's act was refused, in one line."""
    assert step.seat is not None
    assert step.command is not None
    assert moment.refusal is not None
    text = f"`{seat_act_text(step.seat, step.command)}` is refused"
    rule = rule_of(step.command)
    if rule is not None and not moment.state.code.has(rule):
        having = [code.id for code in CODES.values() if code.has(rule)]
        if having and moment.state.code.id not in having:
            return f"{text}: it is an act of {' and '.join(having)}, not of {moment.state.code.id}"
    cites = f" (law {', '.join(moment.refusal.cites)})" if moment.refusal.cites else ""
    return f"{text}: {moment.refusal.why.replace('_', ' ')}{cites}, and no `= refused` says so"


@dataclass(frozen=True, slots=True)
class JudgeAt:
    """Tells what would become of an act at a state."""

    state: State

    def __call__(self, seat: Seat, command: Command) -> Refusal | None:
        """Return the refusal the act would meet, None if it would be accepted."""
        result = perform(self.state, seat, command)
        return result if isinstance(result, Refusal) else None


def _cut(state: State, seat: Seat) -> Verdict | Refusal:
    """Cut with all taken to be ready; a cut that is refused leaves nobody readier than he was."""
    events: tuple[Event, ...] = ()
    ready = state
    for each in SEATS:
        if ready.hand is not None and each not in ready.hand.ready:
            result = judge(ready, each, BeReady())
            if isinstance(result, Verdict):
                events, ready = events + result.events, result.state
    result = judge(ready, seat, Cut())
    if isinstance(result, Refusal):
        return result
    return replace(result, events=events + result.events)


def _instead(found: str, moment: Moment) -> str:
    if moment.refusal is not None:
        cites = f" ({', '.join(moment.refusal.cites)})" if moment.refusal.cites else ""
        return f": the act before was refused{cites}"
    if not found:
        return ": there is nothing of the kind"
    if found.startswith("not law"):
        return f": cited were {', '.join(sorted(moment.cites)) or 'no laws'}"
    return f", but `{found}`"
