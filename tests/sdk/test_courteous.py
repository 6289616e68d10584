"""The manners of the courteous bot, in positions."""

from random import Random

import pytest

from oddtrick_rules.cards import Suit, card_named
from oddtrick_rules.commands import Answer, Ask, ClaimRevoke, Command, Play, Quit, Withdraw
from oddtrick_rules.events import CardPlayed, Renounced, RevokeCharged, TrickCompleted
from oddtrick_rules.evolve import evolve
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import State
from oddtrick_sdk.bot import moment_of
from oddtrick_sdk.bots.brain import Moment
from oddtrick_sdk.bots.courteous import CourteousBrain
from oddtrick_sdk.testing import view_of
from oddtrick_sdk.view import View, name_of

BRAIN = CourteousBrain(Random(0))


def card_of(view: View) -> str:
    act = BRAIN.act(moment_of(view))
    assert isinstance(act, Play)
    return name_of(act.card)


# Each row: the maxim, our hand, what lies (we are North), what we play. Hearts are trumps.
POSITIONS = [
    ("second hand low", "SA S9 S3", "W S5", "S3"),
    ("second hand low with the queen", "SQ S9 S3", "W S5", "S3"),
    ("second hand covers an honour", "SK S9 S3", "W SQ", "SK"),
    ("second hand covers the ten with the knave", "SJ S4 S3", "W ST", "SJ"),
    ("second hand covers with the lowest that does", "SA SK S3", "W SQ", "SK"),
    ("second hand cannot cover", "SJ S9 S3", "W SQ", "S3"),
    ("second hand with ace and king", "SA SK S3", "W S5", "SK"),
    ("third hand high", "SK S9 S3", "S S5, W S7", "SK"),
    ("third hand plays the lowest of equals", "SK SQ S3", "S S5, W S7", "SQ"),
    ("third hand counts what has been played as equal", "SK SJ S3", "S S5, W SQ", "SK"),
    ("third hand leaves partner's ace alone", "SK S9 S3", "S SA, W S7", "S3"),
    ("third hand leaves partner's card if his own is no better", "SJ S9 S3", "S ST, W S7", "S3"),
    ("third hand that cannot win plays low", "SQ S9 S3", "S S5, W SK", "S3"),
    ("third hand does not waste a high card on a trump", "SK S9 S3", "S S5, W H2", "S3"),
    ("fourth hand wins cheaply", "SK SJ S3", "E S5, S S7, W ST", "SJ"),
    ("fourth hand leaves partner's trick alone", "SK SJ S3", "E S5, S SQ, W S2", "S3"),
    ("fourth hand that cannot win plays low", "SQ SJ S3", "E SK, S S7, W S2", "S3"),
    ("void, it trumps with the lowest that wins", "H4 H9 D2", "E S5, S S7, W ST", "H4"),
    ("void, it overtrumps", "H4 H9 D2", "E S5, S S7, W H7", "H9"),
    ("void, it cannot overtrump and throws away", "H4 H5 D2", "E S5, S S7, W H7", "D2"),
    ("void, it leaves partner's trick alone", "H4 H9 D2", "E S5, S ST, W S7", "D2"),
    ("void, it throws the lowest from the longest suit", "D2 C2 C9 C8", "E S5, S ST, W S7", "C2"),
    ("leads the top of touching honours", "SK SQ S4 D2 C3", "", "SK"),
    ("leads the fourth best of its longest suit", "SK ST S7 S4 S2 D3", "", "S4"),
    ("leads trumps from five", "HA HT H8 H5 H3 SA", "", "H5"),
    ("plays the only card", "S2", "W S5", "S2"),
]


@pytest.mark.parametrize(("maxim", "hand", "trick", "card"), POSITIONS, ids=[row[0] for row in POSITIONS])
def test_it_plays_by_the_maxims(maxim: str, hand: str, trick: str, card: str) -> None:
    """B78: a bot did not return its partner's suit; here the card that the maxim of whist asks for is the one played."""
    assert card_of(view_of("N", hand=hand, trick=trick, trump="H")) == card


@pytest.mark.parametrize(("hand", "card"), [("D9 D4 SA SK SQ", "D9"), ("DQ D9 D6 D4 SA", "D4"), ("SA SK SQ", "SA")])
def test_it_returns_partners_lead(hand: str, card: str) -> None:
    """The suit partner led first is led back: the highest of a few, the lowest of many; without it, one's own suit."""
    played = ("S D5, W D7, N DA, E D2",)
    assert card_of(view_of("N", hand=hand, played=played, trump="H")) == card


def test_its_own_lead_is_not_partners() -> None:
    """A suit that we led ourselves and partner merely followed is not returned as his."""
    played = ("N D3, E D2, S DA, W D7", "S C5, W C3, N CA, E C2")
    assert card_of(view_of("N", hand="C9 S3 S4 S5 S6", played=played, trump="H")) == "C9"


# --- besides the play ---


def renounced(state: State, seat: Seat, trick: int, card: str) -> State:
    """The state after everybody has seen that a spade was not followed."""
    return evolve(state, Renounced(seat, trick, Suit.S, card_named(card)))


def moment(view: View, state: State, *acts: Command, kind: str = "") -> Moment:
    return Moment(view=state, seat=view.seat, kind=kind, acts=acts)


def test_it_asks_its_partner() -> None:
    """Whenever it may ask `none?`, it does."""
    view = view_of("N", hand="SA SK", trick="W S5, N S4, E S3, S H2", kind="")
    assert BRAIN.act(moment(view, view.state, Ask())) == Ask()


@pytest.mark.parametrize(("hand", "none"), [("S4 D9", False), ("D4 D9", True)])
def test_it_answers_truly(hand: str, none: bool) -> None:  # noqa: FBT001
    """Asked, it looks: `none` only if it has none."""
    view = view_of("N", hand=hand, trick="W S5, N D8", kind="")
    state = renounced(view.state, Seat.N, 11, "D8")
    answers = (Answer(none=True), Answer(none=False))
    assert BRAIN.act(moment(view, state, *answers, kind="question")) == Answer(none=none)


@pytest.mark.parametrize(("hand", "does"), [("S4 D9", Withdraw()), ("D4 D9", None)])
def test_it_takes_back_its_own_revoke_and_no_true_renounce(hand: str, does: Command | None) -> None:
    """It withdraws a card if the suit is still in its hand, and only then, though the list offers it after each renounce."""
    view = view_of("N", hand=hand, trick="W S5, N D8", kind="")
    state = renounced(view.state, Seat.N, 11, "D8")
    assert BRAIN.act(moment(view, state, Withdraw())) == does


FIRST = "W S5, N S4, E D3, S S2"
GUILTY = 9  # the number of the first of five tricks


def after_a_renounce(seat: str, trick: str) -> Moment:
    """East has played a diamond to a spade in the first trick; then this trick lies."""
    view = view_of(
        seat, hand="SA SK" if seat == "N" else "CA CK", played=(FIRST, "W CT, N C2, E C3, S C4"), trick=trick, kind=""
    )
    return moment(view, renounced(view.state, Seat.E, GUILTY, "D3"))


@pytest.mark.parametrize(
    ("trick", "charge"),
    [("W S9, N SQ", None), ("W S9, N SQ, E D8", None), ("W S9, N SQ, E S8", ClaimRevoke(Seat.E, GUILTY))],
)
def test_it_charges_only_what_the_cards_have_proved(trick: str, charge: Command | None) -> None:
    """A renounce is no proof, nor a second one; the suit coming out of that hand later is."""
    assert BRAIN.act(after_a_renounce("N", trick)) == charge


def test_it_never_charges_its_partner() -> None:
    """A revoke of its own side is not its business."""
    assert BRAIN.act(after_a_renounce("W", "W S9, N SQ, E S8")) is None


def test_it_charges_once() -> None:
    """What it has charged already it does not charge again."""
    before = after_a_renounce("N", "W S9, N SQ, E S8")
    charged = evolve(before.view, RevokeCharged(1, Seat.N, Seat.E, GUILTY, ()))
    assert BRAIN.act(Moment(view=charged, seat=Seat.N)) is None


def test_it_lets_a_trick_lie() -> None:
    """It never quits a trick where a clock does."""
    assert BRAIN.act(Moment(view=lying("N SQ"), seat=Seat.N, acts=(Quit(),))) is None


@pytest.mark.parametrize(("play", "does"), [("N SQ", Quit()), ("N S4", None)])
def test_without_a_clock_it_quits_the_trick_it_has_won(play: str, does: Command | None) -> None:
    """At a table without a linger the winner quits, and nobody else."""
    assert BRAIN.act(Moment(view=lying(play), seat=Seat.N, acts=(Quit(),), linger_by_hand=True)) == does


def lying(play: str) -> State:
    """A complete trick that nobody has quitted."""
    view = view_of("N", hand="SA SK", trick=f"W S5, {play}, E S3", kind="")
    state = evolve(view.state, CardPlayed(Seat.S, card_named("S2"), 11))
    winner = Seat.N if play == "N SQ" else Seat.W
    return evolve(state, TrickCompleted(11, winner))


def test_it_plays_the_same_for_every_seed() -> None:
    """Its play follows from the cards alone."""
    view = view_of("N", hand="SK SQ S4 D2 C3", trump="H")
    acts = {CourteousBrain(Random(seed)).act(moment_of(view)) for seed in range(20)}
    assert len(acts) == 1
