"""Plays judged per second on one core: full random deals, all consequences settled, the view of one seat kept up to date.

Run with the project's interpreter: `python tests/bench/bench_engine.py [DEALS]`. It prints figures and decides nothing.
"""

from __future__ import annotations

import random
import sys
import time

from oddtrick_rules.cards import PACK, Card, cards_in
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Deal, Play, Quit
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.evolve import evolve
from oddtrick_rules.seats import Actor, Official, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase, State
from oddtrick_rules.turns import card_turn, playable
from oddtrick_rules.views import seen_by, view

Acts = list[tuple[Actor, Play | Quit]]
DEALS_DEFAULT = 400


def dealt(chance: random.Random, enforcement: Enforcement) -> State:
    """Return a rubber with a random hand dealt."""
    pack = [*PACK]
    chance.shuffle(pack)
    hands = tuple(tuple(pack[seat::4]) for seat in range(4))
    state = rubber(CODES["english-1864"], enforcement=enforcement, dealer=Seat.W)
    deal = Deal((hands[0], hands[1], hands[2], hands[3]), hands[3][-1])
    verdict = judge(state, Official.HOUSE, deal)
    assert isinstance(verdict, Verdict)
    return verdict.state


def script(state: State, chance: random.Random) -> Acts:
    """Play the hand out at random and return the acts, so that choosing cards costs the measurement nothing."""
    acts: Acts = []
    while state.phase is Phase.PLAYING and state.hand is not None:
        seat = card_turn(state.hand)
        last = state.hand.tricks[-1] if state.hand.tricks else None
        act: tuple[Actor, Play | Quit]
        if last is not None and last.stage == 1:
            act = (Official.CLOCK, Quit())
        else:
            assert seat is not None
            act = (seat, Play(Card(chance.choice(cards_in(playable(state, seat))))))
        verdict = judge(state, act[0], act[1])
        assert isinstance(verdict, Verdict), verdict
        acts.append(act)
        state = verdict.state
    return acts


def measure(deals: int, enforcement: Enforcement, *, with_view: bool) -> float:
    """Return plays judged per second."""
    chance = random.Random(1864)
    starts = [dealt(chance, enforcement) for _ in range(deals)]
    scripts = [script(start, chance) for start in starts]
    plays = 52 * deals
    seat = Seat.S
    begin = time.perf_counter()
    for start, acts in zip(starts, scripts, strict=True):
        state = start
        seen = view(state, seat)
        for actor, command in acts:
            verdict = judge(state, actor, command)
            assert isinstance(verdict, Verdict)
            state = verdict.state
            if with_view:
                for event in verdict.events:
                    shown = seen_by(event, seat, enforcement=enforcement)
                    if shown is not None:
                        seen = evolve(seen, shown)
    return plays / (time.perf_counter() - begin)


def main() -> None:
    """Print the figures."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS_DEFAULT
    for enforcement in Enforcement:
        bare = max(measure(deals, enforcement, with_view=False) for _ in range(3))
        full = max(measure(deals, enforcement, with_view=True) for _ in range(3))
        print(f"engine {enforcement}: {bare:,.0f} plays/s judged and settled, {full:,.0f} with one seat's view kept")


if __name__ == "__main__":
    main()
