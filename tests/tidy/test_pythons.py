import os
import shutil
import subprocess
import sys

import pytest

from support.sources import ROOT

# The rules and their facts need nothing installed, so any interpreter on the path can judge.
SUPPORTED = ("3.11", "3.12", "3.13")


def interpreters() -> list[str]:
    """The interpreter of this run, and of every other supported version that starts on this machine."""
    found = [sys.executable]
    for version in SUPPORTED:
        name = shutil.which(f"python{version}")
        if name is None or version == f"{sys.version_info[0]}.{sys.version_info[1]}":
            continue
        if subprocess.run([name, "-c", ""], capture_output=True, check=False).returncode == 0:
            found.append(name)
    return found


@pytest.mark.parametrize("python", interpreters())
def test_the_same_acts_give_the_same_events_on_every_python(python: str) -> None:
    """The events of the same acts under each code, to the last byte, are those that are written down."""
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("rules", "client_sdk", "tests"))
    run = subprocess.run(
        [python, "tests/support/determinism.py"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == (ROOT / "tests/rules/determinism.txt").read_text(encoding="utf-8")
