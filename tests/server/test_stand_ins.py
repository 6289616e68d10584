"""The server's own bots: house bots and substitutes that fail do not hold a table up."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from oddtrick_protocol import messages as m
from oddtrick_rules.awaits import AwaitKind
from oddtrick_rules.cards import cards_in
from oddtrick_rules.commands import Play
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Stage
from oddtrick_rules.turns import playable
from oddtrick_sdk.bots import honest
from oddtrick_sdk.bots.brain import Moment
from oddtrick_sdk.bots.courteous import CourteousBrain
from support.tables import ANNA, Seated

CODES = ("english-1864", "whist-1900", "bridge-1904")
ABSENCE_MS = 10_000


def failing(monkeypatch: pytest.MonkeyPatch, *, share: float) -> None:
    """Let every courteous bot raise at so many of its moments, naming a card as an error well might."""
    chance, act = Random(share), CourteousBrain.act

    def fail(self: CourteousBrain, moment: Moment) -> Any:
        if chance.random() < share:
            raise KeyError(f"no trick for {moment.hand.hands[moment.seat]}" if moment.view.hand else "no hand")
        return act(self, moment)

    monkeypatch.setattr(CourteousBrain, "act", fail)


def among_bots(number: int) -> Seated:
    """A table of house bots at which Anna sits, its first hand dealt."""
    clocks = m.Clocks(absence_ms=ABSENCE_MS)
    table = Seated(chance=number, code=CODES[number % len(CODES)], bots=3, clocks=clocks)
    table.done(ANNA, m.Sit)
    table.done(ANNA, m.Start)
    table.deal()
    return table


def play_out(table: Seated, *, away_after: int) -> bool:
    """Play the hand to its end; after so many cards of hers Anna is gone, and comes back when a bot has her seat. Whether one had."""
    mine = table.table.book.seat_of(ANNA.identity)
    assert mine is not None
    played, was_away = 0, False
    for _ in range(2_000):
        if table.finished:
            assert table.table.book.acts_for_itself(mine) or not was_away
            return was_away
        sitter = table.table.book.info.seats[mine]
        assert sitter is not None
        if sitter.substitute is not None:
            was_away = True
            table.arrive(ANNA)
        elif played == away_after:
            table.lose(ANNA)
            played += 1
        elif played < away_after and turn_of(table) is mine:
            cards = cards_in(playable(table.state, mine))
            table.act(mine, Play(cards[0]))
            played += 1
        table.wait(1.0)
    raise AssertionError("the hand has not ended")


def turn_of(table: Seated) -> Seat | None:
    hand, wait = table.state.hand, table.table.book.waits.of_kind(AwaitKind.TURN)
    lies = hand is not None and bool(hand.tricks) and hand.tricks[-1].stage is Stage.COMPLETE
    return None if wait is None or lies else wait.seats[0]


@pytest.mark.parametrize("share", [0.2, 1.0])
def test_a_bot_of_the_server_that_raises_plays_its_lowest_lawful_card(
    share: float, size: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """House bots and substitutes raise at random moments of many deals: each deal finishes, and its player comes back (B74)."""
    failing(monkeypatch, share=share)
    chance, away = Random(share), 0
    for number in range(size(30, 250)):
        table = among_bots(number)
        away += play_out(table, away_after=chance.randrange(14))
        (record,) = table.finished
        assert len(cards_of(record)) == 52
        faults = table.table.faults
        assert all("raised KeyError in test_stand_ins.py" in fault and "no trick" not in fault for fault in faults)
        told = Counter(fault.split(" raised")[0] for fault in faults)
        assert set(told.values()) <= {1}, "a bot's fault is told once a hand"
        assert len(told) >= 3 or share < 1
    assert away > 0


def cards_of(record: Any) -> list[Any]:
    return [event["card"] for line in record.acts for event in line.events if event["t"] == "card_played"]


def test_what_an_honest_player_would_answer_can_fail_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """If even the plain answer raises, the clock goes on with the table."""

    def fail(moment: Moment) -> Any:
        raise IndexError(moment.kind)

    failing(monkeypatch, share=1.0)
    monkeypatch.setitem(honest.ANSWERS, "claims", fail)
    table = among_bots(0)
    play_out(table, away_after=13)
    assert len(table.table.faults) == 3
