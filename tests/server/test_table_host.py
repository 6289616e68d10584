"""The host, and what the seats decide together."""

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.messages import Clocks
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Phase
from support.tables import ANNA, BEN, CLARA, DEV, EVE, Seated, people


def host(table: Seated) -> str:
    return table.table.book.info.host


def paused(table: Seated) -> bool:
    return table.table.book.info.paused


def test_the_host_is_who_opened_the_table() -> None:
    """Whoever opens a table may begin the rubber, and nobody else."""
    table = Seated()
    table.sit_all()
    assert host(table) == ANNA.identity
    assert table.refused(BEN, m.Start) == "not_host"
    table.done(ANNA, m.Start)
    assert table.table.book.in_play


def test_the_host_moves_when_he_leaves() -> None:
    """B23: the table vanished with its owner; here, when the host goes, somebody who is there is host, and nobody is unseated."""
    table = Seated()
    table.play_on()
    table.done(ANNA, m.Leave)
    assert host(table) == BEN.identity
    assert [one is not None for one in table.table.book.info.seats] == [True] * 4


def test_a_host_who_is_briefly_away_stays_host() -> None:
    """A lost line does not cost the host his powers; a substitute in his seat does (B23)."""
    table = Seated()
    table.play_on()
    table.lose(ANNA)
    assert host(table) == ANNA.identity
    table.wait(60)
    assert host(table) == BEN.identity


def test_a_host_who_never_sat_hands_over_when_he_goes() -> None:
    """The host who opened a table for others is host while he is connected; then a seat is."""
    table = Seated()
    table.sit_all(BEN, CLARA)
    assert host(table) == ANNA.identity
    table.lose(ANNA)
    assert host(table) == BEN.identity


def test_a_table_without_people_has_no_host() -> None:
    """When everybody has left there is no host, and the next to sit is."""
    table = Seated()
    table.lose(ANNA)
    assert not host(table)
    table.done(DEV, m.Sit)
    assert host(table) == DEV.identity


def test_who_is_sent_away_does_not_come_back() -> None:
    """B38: who was removed came back unseen and read on; here he gives up his seat, and neither sits nor watches there again."""
    table = Seated()
    table.sit_all()
    assert table.refused(BEN, m.Kick, who="S") == "not_host"
    table.done(ANNA, m.Kick, who="E")
    assert table.table.book.info.seats[Seat.E] is None
    assert table.refused(BEN, m.Sit) == "forbidden"
    assert table.refused(BEN, m.Watch) == "forbidden"


def test_a_bystander_can_be_sent_away_by_identity() -> None:
    """A bystander sent away is gone and stays out."""
    table = Seated()
    table.done(EVE, m.Watch)
    table.done(ANNA, m.Kick, who=EVE.identity)
    assert not table.table.book.info.bystanders
    assert table.refused(EVE, m.Watch) == "forbidden"


@pytest.mark.parametrize(
    ("who", "code"), [(ANNA.identity, "forbidden"), ("nobody", "no_such_person"), ("W", "no_such_person")]
)
def test_whom_a_host_cannot_send_away(who: str, code: str) -> None:
    """The host cannot send himself away, nor somebody who is not there, nor a house bot."""
    table = Seated(bots=1)
    table.done(ANNA, m.Sit)
    assert table.refused(ANNA, m.Kick, who=who) == code


def test_clocks_are_set_before_the_rubber_and_within_their_bounds() -> None:
    """The host sets the limits before the rubber, each within its bounds or off (R32)."""
    table = Seated()
    table.sit_all()
    table.done(ANNA, m.SetClocks, clocks=Clocks(turn_ms=20_000, question_ms=0))
    clocks = table.table.book.info.clocks
    assert (clocks.turn_ms, clocks.question_ms, clocks.linger_ms) == (20_000, 0, 3_000)
    assert table.refused(ANNA, m.SetClocks, clocks=Clocks(turn_ms=9_999)) == "bad_clocks"
    assert table.refused(ANNA, m.SetClocks, clocks=Clocks(linger_ms=999)) == "bad_clocks"
    table.done(ANNA, m.Start)
    assert table.refused(ANNA, m.SetClocks, clocks=Clocks(turn_ms=20_000)) == "in_play"


def test_house_bots_come_and_go_before_the_rubber() -> None:
    """The host seats house bots by kind and sends them away, until the rubber begins."""
    table = Seated()
    table.done(ANNA, m.Sit)
    assert table.refused(ANNA, m.AddBot, bot="clever") == "no_such_bot"
    assert table.done(ANNA, m.AddBot, seat="W").seat is Seat.W
    assert table.refused(ANNA, m.AddBot, seat="W") == "seat_taken"
    table.done(ANNA, m.RemoveBot, seat="W")
    assert table.refused(ANNA, m.RemoveBot, seat="N") == "no_such_bot"
    table.done(ANNA, m.Start)
    assert [one.bot for one in table.table.book.info.seats if one is not None] == [None, *["courteous"] * 3]
    assert table.refused(ANNA, m.RemoveBot, seat="W") == "in_play"
    assert table.refused(ANNA, m.AddBot) == "in_play"


def test_a_table_of_bots_alone_is_not_begun() -> None:
    """Without a person at the table there is nothing to begin."""
    table = Seated(bots=3)
    assert table.refused(ANNA, m.Start) == "not_ready"


def test_a_pause_wants_the_consent_of_all_who_are_there() -> None:
    """A pause begins when every seated person has asked for it, and ends in the same way; the clocks stand meanwhile."""
    table = Seated()
    table.play_on()
    for one in people[:3]:
        table.done(one, m.Pause)
    assert not paused(table)
    table.done(DEV, m.Pause)
    assert paused(table)
    wait = next(iter(table.table.book.waits))
    assert wait.countdown is not None
    left = wait.countdown.left_s(table.now)
    table.wait(600)
    assert wait.countdown.left_s(table.now) == left
    assert table.refused(table.at(wait.seats[0]), m.Act, act={"do": "place"}) == "paused"
    for one in people:
        table.done(one, m.Unpause)
    assert not paused(table)
    assert wait.countdown.due == table.now + left


def test_a_wish_for_a_pause_can_be_taken_back() -> None:
    """Before the pause has begun, unpause ends the asking; without one there is nothing to end."""
    table = Seated()
    table.play_on()
    assert table.refused(ANNA, m.Unpause) == "not_ready"
    table.done(ANNA, m.Pause)
    table.done(BEN, m.Unpause)
    assert not table.table.book.info.pause_asked


def test_the_consent_of_one_who_is_gone_is_not_waited_for() -> None:
    """When the last who had not consented loses his line, the pause begins."""
    table = Seated()
    table.play_on()
    for one in people[:3]:
        table.done(one, m.Pause)
    table.lose(DEV)
    assert table.table.book.info.paused


def test_a_pause_ends_by_itself_at_last() -> None:
    """A pause lasts no longer than its limit."""
    table = Seated()
    table.play_on()
    for one in people:
        table.done(one, m.Pause)
    table.wait(table.limits.pause_s)
    assert not table.table.book.info.paused


def test_another_rubber_wants_all_of_them() -> None:
    """After a rubber another begins when every seated person is for it; in one, or before the first, it is refused."""
    table = Seated(bots=3)
    table.done(ANNA, m.Sit)
    assert table.refused(ANNA, m.Again) == "not_ready"
    table.done(ANNA, m.Start)
    assert table.refused(ANNA, m.Again) == "in_play"
    assert table.refused(ANNA, m.Start) == "in_play"
    for _ in range(20_000):
        if table.phase() is Phase.OVER:
            break
        table.wait(5)
    assert table.phase() is Phase.OVER
    table.done(ANNA, m.Again)
    assert table.table.book.info.rubber == 2
    assert table.table.book.in_play
    assert all(table.table.book.info.seats[seat] is not None for seat in SEATS)
