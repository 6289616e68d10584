"""How a table begins: a rubber at its first deal, or a position set up (an ending of any length, a whole deal)."""

from __future__ import annotations

from oddtrick_rules.cards import BIT, SUIT_OF, Card, Mask, Suit
from oddtrick_rules.code import Code
from oddtrick_rules.records import changed
from oddtrick_rules.seats import LEFT, PARTNER, Seat
from oddtrick_rules.state import NO_CARDS, Enforcement, Hand, Masks, Pair, Phase, State


def rubber(code: Code, *, enforcement: Enforcement, dealer: Seat, reasonable_time: bool = False) -> State:
    """Return a rubber at love all, about to be dealt by `dealer`."""
    return State(code=code, enforcement=enforcement, dealer=dealer, reasonable_time=reasonable_time)


def position(
    code: Code,
    *,
    enforcement: Enforcement,
    dealer: Seat,
    hands: Masks,
    trump: Suit | None,
    turned: Card | None = None,
    leader: Seat | None = None,
    tricks: Pair = (0, 0),
    score: Pair = (0, 0),
    games: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
    totals: Pair = (0, 0),
    maker: Seat | None = None,
    multiplier: int = 1,
    reasonable_time: bool = False,
) -> State:
    """Return the state with those hands still to be played.

    All four hands are equally long and with `tricks` make thirteen, else ValueError. `trump` None at bridge: still to be declared;
    at whist ValueError.
    `turned` is the trump card while it may be seen; `totals` all points of a bridge rubber so far.
    """
    size = hands[0].bit_count()
    _demand_whole(hands, tricks)
    seen = NO_CARDS
    if turned is not None:
        if not hands[dealer] & BIT[turned]:
            raise ValueError("the trump card is not in the dealer's hand")
        seen = _only(dealer, BIT[turned])
        trump = SUIT_OF[turned]
    declared = trump is not None
    bridge = code.dummy
    if not declared and not bridge:
        raise ValueError("at whist there is a trump suit")
    hand = Hand(
        number=1,
        dealer=dealer,
        hands=hands,
        held=(size,) * 4,
        seen=seen,
        dealt=hands,
        size=size,
        trump=trump,
        turned=turned,
        trump_card=turned,
        leader=leader if leader is not None else LEFT[dealer],
        taken=tricks,
        score_before=score,
        maker=(maker if maker is not None else dealer) if bridge and declared else None,
        declaring=dealer if bridge and not declared else None,
        multiplier=multiplier,
    )
    if bridge and declared and (sum(tricks) > 0):
        # In an ending a card has long been led: dummy's hand lies on the table (62).
        dummy = PARTNER[dealer]
        hand = _with_dummy(hand, dummy)
    phase = Phase.PLAYING if declared else Phase.DECLARING
    return State(
        code=code,
        enforcement=enforcement,
        dealer=dealer,
        phase=phase,
        score=score,
        games=games,
        below=(totals[0] - score[0], totals[1] - score[1]) if totals != (0, 0) else (0, 0),
        hand=hand,
        hands_dealt=1,
        reasonable_time=reasonable_time,
    )


def _demand_whole(hands: Masks, tricks: Pair) -> None:
    """Raise ValueError unless these are four equal hands that with the tricks make thirteen, no card in two of them."""
    size = hands[0].bit_count()
    if any(mask.bit_count() != size for mask in hands) or size == 0:
        raise ValueError("the four hands are not equally long")
    if hands[0] | hands[1] | hands[2] | hands[3] != sum(hands):
        raise ValueError("a card is in two hands")
    if tricks[0] + tricks[1] + size != 13:
        raise ValueError("the tricks taken and the cards in hand do not make thirteen")


def _only(seat: Seat, mask: Mask) -> Masks:
    n, e, s, w = (mask if one == seat else 0 for one in range(4))
    return (n, e, s, w)


def _with_dummy(hand: Hand, dummy: Seat) -> Hand:
    return changed(hand, dummy=dummy, seen=_only(dummy, hand.hands[dummy]))
