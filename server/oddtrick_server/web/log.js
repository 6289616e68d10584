// @ts-check
/**
 * What happened, in words, with the laws each act rests on.
 *
 * Cards stay in the log only while their trick lies: no code lets a player look at earlier tricks (R14), so when a trick is
 * quitted its plays shrink to who won it.
 *
 * @module
 */

import { marked, seatName, sideName, suitName } from "./names.js";
import { has, t, tOr } from "./words.js";

/** @typedef {import("../js/types.js").Fact} Fact */
/** @typedef {import("../js/types.js").View} View */
/** @typedef {import("../js/table.js").Happened} Happened */

/**
 * @typedef {object} Line
 * @property {number} seq
 * @property {string} text with cards as marks
 * @property {string[]} cites
 * @property {"play"|"law"|"table"|"word"|"mine"|"hand"} kind
 * @property {number} [trick]
 * @property {string} [by]
 */

const LINES_MAX = 400;

/** What everybody may see already, or need not be told. */
const SILENT = new Set([
  "renounced", "duty_ended", "calls_restored", "trick_gathered", "trick_quitted", "seat_committed", "reveals_asked",
  "queue_formed", "seat_revealed", "right_kept", "table_opened", "clocks_set", "scored_silent",
]);

const PLAYS = new Set(["card_played", "led_out_of_turn", "trick_completed", "card_returned"]);
const TABLE = new Set([
  "sat", "stood", "went_away", "came_back", "substitute_sat", "substitute_stood", "host_moved", "pause_asked", "pause_began",
  "unpause_asked", "pause_ended", "again_asked", "bystander_came", "bystander_left", "deal_committed", "deal_revealed",
  "pack_offered", "pack_opened",
  "table_closed", "declared_in", "cards_cut", "seats_changed", "proposed", "consented", "proposal_closed",
]);
const MINE = new Set(["revoke_made", "revoke_lifted", "revoke_established", "revoke_barred"]);

/** @param {any} call */
export function callText({ demand, card, suit }) {
  if (card) return t("demand.card", { card: marked([card]) });
  if (demand === "suit" || demand === "not suit") return t(`demand.${demand}`, { suit: suitName(suit ?? "S") });
  return t(`demand.${demand}`);
}

/** @param {any} fact @param {Happened} happened */
function valuesOf(fact, { view, table }) {
  /** @type {Record<string, any>} */
  const values = { ...fact };
  for (const key of ["seat", "of", "by", "winner", "dealer", "rightful", "voice"]) {
    if (fact[key] !== undefined) values[key] = seatName(fact[key]);
  }
  for (const key of ["card", "old", "turned"]) {
    if (fact[key] !== undefined) values[key] = marked([fact[key]]);
  }
  if (fact.cards) values.cards = marked(fact.cards);
  if (fact.t === "cards_cut") {
    values.names = fact.names.map((/** @type {string} */ name, /** @type {number} */ at) => `${name} ${marked([fact.cards[at]])}`).join(", ");
  }
  if (fact.seats) values.seats = fact.seats.map(seatName).join(", ");
  if (fact.side !== undefined) values.side = sideName(fact.side);
  if (fact.suit !== undefined) values.suit = suitName(fact.suit);
  if (fact.trump !== undefined) values.trump = suitName(fact.trump);
  if (fact.name === undefined && fact.seat !== undefined) {
    values.name = table.info.seats["NESW".indexOf(fact.seat)]?.name ?? values.seat;
  }
  if (fact.t === "called") values.what = callText(fact);
  if (fact.penalty) values.penalty = t(`penalty.${fact.penalty}`);
  if (fact.score) [values.ns, values.ew] = fact.score;
  if (fact.above) [values.ns, values.ew] = fact.above;
  if (fact.what !== undefined && fact.t !== "called") values.what = tOr(`for.${fact.what}`, fact.what);
  if (fact.right?.offender) {
    values.offender = seatName(fact.right.offender);
    values.side = sideName(fact.right.side);
    values.kind = tOr(`right.${fact.right.kind}`, fact.right.kind);
  }
  if (fact.kind !== undefined) values.kind = tOr(`offer.${fact.kind}`, fact.kind);
  if (fact.phrase) values.text = tOr(`phrase.${fact.phrase}`, fact.phrase);
  if (fact.word) values.word = tOr(`word.${fact.word}`, fact.word);
  if (fact.on) values.on = t(`bet.${fact.on}`);
  values.taken = view?.hand ? view.hand.taken.join("–") : "";
  return values;
}

/** Which of several texts says it. @param {any} fact @param {Happened} happened */
function variantOf(fact, { before }) {
  const lead = !before?.hand?.tricks.some((trick) => trick.number === fact.trick);
  switch (fact.t) {
    case "card_played":
      return lead ? "lead" : "";
    case "hand_dealt":
      return fact.turned ? "turned" : fact.trump ? "trump" : "";
    case "answered":
      return fact.none ? "none" : "some";
    case "right_closed":
      return fact.how;
    case "revoke_charged":
      return fact.trick ? "trick" : "";
    case "charge_judged":
      return fact.proved ? "proved" : "";
    case "revoke_proved":
      return fact.suit ? (fact.demand ? "call" : "") : "mixed";
    case "penalty_exacted":
      return fact.seat ? "" : "clock";
    case "pack_cut":
    case "honours_called":
    case "offer_closed":
      return fact.seat ? "" : "clock";
    case "hand_ended":
      return fact.thrown_in ? "thrown" : "";
    case "scored":
      return fact.points < 0 ? "off" : "";
    case "revoke_made":
      return fact.demand ? "call" : "";
    case "said":
      return fact.seat ? "" : "bystander";
    case "proposed":
      return fact.what;
    case "proposal_closed":
      return fact.agreed ? "agreed" : "";
    case "consented":
      return fact.seat ? "" : "willing";
    case "stood":
      return fact.kicked ? "kicked" : "";
    case "bet_settled":
      return fact.winner ? "" : "off";
    case "game_won":
      return has(`ev.game_won.${fact.value}`) && !before?.code.startsWith("bridge") ? String(fact.value) : "";
    default:
      return "";
  }
}

/** @param {any} fact @returns {Line["kind"]} */
function kindOf(fact) {
  if (fact.t === "said" || fact.t === "phrased") return "word";
  if (TABLE.has(fact.t)) return "table";
  if (MINE.has(fact.t)) return "mine";
  if (fact.t === "hand_dealt" || fact.t === "rubber_began") return "hand";
  return PLAYS.has(fact.t) ? "play" : "law";
}

/**
 * @param {Happened} happened
 * @returns {Line|undefined} what it is in words, if it is to be said
 */
export function lineOf(happened) {
  const { fact, seq, by } = happened;
  if (SILENT.has(fact.t)) return undefined;
  const variant = variantOf(fact, happened);
  const key = variant && has(`ev.${fact.t}.${variant}`) ? `ev.${fact.t}.${variant}` : `ev.${fact.t}`;
  if (!has(key)) return undefined;
  const kind = kindOf(fact);
  const line = { seq, kind, text: t(key, valuesOf(fact, happened)), cites: fact.cites ?? [] };
  return { ...line, ...(kind === "play" ? { trick: fact.trick } : {}), ...(by ? { by } : {}) };
}

/**
 * The log after that happening.
 * @param {Line[]} lines
 * @param {Happened} happened
 * @returns {Line[]}
 */
export function logAfter(lines, happened) {
  const { fact } = happened;
  let kept = lines;
  if (fact.t === "trick_quitted") {
    const won = lines.findLast((one) => one.kind === "play" && one.trick === fact.trick && !one.text.includes("[["));
    kept = lines.filter((one) => one.kind !== "play" || one.trick !== fact.trick || one === won);
  }
  if (fact.t === "hand_dealt") kept = lines.filter((one) => one.kind !== "play");
  const line = lineOf(happened);
  return line ? [...kept, line].slice(-LINES_MAX) : kept;
}
