"""Bytes to messages and back, for both subprotocols; whatever the bytes are, a message or a `BadMessage` comes out.

How to use it::

    codec = codec_for(subprotocol)            # one of version.SUBPROTOCOLS
    message = codec.decode_client(data)       # server: a FromClient, or BadMessage
    message = codec.decode_server(data)       # client: a FromServer, an Unknown, or BadMessage
    data = codec.encode(message)              # bytes, or str for JSON, for the websocket; BadMessage if it has no form

`BadMessage.id` is set when the message was whole but for its shape: answer `refused` with it and `BadMessage.code`.
When it is None, nothing of the message could be used: close with `BadMessage.close`.

MessagePack is packed by `msgpack`; `hot_path=True` packs by msgspec's own, byte for byte the same and several times
faster (tests/protocol/test_codec.py holds the first, tests/bench the second).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Protocol

import msgpack
import msgspec
from msgspec import DecodeError, MsgspecError, Struct, ValidationError

from oddtrick_protocol import limits
from oddtrick_protocol.closing import Close, Refuse
from oddtrick_protocol.messages import FromClient, FromServer, Unknown
from oddtrick_protocol.version import JSON, MSGPACK

# What an encoder raises at a message that has no form on the wire: a number that no field has room for, half a surrogate.
UNWRITABLE: Final = (MsgspecError, OverflowError, TypeError, ValueError, RecursionError)
# What a decoder raises at bytes that are no message. RecursionError: nesting without end, which msgspec reports so.
BROKEN: Final = (MsgspecError, DecodeError, UnicodeError, RecursionError, ValueError)

# How msgspec says that a text is empty, or too long.
LENGTH: Final = re.compile(r"Expected `str` of length (?:>= 1|<= (\d+)) - at `\$\.(\w+)`")


class BadMessage(Exception):
    """Bytes that are no message, or a message that no bytes can be made of.

    Of bytes: `id` set: refuse it, and go on; None: close with `close`. Of a message: nothing was sent.
    """

    def __init__(self, text: str, *, id: str | None = None, close: Close = Close.BAD_MESSAGE) -> None:  # noqa: A002
        super().__init__(text)
        self.text = text
        self.id = id
        self.close = close
        self.code = Refuse.MALFORMED_MESSAGE


class _Envelope(Struct):
    """What must be right of a client's message so that it can be refused by name."""

    t: str
    id: str


class _Tag(Struct):
    """What must be right of a server's message so that it can be ignored by name."""

    t: str


class Codec(Protocol):
    """One subprotocol."""

    name: str

    def encode(self, message: Struct) -> bytes | str:
        """Return the frame for a message: bytes for a binary frame, str for a text frame; BadMessage if it has none."""

    def decode_client(self, data: bytes | str) -> FromClient:
        """Return a client's message; BadMessage if it is none or longer than a client may send."""

    def decode_server(self, data: bytes | str) -> FromServer | Unknown:
        """Return a server's message, `Unknown` if its type is not ours to know; BadMessage if it is none."""


class _Decoding:
    """The part the two codecs share: limits, and what to say of bytes that will not do."""

    def __init__(self, decoder_of: Callable[[Any], Any]) -> None:
        self._client = decoder_of(FromClient)
        self._server = decoder_of(FromServer)
        self._envelope = decoder_of(_Envelope)
        self._tag = decoder_of(_Tag)

    def client(self, data: bytes | str) -> FromClient:
        _within(data, limits.CLIENT_MESSAGE_BYTES_MAX)
        try:
            message: FromClient = self._client.decode(data)
        except ValidationError as error:
            raise BadMessage(_plainly(error), id=self._id_of(data)) from None
        except BROKEN as error:
            raise BadMessage(_said(error)) from None
        return message

    def server(self, data: bytes | str) -> FromServer | Unknown:
        _within(data, limits.SERVER_MESSAGE_BYTES_MAX)
        try:
            message: FromServer = self._server.decode(data)
        except ValidationError as error:
            return self._unknown(data, error)
        except BROKEN as error:
            raise BadMessage(_said(error)) from None
        return message

    def _id_of(self, data: bytes | str) -> str | None:
        try:
            envelope: _Envelope = self._envelope.decode(data)
        except BROKEN:
            return None
        return envelope.id if 0 < len(envelope.id) <= limits.ID_CHARS_MAX else None

    def _unknown(self, data: bytes | str, why: Exception) -> Unknown:
        try:
            tag: _Tag = self._tag.decode(data)
        except BROKEN:
            raise BadMessage(_said(why)) from None
        if tag.t in SERVER_TYPES:
            raise BadMessage(_said(why)) from None
        return Unknown(t=tag.t)


class MsgpackCodec:
    """`oddtrick.v1.msgpack`: binary frames."""

    name = MSGPACK

    def __init__(self, *, hot_path: bool = False) -> None:
        self._decoding = _Decoding(msgspec.msgpack.Decoder)
        self._pack: Callable[[Struct], bytes] = msgspec.msgpack.Encoder().encode if hot_path else pack

    def encode(self, message: Struct) -> bytes:
        """Return the binary frame, or raise BadMessage."""
        try:
            return self._pack(message)
        except UNWRITABLE as error:
            raise _unwritable(message, error) from None

    def decode_client(self, data: bytes | str) -> FromClient:
        """Return a client's message, or raise BadMessage."""
        return self._decoding.client(_binary(data))

    def decode_server(self, data: bytes | str) -> FromServer | Unknown:
        """Return a server's message, or raise BadMessage."""
        return self._decoding.server(_binary(data))


class JsonCodec:
    """`oddtrick.v1.json`: text frames (a binary frame that holds JSON is read too)."""

    name = JSON

    def __init__(self) -> None:
        self._decoding = _Decoding(msgspec.json.Decoder)
        self._encoder = msgspec.json.Encoder()

    def encode(self, message: Struct) -> str:
        """Return the text frame, or raise BadMessage."""
        try:
            return self._encoder.encode(message).decode()
        except UNWRITABLE as error:
            raise _unwritable(message, error) from None

    def decode_client(self, data: bytes | str) -> FromClient:
        """Return a client's message, or raise BadMessage."""
        return self._decoding.client(data)

    def decode_server(self, data: bytes | str) -> FromServer | Unknown:
        """Return a server's message, or raise BadMessage."""
        return self._decoding.server(data)


def pack(message: Struct) -> bytes:
    """Return a message as MessagePack, by the msgpack library."""
    packed: bytes = msgpack.packb(msgspec.to_builtins(message))
    return packed


def codec_for(subprotocol: str, *, hot_path: bool = False) -> MsgpackCodec | JsonCodec:
    """Return the codec of a subprotocol; ValueError if we do not speak it."""
    if subprotocol == MSGPACK:
        return MsgpackCodec(hot_path=hot_path)
    if subprotocol == JSON:
        return JsonCodec()
    raise ValueError(f"{subprotocol!r} is not a subprotocol: {MSGPACK} or {JSON}")


def types_of(union: Any) -> dict[str, type[Struct]]:
    """Return the structs of a message union by their tags."""
    return {str(struct.__struct_config__.tag): struct for struct in union.__args__}


CLIENT_TYPES: Final = types_of(FromClient)
SERVER_TYPES: Final = types_of(FromServer)


def _within(data: bytes | str, bytes_max: int) -> None:
    if len(data) > bytes_max:
        raise BadMessage(f"a message of more than {bytes_max} bytes", close=Close.TOO_BIG)


def _binary(data: bytes | str) -> bytes:
    if isinstance(data, str):
        raise BadMessage(f"{MSGPACK} is spoken in binary frames")
    return data


def _unwritable(message: Struct, error: Exception) -> BadMessage:
    return BadMessage(f"it has no form on the wire: {_said(error)}", id=getattr(message, "id", None))


def _plainly(error: ValidationError) -> str:
    """Return what is wrong with a message; of a text of a wrong length in words, for people type those and read this."""
    found = LENGTH.fullmatch(str(error))
    if found is None:
        return str(error)
    longest, field = found.groups()
    return f"{field} is empty" if longest is None else f"{field} is longer than {longest} characters"


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__
