"""What we lean on, and why."""

import re

from support.sources import ROOT, project

SECTION = re.compile(r"^(#+) Dependencies\n(.*?)(?=^#{1,6} |\Z)", re.MULTILINE | re.DOTALL)
WORDS_MIN = 3


def declared() -> set[str]:
    """The name of every dependency in pyproject.toml, of every extra."""
    table = project()["project"]
    extras = table["optional-dependencies"].values()
    requirements = [*table["dependencies"], *(requirement for extra in extras for requirement in extra)]
    return {re.split(r"[^\w.\-]", requirement, maxsplit=1)[0] for requirement in requirements}


def reasons(page: str) -> dict[str, str]:
    """What the section Dependencies says of each name in backticks: the line the name stands on."""
    section = SECTION.search(page)
    lines = section[2].splitlines() if section else []
    return {name: line for line in lines for name in re.findall(r"`([\w.\-]+)`", line)}


def without_reason(page: str, names: set[str]) -> set[str]:
    """Names of which the section says nothing, or next to nothing."""
    said = reasons(page)
    return {
        name for name in names if len(re.findall(r"[A-Za-z]+", said.get(name, "").replace(f"`{name}`", ""))) < WORDS_MIN
    }


def test_every_dependency_has_its_reason() -> None:
    """The README's section Dependencies names each dependency in backticks and says on that line what it is for."""
    assert not without_reason((ROOT / "README.md").read_text(encoding="utf-8"), declared())


def test_a_dependency_without_reason_is_caught() -> None:
    """A dependency named without a word why, or outside the section, is found."""
    page = (
        "# A\n`uvloop` is a much faster event loop.\n## Dependencies\n`redis` joins several servers.\n`msgpack`\n# B\n"
    )
    assert without_reason(page, {"redis", "msgpack", "uvloop"}) == {"msgpack", "uvloop"}


def test_the_rules_bots_and_command_line_need_no_server() -> None:
    """What only the server uses is in the server extra, so that a bot author installs none of it."""
    table = project()["project"]
    base = {re.split(r"[^\w.\-]", requirement, maxsplit=1)[0] for requirement in table["dependencies"]}
    assert base == {"msgpack", "msgspec", "structlog", "websockets"}
    assert any(requirement.startswith("redis") for requirement in table["optional-dependencies"]["server"])
