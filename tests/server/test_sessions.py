"""Who is known, and for how long."""

import asyncio

import pytest

from oddtrick_server import forgotten
from oddtrick_server.accounts import Account
from oddtrick_server.clock import VirtualClock
from oddtrick_server.hand_record import Player, decode_record
from oddtrick_server.keyring import Keyring
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.session import FORGET_SLICE, IDENTITIES, KNOWN_ANEW, TOKENS_KEPT, Session, Sessions
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.table_actor import put_hand
from support.kept_hands import hand_of
from support.tables import seeded

DAY_S = 86_400.0
ACCOUNT = Account("account", "Clara")


async def ring(store: MemoryStore, clock: VirtualClock) -> Keyring:
    keyring = Keyring(store, clock=clock, entropy=seeded("keys"), token_s=DEFAULT_LIMITS.token_s)
    await keyring.open()
    return keyring


async def opened(store: MemoryStore, clock: VirtualClock, *, server: str = "sessions") -> Sessions:
    entropy = seeded(server)
    keyring = await ring(store, clock)
    return Sessions(store=store, keyring=keyring, clock=clock, limits=DEFAULT_LIMITS, entropy=entropy)


async def hello(sessions: Sessions, name: str, token: str | None = None) -> Session:
    found = await sessions.hello(name, token, bot=False)
    assert isinstance(found, Session)
    return found


async def hello_with_account(sessions: Sessions) -> Session:
    found = await sessions.hello("x", None, bot=False, account=ACCOUNT)
    assert isinstance(found, Session)
    return found


async def test_who_never_comes_back_is_forgotten() -> None:
    """When the last token of a guest has expired he is deleted from the store, and one who came in between is not."""
    store, clock = MemoryStore(), VirtualClock()
    sessions = await opened(store, clock)
    anna, ben = await hello(sessions, "Anna"), await hello(sessions, "Ben")
    clock.move(DEFAULT_LIMITS.token_s - DAY_S)
    sessions.sweep()
    again = await hello(sessions, "Ben", ben.token)
    assert again.person.identity == ben.person.identity
    assert await sessions.forget_unseen() == 0
    clock.move(3 * DAY_S)
    sessions.sweep()
    assert await sessions.forget_unseen() == 1
    assert await store.list_keys(IDENTITIES) == [ben.person.identity]
    assert await store.get(IDENTITIES, anna.person.identity) is None
    assert (await hello(sessions, "Ben", again.token)).person.identity == ben.person.identity


async def test_of_a_guest_who_never_comes_back_nothing_is_left() -> None:
    """His name leaves the hands he played, and nothing finds them under him; an account, which may come back, keeps its own."""
    store, clock = MemoryStore(), VirtualClock()
    sessions = await opened(store, clock)
    anna = (await hello(sessions, "Anna")).person
    clara = (await hello_with_account(sessions)).person
    await put_hand(store, hand_of(Player("Anna", anna.identity), Player("Clara", clara.identity)))
    clock.move(DEFAULT_LIMITS.token_s + 2 * DAY_S)
    sessions.sweep()
    assert await sessions.forget_unseen() == 2
    body = await store.get_hand("t", 1)
    assert body is not None
    assert [one and one.name for one in decode_record(body, "hand").players] == ["(forgotten)", "Clara", None, None]
    assert anna.identity.encode() not in body
    assert await store.list_hands_of(anna.identity) == []
    assert len(await store.list_hands_of(clara.identity)) == 1
    assert (await hello_with_account(sessions)).person.identity == clara.identity


async def test_who_is_here_is_not_forgotten_however_long_ago_he_said_hello() -> None:
    """A line may last for longer than a token: no server takes its guest for one who never came back."""
    store, clock = MemoryStore(), VirtualClock()
    here, elsewhere = await opened(store, clock), await opened(store, clock, server="another")
    anna = await hello(here, "Anna")
    anna.line = object()
    for _ in range(int(DEFAULT_LIMITS.token_s / DAY_S) + 5):
        clock.move(DAY_S + 1)
        assert await here.forget_unseen() == 0
        assert await elsewhere.forget_unseen() == 0
    assert await store.list_keys(IDENTITIES) == [anna.person.identity]


async def test_an_account_that_was_forgotten_is_known_anew() -> None:
    """It comes again at once, on two servers, as one and the same other: whom it was before stays forgotten as long as he is noted."""
    store, clock = MemoryStore(), VirtualClock()
    here, elsewhere = await opened(store, clock), await opened(store, clock, server="another")
    before = (await hello_with_account(here)).person.identity
    for _ in range(2):
        await forgotten.note(store, before, now_ms=clock.unix_ms())
        await store.delete(IDENTITIES, before)
        after = (await hello_with_account(elsewhere)).person.identity
        assert after != before
        assert (await hello_with_account(here)).person.identity == after
        assert before in await forgotten.listed(store)
        before = after
    clock.move(DEFAULT_LIMITS.token_s)
    assert (await hello_with_account(here)).person.identity == before
    clock.move(DAY_S)
    assert await forgotten.tidy(store, before_ms=clock.unix_ms()) == 2
    await here.forget_unseen()
    assert (await hello_with_account(here)).person.identity == before


async def test_when_an_account_is_gone_for_good_nothing_tells_who_it_was() -> None:
    """When nothing is left of whom it was, nor of whom it came again as, the one no longer leads to the other."""
    store, clock = MemoryStore(), VirtualClock()
    sessions = await opened(store, clock)
    before = (await hello_with_account(sessions)).person.identity
    await forgotten.note(store, before, now_ms=clock.unix_ms())
    await store.delete(IDENTITIES, before)
    anew = (await hello_with_account(sessions)).person.identity
    await put_hand(store, hand_of(Player("Clara", anew)))
    clock.move(DEFAULT_LIMITS.token_s + 2 * DAY_S)
    sessions.sweep()
    await forgotten.tidy(store, before_ms=clock.unix_ms())
    await sessions.forget_unseen()
    assert await store.list_keys(IDENTITIES) == []
    assert await store.list_keys(KNOWN_ANEW) == [before]
    await forgotten.take_out(store, anew)
    await sessions.forget_unseen()
    assert await store.list_keys(KNOWN_ANEW) == []


async def test_forgetting_many_lets_the_tables_go_on() -> None:
    """While thousands are looked at, whatever else the server has to do is done in between."""
    store, clock = MemoryStore(), VirtualClock()
    sessions = await opened(store, clock)
    count = 20 * FORGET_SLICE
    for number in range(count):
        await hello(sessions, f"Guest {number}")
    clock.move(DEFAULT_LIMITS.token_s + 2 * DAY_S)
    sessions.sweep()
    forgetting = asyncio.create_task(sessions.forget_unseen())
    looks = 0
    while not forgetting.done():
        looks += 1
        await asyncio.sleep(0)
    assert await forgetting == count
    assert looks >= count / FORGET_SLICE


async def test_who_comes_every_day_is_written_down_once_a_day() -> None:
    """A guest who says hello again and again within a day costs the store no write."""
    store, clock = MemoryStore(), VirtualClock()
    sessions = await opened(store, clock)
    anna = await hello(sessions, "Anna")
    kept = await store.get(IDENTITIES, anna.person.identity)
    clock.move(DAY_S / 2)
    await hello(sessions, "Anna", anna.token)
    assert await store.get(IDENTITIES, anna.person.identity) == kept
    clock.move(DAY_S)
    await hello(sessions, "Anna", anna.token)
    assert await store.get(IDENTITIES, anna.person.identity) != kept


@pytest.mark.parametrize("why", ["another key", "its last days"])
async def test_a_token_is_good_however_often_it_is_shown(why: str) -> None:
    """Each hello with a token that is to be renewed gives a new one, which may be lost on its way: the one that was shown stays."""
    store, clock = MemoryStore(), VirtualClock()
    sessions = await opened(store, clock)
    anna = await hello(sessions, "Anna")
    token = anna.token
    if why == "another key":
        await (await ring(store, clock)).rotate()
        clock.move(1)
        await sessions._keyring.refresh()
    else:
        clock.move(DEFAULT_LIMITS.token_s - DAY_S)
    last = token
    for _ in range(3 * TOKENS_KEPT):
        again = await hello(sessions, "Anna", token)
        assert again.person.identity == anna.person.identity
        assert again.token != token
        last = again.token
    assert (await hello(sessions, "Anna", last)).token == last


async def test_a_session_without_a_line_is_forgotten_after_a_while() -> None:
    """The first answers of somebody who left are remembered for a while, and then no longer."""
    store, clock = MemoryStore(), VirtualClock()
    sessions = await opened(store, clock)
    session = await hello(sessions, "Anna")
    session.left_at = clock.now()
    sessions.sweep()
    assert len(sessions) == 1
    clock.move(DEFAULT_LIMITS.session_s + 1)
    sessions.sweep()
    assert len(sessions) == 0
