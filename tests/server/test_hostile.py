"""Whatever bytes come over the socket, they get a typed refusal or a close code; no other client notices, and nothing is raised."""

import contextlib
import io
import json
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from oddtrick_protocol.version import JSON, MSGPACK
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from support.tables import seeded
from support.wire import dial, guests

LIMITS = replace(DEFAULT_LIMITS, messages_burst=1_000_000, connects_burst=100_000)
CLOSES = {4400, 1009, 1008, 1002, 1007}
ROUNDS = (150, 5_000)


@pytest.fixture
async def app() -> AsyncIterator[App]:
    settings = Settings(port=0, store="memory", limits=LIMITS)
    async with App(settings, clock=VirtualClock(), entropy=seeded("hostile")) as app:
        yield app


def faults(log: io.StringIO) -> list[str]:
    return [line for line in log.getvalue().splitlines() if json.loads(line)["event"] == "fault"]


async def is_well(app: App, log: io.StringIO) -> None:
    """Assert that the server still serves and has had no fault."""
    async with guests(app.url, "Witness") as (witness,):
        await witness.ok(t="create")
    assert not faults(log)


GARBAGE = [
    b"",
    b"\xc1",
    b"\xff" * 40,
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\x91" * 2_000,
    msgspec.msgpack.encode("hello"),
    msgspec.msgpack.encode([1, 2, 3]),
    msgspec.msgpack.encode({"t": "hello"}),
    msgspec.msgpack.encode({1: 2}),
    msgspec.msgpack.encode({"t": "act", "id": 7}),
    msgspec.msgpack.encode({"t": "ping", "id": ""}),
    msgspec.msgpack.encode({"t": "ping", "id": "x" * 65}),
    b"\x82\xa1t\xa4ping\xa2id\xa1x\x00",
]


@pytest.mark.parametrize("said_hello", [True, False])
@pytest.mark.parametrize("data", GARBAGE, ids=lambda data: repr(data[:12]))
async def test_bytes_that_are_no_message_close_the_connection(
    app: App, server_log: io.StringIO, data: bytes, *, said_hello: bool
) -> None:
    """Bytes of which no id can be read end the connection with a code of the protocol."""
    peer = await dial(app.url, subprotocol=MSGPACK)
    if said_hello:
        await peer.hello("Mallory")
    await peer.line.send(data)
    assert await peer.closed() in CLOSES
    await is_well(app, server_log)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[" * 3_000,
        '{"t":"ping","id":"a"} x',
        '{"t":"ping","id":"a","t":3}',
        '{"t":"ping","id":NaN}',
        "\ud800",
    ],
)
async def test_text_that_is_no_message_closes_the_connection(app: App, server_log: io.StringIO, text: str) -> None:
    """Text that is no JSON message ends the connection with a code of the protocol."""
    peer = await (await dial(app.url, subprotocol=JSON)).hello("Mallory")
    data = text.encode("utf-8", "surrogatepass")
    async with peer.line.send_context():
        peer.line.protocol.send_text(data)
    assert await peer.closed() in CLOSES
    await is_well(app, server_log)


@pytest.mark.parametrize(
    "message",
    [
        {"t": "fly"},
        {"t": "ping", "extra": 1},
        {"t": "sit", "seat": "NW"},
        {"t": "sit", "table": "x" * 33},
        {"t": "act", "table": "t", "act": {"do": ["a", {"b": 1}]}},
        {"t": "act", "table": "t", "act": {"do": "show", "cards": ["SA"] * 14}},
        {"t": "act", "table": "t", "act": {str(n): n for n in range(9)}},
        {"t": "chat", "table": "t", "channel": "all", "text": "x"},
        {"t": "chat", "table": "t", "channel": "table", "text": "x" * 281},
        {"t": "resume", "table": "t", "seq": -1},
        {"t": "resume", "table": "t", "seq": 1 << 60},
        {"t": "commit", "table": "t", "hand": 1, "commitment": "G" * 64},
        {"t": "reveal", "table": "t", "hand": 1, "entropy": "0" * 31},
        {"t": "create", "bots": 4},
        {"t": "create", "clocks": {"linger_ms": 1e9}},
        {"t": "create", "clocks": {"tea_ms": 1}},
    ],
    ids=lambda message: json.dumps(message)[:40],
)
@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_message_of_a_wrong_shape_is_refused(
    app: App, server_log: io.StringIO, message: dict[str, object], subprotocol: str
) -> None:
    """A message whose id can be read and whose shape is wrong is refused by that id, and the connection goes on."""
    peer = await (await dial(app.url, subprotocol=subprotocol)).hello("Mallory")
    assert await peer.refused(**message) == "malformed_message"
    await peer.ok(t="ping")
    await peer.close()
    assert not faults(server_log)


async def test_too_long_a_message_closes_the_connection(app: App, server_log: io.StringIO) -> None:
    """More bytes than a message may have end the connection; before hello the bound is tighter."""
    for said_hello, size in ((True, 5_000), (False, 2_000)):
        peer = await dial(app.url, subprotocol=MSGPACK)
        if said_hello:
            await peer.hello("Mallory")
        await peer.line.send(b"x" * size)
        assert await peer.closed() == 1009
    await is_well(app, server_log)


async def test_a_binary_frame_is_no_text_and_the_other_way_round(app: App, server_log: io.StringIO) -> None:
    """Text on the MessagePack subprotocol ends the connection; JSON in a binary frame is read as JSON."""
    peer = await (await dial(app.url, subprotocol=MSGPACK)).hello("Mallory")
    await peer.line.send('{"t":"ping","id":"x"}')
    assert await peer.closed() == 4400
    peer = await (await dial(app.url, subprotocol=JSON)).hello("Mallory")
    await peer.line.send(b'{"t":"ping","id":"x"}')
    assert (await peer.of("pong"))["id"] == "x"
    await peer.close()
    await is_well(app, server_log)


async def test_a_message_may_come_in_parts_but_not_in_too_many(app: App, server_log: io.StringIO) -> None:
    """A fragmented message is put together, and one of endless empty parts ends the connection."""
    peer = await (await dial(app.url)).hello("Mallory")
    await peer.line.send(iter(['{"t":"pi', 'ng","id', '":"parts"}']))
    assert (await peer.of("pong"))["id"] == "parts"
    async with peer.line.send_context():
        peer.line.protocol.send_frame(Frame(Opcode.TEXT, b"", fin=False))
        for _ in range(200):
            peer.line.protocol.send_frame(Frame(Opcode.CONT, b"", fin=False))
    assert await peer.closed() == 1008
    await is_well(app, server_log)


async def test_garbage_is_no_cheaper_than_sense(server_log: io.StringIO) -> None:
    """Messages of a wrong shape count against the rate, and without end they end the connection."""
    limits = replace(DEFAULT_LIMITS, messages_burst=5, strikes_max=5)
    async with App(Settings(port=0, store="memory", limits=limits), clock=VirtualClock()) as app:
        peer = await (await dial(app.url)).hello("Mallory")
        for _ in range(20):
            await peer.send(t="fly")
        assert await peer.closed() == 4429
        assert not faults(server_log)


def mutated(rng: random.Random, messages: list[dict[str, object]]) -> bytes:
    data = bytearray(msgspec.msgpack.encode({"id": f"m{rng.random()}", **rng.choice(messages)}))
    for _ in range(rng.randint(1, 4)):
        what, at = rng.random(), rng.randrange(len(data))
        if what < 0.6:
            data[at] = rng.randrange(256)
        elif what < 0.8:
            del data[at : at + rng.randint(1, 5)]
        else:
            data[at:at] = rng.randbytes(rng.randint(1, 5))
        if not data:
            break
    return bytes(data)


async def test_mutated_messages_do_no_harm(app: App, server_log: io.StringIO, seed: int, size: Any) -> None:
    """Thousands of messages with bytes changed, lost and put in are refused or end their connection, and nothing else."""
    rng = random.Random(seed)
    async with guests(app.url, "Anna") as (anna,):
        table = (await anna.ok(t="create", bots=3))["table"]
        await anna.ok(t="sit", table=table)
        await anna.ok(t="start", table=table)
        messages: list[dict[str, object]] = [
            {"t": "sit", "table": table, "seat": "N"},
            {"t": "act", "table": table, "act": {"do": "play", "card": "SA"}, "prompt": "p1"},
            {"t": "act", "table": table, "act": {"do": "call", "demand": "suit", "seat": "E", "suit": "H"}},
            {"t": "chat", "table": table, "channel": "table", "text": "hello"},
            {"t": "create", "clocks": {"turn_ms": 20_000}},
            {"t": "resume", "table": table, "seq": 3},
            {"t": "commit", "table": table, "hand": 1, "commitment": "00" * 32},
        ]
        peer = None
        for _ in range(size(*ROUNDS)):
            if peer is None or peer.line.close_code is not None or peer._reader.done():
                peer = await (await dial(app.url, subprotocol=MSGPACK)).hello("Mallory")
            with contextlib.suppress(ConnectionClosed):
                await peer.line.send(mutated(rng, messages))
                await peer.line.send(msgspec.msgpack.encode({"t": "ping", "id": f"p{rng.random()}"}))
            await anna.ok(t="ping")
        await is_well(app, server_log)
        if peer is not None:
            await peer.close()
