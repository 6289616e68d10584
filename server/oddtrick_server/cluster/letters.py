"""What servers write to each other about tables.

    edge to owner   Follow, Unfollow, Ask, Gone
    owner to edge   News, Replaced, NotMine, Released
    both ways       Beat

The owner of a table is the server that holds its lease; an edge is one with people at a table that another owns. Every letter may
be lost, or come twice. What is lost is asked again (Ask, Follow), found in the log (News), or told by the next Beat; who is at a
table (Follow, Gone) is compared with every Beat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias
from zlib import crc32

import msgspec
from msgspec import Struct

from oddtrick_protocol.messages import FromClient
from oddtrick_rules.seats import Seat
from oddtrick_server.person import Done, No, Person, Reply


class Guest(Struct, frozen=True, array_like=True):
    """A line of an edge: its number there, and who it is.

    `shown`: the table is shown on it. `closed`: it is closed already, and only what it asked is still to be answered.
    """

    number: int
    identity: str
    name: str
    bot: bool = False
    shown: bool = False
    closed: bool = False

    @property
    def person(self) -> Person:
        """Who it is."""
        return Person(self.identity, self.name, self.bot)


class Answer(Struct, frozen=True, array_like=True):
    """The answer to what line `number` asked under `id`: done (with its seat), or refused."""

    number: int
    id: str
    seat: str | None = None
    invite: str | None = None
    code: str | None = None
    text: str = ""
    cites: tuple[str, ...] = ()
    retry_after_ms: int | None = None

    @property
    def reply(self) -> Reply:
        """As a table gave it."""
        if self.code is not None:
            return No(self.code, self.text, self.cites, self.retry_after_ms)
        return Done(None if self.seat is None else Seat[self.seat], self.invite)


def answer_of(number: int, id_: str, reply: Reply) -> Answer:
    """A table's reply, to be sent."""
    if isinstance(reply, No):
        return Answer(
            number, id_, code=reply.code, text=reply.text, cites=reply.cites, retry_after_ms=reply.retry_after_ms
        )
    return Answer(number, id_, seat=None if reply.seat is None else reply.seat.name, invite=reply.invite)


class Follow(Struct, frozen=True, tag="follow"):
    """People here are at your table: tell me what happens there. `guests` are all who have asked or are shown anything."""

    sender: str
    table: str
    guests: list[Guest]


class Unfollow(Struct, frozen=True, tag="unfollow"):
    """Nobody here is at your table any more."""

    sender: str
    table: str


class Ask(Struct, frozen=True, tag="ask"):
    """A line asks something of the table."""

    sender: str
    table: str
    guest: Guest
    message: msgspec.Raw


class Gone(Struct, frozen=True, tag="gone"):
    """A line is closed."""

    sender: str
    table: str
    number: int


class News(Struct, frozen=True, tag="news"):
    """Entries `first`, `first + 1` ... of the log are kept and may be shown; and answers that rest on them.

    `now` is the owner's clock, by which the table's clocks run.
    """

    sender: str
    table: str
    fence: int
    first: int
    entries: list[bytes]
    answers: list[Answer]
    now: float


class Replaced(Struct, frozen=True, tag="replaced"):
    """Whom this line belongs to has come on a newer one."""

    sender: str
    table: str
    number: int


class NotMine(Struct, frozen=True, tag="not_mine"):
    """I do not own that table (any more)."""

    sender: str
    table: str


class Released(Struct, frozen=True, tag="released"):
    """I have let go of that table: whoever has people there takes it over."""

    sender: str
    table: str


class Head(Struct, frozen=True, array_like=True):
    """How long a table's log is, as far as it may be shown."""

    table: str
    fence: int
    seq: int


class Beat(Struct, frozen=True, tag="beat"):
    """I am here: of mine, you follow `owned`; of yours, I follow `followed`.

    `lines` says of each of those which lines I have there (`lines_digest`), so that a Gone or a Follow that was lost is noticed;
    builds that know nothing of it do not tell.
    """

    sender: str
    owned: list[Head]
    followed: list[str]
    now: float
    lines: dict[str, int] = {}


Letter: TypeAlias = Follow | Unfollow | Ask | Gone | News | Replaced | NotMine | Released | Beat
OfTable: TypeAlias = Follow | Unfollow | Ask | Gone | News | Replaced | NotMine | Released


def lines_digest(numbers: Iterable[int]) -> int:
    """The same number on two servers if, and but for a rare chance only if, both have the same lines of an edge."""
    return crc32(b"".join(number.to_bytes(8) for number in sorted(numbers)))


class _Identified(Struct):
    id: str


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final[msgspec.msgpack.Decoder[Letter]] = msgspec.msgpack.Decoder(Letter)
_messages: Final[msgspec.msgpack.Decoder[Any]] = msgspec.msgpack.Decoder(FromClient)


def encode_letter(letter: Letter) -> bytes:
    """The bytes of a letter."""
    return _encoder.encode(letter)


def decode_letter(data: bytes) -> Letter | None:
    """The letter again; None if it is none that this version knows."""
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return None


def raw_message(message: Struct) -> msgspec.Raw:
    """A client's message, to be put into a letter."""
    return msgspec.Raw(_encoder.encode(message))


def message_in(raw: msgspec.Raw) -> FromClient | None:
    """A client's message out of a letter; None if a newer build let it in that knows more than this one."""
    try:
        message: FromClient = _messages.decode(raw)
    except msgspec.ValidationError:
        return None
    return message


def id_in(raw: msgspec.Raw) -> str:
    """The id of a client's message, whatever else is in it."""
    return msgspec.msgpack.decode(raw, type=_Identified).id
