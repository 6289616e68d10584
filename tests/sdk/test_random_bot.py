"""The bot that plays at random, lawfully or not."""

from collections import Counter
from random import Random

import pytest

from oddtrick_rules.cards import PACK
from oddtrick_rules.commands import Command, Play
from oddtrick_sdk.bot import moment_of
from oddtrick_sdk.bots.brain import Moment
from oddtrick_sdk.bots.random_bot import RandomBrain
from oddtrick_sdk.testing import view_of

TURN = moment_of(view_of("N", hand="SA SK S9 H2 H3 D4", trick="W S4", enforcement="club"))


def acts(brain: RandomBrain, moment: Moment, times: int = 400) -> Counter[Command | None]:
    return Counter(brain.act(moment) for _ in range(times))


def test_without_irregularity_it_plays_every_lawful_card_and_no_other(seed: int) -> None:
    """Each card that keeps the laws is played now and then, and nothing else is ever done."""
    played = acts(RandomBrain(Random(seed)), TURN)
    lawful = {Play(card) for card in PACK if TURN.playable >> card & 1}
    assert set(played) == lawful
    assert len(lawful) == 3


def test_with_irregularity_it_does_what_nobody_should(seed: int) -> None:
    """Cards that do not follow, charges without cause, words and throw-downs all come up, and lawful play as well."""
    done = acts(RandomBrain(Random(seed), irregular=0.5), TURN, times=3_000)
    kinds = {type(act).__name__ for act in done}
    assert {"Play", "PlayTogether", "Show", "NameCard", "ClaimRevoke", "Withdraw", "SayMine", "Mix"} <= kinds
    lawful = sum(count for act, count in done.items() if isinstance(act, Play) and TURN.playable >> act.card & 1)
    revokes = sum(count for act, count in done.items() if isinstance(act, Play) and not TURN.playable >> act.card & 1)
    assert lawful > revokes > 0


def test_the_same_chance_gives_the_same_acts(seed: int) -> None:
    """Its play is fixed by its seed."""
    one, other = (RandomBrain(Random(seed), irregular=0.3) for _ in range(2))
    assert [one.act(TURN) for _ in range(100)] == [other.act(TURN) for _ in range(100)]


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_it_never_names_a_card_it_does_not_hold(share: float, seed: int) -> None:
    """However irregular, it plays and shows its own cards: it knows no others."""
    brain = RandomBrain(Random(seed), irregular=share)
    held = TURN.hand.hands[TURN.seat]
    for act in acts(brain, TURN):
        cards = getattr(act, "cards", (getattr(act, "card", None),))
        assert all(card is None or held >> card & 1 for card in cards), act
