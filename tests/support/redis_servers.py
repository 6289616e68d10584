"""Real redis-server processes for tests: on free ports of the loopback, in a folder of their own, stopped by their ids."""

import atexit
import contextlib
import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

START_S = 20.0
# Reads the ids of servers that run (and, with a minus, of those that have ended); at the end of its input, which comes however
# the tests end, it ends those that are left.
GUARDIAN = """
import os, sys
running = set()
for line in sys.stdin:
    running.symmetric_difference_update({abs(int(line))})
for server in running:
    os.kill(server, 9)
"""


@functools.cache
def guardian() -> "subprocess.Popen[bytes]":
    """A process that outlives this one by a moment."""
    process = subprocess.Popen([sys.executable, "-c", GUARDIAN], stdin=subprocess.PIPE, start_new_session=True)

    def leave() -> None:
        assert process.stdin is not None
        process.stdin.close()
        process.wait()

    atexit.register(leave)
    return process


def note(number: int) -> None:
    """Tell the guardian that a server runs, or has ended."""
    pipe = guardian().stdin
    assert pipe is not None
    pipe.write(b"%d\n" % number)
    pipe.flush()


def free_port() -> int:
    """A port of the loopback that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class RedisServer:
    """One redis-server (or, with `sentinel`, one Sentinel). `start` again after `kill`: the same port and files."""

    folder: Path
    options: Sequence[str] = ()
    sentinel: str = ""  # a configuration
    password: str = ""  # that it was told to ask for
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> Self:
        """Run it, and return when it answers."""
        program = shutil.which("redis-server")
        assert program is not None, "redis-server is not installed: apt-get install redis-server"
        self.folder.mkdir(parents=True, exist_ok=True)
        common = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder), "--save", ""]
        if self.sentinel:
            config = self.folder / "sentinel.conf"
            if not config.exists():
                config.write_text(f"port {self.port}\nbind 127.0.0.1\ndir {self.folder}\n{self.sentinel}\n")
            command = [program, str(config), "--sentinel"]
        else:
            command = [program, *common, "--repl-diskless-sync-delay", "0", *self.options]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        note(self.process.pid)
        self.wait_for("PING", b"+PONG")
        return self

    def ask(self, *words: str | int) -> bytes:
        """The raw reply to one command, as far as it comes in one piece."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as line:
            if self.password:
                line.sendall(_packed("AUTH", self.password))
                assert line.recv(1 << 16) == b"+OK\r\n"
            line.sendall(_packed(*words))
            return line.recv(1 << 16)

    def wait_for(self, command: str, found: bytes, *, times: int = 1, within_s: float = START_S) -> None:
        """Ask until the reply has that in it, so many times."""
        until = time.monotonic() + within_s
        reply = b""
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                reply = self.ask(*command.split())
                if reply.count(found) >= times:
                    return
            time.sleep(0.02)
        log = (self.folder / "log").read_text(errors="replace")[-2_000:]
        raise AssertionError(f"redis on port {self.port}: {command} gave {reply!r}\n{log}")

    def kill(self) -> None:
        """End it as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            note(-self.process.pid)
            self.process = None

    def pause(self) -> None:
        """Let it answer nothing."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on after a pause."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGCONT)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()


def _packed(*words: str | int) -> bytes:
    parts = [str(word).encode() for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(one), one) for one in parts)


@contextlib.contextmanager
def primary_with_replicas(
    folder: Path, *, replicas: int = 1, options: tuple[str, ...] = ()
) -> Iterator[list[RedisServer]]:
    """A primary, first in the list, and replicas that follow it."""
    with contextlib.ExitStack() as stack:
        primary = stack.enter_context(RedisServer(folder / "primary", options))
        servers = [primary]
        for number in range(replicas):
            follows = ("--replicaof", f"127.0.0.1 {primary.port}")
            servers.append(stack.enter_context(RedisServer(folder / f"replica-{number}", (*options, *follows))))
        primary.wait_for("ROLE", b"master")
        for one in servers[1:]:
            one.wait_for("INFO replication", b"master_link_status:up")
        yield servers


SERVICE = "club"
AS_RECOMMENDED = ("--appendonly", "yes", "--min-replicas-to-write", "1")  # by deploy/README.md, for `redis-ha`


@contextlib.contextmanager
def with_sentinels(
    folder: Path, *, replicas: int = 2, sentinels: int = 3, down_after_ms: int = 2_000
) -> Iterator[tuple[list[RedisServer], list[RedisServer]]]:
    """A primary with replicas, and Sentinels that replace it: (servers, sentinels).

    After a fail-over the Sentinels need a second to reach the new primary: if they are told to hold it down by then, they replace it
    at once, and by the old one if that has come back meanwhile.
    """
    with (
        primary_with_replicas(folder, replicas=replicas, options=AS_RECOMMENDED) as servers,
        contextlib.ExitStack() as stack,
    ):
        watch = "\n".join(
            (
                f"sentinel monitor {SERVICE} 127.0.0.1 {servers[0].port} {sentinels // 2 + 1}",
                f"sentinel down-after-milliseconds {SERVICE} {down_after_ms}",
                f"sentinel failover-timeout {SERVICE} 6000",
                f"sentinel parallel-syncs {SERVICE} {replicas}",
            )
        )
        watchers = [
            stack.enter_context(RedisServer(folder / f"sentinel-{number}", sentinel=watch))
            for number in range(sentinels)
        ]
        for one in watchers:
            one.wait_for(f"SENTINEL CKQUORUM {SERVICE}", b"OK")
            one.wait_for(f"SENTINEL MASTER {SERVICE}", b"num-slaves\r\n$%d\r\n%d" % (len(str(replicas)), replicas))
        yield servers, watchers


@contextlib.contextmanager
def cluster(folder: Path, *, primaries: int = 3, replicas: int = 0) -> Iterator[list[RedisServer]]:
    """A Redis Cluster: its primaries, then their replicas, those of the first primary first."""
    with contextlib.ExitStack() as stack:
        servers = [
            stack.enter_context(
                RedisServer(
                    folder / f"node-{number}",
                    ("--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--cluster-node-timeout", "2000"),
                )
            )
            for number in range(primaries * (1 + replicas))
        ]
        share = 16_384 // primaries
        for number, one in enumerate(servers[:primaries]):
            end = 16_383 if number == primaries - 1 else (number + 1) * share - 1
            assert one.ask("CLUSTER", "ADDSLOTSRANGE", number * share, end).startswith(b"+OK")
            one.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for one in servers[1:]:
            bus = one.options[3]
            assert servers[0].ask("CLUSTER", "MEET", "127.0.0.1", one.port, bus).startswith(b"+OK")
        for one in servers:
            one.wait_for("CLUSTER INFO", b"cluster_known_nodes:%d" % len(servers))
        for number, one in enumerate(servers[primaries:]):
            of = servers[number // replicas].ask("CLUSTER", "MYID").split(b"\r\n")[1].decode()
            one.wait_for(f"CLUSTER REPLICATE {of}", b"+OK")
        for one in servers:
            one.wait_for("CLUSTER INFO", b"cluster_state:ok")
            # Who does not know yet whom a replica follows does not vote for it.
            one.wait_for("CLUSTER NODES", b"slave ", times=primaries * replicas)
        for one in servers[primaries:]:
            one.wait_for("INFO replication", b"master_link_status:up")
        yield servers
