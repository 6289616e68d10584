"""What every hostile guest finds: a server whose log is kept for the test, and a loop whose faults are."""

import asyncio
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from oddtrick_server.logs import start_logs


@pytest.fixture
def server_log() -> Iterator[io.StringIO]:
    """What the server logs during a test, one JSON object a line."""
    out = io.StringIO()
    start_logs(form="json", level="debug", stream=out)
    yield out
    structlog.reset_defaults()


@pytest.fixture
async def unhandled(server_log: io.StringIO) -> "Unhandled":
    """What nobody caught, in the loop or in the server."""
    found = Unhandled(server_log)
    asyncio.get_running_loop().set_exception_handler(found.note)
    return found


class Unhandled:
    """Exceptions that reached the loop, and faults that the server logged."""

    def __init__(self, log: io.StringIO) -> None:
        self._log = log
        self._of_the_loop: list[str] = []

    def note(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._of_the_loop.append(f"{context.get('message')}: {context.get('exception')!r}")

    @property
    def all(self) -> list[str]:
        lines = (json.loads(line) for line in self._log.getvalue().splitlines())
        return self._of_the_loop + [str(line) for line in lines if line["event"] == "fault"]
