"""The sum of a table's own events."""

from dataclasses import replace

import pytest

from oddtrick_protocol import table_events as t
from oddtrick_protocol.table_info import Bystander, Sitter, TableInfo, info_after
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Enforcement

CLOCKS = t.ClockLimits()
OPENED = t.TableOpened(
    "whist-1900", Enforcement.CLUB, CLOCKS, private=True, watch="none", open_hands=False, reasonable_time=True
)
ANNA = t.Sat(Seat.N, "i1", "Anna")


def after(*events: t.TableEvent) -> TableInfo:
    info = TableInfo()
    for event in events:
        info = info_after(info, event)
    return info


def test_a_table_opens_with_its_options() -> None:
    """The first event carries everything the creator chose."""
    info = after(OPENED)
    assert (info.code, info.enforcement, info.private, info.watch) == ("whist-1900", Enforcement.CLUB, True, "none")


def test_who_sits_is_away_is_replaced_and_comes_back() -> None:
    """A seat keeps its owner through an absence and a substitute."""
    info = after(OPENED, ANNA, t.WentAway(Seat.N, asked=False, absence_ms=60_000), t.SubstituteSat(Seat.N, "courteous"))
    assert info.seats[Seat.N] == Sitter("i1", "Anna", None, away=True, substitute="courteous")
    info = info_after(info_after(info, t.CameBack(Seat.N)), t.SubstituteStood(Seat.N))
    assert info.seats[Seat.N] == Sitter("i1", "Anna")


def test_who_stands_takes_his_consents_with_him() -> None:
    """A seat given up is empty, and what it had consented to is forgotten."""
    info = after(OPENED, ANNA, t.PauseAsked(Seat.N), t.AgainAsked(Seat.N), t.Stood(Seat.N))
    assert info.seats == (None, None, None, None)
    assert info.pause_asked == info.again_asked == ()


def test_a_consent_counts_once() -> None:
    """Asking twice for a pause is one consent."""
    assert after(t.PauseAsked(Seat.E), t.PauseAsked(Seat.E)).pause_asked == (Seat.E,)


def test_a_pause_begins_and_ends() -> None:
    """While a table is paused its consents are those to go on."""
    info = after(t.PauseAsked(Seat.E), t.PauseBegan(), t.UnpauseAsked(Seat.E))
    assert (info.paused, info.pause_asked, info.unpause_asked) == (True, (), (Seat.E,))
    assert not info_after(info, t.PauseEnded()).paused


def test_bystanders_come_and_go() -> None:
    """A bystander is named once, and gone when he has left."""
    came = t.BystanderCame("i9", "Clara")
    assert after(came, came).bystanders == (Bystander("i9", "Clara"),)
    assert after(came, t.BystanderLeft("i9", "Clara")).bystanders == ()


def test_the_deal_gathers_what_is_published_of_it() -> None:
    """Commitments and entropies stand at their seats."""
    deal = after(
        t.DealCommitted(3, "T/3", "c0", "p0"),
        t.SeatCommitted(3, Seat.E, "c1"),
        t.RevealsAsked(3),
        t.SeatRevealed(3, Seat.E, "r1"),
    ).deal
    assert deal is not None
    assert (deal.hand, deal.commitments, deal.entropies, deal.revealing) == (
        3,
        ("", "c1", "", ""),
        ("", "r1", "", ""),
        True,
    )


def test_a_rubber_clears_the_wishes_for_it() -> None:
    """When another rubber begins nobody is asking for one any more."""
    began = t.RubberBegan(2, "english-1864", Enforcement.GUIDED, Seat.S, reasonable_time=False)
    info = after(t.AgainAsked(Seat.N), began)
    assert (info.rubber, info.again_asked) == (2, ())


@pytest.mark.parametrize("event", [t.Said("table", "Anna", "good evening", Seat.N), t.Phrased(Seat.N, "sorry")])
def test_words_change_nothing(event: t.TableEvent) -> None:
    """What is said is told and not kept."""
    info = after(OPENED, ANNA)
    assert info_after(info, event) == info


def test_the_host_and_the_clocks_are_the_last_ones_told() -> None:
    """A new host and new clocks replace the old."""
    clocks = replace(CLOCKS, turn_ms=10_000)
    info = after(t.HostMoved("i1", "Anna"), t.HostMoved("i2", "Ben"), t.ClocksSet(clocks), t.TableClosed("empty"))
    assert (info.host, info.clocks, info.closed) == ("i2", clocks, "empty")


EVERY: list[t.TableEvent] = [
    t.SubstituteSat(Seat.N, "random"),
    t.SubstituteStood(Seat.N),
    t.WentAway(Seat.N, asked=True, absence_ms=None),
    t.CameBack(Seat.N),
    t.Stood(Seat.N),
    t.SeatCommitted(1, Seat.N, "c"),
    t.RevealsAsked(1),
    t.SeatRevealed(1, Seat.N, "r"),
    t.DealRevealed(1, "s"),
    t.BystanderLeft("i", "nobody"),
]


@pytest.mark.parametrize("event", EVERY)
def test_an_event_about_what_is_not_there_changes_nothing(event: t.TableEvent) -> None:
    """Folding is total: an event about an empty seat or a deal not begun leaves the table as it was."""
    assert info_after(TableInfo(), event) == TableInfo()
