"""Accounts that players have with somebody else: who is believed, and who is not."""

import asyncio
import base64
import hmac
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from websockets.exceptions import InvalidStatus

from oddtrick_protocol.closing import Close
from oddtrick_protocol.limits import TOKEN_CHARS_MAX
from oddtrick_sdk import Client, Options, Unreachable, Unwelcome, WithBearer
from oddtrick_server.accounts import Accounts
from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.settings import BadSetting, Settings
from support.processes import run
from support.wire import Peer, dial, until

ISSUER, AUDIENCE = "https://accounts.example", "oddtrick"
NOW = 1_000_000.0
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())
EDWARDS = ed25519.Ed25519PrivateKey.generate()
SHARED = base64.urlsafe_b64encode(b"s" * 32).decode().rstrip("=")


def public(algorithm: Any, key: Any, **more: str) -> dict[str, Any]:
    return {**json.loads(algorithm.to_jwk(key.public_key())), **more}


KEYS = [
    public(jwt.algorithms.RSAAlgorithm, RSA, kid="r", alg="RS256"),
    public(jwt.algorithms.ECAlgorithm, CURVE, kid="c", alg="ES256"),
    public(jwt.algorithms.OKPAlgorithm, EDWARDS, kid="e", alg="EdDSA"),
]


def write(path: Path, *keys: dict[str, Any]) -> str:
    path.write_text(json.dumps({"keys": list(keys)}), encoding="utf-8")
    return str(path)


def token(key: Any = CURVE, algorithm: str = "ES256", kid: str | None = "c", **claims: Any) -> str:
    """A good token, but for what is given."""
    whole = {"iss": ISSUER, "aud": AUDIENCE, "sub": "anna-7", "exp": NOW + 300, "name": "Anna", **claims}
    payload = {name: value for name, value in whole.items() if value is not None}
    return jwt.encode(payload, key, algorithm=algorithm, headers={} if kid is None else {"kid": kid})


@pytest.fixture
def keys_file(tmp_path: Path) -> str:
    return write(tmp_path / "keys.json", *KEYS)


@pytest.fixture
def accounts(keys_file: str) -> Accounts:
    return Accounts(keys_file=keys_file, issuer=ISSUER, audience=AUDIENCE)


@pytest.mark.parametrize(
    ("key", "algorithm", "kid"), [(RSA, "RS256", "r"), (CURVE, "ES256", "c"), (EDWARDS, "EdDSA", "e")]
)
def test_a_token_of_the_issuer_is_believed(accounts: Accounts, key: Any, algorithm: str, kid: str) -> None:
    """Whatever sound algorithm the issuer signs with, one account is one identity, and its name comes with it."""
    account = accounts.read(token(key, algorithm, kid), NOW)
    assert account is not None
    assert account.name == "Anna"
    assert account == accounts.read(token(exp=NOW + 999), NOW)
    other = accounts.read(token(sub="anna-8"), NOW)
    assert other is not None
    assert other.identity != account.identity


def confused() -> str:
    """A token signed with the public key as if that were a shared secret: the classic trick."""
    secret = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    header, payload = {"alg": "HS256", "kid": "r"}, {"iss": ISSUER, "aud": AUDIENCE, "sub": "x", "exp": NOW + 300}
    body = b".".join(encoded(json.dumps(part).encode()) for part in (header, payload))
    return (body + b"." + encoded(hmac.digest(secret, body, "sha256"))).decode()


def encoded(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(token(iss="https://evil.example"), id="another issuer"),
        pytest.param(token(iss=None), id="no issuer"),
        pytest.param(token(aud="chess"), id="another audience"),
        pytest.param(token(aud=None), id="no audience"),
        pytest.param(token(exp=NOW - 31), id="expired"),
        pytest.param(token(exp=None), id="without an end"),
        pytest.param(token(exp="soon"), id="an end that is no time"),
        pytest.param(token(nbf=NOW + 31), id="not yet good"),
        pytest.param(token(sub=None), id="without a subject"),
        pytest.param(token(sub=""), id="an empty subject"),
        pytest.param(token(ec.generate_private_key(ec.SECP256R1())), id="another key"),
        pytest.param(token(kid="nobody"), id="a key that is not known"),
        pytest.param(token(kid=None), id="no key named, of several"),
        pytest.param(token(kid="r"), id="a key of another algorithm"),
        pytest.param(token(None, "none"), id="no signature"),
        pytest.param(confused(), id="the public key as a secret"),
        pytest.param(token() + "x", id="a changed signature"),
        pytest.param("", id="nothing"),
        pytest.param("ey.ey.ey", id="garbage"),
        pytest.param("x" * 10_000, id="long garbage"),
    ],
)
def test_any_other_token_is_not(accounts: Accounts, shown: str) -> None:
    """A token that is not the issuer's, not for us, not of now or not whole brings nobody in."""
    assert accounts.read(shown, NOW) is None
    assert accounts.bearer(f"Bearer {shown}", NOW) is None


def test_keys_are_changed_while_the_server_runs(accounts: Accounts, keys_file: str) -> None:
    """A key taken out of the file counts no more once it is read again; a file that will not do leaves the keys as they were."""
    write(Path(keys_file), *KEYS[1:])
    accounts.refresh()
    assert accounts.read(token(RSA, "RS256", "r"), NOW) is None
    Path(keys_file).write_text("{", encoding="utf-8")
    with pytest.raises(BadSetting, match="no JSON Web Key Set"):
        accounts.refresh()
    assert accounts.read(token(), NOW) is not None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"keys": []}', '{"keys": [{"kty": "XX"}]}', '{"keys": 7}'])
def test_a_file_without_keys_is_named(tmp_path: Path, content: str) -> None:
    """A file that holds no key that can be used is refused by name, and so is one that is not there."""
    path = tmp_path / "keys.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadSetting, match=r"keys\.json"):
        Accounts(keys_file=str(path), issuer=ISSUER, audience=AUDIENCE)
    with pytest.raises(BadSetting, match="cannot be read"):
        Accounts(keys_file=str(tmp_path / "none"), issuer=ISSUER, audience=AUDIENCE)


def test_a_shared_secret_is_no_key(tmp_path: Path) -> None:
    """A key that whoever verifies could also sign with is refused."""
    path = write(tmp_path / "keys.json", {"kty": "oct", "k": SHARED, "kid": "s", "alg": "HS256"})
    with pytest.raises(BadSetting, match="HS256"):
        Accounts(keys_file=path, issuer=ISSUER, audience=AUDIENCE)


@pytest.mark.parametrize("some", [{"accounts_issuer": ISSUER}, {"accounts_keys_file": "k", "accounts_issuer": ISSUER}])
def test_the_settings_go_together(some: dict[str, str]) -> None:
    """Keys, issuer and audience are set together or not at all, and nobody is shut out without them."""
    with pytest.raises(BadSetting, match="all three"):
        Settings(**some)  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="accounts_only"):
        Settings(accounts_only=True)


# --- at a server ---


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(NOW)


@pytest.fixture
async def app(keys_file: str, clock: VirtualClock) -> AsyncIterator[App]:
    settings = Settings(
        port=0,
        store="memory",
        accounts_keys_file=keys_file,
        accounts_issuer=ISSUER,
        accounts_audience=AUDIENCE,
        accounts_only=True,
    )
    async with App(settings, clock=clock) as app:
        yield app


async def with_bearer(app: App, shown: str) -> Peer:
    return await dial(app.url, additional_headers={"Authorization": f"Bearer {shown}"})


async def test_an_account_is_one_identity_from_anywhere(app: App) -> None:
    """Two tokens of one account are one identity with the account's name, whatever name the hello gives."""
    first = await (await with_bearer(app, token())).hello("Impostor")
    second = await (await with_bearer(app, token(RSA, "RS256", "r"))).hello("Somebody")
    assert second.identity == first.identity
    assert second.got[0]["name"] == "Anna"
    assert await first.closed() == 4409
    await second.close()


async def test_an_accounts_own_token_lasts_half_a_day(app: App, clock: VirtualClock) -> None:
    """With the token of its welcome an account comes back without the issuer's, and no longer than that token lives."""
    first = await (await with_bearer(app, token())).hello("Anna")
    again = await (await dial(app.url)).hello("Impostor", token=first.token)
    assert (again.identity, again.token) == (first.identity, first.token)
    assert again.got[0]["name"] == "Anna"
    clock.move(DEFAULT_LIMITS.account_token_s)
    late = await dial(app.url)
    assert (await late.ask(t="hello", name="Anna", protocol=1, token=first.token))["code"] == "bad_token"
    assert await late.closed() == 4401
    await again.close()


async def test_a_short_bearer_may_stand_in_the_hello(app: App) -> None:
    """A client that can set no header shows the issuer's token as that of its hello, and a false one is refused."""
    short = token(EDWARDS, "EdDSA", "e", name=None)
    assert len(short) <= 512
    anna = await (await dial(app.url)).hello("Anna", token=short)
    by_header = await (await with_bearer(app, token())).hello("Anna")
    assert by_header.identity == anna.identity
    eve = await dial(app.url)
    assert (await eve.ask(t="hello", name="Eve", protocol=1, token=short[:-3] + "xyz"))["code"] == "bad_token"
    await by_header.close()


async def test_a_bad_bearer_is_refused_at_the_door(app: App) -> None:
    """An upgrade with a bearer that is not good, or with two, is answered with 401."""
    for headers in ([("Authorization", "Bearer x")], [("Authorization", f"Bearer {token()}")] * 2):
        with pytest.raises(InvalidStatus) as refused:
            await dial(app.url, additional_headers=headers)
        assert refused.value.response.status_code == 401


async def test_where_accounts_only_are_let_in_guests_are_not(app: App) -> None:
    """A hello without an account is refused, and the connection is closed with the code that tells it to stop."""
    guest = await dial(app.url)
    assert (await guest.ask(t="hello", name="Eve", protocol=1))["code"] == "bad_token"
    assert await guest.closed() == 4401


# --- the project's own programs ---


def long_token() -> str:
    """As issuers make them: by RSA, with more claims than a hello has room for."""
    made = token(RSA, "RS256", "r", email="anna@accounts.example", scope="openid profile email", azp="oddtrick")
    assert len(made) > TOKEN_CHARS_MAX
    return made


async def test_a_client_of_the_sdk_comes_with_its_account(app: App) -> None:
    """What its issuer gave it stands in the upgrade, however long; without it the client is a guest, whom nobody lets in."""
    async with Client(app.url, name="Impostor", options=Options(opener=WithBearer(long_token()))) as anna:
        assert anna.session.name == "Anna"
        identity = anna.identity
    by_header = await (await with_bearer(app, token())).hello("Anna")
    assert by_header.identity == identity
    await by_header.close()
    with pytest.raises(Unwelcome):
        async with Client(app.url, name="Eve"):
            pass


async def test_a_client_outlives_the_token_of_its_issuer(app: App, clock: VirtualClock) -> None:
    """A bearer runs out in minutes: a line lost later is opened again, by what the server gave the client."""
    async with Client(app.url, name="Anna", options=Options(opener=WithBearer(long_token()))) as anna:
        identity, there = anna.identity, next(iter(app.listener.clients))
        clock.move(3600.0)
        there.connection.drop(Close.OVERLOADED)
        await until(lambda: app.listener.clients and there not in app.listener.clients)
        await anna.ping()
        assert anna.identity == identity


async def test_a_bad_bearer_is_told_and_not_repeated(app: App) -> None:
    """A token that is not taken ends the matter in words that do not have it; what can be none is not even sent."""
    bad = long_token()[:-5] + "xxxxx"
    with pytest.raises(Unreachable, match="answered 401: the bearer token is not good here") as refused:
        async with Client(app.url, name="Anna", options=Options(opener=WithBearer(bad))):
            pass
    assert bad not in str(refused.value)
    for none in ("", "two words", "a\r\nX-Forwarded-For: 10.0.0.1", "\N{LATIN SMALL LETTER E WITH ACUTE}"):
        with pytest.raises(ValueError, match="bearer token has") as told:
            WithBearer(none)
        assert not none or none not in str(told.value)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["watch"], "there is no table"),
        (["play", "--bots", "3"], "Table "),
        (["bot", "--table", "T"], "no_such_table"),
        (["record", "T"], "no hand of T"),
    ],
)
async def test_commands_take_the_token_of_an_account(app: App, command: list[str], says: str) -> None:
    """`--token` may be the issuer's: it goes where there is room for it."""
    done = await run(*command, "--url", app.url, "--token", long_token(), typed="/quit\n")
    assert says in done.text


async def test_a_file_may_hold_the_token_of_an_account(app: App, tmp_path: Path) -> None:
    """`--token-file` is read to its end; afterwards it has the server's own token, which brings the same account back."""
    file = tmp_path / "token"
    file.write_text(long_token(), encoding="ascii")
    for _ in range(2):
        done = await run("play", "--bots", "3", "--url", app.url, "--token-file", str(file), typed="/quit\n")
        assert "Table " in done.out, done.text
        assert file.read_text(encoding="ascii").startswith("o2.")


async def test_a_bots_program_comes_with_its_account(app: App) -> None:
    """`run` takes `bearer`, and ends as it does without it when there is no such table."""
    program = "import sys; from oddtrick_sdk import house_bot, run; import random; url, bearer = sys.argv[1:]\n"
    program += "run(house_bot('courteous', random.Random(1)), url, table='T', bearer=bearer)"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, app.url, long_token(), stderr=asyncio.subprocess.PIPE
    )
    _, err = await process.communicate()
    assert b"no_such_table" in err or b"no table" in err, err.decode()
