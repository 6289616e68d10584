"""Limits that run and stand."""

from hypothesis import given
from hypothesis import strategies as st

from oddtrick_server.countdown import Countdown

STEPS = st.lists(st.tuples(st.sampled_from(["go", "halt", "clear"]), st.floats(0, 10)), max_size=30)


def test_it_runs_out_when_its_limit_is_spent() -> None:
    """A countdown of five seconds that runs from second ten is due at second fifteen, and out then."""
    clock = Countdown(5)
    clock.go(10)
    assert clock.due == 15
    assert not clock.is_out(14.9)
    assert clock.is_out(15)


def test_standing_costs_nothing() -> None:
    """Time in which it stands is not spent."""
    clock = Countdown(5)
    clock.go(0)
    clock.halt(2)
    clock.go(100)
    assert clock.due == 103


def test_what_is_spent_at_birth_is_spent() -> None:
    """A countdown made for an interrupted decision goes on where the decision was left."""
    assert Countdown(45, spent_s=40).left_s(0) == 5


def test_a_running_countdown_cannot_be_cleared() -> None:
    """Nobody's running time is refilled; one that stands may begin anew."""
    clock = Countdown(5)
    clock.go(0)
    clock.clear()
    assert clock.left_s(3) == 2
    clock.halt(3)
    clock.clear()
    assert clock.left_s(3) == 5


def test_a_stretch_can_be_left_out() -> None:
    """A shift moves the end by as much, and nothing else."""
    clock = Countdown(5)
    clock.go(0)
    clock.halt(1)
    clock.shift(100)
    assert clock.left_s(1) == 4
    clock.go(1)
    clock.shift(100)
    assert clock.due == 105


@given(STEPS)
def test_what_is_left_never_grows_while_it_runs(steps: list[tuple[str, float]]) -> None:
    """However it is started and stopped, what is left lies between nothing and the limit, and shrinks while it runs."""
    clock, now = Countdown(20), 0.0
    for what, seconds in steps:
        before, ran = clock.left_s(now), clock.is_running
        now += seconds
        assert 0 <= clock.left_s(now) <= 20
        assert not ran or clock.left_s(now) <= before
        if what == "clear":
            clock.clear()
        else:
            getattr(clock, what)(now)


def test_it_is_out_exactly_when_it_is_due() -> None:
    """Sums of floats do not make a clock strike for ever just before it is due."""
    clock = Countdown(0.7, spent_s=0.1 + 0.2)
    clock.go(1_796_005_178.9447093)
    assert clock.due is not None
    assert clock.is_out(clock.due)
