"""Tables set up and acted at in the notation, for tests that look at states and events rather than at records."""

import random
from dataclasses import dataclass

from oddtrick_rules.cards import cards_in
from oddtrick_rules.commands import Command, Lapse, Play, Quit
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import Event
from oddtrick_rules.legal import dynamic, standing
from oddtrick_rules.notation.acts import parse_seat_act
from oddtrick_rules.notation.check import perform, start_of
from oddtrick_rules.notation.header import parse_header
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SEATS, Actor, Official
from oddtrick_rules.state import Phase, State
from oddtrick_rules.turns import acting, playable, to_play


def table(header: str) -> State:
    """The state that header lines set up."""
    lines = [line.strip() for line in header.splitlines()]
    return start_of(parse_header((number, line) for number, line in enumerate(lines, 1) if line))


def outcome_of(state: State, act: str) -> Verdict | Refusal:
    """What becomes of one act."""
    return perform(state, *parse_seat_act(act))


def done(state: State, acts: str) -> State:
    """The state after acts, all of which must be accepted."""
    for act in acts.split(","):
        verdict = outcome_of(state, act.strip())
        assert isinstance(verdict, Verdict), f"{act.strip()} is refused: {verdict}"
        state = verdict.state
    return state


def events_of(state: State, acts: str) -> tuple[Event, ...]:
    """What acts cause, all of which must be accepted."""
    events: tuple[Event, ...] = ()
    for act in acts.split(","):
        verdict = outcome_of(state, act.strip())
        assert isinstance(verdict, Verdict), f"{act.strip()} is refused: {verdict}"
        state, events = verdict.state, events + verdict.events
    return events


def refusal_of(state: State, act: str) -> Refusal:
    """The refusal an act meets, which must meet one."""
    refusal = outcome_of(state, act)
    assert isinstance(refusal, Refusal), f"{act} is accepted: {refusal.events}"
    return refusal


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that was played: its start, the acts accepted in it, what they caused, and how it stands after them."""

    start: State
    acts: tuple[tuple[Actor, Command], ...]
    events: tuple[Event, ...]
    final: State


def random_hand(start: State, *, seed: int, wild: float = 0.15, steps_max: int = 600) -> Played:
    """A hand played at random to its cut: acts the table lists, now and then (`wild`) one it does not, and the clock's."""
    rng = random.Random(seed)
    state = start
    acts: list[tuple[Actor, Command]] = []
    events: list[Event] = []
    for _ in range(steps_max):
        if state.hand is not None and (state.hand.cut or state.phase in {Phase.TO_DEAL, Phase.OVER}):
            break
        actor, command = some_act(state, rng, wild)
        verdict = judge(state, actor, command)
        if isinstance(verdict, Verdict):
            acts.append((actor, command))
            events.extend(verdict.events)
            state = verdict.state
    return Played(start, tuple(acts), tuple(events), state)


def some_act(state: State, rng: random.Random, wild: float) -> tuple[Actor, Command]:
    """Somebody's act: most often a card in turn, else something the table lists, something wild, or the clock's."""
    dice = rng.random()
    seat = to_play(state)
    hand = state.hand
    if dice < 0.6 and seat is not None and hand is not None and state.phase is Phase.PLAYING:
        actor = acting(hand, seat)
        choice = hand.hands[seat] if rng.random() < wild else playable(state, seat) or hand.hands[seat]
        if choice:
            return actor, Play(rng.choice(cards_in(choice)), hand=seat if actor is not seat else None)
    if dice < 0.75:
        return Official.CLOCK, Quit() if rng.random() < 0.5 else Lapse()
    someone = rng.choice(SEATS)
    listed = dynamic(state, someone)
    if rng.random() < wild:
        listed = standing(state, someone)
        if state.hand is not None and rng.random() < 0.5:
            listed = tuple(Play(card) for card in cards_in(state.hand.hands[someone]))
    return (someone, rng.choice(listed)) if listed else (Official.CLOCK, Lapse())
