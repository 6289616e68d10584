// @ts-check
/**
 * SHA-256 and HMAC: the browser's own where it lets a page have them, which it does over https and on localhost only;
 * for a table on a club's own network the same in plain arithmetic.
 *
 * @module
 */

const BLOCK_BYTES = 64;

/** @param {number} count */
function* primes(count) {
  for (let number = 2, found = 0; found < count; number += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number && prime; divisor += 1) prime = number % divisor > 0;
    if (!prime) continue;
    found += 1;
    yield number;
  }
}

/** The first 32 bits behind the point. @param {number} number */
const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0;
const ROUNDS = [...primes(64)].map((prime) => fraction(Math.cbrt(prime)));
const START = [...primes(8)].map((prime) => fraction(Math.sqrt(prime)));

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} data */
export function plainSha256(data) {
  const length = ((data.length + 8) >> 6 << 6) + BLOCK_BYTES;
  const padded = new Uint8Array(length);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(length - 4, data.length << 3);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let offset = 0; offset < length; offset += BLOCK_BYTES) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(offset + 4 * at);
    for (let at = 16; at < 64; at += 1) {
      const low = words[at - 15];
      const high = words[at - 2];
      const one = turned(low, 7) ^ turned(low, 18) ^ (low >>> 3);
      const two = turned(high, 17) ^ turned(high, 19) ^ (high >>> 10);
      words[at] = words[at - 16] + one + words[at - 7] + two;
    }
    mix(state, words);
  }
  const out = new Uint8Array(32);
  state.forEach((word, at) => new DataView(out.buffer).setInt32(4 * at, word));
  return out;
}

/** @param {Int32Array} state @param {Int32Array} words */
function mix(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at += 1) {
    const ones = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + ones + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at]) | 0;
    const zeros = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (zeros + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => {
    state[at] += word;
  });
}

/** @param {Uint8Array} key @param {Uint8Array} data */
export function plainHmac(key, data) {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? plainSha256(key) : key);
  const inner = new Uint8Array([...block.map((byte) => byte ^ 0x36), ...data]);
  return plainSha256(new Uint8Array([...block.map((byte) => byte ^ 0x5c), ...plainSha256(inner)]));
}

/** @param {Uint8Array} data @returns {Promise<Uint8Array>} */
export async function sha256(data) {
  const { subtle } = crypto;
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", /** @type {any} */ (data))) : plainSha256(data);
}

/** @param {Uint8Array} key @param {Uint8Array} data @returns {Promise<Uint8Array>} */
export async function hmac(key, data) {
  const { subtle } = crypto;
  if (!subtle) return plainHmac(key, data);
  const kind = { name: "HMAC", hash: "SHA-256" };
  const made = await subtle.importKey("raw", /** @type {any} */ (key), kind, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", made, /** @type {any} */ (data)));
}
