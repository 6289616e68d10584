"""Hands in Portable Bridge Notation 2.1, so that the tools of bridge can show, store and analyse them.

Whist is bridge without a dummy, and PBN allows tags of one's own, so a hand at whist is written as one. The dealer
stands as the declarer in a contract for the odd trick (seven tricks) in the suit turned up, the player at his left
leads, and an auction that never was says so; `Variant`, `TrumpCard` and `Multiplier` are our own tags. The bridge
of 1904 is declared without an auction as well: there the dealer, who plays the hand, stands as the declarer,
whoever of the two named the trump.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from oddtrick_rules.cards import CARD_NAMES
from oddtrick_rules.notation.hands import TRICKS_IN_HAND, hand_text
from oddtrick_rules.seats import SEATS, SEATS_OF, SIDE, Seat
from oddtrick_rules.state import Hand, State

VARIANT_WHIST: Final = "whist"
VARIANT_BRIDGE: Final = "bridge-whist"
FICTION: Final = "{ The auction is a fiction: the trump was turned up or declared, and the dealer stands as declarer. }"
REQUIRED: Final = (
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)
_AFTER_DOUBLING: Final = {1: "", 2: "X", 4: "XX"}


def pbn_text(state: State, *, tags: Mapping[str, str] | None = None) -> str:
    """Return the state's hand as one game of PBN; `tags` gives `Event`, `Date`, `North` and the like.

    The result is the number of tricks the dealer's side won by its play: what a revoke cost is no part of PBN.
    ValueError for an ending, or while the trump is still to be declared.
    """
    hand = state.hand
    if hand is None or hand.size != TRICKS_IN_HAND:
        raise ValueError("PBN holds whole deals only")
    if hand.trump is None:
        raise ValueError("the trump is still to be declared")
    denomination = f"1{hand.trump.name}"
    first = " ".join(hand_text(hand.dealt[seat]) for seat in _round(hand.dealer))
    values = dict.fromkeys(REQUIRED, "?") | {"Vulnerable": "None"} | dict(tags or {})
    values |= {
        "Dealer": hand.dealer.name,
        "Deal": f"{hand.dealer.name}:{first}",
        "Declarer": hand.dealer.name,
        "Contract": denomination + _AFTER_DOUBLING.get(hand.multiplier, "XX"),
        "Result": str(_tricks_won(hand)) if hand.ended or _all_played(hand) else "?",
        "Variant": VARIANT_BRIDGE if state.code.dummy else VARIANT_WHIST,
        "Code": state.code.id,
    }
    if state.code.turned_trump and hand.trump_card is not None:
        values["TrumpCard"] = CARD_NAMES[hand.trump_card]
    if hand.multiplier != 1:
        values["Multiplier"] = str(hand.multiplier)
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in values.items()]
    auction = [f'[Auction "{hand.dealer.name}"]', FICTION, _auction(denomination, hand.multiplier)]
    return "\n".join([*lines, *auction, f'[Play "{hand.leader.name}"]', *_play(hand), ""])


def _round(first: Seat) -> tuple[Seat, ...]:
    """Return the seats from one to his right."""
    return tuple(SEATS[(first + turn) % 4] for turn in range(4))


def _all_played(hand: Hand) -> bool:
    return len(hand.tricks) == TRICKS_IN_HAND and hand.tricks[-1].winner is not None


def _tricks_won(hand: Hand) -> int:
    """Return the tricks of the dealer's side: as played, or as they were given up."""
    if not _all_played(hand):
        return hand.taken[SIDE[hand.dealer]]
    return sum(1 for trick in hand.tricks if trick.winner in SEATS_OF[SIDE[hand.dealer]])


def _auction(denomination: str, multiplier: int) -> str:
    return {1: f"{denomination} Pass Pass Pass", 2: f"{denomination} X Pass Pass Pass"}.get(
        multiplier, f"{denomination} X XX Pass Pass Pass"
    )


def _play(hand: Hand) -> Iterator[str]:
    """Give a line for each trick, a column for each seat from the leader of the hand round, whoever led the trick."""
    for trick in hand.tricks:
        cards = dict(trick.plays)
        yield " ".join(CARD_NAMES[cards[seat]] if seat in cards else "-" for seat in _round(hand.leader))
    if not _all_played(hand):
        yield "*"


def _escaped(value: str) -> str:
    """Return a value fit to stand between quotation marks on one line."""
    printable = "".join(char if char.isprintable() else " " for char in value)
    return printable.replace("\\", "\\\\").replace('"', '\\"')
