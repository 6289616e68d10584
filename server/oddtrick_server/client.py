"""One client: from its hello to its close, every message to whoever answers it.

Messages for a table go into that table's mailbox at once; what needs the store first (hello, opening a table, taking one up from
its log, records) is a task, bounded per client. Whatever a client sends can do no more than get this client refused or closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Close, Refuse
from oddtrick_protocol.codec import BadMessage
from oddtrick_protocol.limits import HELLO_BYTES_MAX
from oddtrick_protocol.version import BUILD, CAPABILITIES, MINOR, PROTOCOL, speaks
from oddtrick_server.clock import Timer
from oddtrick_server.connection import Connection, framed
from oddtrick_server.logs import Say, log
from oddtrick_server.person import Person, Reply, message_of, no
from oddtrick_server.rates import Bucket
from oddtrick_server.roles import Role
from oddtrick_server.session import Answer, Session
from oddtrick_server.store.errors import StoreCorrupt, StoreError, StoreTooNew

if TYPE_CHECKING:
    from oddtrick_server.at_table import AtTable
    from oddtrick_server.services import Services

# Answered anew each time: they change nothing, and their answers may be large.
_READING: Final = (m.Tables, m.Law, m.Hands, m.Record, m.Ping, m.Resume)
_PASSING: Final = frozenset({Refuse.BUSY.value, Refuse.RATE.value, Refuse.INTERNAL.value})


class Client:
    """A connection and who is behind it."""

    is_far: Final = False  # it is this server that shows it tables

    def __init__(self, connection: Connection, services: Services) -> None:
        self.connection = connection
        self.session: Session | None = None
        self.tables: set[str] = set()  # that were asked something, and may show themselves to this client
        self._services = services
        limits = services.limits
        self._bucket = Bucket(per_s=limits.messages_per_s, burst=limits.messages_burst)
        self._strikes = 0
        self._greeting = False
        self.is_closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._hello_timer: Timer | None = services.clock.call_at(
            services.clock.now() + limits.hello_s, self._hello_late
        )

    @property
    def person(self) -> Person:
        """Who it is; only asked for after hello."""
        assert self.session is not None
        return self.session.person

    # --- in ---

    def received(self, data: bytes | str) -> None:
        """Take a message; nothing that is raised here may leave the connection."""
        message: m.FromClient | None = None
        try:
            message = self._decoded(data)
            if message is not None:
                self._take(message)
        except Exception as error:  # noqa: BLE001 -- a fault with one message must not reach the other clients
            self._failed(error, None if message is None else message.id)

    def _decoded(self, data: bytes | str) -> m.FromClient | None:
        """The message that data is; None if it is none, which its sender was told."""
        if self.session is None and len(data) > HELLO_BYTES_MAX:
            self.connection.drop(Close.TOO_BIG, f"a hello is at most {HELLO_BYTES_MAX} bytes")
            return None
        try:
            return self.connection.codec.decode_client(data)
        except BadMessage as bad:
            self._malformed(bad)
            return None

    def _take(self, message: m.FromClient) -> None:
        wait_s = self._wait_s()
        if wait_s:
            self._too_fast(message.id, wait_s)
            return
        self._services.lobby.metrics.messages += 1
        if self.session is None:
            self._first(message)
        elif isinstance(message, m.Ping):
            self._send(m.Pong(id=message.id))
        elif not self._answered_before(message):
            self._route(message)

    def _malformed(self, bad: BadMessage) -> None:
        self._services.lobby.metrics.malformed += 1
        if bad.id is None or self.session is None:
            self.connection.drop(bad.close, bad.text)
            return
        # Garbage is no cheaper than sense.
        if self._wait_s():
            self._strike()
        self._send(m.Refused(id=bad.id, code=bad.code.value, text=bad.text[:200]))

    def _wait_s(self) -> float:
        """Take a token of this identity (of this connection, before it has one) and of its address; how long until there is one."""
        now = self._services.clock.now()
        return self._bucket.take(now) or self._services.callers.take(self.connection.address, now)

    def _too_fast(self, id_: str, wait_s: float) -> None:
        self._send(message_of(no(Refuse.RATE, retry_after_s=wait_s), id=id_, table=None))
        self._strike()

    def _strike(self) -> None:
        self._strikes += 1
        if self._strikes > self._services.limits.strikes_max:
            self.connection.drop(Close.RATE)

    def _answered_before(self, message: m.ClientMessage) -> bool:
        """Whether this id had its answer already, or is being worked out: it is not done again."""
        assert self.session is not None
        if isinstance(message, _READING):
            return False
        if message.id in self.session.answers:
            answer = self.session.answers[message.id]
            if answer is None:
                self.session.waiting.setdefault(message.id, []).append(self)
            else:
                self._send(answer)
            return True
        self.session.remember(message.id, None, at_most=self._services.limits.answers_per_session_max)
        return False

    # --- hello ---

    def _hello_late(self) -> None:
        self._hello_timer = None
        if self.session is None:
            self.connection.drop(Close.POLICY, "no hello in time")

    def _first(self, message: m.FromClient) -> None:
        if not isinstance(message, m.Hello) or self._greeting:
            self._send(message_of(no(Refuse.HELLO_FIRST), id=message.id, table=None))
            return
        if not speaks(message.protocol):
            self._send(message_of(no(Refuse.VERSION, f"protocol {PROTOCOL} is spoken here"), id=message.id, table=None))
            self.connection.drop(Close.VERSION)
            return
        self._greeting = True
        self.spawn(self._greet(message), message.id)

    async def _greet(self, message: m.Hello) -> None:
        services = self._services
        if message.token is None and self.connection.account is None:
            wait_s = services.guests.take(self.connection.address, services.clock.now())
            if wait_s:
                self._greeting = False
                self._too_fast(message.id, wait_s)
                return
        found = await services.sessions.hello(
            message.name, message.token, bot=message.bot, account=self.connection.account
        )
        if isinstance(found, Refuse):
            self._greeting = False
            self._send(message_of(no(found), id=message.id, table=None))
            if found is Refuse.BAD_TOKEN:
                self.connection.drop(Close.BAD_CREDENTIALS)
            return
        if message.token is None and self.connection.account is None:
            services.lobby.metrics.guests += 1
        if self.is_closed or not self.connection.is_open:
            return
        before, found.line, self.session = found.line, self, found
        self._bucket = found.bucket
        self._bucket.take(services.clock.now())  # for the hello: coming again and again is no way around the rates
        if isinstance(before, Client):
            before.connection.drop(Close.REPLACED)
        if self._hello_timer is not None:
            self._hello_timer.cancel()
            self._hello_timer = None
        self._send(
            m.Welcome(
                id=message.id,
                token=found.token,
                identity=found.person.identity,
                name=found.person.name,
                protocol=PROTOCOL,
                minor=MINOR,
                build=BUILD,
                caps=list(CAPABILITIES),
            )
        )

    # --- routing ---

    def _route(self, message: m.FromClient) -> None:
        if isinstance(message, m.Hello):
            self.reply(message.id, no(Refuse.MALFORMED_MESSAGE, "hello was said already"))
            return
        answer = self._services.at_once(message)
        if answer is not None:
            self.send_answer(message.id, answer)
            return
        if isinstance(message, m.TableMessage | m.Sit) and not isinstance(message, m.Record):
            actor = self._services.lobby.loaded(message.table)
            if actor is not None:
                self.ask(actor, message)
                return
        if len(self._tasks) >= self._services.limits.tasks_per_connection_max:
            self.reply(message.id, no(Refuse.BUSY, retry_after_s=1.0))
            return
        self.spawn(self._later(message), message.id)

    def ask(self, actor: AtTable, message: m.ClientMessage, *, elsewhere: Callable[[], None] | None = None) -> None:
        """Ask a table; from now on it is told when this client is gone."""
        if isinstance(message, m.Sit | m.Watch):
            if not self.may_join(actor.id):
                self.reply(message.id, no(Refuse.TOO_MANY_TABLES), actor.id)
                return
            self.joins(actor.id)
        self.tables.add(actor.id)
        actor.ask(self, message, elsewhere=elsewhere)

    def may_join(self, table_id: str | None = None) -> bool:
        """Whether this identity may be at that table (None: a new one) besides those it is at already."""
        assert self.session is not None
        joined, at_most = self.session.joined, self._services.limits.tables_per_identity_max
        if table_id in joined or len(joined) < at_most:
            return True
        joined.intersection_update({each for each in joined if self._is_at(each)})
        return len(joined) < at_most

    def joins(self, table_id: str) -> None:
        """It may be at that table from now on."""
        assert self.session is not None
        self.session.joined.add(table_id)

    def _is_at(self, table_id: str) -> bool:
        lobby = self._services.lobby
        actor = lobby.loaded(table_id)
        if actor is None:
            return lobby.is_put_away(table_id)  # with a seat of his: what he left or only watched is struck off at once
        return actor.table.roles_of(self.person.identity) != {Role.STRANGER}

    async def _later(self, message: m.FromClient) -> None:
        answer = await self._services.in_time(self, message)
        if answer is not None:
            self.send_answer(message.id, answer)

    def spawn(self, work: Coroutine[Any, Any, None], id_: str) -> None:
        """Run something that waits, for the message of that id; what goes wrong with it ends at this connection."""
        task = asyncio.create_task(self._guarded(work, id_))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None], id_: str) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 -- as in `received`
            self._failed(error, id_)

    def _failed(self, error: Exception, id_: str | None) -> None:
        """Say that something went wrong: the message is answered, so that its id is not left open and may be asked again.

        Before its hello a client has nothing to be answered for: it is sent away, to come again.
        """
        waits = isinstance(error, StoreError) and not isinstance(error, StoreCorrupt | StoreTooNew)
        if waits:
            self._services.lobby.outage.failed(error)
        else:
            log.error(Say.FAULT, exc_info=error)
        if self.session is not None and id_ is not None:
            self.reply(id_, no(Refuse.BUSY, retry_after_s=1.0) if waits else no(Refuse.INTERNAL))
        elif waits:
            self.connection.drop(Close.OVERLOADED, "nobody can be let in for the moment", after_ms=1_000)
        else:
            self.connection.drop(Close.INTERNAL)

    # --- out ---

    def reply(self, id_: str, reply: Reply, table: str | None = None) -> None:
        """Answer a message."""
        self.connection.push(self.answer(id_, reply, table))

    def answer(self, id_: str, reply: Reply, table: str | None) -> bytes:
        """The frame of an answer, remembered for an id that comes again."""
        return self._answer_frame(id_, message_of(reply, id=id_, table=table))

    def send_answer(self, id_: str, answer: Answer) -> None:
        """Answer a message with a ready-made answer."""
        self.connection.push(self._answer_frame(id_, answer))

    def _answer_frame(self, id_: str, answer: Answer) -> bytes:
        session = self.session
        if isinstance(answer, m.Refused):
            self._services.lobby.metrics.refusals[answer.code] += 1
        if session is not None and id_ in session.answers:
            if _is_passing(answer):
                del session.answers[id_]  # asked again later, it may be done
            else:
                session.remember(id_, answer, at_most=self._services.limits.answers_per_session_max)
            for other in session.waiting.pop(id_, ()):
                other.push_answer(answer)
        return framed(self.connection.codec.encode(answer))

    def push_answer(self, answer: Answer) -> None:
        """Send an answer that another connection of this identity waited for as well."""
        self._send(answer)

    def _send(self, message: m.FromServer) -> None:
        self.connection.push(framed(self.connection.codec.encode(message)))

    def attached(self, table: str) -> None:
        """A table shows itself: it is told when this client is gone."""
        self.tables.add(table)

    def detached(self, table: str) -> None:
        """A table shows itself no longer: its person is not at it any more, or only on another line."""
        self.tables.discard(table)
        if self.session is not None and self.session.line is self:
            self.session.joined.discard(table)

    # --- the end ---

    def closed(self, now: float) -> None:
        """The connection is closed: the tables are told, the session stays a while."""
        self.is_closed = True
        if self._hello_timer is not None:
            self._hello_timer.cancel()
        if self.session is None:
            for task in self._tasks:
                task.cancel()
            return
        # What is under way is finished: the same id, sent again on another line, waits for its answer.
        if self.session.line is self:
            self.session.line = None
            self.session.left_at = now
        # When it is we who go, nobody is away: the tables go on where they stood.
        lobby = self._services.lobby
        for table in () if lobby.draining else self.tables:
            actor = lobby.loaded(table)
            if actor is not None:
                actor.gone(self)
                if self.session.line is None and actor.table.roles_of(self.person.identity) == {Role.BYSTANDER}:
                    self.session.joined.discard(table)  # a bystander leaves with his line
        self.tables.clear()


def _is_passing(answer: Answer) -> bool:
    """Whether a refusal says no more than that nothing was done this time: `not now`, or a fault of ours."""
    return isinstance(answer, m.Refused) and answer.code in _PASSING
