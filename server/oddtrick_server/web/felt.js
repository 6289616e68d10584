// @ts-check
/**
 * The table as it lies: four seats, the trick, the trump, what lies face up.
 *
 * @module
 */

import { SEATS, cardsOf, left, lyingTricks, minus, seatIndex, sideOf, toPlay } from "../js/oddtrick.js";
import { h } from "./dom.js";
import { handView, sorted } from "./hand.js";
import { cardName, seatName, suitName, written } from "./names.js";
import { cardFace, lyingCard } from "./parts.js";
import { back, suitIcon } from "./shapes.js";
import { t, tOr } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../js/table.js").Table} Table */
/** @typedef {import("../js/types.js").Seat} Seat */
/** @typedef {import("../js/types.js").Hand} Hand */
/** @typedef {import("../js/types.js").Trick} Trick */

const PLACES = ["near", "left", "far", "right"];

/** Where a seat is shown: one's own nearest. @param {Table} table @param {Seat} seat */
export const placeOf = (table, seat) => PLACES[(seatIndex(seat) - seatIndex(table.seat ?? "S") + 4) % 4];

/** The clock that runs for a seat. @param {Table} table @param {Seat} seat */
function clockOf(table, seat) {
  const mine = table.clocks.filter((clock) => clock.seats.includes(seat) && clock.kind !== "linger");
  return mine.find((clock) => clock.kind === "absence") ?? mine[0];
}

/** @param {any} clock @param {(event: CustomEvent) => void} [onhurry] */
export const clockView = (clock, onhurry) =>
  clock && h("ot-clock", { key: "clock", until: Math.round(clock.until), limit: clock.limit_ms, kind: clock.kind, onhurry });

/** Everybody who is waited for. @param {Table} table @returns {Set<Seat>} */
export function waitedFor(table) {
  const seats = new Set(table.clocks.filter((clock) => !["linger", "absence", "claims", "deal", "pause"].includes(clock.kind)).flatMap((clock) => clock.seats));
  const turn = table.view && toPlay(table.view);
  if (turn && !seats.size && !table.view?.hand?.rights.some((right) => right.holds)) seats.add(turn);
  return seats;
}

/** @param {Table} table @param {Seat} seat */
function tags(table, seat) {
  const sitter = table.info.seats[seatIndex(seat)];
  const hand = table.view?.hand;
  return [
    hand?.dealer === seat && table.view?.phase !== "over" && t("tag.dealer"),
    hand?.dummy === seat && t("tag.dummy"),
    sitter?.bot && t("tag.bot"),
    sitter?.substitute && t("tag.substitute"),
    sitter && !sitter.bot && sitter.identity === table.info.host && t("tag.host"),
    hand?.mending === seat && t("tag.mending"),
    hand?.question === seat && t("tag.asked"),
    table.view?.phase === "claims" && hand?.ready.includes(seat) && t("tag.ready"),
  ].filter(Boolean);
}

/** @param {Table} table @param {Seat} seat @param {boolean} due */
function plate(table, seat, due) {
  const sitter = table.info.seats[seatIndex(seat)];
  const hand = table.view?.hand;
  const place = placeOf(table, seat);
  const away = Boolean(sitter?.away);
  const held = hand && ["playing", "declaring", "doubling"].includes(table.view?.phase ?? "") ? hand.held[seatIndex(seat)] : 0;
  return h(
    "div",
    {
      class: `plate at-${place} ${due ? "due" : ""} ${away ? "away" : ""} ${sitter ? "" : "free"}`,
      key: `plate-${seat}`,
      role: "group",
      "aria-label": t("plate", { seat: seatName(seat), name: sitter?.name ?? t("plate.free") }),
      "data-seat": seat,
    },
    h("span", { class: `letter side-${sideOf(seat)}`, "aria-hidden": "true" }, t(`seat.short.${seat}`)),
    h(
      "span",
      { class: "who" },
      h("span", { class: "name" }, sitter?.name ?? t("plate.free")),
      h(
        "span",
        { class: "tags" },
        due && h("span", { class: "due-mark", key: "due" }, seat === table.seat ? t("due.you") : t("due")),
        away && h("span", { class: "tag warn", key: "away" }, t("tag.away")),
        tags(table, seat).map((tag) => h("span", { class: "tag", key: String(tag) }, tag)),
      ),
    ),
    place !== "near" && held > 0 && h("span", { class: "held", role: "img", "aria-label": t("plate.held", { count: held }), key: "held" }, back(), h("span", { "aria-hidden": "true" }, held)),
    seat !== table.seat && clockView(clockOf(table, seat)),
  );
}

/** Cards of a seat that lie face up: exposed ones can be called. @param {App} app @param {Table} table @param {Seat} seat */
function faceUp(app, table, seat) {
  const hand = table.view?.hand;
  if (!hand || seat === hand.dummy || seat === table.seat) return null;
  const exposed = hand.exposed[seatIndex(seat)];
  const turned = hand.turned && seat === hand.dealer ? [hand.turned] : [];
  const seen = minus(hand.seen[seatIndex(seat)], [...exposed, ...turned]);
  if (!exposed.length && !seen.length) return null;
  const callable = new Set([...table.may, ...(table.prompt?.acts ?? [])].filter((act) => act.do === "call" && act.demand === "card" && act.seat === seat).map((act) => act.card));
  return h(
    "div",
    { class: `face-up by-${placeOf(table, seat)}`, key: `up-${seat}`, role: "group", "aria-label": t("face_up", { seat: seatName(seat) }) },
    exposed.map((card) =>
      callable.has(card)
        ? h("button", { class: "card small callable", type: "button", key: card, "aria-label": t("act.call", { what: cardName(card), seat: seatName(seat) }), onclick: () => callCard(app, table, seat, card) }, cardFace(card))
        : lyingCard(card, "small exposed"),
    ),
    seen.map((card) => lyingCard(card, "small")),
  );
}

/** @param {App} app @param {Table} table @param {Seat} seat @param {string} card */
function callCard(app, table, seat, card) {
  const act = { do: "call", demand: "card", seat, card };
  const answers = table.prompt?.acts.some((one) => one.do === "call" && one.demand === "card" && one.card === card);
  void app.act(act, { prompt: answers ? table.prompt?.prompt : undefined });
}

/** @param {Table} table @param {Trick} trick */
function trickView(table, trick) {
  const done = trick.stage !== "open";
  return h(
    "div",
    { class: `trick ${done ? "done" : ""}`, role: "group", key: `trick-${trick.number}`, "aria-label": t("trick.label", { number: trick.number }) },
    trick.plays.map(([seat, card], order) =>
      h(
        "span",
        {
          class: `card played at-${placeOf(table, seat)} ${done && trick.winner === seat ? "winner" : ""}`,
          role: "img",
          "aria-label": t("tell.play", { seat: seatName(seat), card: cardName(card) }),
          key: `${seat}-${card}`,
          vars: { "--order": String(order) },
        },
        cardFace(card),
      ),
    ),
  );
}

/** @param {Table} table @param {Trick[]} lying */
function middle(table, lying) {
  const current = lying.at(-1);
  const linger = table.clocks.find((clock) => clock.kind === "linger");
  const done = current && current.stage !== "open" && current.winner;
  return [
    current && trickView(table, current),
    done &&
      h(
        "div",
        { class: "linger", key: "linger" },
        h("span", { class: "linger-text" }, t("trick.won", { seat: seatName(current.winner ?? "N") })),
        clockView(linger),
      ),
  ];
}

/** A trick that still lies while the next one is being played (R2). @param {Trick} trick */
const earlier = (trick) =>
  h(
    "div",
    { class: "earlier", key: `earlier-${trick.number}`, role: "group", "aria-label": t("trick.earlier", { number: trick.number }) },
    h("span", { class: "earlier-label", "aria-hidden": "true" }, t("trick.short", { number: trick.number })),
    trick.plays.map(([seat, card]) => lyingCard(card, "tiny", `${seat}-${card}`)),
  );

/** @param {Table} table */
export function trumpView(table) {
  const hand = table.view?.hand;
  if (!hand) return null;
  if (!hand.trump) return hand.declaring ? h("div", { class: "trump", key: "trump" }, h("span", { class: "trump-word" }, t("trump.open"))) : null;
  const doubled = hand.multiplier > 1 ? ` ×${hand.multiplier}` : "";
  return h(
    "div",
    { class: "trump", key: "trump", role: "group", "aria-label": hand.trump === "NT" ? t("suit.NT") : t("trump.label", { suit: suitName(hand.trump) }) },
    hand.turned ? lyingCard(hand.turned, "small turned") : h("span", { class: "trump-suit" }, suitIcon(hand.trump)),
    h("span", { class: "trump-word", "aria-hidden": "true" }, (hand.trump === "NT" ? t("suit.NT") : t("trump.word")) + doubled),
  );
}

/** @param {App} app @param {Table} table */
function reviewView(app, table) {
  const desk = app.desk(table.id);
  const trick = table.view?.hand?.tricks.find((one) => one.number === desk.reviewed);
  if (!trick || Date.now() > desk.reviewUntil) return null;
  return h(
    "div",
    { class: "review", key: "review", role: "group", "aria-label": t("review.label", { number: trick.number }) },
    h("p", null, t("review.label", { number: trick.number })),
    trick.plays.map(([seat, card]) => h("span", { class: "reviewed", key: seat }, lyingCard(card, "small"), h("span", null, t(`seat.short.${seat}`)))),
  );
}

/** What stands in the middle when no cards do. @param {Table} table */
function betweenView(table) {
  const { view } = table;
  const hand = view?.hand;
  if (!view) return null;
  if (view.phase === "over" && view.rubber) {
    return h("div", { class: "between", key: "between" }, h("h2", null, t("rubber.won", { side: t(`side.${view.rubber.side}`), points: view.rubber.points })));
  }
  if (view.phase === "claims" && hand) {
    const [ns, ew] = hand.taken;
    return h(
      "div",
      { class: "between", key: "between" },
      h("h2", null, t("claims.title")),
      h("p", { class: "big-count" }, t("claims.tricks", { ns, ew })),
      h("p", { class: "quiet" }, t("claims.hint")),
    );
  }
  if (view.phase === "to deal") {
    return h("div", { class: "between", key: "between" }, h("h2", null, hand ? t("deal.next", { seat: seatName(view.dealer) }) : t("deal.first", { seat: seatName(view.dealer) })), h("p", { class: "quiet" }, t("deal.fair")));
  }
  if (view.phase === "declaring" || view.phase === "doubling") {
    const speaker = toPlay(view);
    return h("div", { class: "between", key: "between" }, h("h2", null, speaker ? t(`speaks.${view.phase}`, { seat: seatName(speaker) }) : ""));
  }
  return null;
}

/**
 * @param {App} app
 * @param {Table} table
 * @param {any} [inside] what takes the middle instead of the trick
 */
export function feltView(app, table, inside) {
  const hand = table.view?.hand;
  const due = waitedFor(table);
  const playing = table.view?.phase === "playing";
  const lying = hand && (playing || table.view?.phase === "claims") ? lyingTricks(hand) : [];
  const dummy = hand?.dummy && playing ? hand.dummy : undefined;
  /** @type {Seat[]} */
  const around = [...SEATS].map((_, turn) => left(table.seat ?? "S", turn));
  return h(
    "section",
    { class: `felt ${dummy ? "with-dummy" : ""} ${table.info.paused ? "paused" : ""}`, "aria-label": t("felt.label"), key: "felt" },
    dummy && dummy !== table.seat && h("div", { class: `dummy-hand by-${placeOf(table, dummy)}`, key: "dummy" }, h("span", { class: "dummy-label" }, t("dummy.label", { seat: seatName(dummy) })), dummyCards(app, table, dummy)),
    around.map((seat) => plate(table, seat, due.has(seat))),
    around.map((seat) => faceUp(app, table, seat)),
    trumpView(table),
    lying.slice(0, -1).map((trick) => earlier(trick)),
    h("div", { class: "middle", key: "middle" }, inside ?? (lying.length ? middle(table, lying) : betweenView(table))),
    reviewView(app, table),
    table.info.paused && h("div", { class: "pause-sign", key: "paused" }, t("paused")),
    calls(table),
  );
}

/** @param {App} app @param {Table} table @param {Seat} dummy */
function dummyCards(app, table, dummy) {
  const hand = /** @type {Hand} */ (table.view?.hand);
  const mine = table.seat !== undefined && left(dummy, 2) === table.seat;
  if (mine) return handView(app, table, dummy);
  return h("div", { class: "hand dummys", role: "group", "aria-label": t("hand.dummy", { seat: seatName(dummy), count: cardsOf(hand, dummy).length }) }, sorted(cardsOf(hand, dummy), hand, []).map((card) => lyingCard(card, "small")));
}

/** The calls that bind somebody's next play. @param {Table} table */
function calls(table) {
  const hand = table.view?.hand;
  const bound = [hand?.lead_duties ?? [], hand?.duties ?? []].flatMap((duties) => duties.flatMap((duty, at) => (duty ? [{ duty, seat: SEATS[at] }] : [])));
  if (!bound.length) return null;
  return h(
    "ul",
    { class: "calls", key: "calls" },
    bound.map(({ duty, seat }) => {
      const what = duty.card ? `[[${duty.card}]]` : duty.suit && duty.demand.includes("suit") ? t(`demand.${duty.demand}`, { suit: suitName(duty.suit) }) : tOr(`demand.${duty.demand}`, duty.demand);
      return h("li", { key: `${seat} ${duty.demand}` }, written(t("must", { seat: seatName(seat), what })));
    }),
  );
}
