"""So many at once, and after that so many a second."""

from hypothesis import given
from hypothesis import strategies as st

from oddtrick_server.rates import Bucket, Buckets, Counts


def test_a_burst_is_let_through_and_then_the_rate() -> None:
    """Three at once pass, the fourth must wait for its second, and is told how long."""
    bucket = Bucket(per_s=1, burst=3)
    assert [bucket.take(0.0) for _ in range(3)] == [0.0] * 3
    assert bucket.take(0.0) == 1.0
    assert bucket.take(0.5) == 0.5
    assert bucket.take(1.0) == 0.0


@given(st.lists(st.floats(0, 3), min_size=1, max_size=60))
def test_no_pattern_of_asking_beats_the_rate(gaps: list[float]) -> None:
    """However one asks, no more pass than the burst and what the rate gives in the time."""
    bucket, now, passed = Bucket(per_s=2, burst=5), 0.0, 0
    for gap in gaps:
        now += gap
        passed += bucket.take(now) == 0.0
    assert passed <= 5 + 2 * now + 1e-6


def test_a_rate_of_nothing_never_refills() -> None:
    """A bucket without a rate gives its burst and then says to come again in an hour."""
    bucket = Bucket(per_s=0, burst=1)
    assert bucket.take(0.0) == 0.0
    assert bucket.take(1e6) == 3600.0


def test_keys_have_buckets_of_their_own_and_are_bounded() -> None:
    """One key's haste costs no other anything, and the key unused for longest is forgotten."""
    buckets = Buckets(per_s=0, burst=1, keys_max=2)
    assert buckets.take("a", 0) == 0.0
    assert buckets.take("a", 0) > 0
    assert buckets.take("b", 0) == 0.0
    assert buckets.take("a", 0) > 0
    assert buckets.take("c", 0) == 0.0
    assert len(buckets) == 2
    assert buckets.take("a", 0) > 0
    assert buckets.take("b", 0) == 0.0


def test_a_count_stops_at_its_cap() -> None:
    """No more than the cap come in, and whoever leaves makes room."""
    counts = Counts(at_most=2)
    assert [counts.enter("a") for _ in range(3)] == [True, True, False]
    assert counts.enter("b")
    counts.leave("a")
    assert counts.enter("a")
    counts.leave("a")
    counts.leave("a")
    assert counts["a"] == 0
