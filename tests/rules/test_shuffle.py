import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, islice

import pytest

from oddtrick_rules import shuffle
from oddtrick_rules.shuffle import (
    NO_ENTROPY,
    DealProof,
    Finding,
    deal_hands,
    deal_order,
    seat_commitment,
    server_commitment,
    verify_chain,
    verify_deal,
)

SECRET = bytes(range(32))
HAND = "table-1/7"
PREVIOUS = b"\xaa" * 32
ENTROPIES = (b"\x01" * 16, b"\x02" * 16, NO_ENTROPY, b"\x04" * 64)
WEST = 3

# The same three values were worked out by crypto.subtle in JavaScript from the format's text alone.
COMMITMENT = bytes.fromhex("c0bb735c6bdc79a3d1d6676dacdfaea1ad167dbcbe2b2f9b11ec663ca3e046a9")
WESTS_COMMITMENT = bytes.fromhex("7a4304188c2ea94dcbb44125bb5cbaa4e6fa084c0e62c350042f1abe6642bbbc")
# fmt: off
ORDER = (
    18, 8, 22, 3, 23, 24, 2, 45, 10, 29, 37, 25, 4, 13, 47, 14, 27, 26, 1, 41, 48, 43, 49, 33, 35, 32,
    51, 17, 20, 40, 5, 30, 0, 50, 7, 31, 28, 36, 46, 6, 9, 16, 15, 39, 38, 34, 12, 44, 21, 42, 19, 11,
)
# fmt: on


def proof_of(hand_id: str = HAND, secret: bytes = SECRET, previous: bytes = PREVIOUS) -> DealProof:
    commitment = server_commitment(secret, hand_id=hand_id, previous=previous)
    return DealProof(
        hand_id=hand_id,
        dealer=WEST,
        previous=previous,
        commitment=commitment,
        secret=secret,
        seat_commitments=tuple(
            seat_commitment(entropy, hand_id=hand_id, seat=seat, commitment=commitment) if entropy else None
            for seat, entropy in enumerate(ENTROPIES)
        ),
        entropies=ENTROPIES,
    )


def found(proof: DealProof, dealt: tuple[int, ...] = ORDER) -> list[tuple[Finding, int | None]]:
    return [(item.finding, item.seat) for item in verify_deal(proof, dealt).findings]


# --- the format ---------------------------------------------------------------------------------


def test_the_published_vectors() -> None:
    """Commitments and order are those that another program computes from the format's text."""
    proof = proof_of()
    assert proof.commitment == COMMITMENT
    assert proof.seat_commitments[WEST] == WESTS_COMMITMENT
    assert deal_order(SECRET, ENTROPIES, hand_id=HAND, dealer=WEST) == ORDER


def test_a_second_hand_at_the_format() -> None:
    """A plain reading of the format, written apart from the module, deals the same cards."""

    def packed(*parts: bytes) -> bytes:
        return b"".join(len(p).to_bytes(4, "big") + p for p in (b"oddtrick/deal/1", *parts))

    for n in range(50):
        secret, hand = hashlib.sha256(b"%d" % n).digest(), f"hand {n} ♠"
        entropies = [hashlib.sha256(b"%d %d" % (n, seat)).digest() for seat in range(4)]
        message = packed(b"key", hand.encode(), bytes([n % 4]), *entropies)
        key = hmac.new(secret, message, hashlib.sha256).digest()
        blocks = (hmac.new(key, packed(b"stream", i.to_bytes(8, "big")), hashlib.sha256).digest() for i in range(9))
        stream, pack = chain.from_iterable(blocks), list(range(52))
        for i in range(51, 0, -1):
            fair = (256 // (i + 1)) * (i + 1)
            j = next(byte for byte in stream if byte < fair) % (i + 1)
            pack[i], pack[j] = pack[j], pack[i]
        assert deal_order(secret, entropies, hand_id=hand, dealer=n % 4) == tuple(pack)


def test_every_input_changes_the_order() -> None:
    """The secret, each seat's entropy, who gave which, the hand's name and the dealer all count."""
    one_bit = bytes([SECRET[0] ^ 1]) + SECRET[1:]
    north, east, south, west = ENTROPIES
    variants = [
        deal_order(SECRET, ENTROPIES, hand_id=HAND, dealer=WEST),
        deal_order(one_bit, ENTROPIES, hand_id=HAND, dealer=WEST),
        deal_order(SECRET, ENTROPIES, hand_id=HAND, dealer=0),
        deal_order(SECRET, ENTROPIES, hand_id="table-1/8", dealer=WEST),
        deal_order(SECRET, (east, north, south, west), hand_id=HAND, dealer=WEST),
        deal_order(SECRET, (north, east, b"\x00" * 16, west), hand_id=HAND, dealer=WEST),
        *(
            deal_order(
                SECRET,
                [b"\x09" * 16 if at == seat else entropy for at, entropy in enumerate(ENTROPIES)],
                hand_id=HAND,
                dealer=WEST,
            )
            for seat in range(4)
        ),
    ]
    assert len(set(variants)) == len(variants)


def test_inputs_cannot_run_into_each_other() -> None:
    """Moving bytes from one input to its neighbour gives another deal and another commitment."""
    moved = (b"\x01" * 17, b"\x02" * 17, b"\x01" * 16, b"\x01\x02" * 8)
    again = (b"\x01" * 16, b"\x01" + b"\x02" * 17, b"\x01" * 16, b"\x01\x02" * 8)
    assert b"".join(moved) == b"".join(again)
    assert deal_order(SECRET, moved, hand_id=HAND, dealer=WEST) != deal_order(SECRET, again, hand_id=HAND, dealer=WEST)
    long_name = server_commitment(SECRET, hand_id=HAND + "\xaa", previous=b"")
    assert long_name != server_commitment(SECRET, hand_id=HAND, previous=b"")


def test_a_commitment_binds_all_it_should() -> None:
    """Secret, hand and the hand before are bound by the server; entropy, hand, seat and C by a seat."""
    server = {
        server_commitment(SECRET, hand_id=HAND, previous=PREVIOUS),
        server_commitment(SECRET, hand_id=HAND),
        server_commitment(SECRET, hand_id="other", previous=PREVIOUS),
        server_commitment(b"\x07" * 32, hand_id=HAND, previous=PREVIOUS),
    }
    seat = {
        seat_commitment(b"\x01" * 16, hand_id=HAND, seat=0, commitment=COMMITMENT),
        seat_commitment(b"\x02" * 16, hand_id=HAND, seat=0, commitment=COMMITMENT),
        seat_commitment(b"\x01" * 16, hand_id="other", seat=0, commitment=COMMITMENT),
        seat_commitment(b"\x01" * 16, hand_id=HAND, seat=1, commitment=COMMITMENT),
        seat_commitment(b"\x01" * 16, hand_id=HAND, seat=0, commitment=PREVIOUS),
    }
    assert (len(server), len(seat)) == (4, 5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: server_commitment(b"short", hand_id=HAND),
        lambda: server_commitment(SECRET, hand_id=HAND, previous=b"\x00"),
        lambda: seat_commitment(b"\x01" * 15, hand_id=HAND, seat=0, commitment=COMMITMENT),
        lambda: seat_commitment(b"\x01" * 65, hand_id=HAND, seat=0, commitment=COMMITMENT),
        lambda: seat_commitment(b"\x01" * 16, hand_id=HAND, seat=4, commitment=COMMITMENT),
        lambda: seat_commitment(b"\x01" * 16, hand_id=HAND, seat=0, commitment=b""),
        lambda: deal_order(b"", ENTROPIES, hand_id=HAND, dealer=WEST),
        lambda: deal_order(SECRET, ENTROPIES[:3], hand_id=HAND, dealer=WEST),
        lambda: deal_order(SECRET, (b"\x01", *ENTROPIES[1:]), hand_id=HAND, dealer=WEST),
        lambda: deal_order(SECRET, ENTROPIES, hand_id=HAND, dealer=-1),
        lambda: deal_hands(ORDER[:51], WEST),
        lambda: deal_hands((*ORDER[:51], ORDER[0]), WEST),
        lambda: deal_hands(ORDER, 4),
    ],
)
def test_inputs_of_a_wrong_length_are_refused(call: Callable[[], object]) -> None:
    """Too little entropy, a short secret, no such seat, not a pack: a ValueError, not a deal."""
    with pytest.raises(ValueError, match=r"is|has|are"):
        call()


# --- the deal -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
def test_cards_go_round_from_the_dealers_left(dealer: int) -> None:
    """The first card goes to the dealer's left, the rest by turns; the dealer's last is turned up."""
    dealt = deal_hands(ORDER, dealer)
    for place, card in enumerate(ORDER):
        assert card in dealt.hands[(dealer + 1 + place) % 4]
    assert dealt.hands[(dealer + 1) % 4][0] == ORDER[0]
    assert dealt.turn_up == ORDER[51] == dealt.hands[dealer][-1]
    assert [mask.bit_count() for mask in dealt.masks] == [13, 13, 13, 13]
    assert sum(dealt.masks) == 2**52 - 1
    assert all(mask >> card & 1 for mask, hand in zip(dealt.masks, dealt.hands, strict=True) for card in hand)


# --- the proof ----------------------------------------------------------------------------------


def test_an_honest_deal_is_proved() -> None:
    """The published inputs give the order dealt; an absent seat is noted and spoils nothing."""
    checked = verify_deal(proof_of(), ORDER)
    assert checked.holds
    assert checked.order == ORDER
    assert found(proof_of()) == [(Finding.ABSENT, 2)]


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"secret": b"\x07" * 32}, (Finding.UNOPENED, None)),
        ({"commitment": PREVIOUS}, (Finding.UNOPENED, None)),
        ({"previous": b""}, (Finding.UNOPENED, None)),
        ({"hand_id": "another"}, (Finding.UNOPENED, None)),
        ({"dealer": 0}, (Finding.ORDER, None)),
        ({"entropies": (b"\x08" * 16, *ENTROPIES[1:])}, (Finding.ENTROPY, 0)),
        ({"entropies": (*ENTROPIES[:2], b"\x03" * 16, ENTROPIES[3])}, (Finding.UNCOMMITTED, 2)),
        ({"entropies": ENTROPIES[:2]}, (Finding.MALFORMED, None)),
        ({"seat_commitments": ()}, (Finding.MALFORMED, None)),
        ({"commitment": b""}, (Finding.MALFORMED, None)),
        ({"secret": b""}, (Finding.MALFORMED, None)),
        ({"dealer": 9}, (Finding.MALFORMED, None)),
    ],
)
def test_a_deal_tampered_with_is_found_out(change: dict[str, object], finding: tuple[Finding, int | None]) -> None:
    """Whatever is changed afterwards, the check names it and does not hold."""
    proof = replace(proof_of(), **change)  # type: ignore[arg-type]
    assert finding in found(proof)
    assert not verify_deal(proof, ORDER).holds


def test_cards_dealt_otherwise_are_found_out() -> None:
    """Two cards exchanged after the shuffle are found, with honest inputs."""
    assert found(proof_of(), (ORDER[1], ORDER[0], *ORDER[2:])) == [
        (Finding.ABSENT, 2),
        (Finding.ORDER, None),
    ]


def test_a_seat_that_withholds_is_noted() -> None:
    """A seat that committed and did not reveal stands in the findings, and is no breach."""
    proof = replace(proof_of(), entropies=(NO_ENTROPY, *ENTROPIES[1:]))
    checked = verify_deal(proof)
    assert (Finding.WITHHELD, 0) in [(item.finding, item.seat) for item in checked.findings]
    assert checked.holds
    assert checked.order != ORDER


def test_hands_form_a_chain() -> None:
    """Each hand names the one before; a hand left out, or a secret used twice, is found."""
    first = proof_of("1", b"\x01" * 32, b"")
    second = proof_of("2", b"\x02" * 32, first.commitment)
    third = proof_of("3", b"\x03" * 32, second.commitment)
    reused = proof_of("4", b"\x03" * 32, third.commitment)
    assert verify_chain([first, second, third]) == ()
    assert verify_chain([]) == ()
    assert [item.finding for item in verify_chain([first, third])] == [Finding.CHAIN]
    assert [item.finding for item in verify_chain([second, third, reused])] == [Finding.REUSED]
    assert {item.finding for item in verify_chain([first, first])} == {Finding.CHAIN, Finding.REUSED}


# --- the statistics -----------------------------------------------------------------------------
# Seeds are fixed, so that a verdict never changes; the thresholds are four standard deviations.


def orders(count: int) -> Iterable[tuple[int, ...]]:
    for n in range(count):
        secret = n.to_bytes(32, "big")
        yield deal_order(secret, ENTROPIES, hand_id="statistics", dealer=WEST)


def excess(observed: Iterable[int], expected: Iterable[float], freedom: int, scale: float = 1) -> float:
    """How many standard deviations chi-square lies above what chance would give."""
    chi_square = scale * sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    return (chi_square - freedom) / math.sqrt(2 * freedom)


def measure(count: int) -> dict[str, float]:
    """Three statistics of `count` deals, each 0 on average with deviation 1, if they are fair."""
    places = [0] * (52 * 52)
    spades: Counter[int] = Counter()
    for order in orders(count):
        for place, card in enumerate(order):
            places[card * 52 + place] += 1
        spades[sum(card < 13 for card in order[0::4])] += 1
    lengths = [math.comb(13, n) * math.comb(39, 13 - n) / math.comb(52, 13) * count for n in range(9)]
    long_suits = sum(spades[n] for n in range(7, 14))
    # A card that is in one place is in no other: hence 51 x 51 freedoms, and the scale.
    means = [
        sum(place * times for place, times in enumerate(places[card * 52 : card * 52 + 52])) / count
        for card in range(52)
    ]
    deviation = math.sqrt((52**2 - 1) / 12 / count)
    return {
        "position": excess(places, [count / 52] * (52 * 52), 51 * 51, 51 / 52),
        "turn-up": excess(places[51::52], [count / 52] * 52, 51),
        "suit length": excess(
            [*(spades[n] for n in range(7)), long_suits],
            [*lengths[:7], count - sum(lengths[:7])],
            7,
        ),
        "mean position": max(abs(mean - 25.5) for mean in means) / deviation,
    }


def test_deals_are_even(size: Callable[[int, int], int]) -> None:
    """B94: a shuffle favoured some places; here every card is as often in every place, and suits have chance lengths (B93)."""
    measured = measure(size(20_000, 1_000_000))
    assert {name: value for name, value in measured.items() if not -4 < value < 4} == {}


def test_a_careless_shuffle_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same statistics find a shuffle that takes a byte modulo n without refusing any (B94)."""
    monkeypatch.setattr(shuffle, "_draw", lambda next_byte, bound: next_byte() % bound)
    measured = measure(20_000)
    assert measured["position"] > 4
    assert measured["turn-up"] > 4


def test_a_draw_takes_every_number_alike() -> None:
    """Over all bytes not refused, each number below n comes equally often, for every n of a shuffle."""
    for bound in range(2, 53):
        source = iter(range(256))
        numbers = []
        try:
            while True:
                numbers.append(shuffle._draw(source.__next__, bound))
        except StopIteration:
            assert Counter(numbers) == dict.fromkeys(range(bound), 256 // bound)


def test_the_stream_does_not_repeat() -> None:
    """A hand may draw as many bytes as it needs: blocks of the stream differ."""
    drawn = bytes(islice(shuffle._stream(SECRET), 32 * 64))
    assert len({drawn[at : at + 32] for at in range(0, len(drawn), 32)}) == 64
