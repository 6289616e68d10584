// @ts-check
/**
 * What the page must know of a code of laws to say what a penalty does to the score, and which acts it has.
 *
 * The laws themselves are the server's; a code that is not in this table is shown without such sums.
 *
 * @module
 */

/** @typedef {{bridge: boolean, game: number, cap: number, barred: number|null, lastTrick: boolean, honours: number}} CodeFacts */

/** @type {Record<string, CodeFacts>} */
const FACTS = {
  "english-1864": { bridge: false, game: 5, cap: 4, barred: 4, lastTrick: true, honours: 4 },
  "whist-1900": { bridge: false, game: 5, cap: 4, barred: 4, lastTrick: false, honours: 4 },
  "bridge-1904": { bridge: true, game: 30, cap: 28, barred: null, lastTrick: false, honours: 5 },
};

/** The codes a table may be opened under. */
export const CODE_IDS = Object.keys(FACTS);

/** @param {string} code @returns {CodeFacts} */
export const factsOf = (code) => FACTS[code] ?? { ...FACTS["whist-1900"], bridge: code.includes("bridge") };

/** @type {Record<string, number>} */
const TRICK_VALUE = { S: 2, C: 4, D: 6, H: 8, NT: 12 };
const TRICK_POINTS_MAX = 100;

/** What a trick above the sixth is worth. @param {import("../js/types.js").View} view */
export function trickPoints(view) {
  const { hand } = view;
  if (!factsOf(view.code).bridge || !hand?.trump) return 1;
  return Math.min(TRICK_VALUE[hand.trump] * hand.multiplier, TRICK_POINTS_MAX);
}
