"""The second scorer against the engine after hands of any kind: thrown down, claimed, charged late, punished in any order."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from oddtrick_rules import events as e
from oddtrick_rules.cards import CARD_NAMES, Suit, cards_in
from oddtrick_rules.decide import Verdict
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SIDE, SIDES
from oddtrick_rules.state import Hand, Phase, RevokeStage, State
from support.driver import Act, Game, finish, fresh, run, tables, throw_in
from support.scorer import HandFacts, Outcome, Paid, Pair, honours_dealt, score_hand, winner

if TYPE_CHECKING:
    from conftest import Size


class Clerk:
    """Keeps a score of his own of every hand of a game, from what was seen to happen, and compares it at the cut."""

    def __init__(self, game: Game) -> None:
        self.paid: list[Paid] = []
        self.awarded: Pair = (0, 0)
        self.kinds: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.spoiled = False
        self.first: State = game.state
        game.watchers.append(self.look)

    def look(self, game: Game, before: State, act: Act, result: Verdict | Refusal) -> None:
        if not isinstance(result, Verdict):
            return
        for event in result.events:
            self.note(event)
        if any(isinstance(event, e.HandDealt) for event in result.events):
            self.first, self.paid, self.awarded, self.spoiled = result.state, [], (0, 0), False
        if any(isinstance(event, e.PackCut) for event in result.events) and not self.spoiled:
            self.compare(before, result)

    def note(self, event: e.Event) -> None:
        if isinstance(event, e.PenaltyExacted):
            self.paid.append(Paid(1 - event.side, event.penalty.value))
        if isinstance(event, e.HandEnded):
            self.awarded = event.awarded
        # A penalty lost by a wrong demand and a score that players mark are no business of this scorer's.
        if isinstance(event, e.PenaltyForfeited | e.ScoreMarked | e.GameAnnulled):
            self.spoiled = True

    def compare(self, before: State, result: Verdict) -> None:
        assert before.hand is not None
        hand = before.hand
        self.kinds["cut"] += 1
        self.kinds["thrown in"] += hand.thrown_in
        self.kinds["punished"] += bool(self.paid)
        self.kinds["both"] += len({paid.offender for paid in self.paid}) == 2
        self.kinds["late"] += any(isinstance(event, e.GameWon) for event in result.events) and hand.reached is not None
        facts = self.facts(before, hand)
        outcome = score_hand(facts)
        stands = standing(result.state)
        if stands != expected(outcome, result.state):
            self.wrong.append(f"{facts}\n{stands}\n{expected(outcome, result.state)}")

    def facts(self, before: State, hand: Hand) -> HandFacts:
        assert hand.trump is not None
        assert self.first.hand is not None
        trump = "NT" if hand.trump is Suit.NT else hand.trump.name
        tricks = [self.first.hand.taken[side] + self.awarded[side] for side in SIDES]
        for trick in hand.tricks:
            if len(trick.plays) == 4:
                lead = next(play for play in trick.plays if play[0] == trick.leader)
                plays = [lead, *(play for play in trick.plays if play is not lead)]
                tricks[winner([(seat, CARD_NAMES[card]) for seat, card in plays], trump) % 2] += 1
        cancelled = [Paid(SIDE[one.seat], "add") for one in hand.revokes if one.stage is RevokeStage.CANCELLED]
        names = [frozenset(CARD_NAMES[card] for card in cards_in(mask)) for mask in hand.dealt]
        whole = hand.size == 13
        honours = [0, 0]
        if whole and not before.code.dummy:
            held = honours_dealt(names, trump)
            called = before.hand is not None and [before.enforcement != "club" or one for one in hand.honours]
            honours = [held[side] if called and called[side] else 0 for side in SIDES]
        return HandFacts(
            code=before.code.id,
            tricks=(tricks[0], tricks[1]),
            score=hand.score_before,
            games=self.first.games,
            revokes=tuple(cancelled or self.paid),
            honours=(honours[0], honours[1]),
            thrown_in=hand.thrown_in,
            trump=trump,
            multiplier=hand.multiplier,
            dealt=(names[0], names[1], names[2], names[3]) if whole else None,
            above=self.first.above,
            below=self.first.below,
        )


def standing(state: State) -> tuple[object, ...]:
    """What is on the sheet; the tricks do not count in a hand whose game was over before."""
    assert state.hand is not None
    rubber = None if state.rubber is None else (int(state.rubber.side), state.rubber.points)
    taken = state.hand.taken if state.hand.reached is None else None
    below = state.below if state.code.dummy else None
    return (taken, state.score if rubber is None else None, state.games, state.above, below, rubber)


def expected(outcome: Outcome, state: State) -> tuple[object, ...]:
    assert state.hand is not None
    taken = outcome.tricks if state.hand.reached is None else None
    below = outcome.below if state.code.dummy else None
    score = outcome.score if outcome.rubber is None else None
    return (taken, score, outcome.games, outcome.above, below, outcome.rubber)


def test_the_score_of_any_hand(size: Size, seed: int) -> None:
    """Whatever happened in a hand, what it is entered for is what a second scorer makes of the same facts."""
    kinds = tables(random.Random(seed))
    seen: Counter[str] = Counter()
    for number in range(size(250, 3_000)):
        chance = random.Random(f"{seed} {number}")
        game = Game(fresh(chance, *next(kinds)), chance)
        clerk = Clerk(game)
        for _ in range(2):
            run(game, wildness=chance.choice((0.1, 0.4)), acts=chance.choice((60, 150)))
            if number % 10 == 0:
                throw_in(game)
            if game.state.phase is not Phase.OVER:
                finish(game)
        assert not clerk.wrong, (f"{seed} {number}", clerk.wrong[0])
        seen += clerk.kinds
    assert min(seen[kind] for kind in ("cut", "thrown in", "punished", "both")) > 0, seen
