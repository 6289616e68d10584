"""The operator's port: what it answers, to whom, and what it never says."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from oddtrick_rules.cards import CARD_NAMES
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.hand_record import decode_record
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.metrics import Histogram
from oddtrick_server.settings import BadSetting, Settings
from support.house import UNHURRIED
from support.tables import seeded
from support.wire import Peer, dial, guests, until

KEY = "operators-key-" + "k" * 32
CARD = re.compile(rf"\b(?:{'|'.join(CARD_NAMES)})\b")


@pytest.fixture
def key_file(tmp_path: Path) -> str:
    path = tmp_path / "admin.key"
    path.write_text(f"{KEY}\n", encoding="utf-8")
    return str(path)


@pytest.fixture
async def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
async def app(key_file: str, clock: VirtualClock) -> AsyncIterator[App]:
    settings = Settings(port=0, store="memory", admin_key_file=key_file, admin_port=0, limits=UNHURRIED)
    async with App(settings, clock=clock, entropy=seeded("admin")) as app:
        yield app


async def ask(port: int, method: str, path: str, *, key: str | None = KEY) -> tuple[int, str]:
    """What an HTTP port answers."""

    def asked() -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        line.request(method, path, headers={} if key is None else {"Authorization": f"Bearer {key}"})
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        return answer.status, text

    return await asyncio.to_thread(asked)


async def begun(clock: VirtualClock, host: Peer, **wish: object) -> str:
    """A table with a player and three house bots, the cards dealt."""
    table: str = (await host.ok(t="create", bots=3, **wish))["table"]
    await host.ok(t="sit", table=table)
    await host.ok(t="start", table=table)
    await host.event("deal_committed")
    clock.move(DEFAULT_LIMITS.commit_s)
    await host.event("hand_dealt")
    return table


async def hand_over(clock: VirtualClock, host: Peer) -> None:
    while not (await host.ok(t="hands"))["hands"]:
        clock.move(20.0)
        await asyncio.sleep(0.001)


def value(text: str, name: str, **labels: str) -> float:
    """One figure of an exposition."""
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == name and sample.labels == labels:
                return float(sample.value)
    raise AssertionError(f"{name} {labels} is not there")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/metrics"),
        ("GET", "/tables"),
        ("POST", "/tables/abc/close"),
        ("DELETE", "/identities/abc"),
        ("POST", "/keys/rotate"),
        ("GET", "/nothing"),
    ],
)
@pytest.mark.parametrize("key", [None, "", "wrong", KEY[:-1], KEY + "x"])
async def test_without_the_key_nothing_is_answered(app: App, method: str, path: str, key: str | None) -> None:
    """Whatever is asked without the key, whole and right, is refused before anything is looked at."""
    assert await ask(app.admin_port, method, path, key=key) == (
        401,
        '{"error": "the key is missing or wrong"}\n',
    )


async def test_the_port_is_the_machines_own(app: App) -> None:
    """The admin port listens at the loopback address and nowhere else, and nothing of it is served on the players' port."""
    assert app._admin is not None
    assert app._admin._server is not None
    assert app._admin._server.server_address[0] == "127.0.0.1"
    for path in ("/metrics", "/tables", "/keys/rotate"):
        assert (await ask(app.port, "GET", path))[0] == 404


async def test_what_an_operator_asks_wrongly_is_told(app: App) -> None:
    """A path that is none, a table that is not there and a key file that is not ours to change are each named."""
    assert (await ask(app.admin_port, "GET", "/"))[0] == 404
    assert (await ask(app.admin_port, "POST", "/tables"))[0] == 404
    assert (await ask(app.admin_port, "GET", "/tables/../keys/rotate"))[0] == 404
    assert (await ask(app.admin_port, "POST", "/tables/nowhere/close"))[0] == 409
    assert (await ask(app.admin_port, "PUT", "/tables"))[0] == 501


async def test_tables_are_listed_and_closed(app: App, clock: VirtualClock) -> None:
    """An operator sees the tables in memory and closes one: its players are told, and it is gone."""
    async with guests(app.url, "Anna") as (anna,):
        table = await begun(clock, anna)
        (line,) = json.loads((await ask(app.admin_port, "GET", "/tables"))[1])
        assert (line["table"], line["state"], line["seats"][0]) == (table, "playing", "Anna")
        assert line["identities"][0] == anna.identity
        assert (await ask(app.admin_port, "POST", f"/tables/{table}/close"))[0] == 200
        assert (await anna.event("table_closed"))["reason"] == "closed by the operator"
        await until(lambda: not len(app.lobby))
        assert await anna.refused(t="resume", table=table, seq=0) == "no_such_table"


async def test_somebody_is_forgotten(app: App, clock: VirtualClock) -> None:
    """Deleting an identity ends its line and its token, and takes its name out of its hands; the hands stay for the others."""
    async with guests(app.url, "Anna", "Ben") as (anna, ben):
        table = await begun(clock, anna)
        await ben.ok(t="watch", table=table)
        await hand_over(clock, anna)
        status, text = await ask(app.admin_port, "DELETE", f"/identities/{anna.identity}")
        assert (status, json.loads(text)) == (200, 1)
        assert await anna.closed() == 4403
        again = await dial(app.url)
        assert (await again.ask(t="hello", name="Anna", protocol=1, token=anna.token))["code"] == "bad_token"
        body = await app.store.get_hand(table, 1)
        assert body is not None
        assert b"Anna" not in body
        assert anna.identity.encode() not in body
        assert decode_record(body, "hand").players[0] is not None
        assert (await ben.ok(t="hands", table=table))["hands"][0]["seats"][0] == "(forgotten)"
        assert (await ben.ok(t="record", table=table, hand=1, format="whist"))["record"]
        for nobody in ("nobody", anna.identity):
            status, text = await ask(app.admin_port, "DELETE", f"/identities/{nobody}")
            assert (status, json.loads(text)) == (409, {"error": "no such identity"})


async def test_a_bystander_is_forgotten(app: App, clock: VirtualClock) -> None:
    """Who only watched a hand of a private table is nowhere in what is kept of it, and then is nobody."""
    async with guests(app.url, "Anna", "Eve") as (anna, eve):
        made = await anna.ok(t="create", bots=3, private=True)
        await anna.ok(t="sit", table=made["table"])
        await eve.ok(t="watch", table=made["table"], invite=made["invite"])
        await anna.ok(t="start", table=made["table"])
        await anna.event("deal_committed")
        clock.move(DEFAULT_LIMITS.commit_s)
        await hand_over(clock, anna)
        body = await app.store.get_hand(made["table"], 1)
        assert body is not None
        assert eve.identity.encode() in body
        status, text = await ask(app.admin_port, "DELETE", f"/identities/{eve.identity}")
        assert (status, json.loads(text)) == (200, 1)
        assert await eve.closed() == 4403
        body = await app.store.get_hand(made["table"], 1)
        assert body is not None
        assert eve.identity.encode() not in body
        assert (await ask(app.admin_port, "DELETE", f"/identities/{eve.identity}"))[0] == 409


async def test_somebody_is_forgotten_in_the_middle_of_a_hand(app: App, clock: VirtualClock) -> None:
    """Who plays and watches is listed by identity; the one who is forgotten is at the table no more, nor in the hand once it is kept."""
    async with guests(app.url, "Anna", "Ben", "Eve") as (anna, ben, eve):
        table = (await anna.ok(t="create", bots=2))["table"]
        await anna.ok(t="sit", table=table)
        await ben.ok(t="sit", table=table)
        await eve.ok(t="watch", table=table)
        await anna.ok(t="start", table=table)
        await anna.event("deal_committed")
        clock.move(DEFAULT_LIMITS.commit_s)
        await anna.event("hand_dealt")
        (line,) = json.loads((await ask(app.admin_port, "GET", "/tables"))[1])
        assert line["identities"] == [anna.identity, ben.identity, None, None]
        assert line["watching"] == [["Eve", eve.identity]]
        for one in (anna, eve):
            assert (await ask(app.admin_port, "DELETE", f"/identities/{one.identity}"))[0] == 200
            assert await one.closed() == 4403
        assert (await ben.event("stood"))["seat"] == "N"
        assert (await ben.event("sat"))["bot"]
        (line,) = json.loads((await ask(app.admin_port, "GET", "/tables"))[1])
        assert line["identities"] == [None, ben.identity, None, None]
        assert not line["watching"]
        await hand_over(clock, ben)
        body = await app.store.get_hand(table, 1)
        assert body is not None
        assert b"Anna" not in body
        for one in (anna, eve):
            assert one.identity.encode() not in body
            assert not await app.store.list_hands_of(one.identity)
        assert [one and one.name for one in decode_record(body, "hand").players][:2] == ["(forgotten)", "Ben"]


async def test_the_key_that_signs_tokens_is_changed(app: App) -> None:
    """After a rotation new tokens are signed by another key, and old ones still bring their people back."""
    async with guests(app.url, "Anna") as (anna,):
        assert (await ask(app.admin_port, "POST", "/keys/rotate"))[0] == 200
        again = await (await dial(app.url)).hello("Anna", token=anna.token)
        assert again.identity == anna.identity
        assert again.token != anna.token
        await again.close()


async def test_keys_in_a_file_are_the_operators_own(key_file: str, tmp_path: Path) -> None:
    """Where the keys are in a file a rotation is refused, with what to do instead."""
    keys = tmp_path / "token.keys"
    keys.write_text("t" * 40, encoding="utf-8")
    settings = Settings(port=0, store="memory", admin_key_file=key_file, admin_port=0, token_key_file=str(keys))
    async with App(settings, clock=VirtualClock()) as app:
        status, text = await ask(app.admin_port, "POST", "/keys/rotate")
        assert status == 409
        assert "first line" in text


async def test_figures_are_what_prometheus_reads(app: App, clock: VirtualClock) -> None:
    """The figures parse, each with its help, and say how many play, what became of revokes and how long acts take (B45, B69)."""
    async with guests(app.url, "Anna", "Eve") as (anna, eve):
        table = await begun(clock, anna)
        await eve.ok(t="watch", table=table)
        await anna.ask(t="act", table=table, act={"do": "be_ready"})
        await hand_over(clock, anna)
        assert await anna.refused(t="start", table=table) == "in_play"
        text = (await ask(app.admin_port, "GET", "/metrics"))[1]
        families = list(text_string_to_metric_families(text))
        assert all(family.documentation for family in families)
        assert len({family.name for family in families}) == len(families)
        assert value(text, "oddtrick_connections") == 2
        assert value(text, "oddtrick_tables", state="playing") == 1
        assert value(text, "oddtrick_live_tables") == 1
        assert value(text, "oddtrick_people", role="seat") == 1
        assert value(text, "oddtrick_people", role="bystander") == 1
        assert value(text, "oddtrick_people", role="bot") == 3
        assert value(text, "oddtrick_hands_total", code="english-1864") >= 1
        assert value(text, "oddtrick_refusals_total", code="in_play") == 1
        assert value(text, "oddtrick_act_seconds_count") == 1
        assert value(text, "oddtrick_tables_opened_total") == 1
        assert value(text, "process_resident_memory_bytes") > 0
    await until(lambda: not app.listener.clients)
    clock.move(1.0)
    await asyncio.sleep(0.05)
    text = (await ask(app.admin_port, "GET", "/metrics"))[1]
    assert value(text, "oddtrick_live_tables") == 0, "bots and bystanders keep no table alive"
    assert value(text, "oddtrick_closes_total", code="1000") == 2


async def test_b101_no_route_tells_of_a_hand_in_play(app: App, clock: VirtualClock) -> None:
    """B101: an unguarded route gave out every hand in play; here no route, with the key or without, tells a card, token or address."""
    async with guests(app.url, "Anna") as (anna,):
        table = await begun(clock, anna, private=True)
        invite = app.lobby.actors[0].table.book.opened
        assert invite is not None
        secrets = [
            anna.token,
            invite.invite,
            "127.0.0.1",
            *(secret.hex() for secret in app.lobby.actors[0].table.secrets.values()),
        ]
        routes = [
            "/",
            "/index.html",
            "/livez",
            "/readyz",
            "/build",
            "/metrics",
            "/tables",
            "/debug",
            "/admin",
            "/ws",
            "/state",
        ]
        routes += [f"/tables/{table}", f"/a/{table}", f"/{table}", "/favicon.ico", "/server-status", "/.git/config"]
        for port, key in ((app.port, None), (app.port, KEY), (app.admin_port, None), (app.admin_port, KEY)):
            for route in routes:
                _, text = await ask(port, "GET", route, key=key)
                assert not [secret for secret in secrets if secret in text], (route, text[:200])
                if port == app.admin_port:
                    assert not CARD.findall(text), (route, text)
                elif key is None:
                    assert table not in text


@pytest.mark.parametrize("content", ["", "short", "k" * 31, "k" * 20 + "\n" + "k" * 20, "\u00e9" * 40])
async def test_a_key_that_is_too_weak_is_refused(tmp_path: Path, content: str) -> None:
    """A key file without a key of enough characters is named, and so is one that is not there; the server does not start."""
    path = tmp_path / "admin.key"
    path.write_text(content, encoding="utf-8")
    for file in (path, tmp_path / "none"):
        with pytest.raises(BadSetting, match="admin_key_file"):
            async with App(Settings(port=0, store="memory", admin_key_file=str(file)), clock=VirtualClock()):
                pass


async def test_a_port_in_use_is_named(app: App, key_file: str) -> None:
    """If the admin port cannot be had, the server does not start, says so, and leaves nothing behind."""
    tasks = len(asyncio.all_tasks())
    settings = Settings(port=0, store="memory", admin_key_file=key_file, admin_port=app.admin_port)
    with pytest.raises(BadSetting, match=f"admin_port {app.admin_port}"):
        async with App(settings, clock=VirtualClock()):
            pass
    await until(lambda: len(asyncio.all_tasks()) == tasks)


async def test_without_a_key_file_there_is_no_port() -> None:
    """An operator who gives no key has no admin port and no watch on the loop."""
    settings: Any = replace(Settings(), port=0, store="memory")
    async with App(settings, clock=VirtualClock()) as app:
        assert app.admin_port == 0
        assert app._admin is None
        assert app._lag is None


def test_a_histogram_counts_up_to_each_bound() -> None:
    """A time counts in its range and in all above it, one that is a bound below it, and the last range has all."""
    histogram = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 7.0):
        histogram.add(seconds)
    assert list(histogram.buckets()) == [("0.1", 2), ("1.0", 3), ("+Inf", 4)]
    assert histogram.total == pytest.approx(7.65)
