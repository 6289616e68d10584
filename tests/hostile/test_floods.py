"""Floods of frames that are no messages, first words in any letters, and answers longer than a line can hold."""

import asyncio
import json

import msgspec
import pytest
from websockets.frames import Frame, Opcode

from oddtrick_protocol.closing import Close
from oddtrick_server.app import App
from oddtrick_server.connection import SLICE_BYTES, Connection, framed
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from support.attacker import Plain, Unhandled, frame, settled, upgrade
from support.wire import dial

FLOOD = 20_000  # frames
LONG_BYTES = 3_000_000
SMALLEST_BYTES = 6  # of a masked frame


@pytest.mark.parametrize("greets", [True, False], ids=["a guest", "before hello"])
@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
async def test_a_flood_of_pings_ends_its_line(
    unhandled: Unhandled, monkeypatch: pytest.MonkeyPatch, opcode: Opcode, *, greets: bool
) -> None:
    """Pings and pongs are no messages, and no rate of messages bounds them: one line full of them kept everybody waiting."""
    parsed = 0
    process = Connection.process_event

    def counted(self: Connection, event: object) -> None:
        nonlocal parsed
        parsed += isinstance(event, Frame) and event.opcode is opcode
        process(self, event)  # type: ignore[arg-type]

    monkeypatch.setattr(Connection, "process_event", counted)
    async with App(Settings(port=0, store="memory")) as app:
        calm = await (await dial(app.url)).hello("Calm")
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.write(upgrade())
        await reader.readuntil(b"\r\n\r\n")
        if greets:
            writer.write(frame(msgspec.msgpack.encode({"t": "hello", "id": "1", "name": "Mallory", "protocol": 1})))
            await reader.readuntil(b"welcome")
        writer.write(frame(b"", opcode=opcode) * FLOOD)
        answered = 0
        try:
            while data := await reader.read(1 << 16):
                answered += data.count(b"\x8a\x00")
        except ConnectionResetError:
            pass  # it was cut with the rest of the flood unread
        await settled(lambda: app.listener.line_count == 1)
        at_most = DEFAULT_LIMITS.pings_burst + SLICE_BYTES // SMALLEST_BYTES + 1  # a slice is parsed whole
        assert parsed <= at_most
        assert answered <= at_most
        await calm.ok(t="ping")
        await calm.close()
        writer.close()
    assert not unhandled.all


@pytest.mark.parametrize(
    "message",
    [
        pytest.param({"t": "hello", "name": "A", "protocol": 1, "é" * 80: 1}, id="a field"),
        pytest.param({"t": "é" * 100}, id="a type"),
        pytest.param({"t": "hello", "name": "A", "protocol": "é" * 200}, id="a value"),
    ],
)
async def test_a_stranger_is_told_what_is_wrong_in_any_letters(unhandled: Unhandled, message: Plain) -> None:
    """A first message that is malformed in letters of two bytes is closed as malformed, and is no fault of the server."""
    async with App(Settings(port=0, store="memory")) as app:
        peer = await dial(app.url, subprotocol="oddtrick.v1.json")
        await peer.line.send(json.dumps({"id": "1", **message}, ensure_ascii=False))
        assert await peer.closed() == Close.BAD_MESSAGE
    assert not unhandled.all


async def test_one_long_answer_is_no_reason_to_drop_its_reader() -> None:
    """An answer longer than a reader may be behind is sent whole; who reads nothing is dropped when more comes."""
    async with App(Settings(port=0, store="memory")) as app:
        peer = await (await dial(app.url, max_queue=1)).hello("Anna")
        await peer.stop_reading()
        (client,) = app.listener.clients
        answer = framed(bytes(LONG_BYTES))
        client.connection.push(answer)
        assert client.connection.is_open
        client.connection.push(answer)
        assert client.connection.dropped is Close.SLOW
        peer.line.transport.abort()
