"""`oddtrick law CODE [NUMBER]`: the laws of a code, how each lives at this table, and the rulings."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oddtrick_cli.joining import CANNOT, say

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from oddtrick_rules.code import Code, Law, Rule
    from oddtrick_rules.codes.rulings import Ruling

NO_SUCH_LAW: Final = 1
WIDTH: Final = 100
PAGE: Final = "LAWS.md"
TESTS_CELL: Final = 5
RULINGS_HEADING: Final = "Rulings"
RULING_TESTS_CELL: Final = 3
LIVES: Final = {
    "enforced": "cannot be broken at this table",
    "act": "is an act of a player",
    "clock": "is kept by the clock",
    "cannot occur": "cannot occur at this table",
}


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "law",
        help="read the laws of a code",
        description="List the laws of a code and the rulings, or tell one: its gist, how it lives at this table, what rests "
        "on it, and what the other codes have in its place. Exit 1 if there is no such law, 2 if there is no such code.",
    )
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="the code of laws, such as english-1864 (default: list them)"
    )
    parser.add_argument(
        "number",
        metavar="NUMBER",
        nargs="?",
        help="the number of a law or of a ruling, such as R5 (default: list them)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what was asked for; return the exit code."""
    from oddtrick_rules.codes.registry import CODES, code_named
    from oddtrick_rules.codes.rulings import RULINGS

    if args.code is None:
        for code in CODES.values():
            print(f"{code.id:14} {code.title}")
        return 0
    try:
        code = code_named(args.code)
    except ValueError as error:
        say(str(error))
        return CANNOT
    if args.number is None:
        _list(code)
        return 0
    number = args.number.casefold()
    for law in code.laws:
        if law.number.casefold() == number:
            _tell(code, law)
            return 0
    for ruling in RULINGS:
        if ruling.number.casefold() == number:
            _tell_ruling(code, ruling)
            return 0
    say(
        f"{code.id} has no law {args.number}: it has {code.laws[0].number} to {code.laws[-1].number}, "
        f"and the rulings {RULINGS[0].number} to {RULINGS[-1].number}"
    )
    return NO_SUCH_LAW


def _list(code: Code) -> None:
    from oddtrick_rules.codes.rulings import RULINGS

    print(f"{code.title} ({code.id})")
    for law in code.laws:
        print(_wrapped(f"{law.number:>6}  ", law.gist))
    print("Rulings, for every code alike")
    for ruling in RULINGS:
        print(_wrapped(f"{ruling.number:>6}  ", ruling.gist))


def _tell(code: Code, law: Law) -> None:
    print(f"Law {law.number} of {code.title} ({code.id})")
    print(_wrapped("  ", law.gist))
    why = f": {law.why}" if law.why else ""
    print(_wrapped("  ", f"It {LIVES.get(law.lives, law.lives)}{why}."))
    _tell_what_rests_on(code, law.number, tests_of(code.id, law.number, TESTS_CELL))


def _tell_ruling(code: Code, ruling: Ruling) -> None:
    print(f"Ruling {ruling.number}, for every code alike")
    print(_wrapped("  ", ruling.gist))
    _tell_what_rests_on(code, ruling.number, tests_of(RULINGS_HEADING, ruling.number, RULING_TESTS_CELL))


def _tell_what_rests_on(code: Code, number: str, held_by: str) -> None:
    """Tell the tests that hold a law or a ruling, and the rules of the code that rest on it beside those of the others."""
    from oddtrick_rules.codes.registry import CODES

    if held_by:
        print(_wrapped("  ", f"Held by {held_by}."))
    for rule in rules_on(code, number):
        print(_wrapped("  * ", f"{rule.value}: {_cited(code, rule)}"))
        for other in CODES.values():
            if other is not code:
                _tell_other(other, rule)


def _tell_other(code: Code, rule: Rule) -> None:
    """Tell what another code has in the place of a rule."""
    if not code.has(rule):
        print(f"      {code.id}: has no such rule")
        return
    print(f"      {code.id}: {_cited(code, rule)}")
    cites = code.cites(rule)
    for law in code.laws:
        if law.number in cites:
            print(_wrapped(f"        {law.number}  ", law.gist))


def tests_of(heading: str, number: str, cell: int) -> str:
    """Return the tests in that cell of the page of the laws; nothing where the page is not to be had."""
    page = _page()
    section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > cell and cells[1] == number:
            return ", ".join(f"tests/{name.strip(' `')}.py" for name in cells[cell].split(",") if "`" in name)
    return ""


def _page() -> str:
    """Return LAWS.md: inside an installed package, or beside the package in a clone."""
    import oddtrick_rules.codes

    package = Path(oddtrick_rules.codes.__file__).parents[1]
    found = next((path for path in (package / PAGE, package.parent / PAGE) if path.is_file()), None)
    return "" if found is None else found.read_text(encoding="utf-8")


def rules_on(code: Code, number: str) -> list[Rule]:
    """Return the rules of the engine that rest on that law of the code, or on that ruling."""
    return [rule for rule, cites in code.rules.items() if number in cites]


def _cited(code: Code, rule: Rule) -> str:
    cites = code.cites(rule)
    laws = [cite for cite in cites if not cite.startswith("R")]
    rulings = [cite for cite in cites if cite.startswith("R")]
    said = [f"law {', '.join(laws)}"] if laws else []
    if rulings:
        said.append(f"ruling {', '.join(rulings)}")
    return "; ".join(said)


def _wrapped(indent: str, text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent))
