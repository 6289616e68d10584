"""The version of the protocol, the names of its two subprotocols, and which of them to speak.

The major version stands in the subprotocol's name and changes when an old client could no longer play. The minor one
counts additions: a client ignores what it does not know, a server refuses what it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

PROTOCOL: Final = 1
MINOR: Final = 0
BUILD: Final = "0.1.0"  # the distribution's own version; a test holds it to pyproject.toml

MSGPACK: Final = "oddtrick.v1.msgpack"
JSON: Final = "oddtrick.v1.json"
SUBPROTOCOLS: Final = (MSGPACK, JSON)

CAPABILITIES: Final = ("resume", "events", "fair-deals")
"""What this version can do beyond the protocol's first release; sent in `welcome`."""


def choose_subprotocol(offered: Iterable[str]) -> str | None:
    """Return the first subprotocol the client offers that we speak, None if there is none.

    The client's order counts, as RFC 6455 has it. For None, refuse the upgrade with `subprotocol_refusal`.
    """
    return next((name for name in offered if name in SUBPROTOCOLS), None)


def subprotocol_refusal() -> str:
    """Return the text of the HTTP 400 for an upgrade that offers no subprotocol we speak."""
    return f"offer one of these WebSocket subprotocols: {', '.join(SUBPROTOCOLS)}\n"


def speaks(protocol: int) -> bool:
    """Tell whether a client of that major version can be served; if not, close with 4426."""
    return protocol == PROTOCOL
