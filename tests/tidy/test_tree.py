"""Where things are: the top level, the packages and the commands a newcomer types."""

import os
import re
from pathlib import Path

import pytest

from support.sources import FOLDERS, LITTER, ROOT, files, is_litter, name, packages, project, text

TOP = {"rules", "client_sdk", "server", "tests", "deploy", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"}
COMMANDS = ("deploy/demo", "tests/run")

# Spelt with a bracket, so that no pattern matches its own spelling here.
FORBIDDEN = {
    "a path of some machine": r"(?<![\w.\-])/(?:wor[k]|roo[t]|hom[e]|farm|User[s]|tm[p])/\w|\.librar[y]\b",
    "the host of a registry": r"\bpypi\.org|pythonhosted\.org|registry\.npmjs|\bdeb\.debian|\bghcr\.io|\bquay\.io",
    "a mark of unfinished work": r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K]|NotImplemented[E]rror)\b",
}
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)(?:#[^)]*)?\)")


def forbidden_in(content: str) -> list[str]:
    return [
        f"line {number}: {what}"
        for number, line in enumerate(content.splitlines(), 1)
        for what, pattern in FORBIDDEN.items()
        if re.search(pattern, line)
    ]


def dead_links(page: Path, content: str) -> list[str]:
    return [target for target in LINK.findall(content) if not (page.parent / target).exists()]


def test_the_top_level_is_fixed() -> None:
    """Nothing stands at the top level but the house's own folders, files and dot-files."""
    assert {path.name for path in ROOT.iterdir() if path.name[0] != "."} <= TOP | LITTER


def test_a_top_level_folder_holds_packages_and_is_none() -> None:
    """In rules, client_sdk and server every folder is a typed package named oddtrick_, and no module lies loose."""
    for folder in FOLDERS:
        for path in (ROOT / folder).iterdir():
            if path.is_dir() and not is_litter(path):
                assert path.name.startswith("oddtrick_"), name(path)
                assert (path / "py.typed").is_file(), f"{name(path)} lacks py.typed"
            else:
                assert path.suffix != ".py", name(path)


def test_packages_have_an_init_and_tests_have_none() -> None:
    """Every folder of modules inside a package has an __init__.py, and no folder of tests has."""
    for package in packages():
        for module in files(name(package), "*.py"):
            assert (module.parent / "__init__.py").is_file(), name(module)
    assert not list(files("tests", "__init__.py"))


def test_only_the_sdk_exports_names_from_its_init() -> None:
    """An empty __init__ makes every import name the file it comes from; bot authors alone get a front door."""
    speaking = {name(path) for package in packages() for path in files(name(package), "__init__.py") if text(path)}
    assert speaking <= {"client_sdk/oddtrick_sdk/__init__.py"}


def test_every_package_is_built_and_has_its_layer() -> None:
    """A package that exists is in the wheel, among import-linter's roots and in the contract of layers."""
    tool = project()["tool"]
    existing = {package.name for package in packages()}
    contract = next(c for c in tool["importlinter"]["contracts"] if c["id"] == "packages")
    layered = {package.strip() for layer in contract["layers"] for package in layer.split("|")}
    assert set(tool["hatch"]["build"]["targets"]["wheel"]["packages"]) == {name(package) for package in packages()}
    assert set(tool["importlinter"]["root_packages"]) == existing
    assert layered == existing


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readmes_two_commands_exist(command: str) -> None:
    """The README names the demo and the tests as one types them, and each is there and can be run."""
    assert f"./{command}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert os.access(ROOT / command, os.X_OK)


def test_ci_runs_what_a_developer_runs() -> None:
    """.ci/run can be run and hands over to tests/run."""
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert "tests/run" in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_scripts_can_be_run() -> None:
    """A file that opens with an interpreter has its run bit, and no other text file has."""
    for path in files():
        content = text(path)
        if content is not None:
            assert content.startswith("#!") == os.access(path, os.X_OK), name(path)


def test_no_file_holds_what_does_not_belong_in_the_project() -> None:
    """No path of a machine, host of a registry or mark of unfinished work stands in any file."""
    found = {name(path): marks for path in files() if (marks := forbidden_in(text(path) or ""))}
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "see /" + "work/plan.md",
        "cd /" + "home/ann/oddtrick",
        "rm -r /" + "tmp/table",
        "pip install -i https://py" + "pi.org/simple x",
        "# TO" + "DO: law 74",
        "raise NotImplemented" + "Error",
    ],
)
def test_what_does_not_belong_is_caught(line: str) -> None:
    """Each kind of thing that does not belong is found when it is planted."""
    assert forbidden_in(line)


def test_links_between_pages_lead_somewhere() -> None:
    """Every relative link in a Markdown page points at a file or folder that exists."""
    dead = {name(page): found for page in files(pattern="*.md") if (found := dead_links(page, text(page) or ""))}
    assert not dead


def test_a_dead_link_is_caught() -> None:
    """A link to a page that is not there is found, and links out of the project are left alone."""
    page = "[gone](gone.md#top) [home](README.md) [out](https://example.org/x) [here](#here)"
    assert dead_links(ROOT / "README.md", page) == ["gone.md"]
