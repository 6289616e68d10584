// @ts-check
/**
 * The page begins here.
 *
 * @module
 */

import { App } from "./app.js";
import { allowSound, titleFor } from "./cues.js";
import { h, rendererIn } from "./dom.js";
import "./elements.js";
import { homePage } from "./home.js";
import { lawCard } from "./parts.js";
import { dress, settings } from "./settings.js";
import { speak, t } from "./words.js";

/** When the table is fetched by one who has not asked for it yet. */
const SOON_MS = 300;

/** Pages that come when they are asked for. @type {Record<string, {load: () => Promise<any>, view: string}>} */
const LATER = {
  table: { load: () => import("./table_page.js"), view: "tablePage" },
  replay: { load: () => import("./later/replay.js"), view: "replayPage" },
  hands: { load: () => import("./later/hands.js"), view: "handsPage" },
  learn: { load: () => import("./later/learn.js"), view: "learnPage" },
  settings: { load: () => import("./later/settings_page.js"), view: "settingsPage" },
  new: { load: () => import("./later/new_table.js"), view: "newTablePage" },
};

/** Between deals a page may be loaded anew without harm. @param {App} app */
const betweenDeals = (app) => !["declaring", "doubling", "playing"].includes(app.table?.view?.phase ?? "");

/** @param {App} app */
function banners(app) {
  const { client } = app;
  if (client.stopped?.code === 4409) {
    return h("div", { class: "banner", role: "alert", key: "replaced" }, h("span", null, t("banner.replaced")), h("button", { class: "button small first", type: "button", "data-do": "take-over", onclick: () => client.start() }, t("banner.here")));
  }
  if (client.stopped?.code) {
    return h("div", { class: "banner", role: "alert", key: "stopped" }, h("span", null, t("banner.stopped", { reason: client.stopped.reason })), h("button", { class: "button small first", type: "button", onclick: () => client.start() }, t("banner.again")));
  }
  if (client.isSilent || (!client.isOnline && app.scratch.wasOnline)) {
    return h("div", { class: "banner", role: "status", key: "offline" }, h("span", { class: "spinner", "aria-hidden": "true" }), h("span", null, t("banner.offline")));
  }
  if (app.newBuild && betweenDeals(app)) {
    return h("div", { class: "banner calm", role: "status", key: "build" }, h("span", null, t("banner.build")), h("button", { class: "button small first", type: "button", "data-do": "reload", onclick: () => location.reload() }, t("banner.reload")));
  }
  return null;
}

/** @param {App} app */
function page(app) {
  const { name } = app.route;
  if (name === "home") return homePage(app);
  const later = LATER[name];
  if (app.later[name]) return app.later[name][later.view](app);
  void bring(app, name);
  return h("main", { class: "page", tabindex: -1, key: "loading" }, h("p", { class: "quiet" }, app.scratch.failed === name ? t("later.failed") : t("later.loading")));
}

/** @param {App} app @param {string} name */
async function bring(app, name) {
  app.scratch.bringing ??= new Set();
  if (app.later[name] || app.scratch.bringing.has(name) || app.scratch.failed === name) return;
  app.scratch.bringing.add(name);
  try {
    app.later[name] = await LATER[name].load();
  } catch {
    app.scratch.failed = name;
  }
  app.scratch.bringing.delete(name);
  app.update();
}

/** Play now opened a table for us: begin it as soon as we are its host. @param {App} app */
function startWhenHost(app) {
  const { table } = app;
  if (!table || app.scratch.startWhenHost !== table.id) return;
  if (table.view) app.scratch.startWhenHost = undefined;
  else if (table.seat && table.info.host === app.client.session.identity) {
    app.scratch.startWhenHost = undefined;
    void app.ask("start", { table: table.id });
  }
}

/** What a person opened, and where the focus was before: it goes in, and back again. @type {Map<Element, Element|null>} */
const opened = new Map();

function tendDialogs() {
  const shown = document.querySelectorAll("[data-takes-focus]");
  for (const dialog of shown) {
    if (opened.has(dialog)) continue;
    opened.set(dialog, document.activeElement);
    const first = dialog.querySelector("h2, button, select");
    if (first instanceof HTMLElement) {
      if (first.tabIndex < 0) first.tabIndex = -1;
      first.focus({ preventScroll: true });
    }
  }
  for (const [dialog, before] of opened) {
    if (dialog.isConnected) continue;
    opened.delete(dialog);
    const lost = document.activeElement === document.body;
    if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  }
}

async function begin() {
  dress();
  await speak(settings.language);
  const app = new App();
  const show = rendererIn(/** @type {Element} */ (document.getElementById("app")));
  app.drawWith(() => {
    if (app.client.isOnline) app.scratch.wasOnline = true;
    startWhenHost(app);
    titleFor(app.table);
    show(banners(app), page(app), lawCard(app));
    tendDialogs();
  });
  window.addEventListener("hashchange", () => app.arrived());
  window.addEventListener("online", () => app.client.hurry());
  window.addEventListener("offline", () => app.client.cut());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    app.client.hurry();
    app.refreshLobby();
    app.update();
  });
  // Which prompt a press was meant for: one that has taken its place since is not answered by it.
  document.addEventListener("pointerdown", () => {
    allowSound();
    app.scratch.pressed = app.table?.prompt?.prompt ?? "";
  }, true);
  document.addEventListener("keydown", allowSound, { once: true });
  if (app.route.name === "table") app.client.rejoin(app.route.table);
  app.client.start();
  /** @type {any} */ (window).oddtrick = { version: app.build };
  document.documentElement.dataset.ready = "true";
  setTimeout(() => void bring(app, "table"), SOON_MS);
}

void begin();
