"""Every keeper answers any history of calls alike."""

from collections.abc import Awaitable, Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oddtrick_server.store.interface import AppendResult, LogEntry, Outcome, Store

OK = Outcome.OK
TABLE = st.sampled_from(["t", "u"])
STEP = st.one_of(
    st.tuples(
        st.just("append"),
        TABLE,
        st.integers(0, 6),
        st.lists(st.sampled_from([b"a", b"b"]), min_size=1, max_size=3),
        st.integers(0, 4),
        st.sampled_from([None, b"", b"k"]),
    ),
    st.tuples(st.just("again"), st.integers(0, 9)),
    st.tuples(st.just("next"), TABLE, st.sampled_from([b"a", b"b"])),
    st.tuples(st.just("acquire"), TABLE),
    st.tuples(st.just("trim"), TABLE, st.integers(0, 6)),
    st.tuples(st.just("drop"), TABLE),
)


def head_of(entries: list[LogEntry]) -> int:
    return entries[-1].seq if entries else 0


async def run_steps(store: Store, steps: list[tuple[object, ...]]) -> list[object]:
    """Everything a store answers to a history, and what it holds after it."""
    answers: list[object] = []
    fences: dict[object, int] = {}
    appended: list[Callable[[], Awaitable[AppendResult]]] = []
    for step in steps:
        match step:
            case ("append", str(table), int(seq), list(entries), int(fence), key):
                assert key is None or isinstance(key, bytes)

                def append(
                    table: str = table,
                    seq: int = seq,
                    entries: list[bytes] = entries,
                    fence: int = fence,
                    key: bytes | None = key,
                ) -> Awaitable[AppendResult]:
                    return store.append(table, seq, entries, fence=fence, command_key=key)

                appended.append(append)
                answers.append(await append())
            case ("again", int(back)) if appended:
                answers.append(await appended[-1 - back % len(appended)]())
            case ("next", str(table), bytes(entry)):
                seq = head_of(await store.read(table))
                answers.append(await store.append(table, seq, [entry], fence=fences.get(table, 0)))
                assert answers[-1] == AppendResult(OK, seq + 1)
            case ("acquire", str(table)):
                fences[table] = await store.acquire(table, "server")
                answers.append(fences[table])
            case ("trim", str(table), int(seq)):
                answers.append(await store.trim(table, seq, fence=fences.get(table, 0)))
            case ("drop", str(table)):
                fences.pop(table, None)
                answers.append(await store.drop_table(table))
    for table in ("t", "u"):
        entries = await store.read(table)
        assert [entry.seq for entry in entries] == [*range(head_of(entries) - len(entries) + 1, head_of(entries) + 1)]
        assert sorted(entry.fence for entry in entries) == [entry.fence for entry in entries]
        answers.append(entries)
    return answers


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(STEP, max_size=25))
async def test_keepers_agree_on_any_history(
    open_keeper: Callable[[str], Store], steps: list[tuple[object, ...]]
) -> None:
    """All keepers answer any history alike; logs have no gap and fences only rise."""
    kept = []
    for kind in ("memory", "sqlite", "redis"):
        store = open_keeper(kind)
        try:
            kept.append(await run_steps(store, steps))
        finally:
            await store.close()
    assert kept[0] == kept[1] == kept[2]
