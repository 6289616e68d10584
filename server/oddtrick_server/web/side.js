// @ts-check
/**
 * Beside the table: the score, the log of acts, the people, the talk.
 *
 * @module
 */

import { SEATS, seatIndex } from "../js/oddtrick.js";
import { factsOf } from "./codes.js";
import { h } from "./dom.js";
import { seatName, sideName, suitName, written } from "./names.js";
import { cites, then } from "./parts.js";
import { declareIn, watcherLine } from "./proposals.js";
import { t, tOr } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../js/table.js").Table} Table */

const TABS = ["score", "log", "people", "talk"];
const PHRASES = ["hello", "one_moment", "thank_you", "thank_you_partner", "well_played", "sorry", "no_matter", "good_game", "goodbye"];

// --- the score ---

/** @param {App} app @param {Table} table */
function scoreTab(app, table) {
  const { view, seat } = table;
  if (!view) return h("p", { class: "quiet" }, t("score.none"));
  const facts = factsOf(view.code);
  const hand = view.hand;
  const sides = seat === "E" || seat === "W" ? ["EW", "NS"] : ["NS", "EW"];
  /** @param {string} side @param {readonly any[]|undefined} pair */
  const of = (side, pair) => (pair ? pair[side === "NS" ? 0 : 1] : "–");
  /** @param {string} label @param {readonly any[]|undefined} pair @param {string} [row] */
  const line = (label, pair, row = label) =>
    h("tr", { key: row, "data-row": row }, h("th", { scope: "row" }, label), sides.map((side) => h("td", { key: side, "data-side": side }, of(side, pair))));
  const won = (/** @type {number[]} */ games) => (facts.bridge ? games.length : games.map((value) => t(`game.value.${value}`)).join(" ") || "0");
  return h(
    "div",
    { class: "score", key: "score" },
    h(
      "table",
      { class: "sheet" },
      h("caption", null, hand ? t("score.caption", { hand: view.hands_dealt, code: t(`code.${view.code}`) }) : t(`code.${view.code}`)),
      h("thead", null, h("tr", null, h("td", null), sides.map((side) => h("th", { scope: "col", key: side }, sideName(side), seat && h("small", null, side === (seat === "E" || seat === "W" ? "EW" : "NS") ? t("score.us") : t("score.them")))))),
      h(
        "tbody",
        null,
        line(t("score.tricks"), hand?.taken, "tricks"),
        line(facts.bridge ? t("score.below") : t("score.points"), view.score, "points"),
        facts.bridge && line(t("score.above"), view.above, "above"),
        facts.bridge && line(t("score.before"), view.below, "below"),
        line(t("score.games"), view.games.map(won), "games"),
      ),
    ),
    view.rubber && h("p", { class: "rubber" }, t("rubber.won", { side: sideName(view.rubber.side), points: view.rubber.points })),
    hand &&
      h(
        "dl",
        { class: "facts" },
        h("dt", null, t("fact.trump")),
        h("dd", null, hand.trump ? suitName(hand.trump) + (hand.multiplier > 1 ? ` ×${hand.multiplier}` : "") : "–"),
        h("dt", null, t("fact.dealer")),
        h("dd", null, seatName(hand.dealer)),
        hand.maker && [h("dt", null, t("fact.maker")), h("dd", null, seatName(hand.maker))],
        hand.charges.length > 0 && [h("dt", null, t("fact.charges")), h("dd", null, hand.charges.map((one) => h("span", { class: "charge", key: one.number }, `${seatName(one.seat)}${one.trick ? ` (${one.trick})` : ""}: ${t(`verdict.${one.verdict}`)} `)))],
      ),
    view.bets.length > 0 && h("ul", { class: "bets" }, view.bets.map((bet) => h("li", { key: bet.number }, t("bet.line", { seat: seatName(bet.by), counters: bet.counters, on: t(`bet.${bet.on}`), side: sideName(bet.side) }), bet.taker && ` · ${seatName(bet.taker)}`))),
    h("div", { class: "latest", key: "latest" }, h("h2", null, t("tab.log")), logTab(app, table, 12)),
    h("p", { class: "quiet", key: "mode" }, t(`enforcement.${view.enforcement}.long`), " ", cites(app, ["R3"])),
    h("p", { class: "quiet", key: "clocks" }, clocksText(table), " ", cites(app, ["R32"])),
  );
}

/** @param {Table} table */
function clocksText({ info }) {
  const { turn_ms, linger_ms, absence_ms } = info.clocks;
  /** @param {number} ms */
  const seconds = (ms) => (ms ? t("clock.seconds", { seconds: Math.round(ms / 1000) }) : t("clock.off"));
  return t("clocks.line", { turn: seconds(turn_ms), linger: seconds(linger_ms), absence: seconds(absence_ms) });
}

// --- the log ---

/** @param {App} app @param {Table} table @param {number} [most] */
function logTab(app, table, most = 150) {
  const { log } = app.desk(table.id);
  return h(
    "ol",
    { class: "log", key: "log", tabindex: 0, "aria-label": t("log.label") },
    log.slice(-most).reverse().map((line) =>
      h(
        "li",
        { key: line.seq, class: `log-${line.kind}` },
        written(line.text),
        line.by && h("em", null, " ", tOr(`by.${line.by}`, line.by)),
        line.kind !== "play" && line.cites.length > 0 && [" ", cites(app, line.cites)],
      ),
    ),
  );
}

// --- the people ---

/** @param {App} app @param {Table} table @param {any} seat */
function personLine(app, table, seat) {
  const sitter = table.info.seats[seatIndex(seat)];
  const host = table.info.host === app.client.session.identity;
  const playing = table.view && table.view.phase !== "over";
  const me = table.seat === seat;
  return h(
    "li",
    { key: seat, class: "person" },
    h("span", { class: "letter", "aria-hidden": "true" }, t(`seat.short.${seat}`)),
    h("span", { class: "person-name" }, `${seatName(seat)}: ${sitter?.name ?? t("plate.free")}`, me && ` (${t("you")})`),
    sitter?.bot && h("span", { class: "tag" }, t("tag.bot")),
    sitter?.substitute && h("span", { class: "tag" }, t("tag.substitute")),
    sitter?.away && h("span", { class: "tag warn" }, t("tag.away")),
    host && !playing && !sitter && h("button", { class: "button small", type: "button", onclick: () => void app.ask("add_bot", { table: table.id, seat }) }, t("host.add_bot")),
    host && !playing && sitter?.bot && h("button", { class: "button small", type: "button", onclick: () => void app.ask("remove_bot", { table: table.id, seat }) }, t("host.remove_bot")),
    host && sitter && !sitter.bot && !me && h("button", { class: "button small", type: "button", onclick: () => void app.ask("kick", { table: table.id, who: seat }) }, t("host.kick")),
    !table.seat && (!sitter || (sitter.bot && !sitter.identity)) && h("button", { class: "button small", type: "button", onclick: () => void app.ask("sit", { table: table.id, seat, ...(app.route.invite ? { invite: app.route.invite } : {}) }) }, t("sit.here")),
  );
}

/** @param {App} app @param {Table} table */
function peopleTab(app, table) {
  const { info, seat } = table;
  const sitter = seat && info.seats[seatIndex(seat)];
  const playing = table.view && table.view.phase !== "over";
  return h(
    "div",
    { class: "people", key: "people" },
    h("ul", { class: "persons" }, SEATS.map((one) => personLine(app, table, one))),
    h("h2", null, t("people.watching", { count: info.bystanders.length })),
    info.bystanders.length ? h("ul", { class: "watchers" }, info.bystanders.map((one) => watcherLine(app, table, one))) : h("p", { class: "quiet" }, t("people.nobody")),
    declareIn(app, table),
    inviteRow(app, table),
    h(
      "div",
      { class: "row" },
      seat && playing && (info.paused ? h("button", { class: "button small", type: "button", onclick: () => void app.ask("unpause", { table: table.id }) }, t("pause.end")) : h("button", { class: "button small", type: "button", onclick: () => void app.ask("pause", { table: table.id }) }, info.pause_asked.includes(seat) ? t("pause.asked") : t("pause.ask"))),
      seat && !info.paused && info.pause_asked.length > 0 && h("button", { class: "button small", type: "button", onclick: () => void app.ask("unpause", { table: table.id }) }, t("pause.no")),
      seat && playing && (sitter?.away ? h("button", { class: "button small first", type: "button", onclick: () => void app.ask("back", { table: table.id }) }, t("back")) : h("button", { class: "button small", type: "button", onclick: () => void app.ask("away", { table: table.id }) }, t("away"))),
      seat && h("button", { class: "button small", type: "button", onclick: () => void app.ask("stand", { table: table.id }) }, t("stand")),
    ),
  );
}

/** The address by which others come. @param {App} app @param {string} table */
export function linkTo(app, table) {
  const invite = app.scratch[`invite/${table}`] ?? app.route.invite;
  return `${location.origin}/#/t/${table}${invite ? `?invite=${encodeURIComponent(invite)}` : ""}`;
}

/** @param {App} app @param {Table} table */
export function inviteRow(app, table) {
  const link = linkTo(app, table.id);
  const copied = app.scratch.copied === link;
  return h(
    "div",
    { class: "invite", key: "invite" },
    h("label", { class: "field wide" }, h("span", null, t("invite.label")), h("input", { readonly: true, value: link, onfocus: (/** @type {any} */ event) => event.target.select() })),
    h("button", { class: "button small", type: "button", onclick: async () => { await navigator.clipboard?.writeText(link).catch(() => {}); app.scratch.copied = link; app.update(); } }, copied ? t("invite.copied") : t("invite.copy")),
  );
}

// --- the talk ---

/** @param {App} app @param {Table} table */
function talkTab(app, table) {
  const { view, seat } = table;
  const words = app.desk(table.id).log.filter((line) => line.kind === "word");
  const live = view && ["playing", "declaring", "doubling"].includes(view.phase);
  const channel = !seat ? "bystanders" : app.scratch.channel === "partner" ? "partner" : "table";
  return h(
    "div",
    { class: "talk", key: "talk" },
    h("ol", { class: "words", tabindex: 0, "aria-label": t("talk.label") }, words.slice(-60).map((line) => h("li", { key: line.seq }, line.text))),
    seat && h("div", { class: "phrases", role: "group", "aria-label": t("talk.phrases") }, PHRASES.map((one) => h("button", { class: "button small", type: "button", key: one, onclick: () => void app.ask("phrase", { table: table.id, phrase: one }) }, t(`phrase.${one}`)))),
    seat && h("label", { class: "field" }, h("span", null, t("talk.channel")), h("select", { value: channel, onchange: (/** @type {any} */ event) => { app.scratch.channel = event.target.value; app.update(); } }, h("option", { value: "table" }, t("channel.table")), h("option", { value: "partner" }, t("channel.partner")))),
    h(
      "form",
      {
        class: "row say-row",
        onsubmit: (/** @type {any} */ event) => {
          event.preventDefault();
          const input = event.target.elements.text;
          if (input.value.trim()) void app.ask("chat", { table: table.id, channel, text: input.value.trim() }).then((ok) => { if (ok) input.value = ""; });
        },
      },
      h("input", { name: "text", maxlength: 280, autocomplete: "off", "aria-label": t("talk.say"), placeholder: t("talk.say") }),
      h("button", { class: "button small", type: "submit" }, t("talk.send")),
    ),
    h("p", { class: "quiet" }, live ? (seat ? t("talk.live") : t("talk.bystander")) : t("talk.open"), " ", cites(app, [seat ? "R31" : "R17"])),
  );
}

/** @param {App} app @param {Table} table */
export function sideView(app, table) {
  const desk = app.desk(table.id);
  const views = { score: scoreTab, log: logTab, people: peopleTab, talk: talkTab };
  /** @param {KeyboardEvent} event */
  const moved = (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    desk.tab = TABS[(TABS.indexOf(desk.tab) + step + TABS.length) % TABS.length];
    app.update();
    requestAnimationFrame(() => document.getElementById(`tab-${desk.tab}`)?.focus());
  };
  return h(
    "aside",
    { class: `side ${desk.drawer ? "open" : ""}`, "aria-label": t("side.label"), key: "side" },
    h(
      "div",
      { class: "tabs", role: "tablist", onkeydown: moved },
      TABS.map((tab) =>
        h("button", { class: "tab", type: "button", role: "tab", id: `tab-${tab}`, key: tab, "aria-selected": desk.tab === tab, "aria-controls": "side-panel", tabindex: desk.tab === tab ? 0 : -1, onclick: then(app, () => { desk.tab = tab; }) }, t(`tab.${tab}`)),
      ),
      h("button", { class: "close drawer-close", type: "button", "aria-label": t("close"), onclick: then(app, () => { desk.drawer = false; }) }, "×"),
    ),
    h("div", { class: "side-panel", id: "side-panel", role: "tabpanel", "aria-labelledby": `tab-${desk.tab}`, key: desk.tab }, views[/** @type {keyof typeof views} */ (desk.tab)](app, table)),
  );
}
