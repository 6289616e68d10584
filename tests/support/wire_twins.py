"""Twins over sockets: the same messages at the same times to two servers that differ in cards alone, and every byte compared."""

import random
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

import pytest

from oddtrick_protocol.facts import event_from_wire
from oddtrick_rules.cards import SUIT_MASK, Mask, cards_in
from oddtrick_rules.events import HandDealt
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.shuffle import DealtCards, deal_hands
from oddtrick_rules.state import Enforcement, Masks, Phase, State
from oddtrick_rules.views import Viewer
from support.house import open_house
from support.leaks import cards_named, first_difference
from support.recorder import VIEWERS, Recorder, Step, recorded
from support.twins import Script, twin
from support.unruly import step

CLOCKS: Final = {"turn_ms": 0}
LIVE: Final = frozenset({Phase.DECLARING, Phase.DOUBLING, Phase.PLAYING})


@dataclass(frozen=True)
class Kind:
    """A table to be opened, twice or more."""

    code: str
    enforcement: Enforcement
    seed: str


@dataclass(frozen=True)
class Told:
    """Part of a hand as it was played: where it began, the steps, the state after the last, and what everybody received."""

    kind: Kind
    opening: int  # steps before the cards were dealt
    start: State
    steps: list[Step]
    final: State
    shown: Mask
    frames: dict[Viewer, list[list[bytes | str]]]  # per number of steps done after the opening

    def script(self) -> Script:
        return Script(self.start, (), self.final, self.shown)


@asynccontextmanager
async def opened(kind: Kind) -> AsyncIterator[Recorder]:
    """A recorded table, just dealt."""
    async with (
        open_house(seed=kind.seed) as house,
        recorded(house, code=kind.code, enforcement=kind.enforcement.value, clocks=CLOCKS) as table,
    ):
        yield table


async def told(kind: Kind, chance: random.Random, *, steps: int, stop: Callable[[State, State], bool]) -> Told:
    """Play at random so many steps, or until the hand is about to end or `stop(before, after)`: that step does not count."""
    async with opened(kind) as table:
        opening, start = len(table.steps), table.state
        final, shown = start, shown_so_far(table)
        wildness = chance.choice((0.05, 0.2, 0.5))
        done = opening
        for _ in range(steps):
            await step(table, chance, wildness=wildness)
            state = table.state
            if state.phase not in LIVE or state.hand is None or state.hand.ended or stop(final, state):
                break
            final, shown, done = state, shown_so_far(table), len(table.steps)
        frames = {
            viewer: [table.transcript(viewer, steps=number) for number in range(opening, done + 1)]
            for viewer in VIEWERS
        }
        return Told(kind, opening, start, table.steps[opening:done], final, shown, frames)


def shown_so_far(table: Recorder) -> Mask:
    """All cards that an event of the hand has named to everybody."""
    named: set[int] = set()
    for act in table.table.book.notes[-1].acts:
        for wire in act.events:
            event = event_from_wire(wire)
            if isinstance(event, HandDealt):
                named |= set() if event.turned is None else {event.turned}
            else:
                named |= cards_named(event)
    return sum(1 << card for card in named)


async def parted(
    one: Told, hands: Masks, viewers: Collection[Viewer], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, list[str]]:
    """Tell the same at a table where these hands are dealt: how many steps could be, and where what the viewers got differs."""
    with monkeypatch.context() as patched:
        patched.setattr("oddtrick_server.dealing.deal_hands", dealing(one.start, hands))
        async with opened(one.kind) as table:
            assert len(table.steps) == one.opening
            done = await table.again(one.steps, viewers)
            found = [
                f"{viewer} {one.kind}: {where}"
                for viewer in viewers
                if (where := first_difference(one.frames[viewer][done], table.transcript(viewer)))
            ]
            return done, found


def dealing(start: State, hands: Masks) -> Callable[..., DealtCards]:
    """Deal the hands in place of those of `start`, every card that stays in the place it had."""
    assert start.hand is not None
    before = start.hand.hands
    changed = {
        seat: dict(zip(cards_in(before[seat] & ~hands[seat]), cards_in(hands[seat] & ~before[seat]), strict=True))
        for seat in SEATS
    }

    def deal(order: list[int], dealer: int) -> DealtCards:
        dealt = deal_hands(order, dealer)
        assert dealt.masks == before, "the twin was to be dealt the same cards at first"
        n, e, s, w = (
            tuple(changed[seat].get(card, card) for card in hand)  # type: ignore[call-overload]
            for seat, hand in zip(SEATS, dealt.hands, strict=True)
        )
        return replace(dealt, hands=(n, e, s, w))

    return deal


# --- twins of a viewer ---


async def twins(
    kind: Kind, chance: random.Random, viewers: Collection[Viewer], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, list[str]]:
    """Play a part of a hand, then its twin for each viewer: the steps both had, and how the viewer could tell them apart."""
    one = await told(kind, chance, steps=chance.choice((8, 20, 45, 80)), stop=lambda before, after: False)
    steps, found = 0, []
    for viewer in viewers:
        other = twin(one.script(), viewer, chance).hand
        assert other is not None
        done, differing = await parted(one, other.hands, [viewer], monkeypatch)
        steps += done
        found += differing
    return steps, found


# --- a revoke and a true renounce (R4) ---


class Watch:
    """Looks for the first failure to follow suit, and says when a card that proves it comes to light."""

    def __init__(self) -> None:
        self.offender: Seat | None = None
        self.kept: Mask = 0
        self.since = 0

    def __call__(self, before: State, after: State) -> bool:
        hand, was = after.hand, before.hand
        assert hand is not None
        assert was is not None
        if self.offender is not None:
            self.since += 1
            return bool(self.kept & (~hand.hands[self.offender] | hand.seen[self.offender]))
        for revoke in hand.revokes[len(was.revokes) :]:
            kept = 0 if revoke.suit is None else hand.hands[revoke.seat] & SUIT_MASK[revoke.suit]
            if revoke.demand is None and kept and not kept & hand.seen[revoke.seat]:
                self.offender, self.kept = revoke.seat, kept
        return False


async def r4(kind: Kind, chance: random.Random, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str]]:
    """A revoke, and the same card where it is a true renounce: the steps after it that both had, and how others could tell."""
    watch = Watch()
    one = await told(kind, chance, steps=60, stop=watch)
    if watch.offender is None:
        return 0, []
    steps, found = 0, []
    for holder in SEATS:
        hands = renouncing_truly(one, watch.offender, watch.kept, holder)
        if hands is None:
            continue
        others = [viewer for viewer in VIEWERS if viewer not in {watch.offender, holder}]
        done, differing = await parted(one, hands, others, monkeypatch)
        steps += max(0, done - (len(one.steps) - watch.since))
        found += differing
    return steps, found


def renouncing_truly(one: Told, offender: Seat, kept: Mask, holder: Seat) -> Masks | None:
    """The hands, but that another player holds the cards the offender kept, for as many that nobody has seen."""
    assert one.start.hand is not None
    assert one.final.hand is not None
    suit = next(mask for mask in SUIT_MASK if mask & kept)
    free = one.final.hand.hands[holder] & ~one.final.hand.seen[holder] & ~one.shown & ~suit
    given = cards_in(free)[: kept.bit_count()]
    if holder is offender or len(given) < kept.bit_count() or kept & one.shown:
        return None
    back = sum(1 << card for card in given)
    hands = list(one.start.hand.hands)
    hands[offender] = hands[offender] & ~kept | back
    hands[holder] = hands[holder] & ~back | kept
    return hands[0], hands[1], hands[2], hands[3]
