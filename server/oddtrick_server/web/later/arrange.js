// @ts-check
/**
 * One's own order of one's cards: a card is dragged to another place, or moved by Shift and an arrow. Nobody is told of it.
 *
 * @module
 */

import { cardName } from "../names.js";
import { say } from "../say.js";
import { t } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../../js/types.js").Card} Card */

/** Less than this is a tap with an unsteady hand. */
const DRAG_PX = 10;

/** @param {Card[]} cards @param {Card} card @param {number} place */
function moved(cards, card, place) {
  const others = cards.filter((one) => one !== card);
  others.splice(place, 0, card);
  return others;
}

/** @param {string} card @returns {HTMLElement|null} */
const buttonOf = (card) => document.querySelector(`.hand.mine [data-card="${card}"]`);

/** A step to the left (-1) or right (1), by keys. @param {App} app @param {string} table @param {Card[]} cards @param {Card} card @param {number} step */
export function shifted(app, table, cards, card, step) {
  const place = Math.max(0, Math.min(cards.length - 1, cards.indexOf(card) + step));
  app.arrange(table, moved(cards, card, place));
  // After the drawing, which may have taken the card out for a moment, and the focus from it.
  requestAnimationFrame(() => {
    const button = buttonOf(card);
    for (const one of document.querySelectorAll(".hand.mine button.card")) /** @type {HTMLElement} */ (one).tabIndex = one === button ? 0 : -1;
    button?.focus({ preventScroll: true });
  });
  say(t("hand.moved", { card: cardName(card), place: place + 1, count: cards.length }), true);
}

/** A card is taken hold of: from here on it goes where the pointer goes. @param {App} app @param {string} table @param {Card[]} cards @param {Card} card @param {PointerEvent} event */
export function grabbed(app, table, cards, card, { pointerId, clientX, clientY }) {
  let order = cards;
  let dragged = false;
  /** @type {string|undefined} the card last met, so that none is met twice before it is drawn elsewhere */
  let met = card;
  /** @param {PointerEvent} event */
  const goes = (event) => {
    if (event.pointerId !== pointerId) return;
    dragged ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) >= DRAG_PX;
    if (!dragged) return;
    const over = /** @type {HTMLElement|null|undefined} */ (document.elementFromPoint(event.clientX, event.clientY)?.closest(".hand.mine button.card"))?.dataset.card;
    if (!over || over === met) return;
    met = over;
    if (over === card) return;
    order = moved(order, card, order.indexOf(/** @type {Card} */ (over)));
    app.arrange(table, order);
  };
  /** @param {PointerEvent} event */
  const ends = (event) => {
    if (event.pointerId !== pointerId) return;
    removeEventListener("pointermove", goes);
    removeEventListener("pointerup", ends);
    removeEventListener("pointercancel", ends);
    if (!dragged) return;
    // The click that follows is no tap on the card.
    /** @param {Event} click */
    const swallow = (click) => click.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  };
  addEventListener("pointermove", goes);
  addEventListener("pointerup", ends);
  addEventListener("pointercancel", ends);
}
