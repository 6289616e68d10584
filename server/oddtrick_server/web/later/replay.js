// @ts-check
/**
 * A finished hand again: step by step, as any seat saw it or open; the proof of its deal; its record to take away.
 *
 * @module
 */

import { SEATS, evolve, lyingTricks, seatIndex, toPlay, verifyDeal } from "../../js/oddtrick.js";
import { h } from "../dom.js";
import { feltView } from "../felt.js";
import { sorted } from "../hand.js";
import { lineOf } from "../log.js";
import { seatName, written } from "../names.js";
import { cites, lyingCard, noticeBar, then } from "../parts.js";
import { t } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../../js/types.js").View} View */
/** @typedef {import("../../js/types.js").Seat} Seat */

const STEP_MS = 900;
const SECRET = new Set(["revoke_made", "revoke_lifted", "revoke_established", "revoke_barred"]);
const FORMATS = /** @type {const} */ (["whist", "jsonl", "pbn"]);

/**
 * @typedef {object} Replay
 * @property {string} key
 * @property {any} header
 * @property {any} result
 * @property {{fact: any, at_ms: number, by?: string}[]} steps
 * @property {View[]} views before each step, and after the last
 * @property {number} at how many steps are shown
 * @property {string} eyes "open", a seat, or "bystander"
 * @property {boolean} playing
 * @property {any} [proof]
 * @property {string} [failed]
 */

/** @param {string} text @param {string} key @returns {Replay} */
export function replayOf(text, key) {
  const lines = text.trim().split("\n").map((line) => JSON.parse(line));
  const header = lines[0];
  const result = lines.at(-1);
  const steps = lines.slice(1, -1).map(({ event, at_ms, by }) => ({ fact: event, at_ms, by }));
  const views = [header.start];
  for (const { fact } of steps) views.push(evolve(views[views.length - 1], fact));
  return { key, header, result, steps, views, at: 1, eyes: "open", playing: false };
}

/** @param {App} app */
async function fetchReplay(app) {
  const { table, hand } = app.route;
  const key = `${table}/${hand}`;
  if (app.scratch.fetchingReplay === key || !app.client.isOnline) return;
  app.scratch.fetchingReplay = key;
  const ok = await app.ask("record", { table, hand, format: "jsonl" });
  app.scratch.replay = ok?.record ? replayOf(ok.record, key) : { key, failed: t("replay.none") };
  app.update();
}

/** A view as those eyes saw it: what they might not know is left out. @param {View} view @param {string} eyes @returns {View} */
export function seenWith(view, eyes) {
  const { hand } = view;
  if (eyes === "open" || !hand) return view;
  const hands = /** @type {any} */ (hand.hands.map((cards, at) => (SEATS[at] === eyes ? cards : cards.filter((card) => hand.seen[at].includes(card)))));
  const revokes = hand.revokes.filter((one) => !["made", "established", "barred"].includes(one.stage) || (one.seat === eyes && view.enforcement === "guided"));
  return { ...view, hand: { ...hand, hands, revokes, trump_card: undefined } };
}

/** @param {Replay} replay @param {number} from @param {number} way */
function nextTrick(replay, from, way) {
  for (let at = from + way; at > 0 && at < replay.steps.length; at += way) {
    if (replay.steps[at - 1].fact.t === "trick_completed") return at;
  }
  return way > 0 ? replay.steps.length : 1;
}

/** Where revokes were made, to jump to. @param {Replay} replay */
const revokesIn = (replay) => replay.steps.flatMap(({ fact }, at) => (fact.t === "revoke_made" ? [{ at: at + 1, fact }] : []));

let playing = /** @type {any} */ (undefined);

/** @param {App} app @param {Replay} replay */
function toggle(app, replay) {
  clearInterval(playing);
  replay.playing = !replay.playing && replay.at < replay.steps.length;
  if (!replay.playing) return;
  playing = setInterval(() => {
    if (app.route.name !== "replay" || replay.at >= replay.steps.length) replay.playing = false;
    else replay.at += 1;
    if (!replay.playing) clearInterval(playing);
    app.update();
  }, STEP_MS);
}

/** A stand-in for a table, so that the felt can show it. @param {Replay} replay */
function asTable(replay) {
  const view = seenWith(replay.views[replay.at], replay.eyes);
  const seats = replay.header.players.map((/** @type {any} */ one) => one && { identity: "", name: one.name, bot: one.bot, away: false });
  return /** @type {any} */ ({
    id: replay.key,
    seat: SEATS.includes(/** @type {any} */ (replay.eyes)) ? replay.eyes : undefined,
    view,
    info: { seats, host: "-", bystanders: [], paused: false, clocks: {} },
    may: [],
    clocks: [],
    known: true,
  });
}

/** @param {Replay} replay @param {Seat} seat */
function openHand(replay, seat) {
  const view = seenWith(replay.views[replay.at], replay.eyes);
  const hand = view.hand;
  if (!hand) return null;
  const cards = sorted(hand.hands[seatIndex(seat)], hand, []);
  return h(
    "div",
    { class: `replay-hand ${toPlay(view) === seat ? "due" : ""}`, key: seat, role: "group", "aria-label": seatName(seat) },
    h("strong", null, seatName(seat)),
    h("span", { class: "replay-cards" }, cards.map((card) => lyingCard(card, "tiny")), cards.length < hand.held[seatIndex(seat)] && h("span", { class: "quiet" }, t("replay.unseen", { count: hand.held[seatIndex(seat)] - cards.length }))),
  );
}

/** @param {App} app @param {Replay} replay */
async function prove(app, replay) {
  const dealt = replay.steps.find(({ fact }) => fact.t === "hand_dealt")?.fact;
  replay.proof = await verifyDeal(replay.result.proof, dealt?.hands ?? []);
  app.update();
}

/** @param {App} app @param {Replay} replay */
function proofView(app, replay) {
  const { proof } = replay;
  return h(
    "section",
    { class: "proof", key: "proof" },
    h("h2", null, t("proof.title")),
    h("p", { class: "quiet" }, t("proof.why")),
    h("button", { class: "button", type: "button", "data-do": "verify", onclick: () => void prove(app, replay) }, t("proof.verify")),
    proof && h("p", { class: `verdict ${proof.holds ? "proved" : ""}`, role: "status", "data-holds": String(proof.holds) }, h("strong", null, t(proof.holds ? "proof.holds" : "proof.broken"))),
    proof?.findings.length > 0 && h("ul", null, proof.findings.map((/** @type {any} */ one, /** @type {number} */ at) => h("li", { key: at }, t(`finding.${one.finding}`, { seat: one.seat === undefined ? "" : seatName(SEATS[one.seat]) })))),
  );
}

/** @param {App} app @param {string} format */
async function download(app, format) {
  const { table, hand } = app.route;
  const ok = await app.ask("record", { table, hand, format });
  if (!ok?.record) return;
  const url = URL.createObjectURL(new Blob([ok.record], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `oddtrick-${table}-${hand}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {App} app @param {Replay} replay */
function controls(app, replay) {
  /** @param {number} at */
  const to = (at) => then(app, () => { replay.at = Math.max(1, Math.min(replay.steps.length, at)); });
  return h(
    "div",
    { class: "replay-controls", key: "controls", role: "group", "aria-label": t("replay.controls") },
    h("button", { class: "button small", type: "button", onclick: to(1) }, t("replay.first")),
    h("button", { class: "button small", type: "button", onclick: to(nextTrick(replay, replay.at, -1)) }, t("replay.trick.back")),
    h("button", { class: "button small", type: "button", onclick: to(replay.at - 1) }, t("replay.back")),
    h("button", { class: "button first small", type: "button", "data-do": "play-replay", onclick: then(app, () => toggle(app, replay)) }, t(replay.playing ? "replay.stop" : "replay.play")),
    h("button", { class: "button small", type: "button", "data-do": "step", onclick: to(replay.at + 1) }, t("replay.on")),
    h("button", { class: "button small", type: "button", onclick: to(nextTrick(replay, replay.at, 1)) }, t("replay.trick.on")),
    h("button", { class: "button small", type: "button", onclick: to(replay.steps.length) }, t("replay.last")),
    revokesIn(replay).map(({ at, fact }) => h("button", { class: "button small warn", type: "button", key: `revoke-${at}`, "data-do": "to-revoke", onclick: to(at) }, t("replay.revoke", { seat: seatName(fact.seat), trick: fact.trick }))),
    h(
      "label",
      { class: "field" },
      h("span", null, t("replay.eyes")),
      h("select", { value: replay.eyes, name: "eyes", onchange: (/** @type {any} */ event) => { replay.eyes = event.target.value; app.update(); } }, ["open", ...SEATS, "bystander"].map((eyes) => h("option", { value: eyes, key: eyes, selected: eyes === replay.eyes }, SEATS.includes(/** @type {any} */ (eyes)) ? seatName(eyes) : t(`eyes.${eyes}`)))),
    ),
    h("label", { class: "field wide" }, h("span", null, t("replay.at", { at: replay.at, of: replay.steps.length })), h("input", { type: "range", min: 1, max: replay.steps.length, value: String(replay.at), oninput: (/** @type {any} */ event) => { replay.at = Number(event.target.value); app.update(); } })),
  );
}

/** @param {App} app @param {Replay} replay @param {any} table */
function logView(app, replay, table) {
  const seen = replay.steps.slice(0, replay.at).map((step, at) => ({ step, at })).filter(({ step }) => replay.eyes === "open" || !SECRET.has(step.fact.t)).slice(-14);
  return h(
    "ol",
    { class: "log replay-log", "aria-label": t("log.label") },
    seen.map(({ step, at }) => {
      const fact = step.fact.t === "hand_dealt" && replay.eyes !== "open" ? { ...step.fact, trump_card: undefined } : step.fact;
      const line = lineOf({ table, seq: at, hand: 0, fact, by: step.by, before: replay.views[at], view: replay.views[at + 1] });
      return line && h("li", { key: at, class: `log-${line.kind}` }, written(line.text), " ", line.kind !== "play" && cites(app, line.cites, replay.header.code));
    }),
  );
}

/** @param {App} app */
export function replayPage(app) {
  const key = `${app.route.table}/${app.route.hand}`;
  if (app.scratch.replay?.key !== key) void fetchReplay(app);
  const replay = app.scratch.replay?.key === key ? app.scratch.replay : undefined;
  if (!replay || replay.failed) {
    return h("main", { class: "page", tabindex: -1, key: "replay-none" }, h("a", { class: "back-link", href: "#/hands" }, t("way.hands")), noticeBar(app), h("p", { class: "quiet" }, replay?.failed ?? t("later.loading")));
  }
  const table = asTable(replay);
  const lying = table.view.hand ? lyingTricks(table.view.hand) : [];
  return h(
    "main",
    { class: "page replay", tabindex: -1, key: `replay-${key}` },
    h("a", { class: "back-link", href: "#/hands" }, t("way.hands")),
    h("h1", null, t("replay.title", { hand: replay.header.hand, code: t(`code.${replay.header.code}`) })),
    noticeBar(app),
    controls(app, replay),
    h(
      "div",
      { class: "replay-body" },
      h("div", { class: `replay-felt ${lying.length ? "" : "empty"}` }, feltView(app, table)),
      h("div", { class: "replay-hands" }, SEATS.map((seat) => openHand(replay, seat))),
      logView(app, replay, table),
    ),
    h("section", { class: "row downloads", key: "downloads", "aria-label": t("replay.downloads") }, FORMATS.map((format) => h("button", { class: "button small", type: "button", key: format, "data-format": format, onclick: () => void download(app, format) }, t(`format.${format}`)))),
    proofView(app, replay),
  );
}
