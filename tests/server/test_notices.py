"""What is put to the people at a table: prompts, other acts, clocks."""

import random

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.facts import command_to_wire
from oddtrick_rules.legal import dynamic, legal
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_server import notices
from support.tables import ANNA, Seated, people

TABLES = 6
ACTS = 120


@pytest.mark.parametrize("enforcement", ["strict", "guided", "club"])
def test_the_short_cut_lists_what_the_laws_list(enforcement: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every position where the short cut is taken it says just what asking the laws for each act would."""
    rng = random.Random(f"{seed}/{enforcement}")
    taken = 0
    for chance in range(TABLES):
        table = Seated(chance=(seed, chance), enforcement=enforcement)
        table.play_on()
        for _ in range(ACTS):
            taken += sum(_agree(table, seat, monkeypatch) for seat in SEATS)
            _something_happens(table, rng)
    assert taken > TABLES


def _agree(table: Seated, seat: Seat, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the short cut was taken; if it was, the long way must lead to the same."""
    hand = table.state.hand
    if hand is None or not notices.only_cards(table.state, hand, seat):
        return False
    short = notices.asked_of(table.table, seat)
    with monkeypatch.context() as patch:
        patch.setattr(notices, "only_cards", lambda *_: False)
        long = notices.asked_of(table.table, seat)
    assert (short.acts, short.may, short.playable) == (long.acts, long.may, long.playable)
    return True


def _something_happens(table: Seated, rng: random.Random) -> None:
    seat = rng.choice(SEATS)
    acts = legal(table.state, seat) if rng.random() < 0.1 else dynamic(table.state, seat)
    wait = table.table.book.waits.of(seat)
    if acts and rng.random() < 0.8:
        prompt = None if wait is None else wait.id
        table.ask(table.at(seat), m.Act, act=command_to_wire(rng.choice(acts)), prompt=prompt)
    else:
        table.wait(1)


def test_a_prompt_tells_what_may_be_played_and_how_long() -> None:
    """The seat to play is told the cards it holds, those that keep every law, and what is left of its time; nobody else is."""
    table = Seated()
    table.play_on()
    table.wait(5)
    wait = next(iter(table.table.book.waits))
    for seat in SEATS:
        asked = notices.asked_of(table.table, seat)
        prompt = notices.prompt_of(table.table, asked, table.now)
        if seat in wait.seats:
            assert (prompt.kind, len(prompt.acts), len(prompt.playable)) == ("turn", 13, 13)
            assert (prompt.deadline_ms, prompt.limit_ms, prompt.prompt) == (40_000, 45_000, wait.id)
        else:
            assert (prompt.kind, prompt.acts, prompt.playable) == ("none", [], [])


def test_a_seat_played_by_a_bot_is_asked_nothing() -> None:
    """The owner of a seat that a substitute plays, and everybody in a pause, has nothing to answer."""
    table = Seated()
    table.play_on()
    seat = next(iter(table.table.book.waits)).seats[0]
    table.done(table.at(seat), m.Away)
    assert notices.asked_of(table.table, seat).wait is None
    table.done(table.at(seat), m.Back)
    for one in people:
        table.done(one, m.Pause)
    assert notices.asked_of(table.table, seat).wait is None


def test_everybody_sees_the_clocks_that_run() -> None:
    """The limits that run are listed with their seats: a turn, an absence, the deal, a pause (R32)."""
    table = Seated()
    table.sit_all()
    table.done(ANNA, m.Start)
    assert kinds(table) == ["deal"]
    table.deal()
    assert kinds(table) == ["turn"]
    table.lose(people[2])
    clocks = notices.waiting_of(table.table, notices.running_clocks(table.table), table.now).clocks
    assert [(clock.kind, clock.seats, clock.deadline_ms) for clock in clocks][1:] == [("absence", ["S"], 60_000)]
    for one in people:
        table.ask(one, m.Pause)
    assert kinds(table) == ["pause"]


def kinds(table: Seated) -> list[str]:
    return [kind for kind, _, _ in notices.running_clocks(table.table)]
