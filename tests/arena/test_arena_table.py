"""Tables without a server: bots of every kind play rubbers to their end by the judge's rules."""

from random import Random

import pytest
import structlog

from oddtrick_arena.table import ArenaTable, dealt, shuffled
from oddtrick_rules.cards import PACK, mask_of
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Deal, Play
from oddtrick_rules.events import TrickCompleted
from oddtrick_rules.evolve import evolve
from oddtrick_rules.seats import SEATS, Official, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase
from oddtrick_rules.views import seen_by, view
from oddtrick_sdk import Bot, View
from oddtrick_sdk.bot import BrainBot, house_bot
from oddtrick_sdk.bots.random_bot import RandomBrain
from oddtrick_sdk.driver import Driver

TABLES = [(code, enforcement) for code in CODES for enforcement in Enforcement]


def table_of(
    bots: list[Bot], *, code: str = "english-1864", enforcement: Enforcement = Enforcement.GUIDED, seed: int = 0
) -> ArenaTable:
    drivers = [Driver(bot, Random(seed)) for bot in bots]
    return ArenaTable.opened(drivers, code=CODES[code], enforcement=enforcement, chance=Random(seed))


def courteous(seed: int = 0) -> list[Bot]:
    return [house_bot("courteous", Random(seed)) for _ in SEATS]


def careless(seed: int) -> list[Bot]:
    return [BrainBot(RandomBrain(Random(f"{seed}/{seat}"), irregular=0.15), "careless") for seat in SEATS]


@pytest.mark.parametrize(("code", "enforcement"), TABLES)
async def test_courteous_bots_play_a_rubber_to_its_end(code: str, enforcement: Enforcement) -> None:
    """A rubber of four house bots ends, under every code and every enforcement, without a revoke or a failure."""
    table = table_of(courteous(), code=code, enforcement=enforcement, seed=3)
    state = await table.play_rubber()
    assert state.rubber is not None
    assert all(driver.failures == 0 for driver in table.drivers)
    kinds = {type(event).__name__ for acted in table.log for event in acted.events}
    assert not kinds & {"RevokeMade", "CardsExposed", "LedOutOfTurn", "RevokeCharged"}


@pytest.mark.parametrize("enforcement", list(Enforcement))
async def test_careless_bots_play_a_rubber_to_its_end(enforcement: Enforcement, request: pytest.FixtureRequest) -> None:
    """Bots that err at random, charge without cause and throw cards about still come to an end."""
    seed = request.config.getoption("seed")
    table = table_of(careless(seed), enforcement=enforcement, seed=seed)
    state = await table.play_rubber()
    assert state.rubber is not None, f"seed {seed}"
    assert all(driver.failures == 0 for driver in table.drivers)


async def test_the_same_seed_gives_the_same_rubber() -> None:
    """Deals and bots' chance fixed, every act is the same again."""
    logs = []
    for _ in range(2):
        table = table_of(careless(7), enforcement=Enforcement.CLUB, seed=7)
        await table.play_hand()
        logs.append(table.log)
    assert logs[0] == logs[1]


async def test_the_log_gives_the_state_again() -> None:
    """Folding the log's events gives the table's state."""
    table = table_of(careless(5), enforcement=Enforcement.CLUB, seed=5)
    state = rubber(CODES["english-1864"], enforcement=Enforcement.CLUB, dealer=Seat.N)
    await table.play_hand()
    for acted in table.log:
        for event in acted.events:
            state = evolve(state, event)
    assert state == table.state


async def test_a_bot_is_shown_its_own_seats_view_and_nothing_else() -> None:
    """At every moment what a bot is shown is the sum of the events its seat was shown."""
    table = table_of(courteous(), seed=1)
    seen = [rubber(CODES["english-1864"], enforcement=Enforcement.GUIDED, dealer=Seat.N) for _ in SEATS]
    shown: list[tuple[Seat, View]] = []
    for seat, driver in zip(SEATS, table.drivers, strict=True):
        driver.bot = Watching(driver.bot, seat, shown)
    await table.play_hand()
    assert len(shown) > 52
    for acted in table.log:
        for event in acted.events:
            for seat in SEATS:
                part = seen_by(event, seat, enforcement=Enforcement.GUIDED)
                seen[seat] = seen[seat] if part is None else evolve(seen[seat], part)
    for seat in SEATS:
        assert seen[seat] == view(table.state, seat)
    for seat, one in shown:
        hidden = [other for other in SEATS if other != seat]
        assert not any(one.deal.hands[other] & ~one.deal.seen[other] for other in hidden)


class Watching(Bot):
    """Passes every moment on to another bot and keeps what it was shown."""

    def __init__(self, bot: Bot, seat: Seat, shown: list[tuple[Seat, View]]) -> None:
        self.bot, self.seat, self.shown = bot, seat, shown

    async def act(self, view: View) -> object:  # type: ignore[override]
        if view.state.hand is not None:
            self.shown.append((self.seat, view))
        return await self.bot.act(view)


async def test_a_hand_can_be_dealt_as_one_likes() -> None:
    """A deal given is the deal played."""
    deal = shuffled(Random(11), Seat.N)
    table = table_of(courteous())
    await table.play_hand(deal)
    first = table.log[0]
    assert (first.actor, first.command) == (Official.HOUSE, deal)
    assert table.state.phase in {Phase.TO_DEAL, Phase.OVER}
    played = {acted.command.card for acted in table.log if isinstance(acted.command, Play)}
    assert played == set(PACK)
    tricks = [event for acted in table.log for event in acted.events if isinstance(event, TrickCompleted)]
    assert len({event.trick for event in tricks}) == 13


def test_a_deal_goes_round_from_the_dealers_left() -> None:
    """The first card falls to the dealer's left, the last to the dealer and is turned up."""
    for dealer in SEATS:
        deal = dealt(PACK, dealer)
        assert isinstance(deal, Deal)
        assert deal.turned == PACK[-1]
        assert PACK[-1] in deal.hands[dealer]
        assert PACK[0] in deal.hands[(dealer + 1) % 4]
        assert mask_of(card for hand in deal.hands for card in hand) == (1 << 52) - 1


async def test_a_bot_that_fails_at_every_act_still_comes_to_the_end() -> None:
    """Four bots that raise at every turn play a hand by their lowest lawful cards."""

    class Broken(Bot):
        name = "broken"

        def play(self, view: View) -> object:  # type: ignore[override]
            raise ZeroDivisionError

    table = table_of([Broken() for _ in SEATS], seed=2)
    with structlog.testing.capture_logs() as logged:
        await table.play_hand()
    assert [line["event"] for line in logged] == ["bot_failed"] * 52
    assert sum(driver.failures for driver in table.drivers) == 52
