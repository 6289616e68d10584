"""Back-off, allowance, unread updates, the clock one moves: what makes a client patient and bounded."""

import asyncio
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_protocol.closing import Then
from oddtrick_sdk.allowance import Allowance
from oddtrick_sdk.backoff import LATER_MAX_S, RESUME_MAX_S, wait_s
from oddtrick_sdk.bot import house_bot
from oddtrick_sdk.client import Options
from oddtrick_sdk.errors import Disconnected
from oddtrick_sdk.mirror import Resynced
from oddtrick_sdk.run import PATIENCE_S, play
from oddtrick_sdk.testing import ManualClock, idle
from oddtrick_sdk.updates import Missed, Updates
from support.house import open_house
from support.wire import until


@given(st.integers(0, 10_000), st.integers())
def test_a_wait_is_bounded_and_never_nothing(attempt: int, seed: int) -> None:
    """However often it has failed, the next attempt comes within the limit, and never at once."""
    for then, most in ((Then.RESUME, RESUME_MAX_S), (Then.LATER, LATER_MAX_S)):
        assert 0 < wait_s(attempt, then, Random(seed)) <= most


def test_waits_grow_and_differ() -> None:
    """Later attempts wait longer, and two clients not equally long."""
    first = [wait_s(attempt, Then.RESUME, Random(1)) for attempt in range(8)]
    assert first == sorted(first)
    assert first != [wait_s(attempt, Then.RESUME, Random(2)) for attempt in range(8)]
    assert wait_s(0, Then.LATER, Random(1)) > wait_s(0, Then.RESUME, Random(1))


def test_an_overloaded_server_is_given_longer() -> None:
    """`later` waits longer than `resume` from the start."""
    assert all(wait_s(n, Then.LATER, Random(n)) > wait_s(n, Then.RESUME, Random(n)) for n in range(6))


@given(st.lists(st.floats(0, 5), min_size=1, max_size=60))
def test_no_more_is_sent_than_the_allowance(pauses: list[float]) -> None:
    """Over any stretch of time, messages sent are at most the burst and what has accrued since."""
    allowance = Allowance(per_s=10, burst=5)
    now, sent = 0.0, []
    for pause in pauses:
        now += pause
        now += allowance.take(now)
        sent.append(now)
    for first, start in enumerate(sent):
        for last in range(first, len(sent)):
            assert last - first + 1 <= 5 + (sent[last] - start) * 10 + 1e-6


async def test_what_is_not_read_is_forgotten_and_said_so() -> None:
    """A reader who sleeps costs no memory: what is unread is dropped, counted, and replaced by one line."""
    updates = Updates(unread_max=3)
    for seq in range(1, 12):
        updates.put(Resynced("T", seq))
    told = []
    while (update := updates.get_nowait()) is not None:
        told.append(update)
    assert len(told) <= 4
    missed = told[0]
    assert isinstance(missed, Missed)
    assert missed.count + len(told) - 1 == 11
    assert told[-1] == Resynced("T", 11)


async def test_what_was_told_before_the_end_is_still_read() -> None:
    """The end of a conversation comes after its last word."""
    updates = Updates()
    updates.put(Resynced("T", 1))
    updates.end(Disconnected("over"))
    assert await updates.get() == Resynced("T", 1)
    with pytest.raises(Disconnected):
        await updates.get()


async def test_a_clock_one_moves_wakes_in_order() -> None:
    """Sleepers wake in the order of their times, when the clock has come so far and not before."""
    clock, woken = ManualClock(), []

    async def sleeper(seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append((seconds, clock.now()))

    tasks = [asyncio.create_task(sleeper(seconds)) for seconds in (3, 1, 2, 0)]
    await idle()
    assert woken == [(0, 0.0)]
    await clock.advance(2.5)
    assert woken == [(0, 0.0), (1, 1.0), (2, 2.0)]
    assert clock.sleeping == 1
    await clock.advance(1)
    assert [seconds for seconds, _ in woken] == [0, 1, 2, 3]
    await asyncio.gather(*tasks)


async def test_a_bot_that_came_first_does_not_keep_others_waiting() -> None:
    """A bot alone at a table that it opened begins with house bots after a while; it once waited for ever, and others with it."""
    waited: list[float] = []
    patience = asyncio.Event()

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        await patience.wait()

    async with open_house() as house:
        playing = asyncio.create_task(play(house_bot("courteous", Random(1)), house.url, options=Options(sleep=sleep)))
        await until(lambda: PATIENCE_S in waited)
        (actor,) = house.app.lobby.actors
        assert not actor.table.book.in_play
        patience.set()
        await until(lambda: actor.table.book.in_play)
        assert None not in actor.table.book.info.seats
        playing.cancel()
        await asyncio.wait([playing])
