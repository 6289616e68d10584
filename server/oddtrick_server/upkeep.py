"""What a table does without being asked: what follows of itself, and what its clocks bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from oddtrick_protocol import table_events as happened
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_server import acting, agreeing, dealing, hosting, seating
from oddtrick_server.countdown import Countdown
from oddtrick_server.entries import Frozen, Thawed

if TYPE_CHECKING:
    from oddtrick_server.table import Table

Stroke: TypeAlias = Callable[[], None]
_SLACK_S = 1e-6  # sums of floats


class Upkeep:
    """The self-acting part of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    # --- clocks ---

    def due(self) -> float | None:
        """When the next clock strikes."""
        return min(self._dues(), default=None)

    def _dues(self) -> Iterator[float]:
        """The times of `_strokes`, without what is to be done then: asked for at every act."""
        book = self._table.book
        for wait in book.waits:
            yield from _time(wait.countdown)
        for place in book.places:
            yield from _time(place.absence)
        deal = book.pending_deal()
        if deal is not None:
            yield from _time(book.cut_clock if dealing.is_ready(book, deal) else book.entropy_clock)
        for clock in (book.pause, book.freeze, book.regain):
            yield from _time(clock)
        if book.clocks_run:
            yield from (due for _, due in self._table.thinking.values())

    def first_due(self, now: float) -> Stroke | None:
        """What the clock that struck first has to do; None if none has struck."""
        due = self.due()
        if due is None or due > now + _SLACK_S:
            return None
        struck = [one for one in self._strokes() if one[0] <= now + _SLACK_S]
        return min(struck, key=lambda one: one[0])[1] if struck else None

    def _strokes(self) -> Iterator[tuple[float, Stroke]]:
        book = self._table.book
        for wait in book.waits:
            yield from _due(wait.countdown, lambda wait=wait: acting.run_out(self._table, wait))  # type: ignore[misc]
        for seat in SEATS:
            absence = book.places[seat].absence
            yield from _due(absence, lambda seat=seat: seating.absent_too_long(self._table, seat))  # type: ignore[misc]
        deal = book.pending_deal()
        if deal is not None and not dealing.is_ready(book, deal):
            yield from _due(book.entropy_clock, lambda: dealing.entropy_time_is_up(self._table))
        elif deal is not None:
            yield from _due(book.cut_clock, lambda: None)  # `follow` deals
        yield from _due(book.pause, lambda: self._table.emit(happened.PauseEnded()))
        yield from _due(book.freeze, lambda: self._table.mark(Frozen()))
        yield from _due(book.regain, lambda: seating.not_regained(self._table))
        if book.clocks_run:
            for seat, (_, due) in self._table.thinking.items():
                yield due, lambda seat=seat: self._bot_acts(seat)  # type: ignore[misc]

    # --- bots ---

    def wake_bots(self) -> None:
        """Let every bot think about what stands now; one that is asked something new begins anew."""
        table = self._table
        if not table.book.clocks_run:
            table.thinking.clear()
            return
        for seat in SEATS:
            if table.book.info.seats[seat] is None or table.book.acts_for_itself(seat):
                table.thinking.pop(seat, None)
                continue
            wait = acting.bot_wait(table, seat)
            asked = "" if wait is None else wait.id
            if not asked and not acting.has_time_to_ask(table):
                continue
            before = table.thinking.get(seat)
            if before is None or before[0] != asked:
                table.thinking[seat] = (asked, table.now + table.limits.bot_think_s)

    def _bot_acts(self, seat: Seat) -> None:
        self._table.thinking.pop(seat, None)
        acting.bot_acts(self._table, seat, acting.bot_wait(self._table, seat), by=self._by(seat))

    def _by(self, seat: Seat) -> str | None:
        sitter = self._table.book.info.seats[seat]
        return "substitute" if sitter is not None and sitter.substitute is not None else None

    # --- what follows ---

    def follow(self) -> None:
        """Add to the entry being made what follows from it."""
        table = self._table
        if table.book.info.closed is not None:
            return
        if table.book.frozen and table.book.here():
            table.mark(Thawed())
        seating.owners_return(table)
        agreeing.follow(table)
        hosting.host_moves(table)
        hosting.consents(table)
        dealing.follow(table)


def _due(clock: Countdown | None, stroke: Stroke) -> Iterator[tuple[float, Stroke]]:
    if clock is not None and clock.due is not None:
        yield clock.due, stroke


def _time(clock: Countdown | None) -> tuple[float, ...]:
    due = None if clock is None else clock.due
    return () if due is None else (due,)
