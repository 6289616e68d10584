// @ts-check
/**
 * The way in: a name, and play.
 *
 * @module
 */

import { CODE_IDS } from "./codes.js";
import { h } from "./dom.js";
import { noticeBar } from "./parts.js";
import { back, badge, suitIcon } from "./shapes.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export const nameField = (app) =>
  h(
    "label",
    { class: "field wide", key: "name-field" },
    h("span", null, t("home.name")),
    h("input", {
      id: "name",
      name: "name",
      maxlength: 24,
      autocomplete: "nickname",
      autocapitalize: "words",
      required: true,
      value: app.scratch.name ?? app.name,
      oninput: (/** @type {any} */ event) => {
        app.scratch.name = event.target.value;
      },
    }),
  );

/** Take the name in the field; false if there is none. @param {App} app */
export async function takeName(app) {
  try {
    await app.callMe(app.scratch.name ?? app.name);
    return true;
  } catch (error) {
    app.notice = { text: /** @type {Error} */ (error).message, cites: [] };
    app.update();
    document.getElementById("name")?.focus();
    return false;
  }
}

/** Sit down somewhere at once; if that opens a table, house bots fill it. @param {App} app */
export async function playNow(app) {
  if (!(await takeName(app))) return;
  const wishes = { code: app.scratch.code ?? "english-1864", enforcement: app.scratch.enforcement ?? "guided" };
  const sat = await app.ask("sit", { table: "any", ...wishes });
  if (!sat) return;
  app.scratch.startWhenHost = sat.table;
  app.go(`#/t/${sat.table}`);
}

/** @param {App} app */
function tableList(app) {
  const lines = app.lobby ?? [];
  if (!app.lobby) return h("p", { class: "quiet" }, t("connecting"));
  if (!lines.length) return h("p", { class: "quiet" }, t("lobby.none"));
  return h(
    "ul",
    { class: "tables" },
    lines.slice(0, 30).map((line) => {
      const free = line.seats.filter((/** @type {any} */ seat) => !seat).length;
      return h(
        "li",
        { key: line.table },
        h(
          "a",
          { class: "table-line", href: `#/t/${line.table}` },
          h("span", { class: "line-main" }, h("strong", null, t(`code.${line.code}`)), h("span", { class: `mode mode-${line.enforcement}` }, t(`enforcement.${line.enforcement}`))),
          h("span", { class: "line-who" }, line.seats.map((/** @type {any} */ seat) => seat ?? "·").join(" – ")),
          h("span", { class: "line-state" }, line.playing ? t("lobby.playing", { count: line.bystanders ?? 0 }) : t("lobby.free", { count: free })),
        ),
      );
    }),
  );
}

/** @param {App} app */
export function homePage(app) {
  return h(
    "main",
    { class: "page home", tabindex: -1, key: "home" },
    h(
      "section",
      { class: "hero", key: "hero" },
      h("div", { class: "hero-cards", "aria-hidden": "true" }, ["S", "H", "D", "C"].map((suit, at) => h("span", { class: `hero-card hero-${at}`, key: suit }, h("ot-card", { face: `${suit}A` })))),
      h("h1", null, badge(), h("span", null, "Oddtrick")),
      h("p", { class: "lead" }, t("home.lead")),
      h(
        "form",
        {
          class: "play-form",
          novalidate: true,
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void playNow(app);
          },
        },
        nameField(app),
        h(
          "label",
          { class: "field" },
          h("span", null, t("home.code")),
          h("select", { value: app.scratch.code ?? CODE_IDS[0], onchange: (/** @type {any} */ event) => { app.scratch.code = event.target.value; app.update(); } }, CODE_IDS.map((code) => h("option", { value: code, key: code, selected: code === (app.scratch.code ?? CODE_IDS[0]) }, t(`code.${code}`)))),
        ),
        h("button", { class: "button first big", type: "submit", "data-do": "play-now" }, t("home.play")),
      ),
      noticeBar(app),
      h("p", { class: "quiet hero-note" }, t("home.note")),
    ),
    h(
      "nav",
      { class: "ways", "aria-label": t("home.ways"), key: "ways" },
      h("a", { class: "way", href: "#/learn" }, suitIcon("H"), h("strong", null, t("way.learn")), h("span", null, t("way.learn.why"))),
      h("a", { class: "way", href: "#/new" }, suitIcon("S"), h("strong", null, t("way.new")), h("span", null, t("way.new.why"))),
      h("a", { class: "way", href: "#/hands" }, suitIcon("D"), h("strong", null, t("way.hands")), h("span", null, t("way.hands.why"))),
      h("a", { class: "way", href: "#/settings" }, suitIcon("C"), h("strong", null, t("way.settings")), h("span", null, t("way.settings.why"))),
    ),
    h("section", { class: "lobby", key: "lobby" }, h("h2", null, t("lobby.title")), tableList(app)),
    h("footer", { class: "foot", key: "foot" }, h("span", { class: "foot-back" }, back()), h("p", { class: "quiet" }, t("home.foot"))),
  );
}
