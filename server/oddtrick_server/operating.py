"""What an operator may ask of a running server. Each answer is plain data; nothing in it is a card, a token or an address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from oddtrick_protocol.closing import Close
from oddtrick_protocol.version import BUILD
from oddtrick_server.client import Client
from oddtrick_server.hand_record import HandRecord, decode_record, encode_record
from oddtrick_server.keyring import KeysAreInAFile
from oddtrick_server.lobby import line_of
from oddtrick_server.metrics import Now, exposition, families
from oddtrick_server.person import No
from oddtrick_server.session import IDENTITIES
from oddtrick_server.store.interface import HandRef
from oddtrick_server.table_actor import TableActor

if TYPE_CHECKING:
    from oddtrick_server.app import App

FORGOTTEN: Final = "(forgotten)"  # in the place of the name of somebody who asked to be
REASON: Final = "closed by the operator"
HANDS_AT_ONCE: Final = 100


class CannotBeDone(Exception):
    """The text says why."""


class Operating:
    """The operator's side of one server."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def metrics(self) -> bytes:
        """The figures, as Prometheus reads them."""
        return exposition(families(self._app.lobby.metrics, self._now(), build=BUILD))

    async def tables(self) -> list[dict[str, Any]]:
        """The tables in memory: what the list has of them, who sits there by identity, and how they stand."""
        found = []
        for actor in self._app.lobby.actors:
            book = actor.table.book
            line = msgspec.to_builtins(line_of(actor))
            line["identities"] = [None if one is None else one.identity for one in book.info.seats]
            line["state"] = _state_of(actor.table.book)
            line["entries"] = book.entries
            line["hands"] = book.hands
            line["here"] = isinstance(actor, TableActor)  # not on another server
            found.append(line)
        return found

    async def close_table(self, table_id: str) -> None:
        """Close a table for good: its deals are opened, its hand in play is given up; CannotBeDone if it is not here."""
        found = await self._app.lobby.find(table_id)
        if isinstance(found, No):
            raise CannotBeDone(found.text)
        if not isinstance(found, TableActor):
            raise CannotBeDone("another server has that table: ask that one")
        found.archive(REASON)

    async def forget(self, identity: str) -> int:
        """Delete somebody: his tokens are worth nothing, his connection is closed, his name leaves his hands; of how many hands."""
        store = self._app.store
        await store.delete(IDENTITIES, identity)
        line = self._app.sessions.dismiss(identity)
        if isinstance(line, Client):
            line.connection.drop(Close.FORBIDDEN, "this identity is no more")
        count = 0
        while refs := await store.list_hands_of(identity, limit=HANDS_AT_ONCE):
            for ref in refs:
                await self._forget_in(ref, identity)
                count += 1
        await store.forget(identity)
        return count

    async def _forget_in(self, ref: HandRef, identity: str) -> None:
        store = self._app.store
        body = await store.get_hand(ref.table_id, ref.hand_no)
        if body is None:
            await store.forget(identity)  # it points at nothing
            return
        record = without(decode_record(body, f"hand {ref.hand_no} of table {ref.table_id}"), identity)
        await store.put_hand(
            ref.table_id,
            ref.hand_no,
            encode_record(record),
            identities=record.identities,
            finished_ms=ref.finished_ms,
        )

    async def rotate_keys(self) -> None:
        """Sign tokens with a new key from now on; CannotBeDone if the keys are in a file."""
        try:
            await self._app.keyring.rotate()
        except KeysAreInAFile:
            raise CannotBeDone("the keys are in token_key_file: put a new one on its first line") from None

    def _now(self) -> Now:
        app = self._app
        tables = {"playing": 0, "waiting": 0, "frozen": 0}
        people = {"seat": 0, "bystander": 0, "bot": 0}
        live = 0
        for actor in app.lobby.actors:
            book = actor.table.book
            tables[_state_of(book)] += 1
            live += bool(book.here())
            people["bystander"] += len(book.info.bystanders)
            for one in book.info.seats:
                if one is not None:
                    people["seat" if one.bot is None else "bot"] += 1
        clients = app.listener.clients
        return Now(
            connections=len(clients),
            lines=app.listener.line_count,
            sessions=len(app.sessions),
            outbox_bytes=sum(client.connection.transport.get_write_buffer_size() for client in clients),
            tables=tables,
            live_tables=live,
            people=people,
            ready=app.is_ready,
        )


def without(record: HandRecord, identity: str) -> HandRecord:
    """The record of a hand with somebody taken out of it: his name, and what would find the hand under him."""
    players = [
        player
        if player is None or player.identity != identity
        else msgspec.structs.replace(player, name=FORGOTTEN, identity="")
        for player in record.players
    ]
    watchers = [one for one in record.watchers if one != identity]
    return msgspec.structs.replace(record, players=players, watchers=watchers)


def _state_of(book: Any) -> str:
    return "frozen" if book.frozen else "playing" if book.in_play else "waiting"
