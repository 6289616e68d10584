"""A Redis that asks for a certificate, as one that speaks TLS does unless it is told otherwise."""

import asyncio
from pathlib import Path

import pytest

from oddtrick_server.store.errors import StoreError
from oddtrick_server.store.opening import open_store
from oddtrick_server.store.redis import RedisStore
from support.certificates import loopback_certificate
from support.redis_servers import RedisServer, free_port


async def test_a_redis_that_asks_for_a_certificate_is_shown_ours(tmp_path: Path) -> None:
    """With `cert` and `key` it is spoken to, letters included; without them it is not."""
    certificate, key = loopback_certificate(tmp_path)
    port = free_port()
    options = ("--tls-port", str(port), "--tls-cert-file", str(certificate), "--tls-key-file", str(key))
    with RedisServer(tmp_path / "redis", (*options, "--tls-ca-cert-file", str(certificate))):
        form = f"rediss://127.0.0.1:{port}?ca={certificate}"
        store = open_store(f"{form}&cert={certificate}&key={key}")
        assert isinstance(store, RedisStore)
        await store.ping()
        await store.mail.send("c0ffee", [b"letter"])
        async with asyncio.timeout(10):
            assert await store.mail.receive("c0ffee") == [b"letter"]
        await store.close()
        store = open_store(form)
        with pytest.raises(StoreError):
            await store.ping()
        await store.close()
