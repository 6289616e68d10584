"""What every hostile guest finds: a server whose log is kept for the test, and a loop whose faults are."""

import asyncio
import io
import logging
import sys
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import structlog

from oddtrick_server.logs import start_logs
from support.attacker import Unhandled


@pytest.fixture
def server_log() -> Iterator[io.StringIO]:
    """What the server logs during a test, one JSON object a line."""
    out = io.StringIO()
    start_logs(form="json", level="debug", stream=out)
    yield out
    structlog.reset_defaults()


@pytest.fixture
async def unhandled(server_log: io.StringIO) -> AsyncIterator[Unhandled]:
    """What nobody caught: in the loop, in the server, or in the library that calls it."""
    found = Unhandled(server_log)
    asyncio.get_running_loop().set_exception_handler(found.note)
    logger = logging.getLogger("websockets")
    before = (logger.level, logger.propagate, list(logger.handlers))
    found.watch_library()
    yield found
    logger.level, logger.propagate, logger.handlers[:] = before


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a figure where whoever runs the tests sees it."""

    def say(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{line}\n")

    return say
