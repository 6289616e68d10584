// @ts-check
/**
 * The acts: what one is asked, what the moment opens, and the three that always stand in the same place.
 *
 * Everything comes from the server's `prompt` and `may`; nothing here knows whether an act is lawful.
 *
 * @module
 */

import { SEATS, ledCard, lyingTricks, openTrick, toPlay } from "../js/oddtrick.js";
import { nudge } from "./cues.js";
import { h } from "./dom.js";
import { effectOf } from "./effects.js";
import { clockView, waitedFor } from "./felt.js";
import { wants } from "./hand.js";
import { callText } from "./log.js";
import { cardName, seatName, spoken, suitName, written } from "./names.js";
import { armed, refusal, then } from "./parts.js";
import { say } from "./say.js";
import { suitIcon } from "./shapes.js";
import { t, tOr } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../js/table.js").Table} Table */
/** @typedef {import("../js/types.js").Act} Act */
/** @typedef {import("../js/types.js").View} View */

/** Kinds whose answers weigh: one chooses, and then says that one means it. */
const WEIGHTY = new Set(["choice", "election", "declare", "double"]);
/** Acts that have a place of their own. */
const PLACED = new Set(["ask", "withdraw", "quit", "play", "change"]);

/** @param {Act} act @param {Table} table */
export function actText(act, table) {
  switch (act.do) {
    case "call":
      return t("act.call", { what: callText(act), seat: seatName(act.seat) });
    case "declare":
      return t("act.declare", { suit: suitName(act.trump) });
    case "answer":
      return t(act.none ? "act.answer.none" : "act.answer.some");
    case "elect":
      return t(`act.elect.${act.penalty}`);
    case "double":
      return t((table.view?.hand?.multiplier ?? 1) > 1 ? "act.redouble" : "act.double");
    case "agree":
      return t(table.view?.hand?.asked_to_lead ? "act.agree.lead" : "act.agree");
    case "take_pack":
      return t("act.take_pack", { pack: act.pack });
    case "claim_revoke":
      return t(act.trick ? "act.claim_revoke.trick" : "act.claim_revoke", { seat: seatName(act.seat), trick: act.trick });
    case "name_card":
      return t("act.name_card", { card: `[[${act.card}]]` });
    case "show":
      return t("act.show", { cards: act.cards.map((/** @type {string} */ one) => `[[${one}]]`).join(" ") });
    default:
      return tOr(`act.${act.do}`, act.do.replaceAll("_", " "));
  }
}

/** What a choice of penalty comes to. @param {Act} act @param {Table} table */
function effect(act, { view }) {
  if (act.do !== "elect" || !view?.hand) return "";
  const revoke = view.hand.revokes.find((one) => one.number === act.revoke);
  return revoke ? effectOf(view, revoke, act.penalty) : "";
}

// --- where things stand ---

/** @param {Table} table @returns {string} */
export function statusText(table) {
  const { view, prompt, seat, info } = table;
  if (info.paused) return t("status.paused");
  if (!view) return "";
  const hand = view.hand;
  if (prompt && prompt.kind !== "turn") return t(`ask.${prompt.kind}`);
  if (prompt && hand) {
    const open = openTrick(hand);
    const led = open && ledCard(open);
    const dummy = hand.dummy && wants(table, hand.dummy);
    if (dummy) return led ? t("turn.dummy", { suit: suitName(led[0]) }) : t("turn.dummy.lead");
    return led && hand.mending !== seat ? t("turn", { suit: suitName(led[0]) }) : hand.mending === seat ? t("turn.mend") : t("turn.lead");
  }
  const waited = [...waitedFor(table)];
  if (view.phase === "playing" && hand) {
    const asked = hand.question;
    if (asked) return t("status.question", { seat: seatName(asked) });
    if (hand.rights.some((right) => right.holds)) return t("status.choice", { seats: waited.map(seatName).join(", ") });
    const lying = lyingTricks(hand).at(-1);
    if (lying?.winner && lying.stage !== "open") return t("status.trick", { seat: seatName(lying.winner) });
    const turn = toPlay(view);
    return turn ? t("status.turn", { seat: seatName(turn) }) : "";
  }
  if (view.phase === "claims") return t("status.claims");
  if (view.phase === "to deal") return t("status.deal");
  if (view.phase === "over") return t("status.over");
  return waited.length ? t("status.turn", { seat: waited.map(seatName).join(", ") }) : "";
}

// --- what one alone is told ---

/** At a `guided` table the offender, and nobody else, is told of his revoke (R3). @param {Table} table */
function privateWord(table) {
  const { view, seat } = table;
  const hand = view?.hand;
  if (!hand || !seat || view.enforcement !== "guided") return null;
  const mine = hand.revokes.findLast((one) => one.seat === seat && one.stage === "made");
  if (!mine?.suit) return null;
  const suit = hand.hands["NESW".indexOf(seat)].filter((card) => card[0] === mine.suit);
  const may = table.may.some((act) => act.do === "withdraw");
  const text = mine.demand
    ? t("mine.call")
    : suit.length === 1
      ? t("mine.one", { card: `[[${suit[0]}]]` })
      : t("mine.suit", { suit: suitName(mine.suit) });
  return h(
    "p",
    { class: "private", key: "private" },
    h("span", { class: "private-mark" }, t("mine.mark")),
    " ",
    written(text),
    may && h("span", null, " ", written(t("mine.may", { card: `[[${mine.card}]]` }))),
  );
}

// --- the prompt ---

/** @param {App} app @param {Table} table @param {Act} act */
const answer = (app, table, act) => (/** @type {Event} */ event) => {
  if (!armed(app, table, event)) return;
  void app.act(act, { prompt: table.prompt?.prompt });
};

/** @param {App} app @param {Table} table */
function promptView(app, table) {
  const { prompt } = table;
  if (!prompt || prompt.kind === "turn" || !prompt.acts.length) return null;
  const ready = Date.now() >= app.desk(table.id).armedAt;
  const props = { class: `prompt kind-${prompt.kind.replace(" ", "-")} ${ready ? "armed" : "arming"}`, key: `prompt-${prompt.prompt}`, role: "group", "aria-label": t(`ask.${prompt.kind}`), "data-prompt": prompt.kind };
  return WEIGHTY.has(prompt.kind) ? weighed(app, table, props) : plain(app, table, props);
}

/** @param {App} app @param {Table} table @param {Record<string, any>} props */
function plain(app, table, props) {
  const acts = (table.prompt?.acts ?? []).filter((act) => !PLACED.has(act.do));
  return h(
    "div",
    props,
    acts.map((act, place) =>
      h("button", { class: `button ${place === 0 ? "first" : ""}`, type: "button", key: JSON.stringify(act), "data-do": act.do, onclick: answer(app, table, act) }, written(actText(act, table))),
    ),
  );
}

/** First one of them, then that one means it: two inputs in two places. @param {App} app @param {Table} table @param {Record<string, any>} props */
function weighed(app, table, props) {
  const desk = app.desk(table.id);
  const acts = table.prompt?.acts ?? [];
  const chosen = acts.find((act) => JSON.stringify(act) === desk.confirm);
  return h(
    "div",
    props,
    h(
      "div",
      { class: "options", role: "group", "aria-label": t("options") },
      acts.map((act) => {
        const key = JSON.stringify(act);
        const effects = effect(act, table);
        return h(
          "button",
          {
            class: `option ${key === desk.confirm ? "chosen" : ""}`,
            type: "button",
            key,
            "data-do": act.do,
            "aria-pressed": key === desk.confirm,
            onclick: (/** @type {Event} */ event) => {
              if (!armed(app, table, event)) return;
              desk.confirm = key;
              app.update();
            },
          },
          act.do === "declare" ? [suitIcon(act.trump), h("span", null, suitName(act.trump))] : h("span", null, written(actText(act, table))),
          effects && h("small", null, effects),
        );
      }),
    ),
    h(
      "button",
      { class: "button confirm first", type: "button", key: "confirm", "aria-disabled": chosen ? undefined : "true", onclick: (/** @type {Event} */ event) => { if (chosen) answer(app, table, chosen)(event); } },
      chosen ? t("confirm", { what: spoken(actText(chosen, table)) }) : t("confirm.none"),
    ),
  );
}

// --- the moment ---

/** Acts open besides, each with a button of its own. @param {App} app @param {Table} table */
function momentView(app, table) {
  const own = table.may.filter((act) => !PLACED.has(act.do));
  const calls = own.filter((act) => act.do === "call" && act.demand === "card");
  const acts = own.filter((act) => !calls.includes(act)).slice(0, 12);
  return h(
    "div",
    { class: "moment", key: "moment", role: "group", "aria-label": t("moment") },
    [...calls, ...acts].map((act) =>
      h("button", { class: "button small", type: "button", key: JSON.stringify(act), "data-do": act.do, onclick: () => void app.act(act) }, written(actText(act, table))),
    ),
  );
}

/** @param {App} app @param {Table} table */
function selectedView(app, table) {
  const desk = app.desk(table.id);
  const { view } = table;
  const card = desk.selected;
  if (!card || !view || wants(table, /** @type {any} */ (table.seat))) return null;
  const club = view.enforcement === "club" && ["playing", "declaring", "doubling"].includes(view.phase);
  const mine = view.hand?.hands[SEATS.indexOf(/** @type {any} */ (table.seat))]?.includes(card);
  const change = table.may.find((act) => act.do === "change" && act.card === card);
  const now = table.may.find((act) => act.do === "play" && act.card === card && !act.hand);
  /** @param {string} key @param {Act} act @param {string} words */
  const weighty = (key, act, words) =>
    h("button", { class: "button small", type: "button", key, "data-do": act.do, "aria-pressed": desk.confirm === key, onclick: then(app, () => { desk.confirm = key; }) }, words);
  const meant = /** @type {Record<string, Act>} */ ({ ...(now ? {} : { play: { do: "play", card } }), show: { do: "show", cards: [card] }, name: { do: "name_card", card } })[desk.confirm ?? ""];
  return h(
    "div",
    { class: "selected", key: "selected", role: "group", "aria-label": cardName(card) },
    h("span", { class: "selected-card" }, written(`[[${card}]]`)),
    change && h("button", { class: "button first", type: "button", key: "change", "data-do": "change", onclick: () => void app.act(change, { where: "hand" }) }, t("act.change")),
    now && h("button", { class: "button small", type: "button", key: "now", "data-do": "play-now", onclick: () => void app.act(now, { where: "hand" }) }, t("act.play.now")),
    club && mine && !now && weighty("play", { do: "play", card }, t("act.play.out")),
    club && mine && weighty("show", { do: "show", cards: [card] }, t("act.show.one")),
    club && mine && weighty("name", { do: "name_card", card }, t("act.name.one")),
    // Not where the first tap was: two in haste mean nothing.
    club && mine && meant && h("button", { class: "button first", type: "button", key: "sure", "data-do": `${meant.do}-sure`, onclick: () => void app.act(meant, { where: "hand" }) }, t("sure")),
    !club && !change && !now && h("span", { class: "quiet" }, t("selected.wait")),
  );
}

// --- the three that always stand there ---

/** @param {App} app @param {Table} table @param {string} what @param {string} words @param {string} key */
function standing(app, table, what, words, key) {
  const open = [...table.may, ...(table.prompt?.acts ?? [])].some((act) => act.do === what);
  return h(
    "button",
    {
      class: `button standing ${open ? "open" : ""}`,
      type: "button",
      key: what,
      "data-do": what,
      "aria-disabled": open ? undefined : "true",
      "aria-keyshortcuts": key,
      onclick: () => void app.act({ do: what }),
    },
    words,
    h("kbd", { "aria-hidden": "true" }, key),
  );
}

/** Little is left of one's own time: that is heard too. @param {CustomEvent} event */
function hurried(event) {
  nudge();
  say(t("clock.hurry", { seconds: event.detail }), true);
}

/** @param {App} app @param {Table} table */
export function actsView(app, table) {
  const desk = app.desk(table.id);
  const { seat, view, prompt } = table;
  const turn = prompt?.kind === "turn";
  const clock = prompt?.until ? { until: prompt.until, limit_ms: prompt.limit_ms, kind: prompt.kind } : undefined;
  return h(
    "section",
    { class: `acts ${prompt ? "asked" : ""} ${turn ? "my-turn" : ""}`, "aria-label": t("acts.label"), key: "acts" },
    // What comes and goes, apart from what always stands in the same place.
    h(
      "div",
      { class: "said", key: "said" },
      h("p", { class: "status", "data-status": prompt?.kind ?? "none", "data-asked": prompt?.prompt }, h("span", null, statusText(table)), prompt && clockView(clock, hurried)),
      privateWord(table),
      refusal(app, desk, "acts"),
      refusal(app, desk, "hand"),
      seat && promptView(app, table),
      seat && selectedView(app, table),
      seat && momentView(app, table),
    ),
    seat &&
      view &&
      h(
        "div",
        { class: "standing-row", role: "group", "aria-label": t("standing"), key: "standing" },
        standing(app, table, "ask", t("act.ask"), "N"),
        standing(app, table, "withdraw", t("act.withdraw"), "B"),
        standing(app, table, "quit", t("act.quit"), "Q"),
        h("button", { class: "button standing more", type: "button", key: "more", "data-do": "more", "aria-expanded": desk.open === "more", onclick: then(app, () => { desk.open = desk.open === "more" ? undefined : "more"; desk.confirm = undefined; desk.chosen = []; }) }, t("more")),
      ),
  );
}
