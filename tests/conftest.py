"""What every test may ask for: its size and its seed.

`--long` makes every test that uses `size` as big as it is before a release. `--seed` repeats a
run: the seed of each run is printed at its head, and Hypothesis and our own random tests both
start from it.
"""

import logging
import secrets
from collections.abc import Iterator
from typing import Protocol, TypeVar

import pytest
import structlog
from hypothesis import HealthCheck, settings

# Before anything imports them, or a helper's failed assertion would show no values.
pytest.register_assert_rewrite("support")

Value = TypeVar("Value")

# No deadline: how fast the machine is decides no test. The data base of past failures is off
# because the printed seed already repeats a run.
settings.register_profile(
    "ci",
    deadline=None,
    database=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("ci"), max_examples=2_000)


class Size(Protocol):
    """Picks how much of a thing a test does in this run."""

    def __call__(self, short: Value, long: Value, /) -> Value: ...


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run every sized test at full size")
    parser.addoption("--seed", type=int, help="repeat the run that printed this seed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("long" if config.getoption("--long") else "ci")
    if config.option.seed is None:
        config.option.seed = secrets.randbits(32)
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(config.option.seed)


def pytest_report_header(config: pytest.Config) -> str:
    return f"seed: {config.option.seed} (--seed {config.option.seed} repeats this run)"


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--long"))


@pytest.fixture(scope="session")
def size(long: bool) -> Size:  # noqa: FBT001 - pytest passes fixtures by name
    def choose(short: Value, full: Value, /) -> Value:
        return full if long else short

    return choose


@pytest.fixture(scope="session")
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of this run: derive every other from it, and from nothing else."""
    return int(request.config.getoption("--seed"))


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    """Undo what a command run inside a test set for the logs of its process, or the next test logs into its closed stream."""
    configured, config, level = structlog.is_configured(), structlog.get_config(), logging.getLogger("websockets").level
    yield
    logging.getLogger("websockets").setLevel(level)
    structlog.reset_defaults()
    if configured:
        structlog.configure(**config)
