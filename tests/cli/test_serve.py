"""`oddtrick serve`: its first line, its exit codes, and one clear line for what will not do."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest

from oddtrick_server.settings import Settings
from support.processes import environment as clean

SERVE = [sys.executable, "-m", "oddtrick_cli.main", "serve"]


def serve(*options: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*SERVE, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**clean(), **environment},
    )


@pytest.fixture
def running() -> Iterator[list[subprocess.Popen[str]]]:
    """Servers a test started; whatever it does, they end with it."""
    servers: list[subprocess.Popen[str]] = []
    yield servers
    for server in servers:
        if server.poll() is None:
            server.kill()
        server.communicate()


def first_line(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    return server.stdout.readline().strip()


def test_the_first_line_is_the_url_and_sigterm_ends_it_well(
    running: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    """A server prints its URL first, serves there, keeps its store in the file named, and exits 0 when told to stop."""
    server = serve("--port", "0", "--store", f"sqlite:{tmp_path}/tables.db")
    running.append(server)
    url = first_line(server)
    assert url.startswith("ws://127.0.0.1:")
    with urllib.request.urlopen(url.replace("ws://", "http://") + "/readyz", timeout=20) as answer:
        assert answer.read() == b"ready\n"
    assert (tmp_path / "tables.db").exists()
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=30) == 0


def test_the_environment_sets_what_no_option_does(running: list[subprocess.Popen[str]]) -> None:
    """Settings come from the environment too, and the log can be JSON."""
    server = serve("--port", "0", ODDTRICK_STORE="memory", ODDTRICK_LOG_FORMAT="json", ODDTRICK_PORT="not a number")
    assert server.wait(timeout=30) == 2
    server.communicate()
    server = serve("--port", "0", ODDTRICK_STORE="memory", ODDTRICK_LOG_FORMAT="json")
    running.append(server)
    assert first_line(server).startswith("ws://")
    server.send_signal(signal.SIGINT)
    assert server.wait(timeout=30) == 0
    assert server.stderr is not None
    assert server.stderr.readline().startswith("{")


def test_who_starts_a_server_is_told_of_the_page(running: list[subprocess.Popen[str]]) -> None:
    """Who starts a server is told where a browser finds the table; standard output has the one line that scripts read."""
    server = serve("--port", "0", "--store", "memory")
    running.append(server)
    page = first_line(server).replace("ws://", "http://")
    server.send_signal(signal.SIGTERM)
    out, err = server.communicate(timeout=30)
    assert out == ""
    assert f"the page: {page}\n" in err


def refused(*options: str, **environment: str) -> str:
    """Assert that the server does not run, exits 2 and says why in one line."""
    env = {**clean(), **environment}
    done = subprocess.run([*SERVE, *options], capture_output=True, text=True, timeout=60, check=False, env=env)
    assert done.returncode == 2, done
    lines = [line for line in done.stderr.splitlines() if line.startswith("oddtrick serve")]
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    return lines[0]


def test_a_port_in_use_is_told_in_one_line() -> None:
    """A port that another program has is named, and the exit code is not 0."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port}" in refused("--port", str(port), "--store", "memory")


def test_a_store_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    """A file that is no store, a folder that is not there, and a store nobody knows are each one clear line."""
    (tmp_path / "text.db").write_text("this is no store\n" * 100, encoding="utf-8")
    for store, says in (
        (f"sqlite:{tmp_path}/text.db", "text.db"),
        (f"sqlite:{tmp_path}/nowhere/tables.db", "nowhere"),
        ("papyrus:x", "papyrus"),
    ):
        assert says in refused("--port", "0", "--store", store)


def test_a_store_that_another_server_has_is_told_in_one_line(
    running: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    """Two servers cannot share one file, and the second says so."""
    store = f"sqlite:{tmp_path}/tables.db"
    running.append(serve("--port", "0", "--store", store))
    first_line(running[0])
    assert "tables.db" in refused("--port", "0", "--store", store)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--port", "70000"], "70000"),
        (["--config", "nowhere.toml"], "nowhere.toml"),
        (["--host", "256.0.0.1"], "256.0.0.1"),
        (["--host", ""], "0.0.0.0 for all"),
        (["--host", "a" * 70], "cannot listen at aaa"),
    ],
)
def test_a_bad_option_is_told_in_one_line(options: list[str], says: str) -> None:
    """An option that will not do is named in the line that says so."""
    assert says in refused("--store", "memory", *options)


@pytest.mark.parametrize(
    ("variable", "says"),
    [("ODDTRICK_PROT", "ODDTRICK_PORT?"), ("ODDTRICK_HOST", "0.0.0.0 for all"), ("ODDTRICK_LIMITS", "[limits]")],
)
def test_a_variable_that_will_not_do_is_told_in_one_line(variable: str, says: str) -> None:
    """A variable that sets nothing, or an address that is none, is named, and no server runs without what it was to set."""
    assert says in refused("--store", "memory", "--port", "0", **{variable: ""})


def test_the_environment_may_name_a_redis() -> None:
    """`ODDTRICK_REDIS` is what `--redis` is."""
    assert "store redis+sentinel:...: names no service" in refused("--port", "0", ODDTRICK_REDIS="redis+sentinel://a")


def test_a_service_that_no_sentinel_knows_is_told_in_one_line() -> None:
    """Where no Sentinel names a primary, that is said in a line that one can read."""
    line = refused("--port", "0", "--redis", "redis+sentinel://127.0.0.1:1/club")
    assert "redis at 127.0.0.1:1 (club): " in line
    assert len(line) < 200


def test_a_server_has_one_store() -> None:
    """Two stores on the command line are refused: the one that lost would be missed later."""
    done = subprocess.run(
        [*SERVE, "--store", "memory", "--redis", "redis://127.0.0.1:1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=clean(),
    )
    assert done.returncode == 2
    assert "not allowed with" in done.stderr


def test_the_help_names_every_setting() -> None:
    """Whatever may be set is an option, or stands below them with a line of its own that fits a terminal."""
    run = subprocess.run(
        [*SERVE, "--help"], capture_output=True, text=True, check=True, env={**clean(), "COLUMNS": "100"}
    )
    for name in get_type_hints(Settings):
        assert re.search(rf"^  (--{name.replace('_', '-')}|{name})\b", run.stdout, flags=re.MULTILINE), name
    assert max(len(line) for line in run.stdout.splitlines() if line[:2] == "  ") <= 100
