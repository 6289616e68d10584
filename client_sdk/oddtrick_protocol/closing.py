"""How a connection ends and why a message was refused: one table for each.

`CLOSE_CODES` are the WebSocket close codes a server uses, `REFUSALS` the codes of `refused`; each says what a client
should do next. The reasons of the laws (`oddtrick_rules.refusals.Why`) are refusal codes too: `refusal_codes()` has
both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final

from oddtrick_rules.refusals import Why


class Then(StrEnum):
    """What a client does after a close."""

    RESUME = "resume"  # connect again soon, with jitter, and resume
    LATER = "later"  # connect again after a longer wait, backing off
    STOP = "stop"  # do not connect again without a person or a change


class Close(IntEnum):
    """The close codes."""

    NORMAL = 1000
    GOING_AWAY = 1001
    LOST = 1006
    POLICY = 1008
    TOO_BIG = 1009
    INTERNAL = 1011
    RESTART = 1012
    OVERLOADED = 1013
    BAD_MESSAGE = 4400
    BAD_CREDENTIALS = 4401
    FORBIDDEN = 4403
    NO_TABLE = 4404
    SLOW = 4408
    REPLACED = 4409
    VERSION = 4426
    RATE = 4429


@dataclass(frozen=True, slots=True)
class Closing:
    """A close code's meaning and what to do about it."""

    code: Close
    meaning: str
    then: Then


CLOSE_CODES: Final[dict[int, Closing]] = {
    row.code: row
    for row in (
        Closing(Close.NORMAL, "the client said goodbye, or the server has nothing more to say to it", Then.STOP),
        Closing(Close.GOING_AWAY, "the server stops, or a proxy in front of it was reloaded", Then.RESUME),
        Closing(Close.LOST, "the line was lost (never sent; what a library reports)", Then.RESUME),
        Closing(Close.POLICY, "no `hello` in time, or a message in too many parts", Then.LATER),
        Closing(Close.TOO_BIG, "a message longer than the limit", Then.STOP),
        Closing(Close.INTERNAL, "a fault of the server", Then.RESUME),
        Closing(Close.RESTART, "the server restarts", Then.RESUME),
        Closing(Close.OVERLOADED, "too many connections, here or from this address", Then.LATER),
        Closing(Close.BAD_MESSAGE, "bytes that are no message of the protocol", Then.STOP),
        Closing(Close.BAD_CREDENTIALS, "a token that is not ours or is no longer good", Then.STOP),
        Closing(Close.FORBIDDEN, "shut out by the operator", Then.STOP),
        Closing(Close.NO_TABLE, "the only table of this connection is gone", Then.STOP),
        Closing(Close.SLOW, "the client does not read what it is sent", Then.RESUME),
        Closing(Close.REPLACED, "a newer connection of the same identity took over", Then.STOP),
        Closing(Close.VERSION, "a protocol version the server does not speak", Then.STOP),
        Closing(Close.RATE, "too many messages for too long", Then.LATER),
    )
}


def after_close(code: int) -> Then:
    """Return what a client does after that close code: for one we do not know, the cautious `later`."""
    row = CLOSE_CODES.get(code)
    return Then.LATER if row is None else row.then


class Refuse(StrEnum):
    """Why the server (not the laws) refused a message."""

    MALFORMED_MESSAGE = "malformed_message"
    HELLO_FIRST = "hello_first"
    BAD_TOKEN = "bad_token"  # noqa: S105  # a reason, not a secret
    BAD_NAME = "bad_name"
    VERSION = "version"
    RATE = "rate"
    BUSY = "busy"
    DRAINING = "draining"
    INTERNAL = "internal"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_CODE = "no_such_code"
    NO_SUCH_LAW = "no_such_law"
    NO_SUCH_HAND = "no_such_hand"
    NO_SUCH_BOT = "no_such_bot"
    NO_SUCH_PHRASE = "no_such_phrase"
    NO_SUCH_PERSON = "no_such_person"
    TOO_MANY_TABLES = "too_many_tables"
    INVITE_NEEDED = "invite_needed"
    NO_WATCHING = "no_watching"
    SEAT_TAKEN = "seat_taken"
    NO_FREE_SEAT = "no_free_seat"
    ALREADY_SEATED = "already_seated"
    HAND_KNOWN = "hand_known"
    NOT_SEATED = "not_seated"
    NOT_AT_TABLE = "not_at_table"
    NOT_HOST = "not_host"
    FORBIDDEN = "forbidden"
    NOT_READY = "not_ready"
    IN_PLAY = "in_play"
    PAUSED = "paused"
    SUPERSEDED = "superseded"
    PROMPT_NEEDED = "prompt_needed"
    SUBSTITUTED = "substituted"
    CHANNEL_CLOSED = "channel_closed"
    BAD_CLOCKS = "bad_clocks"
    BAD_COMMITMENT = "bad_commitment"
    BAD_SEQ = "bad_seq"
    SEED_REFUSED = "seed_refused"


REFUSALS: Final[dict[str, str]] = {
    Refuse.MALFORMED_MESSAGE: "the message has a wrong shape; the text says where",
    Refuse.HELLO_FIRST: "the first message must be `hello`",
    Refuse.BAD_TOKEN: "the token is not ours or is no longer good",
    Refuse.BAD_NAME: "the name is empty, too long or not printable",
    Refuse.VERSION: "the protocol version is not spoken here",
    Refuse.RATE: "too many messages; wait `retry_after_ms`",
    Refuse.BUSY: "the table has too much to do; wait `retry_after_ms`",
    Refuse.DRAINING: "the server is about to stop and begins nothing new",
    Refuse.INTERNAL: "a fault of the server; nothing was done",
    Refuse.NO_SUCH_TABLE: "no table of that name, or none that fits",
    Refuse.NO_SUCH_CODE: "no code of laws of that name",
    Refuse.NO_SUCH_LAW: "no law of that number in the code",
    Refuse.NO_SUCH_HAND: "no hand of that number, or it is still in play",
    Refuse.NO_SUCH_BOT: "no house bot of that name",
    Refuse.NO_SUCH_PHRASE: "no set phrase of that name",
    Refuse.NO_SUCH_PERSON: "nobody of that name or seat at the table",
    Refuse.TOO_MANY_TABLES: "this identity has as many tables as it may",
    Refuse.INVITE_NEEDED: "the table is private and the invite is missing or wrong",
    Refuse.NO_WATCHING: "the table admits no bystanders",
    Refuse.SEAT_TAKEN: "somebody sits there",
    Refuse.NO_FREE_SEAT: "all four seats are taken",
    Refuse.ALREADY_SEATED: "this identity has a seat at the table (R33)",
    Refuse.HAND_KNOWN: "this identity has held another hand of the deal in play (R20): its own it may take again",
    Refuse.NOT_SEATED: "only a seat can do this",
    Refuse.NOT_AT_TABLE: "this connection neither sits at the table nor watches it",
    Refuse.NOT_HOST: "only the host can do this",
    Refuse.FORBIDDEN: "this is not for you",
    Refuse.NOT_READY: "the table is not ready for this",
    Refuse.IN_PLAY: "not while a hand is in play",
    Refuse.PAUSED: "the table is paused",
    Refuse.SUPERSEDED: "the prompt answered is no longer the one that stands",
    Refuse.PROMPT_NEEDED: "this act answers a prompt and must name it",
    Refuse.SUBSTITUTED: "a substitute has the seat; `back` returns it between tricks (R20)",
    Refuse.CHANNEL_CLOSED: "nobody may speak on that channel now (R15, R17, R31)",
    Refuse.BAD_CLOCKS: "a clock outside its limits (R32)",
    Refuse.BAD_COMMITMENT: "the commitment or what was revealed does not fit the deal",
    Refuse.BAD_SEQ: "the client claims to have seen what has not happened",
    Refuse.SEED_REFUSED: "the operator allows no seeded deals",
}

LAW_REFUSALS: Final[dict[str, str]] = {
    Why.NOT_NOW: "the table is at a stage where this act has no meaning",
    Why.NOT_YOUR_TURN: "it is another's turn",
    Why.NOT_YOURS: "the act belongs to another seat or side",
    Why.NO_SUCH_CARD: "the card is not in that hand",
    Why.MUST_FOLLOW: "`strict`: it would be a revoke",
    Why.MUST_OBEY: "a lawful call binds this play",
    Why.PENDING_CHOICE: "an adversary's choice holds up play",
    Why.NO_RIGHT: "no such penalty is open to this seat",
    Why.TOO_LATE: "the time the law gave for it is over",
    Why.ALREADY_DONE: "it has been done",
    Why.IRREGULAR: "`strict` and `guided`: the table does not allow the irregularity",
    Why.NOT_IN_CODE: "the code in force has no such act",
    Why.TRUE_RENOUNCE: "the card was rightly played: there is nothing to correct",
    Why.FORFEITED: "the right was lost by an act of its own side",
    Why.WRONG_DEMAND: "the offence does not carry that penalty",
    Why.OPEN_CLAIMS: "a charge or an election is still open",
    Why.MALFORMED: "the act contradicts itself",
}


def refusal_codes() -> dict[str, str]:
    """Return every code that `refused` can carry, with its meaning: the server's, then the laws'."""
    return {**REFUSALS, **LAW_REFUSALS}
