"""Seats and the people around them: sitting, standing, watching, being away (R20, R33)."""

import random
from dataclasses import replace

import pytest

from oddtrick_protocol import messages as m
from oddtrick_rules.seats import Seat
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.person import Done
from support.tables import ANNA, BEN, CLARA, DEV, EVE, Seated, people, person

ABSENCE_S = 60
COMINGS: list[type[m.ClientMessage]] = [m.Sit, m.Stand, m.Leave, m.Watch]


def sitters(table: Seated) -> list[str | None]:
    return [None if one is None else one.name for one in table.table.book.info.seats]


def test_a_seat_is_taken_by_one() -> None:
    """A free seat is given to who asks first; the next is told that it is taken."""
    table = Seated()
    assert table.done(ANNA, m.Sit, seat="S").seat is Seat.S
    assert table.refused(BEN, m.Sit, seat="S") == "seat_taken"
    assert table.done(BEN, m.Sit).seat is Seat.N


def test_of_fifty_who_want_one_seat_one_gets_it() -> None:
    """B17: all who joined at once had the one free place; here, however many ask, one has it and all others are refused."""
    table = Seated()
    table.sit_all(ANNA, BEN, CLARA)
    replies = [table.ask(person(f"P{number}"), m.Sit) for number in range(50)]
    assert sum(isinstance(reply, Done) for reply in replies) == 1
    assert None not in sitters(table)


def test_an_identity_has_one_seat() -> None:
    """B18: one guest held several seats and kept others out; here a second seat at the same table is refused (R33)."""
    table = Seated()
    table.done(ANNA, m.Sit, seat="N")
    assert table.refused(ANNA, m.Sit, seat="S") == "already_seated"


def test_sitting_and_standing_never_seats_anybody_twice() -> None:
    """B19: sitting and leaving in haste seated one twice; here after a thousand such turns everybody has one place at most."""
    table, rng = Seated(), random.Random(1)
    for _ in range(1000):
        table.ask(rng.choice(people), rng.choice(COMINGS))
        info = table.table.book.info
        there = [one.identity for one in info.seats if one is not None] + [one.identity for one in info.bystanders]
        assert len(there) == len(set(there))


def in_a_hand() -> Seated:
    """Four people, and a hand just dealt."""
    table = Seated()
    table.play_on()
    assert table.table.book.hand_live
    return table


@pytest.mark.parametrize("crashes", [False, True])
def test_nobody_looks_into_two_hands_of_a_deal(*, crashes: bool) -> None:
    """Seats that others left stand open; but who has held one hand of a deal is shown no other, until the next is dealt (R20)."""
    table = in_a_hand()
    mine = table.table.book.seat_of(ANNA.identity)
    open_ones = [table.table.book.seat_of(one.identity) for one in (CLARA, DEV)]
    assert mine is not None
    for one in (CLARA, DEV):
        table.done(one, m.Leave)
    table.done(ANNA, m.Stand)
    if crashes:
        table.crash()
        for one in (ANNA, BEN):
            table.arrive(one)
    for seat in open_ones:
        assert seat is not None
        assert table.refused(ANNA, m.Sit, seat=seat.name) == "hand_known"
    assert table.done(EVE, m.Sit, seat=mine.name).seat is mine
    assert table.refused(ANNA, m.Sit, seat="any") == "hand_known"
    table.done(EVE, m.Stand)
    assert table.refused(EVE, m.Sit, seat=open_ones[0].name) == "hand_known"  # type: ignore[union-attr]
    assert table.done(ANNA, m.Sit, seat="any").seat is mine
    table.done(ANNA, m.Stand)
    for _ in range(1_000):
        if not table.table.book.hand_live:
            break
        table.wait(5.0)
    assert table.done(ANNA, m.Sit, seat=open_ones[1].name).seat is open_ones[1]  # type: ignore[union-attr]


def test_views_go_by_seat_and_never_by_name() -> None:
    """B21: people were told apart by name, and one saw hidden cards; here two of one name are two, and the second has a number."""
    table = Seated()
    table.done(ANNA, m.Sit)
    table.done(replace(BEN, name="Anna"), m.Sit)
    assert sitters(table)[:2] == ["Anna", "Anna 2"]
    assert table.table.book.seat_of(BEN.identity) is Seat.E


def test_a_private_table_wants_its_invite() -> None:
    """Who has no invite to a private table neither sits nor watches there; its creator and who has it do."""
    table = Seated(private=True)
    assert table.refused(BEN, m.Sit) == "invite_needed"
    assert table.refused(BEN, m.Sit, invite="let-me-on") == "invite_needed"
    assert table.refused(BEN, m.Watch) == "invite_needed"
    table.done(ANNA, m.Sit)
    table.done(BEN, m.Sit, invite="let-me-in")
    table.done(CLARA, m.Watch, invite="let-me-in")


@pytest.mark.parametrize(("watch", "code"), [("none", "no_watching"), ("invited", "invite_needed")])
def test_a_table_says_who_may_watch(watch: str, code: str) -> None:
    """A table that admits no bystanders, or only those invited, refuses the others."""
    table = Seated(watch=watch)
    assert table.refused(BEN, m.Watch) == code


def test_bystanders_are_named_to_the_table() -> None:
    """B32: players watched their own table under other names; here everybody at it sees by name who watches, and sees them go."""
    table = Seated()
    table.done(ANNA, m.Sit)
    table.done(EVE, m.Watch)
    assert [one.name for one in table.table.book.info.bystanders] == ["Eve"]
    last = table.table.book.streams.after(Seat.N, table.table.book.streams.head(Seat.N) - 1)
    assert last is not None
    assert last[0].event == {"t": "bystander_came", "identity": EVE.identity, "name": "Eve"}
    table.lose(EVE)
    assert not table.table.book.info.bystanders


def test_a_seat_may_not_watch_its_own_table() -> None:
    """One who sits cannot watch beside it."""
    table = Seated()
    table.done(ANNA, m.Sit)
    assert table.refused(ANNA, m.Watch) == "already_seated"


def test_there_is_a_bound_on_bystanders() -> None:
    """A table admits so many bystanders and refuses one more."""
    table = Seated(limits=replace(DEFAULT_LIMITS, bystanders_per_table_max=1))
    table.done(BEN, m.Watch)
    assert table.refused(CLARA, m.Watch) == "no_watching"


def test_a_seat_left_before_the_rubber_is_free() -> None:
    """Standing up before the rubber frees the seat, and makes a bystander of its owner where that is allowed."""
    table = Seated()
    table.done(ANNA, m.Sit)
    table.done(ANNA, m.Stand)
    assert sitters(table) == [None] * 4
    assert table.table.book.watches(ANNA.identity)
    closed = Seated(watch="none")
    closed.done(ANNA, m.Sit)
    closed.done(ANNA, m.Stand)
    assert not closed.table.book.info.bystanders


def test_a_seat_left_in_the_rubber_is_played_on_and_may_be_taken() -> None:
    """A bot plays the seat of one who leaves (R20), until somebody takes it, who plays from the next trick on."""
    table = Seated()
    table.play_on()
    table.done(BEN, m.Leave)
    seat = table.table.book.info.seats[Seat.E]
    assert seat is not None
    assert (seat.bot, seat.identity) == ("courteous", "")
    table.done(EVE, m.Sit)
    seat = table.table.book.info.seats[Seat.E]
    assert seat is not None
    assert (seat.name, seat.bot) == ("Eve", None)


def test_a_lost_line_is_shown_at_once_and_costs_nothing_for_a_while() -> None:
    """B12: a line lost for a moment counted as leaving; here he is shown as away for twenty seconds and back, no bot between."""
    table = Seated()
    table.play_on()
    table.lose(CLARA)
    seat = table.table.book.info.seats[Seat.S]
    assert seat is not None
    assert seat.away
    table.wait(20)
    table.arrive(CLARA)
    seat = table.table.book.info.seats[Seat.S]
    assert seat is not None
    assert (seat.away, seat.substitute) == (False, None)


def test_a_substitute_sits_when_absence_has_run_out() -> None:
    """B14: a bot came so late that the others left; here it sits when the limit of absence, shown to all, is over (R20; B07)."""
    table = Seated()
    table.play_on()
    table.lose(CLARA)
    assert table.table.book.places[Seat.S].absence.due == table.now + ABSENCE_S
    table.wait(ABSENCE_S - 0.1)
    assert table.table.book.info.seats[Seat.S].substitute is None  # type: ignore[union-attr]
    table.wait(0.1)
    assert table.table.book.info.seats[Seat.S].substitute == "courteous"  # type: ignore[union-attr]


def test_coming_back_does_not_refill_the_clock_of_absence() -> None:
    """Absence is counted together through a hand, so that it cannot be drawn out by coming back (R32)."""
    table = Seated()
    table.play_on()
    for _ in range(3):
        table.lose(CLARA)
        table.wait(25)
        table.arrive(CLARA)
        if table.table.book.info.seats[Seat.S].substitute is not None:  # type: ignore[union-attr]
            break
    assert table.table.book.info.seats[Seat.S].substitute is not None or table.table.book.hands > 1  # type: ignore[union-attr]
    assert table.table.book.places[Seat.S].absence.left_s(table.now) <= ABSENCE_S - 25


def test_another_ones_going_does_not_touch_my_clock() -> None:
    """B11: one side's lost line took time from the other side; here no seat's time changes by what another does (B10)."""
    table = Seated()
    table.play_on()
    table.lose(CLARA)
    due = table.table.book.places[Seat.S].absence.due
    table.wait(5)
    table.lose(BEN)
    table.wait(5)
    table.arrive(BEN)
    table.ask(DEV, m.Phrase, phrase="sorry")
    assert table.table.book.places[Seat.S].absence.due == due
    assert table.table.book.places[Seat.N].absence.due is None


def test_an_owner_gets_his_seat_back_between_tricks() -> None:
    """B16: nobody could say that he steps away; here a bot sits at once, and the seat is his again between tricks (R20)."""
    table = Seated()
    table.play_on()
    table.done(CLARA, m.Away)
    assert table.table.book.info.seats[Seat.S].substitute == "courteous"  # type: ignore[union-attr]
    while not (hand := table.state.hand) or not hand.tricks or len(hand.tricks[-1].plays) != 2:
        table.wait(1)
    table.done(CLARA, m.Back)
    assert table.table.book.info.seats[Seat.S].substitute == "courteous"  # type: ignore[union-attr]
    assert table.refused(CLARA, m.Act, act={"do": "place"}) == "substituted"
    for _ in range(200):
        table.wait(1)
        if table.table.book.info.seats[Seat.S].substitute is None:  # type: ignore[union-attr]
            break
    hand = table.state.hand
    assert table.table.book.info.seats[Seat.S].substitute is None  # type: ignore[union-attr]
    assert hand is not None
    assert not hand.tricks or not hand.tricks[-1].plays or hand.tricks[-1].stage.name == "QUITTED"


def test_a_line_that_is_up_does_not_bring_back_who_said_he_is_away() -> None:
    """One who stepped away is away until he says that he is back, whatever his line does (B16)."""
    table = Seated()
    table.play_on()
    table.done(CLARA, m.Away)
    table.lose(CLARA)
    table.arrive(CLARA)
    assert table.table.book.info.seats[Seat.S].away  # type: ignore[union-attr]
    table.done(CLARA, m.Back)
    assert not table.table.book.info.seats[Seat.S].away  # type: ignore[union-attr]


def test_an_absent_seat_before_the_rubber_becomes_free() -> None:
    """Before a rubber nobody waits longer than the limit of absence for who does not come back."""
    table = Seated()
    table.sit_all()
    table.lose(BEN)
    table.wait(ABSENCE_S)
    assert sitters(table)[Seat.E] is None


def test_a_table_that_nobody_is_at_stands_still() -> None:
    """B15: a table without people played itself on for ever; here its clocks stop after a grace, until the first is back."""
    table = Seated()
    table.play_on()
    for one in people:
        table.lose(one)
    table.wait(DEFAULT_LIMITS.freeze_s)
    assert table.is_frozen()
    assert table.table.due() is None
    entries = table.table.book.entries
    table.wait(10_000)
    assert table.table.book.entries == entries
    table.arrive(ANNA)
    assert not table.is_frozen()
    left = table.table.book.places[Seat.E].absence.left_s(table.now)
    assert left == pytest.approx(ABSENCE_S - DEFAULT_LIMITS.freeze_s)


def test_bots_and_bystanders_do_not_keep_a_table_alive() -> None:
    """B69: bots and watchers kept dead tables alive; here a table freezes with house bots and bystanders alone."""
    table = Seated(bots=3)
    table.done(ANNA, m.Sit)
    table.done(EVE, m.Watch)
    table.done(ANNA, m.Start)
    table.lose(ANNA)
    table.wait(DEFAULT_LIMITS.freeze_s)
    assert table.is_frozen()


def test_four_away_is_nobody_there() -> None:
    """Substitutes alone do not play on: when the last person steps away, the table freezes."""
    table = Seated()
    table.play_on()
    for one in people:
        table.done(one, m.Away)
    table.wait(DEFAULT_LIMITS.freeze_s)
    assert table.is_frozen()
