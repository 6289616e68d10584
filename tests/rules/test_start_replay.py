"""How a table begins, and how its log gives its state again."""

import random

import pytest

from oddtrick_rules.cards import Suit, card_named, mask_of
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES, code_named
from oddtrick_rules.commands import Deal, Play
from oddtrick_rules.decide import Verdict, decide, judge
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.replay import replay, steps
from oddtrick_rules.seats import LEFT, PARTNER, Official, Seat
from oddtrick_rules.start import position, rubber
from oddtrick_rules.state import Enforcement, Masks, Phase
from support.driver import Game, dealt, ending, finish, run

WHIST, BRIDGE = CODES["english-1864"], CODES["bridge-1904"]


def hands(*names: str) -> Masks:
    """Four hands of cards by name."""
    n, e, s, w = (mask_of(card_named(card) for card in hand.split()) for hand in names)
    return n, e, s, w


TWO_EACH = hands("SA H2", "S3 D4", "S4 D5", "S5 C2")


@pytest.mark.parametrize("code", [*CODES.values()], ids=[*CODES])
def test_a_rubber_begins_at_love_all(code: Code) -> None:
    """Before the first deal nothing is scored and the house is waited for."""
    state = rubber(code, enforcement=Enforcement.GUIDED, dealer=Seat.S)
    assert (state.score, state.games, state.phase, state.hand) == ((0, 0), ((), ()), Phase.TO_DEAL, None)


@pytest.mark.parametrize("code", [*CODES.values()], ids=[*CODES])
def test_the_house_deals(code: Code) -> None:
    """Thirteen cards each, the eldest hand to lead or, at bridge, the dealer to declare."""
    state = rubber(code, enforcement=Enforcement.CLUB, dealer=Seat.S)
    deal = dealt(random.Random(1), state)
    verdict = judge(state, Official.HOUSE, deal)
    assert isinstance(verdict, Verdict)
    hand = verdict.state.hand
    assert hand is not None
    assert [mask.bit_count() for mask in hand.hands] == [13] * 4
    assert hand.leader is LEFT[Seat.S]
    assert verdict.state.phase is (Phase.DECLARING if code.dummy else Phase.PLAYING)


@pytest.mark.parametrize(
    "wrong", ["a player deals", "twelve cards", "a card twice", "another's trump card", "no trump card"]
)
def test_a_deal_that_is_none_is_refused(wrong: str) -> None:
    """Only the house deals, the whole pack, with the dealer's card turned up."""
    state = rubber(WHIST, enforcement=Enforcement.CLUB, dealer=Seat.S)
    deal = dealt(random.Random(1), state)
    actor = Seat.S if wrong == "a player deals" else Official.HOUSE
    n, e, s, w = deal.hands
    if wrong == "twelve cards":
        deal = Deal((n[:12], e, s, w), deal.turned)
    if wrong == "a card twice":
        deal = Deal((n, (*e[:12], n[0]), s, w), deal.turned)
    if wrong == "another's trump card":
        deal = Deal(deal.hands, n[0])
    if wrong == "no trump card":
        deal = Deal(deal.hands, None)
    result = judge(state, actor, deal)
    assert isinstance(result, Refusal)
    assert result.why is (Why.NOT_YOURS if actor is Seat.S else Why.MALFORMED)


def test_an_ending_is_set_up() -> None:
    """An ending has its tricks taken, its leader, and at bridge dummy's hand on the table."""
    state = position(
        BRIDGE, enforcement=Enforcement.CLUB, dealer=Seat.S, hands=TWO_EACH, trump=Suit.H, leader=Seat.W, tricks=(6, 5)
    )
    assert state.hand is not None
    assert (state.hand.taken, state.hand.leader, state.hand.dummy) == ((6, 5), Seat.W, PARTNER[Seat.S])
    assert state.hand.seen[Seat.N] == TWO_EACH[Seat.N]
    whist = position(WHIST, enforcement=Enforcement.CLUB, dealer=Seat.S, hands=TWO_EACH, trump=Suit.H, tricks=(6, 5))
    assert whist.hand is not None
    assert (whist.hand.leader, whist.hand.dummy, whist.hand.seen) == (Seat.W, None, (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"hands": hands("SA H2", "S3", "S4 D5", "S5 C2")}, "equally long"),
        ({"hands": (0, 0, 0, 0), "tricks": (7, 6)}, "equally long"),
        ({"hands": hands("SA H2", "SA D4", "S4 D5", "S5 C2")}, "in two hands"),
        ({"tricks": (6, 6)}, "do not make thirteen"),
        ({"turned": card_named("SA")}, "not in the dealer's hand"),
        ({"trump": None}, "a trump suit"),
    ],
)
def test_a_position_that_cannot_be_is_refused(given: dict[str, object], told: str) -> None:
    """What is wrong with a position is said, and nothing is set up."""
    right: dict[str, object] = {"hands": TWO_EACH, "trump": Suit.H, "tricks": (6, 5)}
    with pytest.raises(ValueError, match=told):
        position(WHIST, enforcement=Enforcement.CLUB, dealer=Seat.S, **(right | given))  # type: ignore[arg-type]


def test_the_trump_card_lies_face_up_in_a_position() -> None:
    """A turned card is seen by all and its suit is trumps."""
    state = position(
        WHIST,
        enforcement=Enforcement.CLUB,
        dealer=Seat.W,
        hands=TWO_EACH,
        trump=None,
        turned=card_named("C2"),
        tricks=(6, 5),
    )
    assert state.hand is not None
    assert (state.hand.trump, state.hand.seen[Seat.W]) == (Suit.C, 1 << card_named("C2"))


def test_codes_are_known_by_name() -> None:
    """A code has its id, and an unknown one is said to be so with those there are."""
    assert [code_named(name).id for name in CODES] == [*CODES]
    with pytest.raises(ValueError, match="english-1864, whist-1900, bridge-1904"):
        code_named("hoyle-1742")


def test_a_log_gives_the_state_again_step_by_step() -> None:
    """Folding the log from the start passes through every state there was and ends in the last."""
    chance = random.Random(3)
    game = Game(ending(chance, WHIST, Enforcement.CLUB, size=6), chance)
    passed = [game.state]
    game.watchers.append(lambda game, _before, _act, _result: passed.append(game.state))
    run(game, wildness=0.4, acts=60)
    finish(game)
    states = list(steps(game.start, game.log))
    assert states[0] == game.start
    assert states[-1] == game.state == replay(game.start, game.log)
    assert all(any(state == one for one in states) for state in passed)


def test_deciding_is_judging_without_the_state() -> None:
    """`decide` gives the events of the verdict, or the refusal."""
    state = position(WHIST, enforcement=Enforcement.CLUB, dealer=Seat.W, hands=TWO_EACH, trump=Suit.H, tricks=(6, 5))
    verdict = judge(state, Seat.N, Play(card_named("SA")))
    assert isinstance(verdict, Verdict)
    assert decide(state, Seat.N, Play(card_named("SA"))) == verdict.events
    assert decide(state, Seat.N, Play(card_named("S3"))) == judge(state, Seat.N, Play(card_named("S3")))
