"""What can go wrong, by whose fault.

OddtrickError
├── Refused              the server or the laws said no to one message; the connection is well
├── ProtocolViolation    the server sent what it may not; the connection is given up
└── Disconnected         the connection ended and connecting again is of no use (`why` says what to do)
    ├── Unreachable      there never was one: nothing that answers as a server could be reached
    └── Unwelcome        the server refused `hello`: it will not have us, by this name or token
"""

from __future__ import annotations

from oddtrick_protocol.messages import Refused as RefusedMessage


class OddtrickError(Exception):
    """The base of all errors of the SDK."""


class Refused(OddtrickError):
    """A message was refused and changed nothing. `code` is stable (PROTOCOL.md), `law` the law it rests on, if any."""

    def __init__(self, message: RefusedMessage) -> None:
        law = "" if not message.law else f" ({message.law})" if message.law.startswith("R") else f" (law {message.law})"
        super().__init__(f"{message.text or message.code}{law}")
        self.code = message.code
        self.law = message.law
        self.cites = tuple(message.cites)
        self.text = message.text
        self.retry_after_ms = message.retry_after_ms


class ProtocolViolation(OddtrickError):
    """The server sent what no server may send."""


class Disconnected(OddtrickError):
    """The connection is over for good: `code` is the close code, `why` a sentence."""

    def __init__(self, why: str, *, code: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.code = code


class Unreachable(Disconnected):
    """No first connection could be had."""


class Unwelcome(Disconnected):
    """The server refused `hello`; `refusal` is the code, as `Refused` has it of other messages (PROTOCOL.md)."""

    def __init__(self, why: str, *, refusal: str) -> None:
        super().__init__(why)
        self.refusal = refusal
