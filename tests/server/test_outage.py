"""A store that cannot be used for a while is one line in the log when that begins, and one when it is over."""

import structlog

from oddtrick_server.clock import VirtualClock
from oddtrick_server.logs import Say
from oddtrick_server.outage import QUIET_S, Outage
from oddtrick_server.store.errors import StoreBusy


def test_however_many_tables_wait_it_is_said_once() -> None:
    """A hundred tables fail for a minute, some call comes through meanwhile: the log has two lines, and of the next outage two more."""
    clock = VirtualClock()
    outage = Outage(clock)
    with structlog.testing.capture_logs() as logged:
        outage.worked()
        for _ in range(2):
            for _ in range(30):
                for number in range(100):
                    outage.failed(StoreBusy("no room"), table=f"t{number}")
                clock.move(2.0)
                outage.worked()
            clock.move(QUIET_S)
            outage.worked()
            outage.worked()
    events = [(line["event"], line.get("table"), line.get("why"), line.get("waited_s")) for line in logged]
    assert events == 2 * [(Say.STORE_WAITS, "t0", "no room", None), (Say.STORE_BACK, None, None, 58.0)]
