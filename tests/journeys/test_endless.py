"""A hand that its players draw out without end comes to an end all the same, and its record can be kept."""

from dataclasses import replace

import pytest

from oddtrick_rules import commands as c
from oddtrick_rules.cards import SUIT_MASK, Card
from oddtrick_rules.seats import ADVERSARIES, Seat
from oddtrick_rules.state import Phase, State
from oddtrick_rules.turns import card_turn, led_suit
from oddtrick_sdk import Refused
from support.house import UNHURRIED, open_house
from support.seated import Seated, lowest, sit_down

LIMITS = replace(UNHURRIED, acts_per_hand_max=60)


def can_revoke(state: State) -> bool:
    hand = state.hand
    seat = None if hand is None else card_turn(hand)
    if hand is None or seat is None or not hand.tricks or len(hand.tricks[-1].plays) != 1:
        return False
    suit = SUIT_MASK[led_suit(hand.tricks[-1])]
    return bool(hand.hands[seat] & suit) and bool(hand.hands[seat] & ~suit)


async def revoke_and_mend(seated: Seated, seat: Seat, wrong: Card) -> None:
    """Again and again, as long as it is allowed."""
    for _ in range(LIMITS.acts_per_hand_max):
        await seated.do(seat, c.Play(wrong))
        await seated.do(seat, c.Withdraw())
        await seated.do(ADVERSARIES[seat][0], c.Call(c.Demand.LOWEST, seat))


async def test_a_revoke_made_and_mended_for_ever_is_stopped() -> None:
    """Two players who help each other to revoke and mend without end are refused at last; lawful play goes on to the score."""
    async with open_house(limits=LIMITS) as house, sit_down(house, enforcement="club", clocks={"turn_ms": 0}) as seated:
        await seated.play_on(can_revoke)
        seat = card_turn(seated.hand)
        assert seat is not None
        suit = SUIT_MASK[led_suit(seated.hand.tricks[-1])]
        wrong = lowest(seated.hand.hands[seat] & ~suit)
        with pytest.raises(Refused) as refused:
            await revoke_and_mend(seated, seat, wrong)
        assert refused.value.code == "rate"
        acts = len(house.table(seated.id).book.notes[-1].acts)
        assert acts >= LIMITS.acts_per_hand_max
        with pytest.raises(Refused):
            await seated.do(seat, c.Consult())
        await seated.play_on(lambda state: state.phase in {Phase.TO_DEAL, Phase.OVER})
        assert await seated.clients[seat].record(seated.id, 1)
