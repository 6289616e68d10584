"""Guests' tokens: signed, expiring, and worth nothing to who reads the store.

A token is `o2.KEY.IDENTITY.EXPIRY.CHANCE.SIGNATURE`: which key signed it, whose it is, until when (Unix seconds), 128 random bits,
and HMAC-SHA-256 over all before. Old keys still verify, so that a key can be replaced without throwing anybody out.

The store holds all the rest, the keys too unless they are in a file: a token is secret by its random bits. Those of the form
before (`o1`) had none; they are read until they expire, and their holders are given one of this form.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Final

FORM: Final = "o2"
PARTS: Final = {"o1": 4, FORM: 5}  # before the signature, by form
KEY_BYTES_MIN: Final = 32
CHANCE_BYTES: Final = 16


class TokenMint:
    """Makes tokens and tells true ones; time comes in as an argument, in seconds of Unix time."""

    def __init__(self, keys: Mapping[str, bytes], *, current: str) -> None:
        self.change(keys, current=current)

    def change(self, keys: Mapping[str, bytes], *, current: str) -> None:
        """Verify by these keys, and sign with the current one; ValueError if they will not do."""
        if current not in keys or any(len(key) < KEY_BYTES_MIN for key in keys.values()):
            raise ValueError(f"a mint needs a current key, and every key is {KEY_BYTES_MIN} bytes or more")
        self._keys = dict(keys)
        self._current = current

    def knows_key_of(self, token: str) -> bool:
        """Whether the key that a token names is one of ours; of what is no token, no matter."""
        return self._key_named_in(token) in self._keys

    def is_signed_anew(self, token: str) -> bool:
        """Whether one made now would have its form and its key, if it is true at all."""
        return token.startswith(f"{FORM}.") and self._key_named_in(token) == self._current

    @staticmethod
    def _key_named_in(token: str) -> str:
        return token.split(".", 2)[1] if token.startswith(tuple(f"{form}." for form in PARTS)) else ""

    def mint(self, identity: str, *, expires: float, entropy: bytes) -> str:
        """A token that brings this identity back until then; the entropy is `CHANCE_BYTES` that nobody else knows."""
        if len(entropy) != CHANCE_BYTES:
            raise ValueError(f"a token is made with {CHANCE_BYTES} random bytes, not {len(entropy)}")
        body = f"{FORM}.{self._current}.{identity}.{int(expires)}.{_text(entropy)}"
        return f"{body}.{_sign(self._keys[self._current], body)}"

    def read(self, token: str, now: float) -> tuple[str, float] | None:
        """Whose token it is and when it expires; None if it is not ours or no longer good."""
        body, _, signature = token.rpartition(".")
        parts = body.split(".")
        if len(parts) != PARTS.get(parts[0]) or not token.isascii():
            return None
        key = self._keys.get(parts[1])
        if key is None or not hmac.compare_digest(_sign(key, body), signature):
            return None
        expires = float(parts[3])
        return (parts[2], expires) if now < expires else None


def hash_of(token: str) -> str:
    """What of a token may be kept at rest."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_identity(entropy: bytes) -> str:
    """A name for somebody that says nothing of him; 15 bytes of entropy give 24 letters and digits."""
    return base64.b32encode(entropy).decode().lower().rstrip("=")


def _sign(key: bytes, body: str) -> str:
    return _text(hmac.digest(key, body.encode(), "sha256"))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
