"""Plays a second through a whole server: four connections a table, every act kept in SQLite before it is shown.

    .venv/bin/python tests/bench/bench_server.py [--tables 50] [--seconds 10] [--store sqlite | memory]

The server runs in a process of its own; this one is the load: plain WebSocket clients that keep all laws, each answering its
prompt as soon as it comes. Printed are plays a second, the server's CPU time a play, and the time from sending a play to
having its answer. Linger, cut and deal are made as short as a table may have them, so that plays are what is measured.
"""

import argparse
import asyncio
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from oddtrick_protocol.version import MSGPACK

Plain = dict[str, Any]
encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder().decode
CLOCKS = {"linger_ms": 0, "linger_min_ms": 0, "turn_ms": 0}


class Player:
    """One connection, which plays the first card that keeps every law."""

    def __init__(self, number: int, line: ClientConnection, tally: "Tally") -> None:
        self.number = number
        self.line = line
        self.tally = tally
        self.count = 0
        self.sent: dict[str, float] = {}
        self.answers: dict[str, asyncio.Future[Plain]] = {}

    async def ask(self, **fields: Any) -> Plain:
        self.count += 1
        id_ = f"q{self.count}"
        future = self.answers[id_] = asyncio.get_running_loop().create_future()
        await self.line.send(encode({"id": id_, **fields}))
        answer: dict[str, Any] = await future
        return answer

    async def read(self) -> None:
        async for data in self.line:
            assert isinstance(data, bytes)
            message = decode(data)
            match message["t"]:
                case "prompt":
                    await self.answer(message)
                case "may":
                    await self.quit(message)
                case "ok" | "refused" | "welcome":
                    self.answered(message)
                case "event":
                    await self.saw(message["event"])
                case "events":
                    for item in message["events"]:
                        await self.saw(item["event"])

    def answered(self, message: Plain) -> None:
        id_ = message["id"]
        future = self.answers.pop(id_, None)
        if future is not None:
            future.set_result(message)
            return
        begun = self.sent.pop(id_, None)
        if begun is not None and message["t"] == "ok":
            self.tally.plays += 1
            self.tally.waits_ms.append((time.perf_counter() - begun) * 1000)

    async def saw(self, event: Plain) -> None:
        if event["t"] == "rubber_won":
            self.count += 1
            await self.line.send(encode({"t": "again", "id": f"r{self.count}", "table": self.table}))

    async def answer(self, prompt: Plain) -> None:
        act = None
        if prompt["kind"] == "turn":
            act = next(one for one in prompt["acts"] if one["card"] == prompt["playable"][0])
        elif prompt["kind"] in {"claims", "cut"}:
            wanted = {"claims": "be_ready", "cut": "cut"}[prompt["kind"]]
            act = next((one for one in prompt.get("acts", ()) if one["do"] == wanted), None)
        if act is not None:
            await self.send(act, prompt=prompt["prompt"], timed=prompt["kind"] == "turn")

    async def quit(self, message: Plain) -> None:
        if self.number < 2 and {"do": "quit"} in message["acts"]:  # one of each side
            await self.send({"do": "quit"})

    async def send(self, act: Plain, *, prompt: str | None = None, timed: bool = False) -> None:
        self.count += 1
        id_ = f"a{self.count}"
        if timed:
            self.sent[id_] = time.perf_counter()
        fields = {"t": "act", "id": id_, "table": self.table, "act": act}
        await self.line.send(encode(fields if prompt is None else {**fields, "prompt": prompt}))

    table = ""


class Tally:
    def __init__(self) -> None:
        self.plays = 0
        self.waits_ms: list[float] = []


async def open_table(url: str, tally: Tally, tasks: list[asyncio.Task[None]]) -> None:
    players = []
    for number in range(4):
        line = await connect(
            url, subprotocols=[Subprotocol(MSGPACK)], compression=None, ping_interval=None, max_queue=None
        )
        player = Player(number, line, tally)
        tasks.append(asyncio.create_task(player.read()))
        await player.ask(t="hello", name=f"P{number}", protocol=1)
        players.append(player)
    made = await players[0].ask(t="create", clocks=CLOCKS, seed="bench", code="english-1864", enforcement="strict")
    for player in players:
        player.table = made["table"]
        await player.ask(t="sit", table=made["table"], seat="NESW"[player.number])
    await players[0].ask(t="start", table=made["table"])


async def load(url: str, tables: int, seconds: float, pid: int) -> None:
    tally = Tally()
    tasks: list[asyncio.Task[None]] = []
    for _ in range(tables):
        await open_table(url, tally, tasks)
    await asyncio.sleep(1)
    tally.plays, tally.waits_ms = 0, []
    cpu, begun = cpu_s(pid), time.perf_counter()
    await asyncio.sleep(seconds)
    plays, took, spent = tally.plays, time.perf_counter() - begun, cpu_s(pid) - cpu
    waits = sorted(tally.waits_ms)
    p50, p99 = statistics.median(waits), waits[int(len(waits) * 0.99)]
    print(f"tables {tables}: {plays / took:,.0f} plays/s · {spent / plays * 1e6:.0f} µs of the server's CPU a play")
    print(f"from a play to its answer: p50 {p50:.1f} ms · p99 {p99:.1f} ms; server busy {spent / took:.0%} of a core")
    for task in tasks:
        task.cancel()


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--store", choices=("sqlite", "memory"), default="sqlite")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "bench.toml"
        config.write_text(
            "[limits]\nconnections_per_address_max = 100000\nconnects_per_s = 100000.0\nconnects_burst = 100000\n"
            "messages_per_s = 1000000.0\nmessages_burst = 1000000\naddress_messages_per_s = 1000000.0\ncut_to_deal_s = 0.0\n",
            encoding="utf-8",
        )
        store = "memory" if args.store == "memory" else f"sqlite:{folder}/bench.db"
        command = [sys.executable, "-m", "oddtrick_cli.main", "serve", "--port", "0", "--store", store]
        command += ["--config", str(config), "--allow-seeds", "--log-level", "warning"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            try:
                asyncio.run(load(url, args.tables, args.seconds, server.pid))
            finally:
                server.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    main()
