"""Who is not let in: he is told why, and so is the operator."""

from dataclasses import replace

import pytest
import structlog
from websockets.exceptions import InvalidStatus

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.logs import Say
from oddtrick_server.settings import Settings
from support.wire import dial, until


async def refusal(app: App) -> tuple[int, str]:
    """The status and the text of an upgrade that is refused, which the log has too."""
    with structlog.testing.capture_logs() as logged, pytest.raises(InvalidStatus) as refused:
        await dial(app.url)
    response = refused.value.response
    status, text = response.status_code, (response.body or b"").decode().strip()
    assert [(line["status"], line["why"]) for line in logged if line["event"] == Say.CONNECTION_REFUSED] == [
        (status, text)
    ]
    return status, text


async def test_each_reason_is_told_and_logged() -> None:
    """No room, too many from one address, not ready: each has its own text, here and in the log."""
    limits = replace(DEFAULT_LIMITS, connections_per_address_max=1, connections_max=2)
    async with App(Settings(port=0, store="memory", limits=limits), clock=VirtualClock()) as app:
        first = await dial(app.url)
        assert await refusal(app) == (429, "too many connections from this address")
        app.lobby.is_reachable = False
        assert await refusal(app) == (503, "not ready: try again in a moment")
        app.lobby.is_reachable = True
        await first.close()
    async with App(
        Settings(port=0, store="memory", limits=replace(limits, connections_max=1)), clock=VirtualClock()
    ) as app:
        first = await dial(app.url)
        assert await refusal(app) == (503, "no room here now")
        with structlog.testing.capture_logs() as logged:
            await first.close()
            await until(lambda: Say.CONNECTION_CLOSED in [line["event"] for line in logged])
        assert [repr(line["code"]) for line in logged if line["event"] == Say.CONNECTION_CLOSED] == ["1000"]
