"""Hears of faults by the logs: those of the servers, of the clients and of what carries their lines.

Whatever goes wrong around it, no server logs a fault of its own unless it has one: it would go on, and the evening would hold.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import structlog

from oddtrick_cli.simulation.loop import HOST
from oddtrick_server.logs import Say

FAULTS: Final = frozenset({Say.FAULT.value, Say.TABLE_UNREADABLE.value, "client_failed", "bot_failed"})


@contextlib.contextmanager
def hearing(say: Callable[[str], None]) -> Iterator[None]:
    """Tell `say` of every fault that is logged meanwhile, whether the log is shown or not."""
    shown: Any = structlog.get_config()["wrapper_class"]

    class Heard(shown):  # type: ignore[misc]  # whatever shows the log goes on doing so
        def error(self, event: str, *args: Any, **fields: Any) -> Any:
            if event in FAULTS:
                error = sys.exc_info()[1] if fields.get("exc_info") else None
                say(f"{HOST.get()}: {event!s}: {fields.get('why') if error is None else told(error)}")
            return super().error(event, *args, **fields)

    carrier = logging.getLogger("websockets")
    level, propagates, ear = carrier.level, carrier.propagate, _Ear(say)
    structlog.configure(wrapper_class=Heard)
    carrier.addHandler(ear)
    carrier.setLevel(logging.ERROR)
    carrier.propagate = False
    try:
        yield
    finally:
        structlog.configure(wrapper_class=shown)
        carrier.removeHandler(ear)
        carrier.setLevel(level)
        carrier.propagate = propagates


class _Ear(logging.Handler):
    """Hears what the library of the lines could not hand on to anybody."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        """Tell of it."""
        error = None if record.exc_info is None else record.exc_info[1]
        self._say(f"{HOST.get()}: {record.getMessage()}: {'' if error is None else told(error)}")


def told(error: BaseException) -> str:
    """Say what was raised, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return repr(error)
    where = frames[-1]
    return f"{error!r} in {where.name}, line {where.lineno} of {Path(where.filename).name}: {where.line}"
