"""Keys that sign tokens, and how one follows another without anybody being thrown out."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from oddtrick_server.app import App
from oddtrick_server.clock import VirtualClock
from oddtrick_server.keyring import KEYS, RETIRED, Keyring, KeysAreInAFile, read_keys
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.session import IDENTITIES, Guest
from oddtrick_server.settings import BadSetting, Settings
from oddtrick_server.store.errors import StoreWriteFailed
from oddtrick_server.store.memory import MemoryStore
from oddtrick_server.tokens import TokenMint, hash_of
from support.old_tokens import old_token
from support.tables import seeded
from support.wire import dial

TOKEN_S = DEFAULT_LIMITS.token_s
OLD, NEW = b"old" * 12, b"new" * 12
CHANCE = b"c" * 16


async def keyring(store: MemoryStore, clock: VirtualClock, *, file: str = "") -> Keyring:
    ring = Keyring(store, clock=clock, entropy=seeded("keys"), token_s=TOKEN_S, file=file)
    await ring.open()
    return ring


async def test_an_old_key_verifies_as_long_as_its_tokens_may_be_good() -> None:
    """After a rotation the new key signs, the old one still verifies until the last token it signed expires, and no longer."""
    store, clock = MemoryStore(), VirtualClock()
    ring = await keyring(store, clock)
    now = clock.unix_ms() / 1000
    token = ring.mint.mint("anna", expires=now + 10 * TOKEN_S, entropy=CHANCE)
    await ring.rotate()
    assert ring.mint.read(token, now) is not None
    assert not ring.mint.is_signed_anew(token)
    assert ring.mint.is_signed_anew(ring.mint.mint("ben", expires=now + 1, entropy=CHANCE))
    clock.move(TOKEN_S + 1)
    await ring.refresh()
    assert ring.mint.read(token, now) is None


async def test_servers_on_one_store_share_their_keys() -> None:
    """A second server has the keys of the first, and learns of a rotation by reading again."""
    store, clock = MemoryStore(), VirtualClock()
    first, second = await keyring(store, clock), await keyring(store, clock)
    token = first.mint.mint("anna", expires=2_000_000.0, entropy=CHANCE)
    assert second.mint.read(token, 1_000_000.0) is not None
    await first.rotate()
    newer = first.mint.mint("anna", expires=2_000_000.0, entropy=CHANCE)
    assert not second.mint.knows_key_of(newer)
    await second.refresh()
    assert second.mint.read(newer, 1_000_000.0) is not None
    await first.rotate()
    await second.rotate()
    assert await store.list_keys(KEYS) == ["k1", "k2", "k3", "k4"]


class AtOnce(MemoryStore):
    """A store where two servers that look for the keys see the same, before either goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.both: asyncio.Barrier | None = None

    async def list_keys(self, namespace: str) -> list[str]:
        found = await super().list_keys(namespace)
        if self.both is not None and namespace == KEYS:
            await self.both.wait()
        return found


async def test_two_rotations_at_once_make_one_key() -> None:
    """Two operators change the key of two servers at the same moment: there is one new key, and both sign with it."""
    store, clock = AtOnce(), VirtualClock()
    first, second = await keyring(store, clock), await keyring(store, clock)
    second._entropy = seeded("other keys")
    store.both = asyncio.Barrier(2)
    async with asyncio.timeout(5):
        await asyncio.gather(first.rotate(), second.rotate())
    store.both = None
    assert await store.list_keys(KEYS) == ["k1", "k2"]
    one, other = (ring.mint.mint("anna", expires=100, entropy=CHANCE) for ring in (first, second))
    assert one == other
    assert one.split(".")[1] == "k2"


class Failing(MemoryStore):
    """A store that is failing over: it can be read, and no write of it is sure to be kept."""

    is_failing = False

    async def put(self, namespace: str, key: str, value: bytes, *, only_new: bool = False) -> bool:
        if self.is_failing:
            raise StoreWriteFailed("whether it was written is unknown")
        return await super().put(namespace, key, value, only_new=only_new)


async def test_only_the_first_start_needs_to_write() -> None:
    """A server that starts while the store fails over finds the keys that are there, and does not end because of them."""
    store = Failing()
    async with App(Settings(port=0), store=store, clock=VirtualClock(), entropy=seeded("starts")):
        pass
    store.is_failing = True
    async with App(Settings(port=0), store=store, clock=VirtualClock(), entropy=seeded("starts")) as app:
        assert app.is_ready


async def test_the_operators_file_is_read_again(tmp_path: Path) -> None:
    """Keys in a file: the first line signs, the others verify, and a changed file counts from the next look at it."""
    file = tmp_path / "keys"
    file.write_bytes(OLD + b"\n")
    ring = await keyring(MemoryStore(), VirtualClock(), file=str(file))
    token = ring.mint.mint("anna", expires=2_000_000.0, entropy=CHANCE)
    file.write_bytes(NEW + b"\n\n" + OLD + b"\n")
    await ring.refresh()
    assert ring.mint.read(token, 1_000_000.0) is not None
    assert not ring.mint.is_signed_anew(token)
    file.write_bytes(NEW)
    await ring.refresh()
    assert ring.mint.read(token, 1_000_000.0) is None
    with pytest.raises(KeysAreInAFile):
        await ring.rotate()


@pytest.mark.parametrize(("content", "why"), [(b"", "characters or more"), (OLD + b"\nshort\n", "characters or more")])
def test_a_key_file_that_will_not_do_is_named(tmp_path: Path, content: bytes, why: str) -> None:
    """A file without a key, or with one that is too short, is refused by name, and so is one that is not there."""
    file = tmp_path / "keys"
    file.write_bytes(content)
    with pytest.raises(BadSetting, match=why):
        read_keys(str(file))
    with pytest.raises(BadSetting, match="cannot be read"):
        read_keys(str(tmp_path / "none"))


async def test_nobody_is_thrown_out_by_a_new_key() -> None:
    """Who comes with an older key's token is himself, and leaves with a token of the new key; a forged one of either is refused."""
    store, clock = MemoryStore(), VirtualClock()
    async with App(Settings(port=0), store=store, clock=clock, entropy=seeded("rotation")) as app:
        anna = await (await dial(app.url)).hello("Anna")
        ring = await keyring(store, clock)
        await ring.rotate()
        # The server learns of it when it is shown a token of a key it does not know, or at its next sweep.
        stranger = await dial(app.url)
        forged = ring.mint.mint(anna.identity, expires=clock.now() + 60, entropy=CHANCE)
        assert (await stranger.ask(t="hello", name="Eve", protocol=1, token=forged))["code"] == "bad_token"
        again = await (await dial(app.url)).hello("Anna", token=anna.token)
        assert again.identity == anna.identity
        assert again.token.split(".")[1] == "k2"
        third = await (await dial(app.url)).hello("Anna", token=again.token)
        assert (third.identity, third.token) == (anna.identity, again.token)
        assert await stranger.closed() == 4401
        await third.close()


async def test_what_the_store_keeps_brings_nobody_in() -> None:
    """The store holds no token, only hashes: whoever reads all of it, the keys too, cannot say hello as a player."""
    store, clock = MemoryStore(), VirtualClock()
    async with App(Settings(port=0), store=store, clock=clock, entropy=seeded("at rest")) as app:
        anna = await (await dial(app.url)).hello("Anna")
        (body,) = [await store.get(IDENTITIES, key) or b"" for key in await store.list_keys(IDENTITIES)]
        signature = anna.token.rpartition(".")[2].encode()
        assert anna.token.encode() not in body
        assert signature not in body
        keys = {name: await store.get(KEYS, name) or b"" for name in await store.list_keys(KEYS)}
        guest = msgspec.msgpack.decode(body, type=Guest)
        for name, key in keys.items():
            mint = TokenMint({name: key}, current=name)
            for second in range(-2, 3):
                expires = guest.since_ms / 1000 + TOKEN_S + second
                guesses = (
                    old_token(name, key, anna.identity, expires=expires),
                    mint.mint(anna.identity, expires=expires, entropy=bytes(16)),
                )
                for guess in guesses:
                    assert mint.read(guess, clock.unix_ms() / 1000) is not None
                    assert hash_of(guess) not in guest.token_hashes
                    answer = await (await dial(app.url)).ask(t="hello", name="Eve", protocol=1, token=guess)
                    assert answer["code"] == "bad_token"
        await anna.close()


async def test_a_token_of_the_form_before_brings_its_guest_back() -> None:
    """A guest whom an older server knew is himself after the upgrade, and leaves with a token that the store does not give away."""
    store, clock = MemoryStore(), VirtualClock()
    async with App(Settings(port=0), store=store, clock=clock, entropy=seeded("upgrade")) as app:
        token = old_token("k1", await store.get(KEYS, "k1") or b"", "anna", expires=clock.unix_ms() / 1000 + TOKEN_S)
        guest = Guest("Anna", [hash_of(token)], clock.unix_ms())
        await store.put(IDENTITIES, "anna", msgspec.msgpack.encode(guest))
        again = await (await dial(app.url)).hello("Anna", token=token)
        assert again.identity == "anna"
        assert again.token.startswith("o2.k1.")
        third = await (await dial(app.url)).hello("Anna", token=again.token)
        assert (third.identity, third.token) == ("anna", again.token)
        await third.close()


async def test_a_store_that_lost_the_keys_is_given_them_back() -> None:
    """A store comes back empty: the keys we have are put back, each as good for as long as before, and a rotation goes on from them."""
    store, clock = MemoryStore(), VirtualClock()
    ring = await keyring(store, clock)
    old = ring.mint.mint("anna", expires=clock.unix_ms() / 1000 + 10 * TOKEN_S, entropy=CHANCE)
    await ring.rotate()
    kept = {name: await store.get(KEYS, name) for name in await store.list_keys(KEYS)}
    for lose in (KEYS, RETIRED):
        for name in await store.list_keys(lose):
            await store.delete(lose, name)
    await ring.refresh()
    assert {name: await store.get(KEYS, name) for name in await store.list_keys(KEYS)} == kept
    assert ring.mint.mint("ben", expires=100, entropy=CHANCE).split(".")[1] == "k2"
    assert ring.mint.read(old, clock.unix_ms() / 1000) is not None
    for name in kept:
        await store.delete(KEYS, name)
    await ring.rotate()
    assert await store.list_keys(KEYS) == ["k1", "k2", "k3"]
    clock.move(TOKEN_S + 1)
    await ring.refresh()
    assert ring.mint.read(old, clock.unix_ms() / 1000) is None
