"""What an operator may ask of a running server. Each answer is plain data; nothing in it is a card, a token or an address."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import msgspec

from oddtrick_protocol.closing import Close
from oddtrick_protocol.version import BUILD
from oddtrick_server import forgotten
from oddtrick_server.client import Client
from oddtrick_server.cluster.follower import Follower
from oddtrick_server.keyring import KeysAreInAFile
from oddtrick_server.lobby import line_of
from oddtrick_server.metrics import Now, exposition, families
from oddtrick_server.person import No
from oddtrick_server.session import IDENTITIES
from oddtrick_server.table_actor import TableActor

if TYPE_CHECKING:
    from oddtrick_server.app import App
    from oddtrick_server.book import Book

REASON: Final = "closed by the operator"
TABLES_AT_ONCE: Final = 100  # looked through between two looks at what else there is to do


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
        """The tables in memory: what the list has of them, who is there by identity, and how they stand."""
        found = []
        for actor in self._app.lobby.actors:
            book = actor.table.book
            line = msgspec.to_builtins(line_of(actor))
            line["identities"] = [None if one is None or one.bot else one.identity for one in book.info.seats]
            line["watching"] = [[one.name, one.identity] for one in book.info.bystanders]
            line["state"] = _state_of(actor.table.book)
            line["entries"] = book.entries
            line["hands"] = book.hands
            line["here"] = isinstance(actor, TableActor)
            line["server"] = actor.owner if isinstance(actor, Follower) else self._app.name  # that has the table
            found.append(line)
        return found

    async def close_table(self, table_id: str) -> None:
        """Close a table for good: its deals are opened, its hand in play is given up; CannotBeDone if it is not here."""
        found = await self._app.lobby.find(table_id)
        if isinstance(found, No):
            raise CannotBeDone(found.text)
        if isinstance(found, Follower):
            has = f"server {found.owner} has that table: ask that one"
            raise CannotBeDone(has if found.owner else "no server has that table just now: ask again")
        assert isinstance(found, TableActor)
        found.archive(REASON)

    async def forget(self, identity: str) -> int:
        """Delete somebody: his tokens are worth nothing, his connection is closed, his name leaves his hands; of how many hands.

        CannotBeDone if there is nobody of that identity. Other servers on the store follow when they sweep (`put_out`).
        """
        store, app = self._app.store, self._app
        if not await self._is_anywhere(identity):
            raise CannotBeDone("no such identity")
        await forgotten.note(store, identity, now_ms=app.clock.unix_ms())
        await store.delete(IDENTITIES, identity)
        await self._put_out(frozenset({identity}))
        return await forgotten.take_out(store, identity)

    async def put_out(self) -> None:
        """End the lines of all who are forgotten, here, and put them out of the tables that are ours: whoever forgot them."""
        gone = await forgotten.listed(self._app.store)
        if gone:
            await self._put_out(gone)

    async def _is_anywhere(self, identity: str) -> bool:
        store, app = self._app.store, self._app
        if app.sessions.knows(identity) or any(_is_at(actor.table.book, identity) for actor in app.lobby.actors):
            return True
        kept = await store.get(IDENTITIES, identity)
        return kept is not None or await forgotten.is_in_hands(store, identity)

    async def _put_out(self, gone: frozenset[str]) -> None:
        sessions = self._app.sessions
        for identity in filter(sessions.knows, gone):
            # A hello that was under way may have written it anew since it was deleted.
            await self._app.store.delete(IDENTITIES, identity)
            line = sessions.dismiss(identity)
            if isinstance(line, Client):
                line.connection.drop(Close.FORBIDDEN, "this identity is no more")
        for number, actor in enumerate(self._app.lobby.actors, 1):
            if number % TABLES_AT_ONCE == 0:
                await asyncio.sleep(0)
            if isinstance(actor, TableActor):
                for identity in gone & _people_of(actor.table.book):
                    actor.put_out(identity)

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
            for line in actor.audience.lines:
                if not line.is_far:
                    people["bystander" if book.seat_of(line.person.identity) is None else "seat"] += 1
            if isinstance(actor, Follower):
                continue  # it counts at the server that has it
            tables[_state_of(book)] += 1
            live += bool(book.here())
            people["bot"] += sum(one is not None and one.bot is not None for one in book.info.seats)
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


def _people_of(book: Book) -> frozenset[str]:
    """The identities of all who are at a table, the bots of the house aside."""
    seated = [one.identity for one in book.info.seats if one is not None and one.bot is None]
    return frozenset([*seated, *(one.identity for one in book.info.bystanders)])


def _is_at(book: Book, identity: str) -> bool:
    return identity in _people_of(book)


def _state_of(book: Book) -> str:
    return "frozen" if book.frozen else "playing" if book.in_play else "waiting"
