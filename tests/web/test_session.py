"""The JavaScript client's conversation with a server, without a browser."""

from web.node import HERE, run


def test_tables_over_broken_lines() -> None:
    """A table too busy to be resumed is asked for again, one that is gone is told to be, one just joined is resumed."""
    done = run("node", HERE / "session_check.mjs")
    assert done.returncode == 0, done.stderr
