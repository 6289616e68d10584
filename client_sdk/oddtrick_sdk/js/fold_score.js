// @ts-check
/**
 * Recording facts of the score, of the declaration and of bets: the part of `fold.js` that has no cards in it.
 *
 * @module
 */

import { left, sideIndex, sideOf } from "./cards.js";
import { add, handOf, put, show } from "./fold_tools.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Hand} Hand */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Side} Side */

/** @param {[number[], number[]]} games @param {Side} side @param {number} value @returns {[number[], number[]]} */
const wonBy = ([ns, ew], side, value) => (side === "NS" ? [[...ns, value], ew] : [ns, [...ew, value]]);

/** @param {View} view @param {Side} side @param {number} value @returns {View} */
function gameWon(view, side, value) {
  const games = wonBy(view.games, side, value);
  return {
    ...put(view, { game_won: true, game_score: view.score }),
    slips: view.slips.games ? { ...view.slips, games: wonBy(view.slips.games, side, value) } : view.slips,
    games,
    below: [view.below[0] + view.score[0], view.below[1] + view.score[1]],
    score: [0, 0],
  };
}

/** @param {View} view @param {any} fact @returns {View} */
function scoreMarked(view, { sheet, side, points }) {
  const at_ = sideIndex(side);
  const { slips } = view;
  /** @template T @param {T[]} two @param {T} item @returns {any} */
  const with_ = (two, item) => two.map((one, place) => (place === at_ ? item : one));
  if (sheet === "score") {
    const score = with_(view.score, points);
    const owed = slips.score ?? view.score;
    return { ...view, score, slips: { ...slips, score: `${owed}` === `${score}` ? undefined : owed } };
  }
  if (sheet === "above") {
    const above = add(slips.above, side, points - view.above[at_]);
    return { ...view, above: with_(view.above, points), slips: { ...slips, above } };
  }
  const games = with_(view.games, [...view.games[at_].slice(0, -1), points]);
  const rightly = slips.games ?? view.games;
  const same = JSON.stringify(rightly) === JSON.stringify(games);
  return { ...view, games, slips: { ...slips, games: same ? undefined : rightly } };
}

/** @param {View} view @param {Seat|undefined} voice @param {Partial<Hand>} values @returns {View} */
const voiced = (view, voice, values) => ({
  ...put(view, { voice, asked_to_lead: false, ...values }),
  phase: voice === undefined ? "playing" : view.phase,
});

/** @param {View} view @param {number} number @param {object} values @returns {View} */
const betWith = (view, number, values) => ({
  ...view,
  bets: view.bets.map((bet) => (bet.number === number ? { ...bet, ...values } : bet)),
});

/** @type {Record<string, (view: View, fact: any) => View>} */
export const SCORE_FOLDS = {
  scored: (view, { score, owed }) => ({ ...view, score, slips: { ...view.slips, score: owed } }),
  scored_above: (view, { above }) => ({ ...view, above }),
  game_reached: (view, { side }) => put(view, { reached: side }),
  game_undone: (view, { score, owed }) => ({
    ...put(view, { reached: undefined }),
    score,
    slips: { ...view.slips, score: owed },
  }),
  score_marked: scoreMarked,
  game_annulled: (view, { side, score }) => ({
    ...put(view, { game_won: false }),
    score,
    games: /** @type {[number[], number[]]} */ (
      view.games.map((won, place) => (place === sideIndex(side) ? won.slice(0, -1) : won))
    ),
    below: [view.below[0] - handOf(view).game_score[0], view.below[1] - handOf(view).game_score[1]],
    slips: { ...view.slips, score: undefined },
  }),
  game_won: (view, { side, value }) => gameWon(view, side, value),
  rubber_won: (view, { side, points }) => ({ ...view, phase: "over", rubber: { side, points } }),
  trump_declared: (view, { seat, trump }) => ({
    ...put(view, { trump, maker: seat, declaring: undefined, voice: handOf(view).leader }),
    phase: "doubling",
  }),
  declaration_left: (view, { seat }) => put(view, { left: true, declaring: left(seat, 2) }),
  doubled: (view, { seat, multiplier, voice }) =>
    voiced(view, voice, {
      multiplier,
      doubled_by: seat,
      doublers: /** @type {[Seat|null, Seat|null]} */ (
        handOf(view).doublers.map((one, side) => (side === sideIndex(sideOf(seat)) ? seat : one))
      ),
    }),
  lead_asked: (view, { voice }) => put(view, { voice, asked_to_lead: true }),
  satisfied: (view, { voice }) => voiced(view, voice, {}),
  doubling_lost: (view, { seat }) => put(view, { barred: [...handOf(view).barred, seat] }),
  led_early: (view, { seat, card }) => put(show(view, seat, [card], false), { led_early: card }),
  deal_voided: (view) => ({
    ...put(view, {
      cut: true,
      rights: [],
      duties: [null, null, null, null],
      lead_duties: [null, null, null, null],
      declaring: undefined,
      voice: undefined,
      asked_to_lead: false,
    }),
    phase: "to deal",
  }),
  dummy_laid: (view, { seat, cards }) => put(show(view, seat, cards, false), { dummy: seat }),
  bet_offered: (view, { number, seat, counters, on, side }) => ({
    ...view,
    bets: [...view.bets, { number, by: seat, counters, on, side }],
  }),
  bet_taken: (view, { number, seat }) => betWith(view, number, { taker: seat }),
  bet_settled: (view, { number, winner }) =>
    winner === undefined
      ? { ...view, bets: view.bets.filter((bet) => bet.number !== number) }
      : betWith(view, number, { winner }),
};
