"""`Bot`: one class with one method that matters.

Every method may be `def` or `async def`, is given a `View`, and has a default that plays honestly. What a method
returns is sent; None lets the time pass. A method that raises, is not done in time or returns what is no act, costs
nothing but that choice (`driver.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable
from enum import Enum
from random import Random
from typing import Any, TypeAlias, TypeVar, cast

from oddtrick_rules.cards import Card, Suit
from oddtrick_rules.commands import (
    Answer,
    Ask,
    BeReady,
    BeSatisfied,
    ClaimHonours,
    ClaimRevoke,
    Command,
    Declare,
    Double,
    Elect,
    LeaveIt,
    Penalty,
    Play,
    Withdraw,
)
from oddtrick_rules.seats import Seat
from oddtrick_sdk.bots import honest
from oddtrick_sdk.bots.brain import Brain, Moment
from oddtrick_sdk.bots.registry import brain_named
from oddtrick_sdk.view import View

Returned = TypeVar("Returned")
Maybe: TypeAlias = Returned | Awaitable[Returned]


def moment_of(view: View) -> Moment:
    """Return what a brain is told of the same table."""
    return Moment(
        view=view.state,
        seat=view.seat,
        kind=view.kind,
        acts=view.acts,
        right=view.right_id,
        linger_by_hand=view.info.clocks.linger_ms == 0,
    )


async def settled(value: Maybe[Returned]) -> Returned:
    """Return a value, awaiting it first if it must be."""
    return await value if inspect.isawaitable(value) else value


class Bot:
    """A player. Override `play`; override more where you know better."""

    name = "bot"

    def play(self, view: View) -> Maybe[Card | Command]:
        """Your turn: return a card of `view.playable` (or of `view.hand`, if you mean to err), or another act."""
        raise TypeError(f"{type(self).__name__} must define play(view); it was shown {view.kind!r}")

    def ask(self, view: View) -> Maybe[bool]:
        """Your partner has just renounced: tell whether to ask him if he has none."""
        return honest.ask(moment_of(view)) is not None

    def answer(self, view: View) -> Maybe[bool | None]:
        """Your partner asks: have you none? True for none, None for silence. By default the truth."""
        act = honest.answer(moment_of(view))
        return act.none if isinstance(act, Answer) else None

    def withdraw(self, view: View) -> Maybe[bool]:
        """You may take your last card back: do you? By default if it was a revoke."""
        return honest.withdraw(moment_of(view)) is not None

    def claim(self, view: View) -> Maybe[tuple[Seat, int | None] | None]:
        """Charge an adversary with a revoke: whom, and in which trick. By default what the cards seen have proved."""
        act = honest.claim_revoke(moment_of(view))
        return (act.seat, act.trick) if isinstance(act, ClaimRevoke) else None

    def elect(self, view: View) -> Maybe[Penalty]:
        """Choose the penalty for a proved revoke."""
        act = honest.elect(moment_of(view))
        return act.penalty if isinstance(act, Elect) else Penalty.TRICKS

    def call(self, view: View) -> Maybe[Command | None]:
        """A penalty is open to you (`view.right`): choose one of `view.acts`; None lets it lapse."""
        return honest.choose(moment_of(view))

    def declare(self, view: View) -> Maybe[Suit | None]:
        """Bridge: name the trump, or None to leave it to your partner."""
        act = honest.declare(moment_of(view))
        return act.trump if isinstance(act, Declare) else None

    def double(self, view: View) -> Maybe[bool]:  # noqa: ARG002  # for who overrides it
        """Bridge: tell whether to double (or redouble)."""
        return False

    def honours(self, view: View) -> Maybe[bool]:
        """Call honours? By default if the cards show that your side held three or four."""
        return honest.honours(moment_of(view)) is not None

    def ready(self, view: View) -> Maybe[bool]:  # noqa: ARG002  # for who overrides it
        """Tell whether you have no more to claim from this hand. By default yes: `claim` and `honours` were asked before."""
        return True

    def offer(self, view: View) -> Maybe[Command | None]:
        """Somebody offers to end the hand, or asks leave to lead: answer with one of `view.acts`."""
        return honest.offer(moment_of(view))

    async def act(self, view: View) -> Command | None:
        """What to do now: asks the method that fits. Override this instead to see every moment raw."""
        methods = {
            "turn": self._turn,
            "question": self._question,
            "choice": self._choice,
            "election": self._election,
            "claims": self._claims,
            "declare": self._declare,
            "double": self._double,
            "offer": self._offer,
        }
        method = methods.get(view.kind)
        if method is not None:
            return await method(view)
        act = honest.ANSWERS.get(view.kind)
        command = act(moment_of(view)) if act is not None else None
        return command if command is not None else await self._unasked(view)

    async def _turn(self, view: View) -> Command | None:
        unasked = await self._unasked(view)
        if unasked is not None:
            return unasked
        chosen: Any = await settled(self.play(view))
        if isinstance(chosen, int) and not isinstance(chosen, bool | Enum):  # a suit or a seat is no card
            return Play(Card(chosen), None if view.playing == view.seat else view.playing)
        return cast(Command, chosen)

    async def _question(self, view: View) -> Command | None:
        none = await settled(self.answer(view))
        return None if none is None else Answer(none)

    async def _choice(self, view: View) -> Command | None:
        return await settled(self.call(view))

    async def _election(self, view: View) -> Command | None:
        elections = [act for act in view.acts if isinstance(act, Elect)]
        if not elections:
            return None
        penalty = await settled(self.elect(view))
        return Elect(penalty, elections[0].revoke)

    async def _claims(self, view: View) -> Command | None:
        if any(isinstance(act, Elect) for act in view.acts):
            return await self._election(view)
        charge = await self._charge(view)
        if charge is not None:
            return charge
        searched = honest.search(moment_of(view))
        if searched is not None:
            return searched
        called = next((act for act in view.acts if isinstance(act, ClaimHonours)), None)
        if called is not None and await settled(self.honours(view)):
            return called
        ready = next((act for act in view.acts if isinstance(act, BeReady)), None)
        return ready if ready is not None and await settled(self.ready(view)) else None

    async def _declare(self, view: View) -> Command | None:
        trump = await settled(self.declare(view))
        return LeaveIt() if trump is None else Declare(trump)

    async def _double(self, view: View) -> Command | None:
        doubling = next((act for act in view.acts if isinstance(act, Double)), None)
        if doubling is not None and await settled(self.double(view)):
            return doubling
        return honest.double(moment_of(view)) or BeSatisfied()

    async def _offer(self, view: View) -> Command | None:
        return await settled(self.offer(view))

    async def _charge(self, view: View) -> Command | None:
        charge = await settled(self.claim(view))
        return None if charge is None else ClaimRevoke(*charge)

    async def _unasked(self, view: View) -> Command | None:
        """What may be done though nobody asks: mend one's own error, question one's partner, charge an adversary."""
        if view.state.hand is None:
            return None
        if any(isinstance(act, Withdraw) for act in view.acts) and await settled(self.withdraw(view)):
            return Withdraw()
        if any(isinstance(act, Ask) for act in view.acts) and await settled(self.ask(view)):
            return Ask()
        return await self._charge(view) or honest.linger(moment_of(view))


class BrainBot(Bot):
    """A house bot as a `Bot`: it is given every moment raw."""

    def __init__(self, brain: Brain, name: str) -> None:
        self.brain = brain
        self.name = name

    async def act(self, view: View) -> Command | None:
        """Return the brain's act."""
        return self.brain.act(moment_of(view))


def house_bot(kind: str, chance: Random, *, name: str | None = None) -> Bot:
    """Return the house bot of that kind; ValueError that lists the kinds if there is none."""
    return BrainBot(brain_named(kind, chance), name or kind)
