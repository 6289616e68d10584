"""The sum of a table's log between two hands: with it, the entries before it are needed no more.

Between hands little is open: no card is held, every sealed deal but the next one is opened, nobody is asked anything. All that
outlives the log's earlier entries then is here, as plain data; a book restored from it goes on as the one that was summed up.
Only what was shown before is kept no longer: who resumes from there is sent a snapshot.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from oddtrick_protocol.facts import info_from_wire, info_to_wire, view_from_wire, view_to_wire
from oddtrick_rules.seats import SEATS
from oddtrick_rules.state import Phase
from oddtrick_server.countdown import Countdown
from oddtrick_server.entries import Opened

if TYPE_CHECKING:
    from oddtrick_server.book import Book

Plain: TypeAlias = dict[str, Any]
_BETWEEN: Final = frozenset({Phase.TO_DEAL, Phase.OVER})
_CLOCKS: Final = ("entropy_clock", "cut_clock", "pause", "freeze", "regain")
_NUMBERS: Final = ("hands", "proposals", "frozen", "touched_at", "at", "entries")


def can_be_summed_up(book: Book) -> bool:
    """Whether the table is between two hands, and nothing stands open that only the entries tell."""
    if book.opened is None or book.info.closed is not None or book.notes or any(True for _ in book.waits):
        return False
    return book.rubber is None or book.rubber.phase in _BETWEEN


def sum_of(book: Book) -> Plain:
    """All that a book holds, when it can be summed up."""
    return {
        "opened": msgspec.to_builtins(book.opened),
        "info": info_to_wire(book.info),
        "rubber": None if book.rubber is None else view_to_wire(book.rubber),
        "places": [[_clock(place.absence), place.asked, place.gone, place.vacated] for place in book.places],
        "prompts": book.waits.made,
        "heads": book.streams.heads,
        "answers": [[who, id_, seat] for (who, id_), seat in book.answers.items()],
        "banned": list(book.banned),
        "played": book.played,
        "withheld": sorted(book.withheld),
        "held": book.held,
        "lost_bystanders": sorted(book.lost_bystanders),
        "clocks": {name: _clock(getattr(book, name)) for name in _CLOCKS},
        "numbers": {name: getattr(book, name) for name in _NUMBERS},
    }


def restore(book: Book, told: Plain) -> None:
    """Make a book, of which nothing is known, what `sum_of` told."""
    book.opened = msgspec.convert(told["opened"], Opened)
    book.info = info_from_wire(told["info"])
    book.rubber = None if told["rubber"] is None else view_from_wire(told["rubber"])
    for place, (absence, asked, gone, vacated) in zip(book.places, told["places"], strict=True):
        place.absence = Countdown.of(*absence)
        place.asked, place.gone, place.vacated = asked, gone, vacated
    book.waits.restore(told["prompts"])
    book.streams.restore(told["heads"])
    book.answers = OrderedDict(((who, id_), seat) for who, id_, seat in told["answers"])
    book.banned = OrderedDict.fromkeys(told["banned"])
    book.played = dict(told["played"])
    book.withheld = {SEATS[seat] for seat in told["withheld"]}
    book.held = list(told["held"])
    book.lost_bystanders = set(told["lost_bystanders"])
    for name in _CLOCKS:
        clock = told["clocks"][name]
        setattr(book, name, None if clock is None else Countdown.of(*clock))
    for name in _NUMBERS:
        setattr(book, name, told["numbers"][name])


def _clock(clock: Countdown | None) -> tuple[float, float, float | None] | None:
    return None if clock is None else clock.parts
