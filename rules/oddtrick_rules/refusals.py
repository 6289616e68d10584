"""Why an act was refused: values, never raised. A refused act changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from oddtrick_rules.code import Cites


class Why(StrEnum):
    """The closed list of reasons; PROTOCOL.md lists them for clients."""

    NOT_NOW = "not_now"  # the table is at a stage where this act has no meaning
    NOT_YOUR_TURN = "not_your_turn"
    NOT_YOURS = "not_yours"  # the act belongs to another seat or side
    NO_SUCH_CARD = "no_such_card"  # the card is not in that hand
    MUST_FOLLOW = "must_follow"  # strict: a revoke
    MUST_OBEY = "must_obey"  # a lawful call binds this play
    PENDING_CHOICE = "pending_choice"  # an adversary's choice holds up play
    NO_RIGHT = "no_right"  # no such penalty is open to this seat
    TOO_LATE = "too_late"  # the time the law gave for it is over
    ALREADY_DONE = "already_done"
    IRREGULAR = "irregular"  # strict and guided: the table does not allow the irregularity
    NOT_IN_CODE = "not_in_code"  # the code in force has no such act
    TRUE_RENOUNCE = "true_renounce"  # the card was rightly played: there is nothing to correct
    FORFEITED = "forfeited"  # the right was lost by an act of its own side
    WRONG_DEMAND = "wrong_demand"  # the offence does not carry that penalty
    OPEN_CLAIMS = "open_claims"  # a charge or an election is still open
    MALFORMED = "malformed"  # the act contradicts itself


@dataclass(frozen=True, slots=True)
class Refusal:
    """An act refused: the reason, and the laws and rulings it rests on (possibly none)."""

    why: Why
    cites: Cites = ()
