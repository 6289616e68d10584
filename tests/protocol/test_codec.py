"""Bytes to messages: both subprotocols, their limits, and bytes meant to do harm."""

from collections.abc import Callable
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_protocol import limits
from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Close
from oddtrick_protocol.codec import CLIENT_TYPES, SERVER_TYPES, BadMessage, Codec, JsonCodec, MsgpackCodec, codec_for
from oddtrick_protocol.version import JSON, MSGPACK, SUBPROTOCOLS

HOT = MsgpackCodec(hot_path=True)
PACKED = MsgpackCodec()
TEXT = JsonCodec()
CODECS: list[Codec] = [PACKED, HOT, TEXT]

texts = st.text(max_size=20)
acts = st.dictionaries(texts.filter(bool), texts | st.integers(0, 1000) | st.booleans(), max_size=4)
server_messages = st.one_of(
    st.builds(m.Ok, id=texts, table=st.none() | texts),
    st.builds(m.Refused, id=texts, code=texts, text=texts, law=st.none() | texts, cites=st.lists(texts, max_size=3)),
    st.builds(m.Event, table=texts, seq=st.integers(0, 2**53), event=acts, hand=st.integers(0, 9)),
    st.builds(
        m.Events, table=texts, events=st.lists(st.builds(m.Item, seq=st.integers(0, 99), event=acts), max_size=3)
    ),
    st.builds(m.Snapshot, table=texts, seq=st.integers(0, 99), info=acts, view=st.none() | acts),
    st.builds(m.Prompt, table=texts, prompt=texts, kind=texts, acts=st.lists(acts, max_size=2)),
    st.builds(m.Going, reason=texts, retry=texts),
)
client_messages = st.one_of(
    st.builds(m.Hello, id=st.just("1"), name=texts, protocol=st.integers(0, 9), token=st.none() | texts),
    st.builds(m.Act, id=st.just("1"), table=st.just("T"), act=acts, prompt=st.none() | texts),
    st.builds(m.Chat, id=st.just("1"), table=st.just("T"), channel=st.just("table"), text=texts.filter(bool)),
    st.builds(m.Resume, id=st.just("1"), table=st.just("T"), seq=st.integers(0, limits.SEQ_MAX)),
)


@given(server_messages)
def test_a_servers_message_comes_back_as_it_went(message: Any) -> None:
    """What a server encodes, a client reads as the same message, in both subprotocols."""
    for codec in CODECS:
        assert codec.decode_server(codec.encode(message)) == message


@given(client_messages)
def test_a_clients_message_comes_back_as_it_went(message: Any) -> None:
    """What a client encodes, a server reads as the same message, in both subprotocols."""
    for codec in CODECS:
        assert codec.decode_client(codec.encode(message)) == message


@given(server_messages | client_messages)
def test_the_two_packers_agree_byte_for_byte(message: Any) -> None:
    """The hot path's bytes are those of the msgpack library."""
    assert HOT.encode(message) == PACKED.encode(message)


@given(server_messages | client_messages)
def test_both_subprotocols_say_the_same(message: Any) -> None:
    """A message is the same map in JSON as in MessagePack."""
    assert msgspec.json.decode(TEXT.encode(message)) == msgpack.unpackb(PACKED.encode(message))


def client_bytes(codec: Any, plain: Any) -> bytes | str:
    packed: bytes = msgpack.packb(plain)
    return msgspec.json.encode(plain).decode() if codec is TEXT else packed


LONG = "x" * 65


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(
    "plain",
    [
        {"t": "ping", "id": "7", "more": 1},
        {"t": "pong", "id": "7"},
        {"t": "act", "id": "7", "table": "T"},
        {"t": "act", "id": "7", "table": "T", "act": {"do": {"deep": 1}}},
        {"t": "act", "id": "7", "table": "T", "act": {"do": "play", "cards": ["SA"] * 14}},
        {"t": "act", "id": "7", "table": "T", "act": {str(n): 1 for n in range(9)}},
        {"t": "act", "id": "7", "table": "T", "act": {"do": 1.5}},
        {"t": "act", "id": "7", "table": "T", "act": {"do": -1}},
        {"t": "act", "id": "7", "table": LONG, "act": {}},
        {"t": "chat", "id": "7", "table": "T", "channel": "opponents", "text": "psst"},
        {"t": "chat", "id": "7", "table": "T", "channel": "table", "text": ""},
        {"t": "chat", "id": "7", "table": "T", "channel": "table", "text": "x" * 281},
        {"t": "resume", "id": "7", "table": "T", "seq": -1},
        {"t": "resume", "id": "7", "table": "T", "seq": 2**53},
        {"t": "resume", "id": "7", "table": "T", "seq": "1"},
        {"t": "create", "id": "7", "bots": 4},
        {"t": "create", "id": "7", "clocks": {"linger_ms": 15_001}},
        {"t": "create", "id": "7", "clocks": {"tea_ms": 1}},
        {"t": "commit", "id": "7", "table": "T", "hand": 1, "commitment": "ab" * 31},
        {"t": "commit", "id": "7", "table": "T", "hand": 1, "commitment": "AB" * 32},
        {"t": "commit", "id": "7", "table": "T", "hand": 1, "commitment": "ab" * 32 + "\n"},
        {"t": "reveal", "id": "7", "table": "T", "hand": 1, "entropy": "ab" * 15},
        {"t": "reveal", "id": "7", "table": "T", "hand": 1, "entropy": "ab" * 65},
        {"t": "hello", "id": "7", "name": "x" * 33, "protocol": 1},
    ],
)
def test_a_message_of_a_wrong_shape_is_refused_by_name(codec: Any, plain: dict[str, Any]) -> None:
    """A message beyond a limit or with a field too many is refused with its id, and the connection may go on."""
    with pytest.raises(BadMessage) as bad:
        codec.decode_client(client_bytes(codec, plain))
    assert bad.value.id == "7"
    assert bad.value.text


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(
    ("plain", "says"),
    [
        ({"t": "hello", "id": "7", "name": "x" * 33, "protocol": 1}, "name is longer than 32 characters"),
        ({"t": "kick", "id": "7", "table": "T", "who": ""}, "who is empty"),
    ],
)
def test_a_text_of_a_wrong_length_is_said_in_words(codec: Any, plain: dict[str, Any], says: str) -> None:
    """People type texts, and are shown what is wrong with them."""
    with pytest.raises(BadMessage) as bad:
        codec.decode_client(client_bytes(codec, plain))
    assert bad.value.text == says


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(
    "plain", [{"t": "ping"}, {"t": "ping", "id": ""}, {"t": "ping", "id": LONG}, {"id": "7"}, [], 7, None]
)
def test_a_message_without_a_name_closes(codec: Any, plain: Any) -> None:
    """What has no type or no id that could be answered closes the connection with 4400."""
    with pytest.raises(BadMessage) as bad:
        codec.decode_client(client_bytes(codec, plain))
    assert bad.value.id is None
    assert bad.value.close is Close.BAD_MESSAGE


DEEP = 100_000
BOMBS: dict[str, tuple[Any, bytes | str]] = {
    "an array of four thousand million items": (PACKED, b"\xdd\xff\xff\xff\xff"),
    "a map of four thousand million pairs": (PACKED, b"\xdf\xff\xff\xff\xff"),
    "a text of four gigabytes": (PACKED, b"\xdb\xff\xff\xff\xff"),
    "binary of four gigabytes": (PACKED, b"\xc6\xff\xff\xff\xff"),
    "an extension type": (PACKED, msgpack.packb({"t": "ping", "id": msgpack.ExtType(1, b"x")})),
    "a timestamp": (PACKED, b"\xd6\xff\x00\x00\x00\x00"),
    "trailing bytes": (PACKED, msgpack.packb({"t": "ping", "id": "1"}) + b"\x00"),
    "two messages": (PACKED, msgpack.packb({"t": "ping", "id": "1"}) * 2),
    "invalid UTF-8": (PACKED, b"\x82\xa1t\xa4ping\xa2id\xa2\xc3\x28"),
    "not a number": (PACKED, msgpack.packb({"t": "hello", "id": "1", "name": "a", "protocol": float("nan")})),
    "the reserved byte": (PACKED, b"\xc1"),
    "nothing": (PACKED, b""),
    "a text frame": (PACKED, '{"t":"ping","id":"1"}'),
    "deep arrays": (PACKED, b"\x91" * 4000),
    "deep maps": (PACKED, b"\x81\xa1a" * 1300),
    "deep JSON arrays": (TEXT, "[" * 4000),
    "deep JSON maps": (TEXT, '{"a":' * 800),
    "trailing JSON": (TEXT, '{"t":"ping","id":"1"} 1'),
    "NaN in JSON": (TEXT, '{"t":"hello","id":"1","name":"a","protocol":NaN}'),
    "a lone surrogate": (TEXT, '{"t":"ping","id":"\\ud800"}'),
    "invalid UTF-8 in JSON": (TEXT, b'{"t":"ping","id":"\xc3\x28"}'),
    "a number without end": (TEXT, '{"t":"resume","id":"1","table":"T","seq":' + "9" * 3000 + "}"),
    "no JSON": (TEXT, ""),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_does_nothing(name: str) -> None:
    """Bytes made to exhaust or confuse a decoder are a BadMessage to a server, and harm no client."""
    codec, data = BOMBS[name]
    with pytest.raises(BadMessage):
        codec.decode_client(data)
    assert_message_or_bad(codec.decode_server, data)


@pytest.mark.parametrize("codec", CODECS)
def test_deep_nesting_in_what_a_client_reads_is_a_bad_message(codec: Any) -> None:
    """Even where a server's message may hold any map, nesting without end is refused, not a crash."""
    bomb: bytes | str = (
        '{"t":"event","table":"T","seq":1,"event":' + '{"a":' * DEEP
        if codec is TEXT
        else b"\x84\xa1t\xa5event\xa5table\xa1T\xa3seq\x01\xa5event" + b"\x81\xa1a" * DEEP
    )
    with pytest.raises(BadMessage):
        codec.decode_server(bomb)


@pytest.mark.parametrize("codec", CODECS)
def test_a_frame_too_long_is_told_from_a_bad_one(codec: Any) -> None:
    """A frame longer than a client may send closes with 1009 and is not looked into."""
    data = client_bytes(codec, {"t": "chat", "id": "1", "table": "T", "channel": "table", "text": "x" * 5000})
    with pytest.raises(BadMessage) as bad:
        codec.decode_client(data)
    assert bad.value.close is Close.TOO_BIG


@pytest.mark.parametrize("codec", CODECS)
def test_a_longest_message_of_each_kind_fits(codec: Any) -> None:
    """The limits of the fields leave room for a chat in any script."""
    message = m.Chat(id="i" * 64, table="t" * 32, channel="bystanders", text="\U0001f0a1" * limits.CHAT_CHARS_MAX)
    assert codec.decode_client(codec.encode(message)) == message


@pytest.mark.parametrize("codec", CODECS)
def test_a_type_of_a_newer_server_is_ignored_by_name(codec: Any) -> None:
    """A client reads a server's message of an unknown type as Unknown, and one of a known type with new fields as itself."""
    assert codec.decode_server(client_bytes(codec, {"t": "fireworks", "colour": "red"})) == m.Unknown(t="fireworks")
    assert codec.decode_server(client_bytes(codec, {"t": "pong", "id": "1", "new": 1})) == m.Pong(id="1")
    with pytest.raises(BadMessage):
        codec.decode_server(client_bytes(codec, {"t": "pong"}))


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_bad_message(data: bytes) -> None:
    """Any bytes give a message or BadMessage, in both subprotocols and both directions."""
    for codec in CODECS:
        for decode in (codec.decode_client, codec.decode_server):
            assert_message_or_bad(decode, data)


@given(client_messages, st.data())
def test_no_damage_to_a_message_raises_anything_but_bad_message(message: Any, data: st.DataObject) -> None:
    """A true message with any byte changed, cut off or put in gives a message or BadMessage."""
    for codec in (PACKED, TEXT):
        encoded = codec.encode(message)
        whole = encoded.encode() if isinstance(encoded, str) else encoded
        at = data.draw(st.integers(0, len(whole)))
        junk = data.draw(st.binary(max_size=3))
        drop = data.draw(st.integers(0, 3))
        assert_message_or_bad(codec.decode_client, whole[:at] + junk + whole[at + drop :])


def assert_message_or_bad(decode: Callable[[Any], Any], data: bytes | str) -> None:
    try:
        message = decode(data)
    except BadMessage as bad:
        text = bad.text
    else:
        text = type(message).__name__
        assert type(message) in {*CLIENT_TYPES.values(), *SERVER_TYPES.values(), m.Unknown}
    assert text


def test_each_subprotocol_has_its_codec() -> None:
    """The name of a subprotocol gives its codec, and no other name gives one."""
    assert [codec_for(name).name for name in SUBPROTOCOLS] == [MSGPACK, JSON]
    with pytest.raises(ValueError, match="is not a subprotocol"):
        codec_for("oddtrick.v2.xml")


UNSENDABLE: list[m.FromClient] = [
    m.Record(id="1", table="T", hand=1 << 64),
    m.Record(id="1", table="T", hand=-(1 << 64)),
    m.Resume(id="1", table="T", seq=10**5000),
    m.Consent(id="1", table="T", proposal=10**30),
    m.Create(id="1", stakes=10**30),
    m.Act(id="1", table="T", act={"do": "elect", "tricks": 10**30}),
    m.Hello(id="1", name="\ud800", protocol=1),
]


@pytest.mark.parametrize("message", UNSENDABLE, ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
def test_what_no_frame_has_room_for_is_refused_and_no_fault(codec: Codec, message: m.FromClient) -> None:
    """A number or a text that no frame can carry is a BadMessage where it is encoded, or where it is read; never another fault."""
    with pytest.raises(BadMessage) as bad:
        codec.decode_client(codec.encode(message))
    assert (bad.value.id, bad.value.code) == ("1", "malformed_message")
