import asyncio

import pytest

from oddtrick_protocol.closing import Then
from oddtrick_protocol.version import MSGPACK
from oddtrick_sdk.transport import TransportRefused, open_websocket


async def refusal_of(answer: bytes) -> TransportRefused:
    """What a server that answers a handshake with these bytes, and hangs up, is called."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        with pytest.raises(TransportRefused) as refused:
            await open_websocket(f"ws://127.0.0.1:{port}", MSGPACK)
    return refused.value


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 101 Sw", b"HTTP/1.1 101 Switching Protocols\r\nUpgr"])
async def test_a_line_cut_in_the_handshake_is_dialled_again(answer: bytes) -> None:
    """Whatever byte of the answer the line was cut at, the client connects again: it learnt nothing about the server."""
    assert (await refusal_of(answer)).then is Then.RESUME


async def test_what_speaks_no_http_is_not_dialled_again() -> None:
    """A port where something else listens will not become a server of ours by asking again."""
    assert (await refusal_of(b"220 mail.example ESMTP\r\n\r\n")).then is Then.STOP


async def test_a_busy_server_is_dialled_later() -> None:
    """A server that says it has no room is asked again, after a while."""
    answer = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
    assert (await refusal_of(answer)).then is Then.LATER


@pytest.mark.parametrize(
    "url",
    ["ws://127.0.0.1:abc", "ws://127.0.0.1:99999", "ws://[::1", f"ws://{'a' * 70}.example", "ws://", "http://a", ""],
)
async def test_what_is_no_address_is_not_dialled_again(url: str) -> None:
    """An address that cannot be right is told, and nothing is tried."""
    with pytest.raises(TransportRefused) as refused:
        await open_websocket(url, MSGPACK)
    assert refused.value.then is Then.STOP
    assert url in refused.value.why
