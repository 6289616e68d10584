"""Where the chance of a deal comes from."""

import ast
import inspect
import secrets

from oddtrick_rules import shuffle
from oddtrick_server.app import App
from support.sources import files, imported, name, tree

# House bots draw from a generator of their own; no deal does.
BRAINS_ONLY = {"server/oddtrick_server/stand_ins.py"}
SEED_BITS = 96  # log2 of the number of deals, 52!/(13!)^4


def foreseeable(source: ast.Module) -> bool:
    """Whether a module imports the generator that can be foretold."""
    return any(module.partition(".")[0] == "random" for module in imported(source))


def test_b95_deals_come_from_the_systems_own_chance() -> None:
    """B95: the shuffle was seeded from a generator one can foretell; here a deal's secret is the system's, and wide enough for all deals."""
    guilty = [
        name(path)
        for folder in ("server/oddtrick_server", "rules")
        for path in files(folder, "*.py")
        if foreseeable(tree(path)) and name(path) not in BRAINS_ONLY
    ]
    assert not guilty
    assert inspect.signature(App).parameters["entropy"].default is secrets.token_bytes
    assert shuffle.SECRET_BYTES * 8 >= SEED_BITS


def test_b95_a_predictable_generator_would_be_found() -> None:
    """B95: the shuffle was seeded from a generator one can foretell; such an import is found wherever it stands."""
    assert foreseeable(ast.parse("def deal():\n    from random import shuffle"))
    assert not foreseeable(ast.parse("import secrets"))
