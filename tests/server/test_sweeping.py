"""What a server looks after now and then, and what it says of what fails."""

import asyncio
from pathlib import Path

import structlog

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.logs import Say
from oddtrick_server.settings import Settings
from support.several import until

KEY, OTHER = "k" * 43, "o" * 43
KEY_SET = '{"keys": [{"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "kid": "%s", "x": "%s"}]}'


async def test_one_step_that_fails_stops_no_other(tmp_path: Path) -> None:
    """The file of the tokens' keys is broken: the issuer's new keys are read all the same, and the log names the file."""
    ours, issuers = tmp_path / "token.keys", tmp_path / "issuer.jwks.json"
    ours.write_text(KEY)
    issuers.write_text(KEY_SET % ("before", KEY[:-1] + "Q"))
    settings = Settings(
        port=0,
        store="memory",
        token_key_file=str(ours),
        accounts_keys_file=str(issuers),
        accounts_issuer="https://accounts.example",
        accounts_audience="oddtrick",
    )
    clock = VirtualClock()
    async with App(settings, clock=clock) as app:
        accounts = app._accounts
        assert accounts is not None
        ours.write_text("short")
        issuers.write_text(KEY_SET % ("after", KEY[:-1] + "Q"))
        with structlog.testing.capture_logs() as logged:
            await asyncio.sleep(0)  # the sweeper begins to wait
            clock.move(settings.limits.sweep_s + 1)
            await until(lambda: list(accounts._keys) == ["after"])
        said = {line["event"]: line.get("why", "") for line in logged}
        assert str(ours) in said[Say.SETTING_BAD]
        assert Say.STORE_WAITS not in said
