"""What a line leaves behind when it is gone: nothing that only the garbage collector could find."""

import asyncio
import gc
import socket
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from oddtrick_protocol.version import JSON
from oddtrick_server.app import App
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import Settings
from support.attacker import frame, settled, upgrade

LINES = 40
HELLO = frame(b'{"t":"hello","name":"Mallory","protocol":1}', opcode=0x1)
BROKEN = b"\x8f\x80\x00\x00\x00\x00"
CLOSE = frame(b"\x03\xe8", opcode=0x8)
UPGRADE = upgrade(subprotocol=JSON)
GONE: dict[str, list[bytes]] = {
    "a line opened and dropped": [],
    "a request that is none": [b"\x00\x01junk\r\n\r\n"],
    "a page": [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"],
    "a page that is not there": [b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"],
    "a foreign subprotocol": [upgrade(subprotocol="chess")],
    "a line that says nothing": [UPGRADE],
    "a guest": [UPGRADE, HELLO],
    "a guest who closes": [UPGRADE, HELLO, CLOSE],
    "a frame against the rules": [UPGRADE, HELLO, BROKEN],
    "a message that is none": [UPGRADE, HELLO, frame(b"{", opcode=0x1)],
}


@pytest.fixture
def kept_garbage() -> Iterator[None]:
    """Collect nothing by itself, and keep what is found."""
    gc.disable()
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


def come_and_go(port: int, said: list[bytes]) -> None:
    """Lines one after the other, without asyncio on this side: it would leave its own."""
    for _ in range(LINES):
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.settimeout(10.0)
            for data in said:
                line.sendall(data)
                line.recv(1 << 16)


@pytest.mark.parametrize("said", [pytest.param(said, id=name) for name, said in GONE.items()])
@pytest.mark.usefixtures("kept_garbage")
async def test_a_line_that_is_gone_is_gone(said: list[bytes]) -> None:
    """Lines that come and go in any way leave no circle of objects: a crowd that leaves must not stop every table while it is swept up."""
    limits = replace(DEFAULT_LIMITS, connects_per_s=1e6, connects_burst=1_000_000, close_s=0.05, rate_keys_max=10)
    async with App(Settings(port=0, store="memory", limits=limits)) as app:
        for is_measured in (False, True):
            gc.collect()
            await asyncio.to_thread(come_and_go, app.port, said)
            await settled(lambda: app.listener.line_count == 0)
            await asyncio.sleep(4 * limits.close_s)  # the timers that cut lines hold them until then
            if is_measured:
                gc.set_debug(gc.DEBUG_SAVEALL)
                gc.collect()
    found = Counter(f"{type(one).__module__}.{type(one).__name__}" for one in gc.garbage)
    assert not [name for name, count in found.items() if count >= LINES or name.startswith(("websockets", "oddtrick"))]
