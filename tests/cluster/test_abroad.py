"""A table's relations with other servers, without any of them."""

from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.closing import Close, Refuse
from oddtrick_server.clock import VirtualClock
from oddtrick_server.cluster.abroad import SURE_SHARE, Abroad
from oddtrick_server.cluster.letters import Ask, Follow, Guest, Letter, News, Replaced, lines_digest, raw_message
from oddtrick_server.person import DONE, no

LEASE_S = 5.0
ANN = Guest(7, "ann", "Ann")


@dataclass
class Sent:
    """A post that keeps what is put into it."""

    letters: list[tuple[str, Letter]] = field(default_factory=list)

    def put(self, server: str, letter: Letter) -> None:
        self.letters.append((server, letter))


@dataclass
class Asked:
    """An actor that notes what it is asked."""

    asks: list[tuple[Any, m.ClientMessage]] = field(default_factory=list)
    woken: int = 0
    stalled: list[float] = field(default_factory=list)
    came: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def here(self, line: Any) -> None:
        self.came.append(line.person.name)

    def gone(self, line: Any) -> None:
        self.left.append(line.person.name)

    def stalled_for(self, seconds: float) -> None:
        self.stalled.append(seconds)

    def ask(self, line: Any, message: m.ClientMessage) -> None:
        self.asks.append((line, message))

    def wake(self) -> None:
        self.woken += 1


@pytest.fixture
async def table() -> Abroad:
    clock = VirtualClock()
    sure_until = clock.now() + SURE_SHARE * LEASE_S
    abroad = Abroad("t", fence=3, sure_until=sure_until, name="me", post=Sent(), clock=clock)  # type: ignore[arg-type]
    abroad.begin(Asked(), 10)  # type: ignore[arg-type]
    return abroad


def sent(table: Abroad) -> list[tuple[str, Letter]]:
    table._flush()
    letters: list[tuple[str, Letter]] = table._post.letters  # type: ignore[attr-defined]
    return letters


def asked(table: Abroad) -> Asked:
    actor: Any = table.actor
    assert isinstance(actor, Asked)
    return actor


def test_an_owner_is_unsure_before_its_lease_can_have_run_out(table: Abroad) -> None:
    """It decides for three fifths of the lease since it asked for it, and not after, however the lease stands in the store."""
    clock = table._clock
    assert isinstance(clock, VirtualClock)
    clock.move(SURE_SHARE * LEASE_S - 0.01)
    assert table.is_sure()
    clock.move(0.02)
    assert not table.is_sure()
    table.sure_until = clock.now() + 1.0
    assert table.is_sure()


def test_what_nobody_could_use_counts_for_no_clock(table: Abroad) -> None:
    """A lease renewed in time costs nobody anything; after one that ran out the table is told how long nothing was decided."""
    clock = table._clock
    assert isinstance(clock, VirtualClock)
    clock.move(1.0)
    table.renewed(clock.now(), SURE_SHARE * LEASE_S)
    assert asked(table).stalled == []
    clock.move(12.0)
    table.renewed(clock.now(), SURE_SHARE * LEASE_S)
    assert asked(table).stalled == [pytest.approx(12.0)]
    assert table.is_sure()


def test_a_table_that_is_lost_is_never_sure_again(table: Abroad) -> None:
    """Whoever is told that the table has another owner decides nothing more, and the table's task learns of it at once."""
    table.lose()
    assert not table.is_sure()
    assert asked(table).woken == 1


async def test_a_round_is_one_letter_to_each_server(table: Abroad) -> None:
    """Entries go to every server that follows, once; with them, to each, the answers for its own lines."""
    table.followers = {"one": 0, "two": 0}
    table.ask(Ask("one", "t", ANN, raw_message(m.Stand(id="x", table="t"))))
    line, _ = asked(table).asks[0]
    table.kept(11, [b"a", b"b"])
    table.kept(13, [b"c"])
    line.connection.push(line.answer("x", DONE, "t"))
    letters = dict(sent(table))
    assert len(sent(table)) == 2
    for server, answers in (("one", ["x"]), ("two", [])):
        news = letters[server]
        assert isinstance(news, News)
        assert (news.first, news.entries, news.fence) == (11, [b"a", b"b", b"c"], 3)
        assert [answer.id for answer in news.answers] == answers
    assert table.head.seq == 13


async def test_a_question_that_comes_twice_is_asked_once(table: Abroad) -> None:
    """While it is worked out it is not asked again; once it was answered it is answered again in the same words."""
    ask = Ask("one", "t", ANN, raw_message(m.Stand(id="x", table="t")))
    table.ask(ask)
    table.ask(ask)
    assert len(asked(table).asks) == 1
    line, _ = asked(table).asks[0]
    line.connection.push(line.answer("x", no(Refuse.NOT_SEATED), "t"))
    table.ask(ask)
    assert len(asked(table).asks) == 1
    ((_, news),) = sent(table)
    assert isinstance(news, News)
    assert [answer.code for answer in news.answers] == ["not_seated", "not_seated"]


async def test_a_question_refused_for_want_of_time_may_be_asked_again(table: Abroad) -> None:
    """An answer that says no more than `not now` is not remembered; while the table is handed over it is not even given."""
    ask = Ask("one", "t", ANN, raw_message(m.Stand(id="x", table="t")))
    table.ask(ask)
    line, _ = asked(table).asks[0]
    line.connection.push(line.answer("x", no(Refuse.BUSY), "t"))
    table.ask(ask)
    assert len(asked(table).asks) == 2
    assert len(sent(table)) == 1
    table.is_closing = True
    line.connection.push(line.answer("x", no(Refuse.BUSY), "t"))
    assert len(sent(table)) == 1


async def test_only_a_replaced_line_is_closed_from_here(table: Abroad) -> None:
    """A line of another server is closed when a newer one has taken its place, and for nothing else."""
    table.ask(Ask("one", "t", ANN, raw_message(m.Stand(id="x", table="t"))))
    line, _ = asked(table).asks[0]
    line.connection.drop(Close.RESTART)
    assert sent(table) == []
    line.connection.drop(Close.REPLACED)
    assert sent(table) == [("one", Replaced("me", "t", 7))]


async def test_a_lost_letter_about_lines_is_asked_for(table: Abroad) -> None:
    """A server that has other lines than its owner knows of, twice, tells again; what it tells then is what the owner knows."""
    shown, asking = Guest(7, "ann", "Ann", shown=True), Guest(8, "ben", "Ben")
    table.follow(Follow("one", "t", [shown, asking]))
    assert asked(table).came == ["Ann"]
    assert table.heard("one", lines_digest([7, 8]))
    for _ in range(2):
        assert table.heard("one", lines_digest([8])), "it may be under way"
        assert table.heard("one", lines_digest([7, 8])), "it was"
    assert table.heard("one", lines_digest([8]))
    assert not table.heard("one", lines_digest([8, 9]))
    table.follow(Follow("one", "t", [asking, Guest(9, "cyd", "Cyd")]))
    assert asked(table).left == ["Ann"]
    for _ in range(3):
        assert table.heard("one", lines_digest([8, 9]))


async def test_a_line_that_is_closed_stays_closed(table: Abroad) -> None:
    """Letters about a closed line that come late or twice bring nobody back; what it asked is answered all the same."""
    shown = Guest(7, "ann", "Ann", shown=True)
    ask = Ask("one", "t", shown, raw_message(m.Resume(id="x", table="t", seq=3)))
    table.follow(Follow("one", "t", [shown]))
    table.ask(ask)
    assert not asked(table).asks[0][0].is_closed
    table.gone("one", 7)
    assert asked(table).asks[0][0].is_closed
    table.ask(ask)
    assert [line.is_closed for line, _ in asked(table).asks] == [True, True]
    table.follow(Follow("one", "t", [shown]))
    assert asked(table).came == ["Ann"]
    table.ask(Ask("one", "t", Guest(8, "ann", "Ann", closed=True), ask.message))
    assert asked(table).asks[-1][0].is_closed


async def test_a_replaced_line_stays_closed(table: Abroad) -> None:
    """What was on its way when a newer line took its place does not take that place back."""
    ask = Ask("one", "t", ANN, raw_message(m.Resume(id="x", table="t", seq=3)))
    table.ask(ask)
    asked(table).asks[0][0].connection.drop(Close.REPLACED)
    table.ask(ask)
    assert asked(table).asks[-1][0].is_closed


async def test_who_was_only_silent_comes_back(table: Abroad) -> None:
    """A server that is silent for too long has no people at the table; when it is heard of again they are there."""
    shown = Guest(7, "ann", "Ann", shown=True)
    table.follow(Follow("one", "t", [shown]))
    table.unfollow("one")
    assert asked(table).left == ["Ann"]
    table.follow(Follow("one", "t", [shown]))
    assert asked(table).came == ["Ann", "Ann"]


@pytest.mark.parametrize(
    "newer", [{"t": "wave", "id": "x", "table": "t"}, {"t": "phrase", "id": "x", "table": "t", "phrase": 7}]
)
async def test_what_only_a_newer_build_knows_is_refused(table: Abroad, newer: dict[str, object]) -> None:
    """A message that another server let in and this one cannot read is answered, and once."""
    table.ask(Ask("one", "t", ANN, msgspec.Raw(msgspec.msgpack.encode(newer))))
    ((_, news),) = sent(table)
    assert isinstance(news, News)
    assert [(answer.id, answer.code) for answer in news.answers] == [("x", "malformed_message")]
    assert asked(table).asks == []


async def test_who_does_not_tell_his_lines_is_not_asked(table: Abroad) -> None:
    """A server of an older build follows as ever."""
    table.follow(Follow("one", "t", [ANN]))
    assert all(table.heard("one") for _ in range(5))
    assert not table.heard("two")
    assert not table.heard("two", lines_digest([]))
