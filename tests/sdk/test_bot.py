"""`Bot`: what its methods are asked, and what comes of what they return."""

import asyncio
from random import Random
from typing import Any, cast

import pytest

from oddtrick_rules.cards import Card, Suit, card_named
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
    Lapse,
    LeaveIt,
    Mark,
    Penalty,
    Play,
    PlayTogether,
    Quit,
    Sheet,
    Waive,
    Withdraw,
)
from oddtrick_rules.seats import Seat, Side
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


def each(method: str, returned: list[Any]) -> list[tuple[str, Any]]:
    """That method with each of those values, none of which answers its question."""
    return [(method, value) for value in returned]


NO_ANSWERS: list[tuple[str, Any]] = [
    *each("play", ["SA", b"SA", [card_named("SK")], (card_named("SK"), None), {}, object(), Play, asyncio.sleep]),
    *each("play", [1.0, 99, -1, True, Suit.S]),
    *each("play", [Play(cast(Card, "SA")), Play(Card(-1)), Play(card_named("SK"), cast(Seat, []))]),
    *each("play", [PlayTogether(()), PlayTogether((card_named("SK"), Card(-1))), Mark(Sheet.SCORE, Side.NS, 10**30)]),
    *each("play", [Lapse()]),
    *each("act", [card_named("SK"), "SK", True, False, [], 0.5, BeReady, [Play(card_named("SK"))]]),
    *each("claim", ["E", "", 5, (), (1, 2, 3), (Seat.E, "3"), (None, 2), ([], {}), (Seat.E, -1)]),
]
QUESTION = moment("question", Answer(none=True), Answer(none=False))
CHOICE = moment("choice", SUIT_CALL, Waive())
NO_ANSWERS_ELSEWHERE: list[tuple[View, list[tuple[str, Any]]]] = [
    (QUESTION, each("answer", ["none", 1, [], {}])),
    (moment("election", Elect(Penalty.TRICKS, 2)), each("elect", [None, "three", 3, [], Seat.N])),
    (CHOICE, each("call", [Suit.D, True, "D", [SUIT_CALL], Call(Demand.SUIT, Seat.E, suit=cast(Suit, "D"))])),
    (moment("declare", LeaveIt()), each("declare", ["H", 77, [], Seat])),
    (moment("offer", Agree(), Decline()), each("offer", [True, "agree", Agree])),
]


@pytest.mark.parametrize(("method", "returned"), NO_ANSWERS)
async def test_a_bot_that_returns_no_act_plays_its_lowest_lawful_card(
    method: str, returned: Any, logged: list[dict[str, Any]]
) -> None:
    """Whatever a method returns that is no act, the card that keeps the law is played and the log says so."""
    assert await Driver(asked(method, returned), Random(1)).act(TURN) == Play(card_named("SK"))
    assert [line["why"] for line in logged] in (["the bot returned what is no act"], ["the bot raised"])


@pytest.mark.parametrize(("view", "answers"), NO_ANSWERS_ELSEWHERE)
async def test_a_bot_that_returns_no_act_is_stood_in_for_honestly(
    view: View, answers: list[tuple[str, Any]], logged: list[dict[str, Any]]
) -> None:
    """So it is with every other question."""
    for method, returned in answers:
        driver = Driver(asked(method, returned), Random(1))
        assert await driver.act(view) == driver.instead(view)
    assert len(logged) == len(answers)


async def test_a_bot_whose_own_work_was_cancelled_is_stood_in_for(logged: list[dict[str, Any]]) -> None:
    """A task that the bot cancelled and then waited for does not end the bot's game; who stops the bot stops it."""

    class Cancelling(First):
        async def play(self, view: View) -> Any:
            work = asyncio.create_task(asyncio.sleep(10**6))
            if not self.returned:
                work.cancel()
            return await work

    assert await Driver(Cancelling(), Random(1)).act(TURN) == Play(card_named("SK"))
    playing = asyncio.create_task(Driver(Cancelling(waits=True), Random(1)).act(TURN))
    await idle()
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert len(logged) == 1


async def test_every_method_may_be_a_plain_function(logged: list[dict[str, Any]]) -> None:
    """`act` too may be a plain `def`, and may hand on what the class above it does."""

    class Plain(First):
        def act(self, view: View) -> Any:
            return super().act(view) if view.kind == "turn" else Quit()

    driver = Driver(Plain(), Random(1))
    assert await driver.act(TURN) == Play(card_named("SK"))
    assert await driver.act(moment("linger", Quit())) == Quit()
    assert not logged


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
