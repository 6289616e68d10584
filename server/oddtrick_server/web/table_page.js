// @ts-check
/**
 * The table: everything of it put together, from the door to the last trick.
 *
 * @module
 */

import { SEATS, seatIndex } from "../js/oddtrick.js";
import { actsView } from "./acts.js";
import { h } from "./dom.js";
import { feltView } from "./felt.js";
import { handView } from "./hand.js";
import { nameField } from "./home.js";
import { moreView } from "./more.js";
import { seatName } from "./names.js";
import { noticeBar, then } from "./parts.js";
import { proposalView } from "./proposals.js";
import { tell } from "./say.js";
import { searchView } from "./search.js";
import { inviteRow, sideView } from "./side.js";
import { badge } from "./shapes.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../js/table.js").Table} Table */

/** What a key asks to hear, and what it does; only inside the table's own region (WCAG 2.1.4). */
const QUERIES = /** @type {Record<string, string>} */ ({ t: "trick", s: "score", l: "last", h: "hand", u: "trump" });
const DEEDS = /** @type {Record<string, string>} */ ({ n: "ask", b: "withdraw", q: "quit" });

/** @param {App} app @param {Table} table @param {KeyboardEvent} event */
function keyed(app, table, event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea")) return;
  const desk = app.desk(table.id);
  const key = event.key.toLowerCase();
  if (key === "escape") {
    desk.open = desk.confirm = desk.selected = desk.laidOut = app.law = app.scratch.leaving = undefined;
    desk.drawer = false;
    app.update();
  } else if (key in QUERIES) {
    tell(table, QUERIES[key]);
  } else if (key in DEEDS && table.seat) {
    void app.act({ do: DEEDS[key] });
  } else if (key === "c") {
    const cards = /** @type {HTMLElement|null} */ (document.querySelector(".hand.mine button.card"));
    cards?.focus();
  }
}

/** @param {App} app @param {Table} table */
function header(app, table) {
  const { view, info } = table;
  const desk = app.desk(table.id);
  const hand = view?.hand;
  return h(
    "header",
    { class: "table-bar", key: "bar" },
    h("a", { class: "home-link", href: "#/", "aria-label": t("home.link") }, badge()),
    h("div", { class: "table-title" }, h("h1", null, t(`code.${info.code}`)), h("span", { class: `mode mode-${info.enforcement}` }, t(`enforcement.${info.enforcement}`))),
    hand &&
      h(
        "div",
        { class: "strip", role: "group", "aria-label": t("strip.label") },
        ["NS", "EW"].map((side, at) =>
          h("span", { class: "strip-side", key: side }, h("b", { class: `letter side-${side}` }, t(`side.short.${side}`)), h("span", { "data-strip": `${side}-tricks` }, hand.taken[at]), h("small", { "data-strip": `${side}-points` }, view.score[at])),
        ),
      ),
    h(
      "nav",
      { class: "bar-buttons", "aria-label": t("bar.label") },
      h("button", { class: "button small drawer-button", type: "button", "aria-expanded": desk.drawer, onclick: then(app, () => { desk.drawer = !desk.drawer; }) }, t("bar.side")),
      h("a", { class: "button small", href: "#/settings" }, t("bar.settings")),
      h("button", { class: "button small", type: "button", onclick: then(app, () => { app.scratch.leaving = app.scratch.leaving === table.id ? undefined : table.id; }) }, t("leave")),
    ),
    app.scratch.leaving === table.id &&
      h(
        "div",
        { class: "leaving", role: "alertdialog", "data-takes-focus": true, "aria-label": t("leave"), key: "leaving" },
        h("span", null, t(table.seat && view && view.phase !== "over" ? "leave.sure.seat" : "leave.sure")),
        h("button", { class: "button small first", type: "button", onclick: () => { app.scratch.leaving = undefined; void app.client.leave(table.id).catch(() => {}); app.go("#/"); } }, t("leave.yes")),
        h("button", { class: "button small", type: "button", onclick: then(app, () => { app.scratch.leaving = undefined; }) }, t("leave.no")),
      ),
  );
}

/** Before the first rubber, and after one. @param {App} app @param {Table} table */
function waitingRoom(app, table) {
  const { info, view, seat } = table;
  if (view && view.phase !== "over") return undefined;
  const host = info.host === app.client.session.identity;
  const free = SEATS.filter((one) => !info.seats[seatIndex(one)]);
  const asked = seat && info.again_asked.includes(seat);
  return h(
    "div",
    { class: "between room", key: "room" },
    view?.rubber
      ? h("h2", null, t("rubber.won", { side: t(`side.${view.rubber.side}`), points: view.rubber.points }))
      : h("h2", null, free.length ? t("room.title", { count: free.length }) : t("room.full")),
    !view && h("p", { class: "quiet" }, host ? t("room.host") : t("room.guest")),
    !view && inviteRow(app, table),
    h(
      "div",
      { class: "row" },
      !view && host && seat && h("button", { class: "button first", type: "button", "data-do": "start", onclick: () => void app.ask("start", { table: table.id }) }, free.length ? t("room.start.bots", { count: free.length }) : t("room.start")),
      view && seat && h("button", { class: "button first", type: "button", "aria-disabled": asked ? "true" : undefined, onclick: () => void app.ask("again", { table: table.id }) }, asked ? t("again.asked") : t("again")),
      !seat && free.map((one) => h("button", { class: "button", type: "button", key: one, onclick: () => void app.ask("sit", { table: table.id, seat: one, ...(app.route.invite ? { invite: app.route.invite } : {}) }) }, t("sit.at", { seat: seatName(one) }))),
    ),
  );
}

/** A link was opened, and we are not at that table yet. @param {App} app */
function doorView(app) {
  const { table, invite } = app.route;
  const line = app.lobby?.find((one) => one.table === table);
  const lost = app.lost.get(table);
  const gone = lost && !["not_at_table"].includes(lost.code);
  /** @param {string} how @param {object} more */
  const enter = async (how, more) => {
    try {
      await app.callMe(app.scratch.name ?? app.name);
    } catch (error) {
      app.notice = { text: /** @type {Error} */ (error).message, cites: [] };
      app.update();
      return;
    }
    await app.ask(how, { table, ...more, ...(invite ? { invite } : {}) });
  };
  if (!lost && app.client.isOnline) return h("p", { class: "quiet door-wait" }, t("door.opening"));
  if (!lost) return h("p", { class: "quiet door-wait" }, t("connecting"));
  if (gone) return h("section", { class: "card-panel", key: "gone" }, h("h1", null, t("door.gone")), noticeBar(app), h("p", null, t(`refused.${lost.code}`)), h("a", { class: "button first", href: "#/" }, t("home.link")));
  return h(
    "section",
    { class: "card-panel door", key: "door" },
    h("h1", null, t("door.title")),
    line && h("p", null, t(`code.${line.code}`), " · ", t(`enforcement.${line.enforcement}`)),
    nameField(app),
    noticeBar(app),
    line &&
      h(
        "div",
        { class: "seats-grid", role: "group", "aria-label": t("door.seats") },
        SEATS.map((seat, at) =>
          line.seats[at]
            ? h("span", { class: "seat-taken", key: seat }, h("b", null, seatName(seat)), line.seats[at])
            : h("button", { class: "button", type: "button", key: seat, "data-sit": seat, onclick: () => void enter("sit", { seat }) }, t("sit.at", { seat: seatName(seat) })),
        ),
      ),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button first", type: "button", "data-do": "sit", onclick: () => void enter("sit", { seat: "any" }) }, t("door.sit")),
      h("button", { class: "button", type: "button", "data-do": "watch", onclick: () => void enter("watch", {}) }, t("door.watch")),
    ),
  );
}

/** Played by a substitute: how to get the seat back. @param {App} app @param {Table} table */
function substituted(app, table) {
  const sitter = table.seat && table.info.seats[seatIndex(table.seat)];
  if (!sitter?.substitute) return null;
  return h(
    "div",
    { class: "notice", role: "status", key: "substituted" },
    t(sitter.away ? "substituted.away" : "substituted.back"),
    sitter.away && h("button", { class: "button small first", type: "button", onclick: () => void app.ask("back", { table: table.id }) }, t("back")),
  );
}

/** @param {App} app */
export function tablePage(app) {
  const { table } = app;
  if (!table) return h("main", { class: "page", tabindex: -1, key: "door-main" }, doorView(app));
  const hand = table.view?.hand;
  const desk = app.desk(table.id);
  const coach = app.scratch.coach && app.later.learn;
  return h(
    "main",
    {
      class: `table-page ${desk.drawer ? "drawer-open" : ""} ${table.seat ? "seated" : "watching"} ${hand?.dummy ? "bridge-dummy" : ""}`,
      tabindex: -1,
      key: `table-${table.id}`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => keyed(app, table, event),
    },
    header(app, table),
    h("div", { class: "notices", key: "notices" }, noticeBar(app), substituted(app, table), proposalView(app, table), coach && coach.coachView(app, table)),
    feltView(app, table, waitingRoom(app, table)),
    actsView(app, table),
    table.seat && handView(app, table, table.seat),
    sideView(app, table),
    moreView(app, table),
    searchView(app, table),
  );
}
