"""The command itself: finding subcommands, exit codes, one line for what goes wrong."""

import ast
import re
import subprocess
import sys

import pytest

from oddtrick_cli import main
from oddtrick_protocol.version import BUILD
from support.sources import files, name, text


def code_of(*argv: str) -> int:
    """The exit code of a command line, whether it returns or exits."""
    try:
        return main.run(argv)
    except SystemExit as exit_:
        return int(exit_.code or 0)


def test_every_command_that_is_there_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """--help names each module that has a command, and no other."""
    there = {
        path.stem
        for path in files("server/oddtrick_cli", "*.py")
        if any(
            isinstance(node, ast.FunctionDef) and node.name == "add_parser" for node in ast.parse(path.read_text()).body
        )
    }
    assert code_of("--help") == 0
    listed = capsys.readouterr().out
    assert there == {name for name in main.COMMANDS if f"\n    {name} " in listed}


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_helps(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command has --help and exits 0 with it."""
    assert code_of(name, "--help") == 0
    assert f"usage: oddtrick {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv", [(), ("dance",), ("bot", "--count", "0"), ("bot", "--count", "x"), ("law", "a", "b", "c")]
)
def test_a_wrong_command_line_exits_2(argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be understood is said on standard error, with code 2."""
    assert code_of(*argv) == 2
    assert "usage: oddtrick" in capsys.readouterr().err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """--version names the build."""
    assert code_of("--version") == 0
    assert BUILD in capsys.readouterr().out


def test_only_the_command_asked_for_is_loaded() -> None:
    """Reading a law loads neither the server nor a socket library."""
    probe = (
        "import sys; from oddtrick_cli import main; main.run(['law', 'english-1864', '73']);"
        "print(sorted(m for m in sys.modules if m.startswith(('oddtrick_server', 'websockets', 'oddtrick_sdk'))))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_missing_server_extra_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command whose library is not installed says what to install."""

    def without(wanted: str | None) -> None:
        raise ModuleNotFoundError("No module named 'redis'", name="redis")

    monkeypatch.setattr(main, "parser_for", without)
    assert main.run(["serve"]) == 2
    assert capsys.readouterr().err == "oddtrick serve needs the server: pip install '.[server]' in a clone\n"


def test_nobody_is_sent_to_a_package_that_is_not_ours() -> None:
    """Oddtrick is not published: what is told to be installed is a clone, in messages and in documents alike."""
    told = re.compile(r"pip install[^\n`]*\boddtrick\b")
    assert [name(file) for file in files() if told.search(text(file) or "")] == []


def test_a_missing_module_of_ours_is_a_fault_and_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the extra's libraries are excused."""

    def without(wanted: str | None) -> None:
        raise ModuleNotFoundError("No module named 'oddtrick_rules'", name="oddtrick_rules")

    monkeypatch.setattr(main, "parser_for", without)
    with pytest.raises(ModuleNotFoundError):
        main.run(["law"])


def test_an_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a command with the code a shell expects, and no traceback."""

    def interrupted(wanted: str | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "parser_for", interrupted)
    assert main.run(["watch"]) == 130


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    """`oddtrick law ... | head` ends quietly."""
    command = f"{sys.executable} -m oddtrick_cli.main law english-1864 | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("English Short Whist")
    assert "Traceback" not in done.stderr
