"""What the server says of itself."""

import io
import json
import os
import sys

import pytest

from oddtrick_server.logs import SECRET_FIELDS, Say, log, start_logs


def test_no_secret_reaches_the_log() -> None:
    """A field that could carry a token, a card, an address or words is dropped, whoever logs it."""
    out = io.StringIO()
    start_logs(form="json", stream=out)
    log.info(Say.TABLE_OPENED, table="t1", **dict.fromkeys(SECRET_FIELDS - {"event"}, "SA-secret"))
    line = json.loads(out.getvalue())
    assert line["event"] == Say.TABLE_OPENED
    assert line["table"] == "t1"
    assert "SA-secret" not in out.getvalue()


def test_the_level_is_kept() -> None:
    """Below the chosen level nothing is written."""
    out = io.StringIO()
    start_logs(form="console", level="warning", stream=out)
    log.info(Say.STARTED)
    log.warning(Say.STORE_WAITS)
    assert Say.STORE_WAITS in out.getvalue()
    assert Say.STARTED not in out.getvalue()


def broken_pipe() -> io.TextIOWrapper:
    """The stream of a log whose reader has gone, as under `oddtrick serve 2>&1 | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "w", buffering=1)


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_log_that_cannot_be_written_ends_nothing(form: str) -> None:
    """A reader that went away, a full disk or a closed stream loses lines; the server goes on, and so does the log."""
    lines: list[str] = []

    class FullAtTimes(io.StringIO):
        full = True

        def write(self, text: str) -> int:
            if self.full:
                raise OSError(28, "No space left on device")
            lines.append(text)
            return len(text)

    disk = FullAtTimes()
    start_logs(form=form, stream=disk)
    log.error(Say.TABLE_LOST, table="t1")
    disk.full = False
    log.error(Say.TABLE_LOST, table="t2")
    assert len(lines) == 1
    assert "t2" in lines[0]


def test_a_log_nobody_reads() -> None:
    """A broken pipe is no fault of the table that logs, nor is a stream that was closed."""
    pipe = broken_pipe()
    start_logs(form="json", stream=pipe)
    log.error(Say.TABLE_LOST)
    with pytest.raises(BrokenPipeError):
        pipe.close()
    with pytest.raises(ValueError, match="closed"):
        pipe.write("")
    log.error(Say.TABLE_LOST)


def test_no_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Started without a standard error (`2>&-`) the server logs nothing, and runs."""
    monkeypatch.setattr(sys, "stderr", None)
    start_logs()
    log.error(Say.TABLE_LOST)
