"""The deal nobody can choose: commitments, the order of the pack, and the proof of both.

The server and the four seats each put something into the deal before anyone knows what the others
put in; the order of the pack follows from all of it, and afterwards anyone can work it out again.
Nothing here draws a random number: whoever calls must bring fresh entropy to every hand.

The order of things
    1. The server draws a fresh secret S and publishes ``server_commitment``, before it asks anyone.
    2. Each seat draws entropy r and sends ``seat_commitment``; it names the commitment of step 1.
    3. When all are in, or the time is up, each committed seat reveals its r.
    4. The server deals by ``deal_order``. A seat that gave nothing counts as the empty string.
    5. When the hand is over, or given up, S is published. Anyone may run ``verify_deal``.

The format, version 1, in terms of any language with SHA-256 and HMAC (a browser's crypto.subtle)
    pack(a, b, ...)  each part as 4 bytes of length, big-endian, then its bytes; parts joined.
                     Text is UTF-8. A seat or dealer is one byte: N 0, E 1, S 2, W 3.
    D                the text ``oddtrick/deal/1``.
    S                32 bytes. r: 16 to 64 bytes, or none for a seat that gave no entropy.
    previous         the server commitment of the table's hand before, 32 bytes; none for the first.
    C  server commitment   = SHA-256(pack(D, "server", hand, previous, S))
    c  seat's commitment   = SHA-256(pack(D, "seat", hand, C, seat, r))
    K  the key             = HMAC-SHA-256(key S, message
                             pack(D, "key", hand, dealer, rN, rE, rS, rW))
    stream           B(0), B(1), ... joined; B(n) = HMAC-SHA-256(key K, message
                     pack(D, "stream", n)) with n as 8 bytes, big-endian.
    draw(n)          take one byte b of the stream; while b >= 256 - (256 mod n), take the next one;
                     the result is b mod n. (The bytes refused are what would favour low numbers.)
    order            the list 0..51; for i from 51 down to 1 exchange items i and draw(i + 1).
    card             suit * 13 + rank; suits S H D C are 0..3, ranks 2..A are 0..12.
    the deal         order[0] goes to the dealer's left, and so on by turns; order[51] falls to the
                     dealer and is the turn-up.

What it proves: no seat and not the server, alone or with up to three seats, could choose the deal.
What it does not: whoever reveals last learns the deal first if the server tells him, and may then
withhold r; that is one yes or no, it stands in the record, and ``verify_deal`` notes it. And the
server knows the cards while the hand is played.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

FORMAT = "oddtrick/deal/1"
PACK_CARDS = 52
SEATS = 4
SECRET_BYTES = 32
COMMITMENT_BYTES = 32
ENTROPY_BYTES_MIN = 16
ENTROPY_BYTES_MAX = 64
NO_ENTROPY = b""
"""What a seat counts as that committed to nothing, or did not reveal."""

Hands = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def server_commitment(secret: bytes, *, hand_id: str, previous: bytes = b"") -> bytes:
    """What the server publishes before the hand: it binds the secret, and the hand before.

    `previous` is the commitment of the table's hand before, or empty for the first.
    Raises ValueError if the secret or `previous` has a wrong length.
    """
    _demand(len(secret) == SECRET_BYTES, f"a secret is {SECRET_BYTES} bytes")
    _demand(len(previous) in {0, COMMITMENT_BYTES}, "previous is a commitment, or empty")
    return hashlib.sha256(_pack("server", hand_id, previous, secret)).digest()


def seat_commitment(entropy: bytes, *, hand_id: str, seat: int, commitment: bytes) -> bytes:
    """What a seat sends before it reveals: it binds its entropy and the server's commitment.

    Raises ValueError if the entropy is not 16 to 64 bytes or the seat is not 0 to 3.
    """
    _demand(_is_entropy(entropy), f"entropy is {ENTROPY_BYTES_MIN} to {ENTROPY_BYTES_MAX} bytes")
    _demand(len(commitment) == COMMITMENT_BYTES, f"a commitment is {COMMITMENT_BYTES} bytes")
    parts = ("seat", hand_id, commitment, _seat(seat), entropy)
    return hashlib.sha256(_pack(*parts)).digest()


def deal_order(secret: bytes, entropies: Sequence[bytes], *, hand_id: str, dealer: int) -> tuple[int, ...]:
    """The pack as it will be dealt, first card first: all of 0..51, each once.

    `entropies` are those of N, E, S, W; `NO_ENTROPY` for a seat that gave none. The same inputs
    give the same order for ever. Raises ValueError if an input has not the length it must have.
    """
    _demand(len(secret) == SECRET_BYTES, f"a secret is {SECRET_BYTES} bytes")
    _demand(len(entropies) == SEATS, f"entropies are those of {SEATS} seats")
    for entropy in entropies:
        _demand(entropy == NO_ENTROPY or _is_entropy(entropy), "entropy has a wrong length")
    message = _pack("key", hand_id, _seat(dealer), *entropies)
    stream = _stream(hmac.digest(secret, message, "sha256"))
    return _shuffled(stream.__next__)


@dataclass(frozen=True, slots=True)
class DealtCards:
    """The four hands as they lie, N E S W, each in the order it was dealt; and the turn-up."""

    hands: Hands
    turn_up: int

    @property
    def masks(self) -> tuple[int, int, int, int]:
        """Each hand as a bit mask: bit `card` is set for every card in it."""
        north, east, south, west = (sum(1 << card for card in hand) for hand in self.hands)
        return north, east, south, west


def deal_hands(order: Sequence[int], dealer: int) -> DealtCards:
    """Deal one card at a time, beginning at the dealer's left; the last is his, and turned up.

    Raises ValueError if the order is not the whole pack or the dealer is not a seat.
    """
    _demand(sorted(order) == list(range(PACK_CARDS)), "an order is all 52 cards, each once")
    _demand(dealer in range(SEATS), "a seat is 0 to 3")
    north, east, south, west = (tuple(order[(seat - dealer - 1) % SEATS :: SEATS]) for seat in range(SEATS))
    return DealtCards((north, east, south, west), order[-1])


# --- the proof ----------------------------------------------------------------------------------


class Finding(Enum):
    """What a check of a deal may find. All but the last two are a breach of the scheme."""

    MALFORMED = "malformed"  # an input has a wrong length or number: nothing can be worked out
    UNOPENED = "unopened"  # the secret does not open the server's commitment
    ENTROPY = "entropy"  # a seat's entropy does not open its commitment
    UNCOMMITTED = "uncommitted"  # entropy was used that its seat had not committed to
    ORDER = "order"  # the cards were not dealt in the order that follows from the inputs
    CHAIN = "chain"  # the commitment does not name the hand before
    REUSED = "reused"  # a secret, or a hand's name, served for two hands
    ABSENT = "absent"  # a seat committed to nothing
    WITHHELD = "withheld"  # a seat committed and did not reveal

    @property
    def is_breach(self) -> bool:
        """Whether it means that somebody did not keep to the scheme's promise."""
        return self not in {Finding.ABSENT, Finding.WITHHELD}


@dataclass(frozen=True, slots=True)
class DealFinding:
    """One finding: what, at which seat (None: at the server), and a sentence for a person."""

    finding: Finding
    seat: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealProof:
    """All that is published about the deal of one hand, once it is over.

    `seat_commitments` and `entropies` are those of N, E, S, W. A seat that committed to nothing has
    None as commitment; one whose entropy was not used has `NO_ENTROPY`.
    """

    hand_id: str
    dealer: int
    previous: bytes
    commitment: bytes
    secret: bytes
    seat_commitments: tuple[bytes | None, ...]
    entropies: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of a check: the order that follows, if it can be had, and what was found."""

    order: tuple[int, ...] | None
    findings: tuple[DealFinding, ...]

    @property
    def holds(self) -> bool:
        """Whether the deal was made as promised; absent and withholding seats do not spoil it."""
        return not any(found.finding.is_breach for found in self.findings)


def verify_deal(proof: DealProof, dealt: Sequence[int] | None = None) -> Verification:
    """Work a deal out again from what was published.

    `dealt` is the order the cards were in fact dealt in, to be held against the one that follows.
    Never raises: whatever is wrong with the proof is a finding.
    """
    try:
        order = deal_order(proof.secret, proof.entropies, hand_id=proof.hand_id, dealer=proof.dealer)
        opened = server_commitment(proof.secret, hand_id=proof.hand_id, previous=proof.previous)
        _demand(len(proof.commitment) == COMMITMENT_BYTES, "a commitment is 32 bytes")
        _demand(len(proof.seat_commitments) == SEATS, "commitments are those of four seats")
    except ValueError as wrong:
        return Verification(None, (DealFinding(Finding.MALFORMED, None, str(wrong)),))
    findings = [found for seat in range(SEATS) if (found := _check_seat(proof, seat))]
    if not hmac.compare_digest(opened, proof.commitment):
        text = "the secret is not the one the server committed to"
        findings.insert(0, DealFinding(Finding.UNOPENED, None, text))
    if dealt is not None and tuple(dealt) != order:
        text = "the cards dealt are not those that follow from the secret and the entropies"
        findings.append(DealFinding(Finding.ORDER, None, text))
    return Verification(order, tuple(findings))


def verify_chain(proofs: Sequence[DealProof]) -> tuple[DealFinding, ...]:
    """Check that a table's hands, in order, lead from one to the next and share no secret.

    The first may name a hand before it that is not among them. Each hand's own deal is
    `verify_deal`'s business.
    """
    findings = []
    for before, after in pairwise(proofs):
        if after.previous != before.commitment:
            text = f"hand {after.hand_id} does not name hand {before.hand_id} as the one before"
            findings.append(DealFinding(Finding.CHAIN, None, text))
    seen: set[str | bytes] = set()
    for proof in proofs:
        for what, value in (("name", proof.hand_id), ("secret", proof.secret)):
            if value in seen:
                text = f"the {what} of hand {proof.hand_id} served before"
                findings.append(DealFinding(Finding.REUSED, None, text))
            seen.add(value)
    return tuple(findings)


def _check_seat(proof: DealProof, seat: int) -> DealFinding | None:
    promised, entropy = proof.seat_commitments[seat], proof.entropies[seat]
    if promised is None and entropy == NO_ENTROPY:
        return DealFinding(Finding.ABSENT, seat, "the seat gave no entropy")
    if promised is None:
        return DealFinding(Finding.UNCOMMITTED, seat, "entropy used that was not committed to")
    if entropy == NO_ENTROPY:
        return DealFinding(Finding.WITHHELD, seat, "the seat did not reveal its entropy")
    opened = seat_commitment(entropy, hand_id=proof.hand_id, seat=seat, commitment=proof.commitment)
    if not hmac.compare_digest(opened, promised):
        return DealFinding(Finding.ENTROPY, seat, "the entropy does not open the commitment")
    return None


# --- the parts of the format --------------------------------------------------------------------


def _demand(met: bool, what: str) -> None:  # noqa: FBT001 -- a condition, as in assert
    if not met:
        raise ValueError(what)


def _is_entropy(entropy: bytes) -> bool:
    return ENTROPY_BYTES_MIN <= len(entropy) <= ENTROPY_BYTES_MAX


def _seat(seat: int) -> bytes:
    _demand(seat in range(SEATS), "a seat is 0 to 3")
    return bytes((seat,))


def _pack(*parts: str | bytes) -> bytes:
    """Join parts so that no two lists of parts give the same bytes; the format goes first."""
    packed = bytearray()
    for part in (FORMAT, *parts):
        data = part.encode() if isinstance(part, str) else part
        packed += len(data).to_bytes(4, "big") + data
    return bytes(packed)


def _stream(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from hmac.digest(key, _pack("stream", counter.to_bytes(8, "big")), "sha256")
        counter += 1


def _shuffled(next_byte: Callable[[], int]) -> tuple[int, ...]:
    """Fisher and Yates, from the bottom of the pack."""
    order = list(range(PACK_CARDS))
    for last in range(PACK_CARDS - 1, 0, -1):
        chosen = _draw(next_byte, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def _draw(next_byte: Callable[[], int], bound: int) -> int:
    """A number below `bound` (at most 256), every one equally likely if every byte is."""
    refused_from = 256 - 256 % bound
    byte = next_byte()
    while byte >= refused_from:
        byte = next_byte()
    return byte % bound
