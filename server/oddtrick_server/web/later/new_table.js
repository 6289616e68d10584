// @ts-check
/**
 * Opening a table of one's own: code, enforcement, clocks, who may watch, bots.
 *
 * @module
 */

import { CODE_IDS } from "../codes.js";
import { h } from "../dom.js";
import { nameField, takeName } from "../home.js";
import { cites, noticeBar } from "../parts.js";
import { t } from "../words.js";

/** @typedef {import("../app.js").App} App */

const TURN_S = [0, 15, 30, 45, 90, 300];
const LINGER_S = [1, 2, 3, 5, 10];
const STAKES = [0, 1, 2, 5, 10];
const ABSENCE_S = [0, 30, 60, 180, 600];

/** @param {App} app */
function wishOf(app) {
  app.scratch.table ??= { code: CODE_IDS[0], enforcement: "guided", turn: 45, linger: 3, absence: 60, watch: "all", private: false, bots: 0, open_hands: false, forming: "seats", stakes: 1 };
  return app.scratch.table;
}

/** @param {App} app @param {string} key @param {string} label @param {[any, string][]} options */
function select(app, key, label, options) {
  const wish = wishOf(app);
  return h(
    "label",
    { class: "field", key },
    h("span", null, label),
    h(
      "select",
      { value: String(wish[key]), name: key, onchange: (/** @type {any} */ event) => { const raw = event.target.value; wish[key] = typeof options[0][0] === "number" ? Number(raw) : raw; app.update(); } },
      options.map(([value, words]) => h("option", { value: String(value), key: String(value), selected: value === wish[key] }, words)),
    ),
  );
}

/** @param {App} app @param {string} key @param {string} label */
const check = (app, key, label) =>
  h("label", { class: "check", key }, h("input", { type: "checkbox", name: key, checked: Boolean(wishOf(app)[key]), onchange: (/** @type {any} */ event) => { wishOf(app)[key] = event.target.checked; app.update(); } }), h("span", null, label));

/** @param {number} value */
const seconds = (value) => (value ? t("clock.seconds", { seconds: value }) : t("clock.off"));

/** @param {App} app */
async function open(app) {
  if (!(await takeName(app))) return;
  const wish = wishOf(app);
  const made = await app.ask("create", {
    code: wish.code,
    enforcement: wish.enforcement,
    private: wish.private,
    watch: wish.watch,
    bots: wish.bots,
    open_hands: wish.open_hands,
    forming: wish.forming,
    stakes: wish.stakes,
    clocks: { turn_ms: wish.turn * 1000, linger_ms: wish.linger * 1000, absence_ms: wish.absence * 1000 },
  });
  if (!made) return;
  if (made.invite) app.scratch[`invite/${made.table}`] = made.invite;
  const sat = await app.ask("sit", { table: made.table, ...(made.invite ? { invite: made.invite } : {}) });
  if (sat) app.go(`#/t/${made.table}${made.invite && wish.private ? `?invite=${encodeURIComponent(made.invite)}` : ""}`);
}

/** @param {App} app */
export function newTablePage(app) {
  const wish = wishOf(app);
  return h(
    "main",
    { class: "page", tabindex: -1, key: "new" },
    h("a", { class: "back-link", href: "#/" }, t("home.link")),
    h(
      "section",
      { class: "card-panel wide" },
      h("h1", null, t("way.new")),
      h(
        "form",
        { class: "grid-form", novalidate: true, onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void open(app); } },
        nameField(app),
        select(app, "code", t("home.code"), CODE_IDS.map((code) => [code, t(`code.${code}`)])),
        h(
          "fieldset",
          { class: "wide" },
          h("legend", null, t("new.enforcement")),
          ["strict", "guided", "club"].map((mode) =>
            h(
              "label",
              { class: `choice ${wish.enforcement === mode ? "chosen" : ""}`, key: mode },
              h("input", { type: "radio", name: "enforcement", value: mode, checked: wish.enforcement === mode, onchange: () => { wish.enforcement = mode; app.update(); } }),
              h("span", null, h("strong", null, t(`enforcement.${mode}`)), h("small", null, t(`enforcement.${mode}.long`))),
            ),
          ),
        ),
        select(app, "bots", t("new.bots"), [0, 1, 2, 3].map((count) => [count, String(count)])),
        select(app, "forming", t("new.forming"), ["seats", "cut"].map((how) => [how, t(`forming.${how}`)])),
        select(app, "stakes", t("new.stakes"), STAKES.map((count) => [count, String(count)])),
        select(app, "watch", t("new.watch"), ["all", "invited", "none"].map((who) => [who, t(`watch.${who}`)])),
        select(app, "turn", t("new.turn"), TURN_S.map((value) => [value, seconds(value)])),
        select(app, "linger", t("new.linger"), LINGER_S.map((value) => [value, seconds(value)])),
        select(app, "absence", t("new.absence"), ABSENCE_S.map((value) => [value, seconds(value)])),
        check(app, "private", t("new.private")),
        check(app, "open_hands", t("new.open_hands")),
        h("div", { class: "wide row" }, h("button", { class: "button first big", type: "submit", "data-do": "create" }, t("new.open")), cites(app, ["R3", "R32"], wish.code)),
      ),
      noticeBar(app),
    ),
  );
}
