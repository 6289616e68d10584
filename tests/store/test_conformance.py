"""What `interface.Store` promises, of every keeper alike."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from oddtrick_server.store.errors import StoreClosed
from oddtrick_server.store.interface import AppendResult, HandRef, LogEntry, Outcome, Store, TableRow

OK, DUP, CONFLICT, GAP, FENCED = Outcome


async def bodies(store: Store, table_id: str = "t") -> list[bytes]:
    return [entry.body for entry in await store.read(table_id)]


# --- logs ---------------------------------------------------------------------------------------


async def test_entries_are_numbered_from_one_without_a_gap(store: Store) -> None:
    """What is appended is read back in order, numbered 1, 2, 3, with its key and fence."""
    assert await store.append("t", 0, [b"cut", b"dealt"], command_key=b"k1") == AppendResult(OK, 2)
    assert await store.append("t", 2, [b"", b"\x00\xff"]) == AppendResult(OK, 4)
    assert await store.read("t") == [
        LogEntry(1, 0, b"cut", b"k1"),
        LogEntry(2, 0, b"dealt", b"k1"),
        LogEntry(3, 0, b"", None),
        LogEntry(4, 0, b"\x00\xff", None),
    ]


async def test_reading_from_the_middle(store: Store) -> None:
    """A read begins after a number and ends at a limit; past the end, or of no log, it is empty."""
    await store.append("t", 0, [b"1", b"2", b"3", b"4"])
    assert [entry.seq for entry in await store.read("t", 2)] == [3, 4]
    assert [entry.seq for entry in await store.read("t", 1, limit=2)] == [2, 3]
    assert await store.read("t", 0, limit=0) == []
    assert await store.read("t", 4) == []
    assert await store.read("t", 99) == []
    assert await store.read("nobody") == []


@pytest.mark.parametrize("key", [None, b"", b"k"])
async def test_the_same_append_again_is_a_duplicate(store: Store, key: bytes | None) -> None:
    """An append repeated at once or much later answers DUP and stores nothing."""
    first = [b"a", b"b"]
    await store.append("t", 0, first, command_key=key)
    assert await store.append("t", 0, first, command_key=key) == AppendResult(DUP, 2)
    await store.append("t", 2, [b"c"], command_key=b"later")
    assert await store.append("t", 0, first, command_key=key) == AppendResult(DUP, 3)
    assert await bodies(store) == [b"a", b"b", b"c"]


@pytest.mark.parametrize(
    ("entries", "key"),
    [
        ([b"a", b"X"], b"k"),
        ([b"a"], b"k"),
        ([b"a", b"b", b"c"], b"k"),
        ([b"a", b"b"], b"other"),
        ([b"a", b"b"], None),
        ([b"ka", b"b"], b""),
    ],
)
async def test_another_append_at_a_place_taken_is_a_conflict(
    store: Store, entries: list[bytes], key: bytes | None
) -> None:
    """Other entries, fewer, more, or another command's: CONFLICT, and the log stays as it was."""
    await store.append("t", 0, [b"a", b"b"], command_key=b"k")
    assert await store.append("t", 0, entries, command_key=key) == AppendResult(CONFLICT, 2)
    assert await bodies(store) == [b"a", b"b"]


async def test_a_part_of_an_append_is_not_a_duplicate(store: Store) -> None:
    """The second half of what was appended at once, sent by itself, is a CONFLICT."""
    await store.append("t", 0, [b"a", b"a"], command_key=b"k")
    assert (await store.append("t", 1, [b"a"], command_key=b"k")).outcome is CONFLICT
    assert (await store.append("t", 0, [b"a"], command_key=b"k")).outcome is CONFLICT


async def test_an_append_ahead_of_the_log_is_a_gap(store: Store) -> None:
    """Who thinks the log longer than it is gets GAP and the number of its last entry."""
    assert await store.append("t", 1, [b"x"]) == AppendResult(GAP, 0)
    await store.append("t", 0, [b"a"])
    assert await store.append("t", 2, [b"x"]) == AppendResult(GAP, 1)
    assert await bodies(store) == [b"a"]


async def test_a_log_is_trimmed_from_the_front(store: Store) -> None:
    """Trimmed entries are gone, numbers go on, reading begins with the first that is left, and trimming again does nothing."""
    fence = await store.acquire("t", "server")
    await store.append("t", 0, [b"1", b"2", b"3", b"4"], fence=fence)
    assert await store.trim("t", 3, fence=fence)
    for _ in range(2):
        assert [(entry.seq, entry.body) for entry in await store.read("t")] == [(3, b"3"), (4, b"4")]
        assert [entry.seq for entry in await store.read("t", 1)] == [3, 4]
        assert [entry.seq for entry in await store.read("t", limit=1)] == [3]
        assert [entry.seq for entry in await store.read("t", 3)] == [4]
        assert await store.trim("t", 2, fence=fence)
    assert await store.append("t", 4, [b"5"], fence=fence) == AppendResult(OK, 5)
    assert await store.append("t", 4, [b"5"], fence=fence) == AppendResult(DUP, 5)
    assert await store.append("t", 0, [b"1"], fence=fence) == AppendResult(CONFLICT, 5)
    assert await store.append("t", 6, [b"7"], fence=fence) == AppendResult(GAP, 5)


async def test_only_the_owner_trims_and_never_the_last_entry(store: Store) -> None:
    """An owner of before, or one that trims more than there is, deletes nothing; a dropped log begins at 1 again."""
    stale = await store.acquire("t", "server")
    await store.append("t", 0, [b"1", b"2"], fence=stale)
    fence = await store.acquire("t", "another")
    assert not await store.trim("t", 2, fence=stale)
    assert not await store.trim("t", 3, fence=fence)
    assert not await store.trim("nobody", 1)
    assert [entry.seq for entry in await store.read("t")] == [1, 2]
    assert await store.trim("t", 2, fence=fence)
    assert [entry.seq for entry in await store.read("t")] == [2]
    await store.drop_table("t")
    assert await store.append("t", 0, [b"x"]) == AppendResult(OK, 1)
    assert [entry.seq for entry in await store.read("t")] == [1]


async def test_logs_are_apart(store: Store) -> None:
    """Tables whose names begin alike, or are no ASCII, share nothing."""
    for table_id in ("t", "t1", "T", "tisch/ä ♠"):
        assert await store.append(table_id, 0, [table_id.encode()]) == AppendResult(OK, 1)
    for table_id in ("t", "t1", "T", "tisch/ä ♠"):
        assert await bodies(store, table_id) == [table_id.encode()]


async def test_only_the_last_owner_may_append(store: Store) -> None:
    """Each acquisition voids the fences before it, also for an append that was stored once."""
    first = await store.acquire("t", "server-1")
    assert first >= 1
    assert (await store.append("t", 0, [b"a"], fence=first)).outcome is OK
    second = await store.acquire("t", "server-2")
    assert second > first
    assert await store.append("t", 1, [b"b"], fence=first) == AppendResult(FENCED, 1)
    assert await store.append("t", 0, [b"a"], fence=first) == AppendResult(FENCED, 1)
    assert await store.append("t", 1, [b"b"], fence=second + 1) == AppendResult(FENCED, 1)
    assert await store.append("t", 1, [b"b"]) == AppendResult(FENCED, 1)
    assert (await store.append("t", 1, [b"b"], fence=second)).outcome is OK
    assert [(entry.fence, entry.body) for entry in await store.read("t")] == [
        (first, b"a"),
        (second, b"b"),
    ]


async def test_the_new_owner_may_repeat_what_the_old_one_stored(store: Store) -> None:
    """An append whose answer the old owner never saw is a duplicate for its successor."""
    old = await store.acquire("t", "server-1")
    await store.append("t", 0, [b"a"], fence=old, command_key=b"k")
    new = await store.acquire("t", "server-2")
    assert (await store.append("t", 0, [b"a"], fence=new, command_key=b"k")).outcome is DUP


async def test_a_fence_belongs_to_its_table(store: Store) -> None:
    """To acquire one table takes nothing from the owner of another."""
    one = await store.acquire("one", "server-1")
    two = await store.acquire("two", "server-2")
    assert (await store.append("one", 0, [b"a"], fence=one)).outcome is OK
    assert (await store.append("two", 0, [b"a"], fence=two)).outcome is OK
    assert (await store.append("three", 0, [b"a"])).outcome is OK


async def test_many_tables_at_once(store: Store) -> None:
    """Appends made side by side do not mix, and each table keeps the order of its own."""

    async def play(table_id: str) -> None:
        fence = await store.acquire(table_id, "server")
        for seq in range(20):
            result = await store.append(table_id, seq, [f"{table_id} {seq}".encode()], fence=fence)
            assert result == AppendResult(OK, seq + 1)

    await asyncio.gather(*(play(f"table {n}") for n in range(30)))
    for n in range(30):
        assert await bodies(store, f"table {n}") == [f"table {n} {seq}".encode() for seq in range(20)]


async def test_of_two_writers_at_one_place_one_wins(store: Store) -> None:
    """When two append at the same place at the same time, one is stored and the other told so."""
    results = await asyncio.gather(*(store.append("t", 0, [b"%d" % n]) for n in range(10)))
    assert sorted(result.outcome.name for result in results) == ["CONFLICT"] * 9 + ["OK"]
    (stored,) = await bodies(store)
    assert results[int(stored)].outcome is OK


async def test_whether_entries_are_stored(store: Store) -> None:
    """Only OK and DUP say that what was appended may be shown."""
    assert [AppendResult(outcome, 0).is_stored for outcome in Outcome] == [True, True] + [False] * 3


# --- directory ----------------------------------------------------------------------------------


async def test_the_directory_of_tables(store: Store) -> None:
    """Tables are put, changed, found, and listed by identifier."""
    assert await store.list_tables() == []
    await store.put_table("b", b"two")
    await store.put_table("a", b"one")
    await store.put_table("b", b"changed")
    assert await store.list_tables() == [TableRow("a", b"one"), TableRow("b", b"changed")]
    assert await store.get_table("b") == b"changed"
    assert await store.get_table("c") is None


async def test_a_dropped_table_is_gone(store: Store) -> None:
    """Row, log and owner go; the hands that were finished and the other tables stay."""
    for table_id in ("t", "other"):
        await store.put_table(table_id, b"meta")
        await store.append(table_id, 0, [b"a"])
        await store.put_hand(table_id, 1, b"hand", identities=["ann"], finished_ms=1)
    assert await store.drop_table("t") is True
    assert await store.drop_table("t") is False
    assert await store.read("t") == []
    assert await store.get_table("t") is None
    assert await store.get_hand("t", 1) == b"hand"
    assert await bodies(store, "other") == [b"a"]
    assert [row.table_id for row in await store.list_tables()] == ["other"]


async def test_a_fence_from_before_a_drop_is_void(store: Store) -> None:
    """Who owned a table before it was dropped cannot write to another of the same name."""
    old = await store.acquire("t", "server-1")
    await store.drop_table("t")
    assert (await store.append("t", 0, [b"a"], fence=old)).outcome is FENCED
    new = await store.acquire("t", "server-2")
    assert new > old
    assert (await store.append("t", 0, [b"a"], fence=old)).outcome is FENCED
    assert (await store.append("t", 0, [b"a"], fence=new)).outcome is OK


async def test_a_table_with_only_a_log_can_be_dropped(store: Store) -> None:
    """A drop says yes if there was a log or an owner, though the directory knew nothing."""
    await store.append("t", 0, [b"a"])
    assert await store.drop_table("t") is True
    await store.acquire("u", "server")
    assert await store.drop_table("u") is True


# --- pairs --------------------------------------------------------------------------------------


async def test_pairs(store: Store) -> None:
    """A value is kept, replaced, found and deleted; namespaces share nothing."""
    assert await store.get("tokens", "k") is None
    assert await store.put("tokens", "k", b"1") is True
    assert await store.put("tokens", "k", b"") is True
    await store.put("secrets", "k", b"other")
    assert await store.get("tokens", "k") == b""
    assert await store.get("secrets", "k") == b"other"
    assert await store.delete("tokens", "k") is True
    assert await store.delete("tokens", "k") is False
    assert await store.get("tokens", "k") is None
    assert await store.get("secrets", "k") == b"other"


async def test_only_a_new_pair(store: Store) -> None:
    """With `only_new` the first of several wins, and the others are told."""
    kept = await asyncio.gather(*(store.put("keys", "k", b"%d" % n, only_new=True) for n in range(9)))
    assert kept.count(True) == 1
    assert await store.get("keys", "k") == b"%d" % kept.index(True)
    assert await store.put("keys", "k", b"replaced") is True


async def test_the_keys_of_a_namespace(store: Store) -> None:
    """Keys are listed sorted by code point, those of the namespace only."""
    for key in ("b", "ä", "B", "a", "♠"):
        await store.put("n", key, b"")
    await store.put("m", "x", b"")
    assert await store.list_keys("n") == ["B", "a", "b", "ä", "♠"]
    assert await store.list_keys("none") == []


async def test_more_keys_than_one_answer_brings(store: Store) -> None:
    """Thousands of keys are all listed, each once, and so are thousands of tables."""
    names = [f"k{number:05d}" for number in range(2_500)]
    await asyncio.gather(*(store.put("n", name, b"x") for name in names))
    assert await store.list_keys("n") == names
    await asyncio.gather(*(store.put_table(name, b"x") for name in names))
    assert [row.table_id for row in await store.list_tables()] == names


# --- finished hands -----------------------------------------------------------------------------


async def test_finished_hands(store: Store) -> None:
    """A hand is found by table and number, and by each who took part, latest first."""
    await store.put_hand("t", 2, b"second", identities=["ann", "bob"], finished_ms=20)
    await store.put_hand("t", 1, b"first", identities=["ann"], finished_ms=10)
    await store.put_hand("u", 1, b"third", identities=["ann", "ann"], finished_ms=30)
    assert await store.get_hand("t", 2) == b"second"
    assert await store.get_hand("t", 3) is None
    assert await store.list_hands("t") == [HandRef("t", 1, 10), HandRef("t", 2, 20)]
    assert await store.list_hands_of("ann") == [
        HandRef("u", 1, 30),
        HandRef("t", 2, 20),
        HandRef("t", 1, 10),
    ]
    assert await store.list_hands_of("ann", limit=1) == [HandRef("u", 1, 30)]
    assert await store.list_hands_of("bob") == [HandRef("t", 2, 20)]
    assert await store.list_hands_of("nobody") == []


async def test_hands_of_one_moment_have_an_order(store: Store) -> None:
    """Hands that ended at the same time are listed by table and number, highest first."""
    for table_id, hand_no in (("b", 1), ("a", 9), ("a", 10)):
        await store.put_hand(table_id, hand_no, b"", identities=["ann"], finished_ms=5)
    refs = [(ref.table_id, ref.hand_no) for ref in await store.list_hands_of("ann")]
    assert refs == [("b", 1), ("a", 10), ("a", 9)]


async def test_a_hand_put_again_replaces_the_first(store: Store) -> None:
    """After a crash a hand may be archived twice: it stands once, with the later's players."""
    await store.put_hand("t", 1, b"a", identities=["ann", "bob"], finished_ms=1)
    await store.put_hand("t", 1, b"b", identities=["bob", "cyd"], finished_ms=2)
    assert await store.get_hand("t", 1) == b"b"
    assert await store.list_hands("t") == [HandRef("t", 1, 2)]
    assert await store.list_hands_of("ann") == []
    assert await store.list_hands_of("bob") == [HandRef("t", 1, 2)]
    assert await store.list_hands_of("cyd") == [HandRef("t", 1, 2)]


async def test_hands_deleted_on_request(store: Store) -> None:
    """A table's hands go with what pointed to them; somebody forgotten is found no more."""
    await store.put_hand("t", 1, b"a", identities=["ann", "bob"], finished_ms=1)
    await store.put_hand("t", 2, b"b", identities=["ann"], finished_ms=2)
    await store.put_hand("u", 1, b"c", identities=["ann", "bob"], finished_ms=3)
    assert await store.drop_hands("t") == 2
    assert await store.drop_hands("t") == 0
    assert await store.get_hand("t", 1) is None
    assert await store.list_hands_of("ann") == [HandRef("u", 1, 3)]
    assert await store.forget("ann") == 1
    assert await store.forget("ann") == 0
    assert await store.list_hands_of("ann") == []
    assert await store.list_hands_of("bob") == [HandRef("u", 1, 3)]
    assert await store.get_hand("u", 1) == b"c"


# --- bounds and life ----------------------------------------------------------------------------

Use = Callable[[Store], Awaitable[object]]
MISUSES: list[Use] = [
    lambda store: store.append("", 0, [b"x"]),
    lambda store: store.append("t" * 201, 0, [b"x"]),
    lambda store: store.append("t\x00", 0, [b"x"]),
    lambda store: store.append("t\ud800", 0, [b"x"]),
    lambda store: store.append("t", -1, [b"x"]),
    lambda store: store.append("t", 0, []),
    lambda store: store.append("t", 0, [b"x"] * 1_001),
    lambda store: store.append("t", 0, [bytes((1 << 20) + 1)]),
    lambda store: store.append("t", 0, [b"x"], fence=-1),
    lambda store: store.append("t", 0, [b"x"], fence=1 << 63),
    lambda store: store.append("t", 0, [b"x"], command_key=bytes(201)),
    lambda store: store.read("t", -1),
    lambda store: store.read("t", limit=-1),
    lambda store: store.trim("t", -1),
    lambda store: store.read("t", 1 << 63),
    lambda store: store.acquire("t", ""),
    lambda store: store.put_table("t", bytes((1 << 20) + 1)),
    lambda store: store.get_table(""),
    lambda store: store.drop_table(""),
    lambda store: store.put("n", "", b""),
    lambda store: store.put("n", "k", bytes((1 << 20) + 1)),
    lambda store: store.get("", "k"),
    lambda store: store.delete("", "k"),
    lambda store: store.list_keys(""),
    lambda store: store.put_hand("t", -1, b"", identities=[], finished_ms=0),
    lambda store: store.put_hand("t", 1, b"", identities=[""], finished_ms=0),
    lambda store: store.put_hand("t", 1, b"", identities=[], finished_ms=1 << 63),
    lambda store: store.put_hand("t", 1, bytes((1 << 20) + 1), identities=[], finished_ms=0),
    lambda store: store.get_hand("t", 1 << 63),
    lambda store: store.list_hands(""),
    lambda store: store.list_hands_of("ann", limit=-1),
    lambda store: store.drop_hands(""),
    lambda store: store.forget(""),
]


@pytest.mark.parametrize("misuse", MISUSES)
async def test_what_no_store_takes(store: Store, misuse: Use) -> None:
    """Too long, too many, negative or nameless is a ValueError, and the store goes on."""
    with pytest.raises(ValueError, match=r"at most|is 1 to|is 0 or more|surrogates"):
        await misuse(store)
    assert await store.append("t", 0, [b"x"]) == AppendResult(OK, 1)


async def test_the_longest_that_a_store_takes(store: Store) -> None:
    """Names, keys, bodies and appends as long as the bounds allow are kept."""
    name, key, body = "ä" * 200, b"\xff" * 200, bytes(1 << 20)
    assert await store.append(name, 0, [body], command_key=key) == AppendResult(OK, 1)
    assert await store.append(name, 1, [b"x"] * 1_000, command_key=key) == AppendResult(OK, 1_001)
    first, *rest = await store.read(name)
    assert (first.body, first.command_key, len(rest)) == (body, key, 1_000)


USES: list[Use] = [
    lambda store: store.append("t", 0, [b"x"]),
    lambda store: store.read("t"),
    lambda store: store.trim("t", 1),
    lambda store: store.acquire("t", "server"),
    lambda store: store.put_table("t", b""),
    lambda store: store.get_table("t"),
    lambda store: store.list_tables(),
    lambda store: store.drop_table("t"),
    lambda store: store.put("n", "k", b""),
    lambda store: store.get("n", "k"),
    lambda store: store.delete("n", "k"),
    lambda store: store.list_keys("n"),
    lambda store: store.put_hand("t", 1, b"", identities=["ann"], finished_ms=1),
    lambda store: store.get_hand("t", 1),
    lambda store: store.list_hands("t"),
    lambda store: store.list_hands_of("ann"),
    lambda store: store.drop_hands("t"),
    lambda store: store.forget("ann"),
    lambda store: store.ping(),
]


async def test_a_closed_store_does_nothing_more(store: Store) -> None:
    """After `close`, which may be called twice, every call raises StoreClosed."""
    for use in USES:
        await use(store)
    await store.close()
    await store.close()
    for use in USES:
        with pytest.raises(StoreClosed):
            await use(store)
