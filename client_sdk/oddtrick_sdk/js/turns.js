// @ts-check
/**
 * Whose turn it is, and who has what: read off a view, for showing. What is lawful the server says (`prompt`, `may`).
 *
 * @module
 */

import { left, partner, seatIndex } from "./cards.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Hand} Hand */
/** @typedef {import("./types.js").Trick} Trick */
/** @typedef {import("./types.js").Seat} SeatName */

/** The earliest trick that wants cards; undefined when the next card is a lead. @param {Hand} hand */
export const openTrick = (hand) => hand.tricks.slice(-2).find((trick) => trick.stage === "open");

/** The tricks that lie face up, the earliest first. @param {Hand} hand */
export const lyingTricks = (hand) => hand.tricks.slice(-3).filter((trick) => trick.stage !== "quitted");

/** The card led to a trick. @param {Trick} trick */
export const ledCard = (trick) => (trick.plays.find(([seat]) => seat === trick.leader) ?? trick.plays[0])?.[1];

/** The first seat, going left from the leader, without a card in the trick; none between its fourth card and its end. @param {Trick} trick */
const nextSeat = (trick) =>
  [1, 2, 3].map((places) => left(trick.leader, places)).find((seat) => !trick.plays.some(([who]) => who === seat));

/** @param {Hand} hand @returns {SeatName|undefined} the seat that is to put the next card */
export function cardTurn(hand) {
  if (hand.mending) return hand.mending;
  const trick = openTrick(hand);
  if (trick) return trick.rightful && trick.plays.length === 1 ? trick.rightful : nextSeat(trick);
  const last = hand.tricks.at(-1);
  if (!last) return hand.leader;
  return last.number === 13 ? undefined : (last.winner ?? last.leader);
}

/** The player who handles that seat's cards: at bridge the dealer plays dummy's. @param {Hand} hand @param {SeatName} seat */
export const acting = (hand, seat) => (seat === hand.dummy ? partner(seat) : seat);

/** @param {View} view @returns {SeatName|undefined} whose card or word is wanted next */
export function toPlay({ hand, phase }) {
  if (!hand) return undefined;
  if (phase === "playing") return cardTurn(hand);
  if (phase === "declaring") return hand.declaring;
  return phase === "doubling" ? hand.voice : undefined;
}

/** The cards of a seat that this view knows. @param {Hand} hand @param {SeatName} seat */
export const cardsOf = (hand, seat) => hand.hands[seatIndex(seat)];
