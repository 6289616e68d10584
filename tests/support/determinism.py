"""Hands played by chance that is the same everywhere, and the digest of what they cause.

`python tests/support/determinism.py` prints the digest of each code; a test runs it in interpreters of their own and compares
them with each other and with what is written down, so that every Python must give the same events.
"""

import json
import sys
from hashlib import sha256

from oddtrick_protocol.facts import event_to_wire
from oddtrick_rules.cards import FULL_PACK, PACK, Card, cards_in, mask_of
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Command, Deal, Lapse, Play, Quit
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import Event
from oddtrick_rules.legal import dynamic, standing
from oddtrick_rules.replay import replay
from oddtrick_rules.seats import SEATS, Actor, Official, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase, State
from oddtrick_rules.turns import acting, to_play

ACTS = 700


class Chance:
    """Numbers from SHA-256: the same for the same seed in every Python there will be."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.count = 0

    def below(self, size: int) -> int:
        self.count += 1
        digest = sha256(f"{self.seed}/{self.count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % size

    def one_of(self, items: tuple[Command, ...] | tuple[Card, ...]) -> Command | Card:
        return items[self.below(len(items))]


def some_deal(state: State, chance: Chance) -> Deal:
    pack = list(PACK)
    for place in range(51, 0, -1):
        other = chance.below(place + 1)
        pack[place], pack[other] = pack[other], pack[place]
    n, e, s, w = (tuple(sorted(pack[first::4])) for first in range(4))
    turned = (n, e, s, w)[state.dealer][-1] if state.code.turned_trump else None
    assert mask_of(pack) == FULL_PACK
    return Deal((n, e, s, w), turned)


def some_act(state: State, chance: Chance) -> tuple[Actor, Command]:
    """Anybody's act: mostly a card, often the clock's, sometimes something that nobody should do."""
    if state.phase is Phase.TO_DEAL:
        return Official.HOUSE, some_deal(state, chance)
    hand, dice = state.hand, chance.below(20)
    assert hand is not None
    turn = to_play(state)
    if dice < 11 and turn is not None and state.phase is Phase.PLAYING and hand.hands[turn]:
        card = chance.one_of(cards_in(hand.hands[turn]))
        assert isinstance(card, int)
        return acting(hand, turn), Play(card, hand=turn)
    if dice < 16:
        return Official.CLOCK, Quit() if dice < 14 else Lapse()
    seat: Seat = SEATS[chance.below(4)]
    acts = standing(state, seat) if dice == 19 else dynamic(state, seat)
    return (seat, chance.one_of(acts)) if acts else (Official.CLOCK, Lapse())  # type: ignore[return-value]


def digest(code: Code) -> str:
    """The digest of all that follows from some hundreds of acts at tables of each enforcement, played and replayed."""
    found = sha256()
    for enforcement in Enforcement:
        chance = Chance(f"{code.id}/{enforcement}")
        start = state = rubber(code, enforcement=enforcement, dealer=Seat.W)
        events: list[Event] = []
        for _ in range(ACTS):
            if state.phase is Phase.OVER:
                break
            result = judge(state, *some_act(state, chance))
            if isinstance(result, Verdict):
                state = result.state
                events += result.events
            found.update(f"{type(result).__name__}\n".encode())
        assert replay(start, events) == state
        for event in events:
            found.update(json.dumps(event_to_wire(event), sort_keys=True).encode())
    return found.hexdigest()


if __name__ == "__main__":
    for each in CODES.values():
        sys.stdout.write(f"{each.id} {digest(each)}\n")
