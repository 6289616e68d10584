"""How the code looks: functions that fit a screen, modules that hold one thing, tests that say what they hold."""

import ast
from collections.abc import Iterator

import pytest

from support.sources import ROOT, files, name, text, tree

FUNCTION_LINES_MAX = 70
MODULE_LINES_MAX = 500

# Modules still too long, with their length. It only shrinks: a module here that has become
# shorter must have its number lowered, and one that fits must leave.
MODULE_ALLOWANCE: dict[str, int] = {}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(source: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(source) if isinstance(node, Function))


def too_long(source: ast.Module) -> list[str]:
    """Functions that do not fit a screen; the docstring counts, decorators do not."""
    return [
        f"{function.name} has {lines} lines"
        for function in functions(source)
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > FUNCTION_LINES_MAX
    ]


def unsaid(source: ast.Module) -> list[str]:
    """Tests that do not state, in one sentence on one line, the rule they hold."""
    return [
        function.name
        for function in functions(source)
        if function.name.startswith("test_") and not is_sentence(ast.get_docstring(function, clean=False))
    ]


def is_sentence(docstring: str | None) -> bool:
    return docstring is not None and "\n" not in docstring and " " in docstring and docstring.endswith((".", "?", "!"))


def not_run(source: ast.Module) -> list[str]:
    """Uses of what lets a test pass by not running: a missing service or browser is a failure."""
    return [
        f"line {node.lineno}: {written}"
        for node in ast.walk(source)
        if isinstance(node, ast.Attribute | ast.Name)
        and (written := ast.unparse(node)).startswith(("pytest.", "unittest.", "mark."))
        and written.split(".")[-1] in {"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip"}
    ] + [
        f"line {node.lineno}: from {node.module}"
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom) and node.module in {"pytest", "unittest"}
    ]


def module_lines() -> dict[str, int]:
    """The length of every module we wrote, in Python or JavaScript."""
    return {
        name(path): len((text(path) or "").splitlines()) for pattern in ("*.py", "*.js") for path in files("", pattern)
    }


def test_functions_fit_a_screen() -> None:
    """No function is longer than seventy lines."""
    found = {name(path): long for path in files(pattern="*.py") if (long := too_long(tree(path)))}
    assert not found


def test_modules_hold_one_thing() -> None:
    """No module is longer than five hundred lines, but for a list that only shrinks."""
    found = {
        module: lines
        for module, lines in module_lines().items()
        if lines > MODULE_ALLOWANCE.get(module, MODULE_LINES_MAX)
    }
    assert not found


def test_the_allowance_for_long_modules_shrinks() -> None:
    """Every allowance is for a module that still needs all of it."""
    lines = module_lines()
    unneeded = {module: allowed for module, allowed in MODULE_ALLOWANCE.items() if lines.get(module) != allowed}
    assert not unneeded
    assert all(allowed > MODULE_LINES_MAX for allowed in MODULE_ALLOWANCE.values())


def test_every_test_says_what_it_holds() -> None:
    """Every test has a docstring of one sentence on one line."""
    found = {name(path): tests for path in files("tests", "*.py") if (tests := unsaid(tree(path)))}
    assert not found


def test_every_test_is_collected() -> None:
    """A function named test_ stands only in a file that pytest reads."""
    for path in files("tests", "*.py"):
        if not path.name.startswith("test_"):
            assert not [f.name for f in functions(tree(path)) if f.name.startswith("test_")], name(path)


def test_no_test_passes_by_not_running() -> None:
    """No test is skipped or expected to fail."""
    found = {name(path): uses for path in files("tests", "*.py") if (uses := not_run(tree(path)))}
    assert not found


@pytest.mark.parametrize(
    "source",
    [
        "import pytest\n@pytest.mark." + "skip\ndef test_a(): ...",
        "import pytest\ndef test_a():\n    pytest." + "xfail('later')",
        "from pytest import mark",
        "import unittest\n@unittest." + "skipIf(True, '')\ndef test_a(): ...",
    ],
)
def test_a_test_that_would_not_run_is_caught(source: str) -> None:
    """Each way of passing by not running is found when it is planted."""
    assert not_run(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    [
        "def test_a(): ...",
        "def test_a():\n    'revoke'",
        "def test_a():\n    '''Two lines.\n\n    Are too many.'''",
        "class TestA:\n    async def test_a(self): ...",
    ],
)
def test_a_test_that_says_nothing_is_caught(source: str) -> None:
    """A test without one sentence of its own is found when it is planted."""
    assert unsaid(ast.parse(source))


def test_a_long_function_is_caught() -> None:
    """A function one line too long is found, and one that just fits is not."""
    body = "    pass\n"
    assert not too_long(ast.parse("def f():\n" + body * (FUNCTION_LINES_MAX - 1)))
    assert too_long(ast.parse("def f():\n" + body * FUNCTION_LINES_MAX))


def test_the_files_read_here_are_the_projects() -> None:
    """These checks read the packages and the tests, so that none of them passes by reading nothing."""
    read = {name(path) for path in files(pattern="*.py")}
    assert {"tests/conftest.py", "server/oddtrick_cli/__init__.py", name(ROOT / "tests/tidy/test_style.py")} <= read
    assert not {path for path in read if path.startswith(".venv")}
