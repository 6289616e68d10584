"""`oddtrick serve`: run a server until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import textwrap
from typing import TYPE_CHECKING, Any, Final

from oddtrick_cli.reading import port_number, printable

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from oddtrick_server.settings import Settings

DONE: Final = 0
CANNOT: Final = 2
OPTIONS: Final = (
    "host", "port", "store", "allow_seeds", "admin_key_file", "admin_port", "log_format", "log_level",
)  # fmt: skip
WIDTH: Final = 80
# The settings that are no options. Here, and not where they are kept, which `--help` would have to load.
OTHERS: Final = {
    "origins": "pages of other sites that may connect, as https://example.org",
    "trusted_proxies": "addresses and networks whose X-Forwarded-For is believed, as 10.0.0.0/24",
    "token_key_file": "keys that sign tokens, one a line, the newest first (default: in the store)",
    "accounts_keys_file": "a JSON Web Key Set: who shows a token that it signed has an account",
    "accounts_issuer": "the issuer (iss) of those tokens",
    "accounts_audience": "their audience (aud)",
    "accounts_only": "let in nobody who has no account",
    "limits": "a table, in the file alone: the bounds that deploy/README.md speaks of",
}


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "serve",
        help="run a server",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=textwrap.fill(
            "Run a server. The first line printed is its URL. SIGTERM and Ctrl-C let every table keep what it was "
            "asked and tell the clients to come back; exit 0. Exit 2, with one line that says why, if it cannot run. Every "
            "option may be set by the environment (ODDTRICK_PORT ...) or in a file (--config); a "
            "name there that is no setting is refused.",
            WIDTH,
        ),
        epilog="settings of the environment (ODDTRICK_ORIGINS=...) and the file alone:\n"
        + "\n".join(f"  {name:<19} {says}" for name, says in OTHERS.items()),
    )
    parser.add_argument("--host", help="the address to listen at (default: 127.0.0.1)")
    parser.add_argument("--port", type=port_number, help="the port; 0 for any that is free (default: 8765)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--store", help="sqlite:PATH, memory or an address of Redis (default: sqlite:oddtrick.db)")
    where.add_argument(
        "--redis",
        metavar="URL",
        help="share tables with other servers: redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/SERVICE or"
        " redis+cluster://HOST:PORT, in place of --store",
    )
    parser.add_argument("--config", metavar="FILE", help="a TOML file with settings")
    parser.add_argument(
        "--allow-seeds", action="store_true", default=None, help="let clients open tables whose deals repeat"
    )
    parser.add_argument(
        "--admin-key-file",
        metavar="FILE",
        help="open the admin port, on 127.0.0.1 alone, to who has the key in this file (default: it is closed)",
    )
    parser.add_argument("--admin-port", type=port_number, help="the admin port; 0 for any that is free (default: 8766)")
    parser.add_argument("--log-format", choices=("console", "json"), help="how to log (default: console)")
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), help="from where on (default: info)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the server; return the exit code."""
    from oddtrick_server.logs import start_logs
    from oddtrick_server.settings import CONFIG_VARIABLE, BadSetting, load_settings

    options = {name: getattr(args, name) for name in OPTIONS}
    if args.redis is not None:
        options["store"] = args.redis
    file = args.config or os.environ.get(CONFIG_VARIABLE)
    try:
        settings = load_settings(options=options, environment=os.environ, file=file)
    except BadSetting as wrong:
        return _cannot(str(wrong))
    start_logs(form=settings.log_format, level=settings.log_level)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(_serve(settings))


async def _serve(settings: Settings) -> int:
    from oddtrick_server.app import App, settle_memory
    from oddtrick_server.settings import BadSetting
    from oddtrick_server.store.errors import StoreError

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        async with App(settings) as app:
            print(app.url, flush=True)
            # Not in the log, out of which addresses are kept, nor where programs read it or less is wanted.
            if settings.log_format == "console" and settings.log_level in {"debug", "info"}:
                print(f"the page: {app.page}", file=sys.stderr, flush=True)
            settle_memory()
            await stop.wait()
    except (StoreError, BadSetting) as wrong:
        return _cannot(str(wrong))
    except OSError as error:
        return _cannot(f"cannot listen at {settings.host}:{settings.port}: {error.strerror or error}")
    except UnicodeError as error:  # a name that no resolver can be asked for
        return _cannot(f"cannot listen at {settings.host}:{settings.port}: {error}")
    return DONE


def _loop_factory() -> Any:
    """The faster loop, where it is installed."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return None
    return uvloop.new_event_loop


def _cannot(why: str) -> int:
    print(printable(f"oddtrick serve: {why}"), file=sys.stderr)
    return CANNOT
