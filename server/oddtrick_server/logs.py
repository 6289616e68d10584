"""What the server says of itself: structured, one line an event, and never a token, a card or an address.

The names of all events are here. `keep_quiet` drops any field that could carry a secret, whoever put it there.
"""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import MutableMapping
from enum import StrEnum
from typing import Any, Final, TextIO, cast

import structlog


class Say(StrEnum):
    """Every event the server logs."""

    STARTED = "server started"
    STOPPING = "server stopping"
    STOPPED = "server stopped"
    TABLE_OPENED = "table opened"
    TABLE_LOADED = "table taken up from its log"
    TABLE_UNLOADED = "table put away"
    TABLE_ARCHIVED = "table archived"
    TABLE_TAKEN_OVER = "table taken over from another server"
    TABLE_LOST = "table given up: its log cannot be written"
    TABLE_GONE = "table closed: the store has it no more"
    TABLE_UNREADABLE = "a table's log cannot be read"
    RUBBER_BEGAN = "rubber began"
    HAND_FINISHED = "hand finished"
    HAND_KEPT_LATE = "hand kept late"
    HAND_UNREADABLE = "a hand cannot be read, and somebody in it cannot be forgotten"
    STORE_WAITS = "store cannot write, trying again"
    STORE_BACK = "store can write again"
    SETTING_BAD = "a file of the operator's cannot be used, going on with what it said before"
    CONNECTION_OPENED = "connection opened"
    CONNECTION_CLOSED = "connection closed"
    CONNECTION_DROPPED = "connection dropped"
    CONNECTION_REFUSED = "connection refused"
    ADMIN_OPEN = "admin port open"
    ADMIN_ASKED = "the operator asked"
    FAULT = "fault"


SECRET_FIELDS: Final = frozenset(
    {
        "address",
        "act",
        "card",
        "cards",
        "entropy",
        "event",
        "hands",
        "ip",
        "invite",
        "key",
        "message",
        "name",
        "password",
        "peer",
        "remote",
        "secret",
        "seed",
        "text",
        "token",
        "view",
    }
)


def keep_quiet(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Drop the fields that may not be logged; the name of the log event itself stays under `event`."""
    return {key: value for key, value in event.items() if key == "event" or key not in SECRET_FIELDS}


class Lossy:
    """A stream to log to that never raises: who reads the log may go, or the disk be full, and no table may end of it.

    What cannot be written is lost; a later line is tried again.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text` if the stream takes it; ValueError is what a closed one says."""
        with contextlib.suppress(OSError, ValueError):
            if self._stream is not None:
                self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush what the stream takes."""
        with contextlib.suppress(OSError, ValueError):
            if self._stream is not None:
                self._stream.flush()


def lossy_logger_factory(stream: TextIO | None) -> structlog.WriteLoggerFactory:
    """Make loggers for `stream` that no fault of the stream reaches (None, as when standard error is closed, logs nothing)."""
    return structlog.WriteLoggerFactory(file=cast(TextIO, Lossy(stream)))


def start_logs(*, form: str = "console", level: str = "info", stream: TextIO | None = None) -> None:
    """Log to `stream` (standard error if None) as `json` or for the `console`, from `level` on."""
    out = sys.stderr if stream is None else stream
    colors = out is not None and out.isatty()
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if form == "json" else structlog.dev.ConsoleRenderer(colors=colors)
    )
    structlog.configure(
        processors=[
            keep_quiet,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=lossy_logger_factory(out),
        cache_logger_on_first_use=False,
    )
    # The libraries' own logs name addresses, and speak of every bad handshake.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


log: structlog.typing.FilteringBoundLogger = structlog.get_logger()
