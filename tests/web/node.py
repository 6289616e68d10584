"""Node, for what can be checked of the page's JavaScript without a browser."""

import subprocess
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = ("server/oddtrick_server/web", "client_sdk/oddtrick_sdk/js")
NODE_S = 300


def run(*command: str | Path, given: str = "", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [str(one) for one in command], input=given, text=True, capture_output=True, check=False, timeout=NODE_S, cwd=cwd
    )


def evaluated(script: str, given: str = "") -> str:
    """What a module of JavaScript prints; it finds our sources by paths from the root of the project."""
    done = run("node", "--input-type=module", "--eval", script, given=given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tool(name: str) -> Path:
    """A tool of package.json, installed here once and again when the lock changes."""
    lock, mark = HERE / "package-lock.json", HERE / "node_modules" / ".lock-installed"
    if not mark.is_file() or mark.read_bytes() != lock.read_bytes():
        done = run("npm", "ci", "--silent", cwd=HERE)
        assert done.returncode == 0, done.stdout + done.stderr
        mark.write_bytes(lock.read_bytes())
    return HERE / "node_modules" / ".bin" / name
