"""`oddtrick play` against a server in this process: where it sits down, and which options it refuses."""

from collections.abc import AsyncIterator

import pytest

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.settings import Settings
from support.house import UNHURRIED
from support.processes import run
from support.tables import seeded
from support.wire import guests


@pytest.fixture
async def app() -> AsyncIterator[App]:
    settings = Settings(port=0, store="memory", limits=UNHURRIED)
    async with App(settings, clock=VirtualClock(), entropy=seeded("play")) as app:
        yield app


@pytest.mark.parametrize(
    ("options", "private", "seats_free"),
    [
        (["--private"], True, 0),
        (["--bots", "2"], False, 1),
        (["--new"], False, 0),
        (["--new", "--bots", "0"], False, 3),
    ],
)
async def test_a_table_of_ones_own_is_opened(app: App, options: list[str], *, private: bool, seats_free: int) -> None:
    """`--private` alone sat down at a public table, and `--bots` at one with other bots: each opens a table."""
    async with guests(app.url, "Anna") as (anna,):
        there = (await anna.ok(t="create", bots=1))["table"]
        done = await run("play", "--url", app.url, *options, typed="/quit\n")
        assert done.code == 0, done.text
        name = done.out.split("Table ", 1)[1].split(".", 1)[0]
        assert name != there
        assert done.out.startswith("The invite is ") == private
        actor = app.lobby.loaded(name)
        assert actor is not None
        info = actor.table.book.info
        assert (info.private, sum(sitter is None for sitter in info.seats)) == (private, seats_free)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["play", "--name", "x" * 40], "name is longer than 32 characters"),
        (["play", "--token", "x" * 600], "token is longer than 512 characters"),
        (["watch", "x" * 40], "table is longer than 32 characters"),
        (["watch", "T", "--invite", "x" * 100], "invite is longer than 64 characters"),
        (["record", "x" * 40], "table is longer than 32 characters"),
    ],
)
async def test_a_word_that_is_too_long_is_said_to_be(app: App, command: list[str], says: str) -> None:
    """In words: it was "Expected `str` of length <= 32 - at `$.name`"."""
    done = await run(*command, "--url", app.url)
    assert done.code in {1, 2}
    (line,) = done.err.splitlines()
    assert line.endswith(says)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--new", "--table", "T"], "--new opens a table and --table"),
        (["--private", "--table", "T"], "--private opens a table and --table"),
        (["--bots", "3", "--table", "any"], "--bots opens a table and --table"),
        (["--private", "--invite", "i"], "--private opens a table and --invite"),
        (["--invite", "i"], "--table names"),
        (["--invite", "i", "--table", "any"], "--table names"),
        (["--table", "T", "--code", "bridge-1904"], "--code is for"),
        (["--table", "T", "--enforcement", "club"], "--enforcement is for"),
    ],
)
async def test_options_that_contradict_each_other_are_refused(options: list[str], says: str) -> None:
    """No option is passed over: one line, exit 2, and no server is asked."""
    done = await run("play", "--url", "ws://127.0.0.1:1", *options)
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith("oddtrick play: ")
    assert says in line
