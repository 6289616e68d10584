"""A table's relations with the servers that follow it: what it tells them, and whose lines they bring to it.

To the table's actor a line of another server is a line like any other (`FarLine`): it asks, is answered, and has the place of its
identity in the audience. Only, no events are written on it: each server is sent the entries of the log once, and shows them itself.

The lease. `is_sure` says whether the table may be decided upon: until well before the lease can have run out, by our own clock,
counted from before the renewal was asked for. A server that was stopped for a while finds itself unsure and asks again first.
"""

from __future__ import annotations

import asyncio
import struct
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import msgspec

from oddtrick_protocol.closing import Close, Refuse
from oddtrick_protocol.codec import Codec, codec_for
from oddtrick_protocol.version import MSGPACK
from oddtrick_server.cluster.letters import (
    Answer,
    Ask,
    Follow,
    Guest,
    Head,
    News,
    Replaced,
    answer_of,
    id_in,
    lines_digest,
    message_in,
)
from oddtrick_server.cluster.post import Post
from oddtrick_server.person import Person, Reply, no

if TYPE_CHECKING:
    from oddtrick_server.clock import Clock
    from oddtrick_server.table_actor import TableActor

SURE_SHARE: Final = 0.6  # of a lease
BEATS_MISSED_MAX: Final = 4  # of a server, before its players are called away
SILENT_BEATS_MAX: Final = 24  # before its bystanders have left too: those of a server that only hung are still there
ANSWERS_KEPT: Final = 64  # of one far line, for questions that come twice
CLOSED_KEPT: Final = 256  # far lines that are closed, for letters about them that come late
_CODEC: Final = codec_for(MSGPACK)
_SIZE: Final = struct.Struct(">I")
_PASSING: Final = frozenset({Refuse.BUSY.value, Refuse.RATE.value})
_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Answer)


class FarConnection:
    """The way to a line of another server."""

    codec: Codec = _CODEC

    def __init__(self, line: FarLine) -> None:
        self._line = line

    def push(self, frames: bytes) -> None:
        """Send answers, as `FarLine.answer` made them."""
        self._line.push(frames)

    def drop(self, code: Close, reason: str = "", *, after_ms: int | None = None) -> None:
        """Close the line, if a newer one has taken its place; for anything else its own server sees to it."""
        del reason, after_ms
        if code is Close.REPLACED:
            self._line.replaced()


class FarLine:
    """A line of another server, as the table sees it."""

    is_far: Final = True

    def __init__(self, abroad: Abroad, server: str, guest: Guest) -> None:
        self.is_closed = False
        self.server = server
        self.number = guest.number
        self.person: Person = guest.person
        self.connection = FarConnection(self)
        self._abroad = abroad
        self._answers: OrderedDict[str, Answer | None] = OrderedDict()  # None: being worked out

    def begins(self, id_: str) -> bool:
        """Whether a question is new. One that was answered is answered again; one that is being worked out will be."""
        if id_ in self._answers:
            before = self._answers[id_]
            if before is not None:
                self._abroad.answered(self.server, before)
            return False
        self._answers[id_] = None
        while len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)
        return True

    def answer(self, id_: str, reply: Reply, table: str | None) -> bytes:
        """An answer, ready to be pushed."""
        del table
        body = _encoder.encode(answer_of(self.number, id_, reply))
        return _SIZE.pack(len(body)) + body

    def push(self, frames: bytes) -> None:
        """Send what `answer` made; several may stand one behind the other."""
        at = 0
        while at < len(frames):
            (size,) = _SIZE.unpack_from(frames, at)
            answer = _decoder.decode(frames[at + _SIZE.size : at + _SIZE.size + size])
            at += _SIZE.size + size
            if answer.code in _PASSING:
                self._answers.pop(answer.id, None)  # asked again later, it may be done
            else:
                self._answers[answer.id] = answer
            self._abroad.answered(self.server, answer)

    def replaced(self) -> None:
        """A newer line of the same identity is at the table."""
        self._abroad.forget(self)

    def attached(self, table: str) -> None:
        """The table is shown on this line; its server knows that from us."""

    def detached(self, table: str) -> None:
        """The table has no more to do with this line; its server knows that from the log."""


class Abroad:
    """One table we own, towards the other servers."""

    def __init__(self, table: str, *, fence: int, sure_until: float, name: str, post: Post, clock: Clock) -> None:
        self.table = table
        self.fence = fence
        self.sure_until = sure_until
        self.is_lost = False
        self.is_closing = False
        self.actor: TableActor | None = None
        self.followers: dict[str, int] = {}  # and how many beats they were silent
        self._apart: set[str] = set()  # followers that had other lines than we have of them when they last said so
        self._name = name
        self._post = post
        self._clock = clock
        self._lines: dict[tuple[str, int], FarLine] = {}
        self._closed: OrderedDict[tuple[str, int], None] = OrderedDict()
        self._seq = 0
        self._first = 0
        self._entries: list[bytes] = []
        self._answers: dict[str, list[Answer]] = {}
        self._flushing = False

    # --- the lease ---

    def is_sure(self) -> bool:
        """Whether nobody else can have the table yet."""
        return not self.is_lost and self._clock.now() < self.sure_until

    def renewed(self, asked_at: float, sure_s: float) -> None:
        """The lease runs anew. If it was unsure meanwhile, nobody could act since the renewal before."""
        now = self._clock.now()
        if now >= self.sure_until and self.actor is not None:
            self.actor.stalled_for(now - (self.sure_until - sure_s))
        self.sure_until = asked_at + sure_s

    def lose(self) -> None:
        """The table has another owner."""
        self.is_lost = True
        if self.actor is not None:
            self.actor.wake()

    # --- from the table ---

    @property
    def head(self) -> Head:
        """How far the log may be shown."""
        return Head(self.table, self.fence, self._seq)

    def begin(self, actor: TableActor, seq: int) -> None:
        """The table stands, with so many entries in its log."""
        self.actor = actor
        self._seq = seq

    def kept(self, first: int, entries: list[bytes]) -> None:
        """Entries are in the log, for good."""
        if not self._entries:
            self._first = first
        self._entries += entries
        self._seq = first + len(entries) - 1
        self._soon()

    def answered(self, server: str, answer: Answer) -> None:
        """An answer for a line of another server."""
        if self.is_closing and answer.code in _PASSING:
            return  # whoever owns the table next will be asked
        self._answers.setdefault(server, []).append(answer)
        self._soon()

    def forget(self, line: FarLine) -> None:
        """The line was replaced by a newer one: its server is to close it."""
        if self._lines.get((line.server, line.number)) is line:
            self._close(line.server, line.number)
            self._post.put(line.server, Replaced(self._name, self.table, line.number))

    def _soon(self) -> None:
        # What one round of the table brings is one letter: the round ends before the loop comes to this.
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        entries, self._entries = self._entries, []
        answers, self._answers = self._answers, {}
        now = self._clock.now()
        for server in {**dict.fromkeys(self.followers), **answers}:
            mine = answers.get(server, [])
            if entries or mine:
                first = self._first if entries else self._seq + 1
                news = News(self._name, self.table, self.fence, first, entries, mine, now)
                self._post.put(server, news)

    # --- from the other servers ---

    def follow(self, letter: Follow) -> None:
        """A server has people at the table: who of them is shown it, and who has only asked something."""
        self.followers[letter.sender] = 0
        self._apart.discard(letter.sender)
        assert self.actor is not None
        listed = {guest.number for guest in letter.guests}
        for guest in letter.guests:
            line = self._line(letter.sender, guest)
            if guest.shown and not line.is_closed:
                self.actor.here(line)
        for server, number in list(self._lines):
            if server == letter.sender and number not in listed:
                self._let_go(server, number)
        news = News(self._name, self.table, self.fence, self._seq + 1, [], [], self._clock.now())
        self._post.put(letter.sender, news)

    def ask(self, letter: Ask) -> None:
        """A line of another server asks something of the table."""
        assert self.actor is not None
        line = self._line(letter.sender, letter.guest)
        message = message_in(letter.message)
        if message is None:
            unknown = no(Refuse.MALFORMED_MESSAGE, "the server of this table does not know such a message yet")
            line.connection.push(line.answer(id_in(letter.message), unknown, self.table))
        elif line.begins(message.id):
            self.actor.ask(line, message)

    def gone(self, server: str, number: int) -> None:
        """A line of another server is closed."""
        line = self._close(server, number)
        if line is not None and self.actor is not None:
            self.actor.gone(line)

    def _close(self, server: str, number: int) -> FarLine | None:
        """A line is closed for good: what letters still say of it, that came late or twice, brings nobody back."""
        self._closed[server, number] = None
        while len(self._closed) > CLOSED_KEPT:
            self._closed.popitem(last=False)
        line = self._lines.pop((server, number), None)
        if line is not None:
            line.is_closed = True
        return line

    def _let_go(self, server: str, number: int) -> None:
        """Nothing was heard of a line, or of its server: it may come back."""
        line = self._lines.pop((server, number), None)
        if line is not None and self.actor is not None:
            self.actor.gone(line)

    def heard(self, server: str, lines: int | None = None) -> bool:
        """A server says that it follows, and which lines it has (`lines_digest`; None if it does not say).

        False if it must tell again who is there: since we took it for gone, or a letter about its lines was lost.
        """
        if self.followers.get(server, BEATS_MISSED_MAX + 1) > BEATS_MISSED_MAX:
            return False
        self.followers[server] = 0
        ours = lines_digest(number for other, number in self._lines if other == server)
        if lines is None or lines == ours:
            self._apart.discard(server)
            return True
        # What is still under way is there by the next beat; what is missing then was lost.
        was_apart = server in self._apart
        self._apart.add(server)
        return not was_apart

    def unfollow(self, server: str) -> None:
        """A server has nobody at the table any more, or was not heard of for long."""
        self.followers.pop(server, None)
        self._apart.discard(server)
        for other, number in list(self._lines):
            if other == server:
                self._let_go(server, number)

    def beat(self) -> None:
        """Count who was not heard of since the last time; who was silent too long is gone."""
        for server in list(self.followers):
            self.followers[server] += 1
            if self.followers[server] > SILENT_BEATS_MAX:
                self.unfollow(server)
            elif self.followers[server] > BEATS_MISSED_MAX:
                self._call_away(server)

    def _call_away(self, server: str) -> None:
        assert self.actor is not None
        book = self.actor.table.book
        for (other, number), line in list(self._lines.items()):
            if other == server and book.seat_of(line.person.identity) is not None:
                self._let_go(server, number)

    def _line(self, server: str, guest: Guest) -> FarLine:
        line = self._lines.get((server, guest.number))
        if line is None:
            line = self._lines[server, guest.number] = FarLine(self, server, guest)
        line.person = guest.person
        line.is_closed = guest.closed or (server, guest.number) in self._closed
        return line
