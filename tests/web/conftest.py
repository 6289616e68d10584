"""A real server and a real Chromium, once for all tests of the page, which come last."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from web.people import Person, Server

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
SETTINGS = """
allow_seeds = true
store = "sqlite:{store}"
log_level = "warning"

[limits]
bot_think_s = 0.05
commit_s = 2.0
reveal_s = 2.0
cut_to_deal_s = 0.3
creates_burst = 1000
connects_burst = 1000
connects_per_s = 100.0
connections_per_address_max = 500
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the page's tests after all others: Playwright keeps a loop in the main thread, and nobody else could run one there."""
    items.sort(key=lambda item: item.path.parent == Path(__file__).parent)


@pytest.fixture(scope="session")
def playing() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playing: Playwright) -> Iterator[Browser]:
    browser = playing.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server.started(tmp_path_factory.mktemp("server"), SETTINGS)
    yield server
    server.stop()


@dataclass
class People:
    """Everybody in a test: each in a browser context of his own."""

    browser: Browser
    server: Server
    contexts: list[BrowserContext]

    def person(self, name: str, *, width: int = 1280, height: int = 800, **options: object) -> Person:
        """Somebody with a browser of his own, not yet at the page."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        self.contexts.append(context)
        return Person(name, context, self.server)


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[People]:
    people = People(browser, server, [])
    yield people
    for context in people.contexts:
        context.close()


def node_is_there() -> bool:
    """Whether Node can be run."""
    return subprocess.run(["node", "--version"], capture_output=True, check=False).returncode == 0


ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
