// @ts-check
/**
 * Small parts that several views share: buttons, laws that open, cards, refusals.
 *
 * @module
 */

import { h } from "./dom.js";
import { cardName, written } from "./names.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Desk} Desk */
/** @typedef {import("../js/table.js").Table} Table */
/** @typedef {import("../js/types.js").Card} Card */

/** @param {string} card @param {Record<string, any>} [props] */
export const cardFace = (card, props = {}) => h("ot-card", { face: card, ...props });

/** A card that only lies there. @param {Card} card @param {string} [more] @param {string} [key] */
export const lyingCard = (card, more = "", key = card) =>
  h("span", { class: `card lying ${more}`, role: "img", "aria-label": cardName(card), key }, cardFace(card));

/** @param {App} app @param {string[]} numbers @param {string} [code] */
export function cites(app, numbers, code = app.table?.view?.code ?? app.table?.info.code ?? "english-1864") {
  return numbers.map((number) =>
    h(
      "button",
      { class: "cite", type: "button", key: `cite-${number}`, onclick: () => app.readLaw(code, number) },
      t(number.startsWith("R") ? "cite.ruling" : "cite.law", { number }),
    ),
  );
}

/** Why not, where it was asked. @param {App} app @param {Desk} desk @param {string} where */
export const refusal = (app, desk, where) =>
  desk.refused?.where === where &&
  h(
    "div",
    { class: "why-not", key: `why-${where}` },
    h("span", null, written(desk.refused.text)),
    cites(app, desk.refused.cites),
    h("button", { class: "close", type: "button", "aria-label": t("close"), onclick: () => { desk.refused = undefined; app.update(); } }, "×"),
  );

/** What a view remembers is changed by this, and shown. @param {App} app @param {() => void} change */
export const then = (app, change) => () => {
  change();
  app.update();
};

/** Whether a tap may answer the prompt that stands: it was meant for it, and it stands long enough. @param {App} app @param {Table} table @param {Event} [event] */
export function armed(app, table, event) {
  const desk = app.desk(table.id);
  if (Date.now() < desk.armedAt) return false;
  const byHand = event instanceof MouseEvent && event.detail > 0;
  return !byHand || app.scratch.pressed === undefined || app.scratch.pressed === (table.prompt?.prompt ?? "");
}

/** @param {App} app */
export const lawCard = (app) =>
  app.law &&
  h(
    "section",
    { class: "law-card", role: "dialog", "data-takes-focus": true, "aria-label": t("law.title"), key: "law" },
    h("h2", null, t(app.law.number.startsWith("R") ? "cite.ruling" : "cite.law", { number: app.law.number }), " · ", t(`code.${app.law.code}`)),
    app.law.failed
      ? h("p", null, t("law.failed"))
      : app.law.gist
        ? h("p", { lang: "en" }, app.law.gist)
        : h("p", null, t("law.loading")),
    app.law.lives === "cannot occur" && h("p", { class: "quiet", lang: "en" }, t("law.cannot", { why: app.law.why ?? "" })),
    h("button", { class: "button", type: "button", onclick: then(app, () => { app.law = undefined; }) }, t("close")),
  );

/** @param {App} app */
export const noticeBar = (app) =>
  app.notice &&
  h(
    "div",
    { class: "notice", role: "status", key: "notice" },
    h("span", null, app.notice.text),
    cites(app, app.notice.cites),
    h("button", { class: "close", type: "button", "aria-label": t("close"), onclick: then(app, () => { app.notice = undefined; }) }, "×"),
  );
