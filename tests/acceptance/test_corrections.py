"""What others' tables got wrong when a card was taken back, at an ending where South revokes with the two of hearts."""

import pytest

from oddtrick_rules.cards import CARD_NAMES, cards_in
from oddtrick_rules.commands import Change, Command, Withdraw
from oddtrick_rules.events import CardWithdrawn, RevokeCorrected, RevokeEstablished, RevokeMade, TrickCompleted
from oddtrick_rules.evolve import evolve
from oddtrick_rules.legal import legal
from oddtrick_rules.refusals import Why
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Hand, RevokeStage, State
from oddtrick_rules.views import VIEWERS, seen_by
from support.acting import done, events_of, refusal_of, table

HEADER = """
Code: {code}
Enforcement: {enforcement}
Dealer: W
Trump: H
Leader: {leader}
Deal: N:J4..5.3 E:KT..9.2 S:97.2.4. W:Q3..86.
Tricks: NS 5 EW 4
"""
# Everybody's card before South's, and after it, by who leads.
AROUND = {
    "E": ("E SK", "W S3, N S4"),
    "N": ("N S4, E SK", "W S3"),
    "W": ("W S3, N S4, E SK", ""),
}


def ending(*, leader: str = "E", enforcement: str = "club", code: str = "english-1864") -> State:
    return table(HEADER.format(leader=leader, enforcement=enforcement, code=code))


def acts(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def hand_of(state: State) -> Hand:
    assert state.hand is not None
    return state.hand


def offered(state: State, seat: Seat) -> set[type[Command]]:
    return {type(command) for command in legal(state, seat)}


@pytest.mark.parametrize("enforcement", ["club", "guided"])
def test_b41_a_revoke_is_accepted_and_known(enforcement: str) -> None:
    """B41: a card off the suit led was taken for lawful; here it is a revoke from the first, correctable, later established."""
    state = ending(enforcement=enforcement)
    events = events_of(state, "E SK, S H2")
    assert [type(event) for event in events if isinstance(event, RevokeMade)] == [RevokeMade]
    state = done(state, "E SK, S H2")
    assert hand_of(state).revokes[0].stage is RevokeStage.MADE
    assert Withdraw in offered(state, Seat.S)
    state = done(state, "W S3, N S4")
    assert any(isinstance(event, RevokeEstablished) for event in events_of(state, "S quits"))
    assert refusal_of(done(state, "S quits"), "S withdraws").why is Why.TOO_LATE


def test_b41_at_a_strict_table_a_revoke_is_refused_with_its_law() -> None:
    """B41: a card off the suit led was taken for lawful; a strict table refuses it and says by which law."""
    refusal = refusal_of(done(ending(enforcement="strict"), "E SK"), "S H2")
    assert refusal.why is Why.MUST_FOLLOW
    assert refusal.cites


@pytest.mark.parametrize("leader", AROUND)
def test_b42_a_correction_leaves_the_right_winner_and_every_card(leader: str) -> None:
    """B42: after a card was taken back the wrong player had the trick and cards were gone; here as second, third and fourth hand."""
    before, after = AROUND[leader]
    changes = "W changes SQ" if leader == "E" else ""
    whole = acts(before, "S H2", after, "S withdraws", "E waives", "S S7", changes)
    start = ending(leader=leader)
    events, state = events_of(start, whole), done(start, whole)
    trick = hand_of(state).tricks[-1]
    assert trick.winner is Seat.E
    played = [card for trick in hand_of(state).tricks for _, card in trick.plays]
    left = [card for seat in SEATS for card in cards_in(hand_of(state).hands[seat])]
    assert len({*played, *left}) == len(played) + len(left) == 16
    assert hand_of(state).taken == (5, 5)
    assert [CARD_NAMES[card] for seat, card in trick.plays if seat is Seat.S] == ["S7"]
    folded = start
    for event in events:
        folded = evolve(folded, event)
    assert folded == state
    assert hand_of(done(state, "E quits, E D9")).tricks[-1].leader is Seat.E


def test_b43_only_a_revoke_can_be_taken_back_and_everybody_sees_it() -> None:
    """B43: taking back was used to see what others would play; here only a revoke, only in time, before all, and the card lies open."""
    state = done(ending(enforcement="guided"), "E SK, S S7")
    assert Withdraw not in offered(state, Seat.S)
    assert refusal_of(state, "S withdraws").why is Why.NOT_NOW
    state = done(ending(), "E SK, S H2, W S3")
    (withdrawn,) = [event for event in events_of(state, "S withdraws") if isinstance(event, CardWithdrawn)]
    for viewer in VIEWERS:
        assert seen_by(withdrawn, viewer, enforcement=state.enforcement) == withdrawn
    state = done(state, "S withdraws, E waives")
    assert [CARD_NAMES[card] for card in cards_in(hand_of(state).exposed[Seat.S])] == ["H2"]


def test_b45_a_card_taken_back_stays_in_the_log() -> None:
    """B45: a card taken back left no trace; here its player and the card stand in the log, so that corrections can be counted."""
    events = events_of(ending(), "E SK, S H2, S withdraws, W waives, S S7")
    (withdrawn,) = [event for event in events if isinstance(event, CardWithdrawn)]
    assert (withdrawn.seat, CARD_NAMES[withdrawn.card]) == (Seat.S, "H2")
    assert withdrawn.cites
    assert [event.seat for event in events if isinstance(event, RevokeCorrected)] == [Seat.S]


def test_b50_those_who_played_after_it_may_change_their_cards() -> None:
    """B50: later players had to take back first; here each of them, and no one else, may change once the card is withdrawn."""
    state = done(ending(), "E SK, S H2, W S3, N S4")
    assert not any(Change in offered(state, seat) for seat in SEATS)
    state = done(state, "S withdraws, E waives, S S7")
    assert [seat.name for seat in SEATS if Change in offered(state, seat)] == ["N", "W"]
    state = done(state, "N changes SJ")
    assert [seat.name for seat in SEATS if Change in offered(state, seat)] == ["W"]
    assert not any(Change in offered(done(state, "E quits"), seat) for seat in SEATS)


def test_b54_a_trick_is_counted_with_its_fourth_card() -> None:
    """B54: the count of tricks came one trick late; here the winner is told with the fourth card, of the last trick too."""
    state = ending()
    for led in ("E SK, S S7, W S3, N S4", "E ST, S S9, W SQ, N SJ"):
        events = events_of(state, led)
        assert isinstance(events[-1], TrickCompleted) or any(isinstance(event, TrickCompleted) for event in events)
        state = done(state, led)
        assert sum(hand_of(state).taken) == hand_of(state).tricks[-1].number
        state = done(state, f"{events[-1].winner.name} quits" if isinstance(events[-1], TrickCompleted) else "E quits")


def test_b59_after_a_correction_one_card_is_played() -> None:
    """B59: a move sent twice after an undo was done twice; here the second card, the same or another, is refused."""
    state = done(ending(enforcement="guided"), "E SK, S H2, W S3, S withdraws, E waives, S S7")
    assert refusal_of(state, "S S7").why is Why.NO_SUCH_CARD
    assert refusal_of(state, "S S9").why is Why.NOT_YOUR_TURN
    assert [seat for seat, _ in hand_of(state).tricks[-1].plays].count(Seat.S) == 1


def test_b80_the_last_trick_may_be_seen_where_the_code_says_so() -> None:
    """B80: players wanted to see the last trick; here by law 91 of 1864, the last one alone, and under no other code."""
    played = "E SK, S S7, W S3, N S4, E quits"
    assert events_of(done(ending(), played), "N reviews")
    assert refusal_of(ending(), "N reviews").why is Why.NOT_NOW
    other = ending(code="whist-1900")
    assert refusal_of(done(other, played), "N reviews").why is Why.NOT_IN_CODE
