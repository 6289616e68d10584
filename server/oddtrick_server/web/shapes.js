// @ts-check
/**
 * Our own drawings: the four suits, the faces of the court, the back.
 *
 * Every suit lies in a square of 100 by 100.
 *
 * @module
 */

import { h } from "./dom.js";

/** @type {Record<string, string>} */
export const SUIT_PATHS = {
  S: "M50 4C58 22 94 40 94 65c0 15-11 23-22 23-8 0-14-4-18-10 1 9 4 15 10 19H36c6-4 9-10 10-19-4 6-10 10-18 10C17 88 6 80 6 65 6 40 42 22 50 4Z",
  H: "M50 94C40 76 6 58 6 32 6 16 17 7 29 7c10 0 17 6 21 15C54 13 61 7 71 7c12 0 23 9 23 25 0 26-34 44-44 62Z",
  D: "M50 3C60 24 74 40 90 50 74 60 60 76 50 97 40 76 26 60 10 50 26 40 40 24 50 3Z",
  C: "M50 5c12 0 21 9 21 21 0 7-3 12-8 17 4-3 8-4 13-4 12 0 21 9 21 22 0 12-9 21-21 21-9 0-17-6-21-14 0 13 3 22 11 28H34c8-6 11-15 11-28-4 8-12 14-21 14C12 82 3 73 3 61c0-13 9-22 21-22 5 0 9 1 13 4-5-5-8-10-8-17C29 14 38 5 50 5Z",
};

/** @type {Record<string, string>} */
const COURT_PATHS = {
  // A crown, a coronet and a plumed cap, in a box of 100 by 60.
  K: "M6 58 2 14l24 20L50 2l24 32 24-20-4 44Zm4 4h80v8H10ZM50 12l-5 10 5 10 5-10Z",
  Q: "M8 58 4 22l18 16L36 8l14 28L64 8l14 30 18-16-4 36Zm3 4h78v8H11ZM36 2a5 5 0 1 0 .1 0ZM64 2a5 5 0 1 0 .1 0Z",
  J: "M12 58c0-26 16-40 38-40 10 0 20 3 27 9C82 12 90 4 98 2c0 20-6 34-14 44 3 4 4 8 4 12Zm0 4h76v8H12Z",
};

/** @param {string} suit */
export const suitIcon = (suit) =>
  suit === "NT"
    ? h("span", { class: "no-trumps", "aria-hidden": "true" }, "NT")
    : h(
        "svg",
        { class: `suit suit-${suit}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
        h("path", { d: SUIT_PATHS[suit] }),
      );

const COLUMNS = { left: 0.335, middle: 0.5, right: 0.665 };
/** Where the pips of each card stand: columns and heights of the face, those below the middle upside down. @type {Record<string, [keyof typeof COLUMNS, number][]>} */
const PIPS = {
  2: [["middle", 0.2], ["middle", 0.8]],
  3: [["middle", 0.2], ["middle", 0.5], ["middle", 0.8]],
  4: [["left", 0.2], ["right", 0.2], ["left", 0.8], ["right", 0.8]],
  5: [["left", 0.2], ["right", 0.2], ["middle", 0.5], ["left", 0.8], ["right", 0.8]],
  6: [["left", 0.2], ["right", 0.2], ["left", 0.5], ["right", 0.5], ["left", 0.8], ["right", 0.8]],
  7: [["left", 0.2], ["right", 0.2], ["middle", 0.35], ["left", 0.5], ["right", 0.5], ["left", 0.8], ["right", 0.8]],
  8: [["left", 0.2], ["right", 0.2], ["middle", 0.35], ["left", 0.5], ["right", 0.5], ["middle", 0.65], ["left", 0.8], ["right", 0.8]],
  9: [["left", 0.18], ["right", 0.18], ["left", 0.39], ["right", 0.39], ["middle", 0.5], ["left", 0.61], ["right", 0.61], ["left", 0.82], ["right", 0.82]],
  T: [["left", 0.18], ["right", 0.18], ["middle", 0.285], ["left", 0.39], ["right", 0.39], ["left", 0.61], ["right", 0.61], ["middle", 0.715], ["left", 0.82], ["right", 0.82]],
};

const WIDTH = 200;
const HEIGHT = 280;

/** @param {string} suit @param {number} x @param {number} y @param {number} size @param {boolean} [over] */
function pip(suit, x, y, size, over = false) {
  const turn = over ? " rotate(180)" : "";
  const scale = size / 100;
  return h("path", {
    d: SUIT_PATHS[suit],
    transform: `translate(${x} ${y})${turn} scale(${scale}) translate(-50 -50)`,
  });
}

/** @param {string} suit @param {string} rank */
function middle(suit, rank) {
  if (rank === "A") return [pip(suit, WIDTH / 2, HEIGHT / 2, 96)];
  if (rank in COURT_PATHS) {
    return [
      h("rect", { class: "court-frame", x: 46, y: 46, width: WIDTH - 92, height: HEIGHT - 92, rx: 10 }),
      h("path", { class: "court", d: COURT_PATHS[rank], transform: `translate(${WIDTH / 2 - 36} 70) scale(.72)` }),
      pip(suit, WIDTH / 2, HEIGHT / 2 + 26, 70),
    ];
  }
  return PIPS[rank].map(([column, height]) => pip(suit, COLUMNS[column] * WIDTH, height * HEIGHT, 40, height > 0.5));
}

/** @param {string} suit @param {string} rank @param {boolean} over */
function index(suit, rank, over) {
  return h(
    "g",
    over ? { class: "index index-far", transform: `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})` } : { class: "index" },
    h("text", { x: rank === "T" ? 27 : 25, y: 42, "text-anchor": "middle", class: rank === "T" ? "ten" : undefined }, rank === "T" ? "10" : rank),
    pip(suit, 25, 63, 27),
  );
}

/** A card's face; `large` shows one suit big, for cards too small for pips. @param {string} card */
export function face(card) {
  const [suit, rank] = card;
  return h(
    "svg",
    { class: `face suit-${suit}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", focusable: "false" },
    h("g", { class: "pips" }, middle(suit, rank), index(suit, rank, false), index(suit, rank, true)),
    h(
      "g",
      { class: "plain" },
      h("text", { x: 18, y: 96, class: "big-rank" }, rank === "T" ? "10" : rank),
      pip(suit, 52, 152, 84),
      pip(suit, 140, 218, 104),
    ),
  );
}

/** @param {string} [title] */
export const back = (title) =>
  h(
    "svg",
    { class: "face back", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: title ? "img" : undefined, "aria-hidden": title ? undefined : "true", "aria-label": title },
    h("rect", { x: 12, y: 12, width: WIDTH - 24, height: HEIGHT - 24, rx: 14, class: "back-frame" }),
    [0, 1, 2, 3, 4].flatMap((row) => [0, 1, 2].map((column) => pip("SHDC"[(row + column) % 4], 52 + column * 48, 48 + row * 46, 26))),
  );

/** The badge of the house: a seventh trick, laid across the others. */
export const badge = () =>
  h(
    "svg",
    { class: "badge", viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    h("g", { class: "badge-cards" }, [0, 1, 2, 3, 4, 5].map((at) => h("rect", { x: 12 + at * 5, y: 18, width: 34, height: 58, rx: 5 }))),
    h("rect", { class: "badge-odd", x: 24, y: 36, width: 62, height: 36, rx: 5 }),
    h("path", { class: "badge-suit", d: SUIT_PATHS.S, transform: "translate(42 41) scale(.26)" }),
  );
