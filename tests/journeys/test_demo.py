"""`deploy/demo`, as one runs it from a clone: a table with three bots, until Ctrl-C."""

import asyncio
import os
import re
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from oddtrick_rules.commands import Play
from oddtrick_rules.state import Stage
from oddtrick_sdk import Asked, Client, Table
from support.processes import PATIENCE_S, environment
from support.sources import FOLDERS, LITTER, ROOT

INVITATION: Final = re.compile(r"\.venv/bin/oddtrick play --url (?P<url>ws://\S+) --table (?P<table>\w+)\s")


def clone(folder: Path) -> None:
    """A copy of the project as a clone has it, with what `tests/run` would have installed in its .venv."""
    litter = shutil.ignore_patterns(*LITTER, "*.pyc")
    for name in (*FOLDERS, "deploy"):
        shutil.copytree(ROOT / name, folder / name, ignore=litter)
    shutil.copy(ROOT / "pyproject.toml", folder)
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", folder / ".venv" / "installed-pyproject.toml")
    path = ":".join(str(folder / name) for name in FOLDERS)
    for name, arguments in (("python", ""), ("oddtrick", "-m oddtrick_cli.main")):
        program = programs / name
        program.write_text(
            f'#!/bin/sh\nPYTHONPATH="{path}" exec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8"
        )
        program.chmod(0o755)


def of_session(leader: int) -> list[str]:
    """The processes of a session, by their command lines."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(line)
    return found


def heed_ctrl_c() -> None:
    """Be ended by Ctrl-C, as in a terminal; a test run in the background ignores it, and its children would too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@asynccontextmanager
async def demo(folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the demo in a session of its own, as a terminal does; whatever happens, none of it is left."""
    (folder / "scratch").mkdir()
    process = await asyncio.create_subprocess_exec(
        folder / "clone/deploy/demo",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env={**environment(), "TMPDIR": str(folder / "scratch")},
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )
    try:
        yield process
    finally:
        if of_session(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def said(process: asyncio.subprocess.Process, wanted: re.Pattern[str]) -> tuple[str, re.Match[str]]:
    """All it printed up to something wanted."""
    assert process.stdout is not None
    text = ""
    async with asyncio.timeout(PATIENCE_S):
        while (found := wanted.search(text)) is None:
            line = await process.stdout.readline()
            assert line, f"it ended: {text} {await process.stderr.read() if process.stderr else b''!r}"
            text += line.decode()
    return text, found


async def play_a_trick(table: Table) -> None:
    """Play the lowest lawful card when asked, until a trick is complete."""
    async with asyncio.timeout(PATIENCE_S):
        async for told in table:
            if isinstance(told, Asked) and told.kind == "turn":
                await table.act(Play(told.playable[0]), asked=told)
            hand = table.mirror.state.hand if table.mirror.state is not None else None
            if hand is not None and hand.tricks and hand.tricks[0].stage is not Stage.OPEN:
                return


async def test_the_demo_waits_with_three_bots_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    """The demo says how to sit down; who does plays with three courteous bots; Ctrl-C leaves no process and no file."""
    (tmp_path / "clone").mkdir()
    clone(tmp_path / "clone")
    async with demo(tmp_path) as process:
        text, invitation = await said(process, INVITATION)
        assert "Three courteous bots" in text
        async with Client(invitation["url"], name="Guest") as client:
            (line,) = await client.tables()
            assert line.table == invitation["table"]
            assert [seat is None for seat in line.seats].count(True) == 1
            table = await client.sit(invitation["table"])
            await play_a_trick(table)
            hand = table.mirror.state.hand if table.mirror.state is not None else None
            assert hand is not None
            assert len(hand.tricks[0].plays) == 4
            assert sum(one is not None and one.bot == "courteous" for one in table.mirror.info.seats) == 3
            os.killpg(process.pid, signal.SIGINT)
            async with asyncio.timeout(PATIENCE_S):
                assert await process.wait() == 0
        assert not of_session(process.pid)
        assert not list((tmp_path / "scratch").iterdir())
        assert process.stderr is not None
        assert await process.stderr.read() == b""
