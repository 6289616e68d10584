"""What the server says of itself."""

import io
import json

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
