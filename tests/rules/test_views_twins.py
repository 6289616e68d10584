"""Twins: what differs only in cards a viewer may not know is the same to him in everything he sees, hears and may do."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from oddtrick_rules import commands as c
from oddtrick_rules.awaits import awaits
from oddtrick_rules.cards import PACK, SUIT_MASK, Card, cards_in, mask_of
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import Event, Renounced, RevokeMade
from oddtrick_rules.legal import legal
from oddtrick_rules.records import changed
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Enforcement, Phase, State
from oddtrick_rules.turns import playable
from oddtrick_rules.views import VIEWERS, Watcher, seen_by, view
from support.driver import Game, ending, fresh, run, tables
from support.leaks import hidden_from
from support.twins import Script, act_out, compared, script, twin, with_cards

if TYPE_CHECKING:
    from conftest import Size


def played(chance: random.Random, enforcement: Enforcement, code: str = "") -> Script:
    """A hand of some length, in the middle of play."""
    rules = CODES[code] if code else chance.choice([*CODES.values()])
    start = ending(chance, rules, enforcement, size=chance.randint(2, 13), reasonable_time=chance.random() < 0.3)
    return script(start, chance, wildness=chance.choice((0.1, 0.3, 0.6)), acts=chance.choice((10, 25, 60, 120)))


def parted(chance: random.Random, one: Script, **planted: Any) -> list[str]:
    """What every viewer could tell the hand from a twin of it by."""
    found = []
    for viewer in VIEWERS:
        other = twin(one, viewer, chance)
        shown = [act_out(start, one.acts, [viewer], legal_every=4, **planted) for start in (one.start, other)]
        found += compared(*shown)
    return found


def test_twins_look_the_same(size: Size, seed: int) -> None:
    """No viewer can tell two deals apart, by event, refusal, list of acts, prompt or view, that differ in hidden cards only."""
    chance = random.Random(seed)
    kinds = tables(chance)
    for number in range(size(120, 2_000)):
        one = random.Random(f"{seed} {number}")
        code, enforcement = next(kinds)
        found = parted(one, played(one, enforcement, code.id))
        assert not found, (f"{seed} {number}", found[0])


# --- R4: a revoke and a true renounce ---


def revoked(one: Script) -> tuple[Seat, tuple[Card, ...], int] | None:
    """The first failure to follow suit: who, the cards of that suit he kept, and how many acts pass before one is shown."""
    state = one.start
    found: tuple[Seat, tuple[Card, ...]] | None = None
    for number, (act, accepted) in enumerate(one.acts):
        if not accepted:
            continue
        result = judge(state, *act)
        assert isinstance(result, Verdict)
        state = result.state
        assert state.hand is not None
        if found is not None:
            if mask_of(found[1]) & (~state.hand.hands[found[0]] | state.hand.seen[found[0]]):
                return *found, number
            continue
        for event in result.events:
            if isinstance(event, RevokeMade) and event.demand is None:
                kept = state.hand.hands[event.seat] & SUIT_MASK[event.suit]
                if not kept & state.hand.seen[event.seat]:
                    found = (event.seat, cards_in(kept))
    return (*found, len(one.acts)) if found is not None else None


def renouncing_truly(one: Script, seat: Seat, kept: tuple[Card, ...]) -> State | None:
    """The same start but that the offender has cards of other suits, which nobody holds, in place of those he kept."""
    assert one.start.hand is not None
    dealt = 0
    for mask in one.start.hand.hands:
        dealt |= mask
    suit = next(mask for mask in SUIT_MASK if mask >> kept[0] & 1)
    spare = [card for card in PACK if not (dealt | suit) >> card & 1]
    return with_cards(one.start, [(seat, card) for card in kept], spare) if len(spare) >= len(kept) else None


def r4(chance: random.Random, enforcement: Enforcement, **planted: Any) -> tuple[int, list[str]]:
    """A revoke and its honest twin, seen by all others: whether there was one, and how they could be told apart."""
    code = chance.choice([*CODES.values()])
    start = ending(chance, code, enforcement, size=chance.randint(3, 9))
    one = script(start, chance, wildness=chance.choice((0.1, 0.3)), acts=60)
    made = revoked(one)
    if made is None:
        return 0, []
    seat, kept, until = made
    honest = renouncing_truly(one, seat, kept)
    if honest is None or start.hand is None or start.hand.turned in kept:
        return 0, []
    others = [viewer for viewer in VIEWERS if viewer is not seat]
    acts = one.acts[:until]
    shown = [act_out(one_start, acts, others, legal_every=2, **planted) for one_start in (start, honest)]
    assert len(shown[0][0].lines) > 0
    return 1, compared(*shown)


@pytest.mark.parametrize("enforcement", [Enforcement.CLUB, Enforcement.GUIDED])
def test_a_revoke_looks_like_a_renounce(enforcement: Enforcement, size: Size, seed: int) -> None:
    """B102: what all were shown told of a revoke at once; here others see, are asked and may do the same as at a renounce (R4)."""
    count = 0
    for number in range(size(200, 2_000)):
        chance = random.Random(f"{seed} {enforcement} {number}")
        made, found = r4(chance, enforcement)
        count += made
        assert not found, (f"{seed} {enforcement} {number}", found[0])
    assert count > 20


# --- the view does not hang on the cards it hides ---


def redealt(state: State, viewer: object, chance: random.Random) -> State:
    """The state with all cards hidden from the viewer dealt anew to those who may hold them."""
    hand = state.hand
    assert hand is not None
    places = [
        (seat, card) for seat in SEATS if seat is not viewer for card in cards_in(hand.hands[seat] & ~hand.seen[seat])
    ]
    cards = [card for _, card in places]
    chance.shuffle(cards)
    hands, dealt = list(hand.hands), list(hand.dealt)
    for seat, card in places:
        hands[seat] &= ~(1 << card)
        dealt[seat] &= ~(1 << card)
    for (seat, _), card in zip(places, cards, strict=True):
        hands[seat] |= 1 << card
        dealt[seat] |= 1 << card
    return changed(
        state,
        hand=changed(
            hand, hands=(hands[0], hands[1], hands[2], hands[3]), dealt=(dealt[0], dealt[1], dealt[2], dealt[3])
        ),
    )


def test_a_view_does_not_change_when_hidden_cards_do(size: Size, seed: int) -> None:
    """Dealing a viewer's hidden cards anew among those who hold them changes neither his view nor what he may do."""
    chance = random.Random(seed)
    kinds = tables(chance)
    for _ in range(size(100, 2_000)):
        game = Game(fresh(chance, *next(kinds)), chance)
        run(game, wildness=0.3, acts=chance.randint(1, 120))
        state = game.state
        if state.hand is None or state.phase is not Phase.PLAYING:
            continue
        for viewer in VIEWERS:
            other = redealt(state, viewer, chance)
            assert hidden_from(other, viewer) == hidden_from(state, viewer)
            assert view(other, viewer) == view(state, viewer)
            assert awaits(other) == awaits(state)
            if isinstance(viewer, Seat):
                assert legal(other, viewer) == legal(state, viewer)
                assert playable(other, viewer) == playable(state, viewer)
                assert playable(view(state, viewer), viewer) == playable(state, viewer)


# --- leaks planted on purpose ---


def _tells_renounces(state: State, actor: Any, command: c.Command) -> Verdict | Refusal:
    """A judge that notes a renounce only when it is true."""
    result = judge(state, actor, command)
    if isinstance(result, Refusal) or not any(isinstance(event, RevokeMade) for event in result.events):
        return result
    return Verdict(tuple(event for event in result.events if not isinstance(event, Renounced)), result.state)


def _asks_only_the_guilty(state: State, actor: Any, command: c.Command) -> Verdict | Refusal:
    """A judge that refuses a question about a true renounce."""
    hand = state.hand
    result = judge(state, actor, command)
    if isinstance(command, c.Ask) and isinstance(result, Verdict) and hand is not None and not hand.revokes:
        return Refusal(Why.NOT_NOW)
    return result


def _order_of_secrets(event: Event, viewer: object, *, enforcement: Enforcement) -> Event | None:
    """A filter that lets the partner know."""
    if isinstance(event, RevokeMade) and viewer in {(event.seat + 2) % 4, Watcher.BYSTANDER}:
        return event
    return seen_by(event, viewer, enforcement=enforcement)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "planted",
    [{"judge": _tells_renounces}, {"judge": _asks_only_the_guilty}, {"seen_by": _order_of_secrets}],
    ids=["the renounce is not noted", "the question is refused", "the partner is told"],
)
def test_a_planted_tell_is_caught(planted: dict[str, Any], seed: int) -> None:
    """A judge or a filter by which a revoke differs from a renounce is found out by the same comparison of twins."""
    assert any(r4(random.Random(f"{seed} {number}"), Enforcement.CLUB, **planted)[1] for number in range(400))


def test_a_legal_that_tells_is_caught(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """A list of acts that hangs on another's hand is found out by the comparison of twins."""

    def telling(state: State, seat: Seat) -> tuple[c.Command, ...]:
        acts = legal(state, seat)
        guilty = state.hand is not None and any(one.seat is not seat for one in state.hand.revokes)
        return acts if guilty else acts[1:]

    monkeypatch.setattr("support.twins.legal", telling)
    assert any(r4(random.Random(f"{seed} {number}"), Enforcement.CLUB)[1] for number in range(300))
