"""The server's tests keep its log to themselves."""

import io
from collections.abc import Iterator

import pytest
import structlog

from oddtrick_server.logs import start_logs


@pytest.fixture(autouse=True)
def server_log() -> Iterator[io.StringIO]:
    """What the server logs during a test, one JSON object a line."""
    out = io.StringIO()
    start_logs(form="json", level="debug", stream=out)
    yield out
    structlog.reset_defaults()
