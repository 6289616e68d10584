"""LAWS.md, made from the lawbooks, the engine and the marks of the tests: `PYTHONPATH=tests python tests/support/laws_page.py`."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from oddtrick_rules.code import Code, Law, Rule
from oddtrick_rules.codes.guarantees import GUARANTEED
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.codes.rulings import RULINGS
from support.sources import ROOT, files, name, tree

PAGE = ROOT / "rules" / "LAWS.md"
RULES = ROOT / "rules" / "oddtrick_rules"

HEAD = """# The laws, and what becomes of them here

Made by `PYTHONPATH=tests python tests/support/laws_page.py` from the lawbooks, the engine and the marks of the tests; a test
says when it is out of date. The gists are in our own words. How a law lives at this table:

- **enforced**: it cannot be broken here, or what it provides follows by itself;
- **act**: there is an act by which a player does, claims or exacts what it provides;
- **clock**: a limit of time, or the end of a stage, does what it says;
- **cannot occur**: it is about pasteboard or about hands that no server has; the reason is given.

`module` is where the engine applies it (of `oddtrick_rules`, whose chapters are in `laws`), `tests` are the files that hold it.
"""


def marks(source: ast.Module) -> Iterator[tuple[str, str]]:
    """Every law named by a `pytest.mark.law` of a test file."""
    for node in ast.walk(source):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.law":
            texts = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            yield from ((str(texts[0]), str(number)) for number in texts[1:])


@cache
def tests_of() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The test files that hold each law, by code and number."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in files("tests", "test_*.py"):
        for mark in dict.fromkeys(marks(tree(path))):
            found.setdefault(mark, []).append(name(path).removeprefix("tests/").removesuffix(".py"))
    return {mark: tuple(sorted(tests)) for mark, tests in found.items()}


@cache
def modules_of() -> Mapping[Rule, tuple[str, ...]]:
    """The modules of the engine in which each rule is applied."""
    found: dict[Rule, set[str]] = {rule: {module} for rule, module in GUARANTEED.items()}
    for path in files("rules/oddtrick_rules", "*.py"):
        module = path.relative_to(RULES).with_suffix("").as_posix().replace("/", ".")
        if module == "code" or module.startswith(("codes.", "notation.")):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Rule" and node.attr in Rule.__members__:
                found.setdefault(Rule[node.attr], set()).add(module)
    return {rule: tuple(sorted(modules)) for rule, modules in found.items()}


def rules_of(code: Code, law: Law) -> list[Rule]:
    """The rules that rest on a law in its code."""
    return [rule for rule, cites in code.rules.items() if law.number in cites]


def line(code: Code, law: Law) -> str:
    """A law as a row of its code's table."""
    modules = sorted({module for rule in rules_of(code, law) for module in modules_of().get(rule, ())})
    lives = f"{law.lives}: {law.why}" if law.why else law.lives
    cells = [
        law.number,
        law.gist,
        lives,
        ", ".join(f"`{module}`" for module in modules),
        ", ".join(f"`{test}`" for test in tests_of().get((code.id, law.number), ())),
    ]
    return f"| {' | '.join(cell or '–' for cell in cells)} |"


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for code in CODES.values():
        parts.append(f"## {code.id}\n\n{code.title}.\n")
        parts.append("| law | gist | lives here as | module | tests |\n|---|---|---|---|---|")
        parts.extend(line(code, law) for law in code.laws)
        parts.append("")
    parts.append("## Rulings\n\nWhat the codes leave open, for all three alike.\n")
    parts.append("| ruling | gist | tests |\n|---|---|---|")
    for ruling in RULINGS:
        tests = sorted({test for code in CODES for test in tests_of().get((code, ruling.number), ())})
        parts.append(f"| {ruling.number} | {ruling.gist} | {', '.join(f'`{test}`' for test in tests) or '–'} |")
    return "\n".join([*parts, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
