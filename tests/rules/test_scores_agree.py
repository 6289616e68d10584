"""The engine and the second scorer count the same hands, found out independently, and must agree."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from oddtrick_rules.cards import CARD_NAMES, PACK, SUIT_OF, Card, Suit, cards_in, mask_of
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import BeReady, ClaimHonours, ClaimRevoke, Command, Cut, Elect, Penalty, Play, Quit, Search
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import CardPlayed
from oddtrick_rules.seats import LEFT, PARTNER, SEATS, SEATS_OF, SIDE, SIDES, Seat
from oddtrick_rules.start import position
from oddtrick_rules.state import Enforcement, Phase, State
from oddtrick_rules.turns import to_play
from support.scorer import Games, HandFacts, Outcome, Paid, Pair, honours_dealt, score_hand, winner

if TYPE_CHECKING:
    from conftest import Size

GAMES: tuple[Games, ...] = (((), ()), ((3,), ()), ((), (2,)), ((1,), (3,)))
PENALTIES = tuple(Penalty)


@dataclass
class Table:
    """A hand on the engine, and what somebody saw who knows how cards are played and no more."""

    state: State
    chance: random.Random
    first: int
    log: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    holds: list[set[str]] = field(default_factory=list)
    revokes: list[tuple[Seat, int]] = field(default_factory=list)

    def do(self, seat: Seat, command: Command) -> None:
        verdict = judge(self.state, seat, command)
        assert isinstance(verdict, Verdict), (seat, command, verdict)
        self.state = verdict.state
        for event in verdict.events:
            if isinstance(event, CardPlayed):
                self.see(event.seat, CARD_NAMES[event.card], event.trick)

    def see(self, seat: Seat, card: str, trick: int) -> None:
        plays = self.log.setdefault(trick, [])
        led = plays[0][1][0] if plays else card[0]
        if card[0] != led and any(one[0] == led for one in self.holds[seat]):
            self.revokes.append((seat, trick))
        plays.append((seat, card))
        self.holds[seat].discard(card)


def dealt(code: Code, chance: random.Random) -> State:
    """A position of any length, anywhere in a rubber."""
    size = chance.choice([1, 2, 3, 5, 13])
    cards = chance.sample(PACK, 4 * size)
    n, e, s, w = (mask_of(cards[seat * size : (seat + 1) * size]) for seat in SEATS)
    ns = chance.randint(0, 13 - size)
    dealer = chance.choice(SEATS)
    trump = chance.choice([*Suit] if code.dummy else [suit for suit in Suit if suit is not Suit.NT])
    turned = None
    if size == 13 and not code.dummy:
        turned = chance.choice(cards_in((n, e, s, w)[dealer]))
        trump = SUIT_OF[turned]
    score = (
        (chance.randrange(0, 30, 2), chance.randrange(0, 30, 2))
        if code.dummy
        else (chance.randrange(5), chance.randrange(5))
    )
    games = chance.choice(GAMES)
    return position(
        code,
        enforcement=Enforcement.CLUB,
        dealer=dealer,
        hands=(n, e, s, w),
        trump=trump,
        turned=turned,
        leader=LEFT[dealer] if size == 13 else chance.choice(SEATS),
        tricks=(ns, 13 - size - ns),
        score=score,
        games=((1,) * len(games[0]), (1,) * len(games[1])) if code.dummy else games,
        totals=(score[0] + chance.randrange(0, 300, 2), score[1] + chance.randrange(0, 300, 2))
        if code.dummy
        else (0, 0),
        multiplier=chance.choice([1, 2, 4, 8, 16, 32, 64]) if code.dummy else 1,
    )


def play_out(table: Table) -> None:
    """Play any card of any suit, in turn; quit each trick."""
    while table.state.phase is Phase.PLAYING:
        hand = table.state.hand
        assert hand is not None
        seat = to_play(table.state)
        if hand.tricks and len(hand.tricks[-1].plays) == 4:
            last = hand.tricks[-1]
            if last.stage < 3 and last.winner is not None:
                quitter = last.winner if last.winner is not hand.dummy else PARTNER[last.winner]
                table.do(quitter, Quit())
                continue
        assert seat is not None
        card: Card = table.chance.choice(cards_in(hand.hands[seat]))
        if hand.dummy is seat:
            table.do(PARTNER[seat], Play(card, hand=seat))
        else:
            table.do(seat, Play(card))


def settle(table: Table) -> list[Paid]:
    """Charge some of the revokes, prove them, choose penalties in any order, call honours and cut."""
    chance, hand = table.chance, table.state.hand
    assert hand is not None
    bridge = table.state.code.dummy

    def claimant(side: int) -> Seat:
        if bridge and side == SIDE[hand.dealer]:
            return hand.dealer
        return chance.choice(SEATS_OF[side])

    guilty = [(seat, trick) for seat, trick in table.revokes if not (bridge and seat is PARTNER[hand.dealer])]
    charged = chance.sample(guilty, chance.randint(0, min(4, len(guilty))))
    for seat, trick in charged:
        table.do(claimant(1 - SIDE[seat]), ClaimRevoke(seat, trick))
    for side in SIDES:
        if any(SIDE[seat] != side for seat, _ in charged):
            seat = claimant(side)
            if not isinstance(judge(table.state, seat, Search()), Verdict):
                continue
            table.do(seat, Search())
    paid = []
    cancel = table.state.code.both_sides_cancel and len({SIDE[seat] for seat, _ in charged}) == 2
    numbers = list(range(1, len(charged) + 1))
    chance.shuffle(numbers)
    for number in numbers:
        offender = charged[number - 1][0]
        penalty = chance.choice(PENALTIES)
        if not cancel:
            table.do(claimant(1 - SIDE[offender]), Elect(penalty, number))
        paid.append(Paid(SIDE[offender], penalty.value))
    return paid


def facts_of(table: Table, start: State, paid: list[Paid], called: Pair) -> HandFacts:
    hand = start.hand
    assert hand is not None
    assert hand.trump is not None
    trump = hand.trump.name
    tricks = [*hand.taken]
    for plays in table.log.values():
        tricks[winner(plays, trump) % 2] += 1
    whole = hand.size == 13
    names = [frozenset(CARD_NAMES[card] for card in cards_in(mask)) for mask in hand.hands]
    return HandFacts(
        code=start.code.id,
        tricks=(tricks[0], tricks[1]),
        score=start.score,
        games=start.games,
        revokes=tuple(paid),
        honours=called,
        trump=trump,
        multiplier=hand.multiplier,
        dealt=(names[0], names[1], names[2], names[3]) if whole else None,
        above=start.above,
        below=start.below,
    )


def standing(state: State) -> tuple[object, ...]:
    """The score of the game is compared while there is one, and the tricks unless the game was over before they counted."""
    assert state.hand is not None
    rubber = None if state.rubber is None else (int(state.rubber.side), state.rubber.points)
    below = state.below if state.code.dummy else (0, 0)
    taken = state.hand.taken if state.hand.reached is None else None
    return (taken, state.score if state.rubber is None else None, state.games, state.above, below, rubber)


def expected(outcome: Outcome, state: State) -> tuple[object, ...]:
    assert state.hand is not None
    score = outcome.score if outcome.rubber is None else None
    tricks = outcome.tricks if state.hand.reached is None else None
    return (tricks, score, outcome.games, outcome.above, outcome.below, outcome.rubber)


@pytest.mark.law("english-1864", "1", "2", "3", "4", "5", "8", "9", "10", "72", "81", "82", "R9", "R10", "R11")
@pytest.mark.law("whist-1900", "46", "47", "48", "49", "50", "53", "54", "55", "75", "85", "86", "R9", "R10", "R11")
@pytest.mark.law("bridge-1904", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "53", "90", "99", "R9", "R27")
@pytest.mark.parametrize("code", list(CODES.values()), ids=list(CODES))
def test_engine_and_scorer_agree(code: Code, seed: int, size: Size) -> None:
    """B53: a last trick was counted for the wrong side; here any hand, with revokes and penalties, is counted independently."""
    chance = random.Random(f"{seed} {code.id}")
    for _ in range(size(150, 10_000)):
        start = dealt(code, chance)
        assert start.hand is not None
        table = Table(start, chance, 14 - start.hand.size)
        table.holds = [{CARD_NAMES[card] for card in cards_in(mask)} for mask in start.hand.hands]
        play_out(table)
        paid = settle(table)
        called = [0, 0]
        if not code.dummy and start.hand.size == 13 and start.hand.trump is not None:
            held = honours_dealt(table_hands(start), start.hand.trump.name)
            for side in SIDES:
                if held[side] >= 3 and chance.random() < 0.8:
                    table.do(chance.choice(SEATS_OF[side]), ClaimHonours())
                    called[side] = held[side]
        for seat in SEATS:
            if seat is not start.dealer:
                table.do(seat, BeReady())
        table.do(start.dealer, Cut())
        facts = facts_of(table, start, paid, (called[0], called[1]))
        assert standing(table.state) == expected(score_hand(facts), table.state), facts


def table_hands(start: State) -> list[frozenset[str]]:
    assert start.hand is not None
    return [frozenset(CARD_NAMES[card] for card in cards_in(mask)) for mask in start.hand.hands]
