"""Accounts that an operator's players have with somebody else: bearer tokens (JWT, as OpenID Connect issues them).

A token is believed if a key of the operator's file (a JSON Web Key Set, as the issuer publishes it) signed it with the algorithm of
that key, if issuer and audience are those of the settings, and if it is not out of date. Nothing is fetched: the file is renewed
by the operator's hand, and it is read again as it changes. Keys that are a shared secret are refused, and so is `none`.

Only this module needs PyJWT (`oddtrick[accounts]`).
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from oddtrick_server.settings import BadSetting, Settings

if TYPE_CHECKING:
    from jwt import PyJWK

LEEWAY_S: Final = 30.0  # between the issuer's clock and ours
IDENTITY_BYTES: Final = 15
SCHEME: Final = "bearer "
ALGORITHMS: Final = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)
# Issuer, audience and signature are the library's to check; the times are ours, on the server's own clock.
CHECKS: Final = {"require": ["exp", "sub"], "verify_exp": False, "verify_nbf": False, "verify_iat": False}


@dataclass(frozen=True, slots=True)
class Account:
    """Who somebody is with the issuer: the identity here that is his until it is forgotten, and the name he bears there."""

    identity: str
    name: str | None


class Accounts:
    """Reads bearer tokens. BadSetting if the file of keys will not do, or PyJWT is not installed."""

    def __init__(self, *, keys_file: str, issuer: str, audience: str) -> None:
        self._file = keys_file
        self._issuer = issuer
        self._audience = audience
        self._keys: dict[str | None, PyJWK] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read the keys again; BadSetting, and the old ones stay, if they will not do."""
        self._keys = _read_keys(self._file)

    def read(self, token: str, now: float) -> Account | None:
        """Whose account a token speaks for at that time (seconds of Unix time); None if it is not to be believed."""
        import jwt  # noqa: PLC0415 -- an extra: servers without accounts have none

        try:
            key = self._key(jwt.get_unverified_header(token).get("kid"))
            if key is None:
                return None
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                issuer=self._issuer,
                audience=self._audience,
                options=CHECKS,  # type: ignore[arg-type]
            )
        except (jwt.PyJWTError, ValueError, RecursionError):
            return None
        return self._account(claims) if _is_current(claims, now) else None

    def bearer(self, header: str, now: float) -> Account | None:
        """The same for the value of an `Authorization` header."""
        return self.read(header[len(SCHEME) :].strip(), now) if header[: len(SCHEME)].lower() == SCHEME else None

    def _key(self, name: object) -> PyJWK | None:
        if name is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(name) if isinstance(name, str) else None

    def _account(self, claims: dict[str, Any]) -> Account | None:
        subject, name = claims["sub"], claims.get("name", claims.get("preferred_username"))
        if not isinstance(subject, str) or not subject:
            return None
        digest = sha256(f"{len(self._issuer)}:{self._issuer}{subject}".encode()).digest()
        identity = base64.b32encode(digest[:IDENTITY_BYTES]).decode().lower()
        return Account(identity, name if isinstance(name, str) else None)


def accounts_of(settings: Settings) -> Accounts | None:
    """The accounts that an operator's settings speak of; None if of none. BadSetting as `Accounts`."""
    if not settings.accounts_keys_file:
        return None
    return Accounts(
        keys_file=settings.accounts_keys_file,
        issuer=settings.accounts_issuer,
        audience=settings.accounts_audience,
    )


def _is_current(claims: dict[str, Any], now: float) -> bool:
    begins, ends = claims.get("nbf", 0), claims["exp"]
    if not all(isinstance(at, int | float) and not isinstance(at, bool) for at in (begins, ends)):
        return False
    return bool(begins - LEEWAY_S <= now < ends + LEEWAY_S)


def _read_keys(file: str) -> dict[str | None, PyJWK]:
    try:
        from jwt import PyJWKSet, PyJWTError  # noqa: PLC0415
    except ModuleNotFoundError:
        raise BadSetting("accounts_keys_file: needs PyJWT: pip install '.[accounts]' in a clone") from None
    where = f"accounts_keys_file {file}"
    try:
        keys = PyJWKSet.from_json(Path(file).read_text(encoding="utf-8")).keys
    except OSError as error:
        raise BadSetting(f"{where}: cannot be read: {error.strerror}") from None
    except (PyJWTError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise BadSetting(f"{where}: is no JSON Web Key Set with a key that can be used: {error}") from None
    wrong = sorted({key.algorithm_name for key in keys} - ALGORITHMS)
    if wrong:
        raise BadSetting(f"{where}: {wrong[0]} is none of {' '.join(sorted(ALGORITHMS))}")
    return {key.key_id: key for key in keys}
