"""An asyncio event loop on virtual time: when nothing is ready it leaps to the next timer.

Everything that runs on it is the product's own code. A callback belongs to the host in whose context it was scheduled
(`HOST`), so that one simulated machine can be paused while the others go on. The order of callbacks is the loop's own and
depends on nothing outside.
"""

from __future__ import annotations

import asyncio
from asyncio import events
from collections import deque
from collections.abc import Coroutine
from contextvars import Context, ContextVar
from typing import Any, Final
from weakref import WeakKeyDictionary

from oddtrick_cli.simulation.network import Listening, Network

HOST: Final[ContextVar[str]] = ContextVar("HOST", default="world")
# A simulation that does this much in one instant of virtual time is going in circles.
STEPS_PER_INSTANT_MAX: Final = 200_000


class Stuck(Exception):
    """Nothing is ready and no timer is set: what is waited for will never come."""


class _Leap:
    """Stands where a selector would: waiting is leaping."""

    def __init__(self, loop: SimLoop) -> None:
        self._loop = loop

    def select(self, timeout: float | None) -> list[Any]:
        self._loop.leap(timeout)
        return []

    def close(self) -> None:
        """Nothing is held."""


class SimLoop(asyncio.BaseEventLoop):
    """The loop. `network` connects what listens and dials on it."""

    _ready: deque[events.Handle]

    def __init__(self, network: Network) -> None:
        super().__init__()
        self._now = 0.0
        self._selector = _Leap(self)
        self._parked: deque[events.Handle] = deque()
        self._tomb: deque[events.Handle] = deque()
        self._paused: set[str] = set()
        self._steps = 0
        self._tasks: WeakKeyDictionary[asyncio.Task[Any], str] = WeakKeyDictionary()  # and the host of each
        self.network = network
        network.loop = self

    # --- time ---

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._now

    def leap(self, timeout: float | None) -> None:
        """Go on to the next timer; Stuck if there is none."""
        if timeout is None:
            raise Stuck
        if timeout > 0:
            self._now += timeout
            self._steps = 0

    def _run_once(self) -> None:
        self._park()
        super()._run_once()  # type: ignore[misc]
        self._steps += 1
        assert self._steps < STEPS_PER_INSTANT_MAX, "the simulation goes in circles"

    def _process_events(self, event_list: list[Any]) -> None:
        """There are no events but timers."""

    def _write_to_self(self) -> None:
        """Nobody else can wake the loop."""

    # --- tasks ---

    def create_task(  # type: ignore[override]  # whatever options there are
        self, coro: Coroutine[Any, Any, Any], **options: Any
    ) -> asyncio.Task[Any]:
        """Begin a task, and note it."""
        context: Context | None = options.get("context")
        task: asyncio.Task[Any] = super().create_task(coro, **options)
        self._tasks[task] = HOST.get() if context is None else context.get(HOST, "world")
        return task

    def failed(self) -> list[BaseException]:
        """What ended tasks of the living, and nobody has asked how they ended: while a task is kept, the loop tells nobody."""
        found = []
        for task, host in self._tasks.items():
            if host not in self.network.dead and task.done() and task._log_traceback:  # noqa: SLF001 -- the loop's own
                error = task.exception()
                assert error is not None
                found.append(error)
        return found

    # --- pausing a host ---

    def pause(self, host: str) -> None:
        """Run nothing of that host until `unpause`."""
        self._paused.add(host)

    def unpause(self, host: str) -> None:
        """Let it catch up."""
        self._paused.discard(host)
        self._ready.extend(self._parked)
        self._parked.clear()

    def _park(self) -> None:
        dead = self.network.dead
        if not self._paused and not dead:
            return
        running: deque[events.Handle] = deque()
        for handle in self._ready:
            context = getattr(handle, "_context", None)
            host = context.get(HOST) if context is not None else None
            if host in dead:
                self._tomb.append(handle)
            else:
                (self._parked if host in self._paused else running).append(handle)
        self._ready = running

    def exhume(self) -> None:
        """At the end of the world: let the calls of the dead be made, so that their tasks can be put away."""
        self.network.dead.clear()
        self._ready.extend(self._tomb)
        self._tomb.clear()

    # --- the network ---

    async def create_server(self, protocol_factory: Any, host: Any = None, port: Any = None, **_: Any) -> Any:
        """Listen on the simulated network, as the host in whose context this is called."""
        return Listening(self.network, HOST.get(), int(port or 0), protocol_factory)

    async def create_connection(self, protocol_factory: Any, host: Any = None, port: Any = None, **_: Any) -> Any:
        """Dial on the simulated network; OSError if nobody can be reached there."""
        return await self.network.dial(HOST.get(), int(port), protocol_factory)
