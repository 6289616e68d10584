"""What happened at others' tables when somebody went away."""

import pytest

from oddtrick_protocol import messages as m
from oddtrick_rules.awaits import AwaitKind
from oddtrick_rules.cards import SUIT_MASK, cards_in
from oddtrick_rules.commands import Play, Withdraw
from oddtrick_rules.seats import ADVERSARIES, SEATS, Seat
from oddtrick_rules.state import Phase, Stage
from oddtrick_rules.turns import led_suit, playable
from oddtrick_server.person import Done
from support.tables import ANNA, BEN, Seated

ABSENCE_MS = 10_000


def begun(*, chance: object = 1) -> Seated:
    table = Seated(chance=chance, clocks=m.Clocks(absence_ms=ABSENCE_MS, turn_ms=600_000))
    table.play_on()
    return table


def turn(table: Seated) -> Seat | None:
    wait = table.table.book.waits.of_kind(AwaitKind.TURN)
    return None if wait is None else wait.seats[0]


def play_until(table: Seated, cards: int) -> None:
    """Play lawfully until so many cards of the hand are played."""
    while sum(len(trick.plays) for trick in _tricks(table)) < cards:
        seat = turn(table)
        if seat is None or (_tricks(table) and _tricks(table)[-1].stage is Stage.COMPLETE):
            table.wait(1.0)
            continue
        assert isinstance(table.act(seat, Play(cards_in(playable(table.state, seat))[0])), Done)


def _tricks(table: Seated) -> tuple:  # type: ignore[type-arg]
    hand = table.state.hand
    return () if hand is None else hand.tricks


def finish(table: Seated) -> None:
    """Let time pass, the others playing their cards, until the hand is over."""
    for _ in range(400):
        if table.phase() is not Phase.PLAYING:
            return
        seat = turn(table)
        sitter = None if seat is None else table.table.book.info.seats[seat]
        if seat is not None and sitter is not None and not sitter.away and sitter.substitute is None:
            table.act(seat, Play(cards_in(playable(table.state, seat))[0]))
        table.wait(3.0)
    raise AssertionError("the hand did not end")


def can_revoke(table: Seated) -> bool:
    seat, tricks = turn(table), _tricks(table)
    if seat is None or not tricks or not tricks[-1].plays or tricks[-1].stage is not Stage.OPEN:
        return False
    hand = table.state.hand
    assert hand is not None
    suit = SUIT_MASK[led_suit(tricks[-1])]
    return bool(hand.hands[seat] & suit and hand.hands[seat] & ~suit)


def revoke_taken_back(table: Seated) -> Seat:
    """Bring about a revoke that its player takes back, so that his adversaries owe a decision; his seat."""
    while not can_revoke(table):
        play_until(table, sum(len(trick.plays) for trick in _tricks(table)) + 1)
    seat = turn(table)
    hand = table.state.hand
    assert seat is not None
    assert hand is not None
    wrong = hand.hands[seat] & ~SUIT_MASK[led_suit(hand.tricks[-1])]
    assert isinstance(table.act(seat, Play(cards_in(wrong)[0])), Done)
    assert isinstance(table.act(seat, Withdraw(), prompt=None), Done)
    return seat


@pytest.mark.parametrize("who", ["the one to lead", "the dealer", "both who owe a decision"])
def test_b07_a_deal_goes_on_without_whoever_closed_his_browser(who: str) -> None:
    """B07: somebody closed the browser and everybody else was stuck; here the deal ends, whoever it was."""
    table = begun()
    if who == "the one to lead":
        seat = turn(table)
        assert seat is not None
        gone = [seat]
    elif who == "the dealer":
        gone = [table.state.dealer]
    else:
        gone = list(ADVERSARIES[revoke_taken_back(table)])
    for seat in gone:
        table.lose(table.at(seat))
    finish(table)
    assert table.phase() is not Phase.PLAYING


def test_b13_the_wait_for_an_absent_player_is_what_the_host_set() -> None:
    """B13: who was losing closed the tab and made the others wait for minutes; here the wait is the table's own, or the host ends it."""
    table = begun()
    table.lose(BEN)
    table.wait(ABSENCE_MS / 1000 - 0.1)
    sitter = table.table.book.info.seats[Seat.E]
    assert sitter is not None
    assert sitter.substitute is None
    table.wait(0.2)
    sitter = table.table.book.info.seats[Seat.E]
    assert sitter is not None
    assert sitter.substitute is not None
    other = begun()
    other.lose(BEN)
    other.done(ANNA, m.Kick, who="E")
    sitter = other.table.book.info.seats[Seat.E]
    assert sitter is not None
    assert sitter.bot is not None


@pytest.mark.parametrize("cards", [51, 52])
def test_b57_leaving_before_the_end_changes_no_result(cards: int) -> None:
    """B57: opponents left just before the end so that the loss was not recorded; here the hand is kept with all four names."""
    table = begun()
    names = [sitter.name for sitter in table.table.book.info.seats if sitter is not None]
    play_until(table, cards)
    for seat in (Seat.E, Seat.W):
        table.lose(table.at(seat))
    for _ in range(400):
        table.wait(5.0)
        if table.finished:
            break
    record = table.finished[0]
    assert [player.name for player in record.players if player is not None] == names
    assert sum(record.tricks) == 13
    assert not record.abandoned
    assert len(SEATS) == len(record.identities)
