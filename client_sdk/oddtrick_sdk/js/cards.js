// @ts-check
/**
 * Cards, seats and sides as they stand on the wire: a card is "SA", a seat "N", a side "NS".
 *
 * A set of cards is an array in the order of the pack, each card once.
 *
 * @module
 */

/** @typedef {"N"|"E"|"S"|"W"} Seat */
/** @typedef {"NS"|"EW"} Side */
/** @typedef {"S"|"H"|"D"|"C"} PlainSuit */
/** @typedef {PlainSuit|"NT"} Suit */
/** @typedef {string} Card */

/** @type {readonly Seat[]} */
export const SEATS = ["N", "E", "S", "W"];
/** @type {readonly PlainSuit[]} */
export const SUITS = ["S", "H", "D", "C"];
export const RANKS = "23456789TJQKA";
/** @type {readonly Card[]} */
export const PACK = SUITS.flatMap((suit) => [...RANKS].map((rank) => suit + rank));

const PLACE = new Map(PACK.map((card, place) => [card, place]));

/** @param {Card} card */
export const suitOf = (card) => /** @type {PlainSuit} */ (card[0]);
/** The rank of a card, 0 (the two) to 12 (the ace). @param {Card} card */
export const rankOf = (card) => RANKS.indexOf(card[1]);
/** The place of a card in the pack, 0 to 51. @param {Card} card */
export const placeOf = (card) => PLACE.get(card) ?? -1;
/** @param {Seat} seat */
export const seatIndex = (seat) => SEATS.indexOf(seat);
/** @param {Seat} seat @param {number} [places] */
export const left = (seat, places = 1) => SEATS[(seatIndex(seat) + places) % 4];
/** @param {Seat} seat */
export const partner = (seat) => left(seat, 2);
/** @param {Seat} seat @returns {Side} */
export const sideOf = (seat) => (seat === "N" || seat === "S" ? "NS" : "EW");
/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "NS" ? "EW" : "NS");
/** @param {Side} side */
export const sideIndex = (side) => (side === "NS" ? 0 : 1);
/** @param {Side} side @returns {readonly Seat[]} */
export const seatsOf = (side) => (side === "NS" ? ["N", "S"] : ["E", "W"]);

/** @param {Iterable<Card>} cards */
export const ordered = (cards) => [...new Set(cards)].sort((one, other) => placeOf(one) - placeOf(other));
/** @param {readonly Card[]} cards @param {readonly Card[]} more */
export const plus = (cards, more) => ordered([...cards, ...more]);
/** @param {readonly Card[]} cards @param {readonly Card[]} less */
export const minus = (cards, less) => cards.filter((card) => !less.includes(card));
