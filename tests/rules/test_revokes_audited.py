"""A second umpire for the revoke: he watches the cards, knows the laws by heart and must find what the engine noted in secret."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from oddtrick_rules import events as e
from oddtrick_rules.decide import Verdict
from oddtrick_rules.evolve import evolve
from oddtrick_rules.laws import revoke
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import SIDE, Seat
from oddtrick_rules.state import Enforcement, Phase, RevokeStage, State
from support.driver import Act, Game, finish, fresh, run, tables, throw_in

if TYPE_CHECKING:
    from conftest import Size

WHIST = ("english-1864", "whist-1900")


@dataclass
class Failure:
    """A card that did not follow suit though one could: asked about, answered, beyond correction or not."""

    asked: bool = False
    answer: str = ""
    quitted: bool = False
    established: bool = False


class Auditor:
    """Notes every failure to follow suit that lies on the table, and when it can no longer be put right."""

    def __init__(self, game: Game) -> None:
        self.lying: dict[tuple[Seat, int], Failure] = {}
        self.kinds: Counter[str] = Counter()
        game.watchers.append(self.look)

    def look(self, game: Game, before: State, act: Act, result: Verdict | Refusal) -> None:
        if not isinstance(result, Verdict):
            return
        state = before
        for event in result.events:
            self.note(state, event)
            state = evolve(state, event)
        if state.hand is not None and state.phase is Phase.PLAYING:
            self.compare(state, act)

    def compare(self, state: State, act: Act) -> None:
        """What the engine keeps to itself is what was seen here."""
        assert state.hand is not None
        secret = (RevokeStage.MADE, RevokeStage.ESTABLISHED)
        kept = {
            (one.seat, one.trick): one.stage is RevokeStage.ESTABLISHED
            for one in state.hand.revokes
            if one.stage in secret and one.demand is None
        }
        mine = {place: failure.established for place, failure in self.lying.items()}
        assert kept == mine, (act, kept, mine)

    def note(self, state: State, event: e.Event) -> None:
        if isinstance(event, e.HandDealt):
            self.lying = {}
        elif isinstance(event, e.CardReturned | e.CardWithdrawn):
            self.lying.pop((event.seat, event.trick), None)
        elif isinstance(event, e.CardPlayed | e.LedOutOfTurn):
            self.played_on(event.seat, event.trick)
            self.play(state, event.seat, event.trick, event.card, 0)
        elif isinstance(event, e.CardChanged):
            # One that is beyond correction stays so, whatever card takes its place.
            failure = self.lying.get((event.seat, event.trick))
            if failure is None or not failure.established:
                self.lying.pop((event.seat, event.trick), None)
                self.play(state, event.seat, event.trick, event.card, 1 << event.old)
        elif isinstance(event, e.LedOn):
            self.played_on(event.seat, event.trick)
        elif isinstance(event, e.LaidTogether):
            self.played_on(event.seat, self.trick_now(state))
        else:
            self.other(state, event)

    def trick_now(self, state: State) -> int:
        assert state.hand is not None
        tricks = state.hand.tricks
        if not tricks:
            return 14 - state.hand.size
        return tricks[-1].number + (len(tricks[-1].plays) == 4)

    def play(self, state: State, seat: Seat, number: int, card: int, also: int) -> None:
        """A card is put where others may lie already: it follows the leader's, or could have, or could not."""
        hand = state.hand
        assert hand is not None
        trick = next((one for one in hand.tricks if one.number == number), None)
        if trick is None or trick.leader is seat or state.enforcement is Enforcement.STRICT or seat is hand.dummy:
            return
        led = next(lead for who, lead in trick.plays if who is trick.leader) // 13
        could = (hand.hands[seat] | also) >> (13 * led) & 0x1FFF
        if card // 13 != led and could:
            self.lying[seat, number] = Failure()
            self.kinds["made"] += 1
            if any(SIDE[who] == SIDE[seat] for one in hand.tricks if one.number > number for who, _ in one.plays):
                # Changed to this when his side had played on; unless that goes back for it.
                self.lying[seat, number].established = self.stands(state, seat, number, card)

    def stands(self, state: State, seat: Seat, number: int, card: int) -> bool:
        """Whether the next trick's lead stands when this card is put in place of another."""
        hand = state.hand
        assert hand is not None
        trick = next(one for one in hand.tricks if one.number == number)
        following = next(one for one in hand.tricks if one.number == number + 1)
        order = [trick.leader, *(who for who, _ in trick.plays if who is not trick.leader)]
        cards = dict(trick.plays) | {seat: card}
        led = cards[trick.leader] // 13
        winner = max(order, key=lambda who: (cards[who] // 13 == hand.trump, cards[who] // 13 == led, cards[who] % 13))
        return winner is (following.leader if following.rightful is None else following.rightful)

    def played_on(self, seat: Seat, number: int) -> None:
        for (who, trick), failure in self.lying.items():
            if trick < number and SIDE[who] == SIDE[seat]:
                failure.established = True

    def other(self, state: State, event: e.Event) -> None:
        code = state.code.id
        for (who, trick), failure in self.lying.items():
            if isinstance(event, e.Asked) and (event.of, event.trick) == (who, trick):
                failure.asked, failure.answer = True, ""
                self.kinds["asked"] += 1
            elif isinstance(event, e.Answered) and event.seat is who and failure.asked and not failure.answer:
                failure.answer = "none" if event.none else "some"
                failure.established |= event.none and failure.quitted
            elif isinstance(event, e.QuestionLapsed) and event.seat is who and failure.asked and not failure.answer:
                failure.answer = "silence"
            elif isinstance(event, e.TrickQuitted) and event.trick == trick:
                failure.quitted = True
                failure.established |= not self.shielded(state, who, failure, event)
            elif (isinstance(event, e.ThrewDown | e.GameClaimed) and code in WHIST) or (
                isinstance(event, e.OfferMade) and code in WHIST and event.kind != "rest"
            ):
                failure.established |= SIDE[event.seat] == SIDE[who]

    def shielded(self, state: State, who: Seat, failure: Failure, event: e.TrickQuitted) -> bool:
        """A question shields until it is answered `none`; in the code of 1900 not against one's own side's quitting (78)."""
        assert state.hand is not None
        winner = next(one.winner for one in state.hand.tricks if one.number == event.trick)
        quitter = event.seat if event.seat is not None else winner
        assert quitter is not None
        own = state.code.id == "whist-1900" and SIDE[quitter] == SIDE[who]
        self.kinds["shielded"] += failure.asked and failure.answer != "none" and not own
        return failure.asked and failure.answer != "none" and not own


def test_revokes_are_those_a_second_umpire_finds(size: Size, seed: int) -> None:
    """At every act of any hand the engine's secret revokes, made and established, are those found by watching the cards."""
    kinds = tables(random.Random(seed))
    seen: Counter[str] = Counter()
    for number in range(size(250, 3_000)):
        chance = random.Random(f"{seed} {number}")
        game = Game(fresh(chance, *next(kinds)), chance)
        auditor = Auditor(game)
        try:
            run(game, wildness=chance.choice((0.1, 0.3, 0.6)), acts=chance.choice((60, 150, 300)))
            if number % 5 == 0:
                throw_in(game)
            finish(game)
        except AssertionError as wrong:
            raise AssertionError(f"table {seed} {number}: {wrong}") from wrong
        seen += auditor.kinds
    assert min(seen[kind] for kind in ("made", "asked", "shielded")) > 0, seen


@pytest.mark.parametrize("planted", ["shielded", "_played_on", "_claimed"])
def test_an_umpire_who_errs_is_found_out(planted: str, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """An engine that shields nothing, or lets a side play on or claim the game without a price, does not pass the audit."""
    if planted == "shielded":
        monkeypatch.setattr(revoke, "shielded", lambda *_: False)
    else:
        spoilt = {
            kind: tuple(replace(one, met=lambda *_: False) if one.met.__name__ == planted else one for one in grounds)
            for kind, grounds in revoke._GROUNDS_BY_EVENT.items()
        }
        monkeypatch.setattr(revoke, "_GROUNDS_BY_EVENT", spoilt)
    chance = random.Random(seed)
    with pytest.raises(AssertionError):
        audited(chance, 1_000)


def audited(chance: random.Random, count: int) -> None:
    for code, enforcement in islice(tables(chance), count):
        game = Game(fresh(chance, code, enforcement), chance)
        Auditor(game)
        run(game, wildness=0.4, acts=150)
