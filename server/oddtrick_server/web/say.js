// @ts-check
/**
 * For the ear: two live regions. The polite one tells what is played; the other whose turn it is, and why not.
 *
 * @module
 */

import { cardName, seatName, spoken, suitName } from "./names.js";
import { lineOf } from "./log.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

/** @typedef {import("../js/table.js").Happened} Happened */
/** @typedef {import("../js/table.js").Table} Table */

const SPOKEN = new Set(["play", "law", "mine", "word", "hand"]);
const CLEAR_MS = 8000;
/** @type {Record<string, any>} */
const clearing = {};
let flip = false;

/** @param {string} text @param {boolean} [urgent] */
export function say(text, urgent = false) {
  const region = document.getElementById(urgent ? "say-now" : "say");
  if (!region) return;
  const words = spoken(text);
  // The same text twice is read twice only if it differs.
  flip = !flip;
  const made = words + (flip ? "\u00a0" : "");
  if (urgent || !region.textContent) region.textContent = made;
  else region.textContent = `${region.textContent} ${made}`.slice(-600);
  clearTimeout(clearing[region.id]);
  clearing[region.id] = setTimeout(() => {
    region.textContent = "";
  }, CLEAR_MS);
}

/** @param {Happened} happened */
export function sayHappened(happened) {
  if (!settings.aloud) return;
  const { fact, table } = happened;
  if (fact.t === "card_played" && fact.seat === table.seat && !happened.by) return; // one knows what one did
  const line = lineOf(happened);
  if (line && SPOKEN.has(line.kind)) say(line.text);
}

/** @param {Table} table */
export function sayTurn(table) {
  const { prompt, view } = table;
  if (!prompt) return;
  if (prompt.kind !== "turn") {
    say(t(`ask.${prompt.kind}`), true);
    return;
  }
  const trick = view?.hand?.tricks.find((one) => one.stage === "open");
  const led = trick?.plays.find(([seat]) => seat === trick.leader);
  say(led ? t("turn.say", { suit: suitName(led[1][0]) }) : t("turn.lead"), true);
}

/** What a query key asks for. @param {Table} table @param {string} what */
export function tell(table, what) {
  const { view, seat } = table;
  const hand = view?.hand;
  if (!view || !hand) {
    say(t("tell.nothing"), true);
    return;
  }
  if (what === "trick") {
    const trick = hand.tricks.findLast((one) => one.stage !== "quitted");
    const plays = trick?.plays.map(([who, card]) => t("tell.play", { seat: seatName(who), card: cardName(card) })).join(", ");
    say(plays ? t("tell.trick", { number: trick?.number, plays }) : t("tell.trick.none"), true);
  } else if (what === "score") {
    const [ns, ew] = view.score;
    const [tricks_ns, tricks_ew] = hand.taken;
    say(t("tell.score", { ns, ew, tricks_ns, tricks_ew, games_ns: view.games[0].length, games_ew: view.games[1].length }), true);
  } else if (what === "hand") {
    const cards = seat ? hand.hands["NESW".indexOf(seat)] : [];
    say(cards.length ? cards.map(cardName).join(", ") : t("tell.hand.none"), true);
  } else if (what === "last") {
    const last = hand.tricks.findLast((one) => one.winner);
    say(last?.winner ? t("tell.last", { number: last.number, seat: seatName(last.winner) }) : t("tell.trick.none"), true);
  } else if (what === "trump") {
    const turned = hand.turned ? t("tell.turned", { card: cardName(hand.turned) }) : "";
    say(hand.trump ? t("tell.trump", { suit: suitName(hand.trump), turned }) : t("tell.trump.none"), true);
  }
}
