"""The clocks of the play (R32): what happens when a limit runs out, and that nobody can stretch one."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from oddtrick_protocol import messages as m
from oddtrick_protocol.messages import Clocks
from oddtrick_rules.awaits import AwaitKind
from oddtrick_rules.cards import cards_in
from oddtrick_rules.commands import Play, Quit
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Phase, Stage
from oddtrick_rules.turns import playable
from oddtrick_server.entries import Acted
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.person import Done, No
from support.tables import ANNA, Seated, person


def begun(**wish: Any) -> Seated:
    table = Seated(**wish)
    table.play_on()
    return table


def turn(table: Seated) -> Seat:
    wait = table.table.book.waits.of_kind(AwaitKind.TURN)
    assert wait is not None
    return wait.seats[0]


def play(table: Seated) -> Seat:
    """Let whoever is to play put his lowest lawful card."""
    seat = turn(table)
    reply = table.act(seat, Play(cards_in(playable(table.state, seat))[0]))
    assert isinstance(reply, Done), reply
    return seat


def trick(table: Seated) -> None:
    for _ in range(4):
        play(table)


def tricks(table: Seated) -> Any:
    hand = table.state.hand
    assert hand is not None
    return hand.tricks


def test_when_the_turn_clock_runs_out_a_card_is_played_once() -> None:
    """B08: who would not choose froze the game; here at the limit a card is played for him, once, and marked so."""
    table = begun()
    seat = turn(table)
    table.wait(45 - 0.01)
    assert not tricks(table)
    table.wait(0.01)
    assert len(tricks(table)[0].plays) == 1
    items = table.table.book.streams.after(seat, table.table.book.streams.head(seat) - 1)
    assert items is not None
    assert (items[0].event["t"], items[0].by) == ("card_played", "clock")
    assert turn(table) is not seat


def test_a_trick_is_quitted_when_it_has_lain_for_the_linger() -> None:
    """The clock quits a complete trick for the winner after the table's linger (R1)."""
    table = begun()
    trick(table)
    table.wait(2.99)
    assert tricks(table)[0].stage is Stage.COMPLETE
    table.wait(0.01)
    assert tricks(table)[0].stage is Stage.QUITTED


def test_nobody_may_quit_before_the_trick_has_lain_a_moment() -> None:
    """B79: a trick was swept away before its last card was seen; here it lies `linger_min` after the last act (R1)."""
    table = begun()
    trick(table)
    winner = tricks(table)[0].winner
    table.wait(0.9)
    reply = table.act(winner, Quit())
    assert isinstance(reply, No)
    assert (reply.code, reply.cites, reply.retry_after_ms) == ("not_now", ("R1",), 100)
    table.wait(0.1)
    assert isinstance(table.act(winner, Quit()), Done)


def test_a_linger_switched_off_leaves_the_quitting_to_the_players() -> None:
    """Without a linger clock a complete trick lies until one of its winners quits it."""
    table = begun(clocks=Clocks(linger_ms=0, turn_ms=0))
    trick(table)
    table.wait(500)
    assert tricks(table)[0].stage is Stage.COMPLETE
    assert isinstance(table.act(tricks(table)[0].winner, Quit()), Done)


def test_a_limit_switched_off_never_runs_out() -> None:
    """With the turn clock off a player may think for ever."""
    table = begun(clocks=Clocks(turn_ms=0))
    table.wait(100_000)
    assert not tricks(table)


def test_coming_back_does_not_refill_the_turn() -> None:
    """A player's turn runs on through his absence, and coming back adds nothing to it (B10, R32)."""
    table = begun()
    seat = turn(table)
    due = table.table.book.waits.of(seat).countdown.due  # type: ignore[union-attr]
    for _ in range(4):
        table.lose(table.at(seat))
        table.wait(2)
        table.arrive(table.at(seat))
    assert table.table.book.waits.of(seat).countdown.due == due  # type: ignore[union-attr]


def test_what_others_do_does_not_touch_the_turn() -> None:
    """B10: another's going refilled a player's clock; here nothing another seat does adds to it or replaces his prompt."""
    table = begun()
    seat = turn(table)
    wait = table.table.book.waits.of(seat)
    assert wait is not None
    assert wait.countdown is not None
    due = wait.countdown.due
    table.wait(3)
    other = table.at(SEATS[(seat + 1) % 4])
    for kind, fields in ((m.Phrase, {"phrase": "sorry"}), (m.Pause, {}), (m.Unpause, {}), (m.Away, {}), (m.Back, {})):
        table.done(other, kind, **fields)
    table.lose(other)
    table.arrive(other)
    table.done(person("Eve"), m.Watch)
    assert table.table.book.waits.of(seat) is wait
    assert wait.countdown.due == due


def test_time_for_claims_runs_out_and_the_cards_are_cut() -> None:
    """When nobody is ready, the cards are cut at the limit and dealt no sooner than two seconds later (R13)."""
    table = begun(clocks=Clocks(linger_ms=1_000, turn_ms=10_000))
    while table.phase() is Phase.PLAYING:
        table.wait(1)
    claimed = table.now
    while table.phase() is Phase.CLAIMS:
        table.wait(0.5)
    assert table.now - claimed <= 20.5
    cut = table.now
    while table.phase() is Phase.TO_DEAL:
        table.wait(0.1)
    assert table.now - cut >= DEFAULT_LIMITS.cut_to_deal_s - 0.5
    assert table.table.book.hands == 2


def test_a_whole_rubber_is_played_by_clocks_alone() -> None:
    """Four silent people's rubber ends: every prompt and every phase has its end (B07)."""
    table = begun(clocks=Clocks(linger_ms=1_000, turn_ms=10_000, claims_ms=5_000))
    for _ in range(5_000):
        if table.phase() is Phase.OVER:
            break
        table.wait(30)
    assert table.phase() is Phase.OVER
    assert len(table.finished) == table.table.book.hands


def test_house_bots_let_the_linger_run_and_take_as_long_for_any_card() -> None:
    """A bot plays a fixed time after its turn comes or its own question, whatever it holds, and never onto a trick that lies."""
    table = Seated(bots=3)
    table.done(ANNA, m.Sit)
    table.done(ANNA, m.Start)
    while table.table.book.hands < 2:
        wait = table.table.book.waits.of_kind(AwaitKind.TURN)
        lies = table.table.book.waits.of_kind(AwaitKind.LINGER) is not None
        if wait is not None and not lies and wait.seats[0] is Seat.N:
            play(table)
        else:
            table.wait(0.25)
    ready = dict.fromkeys(SEATS, 0.0)  # since when a seat may have been about to play
    played = 0
    for at, actor, kinds in acts(table):
        if "card_played" in kinds and actor not in {"N", "clock"}:
            assert "trick_quitted" not in kinds
            assert at - ready[Seat[actor]] == DEFAULT_LIMITS.bot_think_s
            played += 1
        if actor in Seat.__members__:
            ready[Seat[actor]] = at
        if {"card_played", "trick_quitted", "hand_dealt"} & set(kinds):
            ready = dict.fromkeys(SEATS, at)
    assert played > 30


def acts(table: Seated) -> Iterator[tuple[float, str, list[str]]]:
    """Every act at law from the log: when, whose, and the kinds of its events."""
    for entry in table.entries():
        for step in entry.steps:
            if isinstance(step, Acted):
                yield entry.at, step.actor, [event["t"] for event in step.events]


def test_a_refused_act_leaves_clocks_and_numbers_alone() -> None:
    """B61: a refused move still advanced the game's number; here a refusal changes no event number, no state and no clock."""
    table = begun()
    seat = turn(table)
    other = SEATS[(seat + 2) % 4]
    wait = table.table.book.waits.of(seat)
    assert wait is not None
    table.refused(table.at(other), m.Act, act={"do": "answer", "none": True})
    table.refused(table.at(seat), m.Act, act={"do": "quit"})
    table.refused(table.at(seat), m.Act, act={"do": "fly"}, prompt=wait.id)
    table.refused(table.at(seat), m.Act, act={"do": "play", "card": "XX"}, prompt=wait.id)


def test_a_superseded_prompt_is_not_answered() -> None:
    """An answer to a prompt that stands no longer is refused, and a card in turn must name its prompt (B47)."""
    table = begun()
    seat = turn(table)
    old = table.table.book.waits.of(seat)
    assert old is not None
    card = cards_in(playable(table.state, seat))[0]
    reply = table.act(seat, Play(card), prompt=None)
    assert isinstance(reply, No)
    assert reply.code == "prompt_needed"
    play(table)
    other = turn(table)
    for prompt, code in ((old.id, "superseded"), ("p0", "superseded")):
        reply = table.act(other, Play(cards_in(playable(table.state, other))[0]), prompt=prompt)
        assert isinstance(reply, No)
        assert reply.code == code


def test_one_seat_may_not_charge_without_end() -> None:
    """B48: offers to take back were made again and again to annoy; here charges of revoke are bounded per hand and seat."""
    table = Seated(enforcement="club", limits=replace(DEFAULT_LIMITS, claims_per_hand_max=3))
    table.play_on()
    codes = []
    for number in range(1, 6):
        if number <= 4:
            trick(table)
            table.wait(3)
        reply = table.ask(ANNA, m.Act, act={"do": "claim_revoke", "seat": "E", "trick": min(number, 4)})
        codes.append(reply.code if isinstance(reply, No) else "done")
    assert codes[:4] == ["done"] * 3 + ["rate"]


def test_every_card_has_the_whole_limit() -> None:
    """One who took long over a card has his whole time again for the next, the lead to the next trick included."""
    table = begun()
    for _ in range(8):
        seat = turn(table)
        wait = table.table.book.waits.of(seat)
        assert wait is not None
        assert wait.countdown is not None
        assert wait.countdown.left_s(table.now) >= 45 - 3
        table.wait(40)
        play(table)
        table.wait(3)
