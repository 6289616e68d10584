"""Who asks something of a table, and what he is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from oddtrick_protocol.closing import LAW_REFUSALS, REFUSALS, Refuse
from oddtrick_protocol.messages import Ok, Refused
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who said who he is; by his name nothing is decided."""

    identity: str
    name: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """It was done; `seat` is the seat it was about, `invite` what lets others in."""

    seat: Seat | None = None
    invite: str | None = None


@dataclass(frozen=True, slots=True)
class No:
    """It was refused, and nothing changed."""

    code: str
    text: str = ""
    cites: tuple[str, ...] = ()
    retry_after_ms: int | None = None


Reply: TypeAlias = Done | No
DONE: Final = Done()


def no(code: Refuse, text: str = "", *, cites: tuple[str, ...] = (), retry_after_s: float | None = None) -> No:
    """A refusal of the server's own."""
    after = None if retry_after_s is None else max(1, int(retry_after_s * 1000))
    return No(code.value, text or REFUSALS[code], cites, after)


def no_by_law(refusal: Refusal) -> No:
    """A refusal of the laws."""
    return No(refusal.why.value, LAW_REFUSALS[refusal.why], refusal.cites)


def message_of(reply: Reply, *, id: str, table: str | None) -> Ok | Refused:  # noqa: A002 -- the wire's own word
    """The answer as it is sent."""
    if isinstance(reply, Done):
        return Ok(id=id, table=table, seat=None if reply.seat is None else reply.seat.name, invite=reply.invite)
    return Refused(
        id=id,
        code=reply.code,
        text=reply.text,
        law=reply.cites[0] if reply.cites else None,
        cites=list(reply.cites),
        retry_after_ms=reply.retry_after_ms,
    )
