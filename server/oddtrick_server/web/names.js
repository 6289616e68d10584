// @ts-check
/**
 * How cards, seats and laws are called, and the marks by which a text holds a card: `[[SA]]`.
 *
 * @module
 */

import { h } from "./dom.js";
import { suitIcon } from "./shapes.js";
import { t } from "./words.js";

/** @typedef {import("../js/types.js").Card} Card */
/** @typedef {import("../js/types.js").Seat} Seat */
/** @typedef {import("../js/types.js").Suit} Suit */

/** @param {Seat|string} seat */
export const seatName = (seat) => t(`seat.${seat}`);
/** @param {string} side */
export const sideName = (side) => t(`side.${side}`);
/** @param {string} suit */
export const suitName = (suit) => t(`suit.${suit}`);
/** @param {Card} card */
export const cardName = (card) => t("card", { rank: t(`rank.${card[1]}`), suit: t(`suit.${card[0]}`) });
/** @param {Card[]} cards */
export const marked = (cards) => cards.map((card) => `[[${card}]]`).join(" ");

const MARK = /\[\[(\w\w)\]\]/;

/** A text for the ear: every card in words. @param {string} text */
export const spoken = (text) => text.replace(new RegExp(MARK, "g"), (_, card) => cardName(card));

/** A text for the eye: every card as rank and suit, with its words for those who do not see it. @param {string} text */
export function written(text) {
  return text.split(/(\[\[\w\w\]\])/).map((part) => {
    const card = MARK.exec(part)?.[1];
    if (!card) return part;
    return h(
      "span",
      { class: `inline-card suit-${card[0]}` },
      h("span", { "aria-hidden": "true" }, card[1] === "T" ? "10" : card[1]),
      suitIcon(card[0]),
      h("span", { class: "unseen" }, cardName(card)),
    );
  });
}
