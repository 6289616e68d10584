"""The code of client_sdk/README.md runs, and the SDK exports what it says."""

import asyncio
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import oddtrick_sdk
from oddtrick_sdk import Bot
from oddtrick_sdk.testing import view_of
from support.sources import ROOT

README = (ROOT / "client_sdk" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_readme_has_its_examples() -> None:
    """The blocks of code are found, so that running them does not pass by running nothing."""
    assert len(BLOCKS) == 4


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_every_example_runs(block: str) -> None:
    """Each block runs as it stands; the one with a main is not started."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(block, "README.md", "exec"), names)


def test_the_bot_of_the_readme_plays_its_lowest_lawful_card() -> None:
    """The first example is a bot, and does what it says."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(BLOCKS[0], "README.md", "exec"), names)
    bot: Any = names["Lowest"]()
    assert issubclass(names["Lowest"], Bot)
    view = view_of("N", hand="SA SK H2", trick="W S4")
    assert oddtrick_sdk.name_of(asyncio.run(bot.play(view))) == "SK"


def test_everything_exported_is_there_and_named_once() -> None:
    """`__all__` lists names that exist, each once, and no public name is left out."""
    assert len(set(oddtrick_sdk.__all__)) == len(oddtrick_sdk.__all__)
    public = {
        name
        for name, value in vars(oddtrick_sdk).items()
        if not name.startswith("_") and not isinstance(value, type(sys))
    }
    assert public == set(oddtrick_sdk.__all__)


def test_importing_the_sdk_does_nothing() -> None:
    """Import opens no socket, starts no thread and no loop, writes nothing and reads no argument."""
    probe = (
        "import sys, threading, socket\n"
        "def no(*_, **__): raise AssertionError('a socket')\n"
        "socket.socket.__init__ = no\n"
        "import oddtrick_sdk, oddtrick_sdk.testing, oddtrick_arena.table\n"
        "import asyncio\n"
        "assert threading.active_count() == 1\n"
        "assert asyncio._get_running_loop() is None\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", probe], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_readmes_table_of_methods_is_the_bots() -> None:
    """Every method of `Bot` that may be overridden is in the README, and no other."""
    named = set(re.findall(r"`(\w+)\(view\)`", README))
    methods = {name for name, value in vars(Bot).items() if callable(value) and not name.startswith("_")}
    assert named == methods - {"play"} | ({"play"} & named)


def test_the_readmes_table_of_the_view_is_the_views() -> None:
    """Whatever the README says of a view is there."""
    rows = README.split("| of the view | |")[1].split("\n\n")[0]
    view = view_of("N", hand="SA SK H2", trick="W S4")
    for name in re.findall(r"`(\w+)(?:\(seat\))?`", rows.split("|---|---|")[1]):
        if name not in {"seat", "Suit"} and not name.isupper():
            assert hasattr(view, name), name


def test_the_example_file_of_the_readme_is_no_path_of_ours() -> None:
    """Links in the README lead to files that are there."""
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / "client_sdk" / Path(link)).exists(), link


def started(url: str) -> subprocess.Popen[str]:
    """The first example as a program of its own, at that server."""
    source = BLOCKS[0].replace("ws://localhost:8765", url)
    return subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_bot_of_the_readme_says_in_one_line_that_no_server_is_there() -> None:
    """A server that is not up is one line and exit 2."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        url = f"ws://127.0.0.1:{taken.getsockname()[1]}"
        program = started(url)
        out, err = program.communicate(timeout=60)
    assert (program.returncode, out) == (2, "")
    (line,) = err.splitlines()
    assert url in line


def test_the_bot_of_the_readme_ends_quietly_on_ctrl_c() -> None:
    """Ctrl-C is exit 130 and not a word."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        program = started(f"ws://127.0.0.1:{silent.getsockname()[1]}")
        line, _ = silent.accept()
        with line:
            program.send_signal(signal.SIGINT)
            out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err) == (130, "", "")


CONFIGURED = "structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stdout))"


@pytest.mark.parametrize(("before", "out", "err"), [("", "", "heed"), (CONFIGURED, "chat heed", "")])
def test_a_bots_program_has_its_standard_output_to_itself(before: str, out: str, err: str) -> None:
    """`run` sends warnings to standard error and nothing below, unless the program has said where its log goes."""
    program = f"""
import structlog, sys
from oddtrick_sdk import Bot, run
{before}
try:
    run(Bot(), "ws://nowhere.invalid:1")
except SystemExit:
    structlog.get_logger("oddtrick.sdk").debug("chat")
    structlog.get_logger("oddtrick.sdk").error("heed")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [word for word in ("chat", "heed") if word in done.stdout] == out.split()
    assert [word for word in ("chat", "heed") if word in done.stderr] == err.split()
