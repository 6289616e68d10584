"""The proof of a deal as the page works it out: `deal.js` against `oddtrick_rules.shuffle`."""

import json
from hashlib import sha256
from random import Random
from typing import Any

from oddtrick_rules.cards import CARD_NAMES
from oddtrick_rules.shuffle import NO_ENTROPY, deal_hands, deal_order, seat_commitment, server_commitment
from web.node import evaluated

PROOFS = 40
CHECK = """
import { createInterface } from "node:readline";
import { webcrypto } from "node:crypto";
import { verifyDeal } from "./client_sdk/oddtrick_sdk/js/deal.js";
import { plainHmac, plainSha256, hmac, sha256 } from "./client_sdk/oddtrick_sdk/js/digest.js";
globalThis.crypto ??= webcrypto;
const found = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { proof, hands } = JSON.parse(line);
  const { holds, order, findings } = await verifyDeal(proof, hands);
  const bytes = new TextEncoder().encode(line);
  const same = (one, other) => one.join() === other.join();
  const plain = same(plainSha256(bytes), await sha256(bytes)) && same(plainHmac(bytes.slice(0, 70), bytes), await hmac(bytes.slice(0, 70), bytes));
  found.push({ holds, order, findings: findings.map((one) => one.finding), plain });
}
console.log(JSON.stringify(found));
"""


def made(chance: Random) -> tuple[dict[str, Any], list[list[str]], tuple[int, ...]]:
    """A proof, the hands dealt, and the order they follow from."""
    hand_id, dealer = f"t/{chance.randrange(1000)}", chance.randrange(4)
    secret, previous = chance.randbytes(32), chance.choice([b"", chance.randbytes(32)])
    commitment = server_commitment(secret, hand_id=hand_id, previous=previous)
    entropies = [chance.choice([NO_ENTROPY, chance.randbytes(chance.randint(16, 64))]) for _ in range(4)]
    promised = [
        seat_commitment(entropy, hand_id=hand_id, seat=seat, commitment=commitment).hex() if entropy else None
        for seat, entropy in enumerate(entropies)
    ]
    order = deal_order(secret, entropies, hand_id=hand_id, dealer=dealer)
    hands = [[CARD_NAMES[card] for card in hand] for hand in deal_hands(order, dealer).hands]
    proof = {
        "hand_id": hand_id,
        "dealer": "NESW"[dealer],
        "previous": previous.hex(),
        "commitment": commitment.hex(),
        "secret": secret.hex(),
        "seat_commitments": promised,
        "entropies": [entropy.hex() for entropy in entropies],
    }
    return proof, hands, order


def checked(cases: list[tuple[dict[str, Any], list[list[str]]]]) -> list[dict[str, Any]]:
    lines = "\n".join(json.dumps({"proof": proof, "hands": hands}) for proof, hands in cases)
    found: list[dict[str, Any]] = json.loads(evaluated(CHECK, lines))
    return found


def test_the_page_works_out_the_same_deal(request: Any) -> None:
    """For any secret and entropies the page finds the order that the server dealt, and that the promise was kept."""
    chance = Random(request.config.option.seed)
    proofs = [made(chance) for _ in range(PROOFS)]
    for (_, _, order), found in zip(proofs, checked([(proof, hands) for proof, hands, _ in proofs]), strict=True):
        assert found["holds"]
        assert found["order"] == [CARD_NAMES[card] for card in order]
        assert found["plain"]


def test_the_page_finds_what_is_wrong(request: Any) -> None:
    """A secret exchanged, a card moved, entropy exchanged or used unpromised, and nonsense are each found by name."""
    chance = Random(request.config.option.seed)
    proof, hands, _ = made(chance)
    entropy = chance.randbytes(16).hex()
    moved = [[hands[1][0], *hands[0][1:]], [hands[0][0], *hands[1][1:]], *hands[2:]]
    promised = sha256(b"another").hexdigest()
    wrongs = {
        "unopened": ({**proof, "secret": chance.randbytes(32).hex()}, hands),
        "order": (proof, moved),
        "entropy": ({**proof, "entropies": [entropy, *proof["entropies"][1:]], "seat_commitments": [promised, *proof["seat_commitments"][1:]]}, hands),
        "uncommitted": ({**proof, "entropies": [entropy, *proof["entropies"][1:]], "seat_commitments": [None, *proof["seat_commitments"][1:]]}, hands),
        "malformed": ({**proof, "secret": "xyz"}, hands),
    }  # fmt: skip
    for wrong, found in zip(wrongs, checked(list(wrongs.values())), strict=True):
        assert not found["holds"]
        assert wrong in found["findings"]
