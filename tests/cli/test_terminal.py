"""A seat in a terminal: what is told, what is typed, what is sent."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import get_args

import pytest

from oddtrick_cli.scene import _TABLE, UNTOLD, Teller, deal_line, hand_text, scene, told_event
from oddtrick_cli.terminal import Terminal, acts_text
from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as t
from oddtrick_protocol.table_info import Bystander, FairDeal, Sitter, TableInfo, info_after
from oddtrick_rules.cards import Suit, card_named, mask_of
from oddtrick_rules.commands import Answer, Ask, Play, Withdraw
from oddtrick_rules.events import CardPlayed, CardsExposed, Event, HandDealt
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Phase
from oddtrick_sdk import Client, Happened, Mirror
from oddtrick_sdk.testing import ManualClock, MemoryServer, MemoryTable, idle, view_of

TURN = view_of("N", hand="SA SK H2", trick="W S4")
SA, SK = card_named("SA"), card_named("SK")


class Seated:
    """A terminal at a table of a server in memory; what it showed is `screen`."""

    def __init__(self, client: Client, server: MemoryServer) -> None:
        self.server = server
        self.client = client
        self.screen: list[str] = []
        self.table = MemoryTable(server, state=TURN.state, seat=Seat.N)
        self.keys: asyncio.Queue[str | None] = asyncio.Queue()
        self.terminal = Terminal(client.table("T1"), self.screen.append)
        self.running = asyncio.create_task(self.terminal.run(self._lines()))

    async def _lines(self) -> AsyncIterator[str]:
        while (line := await self.keys.get()) is not None:
            yield line

    async def type(self, line: str) -> None:
        self.keys.put_nowait(line)
        await idle()

    @property
    def shown(self) -> str:
        return "\n".join(self.screen)


@pytest.fixture
async def seated() -> AsyncIterator[Seated]:
    server = MemoryServer()
    async with Client("memory", name="Anna", options=server.options(ManualClock())) as client:
        seated = Seated(client, server)
        seated.table.snapshot()
        await idle()
        yield seated
        seated.running.cancel()


async def test_the_table_is_shown_when_one_sits_down(seated: Seated) -> None:
    """Seats, score, deal, trick and one's own hand, and nothing of the others'."""
    assert "Trick 11: W S4" in seated.shown
    assert "Your hand: ♠ AK  ♥ 2  ♦ -  ♣ -" in seated.shown
    assert "hearts are trumps" in seated.shown


async def test_another_seat_is_told(seated: Seated) -> None:
    """Whom a cut moves or sends out is shown the table anew; the line that says where he sits comes with a change alone."""
    assert seated.screen[-1] == "You sit North."
    for seat, told in ((Seat.W, "You sit West."), (None, "You watch.")):
        seated.table.seat = seat
        seated.table.snapshot()
        await idle()
        assert seated.screen[-1] == told
        before = seated.shown.count(told)
        seated.table.snapshot()
        await idle()
        assert seated.shown.count(told) == before


async def test_a_turn_is_announced_with_the_cards_that_keep_every_law(seated: Seated) -> None:
    """The prompt shows the time and the lawful cards."""
    seated.table.prompt("turn", [Play(SA), Play(SK)], playable=[SA, SK], deadline_ms=45_000)
    await idle()
    assert seated.screen[-1] == ">> Your turn (45 s): SK SA"


async def test_a_card_typed_answers_the_turn(seated: Seated) -> None:
    """A card is played, in either case, and names the prompt."""
    prompt = seated.table.prompt("turn", [Play(SA), Play(SK)], playable=[SA, SK])
    await seated.type("sk")
    (act,) = seated.server.sent(m.Act)
    assert (act.act, act.prompt) == ({"do": "play", "card": "SK"}, prompt)


@pytest.mark.parametrize(
    ("typed", "acts"),
    [
        ("asks", [{"do": "ask"}]),
        ("N asks", [{"do": "ask"}]),
        ("withdraws, SK", [{"do": "withdraw"}, {"do": "play", "card": "SK"}]),
        ("calls highest from E", [{"do": "call", "demand": "highest", "seat": "E"}]),
        ("claims revoke W 3", [{"do": "claim_revoke", "seat": "W", "trick": 3}]),
        ("answers none", [{"do": "answer", "none": True}]),
    ],
)
async def test_every_act_is_typed_in_the_notation(seated: Seated, typed: str, acts: list[dict[str, object]]) -> None:
    """Acts are read as a record has them, with or without one's seat, several on a line."""
    await seated.type(typed)
    assert [message.act for message in seated.server.sent(m.Act)] == acts


@pytest.mark.parametrize(
    ("typed", "says"),
    [("dances", "neither a card nor an act"), ("E SA", "E is not your seat"), ("/fly", "no command /fly")],
)
async def test_what_is_not_understood_is_said_and_not_sent(seated: Seated, typed: str, says: str) -> None:
    """Nothing goes out for a line that says nothing, and the terminal goes on."""
    await seated.type(typed)
    assert says in seated.screen[-1]
    assert seated.server.sent(m.Act) == []
    await seated.type("asks")
    assert len(seated.server.sent(m.Act)) == 1


async def test_a_refusal_is_shown_with_its_law(seated: Seated) -> None:
    """The law a refusal rests on is told."""
    seated.server.answers = False
    await seated.type("H2")
    (act,) = seated.server.sent(m.Act)
    seated.server.line.say(m.Refused(id=act.id, code="must_follow", law="71", text="you hold a spade"))
    await idle()
    assert seated.screen[-1] == "!! refused: you hold a spade (law 71)"


@pytest.mark.parametrize(
    ("typed", "kind", "values"),
    [
        ("/start", m.Start, {}),
        ("/again", m.Again, {}),
        ("/pause", m.Pause, {}),
        ("/on", m.Unpause, {}),
        ("/away", m.Away, {}),
        ("/back", m.Back, {}),
        ("/stand", m.Stand, {}),
        ("/say good evening", m.Chat, {"channel": "table", "text": "good evening"}),
        ("/partner three tricks?", m.Chat, {"channel": "partner", "text": "three tricks?"}),
        ("/phrase sorry", m.Phrase, {"phrase": "sorry"}),
        ("/kick E", m.Kick, {"who": "E"}),
        ("/bot e", m.AddBot, {"seat": "E"}),
        ("/bot", m.AddBot, {"seat": "any"}),
        ("/unbot w", m.RemoveBot, {"seat": "W"}),
        ("/kick Clara", m.Kick, {"who": "c"}),
        ("/in", m.DeclareIn, {}),
        ("/propose substitute Clara", m.Propose, {"what": "substitute", "who": "c"}),
        ("/propose referee c", m.Propose, {"what": "referee", "who": "c"}),
        ("/law 73", m.Law, {"number": "73"}),
        ("/leave", m.Leave, {}),
    ],
)
async def test_the_other_commands_are_sent(
    seated: Seated, typed: str, kind: type[m.ClientMessage], values: dict[str, str]
) -> None:
    """Each command of the help does what it says."""
    seated.table.info = TableInfo(code="english-1864", bystanders=(Bystander("c", "Clara"),))
    seated.table.snapshot()
    await idle()
    await seated.type(typed)
    (message,) = seated.server.sent(kind)
    assert {name: getattr(message, name) for name in values} == values


async def test_what_is_proposed_is_put_to_a_seat_and_answered(seated: Seated) -> None:
    """A seat is told what is proposed, that it is asked, and answers without knowing a number."""
    seated.table.happen(t.Proposed(7, "remark", Seat.E, "c", "Clara", (Seat.N, Seat.E), (Seat.E,), ("R17",)))
    await idle()
    assert seated.screen[-2:] == [
        "East proposes that Clara pays for a remark; still to agree: North. (R17)",
        ">> Do you agree? /yes or /no",
    ]
    await seated.type("/yes")
    await seated.type("/no")
    assert [(said.proposal, said.agreed) for said in seated.server.sent(m.Consent)] == [(7, True), (7, False)]
    seated.table.happen(t.Consented(7, Seat.N), t.ProposalClosed(7, agreed=True))
    await idle()
    assert seated.screen[-2:] == ["North agrees to it.", "It is agreed."]
    await seated.type("/yes")
    assert seated.screen[-1] == "!! nothing is proposed"


async def test_a_seat_that_is_not_asked_is_not_prompted(seated: Seated) -> None:
    """What others are to agree on is told and no more."""
    seated.table.happen(t.Proposed(7, "remark", Seat.E, "c", "Clara", (Seat.W, Seat.E), (Seat.E,), ()))
    await idle()
    assert seated.screen[-1].startswith("East proposes ")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("/kick", "say whom"),
        ("/kick Nemo", "nobody of that name"),
        ("/kick Clay", "2 of that name"),
        ("/bot X", "a seat is N, E, S or W"),
        ("/unbot", "a seat is N, E, S or W"),
        ("/propose", "propose what"),
        ("/propose cheat Clay", "propose what"),
        ("/propose referee", "propose what"),
        ("/no", "nothing is proposed"),
    ],
)
async def test_a_command_that_names_nobody_is_said_and_not_sent(seated: Seated, typed: str, says: str) -> None:
    """What is missing is said in words, and no server is asked."""
    seated.table.info = TableInfo(bystanders=(Bystander("c", "Clay"), Bystander("d", "Clay")))
    seated.table.snapshot()
    await idle()
    sent = len(seated.server.line.sent)
    await seated.type(typed)
    assert seated.screen[-1].startswith("!! ")
    assert says in seated.screen[-1]
    assert len(seated.server.line.sent) == sent


@pytest.mark.parametrize("number", ["9" * 26, "9" * 4000, "1000001", "-1", "two", "²"])
async def test_a_hand_that_cannot_be_is_not_asked_for(seated: Seated, number: str) -> None:
    """`/record` with what is no number of a hand says so, and one plays on."""
    await seated.type(f"/record {number}")
    assert seated.screen[-1] == f"!! no hand has the number {number}"
    assert seated.server.sent(m.Record) == []
    await seated.type("/record 1000000")
    assert [asked.hand for asked in seated.server.sent(m.Record)] == [1_000_000]


@pytest.mark.parametrize("digits", [8, 26, 3000])
@pytest.mark.parametrize(
    "act", ["claims revoke W {}", "elects tricks {}", "elects points {}", "/bot {}", "/kick {}", "/law {}"]
)
async def test_no_number_that_is_typed_ends_the_game(seated: Seated, act: str, digits: int) -> None:
    """However long the number in an act, it is refused or sent, and the next act is taken."""
    await seated.type(act.format("9" * digits))
    await seated.type("asks")
    assert seated.server.sent(m.Act)[-1].act == {"do": "ask"}
    assert not seated.running.done()


async def test_quitting_and_the_end_of_input_end_the_sitting(seated: Seated) -> None:
    """`/quit` ends, and so does the end of standard input; the seat is not given up."""
    await seated.type("/quit")
    await seated.running
    assert seated.server.sent(m.Leave) == []
    again = Seated(seated.client, seated.server)
    again.keys.put_nowait(None)
    await again.running


async def test_a_law_and_a_ruling_are_read(seated: Seated) -> None:
    """A ruling serves every code, and is not called a law of this one."""
    seated.server.answers = False
    for text in (
        m.LawText(code="english-1864", number="73", gist="It is established."),
        m.LawText(code="english-1864", number="R5", gist="Only the partner asks.", lives="ruling"),
    ):
        await seated.type(f"/law {text.number}")
        seated.server.line.say(m.Ok(id=seated.server.sent(m.Law)[-1].id, law=text))
        await idle()
    assert seated.screen[-2:] == [
        "   Law 73 (english-1864): It is established.",
        "   Ruling R5: Only the partner asks.",
    ]


async def test_what_happens_is_told_in_order(seated: Seated) -> None:
    """Each event is a line with its law; what the clock did is marked."""
    seated.table.happen(CardPlayed(Seat.N, SA, 11), CardsExposed(Seat.E, (card_named("CA"),), ("56",)))
    await idle()
    assert seated.screen[-2] == "North plays the ace of spades."
    assert "law 56" in seated.screen[-1]


async def test_the_acts_besides_are_shown(seated: Seated) -> None:
    """What one may do is told as one types it."""
    seated.server.line.say(m.May(table="T1", acts=[{"do": "withdraw"}, {"do": "ask"}]))
    await idle()
    assert seated.screen[-1] == "   You may: withdraws · asks"


def test_a_long_list_of_acts_is_cut_short() -> None:
    """No prompt fills the screen."""
    plays = tuple(Play(card_named(name)) for name in ("SA", "SK", "SQ"))
    assert acts_text((*plays, Ask()), most=2) == "SA · SK · ... 2 more (/acts)"
    assert acts_text((Withdraw(), Answer(none=True))) == "withdraws · answers none"


def test_a_hand_has_one_number() -> None:
    """In a second rubber hand 20 of the table was "hand 6" when it was dealt and in the scene, and `record --hand` wanted 20."""
    assert TURN.state.hand is not None
    info = TableInfo(deal=FairDeal(20, "T/20", "00", ""))
    dealt = HandDealt(6, Seat.W, ((), (), (), ()), 13, Seat.N, Suit.H, None, None)
    told = Teller(Mirror("T", info=info)).lines(Happened("T", 900, 20, dealt, None, TURN.state))
    assert told == ["West has dealt hand 20."]
    assert deal_line(TURN.state, TURN.state.hand, info).startswith("Hand 20, ")
    claims = replace(TURN.state, phase=Phase.CLAIMS)
    assert deal_line(claims, TURN.state.hand, info).startswith("South dealt, "), (
        "the next deal may be published by then"
    )


def test_a_hand_is_shown_as_it_is_held() -> None:
    """Suits in order, highest first, a void as a dash."""
    hand = mask_of(card_named(name) for name in ("S2", "ST", "SA", "C9"))
    assert hand_text(hand) == "♠ AT2  ♥ -  ♦ -  ♣ 9"


ANNA = t.Sat(Seat.N, "i", "Anna")
SITTER = Sitter("i", "Anna")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ANNA, "Anna sits North."),
        (t.Sat(Seat.E, "", "Clay", "courteous"), "Clay (bot) sits East."),
        (t.WentAway(Seat.N, asked=False, absence_ms=60_000), "Anna (N) is away; a substitute sits in 60 s."),
        (t.Said("table", "Anna", "hello", Seat.N), "<Anna (N)> hello"),
        (t.Said("bystanders", "Clara", "hush"), "<Clara, bystanders> hush"),
        (t.Phrased(Seat.N, "well_played"), "<Anna (N)> well played"),
        (
            t.RubberBegan(2, "whist-1900", TableInfo().enforcement, Seat.W, reasonable_time=False),
            "Rubber 2 begins; West deals.",
        ),
        (t.DeclaredIn("c", "Clara", ("16",)), "Clara asks for a place in the next rubber. (law 16)"),
        (
            t.CardsCut("partners", ("i", "c"), ("Anna", "Clara"), (SA, SK), ("13",)),
            "They cut for partners and the deal: Anna the ace of spades, Clara the king of spades. (law 13)",
        ),
        (t.QueueFormed(("c", "gone"), ()), "Waiting for a place, in this order: Clara, somebody who has gone."),
        (t.QueueFormed((), ("17",)), "Nobody waits for a place. (law 17)"),
        (
            t.SeatsChanged((Seat.W, Seat.N, Seat.E, Seat.S), ()),
            "They sit as they have cut: Anna North, (empty) East, (empty) South, (empty) West.",
        ),
        (
            t.Proposed(1, "substitute", Seat.N, "c", "Clara", (Seat.E,), (), ("14",)),
            "Anna (N) proposes that Clara plays for him until the rubber ends; still to agree: East, Clara. (law 14)",
        ),
        (t.Consented(1, None), "The substitute is willing."),
        (t.ProposalClosed(1, agreed=False), "It is not agreed."),
        (t.SubstituteNamed(Seat.N, "c", ("R20",)), "Anna (N) plays for Clara until the rubber ends. (R20)"),
        (t.CountersOwed("c", "Clara", 2, ("R18",)), "Clara owes 2 counters more. (R18)"),
        (t.RefereeChosen("c", "Clara", ("R17",)), "Questions of fact are left to Clara. (R17)"),
        (t.DealCommitted(1, "T/1", "00", ""), None),
        (t.TableClosed("empty"), "The table is closed: empty."),
    ],
)
def test_what_happens_at_a_table_is_told_in_a_line(event: t.TableEvent, line: str | None) -> None:
    """Comings, goings and words are lines; the workings of the deal are not."""
    info = TableInfo(seats=(SITTER, None, None, None), bystanders=(Bystander("c", "Clara"),))
    assert told_event(event, info) == line


def test_no_event_is_passed_over_in_silence() -> None:
    """A table formed by cutting changed its seats and nobody was told: whatever a seat can be sent has a line or a reason."""
    assert set(_TABLE).isdisjoint(UNTOLD)
    assert set(_TABLE) | set(UNTOLD) >= set(get_args(t.TableEvent))
    assert set(UNTOLD) <= {*get_args(t.TableEvent), *get_args(Event)}


def test_who_waits_and_what_is_proposed_stand_in_the_scene() -> None:
    """Whoever comes to a table finds what he may have to answer."""
    mirror = Mirror("T", info=TableInfo(bystanders=(Bystander("c", "Clara"),), waiting=("c",)))
    mirror.info = info_after(mirror.info, t.Proposed(1, "referee", Seat.N, "c", "Clara", (Seat.E,), (), ()))
    assert scene(mirror)[1:3] == [
        "Waiting for a place, in this order: Clara.",
        "North proposes that questions of fact are left to Clara; still to agree: East.",
    ]


def test_a_table_before_its_rubber_is_shown() -> None:
    """An empty table says so."""
    assert scene(Mirror("T"))[-1] == "The rubber has not begun."
