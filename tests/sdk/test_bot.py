"""`Bot`: what its methods are asked, and what comes of what they return."""

from random import Random
from typing import Any

import pytest

from oddtrick_rules.cards import Suit, card_named
from oddtrick_rules.commands import (
    Agree,
    Answer,
    Ask,
    BeReady,
    BeSatisfied,
    Call,
    ClaimHonours,
    ClaimRevoke,
    Command,
    Declare,
    Decline,
    Demand,
    Double,
    Elect,
    LeaveIt,
    Penalty,
    Play,
    Quit,
    Waive,
    Withdraw,
)
from oddtrick_rules.seats import Seat
from oddtrick_sdk import Bot, View, house_bot
from oddtrick_sdk.driver import Driver, Pace
from oddtrick_sdk.testing import ManualClock, idle, view_of


class First(Bot):
    """Plays its first lawful card; what else it returns is given to it."""

    def __init__(self, **returned: Any) -> None:
        self.returned = returned

    def play(self, view: View) -> Any:
        return self.returned.get("play", view.playable[0])


def asked(method: str, returned: Any) -> Bot:
    """A bot whose method of that name returns that."""
    told: type[Bot] = type("Told", (First,), {method: lambda self, view: returned})
    return told()


TURN = view_of("N", hand="SA SK H2", trick="W S4")


def moment(kind: str, *acts: Command, code: str = "english-1864") -> View:
    return view_of("N", hand="SA SK H2", trick="W S4", kind=kind, acts=acts, code=code)


async def test_a_card_is_a_play() -> None:
    """A card returned by `play` is put to the trick."""
    assert await First().act(TURN) == Play(card_named("SK"))


async def test_play_may_be_a_coroutine() -> None:
    """`async def play` will do as well."""

    class Slow(Bot):
        async def play(self, view: View) -> Any:
            await idle(1)
            return view.playable[-1]

    assert await Slow().act(TURN) == Play(card_named("SA"))


async def test_another_act_may_be_played() -> None:
    """`play` may return any act of the laws instead of a card."""
    assert await First(play=Quit()).act(TURN) == Quit()


SUIT_CALL = Call(Demand.SUIT, Seat.E, suit=Suit.D)

# Each row: the method, what it returns, the moment, the act that comes of it.
RETURNS: list[tuple[str, Any, View, Command | None]] = [
    ("ask", True, moment("turn", Ask()), Ask()),
    ("ask", False, moment("turn", Ask()), Play(card_named("SK"))),
    ("withdraw", True, moment("", Withdraw()), Withdraw()),
    ("withdraw", False, moment("", Withdraw()), None),
    ("answer", True, moment("question", Answer(none=True), Answer(none=False)), Answer(none=True)),
    ("answer", False, moment("question", Answer(none=True), Answer(none=False)), Answer(none=False)),
    ("answer", None, moment("question", Answer(none=True), Answer(none=False)), None),
    ("claim", (Seat.E, 3), moment(""), ClaimRevoke(Seat.E, 3)),
    ("claim", None, moment(""), None),
    ("elect", Penalty.DEDUCT, moment("election", Elect(Penalty.TRICKS, 2)), Elect(Penalty.DEDUCT, 2)),
    ("call", SUIT_CALL, moment("choice", SUIT_CALL, Waive()), SUIT_CALL),
    ("call", None, moment("choice", SUIT_CALL, Waive()), None),
    ("declare", Suit.H, moment("declare", LeaveIt()), Declare(Suit.H)),
    ("declare", None, moment("declare", LeaveIt()), LeaveIt()),
    ("double", True, moment("double", Double(), BeSatisfied()), Double()),
    ("double", False, moment("double", Double(), BeSatisfied()), BeSatisfied()),
    ("honours", True, moment("claims", ClaimHonours(), BeReady()), ClaimHonours()),
    ("honours", False, moment("claims", ClaimHonours(), BeReady()), BeReady()),
    ("ready", False, moment("claims", BeReady()), None),
    ("offer", Agree(), moment("offer", Agree(), Decline()), Agree()),
]


@pytest.mark.parametrize(("method", "returned", "view", "act"), RETURNS)
async def test_what_a_method_returns_is_done(method: str, returned: Any, view: View, act: Command | None) -> None:
    """Each method is asked at its moment, and its answer becomes the act."""
    assert await asked(method, returned).act(view) == act


DEFAULTS: list[tuple[View, Command | None]] = [
    (moment("turn", Ask()), Ask()),
    (moment("election", *(Elect(penalty, 1) for penalty in Penalty)), Elect(Penalty.ADD, 1)),
    (moment("choice", Call(Demand.HIGHEST, Seat.E), Call(Demand.LOWEST, Seat.E), Waive()), Call(Demand.LOWEST, Seat.E)),
    (
        moment("choice", *(Call(Demand.SUIT, Seat.E, suit=suit) for suit in (Suit.H, Suit.S, Suit.C))),
        Call(Demand.SUIT, Seat.E, suit=Suit.S),
    ),
    (moment("choice", Waive()), Waive()),
    (moment("double", Double(), BeSatisfied()), BeSatisfied()),
    (moment("claims", BeReady()), BeReady()),
    (moment("offer", Agree(), Decline()), Decline()),
    (moment("", Quit()), None),
    (moment("linger"), None),
    (moment("a kind of a newer server"), None),
]


@pytest.mark.parametrize(("view", "act"), DEFAULTS)
async def test_what_is_left_to_the_defaults_is_done_honestly(view: View, act: Command | None) -> None:
    """A bot that defines nothing but `play` asks, answers, chooses and agrees as an honest player does."""
    assert await First().act(view) == act


def test_house_bots_are_known_by_name() -> None:
    """The house bots can be had by anybody; another name is refused with the names there are."""
    assert house_bot("courteous", Random(1)).name == "courteous"
    with pytest.raises(ValueError, match="courteous or random"):
        house_bot("rude", Random(1))


# --- bots that fail ---


class Broken(Bot):
    """Raises, returns nothing or never returns, as it is told."""

    name = "broken"

    def __init__(self, how: str, clock: ManualClock) -> None:
        self.how = how
        self.clock = clock

    async def play(self, view: View) -> Any:
        if self.how == "raises":
            raise RuntimeError("a position I thought impossible")
        if self.how == "is late":
            await self.clock.sleep(10**6)
        return None


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What goes to the SDK's log as errors."""
    lines: list[dict[str, Any]] = []

    class Log:
        def error(self, event: str, **values: Any) -> None:
            lines.append({"event": event, **values})

    monkeypatch.setattr("oddtrick_sdk.driver.log", Log())
    return lines


@pytest.mark.parametrize("how", ["raises", "is late", "returns nothing"])
async def test_a_bot_that_fails_plays_its_lowest_lawful_card(how: str, logged: list[dict[str, Any]]) -> None:
    """B74: a bot crashed where it saw no way out; here one that raises or is late holds nobody up, and the log brings it back."""
    driver = Driver(Broken(how, ManualClock()), Random(1), limit_s=0.0)
    assert await driver.act(TURN) == Play(card_named("SK"))
    assert driver.failures == 1
    (line,) = logged
    again = View.of_record(line["record"])
    assert (again.state, again.seat, again.acts, again.playable) == (TURN.state, TURN.seat, TURN.acts, TURN.playable)


async def test_a_bot_that_fails_elsewhere_is_stood_in_for_honestly(logged: list[dict[str, Any]]) -> None:
    """What is not a card is answered as an honest player would."""

    class Silent(First):
        def answer(self, view: View) -> Any:
            raise KeyError("suit")

    view = moment("question", Answer(none=True), Answer(none=False))
    assert await Driver(Silent(), Random(1)).act(view) is None
    assert logged[0]["event"] == "bot_failed"


@pytest.mark.parametrize("line", ["{}", "[]", '{"seat": "N"}', '{"seat": 1, "state": {}}', "no record"])
def test_a_record_that_is_none_is_a_value_error(line: str) -> None:
    """Only the record of a view makes a view."""
    with pytest.raises(ValueError, match=r"record|malformed|missing"):
        View.of_record(line)


async def test_the_pace_depends_on_nothing_but_chance() -> None:
    """B92: a forced card played at once gave the hand away; here a bot takes as long over one lawful card as over thirteen."""
    one = view_of("N", hand="SA H2 H3 H4 H5", trick="W S4")
    many = view_of("N", hand="S2 S3 S5 S6 S7", trick="W S4")
    waits = []
    for view in (one, many):
        clock = ManualClock()
        slept: list[float] = []

        async def sleep(seconds: float, slept: list[float] = slept) -> None:
            slept.append(seconds)

        driver = Driver(First(), Random(5), Pace(0.5, 1.0), sleep=sleep)
        for _ in range(10):
            await driver.act(view)
        waits.append(slept)
        assert clock.now_s == 0
    assert waits[0] == waits[1]
    assert len(waits[0]) == 10
    assert all(0.5 <= seconds <= 1.5 for seconds in waits[0])
