// @ts-check
/**
 * What the players decide together about a bystander: a substitute, a remark to be paid for, a referee of fact; and what a
 * bystander himself may ask for.
 *
 * @module
 */

import { h } from "./dom.js";
import { seatName } from "./names.js";
import { cites } from "./parts.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../js/table.js").Table} Table */

const LAWS = /** @type {Record<string, string>} */ ({ substitute: "R20", remark: "R17", referee: "R17" });

/** What is proposed, to those who are asked. @param {App} app @param {Table} table */
export function proposalView(app, table) {
  const { proposal } = table.info;
  const { seat } = table;
  if (!proposal) return null;
  const me = app.client.session.identity === proposal.identity;
  const asked = seat !== undefined && proposal.asked.includes(seat) && !proposal.given.includes(seat);
  const own = seat === proposal.seat;
  if (!own && !asked && !(me && !proposal.willing)) return null;
  /** @param {boolean} agreed */
  const say = (agreed) => () => void app.ask("consent", { table: table.id, proposal: proposal.number, agreed });
  return h(
    "div",
    { class: "notice", role: "status", key: "proposal" },
    h("span", null, t(`proposal.${proposal.what}`, { seat: seatName(proposal.seat), name: proposal.name })),
    cites(app, [LAWS[proposal.what] ?? "R17"]),
    !own && h("button", { class: "button small first", type: "button", "data-do": "consent", onclick: say(true) }, t("proposal.yes")),
    h("button", { class: "button small", type: "button", onclick: say(false) }, own ? t("proposal.back") : t("proposal.no")),
  );
}

/** A bystander, with what may be proposed about him. @param {App} app @param {Table} table @param {{identity: string, name: string}} one */
export function watcherLine(app, table, one) {
  const { info, seat, view } = table;
  const waits = info.waiting.includes(one.identity);
  const playing = view && view.phase !== "over";
  const owed = info.owed.find((debt) => debt.identity === one.identity)?.counters;
  const open = seat && playing && !info.proposal;
  const host = info.host === app.client.session.identity && one.identity !== info.host;
  /** @param {string} what */
  const propose = (what) =>
    h("button", { class: "button small", type: "button", key: what, onclick: () => void app.ask("propose", { table: table.id, what, who: one.identity }) }, t(`propose.${what}`));
  return h(
    "li",
    { key: one.identity, class: "watcher" },
    h("span", { class: "person-name" }, one.name),
    waits && h("span", { class: "tag" }, t("tag.waits")),
    info.referee === one.identity && h("span", { class: "tag" }, t("tag.referee")),
    owed !== undefined && h("span", { class: "tag" }, t("tag.owes", { counters: owed })),
    open && [propose("substitute"), propose("remark"), propose("referee")],
    host && h("button", { class: "button small", type: "button", key: "kick", onclick: () => void app.ask("kick", { table: table.id, who: one.identity }) }, t("host.kick")),
  );
}

/** At a table formed by cutting a bystander may ask for a place. @param {App} app @param {Table} table */
export function declareIn(app, table) {
  const { info, seat } = table;
  if (seat || info.forming !== "cut" || info.waiting.includes(app.client.session.identity)) return null;
  return h("button", { class: "button small first", type: "button", "data-do": "declare-in", onclick: () => void app.ask("declare_in", { table: table.id }) }, t("declare_in"));
}
