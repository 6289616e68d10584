"""What each viewer may know: the only module that hides anything.

A viewer is a seat, a bystander, or the referee (who sees everything, and whom no connection may be during a deal). `seen_by`
says what of an event a viewer is shown, `view` what of the state; folding what was seen with `evolve` gives the view, always
(tests hold it). Secret are: the cards of other hands, the trump card once taken up (R14), and a revoke until the law makes it
public, which at a `guided` table the offender alone is told of (R3, R4).
"""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias

from oddtrick_rules import events as e
from oddtrick_rules.events import Event
from oddtrick_rules.records import changed
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Enforcement, Hand, Masks, Revoke, RevokeStage, State


class Watcher(Enum):
    """Who sees a table without a seat at it."""

    BYSTANDER = "bystander"
    REFEREE = "referee"


Viewer: TypeAlias = Seat | Watcher

VIEWERS: Final[tuple[Viewer, ...]] = (*SEATS, Watcher.BYSTANDER)
# Facts that may be known to the offender at most (R3, R4).
SECRET: Final = frozenset({e.RevokeMade, e.RevokeLifted, e.RevokeEstablished, e.RevokeBarred})


def seen_by(event: Event, viewer: Viewer, *, enforcement: Enforcement) -> Event | None:
    """Return what of the event the viewer is shown; None if nothing."""
    if viewer is Watcher.REFEREE:
        return event
    if event.__class__ in SECRET:
        assert isinstance(event, e.RevokeMade | e.RevokeLifted | e.RevokeEstablished | e.RevokeBarred)
        return event if enforcement is Enforcement.GUIDED and event.seat is viewer else None
    if event.__class__ is e.HandDealt:
        assert isinstance(event, e.HandDealt)
        return _dealt_to(event, viewer)
    return event


def _dealt_to(event: e.HandDealt, viewer: Viewer) -> e.HandDealt:
    n, ea, s, w = (cards if seat is viewer else () for seat, cards in zip(SEATS, event.hands, strict=True))
    return e.HandDealt(
        number=event.number,
        dealer=event.dealer,
        hands=(n, ea, s, w),
        size=event.size,
        leader=event.leader,
        trump=event.trump,
        turned=event.turned,
        trump_card=None,
        cites=event.cites,
    )


def view(state: State, viewer: Viewer) -> State:
    """Return the state as the viewer may know it."""
    if viewer is Watcher.REFEREE or state.hand is None:
        return state
    hand = state.hand
    guided = state.enforcement is Enforcement.GUIDED
    return changed(
        state,
        hand=changed(
            hand,
            hands=_hands(hand, viewer),
            dealt=_dealt(hand, viewer),
            trump_card=None,
            revokes=tuple(one for one in hand.revokes if _public(one) or (guided and one.seat is viewer)),
        ),
    )


def _public(revoke: Revoke) -> bool:
    return revoke.stage not in (RevokeStage.MADE, RevokeStage.ESTABLISHED, RevokeStage.BARRED)


def _hands(hand: Hand, viewer: Viewer) -> Masks:
    n, ea, s, w = (
        mask if seat is viewer else mask & hand.seen[seat] for seat, mask in zip(SEATS, hand.hands, strict=True)
    )
    return (n, ea, s, w)


def _dealt(hand: Hand, viewer: Viewer) -> Masks:
    n, ea, s, w = (mask if seat is viewer else 0 for seat, mask in zip(SEATS, hand.dealt, strict=True))
    return (n, ea, s, w)
