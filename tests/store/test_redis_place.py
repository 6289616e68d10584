from pathlib import Path

import pytest

from oddtrick_server.store.errors import StoreUnusable
from oddtrick_server.store.opening import open_store
from oddtrick_server.store.redis import RedisStore
from oddtrick_server.store.redis_place import RedisPlace, parse_place

PLACES = [
    ("redis://localhost", RedisPlace(hosts=(("localhost", 6379),))),
    ("redis://[::1]:7000/3", RedisPlace(hosts=(("::1", 7000),), db=3)),
    ("redis://[::1]", RedisPlace(hosts=(("::1", 6379),))),
    ("rediss://u:p%40ss@h:1", RedisPlace(hosts=(("h", 1),), username="u", password="p@ss", tls=True)),
    ("redis://:secret@h", RedisPlace(hosts=(("h", 6379),), password="secret")),
    ("redis://h?profile=redis-ha", RedisPlace(hosts=(("h", 6379),), replicas=1)),
    (
        "rediss://h?wait=2&prefix=club&ca=/dev/null",
        RedisPlace(hosts=(("h", 6379),), replicas=2, prefix="club", tls=True, ca_file="/dev/null"),
    ),
    (
        "redis+sentinel://a,b:1,c/club",
        RedisPlace(kind="sentinel", hosts=(("a", 26379), ("b", 1), ("c", 26379)), service="club", replicas=1),
    ),
    (
        "redis+sentinel://:of-redis@a/club?sentinel_username=u&sentinel_password=p%26q",
        RedisPlace(
            kind="sentinel",
            hosts=(("a", 26379),),
            service="club",
            password="of-redis",
            sentinel_username="u",
            sentinel_password="p&q",
            replicas=1,
        ),
    ),
    ("redis+cluster://a:1,b:2", RedisPlace(kind="cluster", hosts=(("a", 1), ("b", 2)), replicas=1)),
    ("rediss+cluster://a?profile=redis-solo", RedisPlace(kind="cluster", hosts=(("a", 6379),), tls=True)),
]


@pytest.mark.parametrize(("spec", "place"), PLACES)
def test_the_place_an_address_names(spec: str, place: RedisPlace) -> None:
    """One server, Sentinels or a cluster; user, password and port; and how many replicas must have a write."""
    assert parse_place(spec) == place


@pytest.mark.parametrize(
    "spec",
    [
        "redis://",
        "redis://:1",
        "redis://h:x",
        "redis://h:70000",
        "redis://h/x",
        "redis://h?wait=-1",
        "redis://h?wait",
        "redis://h?profile=single",
        "redis://h?pasword=x",
        "redis://h?prefix={a}",
        "redis://h?ca=/dev/null",
        "rediss://h?key=/dev/null",
        "redis://h?sentinel_password=x",
        "redis+sentinel://h",
        "redis+sentinel://h/club?sentinel_username=u",
        "redis+cluster://h/1",
        "redis+other://h",
        "redis:h",
    ],
)
def test_an_address_that_names_no_place(spec: str) -> None:
    """Anything else is one line that shows the forms there are."""
    with pytest.raises(StoreUnusable, match=r"redis\+cluster://HOST:PORT$") as caught:
        parse_place(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "spec",
    [
        "redis://ann:hunter2@h?wait=x",
        "redis://ann:a/hunter2@h",
        "redis://ann:a?hunter2@h",
        "redis://ann:a#hunter2@h",
        "redis://ann:a@hunter2@h/x",
        "redis+sentinel://h/club?wait=x&sentinel_password=hunter2",
        "redis+sentinel://h/club?wait=x&sentinel_password=a@hunter2",
        "redis+sentinel://h/club?sentinel_password=a&hunter2",
    ],
)
def test_no_error_has_a_password(spec: str) -> None:
    """What is wrong with an address is told without its passwords, also if they hold what should have been written as %XX."""
    with pytest.raises(StoreUnusable) as caught:
        parse_place(spec)
    assert "hunter2" not in str(caught.value)


def test_no_place_shows_a_password() -> None:
    """A place's own text shows none of its passwords."""
    place = parse_place("redis+sentinel://ann:hunter2@h/club?sentinel_password=hunter2")
    assert "hunter2" not in f"{place} {place.name}"


async def test_an_address_opens_the_store() -> None:
    """`open_store` takes an address of Redis, and asks nothing of it yet."""
    store = open_store("redis://127.0.0.1:1")
    assert isinstance(store, RedisStore)
    await store.close()


@pytest.mark.parametrize("option", ["ca", "cert", "key"])
def test_a_file_that_is_not_there_is_named_with_its_option(tmp_path: Path, option: str) -> None:
    """A file of an address that cannot be read is found before Redis is asked, and named."""
    for file in (tmp_path / "none.pem", tmp_path):
        with pytest.raises(StoreUnusable, match=f"{option}={file} cannot be read: "):
            parse_place(f"rediss://h?{option}={file}")
