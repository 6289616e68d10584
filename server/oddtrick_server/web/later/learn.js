// @ts-check
/**
 * A first table: three house bots, and a word of explanation whenever something happens for the first time.
 *
 * @module
 */

import { ledCard, openTrick, partner, seatIndex, sideIndex, sideOf } from "../../js/oddtrick.js";
import { h } from "../dom.js";
import { nameField, takeName } from "../home.js";
import { seatName, suitName, written } from "../names.js";
import { cites, noticeBar, then } from "../parts.js";
import { suitIcon } from "../shapes.js";
import { t } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../../js/table.js").Table} Table */

const SLOW_MS = 300_000;
const LINGER_MS = 5_000;

/** @param {App} app */
async function begin(app) {
  if (!(await takeName(app))) return;
  const made = await app.ask("create", { code: "english-1864", enforcement: "guided", bots: 3, private: true, watch: "none", clocks: { turn_ms: SLOW_MS, linger_ms: LINGER_MS } });
  if (!made) return;
  const sat = await app.ask("sit", { table: made.table, ...(made.invite ? { invite: made.invite } : {}) });
  if (!sat) return;
  app.scratch.coach = { table: made.table, told: [], closed: "" };
  app.scratch.startWhenHost = made.table;
  app.go(`#/t/${made.table}`);
}

/** What there is to say now, the most pressing first: a key, and what fills it. @param {Table} table @returns {[string, Record<string, any>, string[]]|undefined} */
function lesson(table) {
  const { view, seat, prompt } = table;
  const hand = view?.hand;
  if (!view || !hand || !seat) return undefined;
  const mine = hand.hands[seatIndex(seat)];
  if (view.phase === "claims") return ["end", { tricks: hand.taken[sideIndex(sideOf(seat))], points: Math.max(0, hand.taken[sideIndex(sideOf(seat))] - 6) }, ["2"]];
  const made = hand.revokes.find((one) => one.seat === seat && one.stage === "made");
  if (made) return ["revoke", { suit: suitName(made.suit ?? "S") }, ["71", "76"]];
  if (table.may.some((act) => act.do === "ask")) return ["ask", { seat: seatName(partner(seat)) }, ["74"]];
  if (prompt?.kind === "question") return ["question", {}, ["74"]];
  const open = openTrick(hand);
  const led = open && ledCard(open);
  if (prompt?.kind === "turn" && led) {
    const suit = led[0];
    if (mine.some((card) => card[0] === suit)) return ["follow", { suit: suitName(suit) }, ["71"]];
    return ["void", { suit: suitName(suit), trump: suitName(hand.trump ?? "S") }, ["71"]];
  }
  if (prompt?.kind === "turn") return [hand.tricks.length ? "lead.on" : "lead", {}, ["62"]];
  const last = hand.tricks.at(-1);
  if (last?.winner && last.stage !== "quitted") return [sideOf(last.winner) === sideOf(seat) ? "won" : "lost", { seat: seatName(last.winner) }, ["R1"]];
  if (!hand.tricks.length) return ["welcome", { partner: seatName(partner(seat)), trump: suitName(hand.trump ?? "S"), dealer: seatName(hand.dealer) }, ["R14"]];
  return undefined;
}

/** @param {App} app @param {Table} table */
export function coachView(app, table) {
  const { coach } = app.scratch;
  if (coach?.table !== table.id) return null;
  const found = lesson(table);
  if (!found || coach.closed === "all") return null;
  const [key, values, laws] = found;
  return h(
    "aside",
    { class: "coach", key: "coach", "aria-label": t("coach.label"), role: "status" },
    h("span", { class: "coach-mark", "aria-hidden": "true" }, suitIcon("H")),
    h("p", null, written(t(`coach.${key}`, values)), " ", cites(app, laws, table.view?.code)),
    h("button", { class: "close", type: "button", "aria-label": t("coach.close"), onclick: then(app, () => { coach.closed = "all"; }) }, "×"),
  );
}

/** @param {App} app */
export function learnPage(app) {
  const steps = ["partners", "follow", "trumps", "tricks", "revoke"];
  return h(
    "main",
    { class: "page", tabindex: -1, key: "learn" },
    h("a", { class: "back-link", href: "#/" }, t("home.link")),
    h(
      "section",
      { class: "card-panel wide" },
      h("h1", null, t("way.learn")),
      h("ol", { class: "lessons" }, steps.map((step, at) => h("li", { key: step }, suitIcon("SHDCS"[at]), h("span", null, h("strong", null, t(`lesson.${step}`)), " ", t(`lesson.${step}.text`))))),
      h("form", { class: "play-form", novalidate: true, onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void begin(app); } }, nameField(app), h("button", { class: "button first big", type: "submit", "data-do": "learn" }, t("learn.begin"))),
      noticeBar(app),
    ),
  );
}
