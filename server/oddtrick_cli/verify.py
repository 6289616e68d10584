"""`oddtrick verify RECORD...`: work the deals of finished hands out again from what was published, offline."""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import TYPE_CHECKING, Any, Final

from oddtrick_cli.reading import NotText, Unreadable, printable, read_text

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from oddtrick_rules.shuffle import DealProof

HOLDS: Final = 0
FAILS: Final = 1
CANNOT: Final = 2
RECORD_BYTES_MAX: Final = 16 * 1024 * 1024
HEX: Final = re.compile("(?:[0-9A-Fa-f]{2})*")


class NoProof(Exception):
    """The file is not a record with the proof of its deal. The message is one line."""


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "verify",
        help="check that a deal was fixed by nobody",
        description="Work deals out again from the secret, the commitments and the players' entropy in finished hands "
        "(JSON Lines: `oddtrick record --format jsonl`). A file may hold several, one after the other. All the hands, in "
        "the order given, are checked as a chain of one table. Exit 0 if every deal holds, 1 if one does not, 2 if a hand "
        "is without its proof.",
    )
    parser.add_argument(
        "files", nargs="+", metavar="RECORD", help="finished hands as JSON Lines, or - for standard input"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Verify each hand of the files named and then their chain; return the worst exit code."""
    from oddtrick_rules.shuffle import verify_chain

    worst = HOLDS
    proofs: list[DealProof] = []
    for name in args.files:
        try:
            hands = hands_in(read_text(name, bytes_max=RECORD_BYTES_MAX))
        except (Unreadable, NotText, NoProof) as failure:
            print(printable(f"{name}: {failure}"), file=sys.stderr)
            worst = CANNOT
            continue
        for number, lines in enumerate(hands, 1):
            try:
                proof, dealt = read_proof(lines)
            except NoProof as failure:
                where = name if len(hands) == 1 else f"{name}: hand {number} of {len(hands)} in it"
                print(printable(f"{where}: {failure}"), file=sys.stderr)
                worst = CANNOT
                continue
            proofs.append(proof)
            worst = max(worst, _report(name, proof, dealt))
    for found in verify_chain(proofs):
        print(printable(f"chain: {found.text}"))
        worst = max(worst, FAILS)
    return worst


def _report(name: str, proof: DealProof, dealt: tuple[int, ...]) -> int:
    from oddtrick_rules.shuffle import verify_deal

    outcome = verify_deal(proof, dealt)
    print(printable(f"{'ok' if outcome.holds else 'NOT AS PROMISED'} {name}: hand {proof.hand_id}"))
    for found in outcome.findings:
        where = "server" if found.seat is None else "NESW"[found.seat]
        print(printable(f"  {'' if found.finding.is_breach else 'note: '}{where}: {found.text}"))
    return HOLDS if outcome.holds else FAILS


def hands_in(text: str) -> list[list[Any]]:
    """Return the lines of each hand in the text, at least one; NoProof, in one line, if it is not JSON Lines.

    A hand ends with its proof, or where the header of another begins: one that is cut short stands by itself, and is not
    taken for a part of the next.
    """
    try:
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):  # ValueError: no JSON, or a number without end
        raise NoProof("is not JSON Lines: have the hand with `oddtrick record --format jsonl`") from None
    hands: list[list[Any]] = [[]]
    for line in lines:
        if hands[-1] and (_has(line, "format") or _has(hands[-1][-1], "proof")):
            hands.append([])
        hands[-1].append(line)
    return hands


def read_proof(lines: list[Any]) -> tuple[DealProof, tuple[int, ...]]:
    """Return the proof of a hand and the cards in the order they were dealt; NoProof, in one line, if it does not hold them."""
    dealt = [line["event"] for line in lines if _is_deal(line)]
    proof = lines[-1]["proof"] if lines and _has(lines[-1], "proof") else None
    if not dealt or not isinstance(proof, dict):
        raise NoProof("holds no deal with its proof: have the finished hand with `oddtrick record --format jsonl`")
    if len(dealt) > 1:  # one proof is for one deal; the others would pass unread
        raise NoProof(f"holds {len(dealt)} deals and one proof")
    try:
        return _proof(proof), _order(dealt[0])
    except ValueError as wrong:
        raise NoProof(f"holds a proof that cannot be read: {wrong}") from None


def _has(line: Any, name: str) -> bool:
    return isinstance(line, dict) and name in line


def _is_deal(line: Any) -> bool:
    event = line.get("event") if isinstance(line, dict) else None
    return isinstance(event, dict) and event.get("t") == "hand_dealt"


def _proof(proof: dict[str, Any]) -> DealProof:
    from oddtrick_rules.seats import seat_named
    from oddtrick_rules.shuffle import DealProof

    return DealProof(
        hand_id=_text(proof, "hand_id"),
        dealer=int(seat_named(_text(proof, "dealer"))),
        previous=_bytes("previous", proof.get("previous")),
        commitment=_bytes("commitment", proof.get("commitment")),
        secret=_bytes("secret", proof.get("secret")),
        seat_commitments=tuple(
            None if one in (None, "") else _bytes("seat_commitments", one) for one in _four(proof, "seat_commitments")
        ),
        entropies=tuple(_bytes("entropies", one) for one in _four(proof, "entropies")),
    )


# Whatever JSON stands in a place, these give what belongs there or say, as a ValueError, what does.


def _text(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError(f"{name} is a text")
    return value


def _bytes(name: str, value: Any) -> bytes:
    if not isinstance(value, str) or not HEX.fullmatch(value):
        raise ValueError(f"{name} is written in hexadecimal digits")
    return bytes.fromhex(value)


def _four(found: dict[str, Any], name: str) -> list[Any]:
    value = found.get(name)
    if not isinstance(value, list) or len(value) != 4:
        raise ValueError(f"{name} is a list of four")
    return value


def _order(event: dict[str, Any]) -> tuple[int, ...]:
    """Return the pack as it was dealt: a card at a time, beginning at the dealer's left."""
    from oddtrick_rules.cards import card_named
    from oddtrick_rules.seats import seat_named

    dealer = int(seat_named(_text(event, "dealer")))
    hands = []
    for hand in _four(event, "hands"):
        if not isinstance(hand, list) or len(hand) != 13 or not all(isinstance(card, str) for card in hand):
            raise ValueError("a deal is four hands of thirteen cards")
        hands.append([int(card_named(card)) for card in hand])
    return tuple(hands[(dealer + 1 + number) % 4][number // 4] for number in range(52))
