"""`oddtrick admin` against a server in this process: what it prints, and its exit codes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.settings import Settings
from support.house import UNHURRIED
from support.processes import Finished, run
from support.tables import seeded
from support.wire import guests, until


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "admin.key"
    path.write_text("k" * 40, encoding="utf-8")
    return path


@pytest.fixture
async def app(key_file: Path) -> AsyncIterator[App]:
    settings = Settings(port=0, store="memory", admin_key_file=str(key_file), admin_port=0, limits=UNHURRIED)
    async with App(settings, clock=VirtualClock(), entropy=seeded("admin")) as app:
        yield app


async def admin(app: App, key_file: Path, *wish: str) -> Finished:
    return await run("admin", "--key-file", str(key_file), "--port", str(app.admin_port), *wish)


async def test_an_operator_lists_and_closes_tables(app: App, key_file: Path) -> None:
    """Tables are listed a line each, one is closed by its name, and one that is not there is refused with exit 1."""
    async with guests(app.url, "Anna") as (anna,):
        table = (await anna.ok(t="create", bots=3))["table"]
        await anna.ok(t="sit", table=table)
        listed = await admin(app, key_file, "tables")
        assert (listed.code, listed.err) == (0, "")
        assert listed.out.startswith(f"{table}  english-1864  guided  waiting  hands 0  bystanders 0  Anna ")
        assert (await admin(app, key_file, "close", table)).out == f"closed {table}\n"
        await until(lambda: not len(app.lobby))
        again = await admin(app, key_file, "close", table)
        assert (again.code, again.err) == (1, "oddtrick admin: no table of that name, or none that fits\n")


async def test_an_operator_forgets_changes_keys_and_reads_figures(app: App, key_file: Path) -> None:
    """Somebody is forgotten, the key is changed and the figures are printed, each with exit 0."""
    async with guests(app.url, "Anna") as (anna,):
        assert (await admin(app, key_file, "forget", anna.identity)).out == "forgotten, in 0 hands\n"
        assert await anna.closed() == 4403
    assert (await admin(app, key_file, "rotate-key")).code == 0
    assert "oddtrick_connections 0.0" in (await admin(app, key_file, "metrics")).out


async def test_what_will_not_do_is_one_line(app: App, key_file: Path, tmp_path: Path) -> None:
    """A wrong key is refused with exit 1; a key file that is not there or a port where nobody answers is one line and exit 2."""
    wrong = tmp_path / "wrong.key"
    wrong.write_text("w" * 40, encoding="utf-8")
    refused = await admin(app, wrong, "tables")
    assert (refused.code, refused.err) == (1, "oddtrick admin: the key is missing or wrong\n")
    missing = await admin(app, tmp_path / "none", "tables")
    assert missing.code == 2
    assert len(missing.err.splitlines()) == 1
    silent = await run("admin", "--key-file", str(key_file), "--port", "1", "tables")
    assert silent.code == 2
    assert silent.err.startswith("oddtrick admin: no server answers at 127.0.0.1:1: ")
