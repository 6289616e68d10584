"""The project's own files, as the tests of style read them."""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

# A top-level folder holds packages and is none itself.
FOLDERS = ("rules", "client_sdk", "server")

# What tools leave behind in a checkout, and git ignores.
LITTER = frozenset({"__pycache__", "build", "dist", "node_modules"})


def is_litter(path: Path) -> bool:
    """Whether a tool made this: a cache, a build, an environment. `.ci` and other dot-files with text are ours."""
    return path.name in LITTER or path.suffix in {".egg-info", ".pyc"} or (path.is_dir() and path.name[0] == ".")


def files(folder: str = "", pattern: str = "*") -> Iterator[Path]:
    """Every file of ours under a top-level folder, or of the whole project, in a stable order."""
    start = ROOT / folder
    own = [ROOT / ".ci", ROOT / ".github"] if start == ROOT else []
    pending = [start, *(path for path in own if path.is_dir())]
    while pending:
        for path in sorted(pending.pop().iterdir()):
            if is_litter(path):
                continue
            if path.is_dir():
                pending.append(path)
            elif path.match(pattern):
                yield path


def packages() -> list[Path]:
    """The folders of our packages, `rules/oddtrick_rules` and its like."""
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).iterdir()) if (path / "py.typed").is_file()]


def name(path: Path) -> str:
    """A file's path from the root, as a failure should print it."""
    return path.relative_to(ROOT).as_posix()


def text(path: Path) -> str | None:
    """What a file says, or None when it is not text."""
    data = path.read_bytes()
    return None if b"\0" in data else data.decode()


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=name(path))


@cache
def project() -> dict[str, Any]:
    """`pyproject.toml`, read."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def imported(module: ast.Module) -> Iterator[str]:
    """Every name a file imports, anywhere in it, in full: `from a import b` and `import a.b` are both `a.b`."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
