// @ts-check
/**
 * What a person may choose for this browser.
 *
 * @module
 */

import { h } from "../dom.js";
import { noticeBar } from "../parts.js";
import { choose, settings } from "../settings.js";
import { LANGUAGES, speak, t } from "../words.js";

/** @typedef {import("../app.js").App} App */

/** @param {App} app @param {any} key @param {[string, string][]} options */
const select = (app, key, options) =>
  h(
    "label",
    { class: "field", key },
    h("span", null, t(`set.${key}`)),
    h(
      "select",
      { name: key, value: /** @type {any} */ (settings)[key], onchange: async (/** @type {any} */ event) => { choose(key, event.target.value); if (key === "language") await speak(settings.language); app.update(); } },
      options.map(([value, words]) => h("option", { value, key: value, selected: /** @type {any} */ (settings)[key] === value }, words)),
    ),
  );

/** @param {App} app @param {any} key */
const check = (app, key) =>
  h(
    "label",
    { class: "check", key },
    h("input", {
      type: "checkbox",
      name: key,
      checked: Boolean(/** @type {any} */ (settings)[key]),
      onchange: async (/** @type {any} */ event) => {
        if (key === "notify" && event.target.checked && "Notification" in window) await Notification.requestPermission();
        choose(key, event.target.checked);
        app.update();
      },
    }),
    h("span", null, t(`set.${key}`)),
  );

const KEYS = [["←→", "cards"], ["⇧ ←→", "arrange"], ["Enter", "play"], ["C", "hand.focus"], ["N", "ask"], ["B", "withdraw"], ["Q", "quit"], ["T", "trick"], ["H", "hand"], ["U", "trump"], ["S", "score"], ["L", "last"], ["Esc", "close"]];

/** @param {App} app */
export function settingsPage(app) {
  return h(
    "main",
    { class: "page", tabindex: -1, key: "settings" },
    h("button", { class: "back-link", type: "button", onclick: () => history.back() }, t("back.link")),
    h(
      "section",
      { class: "card-panel wide" },
      h("h1", null, t("way.settings")),
      noticeBar(app),
      h(
        "div",
        { class: "grid-form" },
        select(app, "language", [["", t("set.language.auto")], ...Object.entries(LANGUAGES).filter(([one]) => one !== "xx" || settings.language === "xx")]),
        select(app, "look", ["auto", "light", "dark"].map((one) => [one, t(`set.look.${one}`)])),
        select(app, "deck", ["four", "two"].map((one) => [one, t(`set.deck.${one}`)])),
        select(app, "sort", ["suits", "trumps", "dealt", "own"].map((one) => [one, t(`set.sort.${one}`)])),
        select(app, "order", ["down", "up"].map((one) => [one, t(`set.order.${one}`)])),
        h("fieldset", { class: "wide" }, h("legend", null, t("set.play")), check(app, "two_taps"), check(app, "marks"), check(app, "calm")),
        h("fieldset", { class: "wide" }, h("legend", null, t("set.cues")), check(app, "sound"), check(app, "title"), check(app, "buzz"), check(app, "notify"), check(app, "aloud")),
      ),
      h("h2", null, t("keys.title")),
      h("p", { class: "quiet" }, t("keys.where")),
      h("dl", { class: "keys" }, KEYS.flatMap(([key, what]) => [h("dt", { key: `${what}-key` }, h("kbd", null, key)), h("dd", { key: what }, t(`key.${what}`))])),
    ),
  );
}
