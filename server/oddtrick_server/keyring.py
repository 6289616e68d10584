"""The keys that sign tokens, and how one follows another.

Either the operator keeps them in a file, one key a line, the newest first; or they are made here and kept in the store, so that all
servers on it have the same. A new key signs from now on; the ones before still verify, for as long as a token they signed may be
good. Whoever comes with an older key's token is given a new one, so a rotation throws nobody out.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from oddtrick_server.clock import Clock
from oddtrick_server.settings import BadSetting
from oddtrick_server.store.errors import StoreCorrupt
from oddtrick_server.store.interface import Store
from oddtrick_server.tokens import KEY_BYTES_MIN, TokenMint, hash_of

KEYS: Final = "token-keys"
RETIRED: Final = "token-keys-retired"  # when another key took over, in seconds of Unix time, by the key's name
KEY_BYTES: Final = 32


class KeysAreInAFile(Exception):
    """The operator keeps the keys: only he can put a new one in front."""


class Keyring:
    """The keys of one server. `mint` is one object for good; `refresh` brings it up to date."""

    mint: TokenMint

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        entropy: Callable[[int], bytes],
        token_s: float,
        file: str = "",
    ) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._token_s = token_s
        self._file = file
        self._known: dict[str, bytes] = {}  # that the store had when it was last read, the newest last

    async def open(self) -> None:
        """Read the keys, or make the first; BadSetting if the file will not do."""
        # Only the first start ever writes: the others must not fail because the store is failing over.
        if not self._file and not await self._store.list_keys(KEYS):
            await self._store.put(KEYS, "k1", self._entropy(KEY_BYTES), only_new=True)
        keys, current = await self._read()
        self._known = keys
        self.mint = TokenMint(keys, current=current)

    async def refresh(self) -> None:
        """Take in keys that came since, and let go of those whose tokens have all expired; BadSetting as `open`.

        A store that has come back without any gets those we have: what we sign must be good at the servers that start after.
        """
        if not self._file and not await self._store.list_keys(KEYS):
            await self._put_back()
        keys, current = await self._read()
        self._known = keys
        self.mint.change(keys, current=current)

    async def rotate(self) -> None:
        """Sign with a new key from now on; KeysAreInAFile if that is the operator's to do."""
        if self._file:
            raise KeysAreInAFile
        await self.refresh()
        names = sorted(await self._store.list_keys(KEYS), key=_number)
        # Of two servers that do this at once one makes the key, and both use it.
        await self._store.put(KEYS, f"k{_number(names[-1]) + 1}", self._entropy(KEY_BYTES), only_new=True)
        for name in names:
            await self._store.put(RETIRED, name, self._unix_text(), only_new=True)
        await self.refresh()

    async def _read(self) -> tuple[dict[str, bytes], str]:
        if self._file:
            return read_keys(self._file)
        keys: dict[str, bytes] = {}
        for name in sorted(await self._store.list_keys(KEYS), key=_number):
            retired = await self._store.get(RETIRED, name)
            if retired is not None and float(retired) + self._token_s < self._unix_s():
                continue
            key = await self._store.get(KEYS, name)
            if key is not None:  # keys are never deleted, but a store may lose all it has meanwhile
                keys[name] = key
        if not keys:
            raise StoreCorrupt("the store has no key for tokens any more: restore it from a backup")
        return keys, list(keys)[-1]

    async def _put_back(self) -> None:
        """Give the store the keys that we have, with all but the newest as retired just now."""
        *older, _ = self._known
        for name in older:
            await self._store.put(RETIRED, name, self._unix_text(), only_new=True)
        for name, key in self._known.items():
            await self._store.put(KEYS, name, key, only_new=True)

    def _unix_text(self) -> bytes:
        return str(int(self._unix_s())).encode()

    def _unix_s(self) -> float:
        return self._clock.unix_ms() / 1000


def read_keys(file: str) -> tuple[dict[str, bytes], str]:
    """The keys of a file by name, and the name of the first; BadSetting if it will not do."""
    try:
        lines = [line.strip() for line in Path(file).read_bytes().splitlines() if line.strip()]
    except OSError as error:
        raise BadSetting(f"token_key_file {file}: cannot be read: {error.strerror}") from None
    if not lines or any(len(line) < KEY_BYTES_MIN for line in lines):
        raise BadSetting(f"token_key_file {file}: holds keys of {KEY_BYTES_MIN} characters or more, one a line")
    named = {"f" + hash_of(line.hex())[:8]: line for line in lines}
    return named, next(iter(named))


def _number(name: str) -> int:
    return int(name.removeprefix("k"))
