"""Where Redis is, and what is asked of it: the address an operator writes.

    redis://[USER:PASSWORD@]HOST[:PORT][/DB]                      one server
    redis+sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT/SERVICE  a primary that Sentinels name
    redis+cluster://[USER:PASSWORD@]HOST:PORT,HOST:PORT           Redis Cluster

`rediss` in place of `redis` speaks TLS, with Sentinels too. USER and PASSWORD are those of Redis itself. Options after `?`:

    profile=redis-solo|redis-ha   how many replicas must have a write before it is acknowledged: 0, or 1
    wait=N                        that number itself
    prefix=NAME                   what all keys begin with (oddtrick)
    ca=FILE                       the certificate authority to trust
    cert=FILE, key=FILE           the certificate to show and its key: Redis asks for one unless it has `tls-auth-clients no`
    sentinel_password=PASSWORD    what Sentinels ask for, and
    sentinel_username=USER        if they ask for a user, too

One server is `redis-solo` unless it says otherwise, the other two are `redis-ha`.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from oddtrick_server.store.errors import StoreUnusable

Kind = Literal["single", "sentinel", "cluster"]
Address = tuple[str, int]

_KINDS: Final[dict[str, Kind]] = {"": "single", "sentinel": "sentinel", "cluster": "cluster"}
_PORTS: Final[dict[Kind, int]] = {"single": 6379, "sentinel": 26379, "cluster": 6379}
_PROFILES: Final = {"redis-solo": 0, "redis-ha": 1}
_FORMS: Final = "write redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/SERVICE or redis+cluster://HOST:PORT"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisPlace:
    """An operator's Redis, and how it is used."""

    kind: Kind = "single"
    hosts: tuple[Address, ...]
    service: str = ""  # the name Sentinels know the primary by
    db: int = 0
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    sentinel_username: str | None = None
    sentinel_password: str | None = field(default=None, repr=False)
    tls: bool = False
    ca_file: str | None = None
    cert_file: str | None = None
    key_file: str | None = None
    prefix: str = "oddtrick"
    replicas: int = 0  # that must have a write before it is acknowledged
    lease_ms: int = 5_000  # a table's owner that is not heard of for so long may be replaced
    wait_ms: int = 1_000  # for the replicas
    reply_ms: int = 3_000  # for Redis itself: after this a connection counts as dead
    patience_ms: int = 1_500  # how long a call looks for a way before it gives up
    mail_kept_max: int = 20_000  # letters in one inbox
    mail_kept_ms: int = 60_000  # an inbox nobody empties

    @property
    def profile(self) -> str:
        """The profile's name."""
        return "redis-ha" if self.replicas else "redis-solo"

    @property
    def name(self) -> str:
        """The place without its secrets, for messages."""
        hosts = ",".join(f"{host}:{port}" for host, port in self.hosts)
        return f"redis at {hosts}" + (f" ({self.service})" if self.service else "")


def is_redis(spec: str) -> bool:
    """Whether an operator means Redis by this."""
    return spec.partition(":")[0].partition("+")[0] in {"redis", "rediss"}


def parse_place(spec: str) -> RedisPlace:
    """The place that an address names; StoreUnusable, in one line without the password, if it names none."""
    try:
        return _parsed(spec)
    except ValueError as error:
        # A password may stand before the host or behind it, and be cut by a character that should have been written as %XX.
        raise StoreUnusable(f"store {spec.partition(':')[0]}:...: {error}; {_FORMS}") from None


def _parsed(spec: str) -> RedisPlace:
    url = urlsplit(spec)
    scheme, _, kind_name = url.scheme.partition("+")
    kind = _KINDS.get(kind_name)
    if scheme not in {"redis", "rediss"} or kind is None:
        raise ValueError("is no address of Redis")
    user, at, hosts = url.netloc.rpartition("@")
    username, _, password = user.partition(":")
    path = url.path.strip("/")
    options = _options(url.query)
    profile = options.pop("profile", "redis-solo" if kind == "single" else "redis-ha")
    if profile not in _PROFILES:
        raise ValueError("profile is redis-solo or redis-ha")
    place = RedisPlace(
        kind=kind,
        hosts=tuple(_address(one, _PORTS[kind]) for one in hosts.split(",")),
        service=path if kind == "sentinel" else "",
        db=_number(path, "the number of the database") if kind == "single" and path else 0,
        username=unquote(username) if at and username else None,
        password=unquote(password) if at and password else None,
        sentinel_username=options.pop("sentinel_username", None) if kind == "sentinel" else None,
        sentinel_password=options.pop("sentinel_password", None) if kind == "sentinel" else None,
        tls=scheme == "rediss",
        ca_file=_file(options, "ca"),
        cert_file=_file(options, "cert"),
        key_file=_file(options, "key"),
        prefix=options.pop("prefix", "oddtrick"),
        replicas=_number(options.pop("wait", str(_PROFILES[profile])), "wait"),
    )
    if kind == "sentinel" and not path:
        raise ValueError("names no service")
    if kind == "cluster" and path:
        raise ValueError("a cluster has no databases")
    if options:
        raise ValueError(f"there is no option {min(options)}")
    if place.sentinel_username and not place.sentinel_password:
        raise ValueError("sentinel_username wants a sentinel_password")
    if not place.tls and (place.ca_file or place.cert_file or place.key_file):
        raise ValueError("ca, cert and key are for TLS: write rediss")
    if place.key_file and not place.cert_file:
        raise ValueError("key wants a cert")
    if not place.prefix or set(place.prefix) & set("{}"):
        raise ValueError("prefix is a name without braces")
    return place


def _options(query: str) -> dict[str, str]:
    try:
        return dict(parse_qsl(query, keep_blank_values=True, strict_parsing=True)) if query else {}
    except ValueError:  # whose own text shows what was written
        raise ValueError("an option is NAME=VALUE") from None


def _file(options: dict[str, str], name: str) -> str | None:
    """The file that an option names; ValueError if it cannot be read."""
    file = options.pop(name, None)
    if file is not None:
        try:
            Path(file).open("rb").close()
        except OSError as error:
            raise ValueError(f"{name}={file} cannot be read: {error.strerror}") from None
    return file


def _address(text: str, port: int) -> Address:
    host, colon, digits = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon:
        host, digits = text, str(port)
    number = _number(digits, "a port")
    if not host.strip("[]") or not 0 < number < 65_536:
        raise ValueError("names no host")
    return host.strip("[]"), number


def _number(text: str, what: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ValueError(f"{what} is a number")
    return int(text)
