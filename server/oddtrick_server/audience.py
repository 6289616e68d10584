"""Who is shown a table, and how far each has been shown it: events are encoded and framed once for all who get the same.

Every connection has a cursor, the number of the last event written to it. `show` writes what lies behind the cursor (a snapshot
if it has none), then the prompt, the other acts and the clocks if they have changed, all in one write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from oddtrick_protocol.closing import Close
from oddtrick_protocol.codec import Codec
from oddtrick_protocol.facts import event_to_wire, info_to_wire, view_to_wire
from oddtrick_protocol.messages import Clock, Event, Events, Item, Snapshot, Waiting
from oddtrick_protocol.table_events import TableClosed
from oddtrick_protocol.table_info import TableInfo
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.views import Watcher, view
from oddtrick_server.connection import framed
from oddtrick_server.notices import (
    Asked,
    ClockKey,
    asked_of,
    clock_key,
    is_same_may,
    is_same_prompt,
    may_of,
    prompt_of,
    running_clocks,
    waiting_of,
)
from oddtrick_server.streams import BYSTANDER, Stream, stream_of

if TYPE_CHECKING:
    from oddtrick_server.at_table import Line
    from oddtrick_server.table import Table

_NO_CLOCKS: Final[ClockKey] = ()
CATCHING_UP: Final = "catching_up"
_CATCHING_UP: Final[ClockKey] = ((CATCHING_UP, (), None),)


class Attachment:
    """One connection at a table: its stream (None: it is only known to be there), and its cursor."""

    __slots__ = ("asked", "clocks", "cursor", "is_far", "line", "resumes", "stream")

    def __init__(self, line: Line, stream: Stream | None, cursor: int) -> None:
        self.line = line
        self.is_far = line.is_far  # another server shows it the table
        self.stream = stream
        self.cursor = cursor  # 0: a snapshot is sent
        self.resumes = cursor > 0  # it may still hold a prompt that stands no longer
        self.asked: Asked | None = None
        self.clocks: ClockKey = _NO_CLOCKS


class _Frames:
    """The frames of one round, each made once for each codec."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], bytes] = {}

    def of(self, codec: Codec, message: Struct, *key: object) -> bytes:
        """The frame of a message that `key` tells from every other of the round."""
        full = (codec.name, *key)
        frame = self._made.get(full)
        if frame is None:
            frame = self._made[full] = framed(codec.encode(message))
        return frame

    def run(self, codec: Codec, table: str, items: list[Item]) -> bytes:
        """The frame of a run of events."""
        key = (codec.name, *((item.seq, id(item.event), item.by) for item in items))
        frame = self._made.get(key)
        if frame is None:
            message = _single(table, items[0]) if len(items) == 1 else Events(table=table, events=items)
            frame = self._made[key] = framed(codec.encode(message))
        return frame


def _single(table: str, item: Item) -> Event:
    return Event(table=table, seq=item.seq, event=item.event, hand=item.hand, by=item.by)


class Audience:
    """The connections at one table, by identity."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._attached: dict[str, Attachment] = {}
        self._streams: dict[str, Stream] = {}  # of everybody at the table, as `_streams_info` has them
        self._streams_info: TableInfo | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nobody is connected."""
        return not self._attached

    def __len__(self) -> int:
        return len(self._attached)

    @property
    def lines(self) -> list[Line]:
        """Everybody's connections."""
        return [attachment.line for attachment in self._attached.values()]

    def has(self, identity: str) -> bool:
        """Whether somebody is connected."""
        return identity in self._attached

    def adopt(self, other: Audience) -> None:
        """Take on all of another's connections to this server, each as far as it was shown the table."""
        for identity, attachment in other._attached.items():
            if not attachment.is_far and not attachment.line.is_closed:
                self._attached[identity] = attachment

    def begin_anew(self) -> None:
        """Show everybody the table from a snapshot, whatever he was shown before."""
        for attachment in self._attached.values():
            attachment.cursor, attachment.asked = 0, None

    def attach(self, attachment: Attachment) -> Line | None:
        """Show the table to a connection; returns the one it replaces, if it is another of the same identity."""
        identity = attachment.line.person.identity
        before = self._attached.get(identity)
        self._attached[identity] = attachment
        if before is None or before.line is attachment.line:
            return None
        return before.line

    def detach(self, line: Line) -> bool:
        """A connection is closed; whether it was the one its identity was shown the table on."""
        attachment = self._attached.get(line.person.identity)
        if attachment is None or attachment.line is not line:
            return False
        del self._attached[line.person.identity]
        return True

    def leave(self, line: Line) -> None:
        """Somebody leaves of his own will: he is shown no more."""
        attachment = self._attached.pop(line.person.identity, None)
        if attachment is not None and attachment.line is not line:
            attachment.line.detached(self._table.id)
        line.detached(self._table.id)

    def leave_all(self) -> None:
        """The table is no more."""
        for attachment in self._attached.values():
            attachment.line.detached(self._table.id)
        self._attached.clear()

    def drop_all(self, code: Close, reason: str, *, after_ms: int | None = None) -> None:
        """Close every connection."""
        for attachment in self._attached.values():
            attachment.line.connection.drop(code, reason, after_ms=after_ms)
        self._attached.clear()

    # --- showing ---

    def tell_closed(self, reason: str) -> None:
        """Tell everybody that the table is no more, where no log is left to say so: it follows whatever he was shown last."""
        event = event_to_wire(TableClosed(reason))
        for attachment in self._attached.values():
            if attachment.stream is not None and not attachment.is_far:
                item = Item(seq=attachment.cursor + 1, event=event, hand=self._table.book.hands)
                connection = attachment.line.connection
                connection.push(framed(connection.codec.encode(_single(self._table.id, item))))
        self.leave_all()

    def tell_catching_up(self) -> None:
        """Tell everybody that nothing can be decided for a while: the table waits, and nothing is lost."""
        waiting = Waiting(table=self._table.id, clocks=[Clock(kind=CATCHING_UP, seats=[], deadline_ms=0, limit_ms=0)])
        frames = _Frames()
        for attachment in self._attached.values():
            if attachment.stream is not None and not attachment.is_far:
                attachment.clocks = _CATCHING_UP
                connection = attachment.line.connection
                connection.push(frames.of(connection.codec, waiting, CATCHING_UP))

    def show(self, answers: list[tuple[Line, bytes]], now: float) -> None:
        """Write answers, and to everybody what he has not been shown yet; each connection gets one write."""
        out: dict[Line, list[bytes]] = {}
        for line, frame in answers:
            out.setdefault(line, []).append(frame)
        frames = _Frames()
        asked = {seat: asked_of(self._table, seat) for seat in SEATS if self._has_seat(seat)}
        clocks = running_clocks(self._table)
        key = clock_key(clocks)
        bundles: dict[tuple[object, ...], bytes] = {}  # what bystanders who have been shown as much are shown now
        for identity, attachment in list(self._attached.items()):
            if attachment.is_far:
                self._follow(identity, attachment)
                continue
            if self._is_plain_bystander(identity, attachment):
                bundle = bundles.get(self._bundle_key(attachment, key))
                if bundle is not None:
                    attachment.cursor, attachment.clocks = self._table.book.streams.head(BYSTANDER), key
                    if bundle:
                        out.setdefault(attachment.line, []).append(bundle)
                    continue
            bundle_key = self._bundle_key(attachment, key)
            shown = self._shown(attachment, frames, asked, now)
            if attachment.stream is not None and attachment.clocks != key:
                attachment.clocks = key
                codec = attachment.line.connection.codec
                shown.append(frames.of(codec, waiting_of(self._table, clocks, now), "waiting"))
            if attachment.stream == BYSTANDER:
                bundles.setdefault(bundle_key, b"".join(shown))
            if shown:
                out.setdefault(attachment.line, []).extend(shown)
            if attachment.stream is not None and self._stream_of(identity) is None:
                del self._attached[identity]
                attachment.line.detached(self._table.id)
        for line, parts in out.items():
            line.connection.push(parts[0] if len(parts) == 1 else b"".join(parts))

    def _is_plain_bystander(self, identity: str, attachment: Attachment) -> bool:
        """Whether somebody watches as before, and is to be shown just what others are who were shown as much."""
        return attachment.stream == BYSTANDER and self._stream_of(identity) == BYSTANDER

    @staticmethod
    def _bundle_key(attachment: Attachment, clocks: ClockKey) -> tuple[object, ...]:
        codec = attachment.line.connection.codec
        return (codec.name, attachment.stream, attachment.cursor, attachment.clocks == clocks)

    def _follow(self, identity: str, attachment: Attachment) -> None:
        """Nothing is written to who is shown the table elsewhere; but he may have come to sit, or be gone from the table."""
        before, attachment.stream = attachment.stream, self._stream_of(identity)
        if before is not None and attachment.stream is None:
            del self._attached[identity]
            attachment.line.detached(self._table.id)

    def _has_seat(self, seat: Seat) -> bool:
        sitter = self._table.book.info.seats[seat]
        return sitter is not None and sitter.identity in self._attached

    def _stream_of(self, identity: str) -> Stream | None:
        """The stream of somebody at the table. Asked for each connection at each event, so it is worked out once an info."""
        info = self._table.book.info
        if info is not self._streams_info:
            self._streams_info = info
            self._streams = {one.identity: BYSTANDER for one in info.bystanders}
            for seat in SEATS:
                sitter = info.seats[seat]
                if sitter is not None and sitter.bot is None:
                    self._streams[sitter.identity] = stream_of(seat)
        return self._streams.get(identity)

    def _shown(self, attachment: Attachment, frames: _Frames, asked: dict[Seat, Asked], now: float) -> list[bytes]:
        identity = attachment.line.person.identity
        stream = self._stream_of(identity)
        codec = attachment.line.connection.codec
        shown: list[bytes] = []
        if stream is not None and stream != attachment.stream:
            # He sat down, or stood up and watches: another stream, from its snapshot.
            attachment.stream, attachment.cursor, attachment.asked, attachment.clocks = stream, 0, None, _NO_CLOCKS
        if attachment.stream is None:
            return shown
        shown += self._run(attachment, codec, frames)
        if stream is not None and stream != BYSTANDER:
            shown += self._notices(attachment, codec, asked[SEATS[stream]], now)
        return shown

    def _run(self, attachment: Attachment, codec: Codec, frames: _Frames) -> list[bytes]:
        streams, stream = self._table.book.streams, attachment.stream
        assert stream is not None
        head = streams.head(stream)
        if attachment.cursor == head:
            return []
        items = streams.after(stream, attachment.cursor) if attachment.cursor else None
        attachment.cursor = head
        identity = attachment.line.person.identity
        if self._stream_of(identity) is None:
            # Neither a snapshot nor what came after is for one who has gone: his seat may have been dealt a hand since.
            items = _until_gone(items or [], identity, stream)
            if self._tells_the_trump_card(items):
                items = items[-1:]
        elif items is None or (len(items) > 1 and self._tells_the_trump_card(items)):
            return [frames.of(codec, self.snapshot(stream), "snapshot", stream)]
        size = self._table.limits.resume_frame_events_max
        return [frames.run(codec, self._table.id, items[at : at + size]) for at in range(0, len(items), size)]

    def _tells_the_trump_card(self, items: list[Item]) -> bool:
        """Whether a run tells a trump card that has been taken up since: from then on nobody is told it any more (R14)."""
        state = self._table.book.rubber
        hand = None if state is None else state.hand
        if hand is None or hand.turned is not None or hand.trump_card is None:
            return False
        return any(item.hand == self._table.book.hands and item.event["t"] == "hand_dealt" for item in items)

    def _notices(self, attachment: Attachment, codec: Codec, asked: Asked, now: float) -> list[bytes]:
        before, attachment.asked = attachment.asked, asked
        resumes, attachment.resumes = attachment.resumes, False
        shown = []
        if resumes or not is_same_prompt(before, asked):
            shown.append(framed(codec.encode(prompt_of(self._table, asked, now))))
        if resumes or not is_same_may(before, asked):
            shown.append(framed(codec.encode(may_of(self._table, asked))))
        return shown

    def snapshot(self, stream: Stream) -> Snapshot:
        """All that a stream's events come to."""
        book = self._table.book
        seat = None if stream == BYSTANDER else SEATS[stream]
        state = book.rubber
        return Snapshot(
            table=self._table.id,
            seq=book.streams.head(stream),
            info=info_to_wire(book.info),
            view=None if state is None else view_to_wire(view(state, Watcher.BYSTANDER if seat is None else seat)),
            seat=None if seat is None else seat.name,
        )


def _until_gone(items: list[Item], identity: str, stream: Stream) -> list[Item]:
    """Of what a stream tells, what came before somebody who had it left, and that he did."""
    for count, item in enumerate(items, 1):
        event = item.event
        match event["t"]:
            case "stood" if stream != BYSTANDER and event["seat"] == SEATS[stream].name:
                return items[:count]
            case "bystander_left" if event["identity"] == identity:
                return items[:count]
            case "seats_changed":
                return items[:count]
            case _:
                pass
    return items
