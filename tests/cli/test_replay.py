from pathlib import Path

import pytest

from oddtrick_cli import main
from support.records import REVOKE


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "a.whist"
    path.write_text(REVOKE + "N quits\n= refused\n", encoding="utf-8")
    return str(path)


def test_a_replay_tells_every_act_and_what_it_came_to(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each act stands with its line, the events it caused and their laws; the referee is told of secrets and refusals."""
    assert main.run(["replay", record]) == 0
    told = capsys.readouterr().out
    lines = told.splitlines()
    assert lines[0] == "South revokes in the last trick but one"
    assert "  E  K...9" in lines
    assert "   9  S H2" in lines
    assert any("revoked in trick 12" in line and "(law 71)" in line for line in lines)
    assert "        = score NS 0 EW 3" in lines
    assert lines[-1].startswith("        refused: not now")


def test_a_replay_shows_a_viewer_no_more_than_the_table_did(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As East one sees his own hand, and hears of the revoke only when it is charged."""
    assert main.run(["replay", "--as", "E", "--to", "12", record]) == 0
    told = capsys.readouterr().out
    assert "K...9" in told
    assert "7.2.." not in told
    assert "revoke" not in told


def test_a_replay_of_no_record_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is no record, or none at all, has one line on standard error and exit code 2."""
    wrong = tmp_path / "wrong"
    wrong.write_text("Code: hoyle", encoding="utf-8")
    for name in (str(wrong), str(tmp_path / "none")):
        assert main.run(["replay", name]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"{name}: ")


def test_an_expectation_that_does_not_hold_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A replay goes on past what does not hold, and marks it."""
    path = tmp_path / "a.whist"
    path.write_text(REVOKE.replace("= claim proved", "= claim not proved"), encoding="utf-8")
    assert main.run(["replay", str(path)]) == 0
    told = capsys.readouterr().out
    assert "= claim not proved   DOES NOT HOLD" in told
    assert "= score NS 0 EW 3\n" in told
