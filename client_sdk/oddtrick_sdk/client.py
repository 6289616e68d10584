"""The asyncio shell around a `Session`: it connects, flushes, waits, and connects again for ever.

Nothing here can race with the session: it is touched only between two awaits of one event loop, and frames are sent
under one lock, so that they leave in the order in which the session put them out.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from random import Random, SystemRandom
from types import TracebackType
from typing import Any, Final, Self

import structlog

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Close, Refuse, Then, after_close
from oddtrick_protocol.codec import BadMessage, codec_for
from oddtrick_protocol.facts import command_to_wire
from oddtrick_protocol.limits import CLIENT_MESSAGE_BYTES_MAX, ID_CHARS_MAX
from oddtrick_protocol.table_events import Stood, TableClosed
from oddtrick_protocol.version import MSGPACK
from oddtrick_rules.commands import Command
from oddtrick_sdk.allowance import Allowance
from oddtrick_sdk.backoff import wait_s
from oddtrick_sdk.entropy import Entropy
from oddtrick_sdk.errors import Disconnected, ProtocolViolation, Refused, Unreachable, Unwelcome
from oddtrick_sdk.mirror import Asked, Happened, Mirror, Resynced
from oddtrick_sdk.session import PASSING, Answered, GoingAway, Gone, NotYet, Output, Session, Welcomed, unaddressed
from oddtrick_sdk.transport import Opener, Transport, TransportClosed, TransportRefused, open_websocket
from oddtrick_sdk.updates import Left, Offline, Online, Told, Updates

log = structlog.get_logger("oddtrick.sdk")
NONCE_BYTES: Final = 6
GRACE_S: Final = 1.0
STEADY_S: Final = 5.0  # a connection that stood so long did not fail at once

_SYSTEM_CHANCE: Final = SystemRandom()


@dataclass(frozen=True, slots=True)
class Options:
    """How a client goes about it; the defaults are the real world's.

    `opener=WithBearer(token)` comes with an account. `on_offline` is called whenever the client will connect again
    after a wait, before its first welcome too, when no table could tell of it.
    """

    subprotocol: str = MSGPACK
    opener: Opener = open_websocket
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], float] = time.monotonic
    chance: Random = _SYSTEM_CHANCE
    entropy: Callable[[int], bytes] = secrets.token_bytes
    nonce: str | None = None
    retry_first: bool = False  # keep trying even if the very first connection cannot be had
    on_offline: Callable[[Offline], None] | None = None


DEFAULTS: Final = Options()


class Client:
    """One identity at one server. `async with Client(url, name="Ada") as client:` connects and says hello."""

    def __init__(
        self, url: str, *, name: str, token: str | None = None, bot: bool = False, options: Options = DEFAULTS
    ) -> None:
        self.url = url
        nonce = options.nonce or options.entropy(NONCE_BYTES).hex()
        self.session = Session(name=name, nonce=nonce, token=token, bot=bot)
        self._options = options
        self._codec = codec_for(options.subprotocol)
        self._transport: Transport | None = None
        self._sending = asyncio.Lock()
        self._answers: dict[str, asyncio.Future[Any]] = {}
        self._updates: dict[str, Updates] = {}
        self._entropy = Entropy(options.entropy)
        self._ready: asyncio.Future[None] | None = None
        self._going: GoingAway | None = None
        self._ended: Disconnected | None = None
        self._task: asyncio.Task[None] | None = None
        self._attempt = 0
        self._welcomed_at: float | None = None
        self._allowance = Allowance()
        self._later: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Connect and say hello; Unreachable, Unwelcome or another Disconnected if that cannot be."""
        self._ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(), name=f"oddtrick client {self.session.name}")
        try:
            await asyncio.shield(self._ready)
        except BaseException:
            self._ready.cancel()  # nobody waits for it any more, and what it comes to is told to nobody
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say goodbye."""
        await self._stop()

    @property
    def identity(self) -> str:
        """Who the server says we are."""
        return self.session.identity or ""

    @property
    def token(self) -> str | None:
        """What brings this identity back from anywhere; keep it secret."""
        return self.session.token

    # --- asking ---

    async def request(self, kind: type[m.ClientMessage], **values: Any) -> m.Ok:
        """Send a message and wait for its answer, through any number of lost connections; Refused if it was refused.

        Refused too, as `malformed_message`, if no server could be sent it: a number without bounds, a text too long.
        """
        if self._ended is not None:
            raise self._ended
        message = unaddressed(kind, **values)
        self._demand_sendable(message)
        await self._throttle()
        id_ = self.session.send(message)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[id_] = answer
        try:
            await self._flush()
            reply = await answer
        finally:
            self._answers.pop(id_, None)
            self.session.give_up(id_)
        if isinstance(reply, m.Refused):
            raise Refused(reply)
        return reply if isinstance(reply, m.Ok) else m.Ok(id=id_)

    def _demand_sendable(self, message: m.FromClient) -> None:
        """Refused if the message would end the connection instead of being answered."""
        try:
            long = len(self._codec.encode(message)) + ID_CHARS_MAX > CLIENT_MESSAGE_BYTES_MAX
            why = f"it is longer than {CLIENT_MESSAGE_BYTES_MAX} bytes" if long else ""
        except BadMessage as bad:
            why = bad.text
        if why:
            raise Refused(m.Refused(id=message.id, code=Refuse.MALFORMED_MESSAGE, text=f"not sent: {why}"))

    async def create(self, **options: Any) -> m.Ok:
        """Open a table: the options are the fields of `create`; the answer names it, and its invite if it is private."""
        return await self.request(m.Create, **options)

    async def tables(self, **wishes: Any) -> list[m.TableLine]:
        """List the tables of the lobby."""
        return (await self.request(m.Tables, **wishes)).tables or []

    async def sit(self, table: str = "any", **wishes: Any) -> Table:
        """Take a seat; `wishes` are the other fields of `sit`."""
        return self.table((await self.request(m.Sit, table=table, **wishes)).table or table)

    async def watch(self, table: str, *, invite: str | None = None) -> Table:
        """Watch a table."""
        return self.table((await self.request(m.Watch, table=table, invite=invite)).table or table)

    async def law(self, code: str, number: str) -> m.LawText:
        """Read a law of a code, or a ruling (`R5`)."""
        answer = await self.request(m.Law, code=code, number=number)
        return answer.law or m.LawText(code=code, number=number, gist="")

    async def hands(self, table: str | None = None) -> list[m.HandLine]:
        """List finished hands."""
        return (await self.request(m.Hands, table=table)).hands or []

    async def record(self, table: str, hand: int, format: m.Format = "whist") -> str:  # noqa: A002  # the wire's name
        """Have a finished hand as text."""
        return (await self.request(m.Record, table=table, hand=hand, format=format)).record or ""

    async def ping(self) -> None:
        """Wait until the server has answered everything sent so far."""
        await self.request(m.Ping)

    def table(self, table: str) -> Table:
        """Return the handle of a table one sits at or watches."""
        return Table(self, table)

    def updates_of(self, table: str) -> Updates:
        """Return what is unread of a table."""
        return self._updates.setdefault(table, Updates())

    def leave_behind(self, table: str, why: str) -> None:
        """Forget a table; its reader is told."""
        self.session.forget(table)
        self.updates_of(table).put(Left(why))

    def read_out(self, table: str) -> None:
        """Let go of what a table's reader, who has read that it is left, can still hold."""
        self._updates.pop(table, None)

    # --- the connection ---

    async def _live(self) -> None:
        try:
            while True:
                await self._once()
        except Disconnected as ended:
            self._end(ended)
        except BadMessage as unsayable:  # requests were looked at before: it is our own name or token
            self._end(Unwelcome(f"not sent: {unsayable.text}", refusal=Refuse.MALFORMED_MESSAGE))
        except ProtocolViolation as error:
            self._end(Disconnected(f"the server broke the protocol: {error}"))
        except Exception as fault:  # whoever waits for us must not wait for ever
            log.exception("client_failed", url=self.url)
            self._end(Disconnected(f"a fault of this client: {fault!r}"))

    async def _once(self) -> None:
        """One connection from its opening to its end, and the wait after it; Disconnected if it was the last."""
        try:
            transport = await self._options.opener(self.url, self._options.subprotocol)
        except TransportRefused as refused:
            first = self._ready is not None and not self._ready.done()
            if refused.then is Then.STOP or (first and not self._options.retry_first):
                raise (Unreachable if first else Disconnected)(refused.why) from None
            await self._wait(refused.then, refused.why)
            return
        self._going = None
        self._transport = transport
        try:
            self.session.opened()
            await self._flush()
            while True:
                self._receive(await transport.recv())
                await self._flush()
        except TransportClosed as closed:
            await self._closed(closed)
        finally:
            self._transport = None
            self.session.lost()
            await _end_quietly(transport)

    async def _closed(self, closed: TransportClosed) -> None:
        self._transport = None
        self.session.lost()
        if self._welcomed_at is not None and self._options.now() - self._welcomed_at >= STEADY_S:
            self._attempt = 0
        self._welcomed_at = None
        then = after_close(closed.code)
        going, self._going = self._going, None
        if going is not None:
            then = Then(going.retry) if going.retry in set(Then) else then
        if then is Then.STOP:
            raise Disconnected(closed.reason or f"closed with code {closed.code}", code=closed.code)
        await self._wait(then, str(closed), after_ms=(going and going.after_ms) or 0)

    async def _wait(self, then: Then, why: str, *, after_ms: int = 0) -> None:
        seconds = wait_s(self._attempt, then, self._options.chance) + after_ms / 1000
        self._attempt += 1
        log.info("offline", url=self.url, why=why, again_in_s=round(seconds, 2))
        offline = Offline(why, seconds)
        if self._options.on_offline is not None:
            self._options.on_offline(offline)
        for updates in self._updates.values():
            updates.put(offline)
        await self._options.sleep(seconds)

    def _receive(self, data: bytes | str) -> None:
        try:
            message = self._codec.decode_server(data)
        except BadMessage as error:
            raise ProtocolViolation(error.text) from None
        for output in self.session.received(message):
            self._take(output)

    def _take(self, output: Output) -> None:
        match output:
            case Answered(id=id_, answer=answer):
                self._answered(id_, answer)
            case Welcomed():
                self._welcomed()
            case GoingAway():
                self._going = output
            case Gone(table=table, why=why):
                self.leave_behind(table, why)
            case NotYet(id=id_, after_ms=after_ms):
                self._do_later(self._resend(id_, after_ms / 1000))
            case _:
                self.updates_of(output.table).put(output)
                if isinstance(output, Happened):
                    self._happened(output)
                elif isinstance(output, Resynced):
                    self._entropy.resynced(output.table, self.session)

    def _happened(self, happened: Happened) -> None:
        """Take part in the deal; see that a table which is closed, or has sent us away, is left."""
        self._entropy.happened(happened, self.session)
        mirror = self.session.tables.get(happened.table)
        match happened.event:
            case TableClosed(reason=reason):
                self.leave_behind(happened.table, reason)
            case Stood(seat=seat, kicked=True) if mirror is not None and mirror.seat == seat:
                self.leave_behind(happened.table, "the host has sent you away")
            case _:
                return

    def _answered(self, id_: str, answer: m.Ok | m.Refused | m.Welcome | m.Pong) -> None:
        future = self._answers.pop(id_, None)
        if future is not None and not future.done():
            future.set_result(answer)
        elif isinstance(answer, m.Refused) and not self.session.connected:
            self._hello_refused(answer)

    def _hello_refused(self, answer: m.Refused) -> None:
        """End the matter, or this connection alone if the server says no more than `not now`."""
        why = answer.text or answer.code
        if answer.code in PASSING:
            raise TransportClosed(Close.OVERLOADED, why)
        raise Unwelcome(why, refusal=answer.code)

    def _welcomed(self) -> None:
        self._welcomed_at = self._options.now()
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(None)
        else:
            for updates in self._updates.values():
                updates.put(Online())

    async def _throttle(self) -> None:
        """Wait until one more message is no more than a server must take."""
        wait = self._allowance.take(self._options.now())
        if wait:
            await self._options.sleep(wait)

    async def _resend(self, id_: str, after_s: float) -> None:
        await self._options.sleep(after_s)
        self.session.resend(id_)
        await self._flush()

    def _do_later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def _flush(self) -> None:
        transport = self._transport
        if transport is None:
            return
        async with self._sending:
            for message in self.session.take_outgoing():
                try:
                    await transport.send(self._codec.encode(message))
                except TransportClosed:
                    return  # the reading side finds out, and what is unanswered is sent again

    def _end(self, ended: Disconnected) -> None:
        self._ended = ended
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(ended)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ended)
        self._answers.clear()
        for updates in self._updates.values():
            updates.end(ended)

    async def _stop(self) -> None:
        for later in self._later:
            later.cancel()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if self._ended is None:
            self._end(Disconnected("this client was closed"))


async def _end_quietly(transport: Transport) -> None:
    with contextlib.suppress(TransportClosed, OSError, TimeoutError):
        async with asyncio.timeout(GRACE_S):
            await transport.close()


class Table:
    """A table one sits at or watches. `async for told in table:` gives what happens there, typed, in order, once."""

    def __init__(self, client: Client, table: str) -> None:
        self.client = client
        self.id = table

    @property
    def mirror(self) -> Mirror:
        """What is known of the table now; an empty one until the server has sent it."""
        return self.client.session.tables.get(self.id) or Mirror(self.id)

    def __aiter__(self) -> Table:
        """The handle is its own iterator."""
        return self

    async def __anext__(self) -> Told:
        """Return the next update; after `Left` there is none."""
        told = await self.client.updates_of(self.id).get()
        if isinstance(told, Left):
            self.client.read_out(self.id)
            raise StopAsyncIteration
        return told

    async def act(self, command: Command, *, asked: Asked | None = None) -> None:
        """Do an act of the laws, as the answer to what was asked if that is given; Refused if it is refused."""
        prompt = None if asked is None else asked.prompt
        await self.client.request(m.Act, table=self.id, act=command_to_wire(command), prompt=prompt)

    async def ask(self, kind: type[m.TableMessage], **values: Any) -> m.Ok:
        """Send any other message about this table: `start`, `pause`, `chat` ..."""
        return await self.client.request(kind, table=self.id, **values)

    async def leave(self) -> None:
        """Leave the table."""
        await self.ask(m.Leave)
        self.client.leave_behind(self.id, "left")
