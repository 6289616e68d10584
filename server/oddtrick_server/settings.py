"""How an operator sets up a server: one frozen record, from the command line over the environment over a file.

Environment variables are the fields' names in capitals after `ODDTRICK_` (`ODDTRICK_PORT`); the file is TOML with the same
names, and a table `[limits]` with those of `limits.py`. Lists are separated by commas in the environment. In both, `redis` is
another name of `store`, as on the command line. A name that is no setting is refused, so that none is lost by a slip.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_type_hints
from urllib.parse import urlsplit

from oddtrick_server.limits import DEFAULT_LIMITS, Limits, may_be_zero
from oddtrick_server.proxies import Proxies

PREFIX: Final = "ODDTRICK_"
CONFIG_VARIABLE: Final = "ODDTRICK_CONFIG"  # names the file; it is the command that reads it
OTHER_NAMES: Final = {"redis": "store"}
DIGITS_MAX: Final = 18  # of a number; more is no size of anything
KINDS: Final[Mapping[Any, str]] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text, in quotes",
    tuple[str, ...]: 'a list of texts, as ["one", "two"]',
}
PORTS: Final = {"http": 80, "https": 443}  # which browsers leave out of an origin
DEFAULT_PORT: Final = 8765
DEFAULT_ADMIN_PORT: Final = 8766


class BadSetting(ValueError):
    """A setting that will not do; the text names it and says what would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator may choose."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT  # 0: any that is free
    store: str = "sqlite:oddtrick.db"
    origins: tuple[str, ...] = ()  # pages of other sites that may connect, as https://example.org
    trusted_proxies: tuple[str, ...] = ()  # addresses and networks whose X-Forwarded-For is believed
    allow_seeds: bool = False  # let clients open tables with deals that repeat
    token_key_file: str = ""  # a key a line, the newest first; without it keys are made and kept in the store
    admin_key_file: str = ""  # with it the admin port is open, to the machine itself and who has the key
    admin_port: int = DEFAULT_ADMIN_PORT  # 0: any that is free
    accounts_keys_file: str = ""  # a JSON Web Key Set: bearer tokens that its keys signed bring accounts in
    accounts_issuer: str = ""  # `iss` of those tokens
    accounts_audience: str = ""  # `aud` of those tokens
    accounts_only: bool = False  # nobody else is let in
    log_format: str = "console"  # or json
    log_level: str = "info"
    limits: Limits = DEFAULT_LIMITS

    def __post_init__(self) -> None:
        if not self.host.strip():
            # The system takes an empty name for every address there is, which nobody means who left one out.
            raise BadSetting(f"host {self.host!r}: is an address; 0.0.0.0 for all")
        for name in ("port", "admin_port"):
            if not 0 <= getattr(self, name) <= 65_535:
                raise BadSetting(f"{name} {getattr(self, name)}: is 0 to 65535")
        if self.log_format not in {"console", "json"}:
            raise BadSetting(f"log_format {self.log_format!r}: is console or json")
        if self.log_level not in {"debug", "info", "warning", "error"}:
            raise BadSetting(f"log_level {self.log_level!r}: is debug, info, warning or error")
        for origin in self.origins:
            _check_origin(origin)
        named = (self.accounts_keys_file, self.accounts_issuer, self.accounts_audience)
        if any(named) != all(named):
            raise BadSetting("accounts_keys_file, accounts_issuer and accounts_audience: all three or none")
        if self.accounts_only and not self.accounts_keys_file:
            raise BadSetting("accounts_only: needs accounts_keys_file")
        try:
            Proxies(self.trusted_proxies)
        except ValueError as error:
            raise BadSetting(f"trusted_proxies: {error}") from None


def load_settings(
    *, options: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None, file: str | None = None
) -> Settings:
    """Join a file, the environment and options (those that are not None), each over the one before; BadSetting for a bad one."""
    values: dict[str, Any] = {}
    if file is not None:
        values.update(_from_file(file))
    values.update(_from_environment(environment or {}))
    values.update({name: value for name, value in (options or {}).items() if value is not None})
    return Settings(**values)


def _from_file(file: str) -> dict[str, Any]:
    try:
        found = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:  # ValueError: no TOML, no text, or a number without end
        raise BadSetting(f"{file}: cannot be read: {error}") from None
    limits = found.pop("limits", {})
    if not isinstance(limits, dict):
        raise BadSetting(f"{file}: limits is a table")
    kinds = get_type_hints(Settings)
    values: dict[str, Any] = {}
    for name, value in found.items():
        _set(values, name, _typed(OTHER_NAMES.get(name, name), value, kinds, file), where=file)
    bounds = get_type_hints(Limits)
    if limits:
        chosen = {name: _typed(name, value, bounds, f"{file} [limits]") for name, value in limits.items()}
        for name, value in chosen.items():
            if value == 0 and not may_be_zero(name):
                raise BadSetting(f"{file} [limits]: {name} is more than 0")
        values["limits"] = dataclasses.replace(DEFAULT_LIMITS, **chosen)
    return values


def _typed(name: str, value: Any, kinds: Mapping[str, Any], where: str) -> Any:
    kind = kinds.get(name)
    if kind is None:
        raise BadSetting(f"{where}: there is no setting {name!r}")
    if kind == tuple[str, ...] and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise BadSetting(f"{where}: {name} is {KINDS.get(kind, 'a table')}, and not {value!r}")
    if kind in {int, float}:
        # Before it is converted: there are whole numbers for which no float is large enough.
        if not 0 <= value < 10**DIGITS_MAX:
            raise BadSetting(f"{where}: {name} is 0 or more, and of {DIGITS_MAX} digits at most")
        return kind(value)
    return value


def _check_origin(origin: str) -> None:
    """Raise BadSetting, with what would do, for an origin that no browser ever sends."""
    example = "https://example.org"
    if "*" in origin:
        raise BadSetting(f"origins {origin!r}: every site is named by itself, as {example}")
    try:
        parts = urlsplit(origin)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:
        raise BadSetting(f"origins {origin!r}: is a scheme and a host, as {example}") from None
    if "://" not in origin or not host:
        raise BadSetting(f"origins {origin!r}: is a scheme and a host, as {example}")
    host = f"[{host}]" if ":" in host else host
    sent = f"{parts.scheme}://{host}" + ("" if port in {None, PORTS.get(parts.scheme)} else f":{port}")
    if origin != sent:
        raise BadSetting(f"origins {origin!r}: a browser says {sent}")


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    kinds = get_type_hints(Settings)
    values: dict[str, Any] = {}
    for variable in sorted(environment):
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE:
            continue
        name = variable.removeprefix(PREFIX).lower()
        kind = kinds.get(OTHER_NAMES.get(name, name))
        if name == "limits":
            raise BadSetting(f"{variable}: limits are set in a file, in its table [limits]")
        if kind is None or variable != variable.upper():
            raise BadSetting(f"{variable}: there is no such setting{_likely(variable, kinds)}")
        _set(values, name, _read(variable, environment[variable], kind), where=variable)
    return values


def _set(values: dict[str, Any], name: str, value: Any, *, where: str) -> None:
    """Put a setting by its own name; BadSetting if it stands there already by its other one."""
    own = OTHER_NAMES.get(name, name)
    if own in values:
        other = next(other for other, means in OTHER_NAMES.items() if means == own)
        raise BadSetting(f"{where}: {other} and {own} are one setting: give one")
    values[own] = value


def _likely(variable: str, kinds: Mapping[str, Any]) -> str:
    """What was perhaps meant."""
    names = [PREFIX + name.upper() for name in (*kinds, *OTHER_NAMES) if name != "limits"]
    near = difflib.get_close_matches(variable.upper(), [*names, CONFIG_VARIABLE], n=1, cutoff=0.8)
    return f"; {near[0]}?" if near else ""


def _read(variable: str, text: str, kind: Any) -> Any:
    if kind is int:
        if not text.isdecimal() or len(text) > DIGITS_MAX:
            raise BadSetting(f"{variable}={text!r}: is a whole number")
        return int(text)
    if kind is bool:
        if text.lower() not in {"0", "1", "true", "false", "yes", "no"}:
            raise BadSetting(f"{variable}={text!r}: is true or false")
        return text.lower() in {"1", "true", "yes"}
    if kind == tuple[str, ...]:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return text
