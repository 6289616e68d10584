"""`kill -9` of a server process: whoever was acknowledged finds it all again, and nothing twice."""

import asyncio
import contextlib
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from support.wire import Peer, dial

PLAYS = (8, 52)


class Server:
    """A server in a process of its own, on one store and one port."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "tables.db"
        self.port = 0
        self.url = ""
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        command = ["-m", "oddtrick_cli.main", "serve", "--port", str(self.port), "--store", f"sqlite:{self.store}"]
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        assert self.process.stdout is not None
        self.url = (await self.process.stdout.readline()).decode().strip()
        self.port = int(self.url.rpartition(":")[2])

    async def end(self, number: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return await self.process.wait()


@contextlib.asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Server]:
    server = Server(folder)
    await server.start()
    try:
        yield server
    finally:
        if server.process is not None and server.process.returncode is None:
            await server.end(signal.SIGKILL)


class Seat:
    """A person who comes back however often the server dies."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.peer: Peer
        self.token: str | None = None
        self.seq = 0

    async def connect(self, url: str, table: str | None = None) -> None:
        self.peer = await (await dial(url)).hello(self.name, token=self.token)
        self.token = self.peer.token
        if table is not None:
            await self.peer.ok(t="resume", table=table, seq=self.seq)

    def note(self) -> None:
        """Remember how far one has been shown the table; the numbers must have no gap."""
        for message in self.peer.got:
            if message["t"] == "snapshot":
                self.seq = message["seq"]
        for item in self.peer.items():
            assert item["seq"] <= self.seq + 1
            self.seq = max(self.seq, item["seq"])


def stands(peers: list[Seat], kind: str) -> tuple[Seat, dict[str, Any]] | None:
    """The prompt of that kind that stands before somebody."""
    for seat in peers:
        prompts = [one for one in seat.peer.got if one["t"] == "prompt"]
        if prompts and prompts[-1]["kind"] == kind:
            return seat, prompts[-1]
    return None


async def eventually(find: Callable[[], tuple[Seat, dict[str, Any]] | None]) -> tuple[Seat, dict[str, Any]]:
    async with asyncio.timeout(20):
        while (found := find()) is None:  # noqa: ASYNC110 -- across four connections
            await asyncio.sleep(0.005)
        return found


async def test_a_killed_server_loses_no_card_and_plays_none_twice(tmp_path: Path, seed: int, size: Any) -> None:
    """Killed after every card, sometimes with the answer still on its way, the server comes back to the very same trick (B66)."""
    rng = random.Random(seed)
    async with serving(tmp_path) as server:
        seats = [Seat(name) for name in ("Anna", "Ben", "Clara", "Dev")]
        for seat in seats:
            await seat.connect(server.url)
        clocks = {"linger_ms": 1_000, "linger_min_ms": 0, "turn_ms": 0}
        table = (await seats[0].peer.ok(t="create", clocks=clocks))["table"]
        for seat in seats:
            await seat.peer.ok(t="sit", table=table)
        await seats[0].peer.ok(t="start", table=table)
        played: list[str] = []
        for number in range(size(*PLAYS)):
            seat, prompt = await eventually(lambda: stands(seats, "turn"))
            card = prompt["playable"][0]
            act = {
                "t": "act",
                "id": f"play-{number}",
                "table": table,
                "act": {"do": "play", "card": card},
                "prompt": prompt["prompt"],
            }
            acknowledged = rng.random() < 0.5
            if acknowledged:
                await seat.peer.ok(**act)
            else:
                await seat.peer.send(**act)
                await asyncio.sleep(rng.random() * 0.004)
            played.append(card)
            await server.end(signal.SIGKILL)
            for each in seats:
                await each.peer.closed()
                each.note()
            await server.start()
            for each in seats:
                await each.connect(server.url, table)
            answer = await seat.peer.ask(**act)
            assert answer["t"] == "ok", answer
        for seat in seats:
            await seat.peer.ok(t="resume", table=table, seq=0)
            snapshot = await seat.peer.until(lambda one: one["t"] == "snapshot")
            tricks = snapshot["view"]["hand"]["tricks"]
            assert [card for trick in tricks for _, card in trick["plays"]] == played
            await seat.peer.close()
        assert await server.end(signal.SIGTERM) == 0
