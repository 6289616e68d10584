"""Hypothesis strategies for the values of the rules."""

import random

from hypothesis import strategies as st

from oddtrick_rules import commands as act
from oddtrick_rules.cards import PACK, SUITS, Card, Suit, cards_in, mask_of
from oddtrick_rules.commands import BetOn, Demand, Penalty
from oddtrick_rules.seats import SEATS, SIDES
from oddtrick_rules.state import Masks

cards = st.sampled_from(PACK)
seats = st.sampled_from(SEATS)
sides = st.sampled_from(SIDES)
suits = st.sampled_from(SUITS)
several = st.lists(cards, min_size=1, max_size=13, unique=True).map(tuple)
together = st.lists(cards, min_size=2, max_size=13, unique=True).map(tuple)
tricks = st.integers(1, 13)
small = st.integers(1, 9)
WITHOUT_CARDS = (
    act.Ask,
    act.Withdraw,
    act.Object,
    act.Gather,
    act.Quit,
    act.Place,
    act.Review,
    act.ThrowDown,
    act.ClaimGame,
    act.ClaimRest,
    act.Agree,
    act.Decline,
    act.SayMine,
    act.Forget,
    act.Search,
    act.Mix,
    act.PlayOut,
    act.Consult,
    act.Waive,
    act.BeReady,
    act.LeaveTrump,
    act.TakeUp,
    act.Cut,
    act.CallNewCards,
    act.LeaveIt,
    act.Double,
    act.AskToLead,
    act.BeSatisfied,
    act.Lapse,
)
OF_A_CARD = (Demand.CARD, Demand.NOT_CARD)
OF_A_SUIT = (Demand.SUIT, Demand.NOT_SUIT)
OF_A_PLAYER = tuple(demand for demand in Demand if demand not in {*OF_A_CARD, *OF_A_SUIT})

# Every act that can be written down.
commands = st.one_of(
    st.sampled_from(WITHOUT_CARDS).map(lambda kind: kind()),
    st.builds(act.Play, cards, st.none() | seats),
    st.builds(act.PlayTogether, together),
    st.builds(act.Answer, st.booleans()),
    st.builds(act.Change, cards),
    st.builds(act.Show, several),
    st.builds(act.NameCard, cards),
    st.builds(act.ClaimRevoke, seats, st.none() | tricks),
    st.builds(act.Elect, st.sampled_from(Penalty), small),
    st.builds(act.Call, st.sampled_from(OF_A_PLAYER), seats),
    st.builds(lambda demand, seat, card: act.Call(demand, seat, card=card), st.sampled_from(OF_A_CARD), seats, cards),
    st.builds(lambda demand, seat, suit: act.Call(demand, seat, suit=suit), st.sampled_from(OF_A_SUIT), seats, suits),
    st.builds(act.ClaimHonours, st.none() | st.integers(0, 5)),
    st.builds(act.TakePack, st.sampled_from((1, 2))),
    st.builds(act.Declare, st.sampled_from(Suit)),
    st.builds(act.Bet, small, st.sampled_from(BetOn), sides),
    st.builds(act.TakeBet, small),
    st.builds(act.Mark, st.sampled_from((act.Sheet.SCORE, act.Sheet.ABOVE)), sides, st.integers(0, 99)),
    st.builds(act.Mark, st.just(act.Sheet.GAME), sides, st.sampled_from((1, 2, 3))),
)


def dealt(size: int, seed: int) -> Masks:
    """Four hands of that size, by a seed."""
    pack = list(PACK)
    random.Random(seed).shuffle(pack)
    n, e, s, w = (mask_of(pack[size * seat : size * (seat + 1)]) for seat in SEATS)
    return n, e, s, w


def last_card(hands: Masks, dealer: int) -> Card:
    """A card of the dealer's to be turned up."""
    return cards_in(hands[dealer])[0]
