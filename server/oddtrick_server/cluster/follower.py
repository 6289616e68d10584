"""A table that another server owns, as it is shown to the people who are at it from here.

It folds the same log into the same book as its owner does, and shows it with the same code; it decides nothing. What its lines
ask goes to the owner, again and again until it is answered: the owner knows a question that comes twice. When the owner is not
heard of, the lease says who owns the table now; when nobody does, this server takes it over and everybody stays where he is.

One task does all of it, a letter after the other, so that the book is never folded in two places at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Close, Refuse
from oddtrick_server.audience import Attachment, Audience
from oddtrick_server.book import Book
from oddtrick_server.clock import Clock, Timer
from oddtrick_server.cluster.letters import (
    Answer,
    Ask,
    Follow,
    Gone,
    Guest,
    Letter,
    News,
    NotMine,
    Released,
    Replaced,
    Unfollow,
    raw_message,
)
from oddtrick_server.cluster.log_reader import LogReader
from oddtrick_server.cluster.post import Post
from oddtrick_server.cluster.question import Question
from oddtrick_server.entries import decode_entry
from oddtrick_server.limits import Limits
from oddtrick_server.logs import Say, log
from oddtrick_server.person import No, no
from oddtrick_server.store.errors import HeldElsewhere, StoreError
from oddtrick_server.store.shared import SharedStore
from oddtrick_server.streams import stream_of
from oddtrick_server.table import Table
from oddtrick_server.table_actor import NO_SEAT

if TYPE_CHECKING:
    from oddtrick_server.at_table import Line

BEATS_MISSED_MAX: Final = 2  # of the owner, before it is asked who the owner is
SEEK_S: Final = 0.25
SEEK_LEAST_S: Final = 0.02
POINT_AGAIN_S: Final = 1.0  # between two times that we tell the owner that we follow
ASK_AGAIN_S: Final = 1.5
GIVE_UP_S: Final = 60.0  # a question nobody answers is refused then, to be asked again
UNFOLLOW_S: Final = 30.0  # after the last one here has left the table
FOLD_SLICE: Final = 200
FINISHED_KEPT: Final = 3  # hands whose owner may have died before he kept them
GONE: Final = "the table is no more"

TakeOver = Callable[["Follower"], Awaitable[bool]]


class Follower:
    """A table owned elsewhere."""

    def __init__(
        self,
        table: Table,
        *,
        name: str,
        owner: str,
        store: SharedStore,
        post: Post,
        clock: Clock,
        limits: Limits,
        take_over: TakeOver,
        ended: Callable[[Follower], None],
        numbers: Callable[[], int],
    ) -> None:
        self.table = table
        self.audience = Audience(table)
        self.owner = owner
        self.fence = 0
        self.seq = 0  # of the last entry folded
        self._last = b""  # that entry
        self._doubted = False  # whether the log may have lost it: another owner has come
        self.is_over = False
        self.is_gone = False  # there was a log, and there is none: the table was closed, or the store has lost it
        self.quiet_since: float = clock.now()
        self.ever_joined = True
        self._name = name
        self._store = store
        self._post = post
        self._clock = clock
        self._limits = limits
        self._take_over = take_over
        self._ended = ended
        self._numbers = numbers
        self._head = 0  # of what the owner has said may be shown
        self._ahead_s = 0.0  # the owner's clock before ours
        self._pointed_at = 0.0
        self._missed = 0
        self._told = False  # everybody, that the table waits
        self._begins_anew = False  # whether people have yet to be shown the table as its log has it
        self._seek_at: float | None = None
        self._letters: deque[Letter] = deque()
        self._lines: dict[Line, int] = {}
        self._questions: dict[tuple[int, str], Question] = {}
        self._news = asyncio.Event()
        self._loaded = False
        self._timer: Timer | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def id(self) -> str:
        """The table's name."""
        return self.table.id

    @property
    def is_loaded(self) -> bool:
        """Whether the book says what the table is."""
        return self._loaded

    def start(self) -> None:
        """Begin to follow."""
        self._point_to(self.owner)
        self._news.set()
        self._task = asyncio.create_task(self._run(), name=f"following table {self.id}")

    # --- from the connections ---

    def ask(self, line: Line, message: m.ClientMessage, *, elsewhere: Callable[[], None] | None = None) -> None:
        """Pass a question on to the owner."""
        if len(self._questions) >= self._limits.mailbox_max:
            line.connection.push(line.answer(message.id, no(Refuse.BUSY, retry_after_s=1.0), self.id))
            return
        now = self._clock.now()
        number = self._number(line)
        question = Question(line, number, message, elsewhere, now, now)
        self._questions[number, message.id] = question
        self._send(question)

    def gone(self, line: Line) -> None:
        """A line is closed. What it asked is still answered: whoever sends the same again is told so."""
        self.audience.detach(line)
        number = self._lines.get(line)
        if number is None:
            return
        for key, question in list(self._questions.items()):
            if key[0] == number and isinstance(question.message, m.Resume):
                del self._questions[key]  # it is not to be shown anything any more
        self._post.put(self.owner, Gone(self._name, self.id, number))
        if not any(key[0] == number for key in self._questions):
            del self._lines[line]

    def archive(self, reason: str) -> None:
        """Only the owner closes a table."""
        del reason

    def attach(self, line: Line, *, seq: int = 0) -> None:
        """Show the table to a line, after event `seq` of its stream (0: from a snapshot)."""
        replaced = self.audience.attach(Attachment(line, self._stream(line), seq))
        if replaced is not None:
            self._forget(replaced)
            replaced.detached(self.id)
            replaced.connection.drop(Close.REPLACED)

    def adopt(
        self, audience: Audience, questions: list[tuple[Line, m.ClientMessage, Callable[[], None] | None]]
    ) -> None:
        """Take on the people, and their questions, of a table that we own no longer."""
        self.audience.adopt(audience)
        self._begins_anew = True  # what they were shown last may not be what the log has
        for line in self.audience.lines:
            self._number(line)
        for line, message, elsewhere in questions:
            self.ask(line, message, elsewhere=elsewhere)

    @property
    def numbers(self) -> list[int]:
        """Which lines of ours the owner should know of: those of the last Follow, and what came and went since."""
        return list(self._lines.values())

    def take_questions(self) -> list[Question]:
        """What was not answered yet, in the order it was asked: whoever takes it answers it."""
        questions, self._questions = list(self._questions.values()), {}
        return questions

    async def stop(self) -> None:
        """Follow no longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _number(self, line: Line) -> int:
        number = self._lines.get(line)
        if number is None:
            number = self._lines[line] = self._numbers()
        return number

    def _forget(self, line: Line) -> None:
        number = self._lines.pop(line, None)
        if number is None:
            return
        self._refuse([self._questions.pop(key) for key in list(self._questions) if key[0] == number])
        self._post.put(self.owner, Gone(self._name, self.id, number))

    def _guest(self, line: Line, number: int, *, shown: bool = False) -> Guest:
        person = line.person
        return Guest(number, person.identity, person.name, person.bot, shown, line.is_closed)

    def _send(self, question: Question) -> None:
        question.sent_at = self._clock.now()
        guest = self._guest(question.line, question.number)
        self._post.put(self.owner, Ask(self._name, self.id, guest, raw_message(question.message)))

    def _stream(self, line: Line) -> int | None:
        seat = self.table.book.seat_of(line.person.identity)
        if seat is None and not self.table.book.watches(line.person.identity):
            return None
        return stream_of(seat)

    # --- from the other servers ---

    def take(self, letter: Letter) -> None:
        """A letter about the table."""
        self._letters.append(letter)
        self._news.set()

    def heard(self, server: str, fence: int, seq: int, now: float) -> None:
        """The owner is there, and the log is so long."""
        if server == self.owner and fence >= self.fence:
            self._doubted = self._doubted or fence > self.fence
            self._head = max(self._head, seq) if fence == self.fence else seq
            self.fence = fence
            self._missed = 0
            self._seek_at = None
            self._ahead_s = now - self._clock.now()
            self._news.set()

    def beat(self) -> None:
        """Count that the owner was not heard of since the last time; ask again what was not answered."""
        self._missed += 1
        now = self._clock.now()
        if self._missed > BEATS_MISSED_MAX and self._seek_at is None:
            self._seek_at = now
        is_late = any(now - question.asked_at > ASK_AGAIN_S for question in self._questions.values())
        if not self._told and (is_late or self._missed > BEATS_MISSED_MAX):
            self._told = True
            self.audience.tell_catching_up()
        for key, question in list(self._questions.items()):
            if now - question.asked_at > GIVE_UP_S:
                del self._questions[key]
                busy = no(Refuse.BUSY, retry_after_s=1.0)
                question.line.connection.push(question.line.answer(question.message.id, busy, self.id))
                if question.line.is_closed:
                    self.gone(question.line)
            elif now - question.sent_at > ASK_AGAIN_S:
                self._send(question)
        if self.audience.is_empty:
            self.quiet_since = self.quiet_since or now
        else:
            self.quiet_since = 0.0
        self._news.set()

    def seek(self) -> None:
        """Find out who owns the table now."""
        self._seek_at = self._clock.now()
        self._news.set()

    def is_idle(self, now: float) -> bool:
        """Whether nobody here has been at the table for a while."""
        quiet = self.audience.is_empty and not self._questions and self.quiet_since > 0
        return quiet and now - self.quiet_since >= UNFOLLOW_S

    def leave(self) -> None:
        """Tell the owner that nobody here is at the table."""
        self._post.put(self.owner, Unfollow(self._name, self.id))

    # --- the task ---

    async def _run(self) -> None:
        try:
            while not self.is_over:
                await self._news.wait()
                self._news.clear()
                await self._turn()
            if self.is_gone:
                log.warning(Say.TABLE_GONE, table=self.id)
                self.audience.tell_closed(GONE)
        except StoreError as error:
            log.error(Say.TABLE_LOST, table=self.id, why=str(error))
            self.audience.drop_all(Close.RESTART, "the table cannot be read", after_ms=1000)
        except Exception:  # noqa: BLE001 -- a fault in one table must not take the others down
            log.exception(Say.FAULT, table=self.id)
            self.audience.drop_all(Close.INTERNAL, "a fault at this table")
        finally:
            self.is_over = True
            if self._timer is not None:
                self._timer.cancel()
            self._refuse(self.take_questions())
            self._ended(self)

    async def _turn(self) -> None:
        if not self._loaded:
            await self.catch_up()
            self._loaded = True
            self._show([])
        while self._letters:
            await self._read(self._letters.popleft())
        if self._told and not self._missed and not self._questions:
            self._told = False
            self._show([])
        if self._head > self.seq or self._doubted:
            await self.catch_up()
            self._show([])
        if self.is_gone:
            self.is_over = True
        elif self.table.book.info.closed is not None:
            self.audience.leave_all()
            self.is_over = True
        elif self._seek_at is not None and self._clock.now() >= self._seek_at:
            await self._seek()

    async def _read(self, letter: Letter) -> None:
        match letter:
            case News():
                await self._take_news(letter)
            case Replaced():
                line = next((one for one, number in self._lines.items() if number == letter.number), None)
                if line is not None:
                    self.audience.detach(line)
                    self._forget(line)
                    line.detached(self.id)
                    line.connection.drop(Close.REPLACED)
            case NotMine() | Released() if letter.sender == self.owner:
                self._seek_at = self._clock.now()
            case _:
                pass

    async def _take_news(self, news: News) -> None:
        if news.fence < self.fence or news.sender != self.owner:
            return  # of an owner that is one no longer; what it said is in the log, or void
        self.heard(news.sender, news.fence, news.first + len(news.entries) - 1, news.now)
        if news.first > self.seq + 1 or self._doubted:
            await self.catch_up()
        for number, body in enumerate(news.entries, news.first):
            if number == self.seq + 1:
                self._fold(body)
        self._show(news.answers)

    def _fold(self, body: bytes) -> None:
        self.seq += 1
        self._last = body
        book = self.table.book
        book.fold(decode_entry(body, f"entry {self.seq} of table {self.id}"))
        del book.finished[:-FINISHED_KEPT]

    async def catch_up(self) -> None:
        """Read what the log has beyond what was folded; waits for the store as long as it takes.

        A log that is not the one that was folded (a Redis that lost its last second) is folded anew. If there is none any more
        the table `is_gone`: it was closed meanwhile, or a Redis came back without it.
        """
        self._doubted = False
        reading = LogReader(self._store, self.id, clock=self._clock, retry_s=self._limits.store_retry_s)
        entries, is_another = await reading.after(self.seq, self._last)
        if not entries and (self.seq or self._begins_anew):
            self.is_gone = True
            return
        if is_another:
            self.unfold()
        if self._begins_anew:
            self.audience.begin_anew()
            self._begins_anew = False
        for number, stored in enumerate(entries, 1):
            if stored.seq > self.seq + 1:  # what we missed is trimmed, and this sums it up
                self.table.book = Book(self._limits)
                self.seq = stored.seq - 1
            if stored.seq == self.seq + 1:
                self._fold(stored.body)
            if number % FOLD_SLICE == 0:
                await asyncio.sleep(0)
        self._head = max(self._head, self.seq)

    def unfold(self) -> None:
        """Forget what the table is, until the log is read again: what is in the book may not be what the log has."""
        self.table.book = Book(self._limits)
        self.seq, self._last, self._loaded, self._begins_anew = 0, b"", False, True
        self._news.set()

    def _show(self, answers: list[Answer]) -> None:
        if self.is_gone:
            return  # all that is left to say is that
        now = self._clock.now() + self._ahead_s
        expected = dict.fromkeys(self.audience.lines)
        frames = []
        for answer in answers:
            question = self._questions.pop((answer.number, answer.id), None)
            if question is None:
                continue
            reply = answer.reply
            if isinstance(reply, No) and question.elsewhere is not None and reply.code in NO_SEAT:
                question.elsewhere()
                continue
            if not question.is_ours:
                frames.append((question.line, question.line.answer(answer.id, reply, self.id)))
            if question.line.is_closed:
                self.gone(question.line)
            elif not isinstance(reply, No):
                self._attach(question)
                expected.pop(question.line, None)
                expected.update(dict.fromkeys(self.audience.lines))
        self.audience.show(frames, now)
        for line in expected:
            if self._stream(line) is None and not line.is_closed:
                self.audience.detach(line)
                self._bring_back(line)

    def _bring_back(self, line: Line) -> None:
        watch = self.way_back(line)
        if watch is None:
            self.gone(line)
            return
        line.attached(self.id)
        number = self._number(line)
        now = self._clock.now()
        question = self._questions[number, watch.id] = Question(line, number, watch, None, now, now, is_ours=True)
        self._send(question)

    def way_back(self, line: Line) -> m.Watch | None:
        """What lets a bystander in again whom the owner took for gone while we could not reach it; None if he is at the table.

        He never left, so he needs no invite of his own; whom the host sent away stays away.
        """
        book = self.table.book
        away = self._stream(line) is None and line.person.identity not in book.banned
        if not away or book.info.closed is not None or book.opened is None:
            return None
        return m.Watch(id=f"again-{self.seq}", table=self.id, invite=book.opened.invite)

    def _attach(self, question: Question) -> None:
        message, line = question.message, question.line
        if isinstance(message, m.Leave):
            self.audience.leave(line)
            self.gone(line)
        elif isinstance(message, m.Sit | m.Watch | m.Resume):
            self.attach(line, seq=message.seq if isinstance(message, m.Resume) else 0)

    def _refuse(self, questions: list[Question]) -> None:
        """Tell whoever has no answer that there is no such table any more, or to ask again."""
        is_closed = self.is_gone or self.table.book.info.closed is not None
        gone = no(Refuse.NO_SUCH_TABLE) if is_closed else no(Refuse.BUSY, retry_after_s=1.0)
        for question in questions:
            if is_closed and question.elsewhere is not None:
                question.elsewhere()
            elif not question.is_ours:
                question.line.connection.push(question.line.answer(question.message.id, gone, self.id))

    # --- who owns the table ---

    def _point_to(self, owner: str) -> None:
        """That server owns the table: tell it who is here, and ask it what was not answered."""
        self._doubted = self._doubted or owner != self.owner
        self.owner = owner
        if not owner:
            return
        self._pointed_at = self._clock.now()
        for line in self.audience.lines:
            self._number(line)
        shown = set(self.audience.lines)
        guests = [self._guest(line, number, shown=line in shown) for line, number in self._lines.items()]
        self._post.put(owner, Follow(self._name, self.id, guests))
        for question in self._questions.values():
            self._send(question)

    async def _seek(self) -> None:
        wait_s = SEEK_S
        try:
            holder = await self._store.holder(self.id)
            if holder is None or holder.left_s <= 0 or holder.owner == self._name:
                if await self._take_over(self):
                    self.is_over = True
                    return
            elif holder.owner != self.owner or self._clock.now() - self._pointed_at > POINT_AGAIN_S:
                # Also when it is the same: it may have taken us for gone, and tell us nothing any more.
                self._point_to(holder.owner)
            else:
                wait_s = min(SEEK_S, max(SEEK_LEAST_S, holder.left_s))
        except HeldElsewhere as held:
            self._point_to(held.owner)
        except StoreError:
            pass  # the lobby, which looks at the store for all, says so
        self._seek_at = self._clock.now() + wait_s
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._clock.call_at(self._seek_at, self._news.set)
