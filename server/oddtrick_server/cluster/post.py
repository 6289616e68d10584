"""Letters out: one list for each server, sent in one go; and letters in, one after another.

A server that cannot be written to now loses nothing but time: its letters wait, and when too many do, the oldest are dropped. What
they said is said again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from oddtrick_server.clock import Clock
from oddtrick_server.cluster.letters import Letter, decode_letter, encode_letter
from oddtrick_server.logs import Say, log
from oddtrick_server.store.errors import StoreError
from oddtrick_server.store.shared import Mail

WAITING_MAX: Final = 5_000  # letters for one server
RETRY_S: Final = 0.2


class Post:
    """The letters of one server."""

    def __init__(self, mail: Mail, name: str, *, clock: Clock, deliver: Callable[[Letter], None]) -> None:
        self._mail = mail
        self._name = name
        self._clock = clock
        self._deliver = deliver
        self._waiting: dict[str, deque[bytes]] = {}
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._reading: asyncio.Task[None] | None = None
        self._stopping = False

    def start(self) -> None:
        """Begin to read."""
        self._reading = asyncio.create_task(self._read(), name="letters")

    def put(self, server: str, letter: Letter) -> None:
        """Send a letter soon; those to one server in the order they were put."""
        waiting = self._waiting.setdefault(server, deque(maxlen=WAITING_MAX))
        waiting.append(encode_letter(letter))
        if server not in self._sending:
            self._sending[server] = asyncio.create_task(self._send(server), name=f"letters to {server}")

    async def flush(self, within_s: float) -> None:
        """Wait until all letters are sent, or so long."""
        sending = list(self._sending.values())
        if sending:
            await asyncio.wait(sending, timeout=within_s)

    async def stop(self) -> None:
        """Read and write no more."""
        self._stopping = True
        tasks = [*self._sending.values(), *([] if self._reading is None else [self._reading])]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _send(self, server: str) -> None:
        waiting = self._waiting[server]
        try:
            while waiting:
                letters = list(waiting)
                waiting.clear()
                try:
                    await self._mail.send(server, letters)
                except StoreError:
                    later = list(waiting)
                    waiting.clear()
                    waiting.extend(letters)
                    waiting.extend(later)
                    await self._clock.sleep(RETRY_S)
        finally:
            del self._sending[server], self._waiting[server]

    async def _read(self) -> None:
        while not self._stopping:
            try:
                letters = await self._mail.receive(self._name)
            except StoreError:
                await self._clock.sleep(RETRY_S)
                continue
            for data in letters:
                self._open(data)

    def _open(self, data: bytes) -> None:
        letter = decode_letter(data)
        if letter is None:
            return
        try:
            self._deliver(letter)
        except Exception:  # noqa: BLE001 -- a fault with one letter must not stop the others
            log.exception(Say.FAULT)
