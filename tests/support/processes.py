"""The `oddtrick` command as processes of their own: run to its end, or a server that can be killed and started again."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# No test waits so long unless something is broken.
PATIENCE_S: Final = 120.0
# What a whole deal needs no more than: no rest between cut and deal, and no rates for bots.
QUICK: Final[Mapping[str, float]] = {
    "cut_to_deal_s": 0.0,
    "messages_per_s": 1e6,
    "messages_burst": 1_000_000,
    "address_messages_per_s": 1e6,
    "address_messages_burst": 1_000_000,
    "guests_burst": 1_000_000,
    "connects_per_s": 1e6,
    "connects_burst": 1_000_000,
    "connections_per_address_max": 10_000,
    "address_creates_burst": 1_000_000,
    "reads_burst": 1_000_000,
    "address_reads_burst": 1_000_000,
}


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        return f"exit {self.code}\n{self.out}\n{self.err}"


PROGRAM: Final = ("-m", "oddtrick_cli.main")


def command(*arguments: str) -> list[str]:
    return [sys.executable, *PROGRAM, *arguments]


def environment() -> dict[str, str]:
    """This one without settings of ours."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ODDTRICK_")}


async def run(*arguments: str, folder: Path | None = None, typed: str = "", seconds: float = PATIENCE_S) -> Finished:
    """Run the command to its end."""
    process = await asyncio.create_subprocess_exec(
        *command(*arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env=environment(),
    )
    try:
        async with asyncio.timeout(seconds):
            out, err = await process.communicate(typed.encode())
    except BaseException:
        await end(process, signal.SIGKILL)
        raise
    assert process.returncode is not None
    return Finished(process.returncode, out.decode(), err.decode())


async def end(process: asyncio.subprocess.Process, number: signal.Signals) -> int:
    """Send a process a signal and return its exit code."""
    if process.returncode is None:
        process.send_signal(number)
    return await process.wait()


class ServerProcess:
    """`oddtrick serve` in a folder of its own; the port stays the same however often it is started."""

    def __init__(
        self,
        folder: Path,
        *,
        store: str = "sqlite:tables.db",
        options: Sequence[str] = (),
        limits: Mapping[str, float] = QUICK,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        self.folder = folder
        self._program = program
        self.store = store
        self.port = 0
        self.url = ""
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self._errors = folder / "serve.err"
        lines = [f"{name} = {value!r}" for name, value in limits.items()]
        (folder / "serve.toml").write_text("\n".join(["[limits]", *lines, ""]), encoding="utf-8")

    @property
    def errors(self) -> str:
        """All that its processes wrote to standard error."""
        return self._errors.read_text(encoding="utf-8")

    @property
    def database(self) -> Path:
        return self.folder / self.store.removeprefix("sqlite:")

    @property
    def id(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it and wait until it listens."""
        arguments = ["serve", "--port", str(self.port), "--store", self.store, "--config", "serve.toml", *self._options]
        with self._errors.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *self._program,
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                cwd=self.folder,
                env=environment(),
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            self.url = (await self._process.stdout.readline()).decode().strip()
        assert self.url.startswith("ws://"), self.errors
        self.port = int(self.url.rpartition(":")[2])

    async def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        await end(self._process, signal.SIGKILL)

    def pause(self) -> None:
        """Let it do nothing, as a machine that hangs."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on after a pause."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def stop(self) -> int:
        """Tell it to stop and return its exit code."""
        assert self._process is not None
        async with asyncio.timeout(PATIENCE_S):
            return await end(self._process, signal.SIGTERM)


@asynccontextmanager
async def serving(
    folder: Path,
    *,
    store: str = "sqlite:tables.db",
    options: Sequence[str] = (),
    limits: Mapping[str, float] = QUICK,
    program: Sequence[str] = PROGRAM,
) -> AsyncIterator[ServerProcess]:
    """Run a server; when the test is over it has been stopped, and never written a traceback."""
    server = ServerProcess(folder, store=store, options=options, limits=limits, program=program)
    await server.start()
    try:
        yield server
    finally:
        code = await server.stop()
    assert code == 0, server.errors
    assert "Traceback" not in server.errors, server.errors
