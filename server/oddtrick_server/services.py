"""What a server does for its clients apart from a single table: the lobby's commands, laws, records of hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Refuse
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.codes.rulings import RULINGS
from oddtrick_server.clock import Clock
from oddtrick_server.hand_forms import formed
from oddtrick_server.hand_record import HandSummary, decode_record, summary_of
from oddtrick_server.limits import Limits
from oddtrick_server.lobby import Lobby
from oddtrick_server.person import No, message_of, no
from oddtrick_server.rates import Buckets
from oddtrick_server.session import Answer, Sessions
from oddtrick_server.store.interface import HandRef, Store

if TYPE_CHECKING:
    from oddtrick_server.client import Client

HANDS_LISTED_MAX: Final = 100
RULING: Final = "ruling"  # how a ruling lives: laws have other words for it


class Services:
    """What clients are answered by."""

    def __init__(self, *, store: Store, clock: Clock, limits: Limits, sessions: Sessions, lobby: Lobby) -> None:
        self.clock = clock
        self.limits = limits
        self.sessions = sessions
        self.lobby = lobby
        self.guests = Buckets(per_s=limits.guests_per_s, burst=limits.guests_burst, keys_max=limits.rate_keys_max)
        self.callers = Buckets(
            per_s=limits.address_messages_per_s, burst=limits.address_messages_burst, keys_max=limits.rate_keys_max
        )
        self._store = store
        # A long hand takes some 40 ms to write out, and a list of them a hundred reads: no message is dearer.
        self._reads = Buckets(per_s=limits.reads_per_s, burst=limits.reads_burst, keys_max=limits.rate_keys_max)
        self._reading = Buckets(
            per_s=limits.address_reads_per_s, burst=limits.address_reads_burst, keys_max=limits.rate_keys_max
        )

    def at_once(self, message: m.FromClient) -> Answer | None:
        """The answer to what needs nothing but memory; None for everything else."""
        if isinstance(message, m.Tables) and self.lobby.knows_all:
            return m.Ok(id=message.id, tables=self.lobby.lines(message))
        if isinstance(message, m.Law):
            return law_answer(message)
        return None

    async def in_time(self, client: Client, message: m.FromClient) -> Answer | None:
        """The answer to what needs the store; None if a table answers itself."""
        if not _may_be_a_table(message):
            return message_of(no(Refuse.NO_SUCH_TABLE), id=message.id, table=None)
        if isinstance(message, m.Hands | m.Record):
            now = self.clock.now()
            wait_s = self._reads.take(client.person.identity, now) or self._reading.take(client.connection.address, now)
            if wait_s:
                return message_of(no(Refuse.RATE, retry_after_s=wait_s), id=message.id, table=None)
        match message:
            case m.Tables():
                await self.lobby.look_again()
                return m.Ok(id=message.id, tables=self.lobby.lines(message))
            case m.Create():
                made, invite = await self.lobby.create(client, message)
                if isinstance(made, No):
                    return message_of(made, id=message.id, table=None)
                return m.Ok(id=message.id, table=made.id, invite=invite)
            case m.Hands():
                return await self._hands(client, message)
            case m.Record():
                return await self._record(client, message)
            case m.Sit() if message.table == "any":
                reply = await self.lobby.sit_anywhere(client, message)
                return None if reply is None else message_of(reply, id=message.id, table=None)
            case m.Sit() | m.TableMessage():
                found = await self.lobby.find(message.table)
                if isinstance(found, No):
                    return message_of(found, id=message.id, table=message.table)
                client.ask(found, message)
                return None
            case _:
                raise AssertionError(f"nobody answers {type(message).__name__}")

    # --- hands ---

    async def _hands(self, client: Client, message: m.Hands) -> Answer:
        identity = client.person.identity
        if message.table is None:
            refs = await self._store.list_hands_of(identity, limit=HANDS_LISTED_MAX)
        else:
            refs = (await self._store.list_hands(message.table))[-HANDS_LISTED_MAX:]
        lines = []
        for ref in refs:
            summary = await self._summary(ref)
            if summary is not None and summary.may_be_read_by(identity):
                lines.append(_line(summary))
        return m.Ok(id=message.id, hands=lines)

    async def _summary(self, ref: HandRef) -> HandSummary | None:
        body = await self._store.get_hand(ref.table_id, ref.hand_no)
        return None if body is None else summary_of(body, _what(ref.table_id, ref.hand_no))

    async def _record(self, client: Client, message: m.Record) -> Answer:
        body = await self._store.get_hand(message.table, message.hand)
        what = _what(message.table, message.hand)
        # To one who may not have it, a hand that is there and one that is not look the same.
        if body is None or not summary_of(body, what).may_be_read_by(client.person.identity):
            return message_of(no(Refuse.NO_SUCH_HAND), id=message.id, table=message.table)
        try:
            text = formed(decode_record(body, what), message.format)
        except ValueError as error:
            return message_of(no(Refuse.NO_SUCH_HAND, str(error)), id=message.id, table=message.table)
        return m.Ok(id=message.id, table=message.table, record=text)


def _may_be_a_table(message: m.FromClient) -> bool:
    """Whether the table a message is about, if it names one, could be one: no store is asked about anything else."""
    table = getattr(message, "table", None)
    return table is None or (table.isascii() and table.isalnum())


def law_answer(message: m.Law) -> Answer:
    """A law of a code or a ruling, or which of them there is not."""
    code = CODES.get(message.code)
    if code is None:
        return message_of(no(Refuse.NO_SUCH_CODE, f"one of: {' '.join(CODES)}"), id=message.id, table=None)
    number = message.number.casefold()
    for ruling in RULINGS:
        if ruling.number.casefold() == number:
            text = m.LawText(code=code.id, number=ruling.number, gist=ruling.gist, lives=RULING)
            return m.Ok(id=message.id, law=text)
    for law in code.laws:
        if law.number.casefold() == number:
            text = m.LawText(code=code.id, number=law.number, gist=law.gist, lives=law.lives, why=law.why)
            return m.Ok(id=message.id, law=text)
    return message_of(no(Refuse.NO_SUCH_LAW), id=message.id, table=None)


def _what(table_id: str, hand: int) -> str:
    return f"hand {hand} of table {table_id}"


def _line(summary: HandSummary) -> m.HandLine:
    return m.HandLine(
        table=summary.table,
        hand=summary.hand,
        rubber=summary.rubber,
        code=summary.code,
        dealer=summary.dealer,
        trump=summary.trump,
        tricks=summary.tricks,
        seats=[None if player is None else player.name for player in summary.players],
    )
