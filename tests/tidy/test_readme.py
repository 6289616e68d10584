import ast
import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from oddtrick_rules.notation.check import check_record
from support.sources import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_the_record_of_the_readme_holds() -> None:
    """The corrected revoke that the README opens with is a record the engine agrees with."""
    (record,) = blocks("whist")
    outcome = check_record(record)
    assert outcome.ok, outcome


def test_the_transcript_of_the_readme_is_what_the_command_prints(tmp_path: Path) -> None:
    """What the README shows of `oddtrick replay` stands in its output line for line; `…` is what is left out, and nothing else."""
    (record,) = blocks("whist")
    transcript = next(block for block in blocks("console") if "oddtrick replay" in block)
    path = tmp_path / "corrected.whist"
    path.write_text(record, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "oddtrick_cli.main", "replay", str(path)], capture_output=True, text=True, check=True
    )
    shown = "".join(transcript.splitlines(keepends=True)[1:])
    before, middle, after = shown.split("…\n")
    begins = run.stdout.index(middle)
    assert (before, after) == ("", "")
    assert begins > 0
    assert begins + len(middle) < len(run.stdout)


def test_the_bot_of_the_readme_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The README's bot is a class with `play`, and its lowest card is a playable one."""
    (source,) = blocks("python")
    ast.parse(source)
    scope: dict[str, object] = {"__name__": "readme"}
    exec(compile(source, "README.md", "exec"), scope)
    bot = scope["Lowest"]()  # type: ignore[operator]

    class View:
        playable = (7, 3, 11)

    assert asyncio.run(bot.play(View())) == 3


def test_every_command_of_the_readme_exists() -> None:
    """Each `oddtrick` command named in a console block has a help page."""
    names = set(re.findall(r"^\$ oddtrick (\w+)", README, flags=re.MULTILINE))
    assert names
    for name in sorted(names):
        run = subprocess.run(
            [sys.executable, "-m", "oddtrick_cli.main", name, "--help"], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, (name, run.stderr)
