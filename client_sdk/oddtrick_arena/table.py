"""A table without a server: four bots, the judge, and a clock that never waits.

It asks the bots in the order in which a patient table would hear them: whoever may put something right, ask or charge
speaks before the next card is played, and a trick is quitted by the clock when nobody has anything to say about it.
What a bot is shown is its own seat's view, made by the same `view` that the server uses, so a bot cannot tell where
it plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from oddtrick_protocol.table_info import TableInfo
from oddtrick_rules.awaits import Await, AwaitKind, awaits
from oddtrick_rules.cards import PACK, Card, cards_in
from oddtrick_rules.code import Code
from oddtrick_rules.commands import Command, Deal, Lapse, Quit
from oddtrick_rules.decide import judge
from oddtrick_rules.events import Event
from oddtrick_rules.legal import dynamic
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SEATS, Actor, Official, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase, State
from oddtrick_rules.turns import playable
from oddtrick_rules.views import view
from oddtrick_sdk.driver import Driver
from oddtrick_sdk.view import View

REFUSALS_MAX: Final = 8  # of one seat at one moment, before the stand-in speaks for it
STEPS_PER_HAND_MAX: Final = 5_000


@dataclass(frozen=True, slots=True)
class Acted:
    """One step of the table's log: who did what, and what came of it."""

    actor: Actor
    command: Command
    events: tuple[Event, ...]


def shuffled(chance: Random, dealer: Seat) -> Deal:
    """Return a deal drawn from that chance; the dealer's last card is turned up."""
    pack = list(PACK)
    chance.shuffle(pack)
    return dealt(pack, dealer)


def dealt(pack: Sequence[Card], dealer: Seat) -> Deal:
    """Return the deal of a pack in that order, one card at a time from the dealer's left."""
    north, east, south, west = (tuple(pack[(seat - dealer - 1) % 4 :: 4]) for seat in SEATS)
    return Deal((north, east, south, west), pack[-1])


@dataclass
class ArenaTable:
    """A rubber played by four bots, one driver to a seat. `log` is everything that was done, in order."""

    drivers: Sequence[Driver]
    state: State
    chance: Random
    info: TableInfo = field(default_factory=TableInfo)
    log: list[Acted] = field(default_factory=list)

    @classmethod
    def opened(
        cls, drivers: Sequence[Driver], *, code: Code, enforcement: Enforcement, chance: Random, dealer: Seat = Seat.N
    ) -> ArenaTable:
        """Return a table at the beginning of a rubber."""
        state = rubber(code, enforcement=enforcement, dealer=dealer)
        return cls(drivers, state, chance, TableInfo(code=code.id, enforcement=enforcement))

    async def play_rubber(self) -> State:
        """Play to the end of the rubber; return the state then."""
        while self.state.phase is not Phase.OVER:
            await self.play_hand()
        return self.state

    async def play_hand(self, deal: Deal | None = None) -> State:
        """Deal (that deal, or one by chance), and play until the pack is cut for the next."""
        if self.state.phase is Phase.TO_DEAL:
            self.do(Official.HOUSE, deal if deal is not None else self._deal())
        for _ in range(STEPS_PER_HAND_MAX):
            if self.state.phase in {Phase.TO_DEAL, Phase.OVER}:
                return self.state
            await self.step()
        raise RuntimeError(f"a hand of more than {STEPS_PER_HAND_MAX} acts")

    def _deal(self) -> Deal:
        deal = shuffled(self.chance, self.state.dealer)
        return deal if self.state.code.turned_trump else Deal(deal.hands)

    async def step(self) -> None:
        """Let somebody act: who has something to say, else who is waited for, else the clock."""
        waiting = awaits(self.state)
        if await self._unasked(waiting):
            return
        for wait in waiting:
            if wait.kind is AwaitKind.LINGER:
                continue
            lingering = wait.kind is AwaitKind.TURN and any(one.kind is AwaitKind.LINGER for one in waiting)
            if lingering:
                self.do(Official.CLOCK, Quit())
                return
            for seat in wait.seats:
                if await self._ask(seat, wait):
                    return
        self._clock(waiting)

    async def _unasked(self, waiting: tuple[Await, ...]) -> bool:
        """Let those of whom nothing is asked act; tell whether one did."""
        asked = {seat for wait in waiting for seat in wait.seats}
        for seat in SEATS:
            if seat not in asked and await self._ask(seat, None):
                return True
        return False

    async def _ask(self, seat: Seat, wait: Await | None) -> bool:
        """Ask a bot until it does something lawful or has nothing to do; tell whether it did."""
        driver = self.drivers[seat]
        shown = self.shown(seat, wait)
        for _ in range(REFUSALS_MAX):
            command = await driver.act(shown)
            if command is None:
                return False
            if self.do(seat, command):
                return True
            if wait is None:
                return False
        instead = driver.instead(shown)
        return instead is not None and self.do(seat, instead)

    def shown(self, seat: Seat, wait: Await | None) -> View:
        """Return what that seat's bot is shown."""
        seen = view(self.state, seat)
        cards = () if wait is None or wait.seat is None else cards_in(playable(seen, wait.seat))
        return View(
            state=seen,
            seat=seat,
            acts=dynamic(self.state, seat),
            playable=cards,
            kind="" if wait is None else wait.kind,
            right_id=None if wait is None or not wait.about else wait.about,
            info=self.info,
        )

    def do(self, actor: Actor, command: Command) -> bool:
        """Give a command to the judge; tell whether it was accepted."""
        verdict = judge(self.state, actor, command)
        if isinstance(verdict, Refusal):
            return False
        self.log.append(Acted(actor, command, verdict.events))
        self.state = verdict.state
        return True

    def _clock(self, waiting: tuple[Await, ...]) -> None:
        """The time of whatever is waited for has run out (R32)."""
        if any(wait.kind is AwaitKind.LINGER for wait in waiting) and self.do(Official.CLOCK, Quit()):
            return
        if self.do(Official.CLOCK, Lapse()):
            return
        for wait in waiting:
            for seat in wait.seats:
                instead = self.drivers[seat].instead(self.shown(seat, wait))
                if instead is not None and self.do(seat, instead):
                    return
        raise RuntimeError(f"nobody can act: {waiting}")
