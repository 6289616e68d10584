// @ts-check
/**
 * The tricks of a finished hand laid out, trick by trick, up to the verdict: what claimants see when they search.
 *
 * @module
 */

import { SEATS, ledCard } from "../js/oddtrick.js";
import { h } from "./dom.js";
import { cardName, seatName, suitName, written } from "./names.js";
import { cites, then } from "./parts.js";
import { cardFace } from "./parts.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../js/table.js").Table} Table */
/** @typedef {import("../js/types.js").Trick} Trick */
/** @typedef {import("../js/types.js").Hand} Hand */

/** @param {Trick} trick @param {Hand} hand */
function row(trick, hand) {
  const proved = hand.revokes.filter((one) => one.trick === trick.number && one.number > 0);
  const charged = hand.charges.filter((one) => one.trick === trick.number);
  const led = ledCard(trick);
  return h(
    "tr",
    { key: trick.number, class: `${proved.length ? "found" : ""} ${charged.length ? "charged" : ""}`, vars: { "--row": String(trick.number) } },
    h("th", { scope: "row" }, trick.number),
    SEATS.map((seat) => {
      const card = trick.plays.find(([who]) => who === seat)?.[1];
      const wrong = proved.some((one) => one.seat === seat);
      return h(
        "td",
        { key: seat, class: `${wrong ? "wrong" : ""} ${trick.leader === seat ? "led" : ""} ${trick.winner === seat ? "won" : ""}` },
        card && h("span", { class: "card tiny", role: "img", "aria-label": cardName(card) }, cardFace(card)),
      );
    }),
    h("td", { class: "search-note" }, proved.map((one) => t("search.found", { seat: seatName(one.seat), suit: suitName(one.suit ?? led?.[0] ?? "S") }))),
  );
}

/** @param {App} app @param {Table} table */
export function searchView(app, table) {
  const desk = app.desk(table.id);
  const hand = table.view?.hand;
  if (!desk.laidOut || !hand?.ended) return null;
  const judged = hand.charges.filter((one) => desk.laidOut?.includes(one.number));
  return h(
    "div",
    { class: "search", key: "search", role: "dialog", "aria-label": t("search.title") },
    h("header", null, h("h2", null, t("search.title")), h("button", { class: "close", type: "button", "aria-label": t("close"), onclick: then(app, () => { desk.laidOut = undefined; }) }, "×")),
    h(
      "div",
      { class: "scroll", tabindex: 0 },
      h(
        "table",
        { class: "tricks-table" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, t("search.trick")), SEATS.map((seat) => h("th", { scope: "col", key: seat }, seatName(seat))), h("th", { scope: "col" }, t("search.note")))),
        h("tbody", null, hand.tricks.map((trick) => row(trick, hand))),
      ),
    ),
    h(
      "ul",
      { class: "verdicts" },
      judged.map((one) =>
        h(
          "li",
          { key: one.number, class: `verdict ${one.verdict === "proved" ? "proved" : ""}` },
          written(t(one.trick ? "search.charge.trick" : "search.charge", { by: seatName(one.by), seat: seatName(one.seat), trick: one.trick })),
          " ",
          h("strong", null, t(`verdict.${one.verdict}`)),
        ),
      ),
    ),
    h("p", { class: "quiet" }, t("search.legend"), " ", cites(app, ["R8"])),
  );
}
