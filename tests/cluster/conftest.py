"""One Redis for the servers of all tests here, and a way to print figures."""

import sys
from collections.abc import Callable, Iterator

import pytest

from support.redis_servers import RedisServer


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis that no test hurts."""
    with RedisServer(tmp_path_factory.mktemp("cluster-redis")) as server:
        yield server


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a figure where whoever runs the tests sees it."""

    def say(text: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{text}\n")

    return say
