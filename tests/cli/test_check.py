from argparse import Namespace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oddtrick_cli import check, main
from support.records import ENDING, REVOKE


def write(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_every_file_that_holds_is_ok(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each record that holds has a line `ok` and its name, and the exit code is 0."""
    names = [write(tmp_path, name, REVOKE) for name in ("a.whist", "b.whist")]
    assert main.run(["check", *names]) == 0
    assert capsys.readouterr().out.splitlines() == [f"ok {name}" for name in names]


def test_a_file_that_fails_is_told_by_its_first_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record that does not hold has one line with the line number and the reason; the others are still checked."""
    failing = write(
        tmp_path, "a.whist", REVOKE.replace("= score NS 0", "= score NS 1").replace("= claim", "= law 1\n= claim")
    )
    holding = write(tmp_path, "b.whist", REVOKE)
    assert main.run(["check", failing, holding]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{failing}: line 14: `= law 1` does not hold")
    assert second == f"ok {holding}"


@pytest.mark.parametrize("content", ["", "Code: hoyle", f"{ENDING}\nN frobs", "x" * 200_000])
def test_a_file_that_is_no_record_fails_in_one_line(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A malformed record is a record that fails: one line, exit code 1."""
    name = write(tmp_path, "a.whist", content)
    assert main.run(["check", name]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{name}: ")


def test_a_file_that_cannot_be_read_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such file, a folder, a name that is none: one line on standard error, the rest is checked, exit code 2."""
    holding = write(tmp_path, "b.whist", REVOKE)
    assert main.run(["check", str(tmp_path / "none"), str(tmp_path), "a\0b", holding]) == 2
    written = capsys.readouterr()
    assert written.out == f"ok {holding}\n"
    assert [line.split(": ", 1)[1] for line in written.err.splitlines()] == [
        "cannot be read: No such file or directory",
        "cannot be read: Is a directory",
        "cannot be read: embedded null byte",
    ]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"Code: \x00\xff", b"x" * 300_000])
def test_a_file_that_is_no_text_cannot_be_read(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not text, or has no end, exited 1 as a record that fails, where the help says 2."""
    name = write(tmp_path, "a.whist", content)
    assert main.run(["check", name]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    (line,) = written.err.splitlines()
    assert line.startswith(f"{name}: ")


def test_what_a_file_says_cannot_move_the_cursor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text from a record is quoted so that no terminal obeys it."""
    name = write(tmp_path, "a.whist", f"{ENDING}\nN \x1b[2J\u202e")
    assert main.run(["check", name]) == 1
    assert capsys.readouterr().out.rstrip("\n").isprintable()


@given(st.binary(max_size=300), st.sampled_from([b"", ENDING.encode() + b"\n"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_get_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, header: bytes
) -> None:
    """Whatever bytes a file has, there is one line about it, and an exit code of 2 if they are no text."""
    name = write(tmp_path, "a.whist", header + content)
    code = check.run(Namespace(files=[name]))
    written = capsys.readouterr()
    (line,) = (written.err or written.out).splitlines()
    try:
        content.decode()
    except UnicodeDecodeError:
        assert (code, written.out) == (2, "")
    else:
        assert (code, written.err) == (0 if line == f"ok {name}" else 1, "")
