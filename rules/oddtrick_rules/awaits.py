"""Who is expected to act, and on what: the server puts a clock on each (R32).

Read off public facts alone, so that nothing here tells a viewer what he may not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from oddtrick_rules.laws.claims import claimants
from oddtrick_rules.laws.common import held_up
from oddtrick_rules.laws.exposed import asked_to_agree
from oddtrick_rules.laws.tricks import to_quit
from oddtrick_rules.laws.words import held
from oddtrick_rules.seats import LEFT, SEATS, SIDE, Seat
from oddtrick_rules.state import Hand, Phase, RevokeStage, State, Verdict
from oddtrick_rules.turns import acting, asked_seats, card_turn


class AwaitKind(StrEnum):
    """What is waited for. At `linger` nobody need act: the clock quits the trick."""

    TURN = "turn"
    QUESTION = "question"
    CHOICE = "choice"
    ELECTION = "election"
    SEARCH = "search"
    CLAIMS = "claims"
    CUT = "cut"
    LINGER = "linger"
    DECLARE = "declare"
    DOUBLE = "double"
    OFFER = "offer"
    NEW_CARDS = "new cards"
    DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Await:
    """Something waited for: the players who may give it; the right or the number of the revoke it is about, if any.

    `seat` is the hand a card is wanted from (at bridge the dealer is awaited for dummy's).
    """

    kind: AwaitKind
    seats: tuple[Seat, ...]
    about: int = 0
    seat: Seat | None = None


def awaits(state: State) -> tuple[Await, ...]:
    """Return all that the table waits for, the most pressing first."""
    hand = state.hand
    if state.phase is Phase.TO_DEAL:
        return (Await(AwaitKind.DEAL, ()),)
    if hand is None or state.phase is Phase.OVER:
        return ()
    if state.phase is Phase.PLAYING:
        return _in_play(hand, state)
    if state.phase is Phase.CLAIMS:
        return _after_play(hand, state)
    if (right := held(state)) is not None:
        return (Await(AwaitKind.CHOICE, right.holders, right.id),)
    if state.phase is Phase.DECLARING and hand.declaring is not None:
        return (Await(AwaitKind.DECLARE, (hand.declaring,)),)
    if state.phase is Phase.DOUBLING and hand.voice is not None:
        return (Await(AwaitKind.DOUBLE, (hand.voice,)),)
    return ()


def _in_play(hand: Hand, state: State) -> tuple[Await, ...]:
    found: list[Await] = []
    found.extend(Await(AwaitKind.QUESTION, (seat,)) for seat in asked_seats(hand))
    choices = [Await(AwaitKind.CHOICE, right.holders, right.id) for right in hand.rights if right.holds]
    held = bool(choices)
    found.extend(choices)
    if hand.offer is not None:
        found.append(Await(AwaitKind.OFFER, asked_to_agree(state)))
    seat = card_turn(hand)
    if seat is not None and (not held or held_up(hand, seat) is None):
        found.append(Await(AwaitKind.TURN, (acting(hand, seat),), 0, seat))
    trick = to_quit(hand)
    if trick is not None and not held and hand.question is None and hand.mending is None:
        found.append(Await(AwaitKind.LINGER, (), trick.number))
    return tuple(found)


def _after_play(hand: Hand, state: State) -> tuple[Await, ...]:
    found: list[Await] = []
    sides = sorted({SIDE[one.by] for one in hand.charges if one.verdict is Verdict.PENDING})
    if sides:
        seats = tuple(seat for seat in SEATS if SIDE[seat] in sides and seat is not hand.dummy)
        found.append(Await(AwaitKind.SEARCH, seats))
    unpaid = sorted((r for r in hand.revokes if r.stage is RevokeStage.PROVED), key=lambda r: r.number)
    found.extend(Await(AwaitKind.ELECTION, claimants(state, r), r.number) for r in unpaid)
    if hand.new_cards is not None:
        found.append(Await(AwaitKind.NEW_CARDS, (LEFT[hand.dealer],)))
    if found:
        return tuple(found)
    waiting = tuple(seat for seat in SEATS if seat not in hand.ready and seat is not hand.dealer)
    if waiting:
        return (Await(AwaitKind.CLAIMS, (*waiting, hand.dealer)),)
    return (Await(AwaitKind.CUT, (hand.dealer,)),)
