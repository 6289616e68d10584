"""What is wrong with a text in the notation, and where."""

from __future__ import annotations

from typing import Final

# A hand with every act and comment one could wish for is a few thousand characters long.
RECORD_CHARS_MAX: Final = 262_144
QUOTED_CHARS_MAX: Final = 60


class NotationError(ValueError):
    """The text is not in the notation: `reason` is one printable line; `line` counts from 1, 0 if there is none."""

    def __init__(self, reason: str, *, line: int = 0) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.line = line

    def at(self, line: int) -> NotationError:
        """Return the same complaint about that line."""
        return NotationError(self.reason, line=line)


def quoted(text: str) -> str:
    """Return text from a stranger fit to stand in an error line: short, and with nothing a terminal would obey."""
    short = text if len(text) <= QUOTED_CHARS_MAX else text[:QUOTED_CHARS_MAX] + "..."
    return "`" + "".join(char if char.isprintable() else ascii(char)[1:-1] for char in short) + "`"
