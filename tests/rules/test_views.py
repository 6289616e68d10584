"""What a viewer is shown adds up to his view, holds no card he may not know, and never more than one of his own."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from oddtrick_rules.cards import cards_in
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.decide import Verdict
from oddtrick_rules.events import CardPlayed, Event, Renounced
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Enforcement, State
from oddtrick_rules.views import VIEWERS, Viewer, Watcher, seen_by, view
from support.acting import done, events_of, table
from support.driver import Act, Game, ending, finish, fresh, run, tables
from support.leaks import Mirror, hidden_from, told

if TYPE_CHECKING:
    from conftest import Size


class Watched:
    """Keeps every viewer's copy of a game and finds fault with it at every act."""

    def __init__(self, game: Game, *, seen_by: object = seen_by, view: object = view) -> None:
        self.mirrors = [Mirror.at(game.state, viewer, seen_by=seen_by, view=view) for viewer in VIEWERS]  # type: ignore[arg-type]
        self.wrong: list[str] = []
        game.watchers.append(self.look)

    def look(self, game: Game, before: State, act: Act, result: Verdict | Refusal) -> None:
        if not isinstance(result, Verdict):
            return
        for mirror in self.mirrors:
            count = len(mirror.shown)
            mirror.take(result.events)
            where = f"{act} as {mirror.viewer}: "
            self.wrong += [where + line for line in mirror.wrong(result.state)]
            hidden = hidden_from(result.state, mirror.viewer)
            self.wrong += [where + line for line in told(hidden, mirror.shown[count:], mirror.copy)]


def watched(chance: random.Random, code: str, enforcement: Enforcement, **planted: object) -> Watched:
    """A random table, acted at and finished, with what is wrong in what its viewers saw."""
    game = Game(fresh(chance, CODES[code], enforcement), chance)
    seen = Watched(game, **planted)
    run(game, wildness=chance.choice((0.1, 0.3, 0.6, 0.85)), acts=chance.choice((20, 60, 150)))
    finish(game)
    return seen


def test_what_was_seen_adds_up_to_the_view(size: Size, seed: int) -> None:
    """At every act of any table, folding what a viewer was shown gives his view, and it tells no card hidden from him."""
    chance = random.Random(seed)
    kinds = tables(chance)
    for number in range(size(250, 3_000)):
        code, enforcement = next(kinds)
        one = random.Random(f"{seed} {number}")
        seen = watched(one, code.id, enforcement)
        assert not seen.wrong, (f"{seed} {number}", seen.wrong[0])


def test_the_trump_card_of_the_last_trick_is_forgotten_by_all_but_its_owner() -> None:
    """With one card each, a viewer is not taken for the dealer when the trump card is taken up."""
    state = table("""
        Code: english-1864
        Dealer: W
        Trump: C2
        Leader: W
        Deal: N:2... E:3... S:4... W:...2
        Tricks: NS 6 EW 6
    """)
    for viewer in VIEWERS:
        seen = view(done(state, "W C2"), viewer)
        assert seen.hand is not None
        mine = viewer is Seat.W
        assert bool(seen.hand.dealt[Seat.W]) is mine
    mirror = Mirror.at(state, Watcher.BYSTANDER)
    mirror.take(events_of(state, "W C2"))
    assert not mirror.wrong(done(state, "W C2"))


def test_a_bystander_is_shown_no_hand_and_a_seat_its_own() -> None:
    """A view holds the viewer's cards and those that lie face up, and how many the others hold."""
    chance = random.Random(1)
    game = Game(ending(chance, CODES["english-1864"], Enforcement.CLUB, size=9), chance)
    run(game, wildness=0, acts=9)
    assert game.state.hand is not None
    for viewer in VIEWERS:
        seen = view(game.state, viewer).hand
        assert seen is not None
        for seat in SEATS:
            whole = seat is viewer
            kept = game.hand.hands[seat] if whole else game.hand.hands[seat] & game.hand.seen[seat]
            assert seen.hands[seat] == kept
            assert seen.held[seat] == game.hand.hands[seat].bit_count()
    assert view(game.state, Watcher.REFEREE) is game.state


# --- leaks planted on purpose ---


def _partner_seen(state: State, viewer: Viewer) -> State:
    """A view that shows one card too many."""
    seen = view(state, viewer)
    if state.hand is None or seen.hand is None or viewer is not Seat.N:
        return seen
    hands = state.hand.hands
    leak = hands[1] & -hands[1]
    n, e, s, w = seen.hand.hands
    return replace(seen, hand=replace(seen.hand, hands=(n, e | leak, s, w)))


def _trump_remembered(state: State, viewer: Viewer) -> State:
    """A view that goes on telling the trump card."""
    seen = view(state, viewer)
    if state.hand is None or seen.hand is None:
        return seen
    return replace(seen, hand=replace(seen.hand, trump_card=state.hand.trump_card))


def _revokes_told(event: Event, viewer: Viewer, *, enforcement: Enforcement) -> Event | None:
    """A filter that forgets that revokes are secret."""
    return event if type(event).__name__.startswith("Revoke") else seen_by(event, viewer, enforcement=enforcement)


def _hands_told(event: Event, viewer: Viewer, *, enforcement: Enforcement) -> Event | None:
    """A filter that shows a deal to one who sits at the table."""
    return event if viewer is Seat.E else seen_by(event, viewer, enforcement=enforcement)


def _renounces_hidden(event: Event, viewer: Viewer, *, enforcement: Enforcement) -> Event | None:
    """A filter that hides what all may see."""
    hidden = isinstance(event, Renounced) and viewer is Seat.S
    return None if hidden else seen_by(event, viewer, enforcement=enforcement)


@pytest.mark.parametrize(
    "planted",
    [
        {"view": _partner_seen},
        {"view": _trump_remembered},
        {"seen_by": _revokes_told},
        {"seen_by": _hands_told},
        {"seen_by": _renounces_hidden},
    ],
    ids=["another's card", "the trump card", "revokes", "a deal", "renounces"],
)
def test_a_planted_leak_is_caught(planted: dict[str, object], seed: int) -> None:
    """A view or a filter that tells too much, or too little, is found out by the same checks."""
    chance = random.Random(seed)
    assert any(watched(chance, "english-1864", Enforcement.CLUB, **planted).wrong for _ in range(20))


def test_cards_of_a_view_are_those_it_tells() -> None:
    """The check for hidden cards does see a hidden card when there is one."""
    chance = random.Random(2)
    game = Game(ending(chance, CODES["english-1864"], Enforcement.CLUB, size=5), chance)
    run(game, wildness=0, acts=5)
    hidden = hidden_from(game.state, Seat.N)
    assert hidden
    assert not told(hidden, (), view(game.state, Seat.N))
    assert told(hidden, (), game.state)
    assert told(hidden, [CardPlayed(Seat.E, cards_in(hidden)[0], 1)])
