"""`oddtrick admin` against a server in this process: what it prints, and its exit codes."""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from oddtrick_cli import admin as command
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
        assert listed.out.splitlines()[1:] == [f"    N  {anna.identity}  Anna"]
        assert (await admin(app, key_file, "close", table)).out == f"closed {table}\n"
        await until(lambda: not len(app.lobby))
        again = await admin(app, key_file, "close", table)
        assert (again.code, again.err) == (1, "oddtrick admin: no table of that name, or none that fits\n")


async def test_an_operator_forgets_changes_keys_and_reads_figures(app: App, key_file: Path) -> None:
    """Somebody is forgotten, the key is changed and the figures are printed, each with exit 0."""
    async with guests(app.url, "Anna") as (anna,):
        assert (await admin(app, key_file, "forget", anna.identity)).out == "forgotten, in 0 hands\n"
        assert await anna.closed() == 4403
    nobody = await admin(app, key_file, "forget", "nobody")
    assert (nobody.code, nobody.out, nobody.err) == (1, "", "oddtrick admin: no such identity\n")
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


async def test_the_key_and_the_port_may_stand_after_the_wish(app: App, key_file: Path) -> None:
    """`admin tables --key-file k` said that --key-file was missing, which it was not."""
    server = ("--key-file", str(key_file), "--port", str(app.admin_port))
    assert (await run("admin", "tables", *server)).text == "exit 0\n\n"
    assert (await run("admin", *server[:2], "forget", "nobody", *server[2:])).code == 1
    without = await run("admin", "tables", *server[2:])
    assert (without.code, len(without.err.splitlines())) == (2, 1)
    assert "--key-file FILE is missing" in without.err


@pytest.mark.parametrize("wish", [["tables"], ["close", "T"], ["forget", "i"], ["rotate-key"], ["metrics"]])
async def test_what_is_no_admin_port_is_said_to_be(app: App, key_file: Path, wish: list[str]) -> None:
    """Asked at the port where the game is, or where something else listens, each wish is one line and exit 2."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answers.pop())
        writer.close()

    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"
    answers = [b"220 mail.example ESMTP\r\n", head + b"{}", head + b"[1", head + b"[[", head + b"\xff\xff"]
    other = await asyncio.start_server(handle, "127.0.0.1", 0)
    ports = [app.port, *[other.sockets[0].getsockname()[1]] * len(answers)]
    if wish[0] in {"close", "rotate-key"}:
        answers.remove(head + b"{}")  # which says that it is done
        ports.pop()
    async with other:
        for port in ports:
            done = await run("admin", "--key-file", str(key_file), "--port", str(port), *wish)
            assert (done.code, done.out) == (2, ""), done.text
            assert done.err.startswith("oddtrick admin: what answers there is no admin port")
            assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("what", ["a b", "é", "a/b", "..", "?", "#", "\n", "%", "x" * 9000])
@pytest.mark.parametrize("wish", ["close", "forget"])
async def test_whatever_is_asked_for_is_asked(app: App, key_file: Path, wish: str, what: str) -> None:
    """A name with spaces or letters of any script is no table and nobody, and the server itself says so: exit 1."""
    done = await admin(app, key_file, wish, what)
    assert done.code in {1, 2}
    assert "no server answers" not in done.err
    assert len(done.err.splitlines()) == 1
    assert done.code == 1 or len(what) > 1000


@pytest.mark.parametrize("key", ["", "\n", "clé" * 20, "k" * 20 + "\n" + "k" * 20, "k\x00" * 20])
async def test_what_is_no_key_is_not_shown_to_anybody(app: App, tmp_path: Path, key: str) -> None:
    """A file that cannot hold the key is named, and no server is asked."""
    file = tmp_path / "bad.key"
    file.write_text(key, encoding="utf-8")
    done = await admin(app, file, "tables")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"oddtrick admin: {file}: holds no key: a key is letters and digits, in one line\n"


@pytest.mark.parametrize("port", ["abc", "99999", "-1", "9" * 5000])
async def test_a_port_that_is_none_is_told(key_file: Path, port: str) -> None:
    """A mistyped port is the command line's error."""
    done = await run("admin", "--key-file", str(key_file), f"--port={port}", "tables")
    assert done.code == 2
    assert "a port is 0 to 65535" in done.err
    assert "Traceback" not in done.err


def test_whose_a_table_is_stands_at_the_end_of_its_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table that another server has, and this one only shows, is listed with the name of that server."""
    line = {
        "table": "abcd",
        "code": "bridge-1904",
        "enforcement": "club",
        "state": "playing",
        "hands": 2,
        "seats": ["Anna", None, None, None],
        "here": True,
        "server": "c0ffee",
    }
    lines = [line, {**line, "here": False}]
    monkeypatch.setattr(command, "_ask", lambda *_: (200, json.dumps(lines)))
    assert command.tables(argparse.Namespace()) == 0
    ours, theirs = capsys.readouterr().out.splitlines()
    assert theirs == f"{ours}  at server c0ffee"
