// @ts-check
/**
 * The acts that lie open through a whole phase: charging a revoke, claims, the trump card, bets. Each weighs, so each needs a
 * second input in another place.
 *
 * @module
 */

import { otherSide, seatsOf, sideOf } from "../js/oddtrick.js";
import { actText } from "./acts.js";
import { factsOf } from "./codes.js";
import { h } from "./dom.js";
import { seatName, spoken, written } from "./names.js";
import { refusal, then } from "./parts.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../js/table.js").Table} Table */
/** @typedef {import("../js/types.js").Act} Act */
/** @typedef {import("../js/types.js").Seat} Seat */

/** @param {App} app @param {Table} table @param {Act} act @param {string} [words] */
function weighty(app, table, act, words = actText(act, table)) {
  const desk = app.desk(table.id);
  const key = JSON.stringify(act);
  return h(
    "button",
    { class: `button small ${desk.confirm === key ? "chosen" : ""}`, type: "button", key, "data-do": act.do, "aria-pressed": desk.confirm === key, onclick: then(app, () => { desk.confirm = desk.confirm === key ? undefined : key; }) },
    written(words),
  );
}

/** @param {string} title @param {any[]} kids */
const group = (title, kids) => {
  const shown = kids.flat().filter(Boolean);
  return shown.length ? h("section", { class: "more-group", key: title }, h("h3", null, title), h("div", { class: "row" }, shown)) : null;
};

/** @param {App} app @param {Table} table */
function charges(app, table) {
  const { view, seat } = table;
  const hand = view?.hand;
  if (!hand || !seat || !["playing", "claims"].includes(view.phase)) return null;
  const wished = app.scratch.charge ?? {};
  const against = seatsOf(otherSide(sideOf(seat)));
  const who = against.includes(wished.seat) ? wished.seat : against[0];
  const last = hand.tricks.at(-1)?.number ?? 0;
  const trick = wished.trick && wished.trick <= last ? wished.trick : undefined;
  /** @param {object} change */
  const wish = (change) => {
    app.scratch.charge = { seat: who, trick, ...change };
    app.desk(table.id).confirm = undefined;
    app.update();
  };
  return group(t("more.revoke"), [
    h("label", { class: "field", key: "who" }, h("span", null, t("charge.who")), h("select", { value: who, onchange: (/** @type {any} */ event) => wish({ seat: event.target.value }) }, against.map((one) => h("option", { value: one, key: one, selected: one === who }, seatName(one))))),
    h(
      "label",
      { class: "field", key: "trick" },
      h("span", null, t("charge.trick")),
      h(
        "select",
        { value: String(trick ?? ""), onchange: (/** @type {any} */ event) => wish({ trick: Number(event.target.value) || undefined }) },
        h("option", { value: "", selected: !trick }, t("charge.any")),
        hand.tricks.map((one) => h("option", { value: String(one.number), key: one.number, selected: one.number === trick }, t("trick.label", { number: one.number }))),
      ),
    ),
    weighty(app, table, { do: "claim_revoke", seat: who, ...(trick ? { trick } : {}) }),
    view.phase === "playing" && weighty(app, table, { do: "play_out" }),
    view.phase === "claims" && view.enforcement === "club" && weighty(app, table, { do: "mix" }),
  ]);
}

/** @param {App} app @param {Table} table */
function playing(app, table) {
  const { view } = table;
  if (!view?.hand || view.phase !== "playing") return null;
  const club = view.enforcement === "club";
  const facts = factsOf(view.code);
  return [
    group(t("more.hand"), [weighty(app, table, { do: "claim_rest" }), weighty(app, table, { do: "claim_game" }), weighty(app, table, { do: "throw_down" })]),
    group(t("more.trick"), [
      weighty(app, table, { do: "place" }),
      weighty(app, table, { do: "gather" }),
      facts.lastTrick && weighty(app, table, { do: "review" }),
      club && weighty(app, table, { do: "say_mine" }),
      weighty(app, table, { do: "consult" }),
    ]),
    club && several(app, table),
    club && !facts.bridge && table.seat === view.hand.dealer && group(t("more.trump"), [weighty(app, table, { do: "leave_trump" }), weighty(app, table, { do: "take_up" }), weighty(app, table, { do: "forget" })]),
  ];
}

/** Words out of turn, before the first card of bridge: the laws say what they cost. @param {App} app @param {Table} table */
function outOfTurn(app, table) {
  const { view } = table;
  if (view?.enforcement !== "club" || !["declaring", "doubling"].includes(view.phase)) return null;
  const declaring = view.phase === "declaring";
  return group(t("more.words"), [
    declaring && ["S", "H", "D", "C", "NT"].map((trump) => weighty(app, table, { do: "declare", trump })),
    declaring && weighty(app, table, { do: "leave_it" }),
    !declaring && weighty(app, table, { do: "double" }),
  ]);
}

/** Two or more cards at once, put down or shown. @param {App} app @param {Table} table */
function several(app, table) {
  const desk = app.desk(table.id);
  const picking = desk.open === "cards";
  const cards = desk.chosen;
  return group(t("more.cards"), [
    h("button", { class: `button small ${picking ? "chosen" : ""}`, type: "button", key: "pick", "aria-pressed": picking, onclick: then(app, () => { desk.open = picking ? "more" : "cards"; desk.chosen = []; }) }, t("more.pick")),
    picking && cards.length > 0 && weighty(app, table, { do: "show", cards }),
    picking && cards.length > 1 && weighty(app, table, { do: "play_together", cards }, t("act.play_together", { cards: cards.map((one) => `[[${one}]]`).join(" ") })),
  ]);
}

/** @param {App} app @param {Table} table */
function counters(app, table) {
  const { view, seat } = table;
  if (!view || !seat) return null;
  const open = view.bets.filter((bet) => !bet.taker && bet.by !== seat);
  return group(t("more.counters"), [
    weighty(app, table, { do: "bet", counters: 1, on: "odd trick", side: sideOf(seat) }, t("bet.offer.odd")),
    weighty(app, table, { do: "bet", counters: 1, on: "score", side: sideOf(seat) }, t("bet.offer.score")),
    open.map((bet) => weighty(app, table, { do: "take_bet", bet: bet.number }, t("bet.take", { seat: seatName(bet.by), counters: bet.counters, on: t(`bet.${bet.on}`) }))),
    ["claims", "to deal"].includes(view.phase) && weighty(app, table, { do: "call_new_cards" }),
  ]);
}

/** At a `club` table the players keep the score, and may mark it wrongly. @param {App} app @param {Table} table */
function marking(app, table) {
  const { view } = table;
  if (!view?.hand || view.enforcement !== "club") return null;
  const wished = app.scratch.mark ?? { sheet: "score", side: "NS", points: 0 };
  const sheets = factsOf(view.code).bridge ? ["score", "above", "game"] : ["score", "game"];
  /** @param {object} change */
  const wish = (change) => {
    app.scratch.mark = { ...wished, ...change };
    app.update();
  };
  return group(t("more.mark"), [
    h("label", { class: "field", key: "sheet" }, h("span", null, t("mark.sheet")), h("select", { value: wished.sheet, onchange: (/** @type {any} */ event) => wish({ sheet: event.target.value }) }, sheets.map((sheet) => h("option", { value: sheet, key: sheet, selected: sheet === wished.sheet }, t(`sheet.${sheet}`))))),
    h("label", { class: "field", key: "side" }, h("span", null, t("mark.side")), h("select", { value: wished.side, onchange: (/** @type {any} */ event) => wish({ side: event.target.value }) }, ["NS", "EW"].map((side) => h("option", { value: side, key: side, selected: side === wished.side }, t(`side.${side}`))))),
    h("label", { class: "field", key: "points" }, h("span", null, t("mark.points")), h("input", { type: "number", min: 0, max: 999, value: String(wished.points), onchange: (/** @type {any} */ event) => wish({ points: Math.max(0, Math.floor(Number(event.target.value))) }) })),
    weighty(app, table, { do: "mark", sheet: wished.sheet, side: wished.side, points: wished.points }, t("act.mark")),
  ]);
}

/** @param {App} app @param {Table} table */
export function moreView(app, table) {
  const desk = app.desk(table.id);
  if (desk.open !== "more" && desk.open !== "cards") return null;
  /** @type {Act|undefined} */
  const act = desk.confirm?.startsWith("{") ? JSON.parse(desk.confirm) : undefined;
  return h(
    "div",
    { class: "more-panel", key: "more-panel", role: "dialog", "data-takes-focus": true, "aria-label": t("more.title") },
    h("header", null, h("h2", null, t("more.title")), h("button", { class: "close", type: "button", "aria-label": t("close"), onclick: then(app, () => { desk.open = undefined; desk.confirm = undefined; desk.chosen = []; }) }, "×")),
    charges(app, table),
    playing(app, table),
    outOfTurn(app, table),
    counters(app, table),
    marking(app, table),
    refusal(app, desk, "more"),
    h(
      "footer",
      { class: "sure-row" },
      h("span", { class: "quiet" }, act ? t("sure.what", { what: spoken(actText(act, table)) }) : t("sure.none")),
      h(
        "button",
        { class: "button first", type: "button", "data-do": "sure", "aria-disabled": act ? undefined : "true", onclick: async () => { if (act && (await app.act(act, { where: "more" }))) { desk.open = undefined; app.update(); } } },
        t("sure"),
      ),
    ),
  );
}

