// @ts-check
/**
 * One's own cards, and dummy's when one plays them. Choosing, turning over in mind and sorting send nothing: only playing does.
 *
 * @module
 */

import { SUITS, acting, rankOf, seatIndex, suitOf } from "../js/oddtrick.js";
import { h } from "./dom.js";
import { cardName } from "./names.js";
import { armed, cardFace } from "./parts.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../js/table.js").Table} Table */
/** @typedef {import("../js/types.js").Card} Card */
/** @typedef {import("../js/types.js").Hand} Hand */
/** @typedef {import("../js/types.js").Seat} Seat */

/** Colours by turns, so that neighbours differ. */
const SUIT_ORDER = ["S", "H", "C", "D"];

/**
 * @param {Card[]} cards
 * @param {Hand} hand
 * @param {Card[]} dealtOrder
 * @param {Card[]} [ownOrder]
 */
export function sorted(cards, hand, dealtOrder, ownOrder = []) {
  if (settings.sort === "dealt" && cards.every((card) => dealtOrder.includes(card))) {
    return [...cards].sort((one, other) => dealtOrder.indexOf(one) - dealtOrder.indexOf(other));
  }
  let order = SUIT_ORDER;
  if (settings.sort === "trumps" && hand.trump && hand.trump !== "NT") {
    const at = SUIT_ORDER.indexOf(hand.trump);
    order = [...SUIT_ORDER.slice(at), ...SUIT_ORDER.slice(0, at)];
  }
  const way = settings.order === "up" ? 1 : -1;
  const bySuit = [...cards].sort(
    (one, other) => order.indexOf(suitOf(one)) - order.indexOf(suitOf(other)) || way * (rankOf(one) - rankOf(other)),
  );
  // A trump card that is taken up comes to what was arranged; more cards than that are another hand.
  if (settings.sort !== "own" || cards.filter((card) => !ownOrder.includes(card)).length > 1) return bySuit;
  const place = (/** @type {Card} */ card) => (ownOrder.indexOf(card) + ownOrder.length + 1) % (ownOrder.length + 1);
  return bySuit.sort((one, other) => place(one) - place(other));
}

/** Which cards are to be marked as keeping the law: never at a `club` table (R4). @param {Table} table */
function marks(table) {
  const { prompt, view } = table;
  if (!prompt || prompt.kind !== "turn" || !view || view.enforcement === "club") return undefined;
  if (view.enforcement === "guided" && !settings.marks) return undefined;
  return new Set(prompt.playable);
}

/** The play of that card, if the prompt asks for one. @param {Table} table @param {Card} card @param {Seat} of */
function playOf({ prompt, seat }, card, of) {
  if (prompt?.kind !== "turn") return undefined;
  const hand = of === seat ? undefined : of;
  return prompt.acts.find((act) => act.do === "play" && act.card === card && act.hand === hand);
}

/** Whether the prompt wants a card of that seat. @param {Table} table @param {Seat} of */
export function wants({ prompt, seat, view }, of) {
  if (prompt?.kind !== "turn") return false;
  const hand = of === seat ? undefined : of;
  if (prompt.acts.some((act) => act.do === "play" && act.hand === hand)) return true;
  return !prompt.acts.length && view?.hand !== undefined && acting(view.hand, of) === seat;
}

/** @param {App} app @param {Table} table @param {Card} card @param {Seat} of @param {Event} event */
export function tapped(app, table, card, of, event) {
  const desk = app.desk(table.id);
  if (desk.open === "cards") {
    const has = desk.chosen.includes(card);
    desk.chosen = has ? desk.chosen.filter((one) => one !== card) : [...desk.chosen, card];
    app.update();
    return;
  }
  if (wants(table, of)) {
    if (!armed(app, table, event)) return;
    if (settings.two_taps && desk.selected !== card) desk.selected = card;
    else {
      const act = playOf(table, card, of) ?? { do: "play", card, ...(of === table.seat ? {} : { hand: of }) };
      focusNeighbour(event);
      void app.act(act, { prompt: table.prompt?.prompt, where: "hand" });
      return;
    }
  } else if (of === table.seat || table.may.some((act) => act.do === "change" && act.card === card)) {
    desk.selected = desk.selected === card ? undefined : card;
    desk.confirm = undefined;
  }
  app.update();
}

/** A card that is played takes the focus with it: leave it on the next one. @param {Event} event */
function focusNeighbour(event) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  if (document.activeElement !== button) return;
  const next = button.nextElementSibling ?? button.previousElementSibling;
  if (next instanceof HTMLElement) next.focus();
  else document.querySelector("main")?.focus();
}

/** @param {KeyboardEvent} event */
function moved(event) {
  const group = /** @type {HTMLElement} */ (event.currentTarget);
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button.card")]);
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const steps = /** @type {Record<string, number>} */ ({
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - 7,
    ArrowDown: at + 7,
    Home: 0,
    End: buttons.length - 1,
  });
  if (!(event.key in steps) || at < 0) return;
  event.preventDefault();
  const to = buttons[Math.max(0, Math.min(buttons.length - 1, steps[event.key]))];
  for (const button of buttons) button.tabIndex = button === to ? 0 : -1;
  to?.focus();
}

/** What moves cards about is fetched by those who do. */
const arranging = () => import("./later/arrange.js");

/** @param {App} app @param {string} table @param {Card[]} cards @param {KeyboardEvent} event */
function arranged(app, table, cards, event) {
  const step = event.shiftKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
  const card = /** @type {Card|undefined} */ (/** @type {HTMLElement|null} */ (document.activeElement)?.dataset.card);
  if (!step || !card) {
    moved(event);
    return;
  }
  event.preventDefault();
  void arranging().then(({ shifted }) => shifted(app, table, cards, card, step));
}

/** @param {string} suit */
const suitClass = (suit) => `suit-${SUITS.includes(/** @type {any} */ (suit)) ? suit : "S"}`;

/**
 * @param {App} app
 * @param {Table} table
 * @param {Seat} of
 */
export function handView(app, table, of) {
  const hand = table.view?.hand;
  const desk = app.desk(table.id);
  if (!hand) return h("section", { class: "hand empty", key: `hand-${of}` });
  const mine = of === table.seat;
  const cards = sorted(hand.hands[seatIndex(of)], hand, mine ? desk.dealtOrder : [], mine ? desk.ownOrder : []);
  const own = mine && settings.sort === "own";
  if (own) void arranging(); // to be there when a card is taken hold of
  const kept = marks(table);
  const wanted = wants(table, of);
  const facing = new Set(hand.exposed[seatIndex(of)]);
  const label = mine ? t("hand.label", { count: cards.length }) : t("hand.dummy", { seat: t(`seat.${of}`), count: cards.length });
  return h(
    "section",
    {
      class: `hand ${mine ? "mine" : "dummys"} ${wanted ? "wanted" : ""} ${own ? "own" : ""}`,
      role: "group",
      "aria-label": label,
      key: `hand-${of}`,
      vars: { "--columns": String(cards.length > 9 ? 7 : Math.max(7, cards.length)) },
      onkeydown: own ? (/** @type {KeyboardEvent} */ event) => arranged(app, table.id, cards, event) : moved,
    },
    cards.map((card, place) => {
      const off = wanted && kept !== undefined && !kept.has(card);
      const chosen = desk.selected === card || (mine && desk.chosen.includes(card));
      const notes = [cardName(card), facing.has(card) && t("card.exposed"), off && t("card.breaks")].filter(Boolean);
      return h(
        "button",
        {
          class: `card ${suitClass(card[0])} ${chosen ? "raised" : ""} ${off ? "off" : ""} ${facing.has(card) ? "facing" : ""}`,
          type: "button",
          key: card,
          "data-card": card,
          tabindex: place === 0 ? 0 : -1,
          "aria-label": notes.join(", "),
          "aria-pressed": chosen ? "true" : undefined,
          "aria-disabled": off ? "true" : undefined,
          "aria-keyshortcuts": own ? "Shift+ArrowLeft Shift+ArrowRight" : undefined,
          onpointerdown: own ? (/** @type {PointerEvent} */ event) => void arranging().then(({ grabbed }) => grabbed(app, table.id, cards, card, event)) : undefined,
          onclick: (/** @type {Event} */ event) => tapped(app, table, card, of, event),
        },
        cardFace(card),
      );
    }),
  );
}
