"""The `oddtrick` command: finds the subcommand, loads that one alone, and turns what goes wrong into one line.

A subcommand is a module of this package with `add_parser(subparsers)`, which sets `run`, a function from the parsed
arguments to the exit code: 0 done, 1 it did not hold or was refused, 2 it could not be tried (a wrong option, no such
server, no such file).
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from oddtrick_cli.reading import printable

# The order in which --help lists them.
COMMANDS: Final[dict[str, str]] = {
    "serve": "run a server",
    "play": "sit down at a table in this terminal",
    "watch": "watch a table",
    "bot": "let bots play",
    "check": "check table records against the laws",
    "record": "have a finished hand from a server",
    "replay": "step through a record",
    "law": "read the laws of a code",
    "verify": "check that a deal was fixed by nobody",
    "simulate": "play whole tables, with faults, from one seed",
    "admin": "operate a running server",
}
SERVER_EXTRA: Final = frozenset({"redis", "uvloop", "prometheus_client"})
CANNOT: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its code."""
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Run the command and return its exit code; SystemExit for --help and for wrong options."""
    wanted = next((word for word in argv if not word.startswith("-")), None)
    try:
        arguments = parser_for(wanted).parse_args(argv)
        code: int = arguments.run(arguments)
    except ModuleNotFoundError as missing:
        if missing.name not in SERVER_EXTRA:
            raise
        return _say(f"oddtrick {wanted} needs the server: pip install '.[server]' in a clone")
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; what is still buffered must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return code


def parser_for(wanted: str | None) -> argparse.ArgumentParser:
    """Return the parser, with that subcommand loaded and the others named only."""
    parser = argparse.ArgumentParser(
        prog="oddtrick", description="Whist by the real laws. `oddtrick COMMAND --help` tells more of each."
    )
    parser.add_argument("--version", action="version", version=f"oddtrick {_version()}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, says in COMMANDS.items():
        if name == wanted:
            importlib.import_module(f"oddtrick_cli.{name}").add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=says, add_help=False)
    return parser


def _version() -> str:
    from oddtrick_protocol.version import BUILD

    return BUILD


def _say(line: str) -> int:
    print(printable(line), file=sys.stderr)
    return CANNOT


if __name__ == "__main__":
    main()
