"""Checkers of what viewers are shown: kept views, cards nobody may show, and transcripts of twins compared.

They look at what came out, whatever made it: the engine's `seen_by` and `view` here, or what a socket received. Every one
of them returns or raises what is wrong, so that a leak planted on purpose shows that it would be caught.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Final, TypeVar

from oddtrick_rules.cards import CARD_NAMES, Mask, cards_in
from oddtrick_rules.events import CardNamed, Event
from oddtrick_rules.evolve import evolve
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Enforcement, State
from oddtrick_rules.views import VIEWERS, Viewer, Watcher, seen_by, view

SeenBy = Callable[..., Event | None]
ViewOf = Callable[[State, Viewer], State]
Item = TypeVar("Item")

# The fields of events and rights that name cards, singly or several.
CARD_FIELDS: Final = frozenset({"card", "old", "turned", "trump_card", "cards", "hands"})


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two records (of the same class) differ, field by field."""
    if one == other:
        return []
    if is_dataclass(one) and one.__class__ is other.__class__:
        return [
            line
            for each in fields(one)
            for line in differences(getattr(one, each.name), getattr(other, each.name), f"{path}.{each.name}")
        ]
    return [f"{path}: {one!r} / {other!r}"]


@dataclass
class Mirror:
    """A viewer's own copy of the table, kept up from what he is shown and nothing else."""

    viewer: Viewer
    enforcement: Enforcement
    copy: State
    shown: list[Event] = field(default_factory=list)
    seen_by: SeenBy = seen_by
    view: ViewOf = view

    @classmethod
    def at(cls, state: State, viewer: Viewer, *, seen_by: SeenBy = seen_by, view: ViewOf = view) -> "Mirror":
        return cls(viewer, state.enforcement, view(state, viewer), [], seen_by, view)

    def take(self, events: Iterable[Event]) -> None:
        """Fold what the viewer is shown of the events."""
        for event in events:
            shown = self.seen_by(event, self.viewer, enforcement=self.enforcement)
            if shown is not None:
                self.shown.append(shown)
                self.copy = evolve(self.copy, shown)

    def wrong(self, state: State) -> list[str]:
        """Where the copy is not what the viewer may know of the state."""
        return differences(self.copy, self.view(state, self.viewer))


def mirrors(state: State, viewers: Sequence[Viewer] = VIEWERS) -> list[Mirror]:
    """A mirror for each viewer."""
    return [Mirror.at(state, viewer) for viewer in viewers]


# --- cards that nobody may show ---


def hidden_from(state: State, viewer: Viewer) -> Mask:
    """The cards in play whose place the viewer may not know."""
    hand = state.hand
    if hand is None or viewer is Watcher.REFEREE:
        return 0
    mask = 0
    for seat in SEATS:
        if seat is not viewer:
            mask |= hand.hands[seat] & ~hand.seen[seat]
    return mask


def cards_named(record: Any) -> set[int]:
    """Every card that an event (or a right in it) names, by the names of its fields."""
    found: set[int] = set()
    for each in fields(record):
        value = getattr(record, each.name)
        if is_dataclass(value):
            found |= cards_named(value)
        elif each.name in CARD_FIELDS and value is not None:
            found |= set(_flat(value))
    return found


def _flat(value: Any) -> Iterable[int]:
    if isinstance(value, tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield int(value)


def cards_of_view(seen: State) -> Mask:
    """Every card whose holder a view tells, apart from those played."""
    hand = seen.hand
    if hand is None:
        return 0
    mask = 0
    for masks in (hand.hands, hand.dealt, hand.seen, hand.exposed):
        for each in masks:
            mask |= each
    for trick in hand.tricks:
        for _, card in trick.plays:
            mask &= ~(1 << card)
    return mask | (0 if hand.trump_card is None else 1 << hand.trump_card)


def told(hidden: Mask, events: Iterable[Event], seen: State | None = None) -> list[str]:
    """The hidden cards that the events name or the view tells; what a player himself said aloud is not the table's telling."""
    mask = 0
    for event in events:
        if not isinstance(event, CardNamed):
            for card in cards_named(event):
                mask |= 1 << card
    if seen is not None:
        mask |= cards_of_view(seen)
    return [CARD_NAMES[card] for card in cards_in(mask & hidden)]


# --- transcripts ---


def first_difference(one: Sequence[Item], other: Sequence[Item]) -> str:
    """Where two transcripts part; empty if they are the same."""
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return f"at {place}: {left!r} / {right!r}"
    if len(one) != len(other):
        longer = one if len(one) > len(other) else other
        return f"at {min(len(one), len(other))}: only one has {longer[min(len(one), len(other))]!r}"
    return ""


def parted(one: Mapping[Viewer, Sequence[Item]], other: Mapping[Viewer, Sequence[Item]]) -> list[str]:
    """Per viewer, where the transcripts of twins part."""
    return [f"{viewer}: {where}" for viewer in one if (where := first_difference(one[viewer], other[viewer]))]


__all__ = [
    "Mirror",
    "Seat",
    "cards_named",
    "differences",
    "first_difference",
    "hidden_from",
    "mirrors",
    "parted",
    "told",
]
