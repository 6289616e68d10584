from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_rules.cards import SUIT_OF, Suit, card_named, cards_in
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import BeReady, Command, Deal, Lapse, Play, Quit
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import BecameReady, Event
from oddtrick_rules.notation.check import check_record, moments
from oddtrick_rules.notation.record import parse_record
from oddtrick_rules.notation.write import write_record
from oddtrick_rules.seats import SEATS, Actor, Official, Seat
from oddtrick_rules.start import position, rubber
from oddtrick_rules.state import Enforcement, State
from support.acting import Played, random_hand, table
from support.records import ENDING
from support.strategies import dealt, last_card

if TYPE_CHECKING:
    from conftest import Size

PASSING = {"seat", "by"}  # by whom an event came about that may come about by the clock


def start(code: str, enforcement: Enforcement, seed: int) -> State:
    """A whole deal or, one time in three, an ending, in a rubber at one game all."""
    law = CODES[code]
    size = 13 if seed % 3 else 1 + seed % 7
    hands, dealer = dealt(size, seed), SEATS[seed % 4]
    turned = last_card(hands, dealer) if law.turned_trump and size == 13 else None
    trump = SUIT_OF[turned] if turned is not None else Suit(seed % (5 if law.dummy else 4))
    return position(
        law,
        enforcement=enforcement,
        dealer=dealer,
        hands=hands,
        trump=None if law.dummy and size == 13 and seed % 2 else trump,
        turned=turned,
        tricks=((13 - size) // 2, 13 - size - (13 - size) // 2),
        score=(seed % 5, 4 - seed % 5),
        games=((1,), (1,)),
    )


def same(events: tuple[Event, ...]) -> list[object]:
    """Events without who may have been the clock, and without players getting ready for the cut."""
    return [
        (
            type(event),
            {name: getattr(event, name) for name in event.__dataclass_fields__ if name not in PASSING | {"cites"}},
        )
        for event in events
        if not isinstance(event, BecameReady)
    ]


def settled(state: State) -> State:
    """A state without who said that he was ready."""
    return state if state.hand is None else replace(state, hand=replace(state.hand, ready=()))


def round_trip(played: Played) -> None:
    """A hand, written and checked, must give the same events and the same state."""
    text = write_record(title="A hand", start=played.start, acts=played.acts)
    outcome = check_record(text)
    assert outcome.ok, f"{outcome}\n{text}"
    after = [moment for _, moment in moments(parse_record(text))]
    assert same(tuple(event for moment in after for event in moment.events)) == same(played.events), text
    assert settled(after[-1].state) == settled(played.final), text


@pytest.mark.parametrize(("code", "enforcement"), list(product(CODES, Enforcement)))
def test_a_hand_written_back_gives_the_same_again(code: str, enforcement: Enforcement, size: Size, seed: int) -> None:
    """Hands played at random, irregularities and the clock's acts included, come out of their records as they were."""
    for number in range(size(15, 400)):
        begin = start(code, enforcement, seed + number)
        round_trip(random_hand(begin, seed=seed + number, wild=0.6 if number % 2 else 0.05))


@given(st.sampled_from(list(CODES)), st.sampled_from(Enforcement), st.integers(0, 2**32), st.integers(0, 40))
def test_a_hand_in_play_is_written_as_far_as_it_goes(
    code: str, enforcement: Enforcement, seed: int, steps: int
) -> None:
    """A hand broken off anywhere is written with what stands then."""
    round_trip(random_hand(start(code, enforcement, seed), seed=seed, steps_max=steps))


def test_the_deal_itself_may_be_the_first_act() -> None:
    """A log that begins with the house's deal is written as one that begins after it."""
    before = rubber(CODES["english-1864"], enforcement=Enforcement.GUIDED, dealer=Seat.E)
    hands = dealt(13, 7)
    turned = last_card(hands, Seat.E)
    n, e, s, w = (cards_in(hand) for hand in hands)
    deal: tuple[Actor, Deal] = (Official.HOUSE, Deal((n, e, s, w), turned))
    verdict = judge(before, *deal)
    assert isinstance(verdict, Verdict)
    lead = (Seat.S, Play(s[0]))
    text = write_record(title="", start=before, acts=[deal, lead])
    assert text == write_record(title="", start=verdict.state, acts=[lead])
    assert check_record(text).ok


def test_a_record_reads_as_one_would_write_it() -> None:
    """The header says what is not the default, a trick is a line, and what the clock did is done by who might have done it."""
    plays = [(Seat.E, "SK"), (Seat.S, "H2"), (Seat.W, "S3"), (Seat.N, "S4")]
    more = [(Seat.S, "S7"), (Seat.W, "D8"), (Seat.N, "D9"), (Seat.E, "C9")]
    quits = (Official.CLOCK, Quit())
    todo: list[tuple[Actor, Command]] = [
        *((seat, Play(card_named(card))) for seat, card in plays),
        quits,
        *((seat, Play(card_named(card))) for seat, card in more),
        quits,
        (Official.CLOCK, Lapse()),
    ]
    text = write_record(title="South # revokes\nhere", start=table(ENDING), acts=todo)
    assert text == (
        "Title: South revokes here\nCode: english-1864\nDealer: W\nTrump: H\nLeader: E\n"
        "Deal: N:4..9. E:K...9 S:7.2.. W:3..8.\nTricks: NS 5 EW 6\n\n"
        "E SK, S H2, W S3, N S4, S quits\nS S7, W D8, N D9, E C9, S quits\nW cuts\n"
        "= tricks NS 7 EW 6\n= score NS 1 EW 0\n= games NS 0 EW 0\n= revoke S 12 barred\n"
    )


def test_acts_that_are_not_the_hands_are_not_written() -> None:
    """An act that is refused where the log has it makes the log somebody else's, and no record of it is written."""
    with pytest.raises(ValueError, match="is refused"):
        write_record(title="", start=table(ENDING), acts=[(Seat.E, Quit())])


def test_a_record_begins_with_its_deal() -> None:
    """From the middle of a hand no record is written, for its header could not say how it came there."""
    begin = table(ENDING)
    verdict = judge(begin, Seat.E, Play(card_named("SK")))
    assert isinstance(verdict, Verdict)
    with pytest.raises(ValueError, match="begins with a deal"):
        write_record(title="", start=verdict.state, acts=[])


def test_a_revoke_established_by_mixing_lies_in_no_trick() -> None:
    """A charge that named no trick, and was proved by mixing the tricks, leaves a record that holds (law 77)."""
    record = """Code: english-1864
Dealer: W
Trump: H
Leader: E
Deal: N:4..9. E:K...9 S:7.2.. W:3..8.
Tricks: NS 5 EW 6

E SK, S S7, W S3, N S4, E quits
E C9, S H2, W D8, N D9, S quits
E claims revoke S
S mixes
= claim proved
E elects add 1
W cuts
"""
    steps = [(step, moment) for step, moment in moments(parse_record(record)) if step.command is not None]
    acts: list[tuple[Actor, Command]] = []
    for step, _ in steps:
        assert step.seat is not None
        assert step.command is not None
        acts.append((step.seat, step.command))
    header = parse_record(record).header
    begun = position(
        header.code, enforcement=header.enforcement, dealer=header.dealer, hands=header.hands, trump=Suit.H,
        leader=Seat.E, tricks=(5, 6),
    )  # fmt: skip
    state = begun
    done: list[tuple[Actor, Command]] = []
    for actor, command in acts:
        if actor is Seat.W and not isinstance(command, Play | Quit):
            done += [(seat, BeReady()) for seat in SEATS if seat is not Seat.W]
        done.append((actor, command))
    for actor, command in done:
        verdict = judge(state, actor, command)
        assert isinstance(verdict, Verdict), (actor, command, verdict)
        state = verdict.state
    written = write_record(title="Mixed", start=begun, acts=done)
    assert check_record(written).ok, written
