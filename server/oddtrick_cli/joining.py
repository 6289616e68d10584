"""What the commands that talk to a server share: its address, who one is, and how a failure is told."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from oddtrick_cli.reading import printable

if TYPE_CHECKING:
    from oddtrick_sdk import Client, Offline, Options

DEFAULT_URL: Final = "ws://127.0.0.1:8765"
REFUSED: Final = 1
CANNOT: Final = 2
ACCOUNT_TOKEN: Final = re.compile(r"ey[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
"""A JSON Web Token; no server's own begins so."""
ENFORCEMENTS: Final = ("strict", "guided", "club")


def add_server(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which server, and as whom."""
    parser.add_argument("--url", default=DEFAULT_URL, help=f"the server (default: {DEFAULT_URL})")
    parser.add_argument("--token", help="the token of an identity one has had before, or of an account")


def add_table_wishes(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what kind of table."""
    parser.add_argument("--code", help="the code of laws (default: english-1864, or whatever the table has)")
    parser.add_argument("--enforcement", choices=ENFORCEMENTS, help="how far the table lets its players err")
    parser.add_argument("--invite", help="the invite of a private table")


def say(line: str) -> None:
    """Tell an error in one line."""
    print(printable(line), file=sys.stderr)


def as_whom(token: str | None, on_offline: Callable[[Offline], None]) -> tuple[str | None, Options]:
    """Return what to show in `hello`, and options by which an account's token, too long for that, stands in a header."""
    from oddtrick_sdk import Options, WithBearer

    if token is None or not is_of_account(token):
        return token, Options(on_offline=on_offline)
    return None, Options(opener=WithBearer(token), on_offline=on_offline)


def is_of_account(token: str) -> bool:
    """Tell whether a token was made by the issuer of an account, not by a server of ours."""
    return ACCOUNT_TOKEN.fullmatch(token) is not None


@asynccontextmanager
async def connected(url: str, *, name: str, token: str | None) -> AsyncIterator[Client]:
    """Connect. That the server puts us off is told as long as there is no table to tell of it."""
    from oddtrick_sdk import Client
    from oddtrick_sdk.run import first_offline

    tell = first_offline(url, say)

    def on_offline(offline: Offline) -> None:
        if not client.identity:
            tell(offline)

    shown, options = as_whom(token, on_offline)
    client = Client(url, name=name, token=shown, options=options)
    async with client:
        yield client


def talk(conversation: Coroutine[Any, Any, int], url: str) -> int:
    """Run a conversation with a server and return the exit code; what goes wrong is told in one line.

    REFUSED if the server will not have us or does not do what was asked, CANNOT if it cannot be reached or used.
    """
    from oddtrick_sdk import Disconnected, Refused, Unwelcome

    quiet_log()
    try:
        return asyncio.run(conversation)
    except Refused as refused:
        say(f"refused ({refused.code}): {refused}")
        return REFUSED
    except Unwelcome as unwelcome:
        say(f"refused ({unwelcome.refusal}): {unwelcome}")
        return REFUSED
    except Disconnected as ended:
        say(f"{url}: {ended.why}" if url not in ended.why else ended.why)
        return code_after(ended.code)


def code_after(close: int | None) -> int:
    """Return the exit code after a server closed the connection with that code (None: it was lost, or never stood)."""
    from oddtrick_protocol.closing import Close

    refusing = {Close.BAD_MESSAGE, Close.TOO_BIG, Close.BAD_CREDENTIALS, Close.FORBIDDEN, Close.VERSION}
    return REFUSED if close in refusing else CANNOT


def quiet_log() -> None:
    """Send the SDK's log to standard error, warnings and worse, so that output stays what was asked for."""
    import logging

    import structlog

    from oddtrick_server.logs import lossy_logger_factory

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=lossy_logger_factory(sys.stderr),
    )
