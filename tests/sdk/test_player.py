"""A bot at a table of a server in memory: what it reads, what it sends, and when."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.table_events import ClockLimits, ClocksSet, HostMoved, PauseEnded, RubberBegan, Sat
from oddtrick_rules.cards import Suit, card_named
from oddtrick_rules.commands import Ask, BeReady, ClaimHonours, Command, Play, Waive
from oddtrick_rules.events import Asked, CardPlayed, Renounced, RubberWon, TrickCompleted, TrickQuitted
from oddtrick_rules.seats import SEATS, Seat, Side
from oddtrick_rules.state import Enforcement
from oddtrick_sdk import Bot, Client, Player, View
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.mirror import Asked as Prompted
from oddtrick_sdk.player import answers
from oddtrick_sdk.testing import ManualClock, MemoryServer, MemoryTable, idle, view_of

SA, SK = card_named("SA"), card_named("SK")
TURN = view_of("N", hand="SA SK H2", trick="W S4")


class Highest(Bot):
    """Plays its highest lawful card and remembers what it was asked."""

    name = "highest"

    def __init__(self) -> None:
        self.kinds: list[str] = []

    async def act(self, view: View) -> Command | None:
        self.kinds.append(view.kind)
        return await super().act(view)

    def play(self, view: View) -> Any:
        return view.playable[-1]

    def ask(self, view: View) -> bool:
        return True


class Scene:
    """A bot, its client, its table, and the server's side of it."""

    def __init__(self, client: Client, server: MemoryServer, *, rubbers: int | None = None) -> None:
        self.server = server
        self.bot = Highest()
        self.table = MemoryTable(server, state=TURN.state, seat=Seat.N)
        self.player = Player(client.table("T1"), Driver(self.bot, Random(1)), rubbers)
        self.playing = asyncio.create_task(self.player.play())

    @property
    def acts(self) -> list[tuple[str, str | None]]:
        """What was done, and the prompt each answered."""
        return [(str(message.act["do"]), message.prompt) for message in self.server.sent(m.Act)]

    def answer(self, *, code: str | None = None) -> None:
        """Answer the act that was sent last."""
        act = self.server.sent(m.Act)[-1]
        self.server.line.say(m.Ok(id=act.id) if code is None else m.Refused(id=act.id, code=code))


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    server = MemoryServer(answers=False)
    async with Client("memory", name="bot", options=server.options(ManualClock())) as client:
        scene = Scene(client, server)
        scene.table.snapshot()
        await idle()
        yield scene
        scene.playing.cancel()


async def test_a_prompt_is_answered_once_by_its_name(scene: Scene) -> None:
    """A turn is answered with one card that names the prompt, and not again while nothing new is asked."""
    prompt = scene.table.prompt("turn", [Play(SA), Play(SK)], playable=[SA, SK])
    await idle()
    scene.answer()
    await idle()
    scene.table.happen(CardPlayed(Seat.E, card_named("S5"), 11))
    await idle()
    assert scene.acts == [("play", prompt)]


async def test_an_act_besides_does_not_name_the_prompt(scene: Scene) -> None:
    """What is done besides answering leaves the prompt to be answered."""
    scene.server.line.say(m.May(table="T1", acts=[{"do": "ask"}]))
    await idle()
    assert scene.acts == [("ask", None)]


async def test_the_newest_prompt_is_answered(scene: Scene) -> None:
    """When two prompts have come before the bot is asked, only the newer is answered."""
    scene.table.prompt("choice", [Waive()])
    newer = scene.table.prompt("turn", [Play(SA), Play(SK)], playable=[SA, SK])
    await idle()
    assert scene.acts == [("play", newer)]


async def test_a_prompt_taken_away_is_not_answered(scene: Scene) -> None:
    """A choice that has lapsed before the bot was asked is let go."""
    scene.table.prompt("choice", [Waive()])
    scene.table.no_prompt()
    await idle()
    assert scene.acts == []


async def test_a_refused_act_is_not_tried_again_until_something_happens(scene: Scene) -> None:
    """The same act in the same moment is sent once."""
    scene.server.line.say(m.May(table="T1", acts=[{"do": "ask"}]))
    await idle()
    scene.answer(code="already_done")
    await idle()
    assert scene.acts == [("ask", None)]
    scene.table.happen(Renounced(Seat.S, 11, Suit.S, card_named("H3")))
    await idle()
    assert scene.acts == [("ask", None), ("ask", None)]


async def test_a_prompt_that_takes_several_acts_is_answered_again(scene: Scene) -> None:
    """After the honours are called the same prompt, sent anew, is answered with `ready`."""

    class Calls(Highest):
        def honours(self, view: View) -> bool:
            return True

    scene.player.driver.bot = Calls()
    claims = scene.table.prompt("claims", [ClaimHonours(), BeReady()])
    await idle()
    scene.table.prompts -= 1
    scene.table.prompt("claims", [BeReady()])
    scene.answer()
    await idle()
    assert scene.acts == [("claim_honours", claims), ("be_ready", claims)]


async def test_a_bot_that_always_errs_is_stood_in_for(scene: Scene) -> None:
    """A bot whose cards are refused again and again has its lowest lawful card played."""
    cards = itertools.cycle(["H2", "SA", "SK"])

    class Stubborn(Highest):
        def play(self, view: View) -> Any:
            return card_named(next(cards))

        def ask(self, view: View) -> bool:
            return False

    scene.player.driver.bot = Stubborn()
    scene.table.prompt("turn", [Play(SA), Play(SK)], playable=[SA, SK])
    for _ in range(4):
        await idle()
        scene.answer(code="must_follow")
    await idle()
    assert 3 <= len(scene.acts) <= 5


async def test_nobody_well_bred_leads_while_a_trick_lies(scene: Scene) -> None:
    """A bot asked for a lead waits until the last trick is quitted, where the table has a linger."""
    scene.table.happen(
        CardPlayed(Seat.N, SA, 11),
        CardPlayed(Seat.E, card_named("S5"), 11),
        CardPlayed(Seat.S, card_named("S6"), 11),
        TrickCompleted(11, Seat.N),
    )
    prompt = scene.table.prompt("turn", [Play(SK)], playable=[SK])
    await idle()
    assert scene.acts == []
    scene.table.happen(TrickQuitted(11, None))
    await idle()
    assert scene.acts == [("play", prompt)]


async def test_where_no_clock_quits_a_lead_need_not_wait(scene: Scene) -> None:
    """Without a linger clock a lead is made at once."""
    scene.table.happen(
        ClocksSet(ClockLimits(linger_ms=0)),
        CardPlayed(Seat.N, SA, 11),
        CardPlayed(Seat.E, card_named("S5"), 11),
        CardPlayed(Seat.S, card_named("S6"), 11),
        TrickCompleted(11, Seat.N),
    )
    prompt = scene.table.prompt("turn", [Play(SK)], playable=[SK])
    await idle()
    assert scene.acts == [("play", prompt)]


async def test_a_rubber_is_noted_once_and_another_is_asked_for(scene: Scene) -> None:
    """At the end of a rubber the bot is for another, once."""
    scene.table.happen(RubberBegan(1, "english-1864", Enforcement.GUIDED, Seat.S, reasonable_time=False))
    scene.table.state = TURN.state
    scene.table.happen(RubberWon(Side.NS, 8, ()))
    await idle()
    assert [result.won.points for result in scene.player.results] == [8]
    assert len(scene.server.sent(m.Again)) == 1


async def test_after_its_rubbers_a_bot_stops() -> None:
    """A bot that is to play one rubber ends with its result."""
    server = MemoryServer()
    async with Client("memory", name="bot", options=server.options(ManualClock())) as client:
        scene = Scene(client, server, rubbers=1)
        scene.table.snapshot()
        scene.table.happen(RubberBegan(1, "english-1864", Enforcement.GUIDED, Seat.S, reasonable_time=False))
        scene.table.happen(RubberWon(Side.EW, 4, ()))
        (result,) = await scene.playing
        assert (result.rubber, result.won.side, result.won.points) == (1, Side.EW, 4)
        assert server.sent(m.Again) == []


async def test_a_bystander_is_never_asked(scene: Scene) -> None:
    """Without a seat there is nothing to do."""
    scene.table.seat = None
    scene.table.snapshot()
    scene.server.line.say(m.May(table="T1", acts=[{"do": "ask"}]))
    await idle()
    assert scene.acts == []


async def test_a_bot_that_is_host_begins_when_four_sit(scene: Scene) -> None:
    """The rubber is begun once, by the host, when the last seat is taken."""
    scene.table.state = None
    scene.table.snapshot()
    sitters = [Sat(seat, f"identity-{seat + 1}", seat.name) for seat in SEATS]
    scene.table.happen(HostMoved("identity-1", "bot"), *sitters[:3])
    await idle()
    assert scene.server.sent(m.Start) == []
    scene.table.happen(sitters[3])
    await idle()
    scene.table.happen(PauseEnded())
    await idle()
    assert len(scene.server.sent(m.Start)) == 1


def test_an_act_answers_a_prompt_by_its_kind() -> None:
    """Any card answers a turn; a question to one's partner does not."""
    turn = Prompted("T", "p1", "turn", (), (SA,), None, None, None)
    assert answers(Play(SK), turn)
    assert not answers(Ask(), turn)


async def test_after_an_act_besides_the_bot_waits_for_what_comes_of_it(scene: Scene) -> None:
    """A bot that asks its partner before it plays does not ask again, nor play, before it is told that it has asked."""
    turn = scene.table.prompt("turn", [Play(SA), Play(SK)], playable=[SA, SK])
    scene.server.line.say(m.May(table="T1", acts=[{"do": "ask"}]))
    await idle()
    scene.answer()
    await idle()
    assert scene.acts == [("ask", None)]
    scene.table.happen(Asked(Seat.N, Seat.S, 11, ()))
    scene.server.line.say(m.May(table="T1", acts=[]))
    await idle()
    assert scene.acts == [("ask", None), ("play", turn)]
