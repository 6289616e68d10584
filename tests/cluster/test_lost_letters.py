"""Letters about people's lines that never arrive, or come late."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from oddtrick_protocol import messages as m
from oddtrick_server.cluster.letters import Ask, Beat, Follow, Gone, Letter, decode_letter, message_in
from support.several import NO_CLOCKS, Several, lobby_of, several, until
from support.wire import dial

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from support.redis_servers import RedisServer

LEASE_MS = 1_000
BEATS = 12  # in which nothing is asked again


@pytest.fixture
async def two(redis_server: RedisServer) -> AsyncIterator[Several]:
    async with several(f"redis://127.0.0.1:{redis_server.port}", 2, lease_ms=LEASE_MS) as servers:
        yield servers


class Losing:
    """The letters that leave a server: the first that `which` wants is lost, and the others are counted."""

    def __init__(self, servers: Several, server: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.which: Callable[[Letter], bool] = lambda _: False
        self.lost: list[Letter] = []
        self.sent: list[Letter] = []
        mail = lobby_of(servers.apps[server]).node.post._mail
        self._send = mail.send
        monkeypatch.setattr(mail, "send", self.send)

    async def send(self, server: str, letters: Sequence[bytes]) -> None:
        passed = []
        for data in letters:
            letter = decode_letter(data)
            assert letter is not None
            if not self.lost and self.which(letter):
                self.lost.append(letter)
            else:
                self.sent.append(letter)
                passed.append(data)
        if passed:
            await self._send(server, passed)

    @property
    def follows(self) -> int:
        """How often it was told who is here."""
        return sum(isinstance(letter, Follow) for letter in self.sent)

    async def beats(self, count: int) -> None:
        """Return when so many more beats have left."""
        before = len(self.sent)
        await until(lambda: sum(isinstance(letter, Beat) for letter in self.sent[before:]) >= count)


def far_lines(servers: Several, server: int, table: str) -> list[str]:
    """Whose lines of other servers the owner knows of."""
    return [line.person.name for line in lobby_of(servers.apps[server]).node._owned[table]._lines.values()]


async def test_a_player_whose_going_was_not_told_is_called_away(two: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one letter that says that a player's line is closed is lost: his absence begins all the same."""
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(two.client(0, "Ann"))
        cyd = await stack.enter_async_context(two.client(1, "Cyd"))
        table = (await ann.create(clocks={**NO_CLOCKS, "absence_ms": 60_000})).table
        assert table is not None
        at = await ann.sit(table)
        await cyd.watch(table)
        letters = Losing(two, 1, monkeypatch)
        async with two.client(1, "Bob") as bob:
            await bob.sit(table)
            await until(lambda: sorted(far_lines(two, 0, table)) == ["Bob", "Cyd"])
            letters.which = lambda letter: isinstance(letter, Gone)
        await until(lambda: bool(letters.lost))
        await until(lambda: at.mirror.info.seats[1] is not None and at.mirror.info.seats[1].away)
        assert far_lines(two, 0, table) == ["Cyd"]


async def test_nothing_is_told_again_that_was_not_lost(two: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    """People come, sit, leave and come on newer lines, at both ends: once all of it has arrived, no beat asks for it again."""
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(two.client(0, "Ann"))
        table = (await ann.create(clocks=NO_CLOCKS)).table
        assert table is not None
        await ann.sit(table)
        cyd = await stack.enter_async_context(two.client(1, "Cyd"))
        await cyd.watch(table)
        letters = Losing(two, 1, monkeypatch)
        for number in range(4):
            name = f"Bob {number}"
            async with two.client(1, name) as bob, two.client(1, f"Dev {number}") as dev:
                await bob.sit(table)
                await (await dev.watch(table)).ask(m.Leave)
                async with two.client(number % 2, name, token=bob.token) as again:
                    await again.request(m.Resume, table=table, seq=0)
                    await again.table(table).ask(m.Leave)
        await letters.beats(BEATS)
        await until(lambda: far_lines(two, 0, table) == ["Cyd"])
        told = letters.follows
        await letters.beats(BEATS)
        assert letters.follows == told, (told, letters.follows)
        assert told == 0


async def test_a_late_letter_does_not_bring_back_a_line_left_behind(
    two: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a server wrote while a player was there still arrives when he is elsewhere: he keeps the line he has, and his seat."""
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(two.client(0, "Ann"))
        table = (await ann.create(clocks={**NO_CLOCKS, "absence_ms": 60_000})).table
        assert table is not None
        at = await ann.sit(table)
        letters = Losing(two, 1, monkeypatch)
        bob = await stack.enter_async_context(two.client(1, "Bob"))
        await bob.sit(table)
        await bob.request(m.Resume, table=table, seq=0)
        asks = [letter for letter in letters.sent if isinstance(letter, Ask)]
        assert [bool(ask.guest.identity == bob.identity) for ask in asks] == [True, True]
        again = await stack.enter_async_context(two.client(0, "Bob", token=bob.token))
        await again.request(m.Resume, table=table, seq=0)
        await until(lambda: far_lines(two, 0, table) == [])
        node = lobby_of(two.apps[0]).node
        for ask in asks:
            node.deliver(ask)
        node.deliver(Follow(asks[0].sender, table, [replace(asks[0].guest, shown=True)]))
        await again.table(table).ask(m.Chat, channel="table", text="here")
        await letters.beats(BEATS)
        await again.ping()
        assert at.mirror.info.seats[1] is not None
        assert not at.mirror.info.seats[1].away


async def test_what_a_replaced_line_asked_may_be_asked_on_the_newer(
    two: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question is lost, and he who asked it comes on a newer line before it is asked again: it is answered on that one."""
    ann = await (await dial(two.apps[0].url)).hello("Ann")
    table = (await ann.ok(t="create", clocks=NO_CLOCKS))["table"]
    bob = await (await dial(two.apps[1].url)).hello("Bob")
    await bob.ok(t="sit", table=table)
    letters = Losing(two, 1, monkeypatch)
    letters.which = lambda letter: (
        isinstance(letter, Ask) and getattr(message_in(letter.message), "text", "") == "hello"
    )
    said = {"t": "chat", "channel": "table", "text": "hello", "table": table}
    id_ = await bob.send(**said)
    await until(lambda: bool(letters.lost))
    again = await (await dial(two.apps[1].url)).hello("Bob", token=bob.token)
    await again.ok(t="resume", table=table, seq=0)
    await again.send(**{**said, "id": id_})
    answer = await again.until(lambda one: one.get("id") == id_)
    if answer["t"] == "refused":
        assert answer["code"] == "busy"
        await again.send(**{**said, "id": id_})
        await again.until(lambda one: one.get("id") == id_ and one["t"] == "ok")
    for peer in (ann, bob, again):
        await peer.close()
