// @ts-check
/**
 * What `fold.js` is made of: small changes of a view, each giving a new one.
 *
 * @module
 */

import { minus, plus, seatIndex, sideOf } from "./cards.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Hand} Hand */
/** @typedef {import("./types.js").Hands} Hands */
/** @typedef {import("./types.js").Pair} Pair */
/** @typedef {import("./types.js").Trick} Trick */
/** @typedef {import("./types.js").Revoke} Revoke */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Card} Card */

/** @returns {Hands} */
export const none = () => [[], [], [], []];

/** @template T @param {readonly T[]} four @param {Seat} seat @param {T} item @returns {any} */
export const at = (four, seat, item) => four.map((one, place) => (place === seatIndex(seat) ? item : one));

/** @param {readonly number[]} pair @param {Side} side @param {number} points @returns {Pair} */
export const add = (pair, side, points) =>
  side === "NS" ? [pair[0] + points, pair[1]] : [pair[0], pair[1] + points];

/** @param {View} view @returns {Hand} */
export function handOf(view) {
  if (!view.hand) throw new Error("a fact of a hand before any was dealt");
  return view.hand;
}

/** @param {View} view @param {Partial<Hand>} values @returns {View} */
export const put = (view, values) => ({ ...view, hand: { ...handOf(view), ...values } });

/** @param {Hand} hand @param {number} number @param {Partial<Trick>} values */
export const trickWith = (hand, number, values) =>
  hand.tricks.map((trick) => (trick.number === number ? { ...trick, ...values } : trick));

/** @param {Hand} hand @param {Seat} seat @param {number} change */
export const heldWith = (hand, seat, change) => at(hand.held, seat, hand.held[seatIndex(seat)] + change);

/** @param {Hands} hands @param {Seat} seat @param {Card[]} cards @returns {Hands} */
export const withCards = (hands, seat, cards) => at(hands, seat, plus(hands[seatIndex(seat)], cards));

/** @param {Hands} hands @param {Seat} seat @param {Card[]} cards @returns {Hands} */
export const withoutCards = (hands, seat, cards) => at(hands, seat, minus(hands[seatIndex(seat)], cards));

/** @param {View} view @param {Seat} seat @param {Card[]} cards @param {boolean} exposed */
export function show(view, seat, cards, exposed) {
  const hand = handOf(view);
  return put(view, {
    hands: withCards(hand.hands, seat, cards),
    seen: withCards(hand.seen, seat, cards),
    ...(exposed ? { exposed: withCards(hand.exposed, seat, cards) } : {}),
  });
}

/** The values by which a card everybody has seen goes back to its hand. @param {Hand} hand @param {Seat} seat @param {Card} card */
export const backToHand = (hand, seat, card) => ({
  hands: withCards(hand.hands, seat, [card]),
  seen: withCards(hand.seen, seat, [card]),
  held: heldWith(hand, seat, 1),
});

/**
 * The values by which a seat's card leaves a trick: one left empty is gone, a complete one is open again.
 * @param {Hand} hand @param {number} number @param {Seat} seat
 * @returns {Partial<Hand> & {tricks: Trick[]}}
 */
export function withoutPlay(hand, number, seat) {
  const trick = /** @type {Trick} */ (hand.tricks.find((one) => one.number === number));
  const plays = trick.plays.filter(([who]) => who !== seat);
  const taken = trick.winner ? { taken: add(hand.taken, sideOf(trick.winner), -1) } : {};
  if (plays.length) {
    return { ...taken, tricks: trickWith(hand, number, { plays, winner: undefined, stage: "open" }) };
  }
  const tricks = hand.tricks.filter((one) => one.number !== number);
  return { ...taken, tricks, ...(tricks.length ? {} : { leader: trick.rightful ?? trick.leader }) };
}

/** @param {Revoke} revoke */
export const secret = (revoke) => revoke.stage === "made" || revoke.stage === "established";

/** @template T @param {T[]} list @param {(item: T) => boolean} is @param {(item: T) => T} change */
export function changeLast(list, is, change) {
  const index = list.findLastIndex(is);
  return index < 0 ? list : list.map((item, place) => (place === index ? change(item) : item));
}
