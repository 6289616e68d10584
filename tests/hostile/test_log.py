"""What the log says of a whole rubber, down to the last detail: nothing that is anybody's secret."""

import asyncio
import io
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oddtrick_rules.cards import CARD_NAMES
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.logs import Say, log, start_logs
from oddtrick_server.settings import Settings
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_place import parse_place
from support.attacker import Attacker
from support.house import UNHURRIED
from support.redis_servers import RedisServer
from support.several import until
from support.tables import seeded
from support.wire import Peer, dial

CARD = re.compile(rf"\b(?:{'|'.join(CARD_NAMES)})\b")
ADDRESS = re.compile(r"127\.0\.0\.1|198\.51\.100\.|::1\b")
NAMES = ("Annabella", "Benedict", "Clarissa", "Deverell", "Mallory")
SECRET_WORDS = "the-ace-lies-west"


@pytest.fixture
def everything_logged() -> Iterator[io.StringIO]:
    """All that this process logs, the libraries' own included, from debug on."""
    out = io.StringIO()
    root, handler = logging.getLogger(), logging.StreamHandler(out)
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield out
    root.removeHandler(handler)
    root.setLevel(level)


def told(text: str, secrets: list[str]) -> list[str]:
    """What a log tells that it should not."""
    found = [secret for secret in secrets if secret in text]
    return found + CARD.findall(text) + ADDRESS.findall(text)


Trouble = Callable[["asyncio.Task[dict[str, Any]]"], Awaitable[None]]  # while somebody asks


async def no_trouble(_: "asyncio.Task[dict[str, Any]]") -> None:
    """What a store in memory has of it."""


async def evening(app: App, clock: VirtualClock, trouble: Trouble = no_trouble) -> list[str]:
    """Play a rubber with every kind of incident, and trouble with the store; the secrets there were."""
    people = [
        await (await dial(app.url, additional_headers={"X-Forwarded-For": "198.51.100.7"})).hello(n) for n in NAMES
    ]
    host = people[0]
    made = await host.ok(t="create", private=True, clocks={"turn_ms": 10_000})
    for seat, peer in zip("NESW", people, strict=False):
        await peer.ok(t="sit", table=made["table"], seat=seat, invite=made["invite"])
    assert await people[4].refused(t="watch", table=made["table"], invite="wrong-" + made["invite"]) == "invite_needed"
    await people[4].ok(t="watch", table=made["table"], invite=made["invite"])
    chat = asyncio.create_task(host.ok(t="chat", table=made["table"], channel="table", text=SECRET_WORDS))
    await trouble(chat)
    await chat
    await host.ok(t="start", table=made["table"])
    await host.event("deal_committed")
    clock.move(DEFAULT_LIMITS.commit_s)
    await host.event("hand_dealt")
    secrets = [secret.hex() for secret in app.lobby.actors[0].table.secrets.values()]
    await host.ask(t="act", table=made["table"], act={"do": "play", "card": "SA"}, prompt="nothing")
    await people[1].cut()
    people[1] = await (await dial(app.url)).hello(NAMES[1], token=people[1].token)
    await people[1].ok(t="resume", table=made["table"], seq=0)
    attacker = Attacker(
        app.port, ({"t": "hello", "name": "Mallory", "protocol": 1, "token": people[1].token[:-1] + "_"},)
    )
    await host.ok(t="kick", table=made["table"], who="W")
    await until_won(clock, host)
    await attacker.close()
    for peer in people:
        await peer.close()
    return [*secrets, made["invite"], SECRET_WORDS, *NAMES, *(peer.token for peer in people)]


async def until_won(clock: VirtualClock, host: Peer) -> None:
    async with asyncio.timeout(120):
        while not any(item["event"]["t"] == "rubber_won" for item in host.items()):
            clock.move(20.0)
            await host.ok(t="ping")
            await asyncio.sleep(0)


@pytest.mark.parametrize("form", ["json", "console"])
async def test_a_whole_rubber_is_logged_without_a_secret(
    server_log: io.StringIO, everything_logged: io.StringIO, seed: int, form: str
) -> None:
    """With every line that there is, neither the server's log nor a library's tells a token, invite, card, name, word or address."""
    out = io.StringIO()
    start_logs(form=form, level="debug", stream=out)
    clock = VirtualClock()
    settings = Settings(port=0, store="memory", limits=UNHURRIED, trusted_proxies=("127.0.0.1",))
    async with App(settings, clock=clock, entropy=seeded(seed)) as app:
        secrets = await evening(app, clock)
    assert "hand finished" in out.getvalue()
    assert "connection closed" in out.getvalue()
    for text in (out.getvalue(), everything_logged.getvalue()):
        assert not told(text, secrets), told(text, secrets)


async def test_a_rubber_on_redis_is_logged_without_a_secret(
    server_log: io.StringIO, everything_logged: io.StringIO, seed: int, tmp_path: Path
) -> None:
    """The same on a Redis that fails meanwhile: the log names it, but not its password, nor any caller."""
    clock = VirtualClock()
    password = "of-redis"
    # At an address from which nobody calls.
    options = ("--bind", "127.0.0.1", "127.0.0.2", "--requirepass", password)
    with RedisServer(tmp_path, options, password=password) as redis:
        place = f"127.0.0.2:{redis.port}"

        async def full(asking: "asyncio.Task[dict[str, Any]]") -> None:
            assert redis.ask("CONFIG", "SET", "maxmemory", 1) == b"+OK\r\n"
            await until(lambda: Say.STORE_WAITS in server_log.getvalue())
            assert redis.ask("CONFIG", "SET", "maxmemory", 0) == b"+OK\r\n"
            async with asyncio.timeout(20):
                while not asking.done():
                    clock.move(DEFAULT_LIMITS.store_retry_s)
                    await asyncio.wait([asking], timeout=0.02)

        # The clock is moved by more than a lease lasts otherwise.
        store = RedisStore(replace(parse_place(f"redis://:{password}@{place}"), lease_ms=3_600_000))
        settings = Settings(port=0, store="memory", limits=UNHURRIED, trusted_proxies=("127.0.0.1",))
        async with App(settings, store=store, clock=clock, entropy=seeded(seed)) as app:
            secrets = await evening(app, clock, full)
        await store.close()
    assert f"redis at {place}" in server_log.getvalue()
    for text in (server_log.getvalue(), everything_logged.getvalue()):
        assert not told(text, [*secrets, password]), told(text, [*secrets, password])


def test_a_secret_in_the_log_would_be_found(server_log: io.StringIO) -> None:
    """Each kind of secret is found in a log that tells it, and a field that is named for one is never written."""
    for line in ("SA", "from 127.0.0.1", "o1.k1.abc"):
        assert told(json.dumps({"event": line}), ["o1.k1.abc"])
    log.info("connection opened", token="o1.k1.abc", address="127.0.0.1", card="SA", tables=3)
    assert "tables" in server_log.getvalue()
    assert not told(server_log.getvalue(), ["o1.k1.abc"])
