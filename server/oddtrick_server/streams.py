"""What each viewer of a table has been shown: five streams, numbered without a gap, the latest of each kept for who resumes."""

from __future__ import annotations

from collections import deque
from typing import Any, Final, TypeAlias

from oddtrick_protocol.messages import Item
from oddtrick_rules.seats import SEATS, Seat

Stream: TypeAlias = int
"""A viewer: a seat's number, or `BYSTANDER`."""

BYSTANDER: Final[Stream] = 4
STREAMS: Final[tuple[Stream, ...]] = (*SEATS, BYSTANDER)
SEAT_STREAMS: Final[tuple[Stream, ...]] = SEATS


def stream_of(seat: Seat | None) -> Stream:
    """The stream of somebody with that seat, or with none."""
    return BYSTANDER if seat is None else int(seat)


class Streams:
    """The five streams of one table."""

    __slots__ = ("_heads", "_kept")

    def __init__(self, *, history_events_max: int) -> None:
        self._heads = [0] * len(STREAMS)
        self._kept: list[deque[Item]] = [deque(maxlen=history_events_max) for _ in STREAMS]

    def put(self, stream: Stream, event: dict[str, Any], *, hand: int, by: str | None) -> None:
        """Add an event to a stream; one map may stand in several, and must not be changed afterwards."""
        seq = self._heads[stream] + 1
        self._heads[stream] = seq
        self._kept[stream].append(Item(seq=seq, event=event, hand=hand, by=by))

    def put_all(self, event: dict[str, Any], *, hand: int, by: str | None) -> None:
        """Add an event to every stream, as cheaply as one can."""
        item = None
        for stream in STREAMS:
            seq = self._heads[stream] + 1
            self._heads[stream] = seq
            if item is None or item.seq != seq:
                item = Item(seq=seq, event=event, hand=hand, by=by)
            self._kept[stream].append(item)

    @property
    def heads(self) -> list[int]:
        """The numbers of the streams' last events."""
        return list(self._heads)

    def restore(self, heads: list[int]) -> None:
        """Stand where the streams were, with nothing kept of what was shown before."""
        self._heads[:] = heads

    def head(self, stream: Stream) -> int:
        """The number of a stream's last event."""
        return self._heads[stream]

    def after(self, stream: Stream, seq: int) -> list[Item] | None:
        """The events after that number; None if the first of them is kept no longer."""
        kept = self._kept[stream]
        missing = self._heads[stream] - seq
        if missing > len(kept):
            return None
        return [kept[at] for at in range(-missing, 0)]
