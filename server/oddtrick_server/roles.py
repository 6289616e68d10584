"""Who may ask what of a table: one matrix. Whether it can be done just now is the command's own business."""

from __future__ import annotations

from enum import Enum
from typing import Final

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Refuse


class Role(Enum):
    """What somebody is to a table. A host is a seat or a bystander too, or the one who opened it."""

    STRANGER = "stranger"
    BYSTANDER = "bystander"
    SEAT = "seat"
    HOST = "host"


ANYBODY: Final = frozenset(Role)
SEATS_ONLY: Final = frozenset({Role.SEAT})
HOST_ONLY: Final = frozenset({Role.HOST})
MEMBERS: Final = frozenset({Role.SEAT, Role.BYSTANDER, Role.HOST})

MATRIX: Final[dict[type[m.ClientMessage], frozenset[Role]]] = {
    m.Sit: ANYBODY,
    m.Watch: ANYBODY,
    m.DeclareIn: frozenset({Role.BYSTANDER}),
    m.Resume: MEMBERS,
    m.Leave: MEMBERS,
    m.Stand: SEATS_ONLY,
    m.Start: HOST_ONLY,
    m.Kick: HOST_ONLY,
    m.SetClocks: HOST_ONLY,
    m.AddBot: HOST_ONLY,
    m.RemoveBot: HOST_ONLY,
    m.Pause: SEATS_ONLY,
    m.Unpause: SEATS_ONLY,
    m.Again: SEATS_ONLY,
    m.Propose: SEATS_ONLY,
    m.Consent: frozenset({Role.SEAT, Role.BYSTANDER}),
    m.Act: SEATS_ONLY,
    m.Chat: frozenset({Role.SEAT, Role.BYSTANDER}),
    m.Phrase: SEATS_ONLY,
    m.Away: SEATS_ONLY,
    m.Back: SEATS_ONLY,
    m.Commit: SEATS_ONLY,
    m.Reveal: SEATS_ONLY,
}


def refusal_for(kind: type[m.ClientMessage], roles: frozenset[Role]) -> Refuse | None:
    """Why somebody with these roles may not ask that; None if he may. A kind that is not in the matrix is for nobody."""
    allowed = MATRIX.get(kind, frozenset())
    if roles & allowed:
        return None
    if allowed == HOST_ONLY:
        return Refuse.NOT_HOST
    if roles == {Role.STRANGER}:
        return Refuse.NOT_AT_TABLE
    return Refuse.NOT_SEATED if Role.SEAT in allowed else Refuse.FORBIDDEN
