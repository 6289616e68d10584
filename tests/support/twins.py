"""Twins: two deals that differ only in cards hidden from a viewer, played by the same acts.

Whatever the table shows him, answers him or asks of him must be the same at both, as long as the acts are the same: nobody may
read a hidden card, or a revoke the law has not made public, off a message. The engine's own transcripts are made here; a test
over sockets takes the deals and the acts, and compares bytes.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from oddtrick_rules.awaits import awaits
from oddtrick_rules.cards import PACK, Mask, cards_in, mask_of
from oddtrick_rules.commands import Withdraw
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import HandEnded
from oddtrick_rules.legal import legal
from oddtrick_rules.records import changed
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import PARTNER, SEATS, Actor, Seat
from oddtrick_rules.state import Masks, Phase, State
from oddtrick_rules.turns import playable, to_play
from oddtrick_rules.views import Viewer, seen_by, view
from support.driver import Act, Game, step
from support.leaks import SeenBy, cards_named, differences

Judge = Callable[..., Verdict | Refusal]


@dataclass(frozen=True)
class Script:
    """A hand up to some moment of play: where it began, every act and whether it was accepted, and how it stands."""

    start: State
    acts: tuple[tuple[Act, bool], ...]
    final: State
    shown: Mask  # every card that an event named to all


def script(start: State, chance: random.Random, *, wildness: float, acts: int) -> Script:
    """Act at random, and stop before the hand is over."""
    game = Game(start, chance)
    done: list[tuple[Act, bool]] = []
    named: set[int] = set()
    final = start
    for _ in range(acts):
        result = step(game, wildness=wildness)
        if isinstance(result, Verdict):
            if game.state.phase is not Phase.PLAYING or any(isinstance(event, HandEnded) for event in result.events):
                break
            for event in result.events:
                named |= cards_named(event)
        final = game.state
        done.append((game.acts[-1], isinstance(result, Verdict)))
    assert start.hand is not None
    if start.hand.turned is not None:
        named.add(start.hand.turned)
    return Script(start, tuple(done), final, sum(1 << card for card in named))


def hidden_hands(played: Script, viewers: Iterable[Viewer]) -> Masks:
    """Per seat, the cards it holds to the last that none of the viewers was ever shown."""
    hand = played.final.hand
    assert hand is not None
    held = [hand.hands[seat] & ~hand.seen[seat] & ~played.shown for seat in SEATS]
    for viewer in viewers:
        if isinstance(viewer, Seat):
            held[viewer] = 0
    return held[0], held[1], held[2], held[3]


def twin(played: Script, viewer: Viewer, chance: random.Random) -> State:
    """The same start but for hidden cards changed about, among the seats or against cards that are not in play."""
    hidden = hidden_hands(played, [viewer])
    places = [(seat, card) for seat in SEATS for card in cards_in(hidden[seat])]
    if chance.random() < 0.5:
        # A few cards only, so that more of the acts can be done again.
        places = chance.sample(places, min(len(places), chance.randint(2, 5)))
    cards = [card for _, card in places]
    spare = [card for card in PACK if not _in_play(played.start) >> card & 1]
    if spare and chance.random() < 0.3:
        cards += chance.sample(spare, min(len(spare), 3))
    chance.shuffle(cards)
    return with_cards(played.start, places, cards)


def with_cards(start: State, places: Sequence[tuple[Seat, int]], cards: Sequence[int]) -> State:
    """The start with other cards in those places."""
    hand = start.hand
    assert hand is not None
    hands = list(hand.hands)
    for seat, card in places:
        hands[seat] &= ~(1 << card)
    for (seat, _), card in zip(places, cards, strict=False):
        hands[seat] |= 1 << card
    masks = (hands[0], hands[1], hands[2], hands[3])
    seen = hand.seen
    if hand.dummy is not None:
        assert masks[hand.dummy] == hand.hands[hand.dummy]
    return changed(start, hand=changed(hand, hands=masks, dealt=masks, seen=seen))


def _in_play(start: State) -> Mask:
    assert start.hand is not None
    return mask_of(card for mask in start.hand.hands for card in cards_in(mask))


@dataclass
class Shown:
    """What one viewer is shown while a script is acted out: per act, everything that reaches him."""

    viewer: Viewer
    lines: list[tuple[object, ...]]

    def add(self, *line: object) -> None:
        self.lines.append(line)

    def watch(self, act: Act, result: Verdict | Refusal, state: State, seen_by: SeenBy) -> None:
        """Take what the viewer sees of an act: its events; or, if it is his own, the refusal."""
        actor, command = act
        if isinstance(result, Verdict):
            events = (seen_by(event, self.viewer, enforcement=state.enforcement) for event in result.events)
            self.add(actor, command, *(event for event in events if event is not None))
        elif actor is self.viewer:
            self.add(command, result)

    def look(self, state: State, *, acts_too: bool) -> None:
        """Take what the viewer may know of the state, and what he may do."""
        self.add(view(state, self.viewer), awaits(state), to_play(state))
        if isinstance(self.viewer, Seat) and acts_too:
            self.add(legal(state, self.viewer), playable(state, self.viewer))


def act_out(
    start: State,
    acts: Sequence[tuple[Act, bool]],
    viewers: Sequence[Viewer],
    *,
    judge: Judge = judge,
    seen_by: SeenBy = seen_by,
    legal_every: int = 1,
) -> list[Shown]:
    """Do the acts that were accepted, and the viewers' own refused ones; stop where one that was accepted is refused."""
    state = start
    shown = [Shown(viewer, []) for viewer in viewers]
    for number, ((actor, command), accepted) in enumerate(acts):
        if not accepted and actor not in viewers:
            continue
        if isinstance(command, Withdraw) and actor not in viewers and _plays_two_hands(state, actor):
            # The dealer takes back his own card or dummy's, whichever was wrong: not the same act at twins that differ in it.
            break
        result = judge(state, actor, command)
        ended = isinstance(result, Verdict) and any(isinstance(event, HandEnded) for event in result.events)
        if ended:
            break
        for one in shown:
            one.watch((actor, command), result, state, seen_by)
        if accepted and not isinstance(result, Verdict):
            # Not the same acts any more.
            break
        state = result.state if isinstance(result, Verdict) else state
        for one in shown:
            one.look(state, acts_too=number % legal_every == 0)
    return shown


def _plays_two_hands(state: State, actor: Actor) -> bool:
    hand = state.hand
    return hand is not None and hand.dummy is not None and isinstance(actor, Seat) and PARTNER[hand.dummy] is actor


def compared(one: Sequence[Shown], other: Sequence[Shown]) -> list[str]:
    """Where what the viewers were shown differs, as far as both transcripts go."""
    found = []
    for left, right in zip(one, other, strict=True):
        for a, b in zip(left.lines, right.lines, strict=False):
            if a != b:
                found.append(
                    f"{left.viewer}: {a[:2]}: {[line for x, y in zip(a, b, strict=False) for line in differences(x, y)]}"
                )
                break
    return found
