"""Handshakes of every wrong shape: each is answered or cut, and none is remembered."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import InvalidStatus

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.listener import Listener
from oddtrick_server.settings import Settings
from support.attacker import KEY, Unhandled, mangled, open_files, settled, upgrade
from support.footprint import Growth, heap_bytes, traced
from support.house import UNHURRIED
from support.wire import Peer, dial

if TYPE_CHECKING:
    from conftest import Size

WAVES = 6
KEPT_BYTES_MAX = 100  # of a handshake that is over
HASTY = replace(UNHURRIED, hello_s=0.5, lines_spare=100_000)
ANSWERED = {101, 200, 400, 401, 403, 404, 405, 408, 413, 414, 426, 429, 431, 503}
HOSTILE = [
    b"",
    b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/0.9\r\n\r\n",
    b"POST /ws HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
    b"GET /ws HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
    b"GET /ws HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"GET " + b"/" * 9_000 + b" HTTP/1.1\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /a/%2e%2e/%2e%2e/x HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /ws HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n",
    b"GET /ws HTTP/1.1\r\nHost x\r\n\r\n",
    b"GET /ws HTTP/1.1\r\n: empty\r\n\r\n",
    b"GET /ws HTTP/1.1\r\nHost: \x00\xff\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 40,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    upgrade().replace(KEY.encode(), b"short"),
    upgrade().replace(b"13", b"8"),
    upgrade().replace(b"Sec-WebSocket-Key", b"Sec-WebSocket-Kex"),
    upgrade(subprotocol="chess"),
    upgrade(subprotocol=", ,"),
    upgrade(path="/nowhere"),
    upgrade(path="http://[::1"),
    upgrade().replace(b"Upgrade: websocket", b"Upgrade: websocket\r\nUpgrade: websocket"),
    upgrade().replace(b"Host: x", b"Host: x\r\nHost: y\r\nOrigin: http://x\r\nOrigin: http://y"),
    upgrade().replace(b"Host: x", b"Host: x\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y"),
    upgrade().replace(b"Host: x", b"Host: x\r\nX-Forwarded-For: ,,,\r\nX-Forwarded-For: \xff"),
    b"GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: a\r\nIf-None-Match: b\r\nAccept-Encoding: gzip\r\nAccept-Encoding: br\r\n\r\n",
    upgrade() + upgrade(),
    upgrade() + b"\x00" * 200,
]


async def try_handshake(port: int, data: bytes, chance: Random) -> int:
    """Send a handshake, whole or in two pieces; the status that came back, 0 for none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    with contextlib.suppress(OSError):
        at = chance.randrange(len(data) + 1)
        writer.write(data[:at])
        if chance.random() < 0.5:
            await asyncio.sleep(0)
        writer.write(data[at:])
        if chance.random() < 0.2:
            writer.write_eof()
        answer = await reader.read(200)
    writer.transport.abort()
    if not answer:
        return 0
    assert answer.startswith(b"HTTP/1.1 "), answer
    return int(answer[9:12])


async def test_hostile_handshakes_are_answered_or_cut(
    unhandled: Unhandled, seed: int, size: Size, tell: Callable[[str], None]
) -> None:
    """Whatever is sent as a handshake gets a status of HTTP or the end of the line; nothing of it stays, and players go on."""
    chance, clock = Random(f"{seed}/handshakes"), VirtualClock()
    async with App(Settings(port=0, store="memory", limits=HASTY), clock=clock) as app:
        anna = await (await dial(app.url)).hello("Anna")
        table = (await anna.ok(t="create"))["table"]
        await anna.ok(t="sit", table=table)
        files, tasks = open_files(), len(asyncio.all_tasks())
        statuses: Counter[int] = Counter()
        each, memory = size(100, 1_700), []
        unhandled.watch_library()  # alone: pytest would keep each record, with all that the error went through
        with traced():
            for _ in range(WAVES):
                statuses.update(await wave(app.port, each, chance, anna))
                clock.move(DEFAULT_LIMITS.hello_s)
                await settled(lambda: app.listener.line_count == 1 and len(asyncio.all_tasks()) <= tasks)
                await settled(lambda: open_files() <= files)
                unhandled.condense()
                anna.forget()
                memory.append(heap_bytes())
        assert set(statuses) - {0} <= ANSWERED
        growth = Growth.over(memory, each)
        tell(f"handshakes answered: {dict(sorted(statuses.items()))}, {growth}")
        assert growth.is_below(KEPT_BYTES_MAX)
        assert not unhandled.all
        await anna.ok(t="ping")
        await anna.close()


async def wave(port: int, count: int, chance: Random, anna: Peer) -> Counter[int]:
    """So many handshakes, while somebody is there who is to be served: the statuses that came back."""
    statuses: Counter[int] = Counter()
    for start in range(0, count, 50):
        tries = [
            data if chance.random() < 0.3 else mangled(chance, chance.choice((data, upgrade())))
            for data in chance.choices(HOSTILE, k=min(50, count - start))
        ]
        statuses.update(await asyncio.gather(*(try_handshake(port, data, chance) for data in tries)))
        await anna.ok(t="ping")
    return statuses


async def test_a_slow_handshake_is_cut(unhandled: Unhandled) -> None:
    """A line that sends its request byte by byte is cut when the time for it is over, on the machine's own clock."""
    limits = replace(DEFAULT_LIMITS, hello_s=0.2)
    async with App(Settings(port=0, store="memory", limits=limits), clock=VirtualClock()) as app:
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        with contextlib.suppress(OSError):
            for byte in upgrade():
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.02)
                if reader.at_eof():
                    break
            else:
                raise AssertionError("a handshake of seconds was let through")
        writer.close()
        await settled(lambda: app.listener.line_count == 0)
    assert not unhandled.all


async def test_a_fault_at_the_door_would_be_found(unhandled: Unhandled, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of ours that the library catches and answers with 500 is not passed over by these tests."""

    def faulty(*_: object) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(Listener, "_upgrade_refusal", faulty)
    async with App(Settings(port=0, store="memory"), clock=VirtualClock()) as app:
        with pytest.raises(InvalidStatus) as refused:
            await dial(app.url)
        assert refused.value.response.status_code == 500
    assert "planted" in unhandled.all[0]
