"""A thread that does an event loop's blocking calls, in order and many at a time.

Theory. A call is put on a list, under a lock that nobody holds while waiting for a disk, and gets a
future. The thread takes the whole list, hands it on in batches to `process`, and when a batch is
done tells the loop once, however many futures it settles. While the thread waits for the disk the
next list fills: the slower the disk, the larger the batches, and the fewer waits for the disk.

Rules of this file
    1. Only the loop's own thread touches a future; the worker posts its answers to the loop.
    2. Whatever was accepted is answered, unless its loop was closed: then nobody is there to ask.
    3. What is taken and not yet answered counts against the bounds too.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from oddtrick_server.store.errors import StoreBusy, StoreClosed, StoreUnusable
from oddtrick_server.store.interface import StoreBounds


class Call(NamedTuple):
    """Something to be done: `run(context, *args)`."""

    run: Callable[..., Any]
    args: tuple[Any, ...]
    future: "asyncio.Future[Any]"
    size_bytes: int


class Answer(NamedTuple):
    """What a call came to: a result, or the error it raises at its caller."""

    future: "asyncio.Future[Any]"
    result: Any
    error: Exception | None


Process = Callable[[Sequence[Call]], list[Answer]]


class Worker:
    """One thread, one bounded list of calls; `process` runs on the thread alone."""

    def __init__(self, name: str, process: Process, *, bounds: StoreBounds) -> None:
        self._process = process
        self._bounds = bounds
        self._wake = threading.Condition()
        self._waiting: list[Call] = []
        self._idle = False
        self._closing = False
        self._calls_held = 0
        self._bytes_held = 0
        # A daemon: a process that forgot to close its store may still end; what is lost then was
        # acknowledged to nobody.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, run: Callable[..., Any], *args: object, size_bytes: int = 0) -> "asyncio.Future[Any]":
        """Put a call on the list. Raises StoreBusy or StoreClosed, and then did nothing."""
        future = asyncio.get_running_loop().create_future()
        with self._wake:
            if self._closing:
                raise StoreClosed("the store is closed")
            if (
                self._calls_held >= self._bounds.queue_calls_max
                or self._bytes_held + size_bytes > self._bounds.queue_bytes_max
            ):
                raise StoreBusy(f"{self._calls_held} calls wait for the store: its disk is too slow")
            self._calls_held += 1
            self._bytes_held += size_bytes
            self._waiting.append(Call(run, args, future, size_bytes))
            if self._idle:
                self._wake.notify()
        return future

    def close(self) -> None:
        """Refuse further calls and wait until all accepted ones are done. Blocks: not for a loop."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        while calls := self._take():
            for start in range(0, len(calls), self._bounds.batch_calls_max):
                batch = calls[start : start + self._bounds.batch_calls_max]
                answers = self._answers(batch)
                with self._wake:
                    self._calls_held -= len(batch)
                    self._bytes_held -= sum(call.size_bytes for call in batch)
                _deliver(answers)

    def _take(self) -> list[Call]:
        """All calls that wait, at least one; none once the worker is closed and has done all."""
        with self._wake:
            while not self._waiting and not self._closing:
                self._idle = True
                self._wake.wait()
                self._idle = False
            taken, self._waiting = self._waiting, []
        return taken

    def _answers(self, batch: Sequence[Call]) -> list[Answer]:
        try:
            return self._process(batch)
        except Exception as bug:  # noqa: BLE001 -- a bug must reach those who wait, not hang them
            error = StoreUnusable(f"the store's thread failed: {bug!r}")
            error.__cause__ = bug
            return [Answer(call.future, None, error) for call in batch]


def _deliver(answers: Sequence[Answer]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
    for answer in answers:
        by_loop.setdefault(answer.future.get_loop(), []).append(answer)
    for loop, batch in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, batch)
        except RuntimeError:  # the loop was closed
            continue


def _settle(answers: Sequence[Answer]) -> None:
    for future, result, error in answers:
        if future.done():  # its caller was cancelled
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
