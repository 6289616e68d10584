"""The clocks of the server: the machine's, and one moved by hand."""

import asyncio

from oddtrick_server.clock import RealClock, VirtualClock


def test_calls_are_made_at_their_times_and_in_order() -> None:
    """Moving the virtual clock makes every call due on the way, each at its own time."""
    clock = VirtualClock(0)
    made: list[float] = []
    for when in (3.0, 1.0, 2.0, 9.0):
        clock.call_at(when, lambda: made.append(clock.now()))
    clock.move(5)
    assert made == [1.0, 2.0, 3.0]
    assert clock.now() == 5
    assert clock.next_due() == 9.0


def test_a_cancelled_call_is_not_made() -> None:
    """What was cancelled is not owed any more."""
    clock = VirtualClock(0)
    made: list[int] = []
    clock.call_at(1, lambda: made.append(1)).cancel()
    clock.move(2)
    assert not made
    assert clock.next_due() is None


def test_a_call_may_owe_another() -> None:
    """A call made while the clock moves may set the next, which is made too if its time comes."""
    clock = VirtualClock(0)
    made: list[float] = []

    def call_again() -> None:
        clock.call_at(2, lambda: made.append(clock.now()))

    clock.call_at(1, call_again)
    clock.move(3)
    assert made == [2]


async def test_a_sleeper_wakes_when_the_clock_is_moved() -> None:
    """Sleep on the virtual clock ends when the clock has been moved, however long that takes."""
    clock = VirtualClock(0)
    sleeper = asyncio.create_task(clock.sleep(10))
    await asyncio.sleep(0)
    clock.move(9)
    await asyncio.sleep(0)
    assert not sleeper.done()
    clock.move(1)
    await sleeper


async def test_a_sleeper_that_is_cancelled_leaves_nothing_behind() -> None:
    """A cancelled sleep owes no call."""
    clock = VirtualClock(0)
    sleeper = asyncio.create_task(clock.sleep(10))
    await asyncio.sleep(0)
    sleeper.cancel()
    await asyncio.wait([sleeper])
    assert clock.next_due() is None


async def test_the_real_clock_goes_forward_and_is_near_unix_time() -> None:
    """The machine's clock never goes back, calls what is past soon, and differs little from Unix time."""
    clock = RealClock()
    begun = clock.now()
    called = asyncio.Event()
    clock.call_at(begun - 1, called.set)
    await called.wait()
    await clock.sleep(0)
    assert clock.now() >= begun
    assert abs(clock.now() - clock.unix_ms() / 1000) < 60
