"""The asyncio shell of `table.py`: one task a table, a bounded mailbox, and nothing shown before it is kept.

The task takes what has come in, lets the table judge all of it, appends the entries to the store and waits until they would
survive us; only then are answers and events written to the connections. While it waits, more may come into the mailbox, so a
busy table writes in groups. Nobody else touches the table, and the task touches it only between two waits: nothing can race.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Close, Refuse
from oddtrick_server.at_table import Abroad, Line
from oddtrick_server.audience import Attachment, Audience
from oddtrick_server.clock import Clock, Timer
from oddtrick_server.forgotten import without_forgotten
from oddtrick_server.hand_record import HandRecord, encode_record
from oddtrick_server.limits import Limits
from oddtrick_server.logs import Say, log
from oddtrick_server.metrics import Metrics
from oddtrick_server.outage import Outage
from oddtrick_server.person import DONE, No, Person, Reply, no
from oddtrick_server.store.errors import StoreBusy, StoreError, StoreWriteFailed
from oddtrick_server.store.interface import Store
from oddtrick_server.streams import Stream, stream_of
from oddtrick_server.table import Table, Taken

SECRETS: Final = "deal-secrets"
WITH_HANDS: Final = "tables-with-hands"  # by table: when its last hand ended, in ms of Unix time
NO_SEAT: Final = frozenset({Refuse.NO_FREE_SEAT.value, Refuse.SEAT_TAKEN.value, Refuse.FORBIDDEN.value})
_TRANSIENT: Final = (StoreBusy, StoreWriteFailed)


@dataclass(frozen=True, slots=True)
class Ask:
    """A line asks something of the table; `elsewhere`, if given, is called instead of a refusal for want of a seat."""

    line: Line
    message: m.ClientMessage
    elsewhere: Callable[[], None] | None = None
    at: float = 0.0  # when it came


@dataclass(frozen=True, slots=True)
class Gone:
    """A line is closed."""

    line: Line


@dataclass(frozen=True, slots=True)
class Out:
    """Somebody is forgotten: he leaves, whether a line of his is there or not."""

    identity: str


@dataclass(frozen=True, slots=True)
class Here:
    """A line is at the table that was at it before the table came to us."""

    line: Line


async def put_hand(store: Store, record: HandRecord) -> None:
    """Put a finished hand into a store, to be found by those who were there and are not forgotten. StoreError if it will not."""
    record = await without_forgotten(store, record)
    body = encode_record(record)
    # First: by this a hand is found when it has been kept for long enough, and there is none that is not.
    await store.put(WITH_HANDS, record.table, str(record.ended_ms).encode())
    await store.put_hand(record.table, record.hand, body, identities=record.found_under, finished_ms=record.ended_ms)


class LogLost(Exception):
    """The log cannot be written, or is another's by now: what is in memory counts no more."""


class TableActor:
    """One table, alive."""

    def __init__(
        self,
        table: Table,
        *,
        store: Store,
        clock: Clock,
        limits: Limits,
        metrics: Metrics,
        outage: Outage,
        fence: int,
        log_seq: int,
        changed: Callable[[TableActor], None],
        ended: Callable[[TableActor], None],
        abroad: Abroad | None = None,
    ) -> None:
        self.table = table
        self.abroad = abroad
        self.is_lost = False
        self.audience = Audience(table)
        self.quiet_since: float = clock.now()
        self.ever_joined = any(one is not None and one.bot is None for one in table.book.info.seats)
        self._store = store
        self._clock = clock
        self._limits = limits
        self._metrics = metrics
        self._outage = outage
        self._fence = fence
        self._log_seq = log_seq
        self._changed = changed
        self._ended = ended
        self._mail: deque[Ask | Gone | Here | Out] = deque()
        self._judged: list[Ask] = []  # their answers are not shown yet
        self._stalled_s = 0.0  # for which nobody could act because nothing could be kept
        self._closing: str | None = None
        self._stopping = False
        self._news = asyncio.Event()
        self._timer: Timer | None = None
        self._timer_at: float | None = None
        self._info = table.book.info
        self._task: asyncio.Task[None] | None = None
        if abroad is not None:
            abroad.begin(self, log_seq)

    @property
    def id(self) -> str:
        """The table's name."""
        return self.table.id

    async def prepare(self) -> None:
        """Keep what the table has to say already; StoreError if the store will not."""
        try:
            await self._keep(self.table.take())
        except LogLost as error:
            raise StoreError(f"table {self.id}: {error}") from error

    def start(self) -> None:
        """Begin the task."""
        self._news.set()
        self._task = asyncio.create_task(self._run(), name=f"table {self.id}")

    # --- from the connections ---

    def ask(self, line: Line, message: m.ClientMessage, *, elsewhere: Callable[[], None] | None = None) -> None:
        """Put a message into the mailbox; a full one refuses it at once."""
        if len(self._mail) >= self._limits.mailbox_max:
            busy = no(Refuse.BUSY, retry_after_s=1.0)
            line.connection.push(line.answer(message.id, busy, self.id))
            return
        self._mail.append(Ask(line, message, elsewhere, self._clock.now()))
        self._news.set()

    def gone(self, line: Line) -> None:
        """A line is closed. These are not counted against the mailbox: there is one a connection at most."""
        self._mail.append(Gone(line))
        self._news.set()

    def here(self, line: Line) -> None:
        """A line is at the table since before it came to us."""
        self._mail.append(Here(line))
        self._news.set()

    def put_out(self, identity: str) -> None:
        """Somebody is to be at the table no more: it is as if he left; a bot takes his seat in a rubber (R20)."""
        self._mail.append(Out(identity))
        self._news.set()

    def stalled_for(self, seconds: float) -> None:
        """For so long nothing could be decided here, whether anybody noticed or not: no clock counts it."""
        self._stalled_s += seconds
        self._news.set()

    def wake(self) -> None:
        """Look again at how things stand."""
        self._news.set()

    def unanswered(self) -> list[tuple[Line, m.ClientMessage, Callable[[], None] | None]]:
        """What lines of our own asked and were not answered, when the table was lost."""
        asks = [*self._judged, *(item for item in self._mail if isinstance(item, Ask))]
        return [(ask.line, ask.message, ask.elsewhere) for ask in asks if not ask.line.is_far]

    # --- life ---

    def archive(self, reason: str) -> None:
        """Close the table for good, after what is in the mailbox."""
        self._closing = reason
        self._news.set()

    async def stop(self) -> None:
        """Finish what is in the mailbox, then end; the table goes on from its log later."""
        self._stopping = True
        self._news.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    @property
    def is_over(self) -> bool:
        """Whether the task has ended."""
        return self._task is not None and self._task.done()

    async def _run(self) -> None:
        try:
            while await self._turn():
                pass
        except LogLost as error:
            self._metrics.tables_lost += 1
            log.error(Say.TABLE_LOST, table=self.id, why=str(error))
            self.is_lost = True
            if self.abroad is None:
                self.audience.drop_all(Close.RESTART, "the table is taken up anew", after_ms=1000)
        except Exception:  # noqa: BLE001 -- a fault in one table must not take the others down
            log.exception(Say.FAULT, table=self.id)
            self.audience.drop_all(Close.INTERNAL, "a fault at this table")
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if not self.is_lost or self.abroad is None:
                self._refuse_mail()
            self._ended(self)

    async def _turn(self) -> bool:
        """One round: wait for news, judge, keep, show. False at the end."""
        await self._news.wait()
        self._news.clear()
        while True:
            await self._sure()
            now = self._clock.now()
            if self._stalled_s:
                self.table.stalled(self._stalled_s, now)
                self._stalled_s = 0.0
            self.table.tick(now)
            answers = self._judge(now)
            closing = self._closing is not None and not self._mail
            if closing and self.table.book.info.closed is None:
                assert self._closing is not None
                self.table.archive(now, self._closing)
            is_summed_up = self.table.sum_up(now)
            await self._keep(self.table.take())
            await self._sure()
            # An answer is remembered for an id that comes again only now that what it says is kept.
            frames = [(line, line.answer(id_, reply, self.id)) for line, id_, reply in answers]
            judged, self._judged = self._judged, []
            self.audience.show(frames, self._clock.now())
            self._count_shown(judged)
            self._note_changes()
            if closing:
                await self._bury()
                return False
            if is_summed_up:
                await self._insist(lambda: self._store.trim(self.id, self._log_seq, fence=self._fence))
            if not self._mail:
                break
        if self._stopping:
            return False
        self._set_timer()
        return True

    def _judge(self, now: float) -> list[tuple[Line, str, Reply]]:
        answers = []
        for _ in range(min(len(self._mail), self._limits.batch_max)):
            item = self._mail.popleft()
            if isinstance(item, Gone):
                if self.audience.detach(item.line):
                    self.table.lost(item.line.person.identity, now)
                continue
            if isinstance(item, Here):
                if not self.audience.has(item.line.person.identity):
                    self.attach(item.line)
                self.table.arrived(item.line.person, now)
                continue
            if isinstance(item, Out):
                leave = m.Leave(id=f"out-{self.table.book.entries}", table=self.id)
                self.table.handle(Person(item.identity, ""), leave, now)
                continue
            self._judged.append(item)
            line, message = item.line, item.message
            refusal = self._resume_refusal(line, message) if isinstance(message, m.Resume) else None
            reply = refusal or self.table.handle(line.person, message, now)
            if isinstance(reply, No) and item.elsewhere is not None and reply.code in NO_SEAT:
                self._judged.pop()
                item.elsewhere()
                continue
            answers.append((line, message.id, reply))
            if not isinstance(reply, No):
                self._attach(line, message, now)
        return answers

    def _resume_refusal(self, line: Line, message: m.Resume) -> No | None:
        stream = self._stream(line.person)
        if stream is not None and message.seq > self.table.book.streams.head(stream):
            return no(Refuse.BAD_SEQ)
        return None

    def _attach(self, line: Line, message: m.ClientMessage, now: float) -> None:
        """Whoever sits, watches or resumes is shown the table from now on, on the newest of his connections."""
        if isinstance(message, m.Leave):
            self.audience.leave(line)
            return
        if not isinstance(message, m.Sit | m.Watch | m.Resume):
            return
        if line.is_closed and self.audience.has(line.person.identity):
            return  # asked late or twice: he is here on a newer line
        seq = message.seq if isinstance(message, m.Resume) else 0
        self.attach(line, seq=seq)
        self.table.arrived(line.person, now)
        if line.is_closed and self.audience.detach(line):
            self.table.lost(line.person.identity, now)

    def attach(self, line: Line, *, seq: int = 0) -> None:
        """Show the table to a line, after event `seq` of its stream (0: from a snapshot)."""
        self.ever_joined = self.ever_joined or self._stream(line.person) is not None
        replaced = self.audience.attach(Attachment(line, self._stream(line.person), seq))
        if replaced is not None:
            replaced.detached(self.id)
            replaced.connection.drop(Close.REPLACED)

    def _stream(self, person: Person) -> Stream | None:
        seat = self.table.book.seat_of(person.identity)
        if seat is None and not self.table.book.watches(person.identity):
            return None
        return stream_of(seat)

    # --- keeping ---

    async def _keep(self, out: Taken) -> None:
        """Return when all of it would survive us."""
        for name, secret in out.secrets:
            await self._insist(lambda name=name, secret=secret: self._store.put(SECRETS, name, secret))  # type: ignore[misc]
        if out.entries:
            await self._append(out.entries)
        for record in out.finished:
            await self.keep_hand(record)
        for name in out.spent_secrets:
            await self._insist(lambda name=name: self._store.delete(SECRETS, name))  # type: ignore[misc]

    async def _append(self, entries: list[bytes]) -> None:
        result = await self._insist(lambda: self._store.append(self.id, self._log_seq, entries, fence=self._fence))
        if not result.is_stored:
            raise LogLost(result.outcome.value)
        if self.abroad is not None:
            self.abroad.kept(self._log_seq + 1, entries)
        self._log_seq += len(entries)

    async def keep_hand(self, record: HandRecord) -> None:
        """Keep a finished hand, to be found by those who played it."""
        await self._insist(lambda: put_hand(self._store, record))
        self._metrics.hand_over(record)
        log.info(Say.HAND_FINISHED, table=self.id, hand=record.hand, code=record.code)

    async def _insist(self, call: Callable[[], Any]) -> Any:
        """Make a call of the store until it succeeds; every one of them may be made again."""
        since, stalled_s = self._clock.now(), self._stalled_s
        told = False
        while True:
            try:
                result = await call()
            except _TRANSIENT as error:
                waited_s = self._clock.now() - since
                if waited_s > self._patience_s:
                    raise LogLost(str(error)) from error
                self._metrics.store_waits += 1
                self._outage.failed(error, table=self.id)
                told = told or self._tell(waited_s)
                await self._clock.sleep(self._limits.store_retry_s)
            except StoreError as error:
                raise LogLost(str(error)) from error
            else:
                if told:
                    # Of which some may have been counted by the lease already.
                    self._stalled_s = stalled_s + max(self._stalled_s - stalled_s, self._clock.now() - since)
                return result

    async def _sure(self) -> None:
        """Return when no other server can own the table; LogLost if one does."""
        abroad = self.abroad
        if abroad is None or abroad.is_sure():
            return
        since = self._clock.now()
        told = False
        while not abroad.is_sure():
            waited_s = self._clock.now() - since
            if abroad.is_lost or (self._stopping and waited_s > self._patience_s):
                raise LogLost("another server owns the table" if abroad.is_lost else "nobody knows who owns the table")
            told = told or self._tell(waited_s)
            await self._clock.sleep(self._limits.store_retry_s / 5)

    @property
    def _patience_s(self) -> float:
        return self._limits.drain_s / 3 if self._stopping else self._limits.store_stuck_s

    def _tell(self, waited_s: float) -> bool:
        """Tell everybody at the table that it waits for the store, once it has waited long enough for anyone to wonder."""
        if waited_s < self._limits.store_told_s:
            return False
        self.audience.tell_catching_up()
        return True

    async def _bury(self) -> None:
        await self._insist(lambda: self._store.drop_table(self.id))
        log.info(Say.TABLE_ARCHIVED, table=self.id, reason=self._closing)
        self.audience.leave_all()

    # --- housekeeping ---

    def _count_shown(self, judged: list[Ask]) -> None:
        now = self._clock.now()
        for ask in judged:
            if isinstance(ask.message, m.Act):
                self._metrics.acts.add(now - ask.at)

    def _note_changes(self) -> None:
        """Tell the lobby when what it lists has changed, and the log of what went wrong."""
        for fault in self.table.faults:
            log.error(Say.FAULT, table=self.id, why=fault)
        self.table.faults.clear()
        if self.audience.is_empty:
            if self.quiet_since == 0.0:
                self.quiet_since = self._clock.now()
        else:
            self.quiet_since = 0.0
        if self.table.book.info is not self._info:
            self._info = self.table.book.info
            self._changed(self)

    def _refuse_mail(self) -> None:
        """Tell whoever has no answer to ask again, what was judged and not kept included."""
        for item in (*self._judged, *self._mail):
            if isinstance(item, Ask):
                gone = no(Refuse.NO_SUCH_TABLE if self._closing is not None else Refuse.BUSY, retry_after_s=1.0)
                item.line.connection.push(item.line.answer(item.message.id, gone, self.id))
        self._judged.clear()
        self._mail.clear()

    def _set_timer(self) -> None:
        due = self.table.due()
        if due == self._timer_at:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = due
        self._timer = None if due is None else self._clock.call_at(due, self._strike)

    def _strike(self) -> None:
        self._timer_at = None
        self._timer = None
        self._news.set()


__all__ = ["DONE", "Ask", "Gone", "TableActor"]
