"""The JavaScript client's conversation with a server, without a browser."""

from web.node import HERE, run


def test_a_busy_table_is_asked_for_again() -> None:
    """A table too busy to be resumed is asked for again after a while; one that is gone is told to be."""
    done = run("node", HERE / "session_check.mjs")
    assert done.returncode == 0, done.stderr
