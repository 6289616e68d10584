"""A bot that plays at random: lawfully, or now and then as nobody should.

With `irregular` it also plays cards it may not, takes cards back, throws its hand down, charges without cause:
whatever the table lets it try. It is for finding faults of servers and bots, and for practising claims.
"""

from __future__ import annotations

from random import Random

from oddtrick_rules.cards import cards_in
from oddtrick_rules.commands import (
    Bet,
    BetOn,
    CallNewCards,
    ClaimGame,
    ClaimRest,
    ClaimRevoke,
    Command,
    Consult,
    Cut,
    Forget,
    Gather,
    Mix,
    NameCard,
    Object,
    Play,
    PlayTogether,
    Quit,
    SayMine,
    Search,
    Show,
    ThrowDown,
    Waive,
    Withdraw,
)
from oddtrick_rules.seats import ADVERSARIES, Side
from oddtrick_rules.state import Phase
from oddtrick_sdk.bots import honest
from oddtrick_sdk.bots.brain import Moment


class RandomBrain:
    """Any lawful act; with probability `irregular`, any act at all."""

    def __init__(self, chance: Random, *, irregular: float = 0.0) -> None:
        self._chance = chance
        self._irregular = irregular

    def act(self, moment: Moment) -> Command | None:
        """Return a random act."""
        if self._irregular and self._chance.random() < self._irregular:
            return self._anything(moment)
        if moment.kind == "turn":
            return honest.linger(moment) or self._card(moment)
        if moment.kind in {"declare", "double", "choice", "election", "question"}:
            return self._one_of(moment) or honest.ANSWERS[moment.kind](moment)
        act = honest.ANSWERS.get(moment.kind)
        return act(moment) if act is not None else honest.linger(moment)

    def _card(self, moment: Moment) -> Command | None:
        cards = cards_in(moment.playable)
        return honest.play_of(moment, self._chance.choice(cards)) if cards else None

    def _one_of(self, moment: Moment) -> Command | None:
        wanted = [act for act in moment.acts if not isinstance(act, Cut | Waive)]
        return self._chance.choice(wanted) if wanted else None

    def _anything(self, moment: Moment) -> Command | None:
        """An act from the list of those that are open, or one that is not on it."""
        if moment.view.hand is None or moment.view.phase not in {Phase.PLAYING, Phase.CLAIMS}:
            return self._one_of(moment)
        choices: list[Command] = [act for act in moment.acts if not isinstance(act, ThrowDown | ClaimGame | ClaimRest)]
        choices += self._wild(moment)
        return self._chance.choice(choices)

    def _wild(self, moment: Moment) -> list[Command]:
        """A handful of acts that a careless or ill-bred player might do now."""
        chance, seat = self._chance, moment.seat
        adversary = chance.choice(ADVERSARIES[seat])
        trick = chance.randint(1, 13)
        wild: list[Command] = [Withdraw(), Object(), Quit(), Gather(), Consult(), SayMine(), Search(), Mix()]
        wild += [ClaimRevoke(adversary, trick), ClaimRevoke(adversary), Bet(1, BetOn.SCORE, Side.NS), CallNewCards()]
        wild.append(Forget())
        held = list(cards_in(moment.hand.hands[seat]))
        if held:
            wild += [Play(chance.choice(held)) for _ in range(6)]
            wild += [Show((chance.choice(held),)), NameCard(chance.choice(held))]
        if len(held) > 1:
            wild.append(PlayTogether(tuple(chance.sample(held, 2))))
        if chance.random() < 0.05:
            wild += [ThrowDown(), ClaimRest(), ClaimGame()]
        return wild
