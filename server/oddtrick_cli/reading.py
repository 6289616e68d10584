"""What people hand to a command: files of text, read whole and within bounds, and numbers; one clear line when it will not do."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

STDIN: Final = "-"
PORT_MAX: Final = 65_535


class Unreadable(Exception):
    """There is no such text to be had: the file cannot be opened. The message is one line."""


class NotText(Exception):
    """The file was read and is not text. The message is one line."""


def read_text(name: str, *, bytes_max: int) -> str:
    """Return the text of a file, or of standard input for `-`; `Unreadable`, or `NotText` if it is too long or none."""
    try:
        if name == STDIN:
            data = sys.stdin.buffer.read(bytes_max + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(bytes_max + 1)
    except (OSError, ValueError) as failure:
        reason = failure.strerror if isinstance(failure, OSError) and failure.strerror else str(failure)
        raise Unreadable(f"cannot be read: {reason}") from None
    if len(data) > bytes_max:
        raise NotText(f"is longer than {bytes_max} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as failure:
        line = data[: failure.start].count(b"\n") + 1
        raise NotText(f"line {line}: is not UTF-8 text") from None


def printable(text: str) -> str:
    """Return text in one line that any terminal can show and none obeys."""
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    encoding = sys.stdout.encoding or "utf-8"
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def whole_number(text: str, *, most: int) -> int | None:
    """Return the number that was typed; None if it is none from 0 to `most`, however long it is."""
    number = int(text) if text.isdecimal() and len(text) <= len(str(most)) else -1
    return number if 0 <= number <= most else None


def port_number(text: str) -> int:
    """Return the port that an option names; what no port can be is the parser's error."""
    number = whole_number(text, most=PORT_MAX)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text!r}: a port is 0 to {PORT_MAX}")
    return number
