"""The engine driven with random acts, lawful and not, at tables of all codes and enforcements: what always holds of it."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_rules import decide
from oddtrick_rules import events as e
from oddtrick_rules.awaits import AwaitKind, awaits
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.decide import EVENTS_MAX, Verdict, judge
from oddtrick_rules.evolve import evolve
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.replay import replay
from oddtrick_rules.seats import SEATS, SIDES, Official
from oddtrick_rules.state import Enforcement, Hand, Phase, RevokeStage, RightKind, Stage, State
from support.driver import Act, Game, ending, finish, fresh, run, tables
from support.strategies import commands

if TYPE_CHECKING:
    from conftest import Size

# A general throw-down at a `guided` table, with every revoke announced, is the longest; a loop would run to EVENTS_MAX.
EVENTS_SEEN_MAX = EVENTS_MAX // 2


def faults(state: State) -> list[str]:
    """What is wrong with a state, whatever led to it."""
    hand = state.hand
    found = []
    if hand is not None:
        found += [*_cards(hand), *_tricks(hand), *_rights(hand)]
    counted = state.phase is Phase.TO_DEAL and state.slips.score is None
    if counted and any(state.score[side] >= state.code.game_points for side in SIDES):
        found.append(f"a side has game at {state.score}, and the game goes on")
    return found


def _cards(hand: Hand) -> list[str]:
    found = []
    lying = [card for trick in hand.tricks for _, card in trick.plays]
    there = 0
    for mask in hand.hands:
        there |= mask
    if sum(mask.bit_count() for mask in hand.hands) + len(lying) != 4 * hand.size:
        found.append("a card is there twice or not at all")
    if (there | sum(1 << card for card in set(lying))).bit_count() != 4 * hand.size:
        found.append("the cards are not distinct")
    for seat in SEATS:
        if hand.held[seat] != hand.hands[seat].bit_count():
            found.append(f"{seat}: the count of cards is wrong")
        if hand.seen[seat] & ~hand.hands[seat]:
            found.append(f"{seat}: a card is seen that is not there")
        if hand.exposed[seat] & ~hand.seen[seat]:
            found.append(f"{seat}: a card is liable to be called that nobody has seen")
    return found


def _tricks(hand: Hand) -> list[str]:
    found = []
    if hand.ended and sum(hand.taken) != 13:
        found.append(f"the tricks are {hand.taken}")
    if not hand.ended and sum(hand.taken) != 13 - hand.size + sum(trick.winner is not None for trick in hand.tricks):
        found.append(f"the tricks taken are {hand.taken} while {len(hand.tricks)} have been led to")
    for number, trick in enumerate(hand.tricks, 14 - hand.size):
        seats = [seat for seat, _ in trick.plays]
        if trick.number != number or len(set(seats)) != len(seats) or not seats:
            found.append(f"trick {number} is {trick}")
        if (trick.stage is Stage.OPEN) != (len(seats) < 4) or (trick.winner is None) != (len(seats) < 4):
            found.append(f"trick {number} of {len(seats)} cards is {trick.stage}, won by {trick.winner}")
        if trick.stage is Stage.OPEN and number != hand.tricks[-1].number:
            found.append(f"trick {number} is open and the next is led")
        if trick.stage is not Stage.QUITTED and number < hand.tricks[-1].number - 1:
            found.append(f"trick {number} is long past and not quitted")
    return found


def _rights(hand: Hand) -> list[str]:
    found = []
    if len({right.id for right in hand.rights}) != len(hand.rights):
        found.append("two rights have one number")
    withdrawn = [one for one in hand.revokes if one.stage is RevokeStage.WITHDRAWN]
    if not hand.ended and [one.seat for one in withdrawn] != ([hand.mending] if hand.mending is not None else []):
        found.append(f"{hand.mending} is mending, and withdrawn are {withdrawn}")
    numbers = [one.number for one in hand.revokes if one.number]
    if sorted(numbers) != list(range(1, hand.proved + 1)):
        found.append(f"the proved revokes are numbered {numbers}")
    asked = [one.seat for one in hand.renounces if one.asked and one.answer is None]
    if not hand.ended and hand.question is not (asked[0] if asked else None):
        found.append(f"{hand.question} is asked, and unanswered are {asked}")
    return found


class Umpire:
    """Watches a game and fails at the first act after which something does not hold."""

    def __init__(self, game: Game) -> None:
        self.most = 0
        self.kinds: Counter[str] = Counter()
        game.watchers.append(self.look)

    def look(self, game: Game, before: State, act: Act, result: Verdict | Refusal) -> None:
        if isinstance(result, Refusal):
            assert game.state is before, act
            self.kinds[result.why] += 1
            return
        assert result.events, f"{act} is accepted and nothing happened"
        self.most = max(self.most, len(result.events))
        self.kinds.update(type(event).__name__ for event in result.events)
        assert replay(before, result.events) == result.state, act
        found = faults(result.state)
        assert not found, (act, found)


def umpired(chance: random.Random, code: Code, enforcement: Enforcement) -> tuple[Game, Umpire]:
    """A random table, acted at for a while and then brought to an end by nothing but what is waited for."""
    game = Game(fresh(chance, code, enforcement), chance)
    umpire = Umpire(game)
    run(game, wildness=chance.choice((0.1, 0.3, 0.6, 0.85)), acts=chance.choice((20, 60, 150, 400)))
    finish(game)
    return game, umpire


def test_whatever_is_done_at_a_table(size: Size, seed: int) -> None:
    """Cards stay 52 and distinct, tricks make 13, the log gives the state, a refusal changes nothing, and every hand ends."""
    kinds = tables(random.Random(seed))
    seen: Counter[str] = Counter()
    most = 0
    for number in range(size(400, 5_000)):
        code, enforcement = next(kinds)
        chance = random.Random(f"{seed} {number}")
        try:
            game, umpire = umpired(chance, code, enforcement)
        except AssertionError as wrong:
            raise AssertionError(f"table {seed} {number}, {code.id}, {enforcement}: {wrong}") from wrong
        assert replay(game.start, game.log) == game.state
        seen += umpire.kinds
        most = max(most, umpire.most)
    assert most <= EVENTS_SEEN_MAX
    expected = {kind.__name__ for kind in e.Event.__args__}
    assert len(expected - set(seen)) <= len(expected) // 10, f"never happened: {sorted(expected - set(seen))}"


def test_from_anywhere_a_rubber_comes_to_its_end(size: Size, seed: int) -> None:
    """From a table in any disorder, doing only what it waits for, keeping the laws and leaving choices to the clock, ends it."""
    kinds = tables(random.Random(seed))
    for number in range(size(25, 400)):
        chance = random.Random(f"{seed} {number}")
        game = Game(fresh(chance, *next(kinds)), chance)
        Umpire(game)
        run(game, wildness=0.6, acts=chance.choice((30, 200)))
        finish(game, hands=60)
        assert game.state.phase is Phase.OVER
        assert awaits(game.state) == ()
        assert game.state.rubber is not None


@given(st.integers(0, 2**32), st.sampled_from([*CODES.values()]), st.sampled_from(Enforcement), st.data())
def test_any_act_gets_an_answer(number: int, code: Code, enforcement: Enforcement, data: st.DataObject) -> None:
    """Every act that can be written down is accepted or refused for a reason, by any actor at any moment, and never an error."""
    chance = random.Random(number)
    game = Game(fresh(chance, code, enforcement), chance)
    run(game, wildness=0.3, acts=chance.randint(0, 80))
    for _ in range(8):
        actor = data.draw(st.sampled_from([*SEATS, *Official]))
        command = data.draw(commands)
        result = game.do(actor, command)
        if isinstance(result, Refusal):
            assert judge(game.state, actor, command) == result
        assert not faults(game.state)


def test_the_short_way_of_a_card_is_the_long_one(size: Size, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card in a regular hand, judged without asking after irregularities, has the consequences it has when all are asked after."""
    kinds = tables(random.Random(seed))
    for number in range(size(60, 1_500)):
        chance = random.Random(f"{seed} {number}")
        game = Game(fresh(chance, *next(kinds)), chance)
        run(game, wildness=0.3, acts=120)
        with monkeypatch.context() as patched:
            patched.setattr(decide, "_quiet", lambda _state, _event: False)
            state = game.start
            for actor, command in game.acts:
                result = judge(state, actor, command)
                state = result.state if isinstance(result, Verdict) else state
        assert state == game.state


def test_a_broken_record_is_found(seed: int) -> None:
    """These checks do find a card lost or doubled, a trick miscounted and a question forgotten."""
    chance = random.Random(seed)
    game = Game(ending(chance, CODES["english-1864"], Enforcement.CLUB, size=8), chance)
    run(game, wildness=0, acts=10)
    assert not faults(game.state)
    played = next(event for event in game.log if isinstance(event, e.CardPlayed))
    other = next(seat for seat in SEATS if seat is not played.seat)
    assert faults(evolve(game.state, e.CardReturned(other, played.card, played.trick, ())))
    assert faults(evolve(game.state, e.CardsExposed(played.seat, (played.card,), ())))
    assert faults(evolve(game.state, e.RightClosed(99, "used", None, ()))) == []
    assert faults(evolve(game.state, e.RevokeProved(3, played.seat, 6, None, None, None, ())))


def test_what_is_waited_for_has_somebody_to_do_it(size: Size, seed: int) -> None:
    """At any moment but the deal and the linger, which the house and the clock see to, somebody named is waited for."""
    kinds = tables(random.Random(seed))
    for number in range(size(100, 2_000)):
        chance = random.Random(f"{seed} {number}")
        game = Game(fresh(chance, *next(kinds)), chance)
        for _ in range(40):
            for one in awaits(game.state):
                assert bool(one.seats) is (one.kind not in {AwaitKind.DEAL, AwaitKind.LINGER}), one
                assert (
                    game.state.hand is None
                    or game.state.hand.dummy not in one.seats
                    or one.kind
                    in {
                        AwaitKind.CLAIMS,
                        AwaitKind.NEW_CARDS,
                    }
                )
            run(game, wildness=0.4, acts=3)


# What no player can bring about where the table allows no irregularity (R3), and what it allows of a revoke at a guided one.
IRREGULAR = {
    "LedOutOfTurn", "LeadCondoned", "CardsExposed", "CardsShown", "CardsPickedUp", "LedOn", "LedTogether", "LaidTogether",
    "RightOpened", "Called", "CallLost", "SaidMine", "CardNamed", "TrumpForgotten", "TrumpLeft", "ThrewDown", "GameClaimed",
    "RestClaimed", "Mixed", "ScoreMarked", "SpokenOutOfTurn", "DoublingLost", "LedEarly", "DealVoided",
    "RevokeMade", "RevokeEstablished", "RevokeProved", "CardWithdrawn", "CardChanged", "CardReturned", "PenaltyExacted",
}  # fmt: skip
OF_A_REVOKE = {
    "RevokeMade", "RevokeEstablished", "RevokeProved", "CardWithdrawn", "CardChanged", "CardReturned", "PenaltyExacted",
    "RightOpened", "Called", "CallLost", "CardsExposed", "CardsShown", "CardsPickedUp",
}  # fmt: skip


@pytest.mark.parametrize("enforcement", [Enforcement.STRICT, Enforcement.GUIDED])
def test_nothing_irregular_happens_but_revokes_at_a_guided_table(
    enforcement: Enforcement, size: Size, seed: int
) -> None:
    """Where irregular acts are refused none happens, whatever is tried, save that at a guided table one may revoke (R3)."""
    happened: Counter[str] = Counter()
    for number in range(size(60, 1_500)):
        chance = random.Random(f"{seed} {enforcement} {number}")
        game = Game(fresh(chance, chance.choice([*CODES.values()]), enforcement), chance)
        run(game, wildness=0.6, acts=150)
        happened.update(type(event).__name__ for event in game.log)
        kinds = {event.right.kind for event in game.log if isinstance(event, e.RightOpened)}
        assert kinds <= {RightKind.CORRECTION}, kinds
    allowed = OF_A_REVOKE if enforcement is Enforcement.GUIDED else set()
    assert not set(happened) & IRREGULAR - allowed
    assert {"CardPlayed", "OfferMade", "HandEnded"} <= set(happened)
    assert ("CardWithdrawn" in happened) is (enforcement is Enforcement.GUIDED)
