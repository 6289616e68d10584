"""From hand to hand: the cut (34, R13), the deal (33), new cards (83, R19)."""

import random

import pytest

from oddtrick_rules.cards import PACK, Card
from oddtrick_rules.commands import BeReady, ClaimRevoke, Command, Cut, Deal, Lapse
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import PackCut, PackTaken
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import LEFT, SEATS, Actor, Official, Seat
from oddtrick_rules.state import Phase, State
from support.acting import done, table
from support.law_table import Row, law_table

# The thirteenth trick; West has dealt, so that he sits at the right of the next dealer, who is North.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K... E:4... S:7... W:3...
    Tricks: NS 6 EW 6
"""
OVER = "N SK, E S4, S S7, W S3, N quits"

CUT = law_table(
    ENDING
    + f"""
    case                                        | law | dealer | acts                                | then
    the player at the next dealer's right cuts  | 34  | W      | {OVER}, W cuts                      | law 34, law R13, score NS 1 EW 0
    another does not                            | 34  | W      | {OVER}, N cuts                      | refused 34, may W cuts
    nor his partner for him                     | 34  | W      | {OVER}, E cuts                      | refused 34
    not before the last trick is quitted        | 34  | W      | N SK, E S4, S S7, W S3, W cuts      | refused 34
    nor twice                                   | 34  | W      | {OVER}, W cuts, W cuts              | refused 34
    the deal goes to the left                   | 33  | W      | {OVER}, W cuts                      | law 33
    whoever dealt                               | 33  | N      | {OVER}, N cuts                      | law 33, law 34
    round the table                             | 33  | S      | {OVER}, S cuts                      | law 33, score NS 1 EW 0
    ready, one has no more to claim             | -   | W      | {OVER}, N ready                     | law R13, may not N ready, may E ready
    """
)

NEW_CARDS = law_table(
    ENDING
    + f"""
    case                                        | law | acts                                          | then
    any player may call for them                | 83  | {OVER}, E new cards                           | law 83, law R19, may N takes pack 1, may N takes pack 2
    the next dealer takes one of two packs      | 83  | {OVER}, E new cards, N takes pack 2           | law 83, law R19, may W cuts
    nobody else does                            | 83  | {OVER}, E new cards, W takes pack 1           | refused 83
    the cut waits for that                      | 83  | {OVER}, W new cards, W cuts                   | refused 83
    called once                                 | 83  | {OVER}, E new cards, S new cards              | refused 83
    and taken once                              | 83  | {OVER}, E new cards, N takes pack 2, N takes pack 1 | refused 83
    too late when the pack is cut               | 83  | {OVER}, W cuts, E new cards                   | refused 83
    not while cards are played                  | 83  | N SK, E new cards                             | refused 83
    none called, there is none to take          | 83  | {OVER}, N takes pack 1                        | refused 83
    """
)


@pytest.mark.law("english-1864", "33", "34", "R13")
@pytest.mark.parametrize("row", CUT, ids=str)
def test_the_cut(row: Row) -> None:
    """The dealer of the hand cuts for the player at his left, who deals next."""
    row.check()


@pytest.mark.law("english-1864", "83", "R19")
@pytest.mark.parametrize("row", NEW_CARDS, ids=str)
def test_new_cards(row: Row) -> None:
    """Until the pack is cut anybody may call for new cards, and the next dealer takes one of two packs."""
    row.check()


def over() -> State:
    """The table when the last trick has been quitted."""
    return done(table(ENDING), OVER)


def after(state: State, actor: Actor, command: Command) -> Verdict:
    """What is judged of an act that must be accepted."""
    verdict = judge(state, actor, command)
    assert isinstance(verdict, Verdict)
    return verdict


def dealt() -> tuple[tuple[Card, ...], ...]:
    """Four hands of thirteen, in the order of the seats."""
    pack = random.Random(33).sample(PACK, 52)
    return tuple(tuple(sorted(pack[first::4])) for first in range(4))


@pytest.mark.law("english-1864", "34", "R13")
def test_the_cut_waits_for_all_to_be_ready() -> None:
    """He who cuts cannot do so before the three others have no more to claim; to charge anybody asks them again."""
    state = over()
    for seat in (Seat.N, Seat.E, Seat.S):
        refusal = judge(state, Seat.W, Cut())
        assert isinstance(refusal, Refusal)
        assert (refusal.why, "R13" in refusal.cites) == (Why.OPEN_CLAIMS, True)
        state = after(state, seat, BeReady()).state
    assert isinstance(judge(state, Seat.W, Cut()), Verdict)
    charged = after(state, Seat.N, ClaimRevoke(Seat.E)).state
    assert charged.hand is not None
    assert not charged.hand.ready


@pytest.mark.law("english-1864", "33", "34", "R13", "R32")
def test_the_clock_cuts_when_nobody_has_more_to_claim() -> None:
    """When the time for claims is over the pack is cut without anybody."""
    verdict = after(over(), Official.CLOCK, Lapse())
    assert [(event.seat, event.dealer) for event in verdict.events if isinstance(event, PackCut)] == [(None, Seat.N)]
    assert verdict.state.phase is Phase.TO_DEAL


@pytest.mark.law("english-1864", "83", "R19", "R32")
def test_the_clock_takes_the_first_pack() -> None:
    """A next dealer who does not choose between the packs gets the first."""
    verdict = after(done(over(), "S new cards"), Official.CLOCK, Lapse())
    assert [(event.seat, event.pack) for event in verdict.events if isinstance(event, PackTaken)] == [(Seat.N, 1)]


@pytest.mark.law("english-1864", "33")
@pytest.mark.parametrize("dealer", SEATS, ids=str)
def test_the_deal_goes_round(dealer: Seat) -> None:
    """The player at the left of the dealer deals the next hand, turns up its trump, and the one at his left leads."""
    cut = done(table(ENDING.replace("Dealer: W", f"Dealer: {dealer.name}")), f"{OVER}, {dealer.name} cuts")
    hands = dealt()
    n, e, s, w = hands
    following = LEFT[dealer]
    state = after(cut, Official.HOUSE, Deal((n, e, s, w), hands[following][0])).state
    assert state.hand is not None
    assert (state.hand.dealer, state.hand.leader) == (following, LEFT[following])
    assert isinstance(judge(cut, Official.HOUSE, Deal((n, e, s, w), hands[dealer][0])), Refusal)


@pytest.mark.law("english-1864", "33")
def test_nobody_but_the_house_deals() -> None:
    """A player cannot deal, and the house deals only when the pack has been cut."""
    n, e, s, w = dealt()
    deal = Deal((n, e, s, w), n[0])
    cut = done(over(), "W cuts")
    assert isinstance(judge(cut, Seat.N, deal), Refusal)
    assert isinstance(judge(over(), Official.HOUSE, deal), Refusal)
    assert isinstance(judge(cut, Official.HOUSE, deal), Verdict)
