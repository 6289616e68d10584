"""Who may import whom, where import-linter cannot say it."""

import ast
import sys
from collections.abc import Callable, Iterable

import pytest

from support.sources import files, imported, name, packages, tree

# Pure modules: they read no clock, no file, no socket and no chance.
RULES_MAY_IMPORT = frozenset(
    {
        "__future__",
        "abc",
        "bisect",
        "collections",
        "dataclasses",
        "enum",
        "functools",
        "hashlib",
        "hmac",
        "itertools",
        "math",
        "operator",
        "re",
        "string",
        "types",
        "typing",
    }
)
Check = Callable[[ast.Module], list[str]]
JUDGES = ("oddtrick_rules.decide", "oddtrick_rules.laws")


def within(module: str, families: Iterable[str]) -> bool:
    """Whether a module is one of these or lies inside one."""
    return any(module == family or module.startswith(f"{family}.") for family in families)


def impure(source: ast.Module) -> list[str]:
    """What a module of the rules may not import."""
    return [module for module in imported(source) if not within(module, {*RULES_MAY_IMPORT, "oddtrick_rules"})]


def judging(source: ast.Module) -> list[str]:
    """Imports of the judge or of the laws."""
    return [module for module in imported(source) if within(module, JUDGES)]


def beyond_bots(source: ast.Module) -> list[str]:
    """Imports of any part of the SDK but the house bots' brains."""
    return [
        module
        for module in imported(source)
        if within(module, {"oddtrick_sdk"}) and not within(module, {"oddtrick_sdk.bots"})
    ]


def test_the_rules_import_only_pure_modules() -> None:
    """The rules import themselves and a short list of pure modules, so the same log gives the same game anywhere."""
    found = {name(path): bad for path in files("rules", "*.py") if (bad := impure(tree(path)))}
    assert not found


def test_the_pure_modules_are_of_the_standard_library() -> None:
    """Every module the rules may import comes with Python."""
    assert sys.stdlib_module_names >= RULES_MAY_IMPORT


def test_the_sdk_and_the_protocol_do_not_judge() -> None:
    """A bot learns what is lawful from its view: nothing a client installs imports the judge or the laws."""
    for package in ("oddtrick_protocol", "oddtrick_sdk"):
        for path in files(f"client_sdk/{package}", "*.py"):
            assert not judging(tree(path)), name(path)


def test_house_bots_and_the_server_know_only_a_bots_brain() -> None:
    """House bots use nothing of the SDK but themselves, and the server nothing of it but them."""
    bots = [path for path in files("client_sdk", "*.py") if "oddtrick_sdk/bots" in name(path)]
    for path in [*bots, *files("server/oddtrick_server", "*.py")]:
        assert not beyond_bots(tree(path)), name(path)


def test_nothing_imports_a_folder_or_the_tests() -> None:
    """No package imports rules, client_sdk, server or tests as if the folder were a package."""
    for package in packages():
        for path in files(name(package), "*.py"):
            for module in imported(tree(path)):
                assert module.split(".")[0] not in {"rules", "client_sdk", "server", "tests", "support"}, name(path)


@pytest.mark.parametrize(
    ("check", "line"),
    [
        (impure, "import time"),
        (impure, "from collections import abc\nfrom random import choice"),
        (impure, "def later():\n    import msgspec"),
        (judging, "from oddtrick_rules import decide"),
        (judging, "from oddtrick_rules.laws.revoke import establish"),
        (beyond_bots, "from oddtrick_sdk import Bot"),
        (beyond_bots, "import oddtrick_sdk"),
        (beyond_bots, "from oddtrick_sdk.client import connect"),
    ],
)
def test_a_wrong_import_is_caught(check: Check, line: str) -> None:
    """Each kind of forbidden import is found when it is planted, wherever it stands in the file."""
    assert check(ast.parse(line))


@pytest.mark.parametrize(
    ("check", "line"),
    [
        (impure, "from collections.abc import Iterator\nfrom oddtrick_rules.cards import Card"),
        (judging, "from oddtrick_rules.views import view"),
        (beyond_bots, "from oddtrick_sdk import bots\nfrom oddtrick_sdk.bots.courteous import Courteous"),
    ],
)
def test_a_right_import_is_let_pass(check: Check, line: str) -> None:
    """What a layer is there to give may be imported."""
    assert not check(ast.parse(line))
