"""The table record as a value: a header, then steps, each an act with what must hold after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from oddtrick_rules.code import Code
from oddtrick_rules.commands import Command
from oddtrick_rules.notation.acts import parse_seat_act
from oddtrick_rules.notation.errors import RECORD_CHARS_MAX, NotationError
from oddtrick_rules.notation.expect import Cited, Expectation, GameEnded, Judged, Refused
from oddtrick_rules.notation.expect_text import parse_expectation
from oddtrick_rules.notation.header import Header, parse_header
from oddtrick_rules.seats import Seat

RULING: Final = re.compile(r"R[0-9]+")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Expected:
    """An expectation and the line it stands in."""

    line: int
    what: Expectation


@dataclass(frozen=True, slots=True)
class Step:
    """An act (None in the step before the first) and what must hold after it."""

    line: int
    seat: Seat | None = None
    command: Command | None = None
    expected: tuple[Expected, ...] = ()

    @property
    def expects_refusal(self) -> bool:
        """Whether the record says that the act is refused."""
        return any(isinstance(item.what, Refused) for item in self.expected)


@dataclass(frozen=True, slots=True)
class Record:
    """A record that has been read: it is well formed, which says nothing of whether it holds."""

    header: Header
    steps: tuple[Step, ...]


def parse_record(text: str) -> Record:
    """Read a record; NotationError, with its line, for the first thing that is not in the notation."""
    if len(text) > RECORD_CHARS_MAX:
        raise NotationError(f"a record is at most {RECORD_CHARS_MAX} characters long, this is {len(text)}", line=1)
    header_lines: list[tuple[int, str]] = []
    body: list[tuple[int, str]] = []
    in_header = True
    for line, whole in enumerate(_LINE_END.split(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")), 1):
        content = whole.partition("#")[0].strip()
        if in_header and header_lines and not whole.strip():
            in_header = False
        if content:
            (header_lines if in_header else body).append((line, content))
    if not header_lines:
        raise NotationError("there is no header", line=1)
    header = parse_header(header_lines)
    return Record(header, _steps(body, header.code))


def items(content: str) -> Iterator[tuple[bool, str]]:
    """Split a line of a record at its commas; True marks expectations: after a `=` all are, to the line's end."""
    expecting = False
    for item in content.split(","):
        text = item.strip()
        expecting = expecting or text.startswith("=")
        yield expecting, text.removeprefix("=").strip() if expecting else text


def _steps(body: list[tuple[int, str]], code: Code) -> tuple[Step, ...]:
    steps = [Step(0)]
    for line, content in body:
        for expecting, text in items(content):
            try:
                if expecting:
                    expectation = parse_expectation(text)
                    _demand_possible(expectation, code=code, first=len(steps) == 1)
                    last = steps[-1]
                    steps[-1] = Step(last.line, last.seat, last.command, (*last.expected, Expected(line, expectation)))
                else:
                    seat, command = parse_seat_act(text)
                    steps.append(Step(line, seat, command))
            except NotationError as wrong:
                raise wrong.at(line) from None
    return tuple(steps)


def _demand_possible(expectation: Expectation, *, code: Code, first: bool) -> None:
    """Refuse an expectation that could not hold whatever was done."""
    if first and isinstance(expectation, Refused | Cited | GameEnded | Judged):
        raise NotationError(f"`= {expectation.text()}` speaks of the act just before, and there is none")
    law = expectation.law if isinstance(expectation, Refused | Cited) else None
    if law is not None and RULING.fullmatch(law) is None and law not in {each.number for each in code.laws}:
        raise NotationError(f"{code.id} has no law {law}")
