"""`oddtrick bot`, `oddtrick watch` and `oddtrick play`, against a server in this process."""

import asyncio
import socket
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from oddtrick_cli import bot, main, play, watch
from oddtrick_protocol import messages as m
from oddtrick_protocol.messages import Clocks
from oddtrick_rules.notation.check import check_record
from oddtrick_sdk import Client, Pace
from oddtrick_sdk.allowance import Allowance
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.settings import Settings
from support.house import UNHURRIED, House, open_house

STEP_S = 0.5
PAUSE_S = 0.002
FAST = Clocks(linger_ms=0, linger_min_ms=0)


def arguments(command: object, *argv: str) -> Namespace:
    """The arguments of a command line."""
    parser = ArgumentParser()
    command.add_parser(parser.add_subparsers())  # type: ignore[attr-defined]
    return parser.parse_args([command.__name__.split(".")[-1], *argv])  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table's clock runs far ahead of ours, so the bots may send as fast as it runs."""
    monkeypatch.setattr("oddtrick_sdk.client.Allowance", lambda: Allowance(1e6, 1e6))
    monkeypatch.setattr("oddtrick_sdk.FOR_PEOPLE", Pace())


@pytest.fixture
async def house(seed: int) -> AsyncIterator[House]:
    async with open_house(seed=seed) as running:
        yield running


async def until(holds: Callable[[], bool]) -> None:
    """Let everybody go on until it holds."""
    while not holds():  # noqa: ASYNC110  # the server does not know that a test waits
        await asyncio.sleep(PAUSE_S)


async def running(house: House, conversation: Awaitable[int]) -> int:
    """Run a conversation while the table's clock runs, much faster than ours."""
    talking = asyncio.ensure_future(conversation)
    while not talking.done():
        await asyncio.sleep(PAUSE_S)
        house.clock.move(STEP_S)
    return await talking


async def test_four_bots_play_a_rubber_at_a_table_of_their_own(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --count 4 and no table they open one, print the result, exit 0, and the records of their hands hold."""
    args = arguments(bot, "--url", house.url, "--count", "4", "--rubbers", "1", "--seed", "1")
    bots = [bot._bot(args, number) for number in range(4)]
    assert await running(house, bot._own_table(bots, args)) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "rubber 1 to " in line]
    table = line.split()[1].rstrip(":")
    async with Client(house.url, name="reader") as client:
        hands = await client.hands(table)
        assert len(hands) >= 2
        for hand in hands:
            outcome = check_record(await client.record(table, hand.hand))
            assert outcome.ok, str(outcome)


async def test_bots_that_err_play_a_rubber_too(house: House, capsys: pytest.CaptureFixture[str], seed: int) -> None:
    """At a club table, with irregular acts, the rubber still comes to its end over real sockets."""
    args = arguments(
        bot,
        "random",
        "--irregular",
        "0.1",
        "--url",
        house.url,
        "--count",
        "4",
        "--enforcement",
        "club",
        "--seed",
        str(seed),
    )
    bots = [bot._bot(args, number) for number in range(4)]
    assert await running(house, bot._own_table(bots, args)) == 0
    assert "rubber 1 to " in capsys.readouterr().out


async def test_a_server_without_seeds_still_lets_them_play(capsys: pytest.CaptureFixture[str]) -> None:
    """Where deals cannot be seeded that is said, and the bots' own chance is fixed alone."""
    clock = VirtualClock()
    async with App(Settings(port=0, store="memory", log_level="error", limits=UNHURRIED), clock=clock) as app:
        house = House(app, clock)
        args = arguments(bot, "--url", house.url, "--count", "4", "--seed", "1")
        bots = [bot._bot(args, number) for number in range(4)]
        assert await running(house, bot._own_table(bots, args)) == 0
        assert "no seeded deals" in capsys.readouterr().err


MINE = """
from oddtrick_sdk import Bot, lowest_of

class Lowest(Bot):
    name = "lowest"

    def play(self, view):
        return lowest_of(view.playable)

class NoBot: ...

class NeedsMore(Bot):
    def __init__(self, more): ...
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of one's own in the current directory."""
    (tmp_path / "mybot.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])


async def test_a_bot_of_ones_own_plays_with_house_bots(
    mine: None, house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """module:Class from the current directory sits down; empty seats get house bots, and the result is printed once."""
    async with Client(house.url, name="host") as host:
        opened = await host.create(bots=3, clocks=FAST)
        assert opened.table is not None
        args = arguments(bot, "mybot:Lowest", "--url", house.url, "--table", opened.table, "--rubbers", "1")
        talking = asyncio.create_task(bot._join([bot._bot(args, 0)], args))
        await until(lambda: None not in house.table(opened.table or "").book.info.seats)
        await host.table(opened.table).ask(m.Start)
        assert await running(house, talking) == 0
    assert capsys.readouterr().out.count("rubber 1 to ") == 1


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("rude", "no house bot 'rude': courteous or random, or module:Class"),
        ("nowhere:Bot", "No module named 'nowhere'"),
        ("mybot:Missing", "no bot can be made of it"),
        ("mybot:NeedsMore", "no bot can be made of it"),
        ("mybot:NoBot", "is not a subclass of oddtrick_sdk.Bot"),
    ],
)
def test_what_is_no_bot_is_said_in_one_line(
    mine: None, name: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bot that cannot be had is told with what to do, and exit code 2."""
    assert main.run(["bot", name]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", [["bot"], ["watch"], ["watch", "T"], ["play", "--name", "Anna"]])
def test_a_server_that_is_not_there_is_said_in_one_line(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Every command that needs a server says that it cannot be reached, and exits 2."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        url = f"ws://127.0.0.1:{taken.getsockname()[1]}"
        assert main.run([*command, "--url", url]) == 2
    err = capsys.readouterr().err
    assert f"cannot reach {url}" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("port", ["abc", "99999", "-1"])
@pytest.mark.parametrize("command", [["bot"], ["watch", "T"], ["play", "--name", "Anna"], ["record", "T"]])
def test_a_port_that_is_none_is_said_in_one_line(
    command: list[str], port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command that needs a server says that the address is none, and exits 2."""
    assert main.run([*command, "--url", f"ws://127.0.0.1:{port}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"ws://127.0.0.1:{port}")


@pytest.mark.parametrize(
    "command",
    [
        *(
            [*command, "--token", "foo"]
            for command in (["bot"], ["watch"], ["play", "--name", "Anna"], ["record", "T"])
        ),
        *(
            [*command, "--token", "x" * 600]
            for command in (["bot"], ["watch"], ["play", "--name", "A"], ["record", "T"])
        ),
        *(
            [*command, "--name", name]
            for command in (["bot"], ["watch"], ["play"])
            for name in ("", "x" * 40, "\udcff")
        ),
        ["record", "x" * 40],
        ["record", "x" * 5000],
        ["record", "\udcff"],
        ["record", "T", "--hand", "7"],
        ["watch", "x" * 5000],
    ],
)
async def test_what_the_server_refuses_is_exit_1(
    house: House, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A name, a token or a table that the server will not have is one line and exit 1: it was reached, and said no."""
    assert await asyncio.to_thread(main.run, [*command, "--url", house.url]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


async def test_the_tables_of_a_server_are_listed(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """`oddtrick watch` without a table says which there are; with none, that there is none."""
    assert await watch._watch(arguments(watch, "--url", house.url)) == 0
    assert "there is no table" in capsys.readouterr().err
    async with Client(house.url, name="host") as host:
        opened = await host.create(bots=3)
        assert await watch._watch(arguments(watch, "--url", house.url)) == 0
        assert f"{opened.table}  english-1864, guided, waiting" in capsys.readouterr().out


async def test_a_table_is_watched_line_by_line(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """A bystander is shown the table and told what happens; no hand is shown."""
    async with Client(house.url, name="host") as host:
        opened = await host.create(bots=3, clocks=FAST)
        assert opened.table is not None
        await host.sit(opened.table)
        await host.table(opened.table).ask(m.Start)
        watching = asyncio.create_task(watch._watch(arguments(watch, opened.table, "--url", house.url)))
        await until(lambda: bool(house.table(opened.table or "").book.info.bystanders))
        await host.table(opened.table).leave()
        shown = ""
        while "North's seat is empty." not in shown:
            await asyncio.sleep(PAUSE_S)
            shown += capsys.readouterr().out
        watching.cancel()
    assert "english-1864, guided" in shown
    assert "Your hand" not in shown


async def test_one_sits_down_at_a_table_of_ones_own(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`oddtrick play --new` opens a table with three bots; the identity is kept, and brings one back to one's seat."""
    typed = ["/start", "/quit"]

    async def lines() -> AsyncIterator[str]:
        for line in typed:
            yield line

    monkeypatch.setattr(play, "typed_lines", lines)
    token = tmp_path / "token"
    args = arguments(play, "--url", house.url, "--new", "--name", "Anna", "--token-file", str(token))
    assert await play._play(args) == 0
    table = capsys.readouterr().out.split("Table ")[1].split(".")[0]
    assert token.stat().st_mode & 0o077 == 0
    back = arguments(play, "--url", house.url, "--table", table, "--name", "Anna", "--token-file", str(token))
    typed[:] = ["", "/quit"]
    assert await play._play(back) == 0
    assert "Your hand" in capsys.readouterr().out
    seats = house.table(table).book.info.seats
    assert [sitter.name for sitter in seats if sitter is not None and sitter.bot is None] == ["Anna"]
