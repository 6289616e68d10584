import asyncio
import threading
from collections.abc import Sequence

import pytest

from oddtrick_server.store.errors import StoreBusy, StoreClosed, StoreUnusable
from oddtrick_server.store.interface import StoreBounds
from oddtrick_server.store.worker import Answer, Call, Worker


class Desk:
    """Work that waits until it is let go; it remembers the batches it was given."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.begun = threading.Event()
        self.let_go = threading.Event()

    def process(self, calls: Sequence[Call]) -> list[Answer]:
        self.batches.append(len(calls))
        self.begun.set()
        assert self.let_go.wait(60)
        return [Answer(call.future, call.run(*call.args), None) for call in calls]


async def begun(desk: Desk) -> None:
    assert await asyncio.to_thread(desk.begun.wait, 60)


async def test_what_comes_while_it_works_is_one_batch() -> None:
    """Calls made during one batch are all in the next, in the order they were made."""
    desk = Desk()
    worker = Worker("test", desk.process, bounds=StoreBounds())
    first = worker.submit(int, 0)
    await begun(desk)
    rest = [worker.submit(int, n) for n in range(1, 500)]
    desk.let_go.set()
    assert await asyncio.gather(first, *rest) == list(range(500))
    assert desk.batches == [1, 499]
    await asyncio.to_thread(worker.close)


async def test_no_batch_is_longer_than_its_bound() -> None:
    """More calls than a batch may have make several batches."""
    desk = Desk()
    worker = Worker("test", desk.process, bounds=StoreBounds(batch_calls_max=4))
    first = worker.submit(int, 0)
    await begun(desk)
    rest = [worker.submit(int, n) for n in range(10)]
    desk.let_go.set()
    await asyncio.gather(first, *rest)
    assert desk.batches == [1, 4, 4, 2]
    await asyncio.to_thread(worker.close)


@pytest.mark.parametrize("bounds", [StoreBounds(queue_calls_max=3), StoreBounds(queue_bytes_max=30)])
async def test_a_full_queue_refuses(bounds: StoreBounds) -> None:
    """When calls or bytes reach the bound the next is StoreBusy; later there is room again."""
    desk = Desk()
    worker = Worker("test", desk.process, bounds=bounds)
    held = [worker.submit(int, n, size_bytes=10) for n in range(3)]
    with pytest.raises(StoreBusy):
        await worker.submit(int, 3, size_bytes=10)
    desk.let_go.set()
    assert await asyncio.gather(*held) == [0, 1, 2]
    assert await worker.submit(int, 4, size_bytes=10) == 4
    await asyncio.to_thread(worker.close)


async def test_what_was_accepted_is_done_before_it_closes() -> None:
    """`close` waits for every call; those that come after it are StoreClosed."""
    desk = Desk()
    worker = Worker("test", desk.process, bounds=StoreBounds())
    held = [worker.submit(int, n) for n in range(100)]
    closing = asyncio.create_task(asyncio.to_thread(worker.close))
    await begun(desk)
    assert not closing.done()
    desk.let_go.set()
    await closing
    assert await asyncio.gather(*held) == list(range(100))
    with pytest.raises(StoreClosed):
        await worker.submit(int, 0)


async def test_a_caller_who_went_away_harms_nobody() -> None:
    """A call whose caller was cancelled is carried out all the same, and its neighbours answered."""
    desk = Desk()
    done: list[int] = []
    worker = Worker("test", desk.process, bounds=StoreBounds())
    one, two, three = (worker.submit(done.append, n) for n in range(3))
    two.cancel()
    desk.let_go.set()
    await asyncio.gather(one, three)
    assert done == [0, 1, 2]
    assert two.cancelled()
    await asyncio.to_thread(worker.close)


async def test_a_bug_reaches_its_callers() -> None:
    """If the work itself fails unforeseen, the callers get an error and the thread goes on."""
    failing = True

    def process(calls: Sequence[Call]) -> list[Answer]:
        if failing:
            raise RuntimeError("a bug")
        return [Answer(call.future, None, None) for call in calls]

    worker = Worker("test", process, bounds=StoreBounds())
    with pytest.raises(StoreUnusable, match="a bug"):
        await worker.submit(int)
    failing = False
    assert await worker.submit(int) is None
    await asyncio.to_thread(worker.close)


def test_a_loop_that_ended_harms_nobody() -> None:
    """Calls of a loop that is closed are dropped; the next loop is served."""
    desk = Desk()
    worker = Worker("test", desk.process, bounds=StoreBounds())

    async def leave() -> None:
        left = worker.submit(int, 1)
        await begun(desk)
        assert not left.done()

    async def stay() -> int:
        answer = worker.submit(int, 2)
        desk.let_go.set()
        return int(await answer)

    asyncio.run(leave())
    assert asyncio.run(stay()) == 2
    worker.close()
