// @ts-check
/**
 * The proof of a deal, worked out in the browser: the scheme of `oddtrick_rules.shuffle`, version 1.
 *
 * @module
 */

import { PACK } from "./cards.js";
import { hmac, sha256 } from "./digest.js";

const FORMAT = "oddtrick/deal/1";
const SECRET_BYTES = 32;
const COMMITMENT_BYTES = 32;
const ENTROPY_BYTES = [16, 64];

/**
 * What is published about the deal of one hand, as hexadecimal text; lists are N E S W.
 * @typedef {object} Proof
 * @property {string} hand_id
 * @property {string} dealer
 * @property {string} previous
 * @property {string} commitment
 * @property {string} secret
 * @property {(string|null)[]} seat_commitments
 * @property {string[]} entropies
 */

/** `breach` tells a broken promise from what may happen: a seat that gave nothing, or withheld what it had promised.
 * @typedef {{finding: "malformed"|"unopened"|"entropy"|"uncommitted"|"order"|"absent"|"withheld", seat?: number, breach: boolean}} Finding */

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
export function fromHex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new RangeError("not hexadecimal text");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Join parts so that no two lists of parts give the same bytes; the format goes first. @param {(string|Uint8Array)[]} parts */
function pack(...parts) {
  const encoder = new TextEncoder();
  const chunks = [FORMAT, ...parts].map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const packed = new Uint8Array(chunks.reduce((length, chunk) => length + 4 + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    new DataView(packed.buffer).setUint32(offset, chunk.length);
    packed.set(chunk, offset + 4);
    offset += 4 + chunk.length;
  }
  return packed;
}

/** @param {boolean} met @param {string} what */
function demand(met, what) {
  if (!met) throw new RangeError(what);
}

/** @param {Uint8Array} entropy */
const isEntropy = (entropy) => entropy.length >= ENTROPY_BYTES[0] && entropy.length <= ENTROPY_BYTES[1];

/**
 * @param {Uint8Array} secret
 * @param {{handId: string, previous: Uint8Array}} of
 * @returns {Promise<Uint8Array>} what the server published before the hand
 */
export function serverCommitment(secret, { handId, previous }) {
  demand(secret.length === SECRET_BYTES, "a secret is 32 bytes");
  demand(previous.length === 0 || previous.length === COMMITMENT_BYTES, "previous is a commitment, or empty");
  return sha256(pack("server", handId, previous, secret));
}

/**
 * @param {Uint8Array} entropy
 * @param {{handId: string, seat: number, commitment: Uint8Array}} of
 * @returns {Promise<Uint8Array>} what a seat sends before it reveals
 */
export function seatCommitment(entropy, { handId, seat, commitment }) {
  demand(isEntropy(entropy), "entropy is 16 to 64 bytes");
  demand(commitment.length === COMMITMENT_BYTES, "a commitment is 32 bytes");
  return sha256(pack("seat", handId, commitment, Uint8Array.of(seat), entropy));
}

/**
 * @param {Uint8Array} secret
 * @param {Uint8Array[]} entropies those of N, E, S, W
 * @param {{handId: string, dealer: number}} of
 * @returns {Promise<string[]>} the pack as it is dealt, first card first
 */
export async function dealOrder(secret, entropies, { handId, dealer }) {
  demand(secret.length === SECRET_BYTES, "a secret is 32 bytes");
  demand(entropies.length === 4, "entropies are those of 4 seats");
  demand(entropies.every((one) => !one.length || isEntropy(one)), "entropy has a wrong length");
  const key = await hmac(secret, pack("key", handId, Uint8Array.of(dealer), ...entropies));
  /** @type {Uint8Array} */
  let block = new Uint8Array();
  let used = 0;
  let blocks = 0;
  const nextByte = async () => {
    if (used === block.length) {
      const counter = new Uint8Array(8);
      new DataView(counter.buffer).setUint32(4, blocks);
      block = await hmac(key, pack("stream", counter));
      blocks += 1;
      used = 0;
    }
    used += 1;
    return block[used - 1];
  };
  const order = [...PACK];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const bound = last + 1;
    const refusedFrom = 256 - (256 % bound); // a byte from here on would favour low numbers
    let byte = await nextByte();
    while (byte >= refusedFrom) byte = await nextByte();
    const chosen = byte % bound;
    [order[last], order[chosen]] = [order[chosen], order[last]];
  }
  return order;
}

/**
 * @param {string[]} order
 * @param {number} dealer
 * @returns {string[][]} the hands of N, E, S, W, each in the order it was dealt
 */
export const dealtHands = (order, dealer) =>
  [0, 1, 2, 3].map((seat) => order.filter((_, place) => place % 4 === (seat - dealer + 3) % 4));

/**
 * Work a deal out again. Never throws: whatever is wrong with the proof is a finding.
 * @param {Proof} proof
 * @param {string[][]} hands as they were dealt, to be held against those that follow from the proof
 * @returns {Promise<{holds: boolean, order: string[]|undefined, findings: Finding[]}>}
 */
export async function verifyDeal(proof, hands) {
  /** @type {Finding[]} */
  const findings = [];
  const handId = proof.hand_id;
  const dealer = "NESW".indexOf(proof.dealer);
  let order;
  try {
    const [secret, commitment, previous] = [proof.secret, proof.commitment, proof.previous].map(fromHex);
    demand(commitment.length === COMMITMENT_BYTES && proof.seat_commitments.length === 4, "commitments of four seats");
    const entropies = proof.entropies.map(fromHex);
    order = await dealOrder(secret, entropies, { handId, dealer });
    if (toHex(await serverCommitment(secret, { handId, previous })) !== proof.commitment) {
      findings.push({ finding: "unopened", breach: true });
    }
    for (const [seat, entropy] of entropies.entries()) {
      const found = await checkSeat(entropy, proof.seat_commitments[seat], { handId, seat, commitment });
      if (found) findings.push(found);
    }
  } catch {
    return { holds: false, order: undefined, findings: [{ finding: "malformed", breach: true }] };
  }
  const follow = dealtHands(order, dealer);
  const same = follow.every((hand, seat) => [...hand].sort().join() === [...(hands[seat] ?? [])].sort().join());
  if (!same) findings.push({ finding: "order", breach: true });
  return { holds: !findings.some((one) => one.breach), order, findings };
}

/**
 * @param {Uint8Array} entropy
 * @param {string|null} promised
 * @param {{handId: string, seat: number, commitment: Uint8Array}} of
 * @returns {Promise<Finding|undefined>}
 */
async function checkSeat(entropy, promised, of) {
  const { seat } = of;
  if (!promised) return entropy.length ? { finding: "uncommitted", seat, breach: true } : { finding: "absent", seat, breach: false };
  if (!entropy.length) return { finding: "withheld", seat, breach: false };
  const opened = toHex(await seatCommitment(entropy, of));
  return opened === promised ? undefined : { finding: "entropy", seat, breach: true };
}
