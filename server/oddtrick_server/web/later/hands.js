// @ts-check
/**
 * One's own past hands.
 *
 * @module
 */

import { h } from "../dom.js";
import { suitName } from "../names.js";
import { noticeBar } from "../parts.js";
import { suitIcon } from "../shapes.js";
import { t } from "../words.js";

/** @typedef {import("../app.js").App} App */

/** @param {App} app */
async function fetchHands(app) {
  if (app.scratch.fetchingHands || !app.client.isOnline) return;
  app.scratch.fetchingHands = true;
  const ok = await app.ask("hands");
  app.scratch.hands = ok?.hands ?? [];
  app.update();
}

/** @param {App} app */
export function handsPage(app) {
  void fetchHands(app);
  const lines = app.scratch.hands;
  return h(
    "main",
    { class: "page", tabindex: -1, key: "hands" },
    h("a", { class: "back-link", href: "#/" }, t("home.link")),
    h(
      "section",
      { class: "card-panel wide" },
      h("h1", null, t("way.hands")),
      noticeBar(app),
      !lines && h("p", { class: "quiet" }, t("connecting")),
      lines && !lines.length && h("p", { class: "quiet" }, t("hands.none")),
      lines?.length > 0 &&
        h(
          "ul",
          { class: "tables" },
          lines.map((/** @type {any} */ line) =>
            h(
              "li",
              { key: `${line.table}/${line.hand}` },
              h(
                "a",
                { class: "table-line", href: `#/hand/${line.table}/${line.hand}` },
                h("span", { class: "line-main" }, line.trump && h("span", { role: "img", "aria-label": suitName(line.trump) }, suitIcon(line.trump)), h("strong", null, t("hands.line", { hand: line.hand, code: t(`code.${line.code}`) }))),
                h("span", { class: "line-who" }, (line.seats ?? []).map((/** @type {any} */ seat) => seat ?? "·").join(" – ")),
                h("span", { class: "line-state" }, t("hands.tricks", { ns: line.tricks?.[0] ?? 0, ew: line.tricks?.[1] ?? 0 })),
              ),
            ),
          ),
        ),
      h("button", { class: "button small", type: "button", onclick: () => { app.scratch.fetchingHands = false; void fetchHands(app); } }, t("hands.again")),
    ),
  );
}
