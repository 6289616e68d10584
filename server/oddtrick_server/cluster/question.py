"""What somebody asked a table of another server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oddtrick_protocol import messages as m

if TYPE_CHECKING:
    from oddtrick_server.at_table import Line


@dataclass(slots=True)
class Question:
    """What a line asked and was not answered yet."""

    line: Line
    number: int
    message: m.ClientMessage
    elsewhere: Callable[[], None] | None
    asked_at: float
    sent_at: float
    is_ours: bool = False  # the server asks it for the line; nobody waits for the answer
