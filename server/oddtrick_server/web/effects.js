// @ts-check
/**
 * What each choice of a penalty does to the score, in words: the law's arithmetic, shown before one chooses.
 *
 * @module
 */

import { otherSide, sideIndex, sideOf } from "../js/oddtrick.js";
import { factsOf, trickPoints } from "./codes.js";
import { t } from "./words.js";

/** @typedef {import("../js/types.js").View} View */
/** @typedef {import("../js/types.js").Side} Side */
/** @typedef {import("../js/types.js").Revoke} Revoke */

/** @param {View} view @param {Side} side */
const hasRevoked = (view, side) =>
  (view.hand?.revokes ?? []).some((one) => sideOf(one.seat) === side && ["proved", "paid", "cancelled"].includes(one.stage));

/** @param {View} view @param {Side} side @param {number} points */
function capped(view, side, points) {
  const facts = factsOf(view.code);
  const before = view.score[sideIndex(side)];
  const total = before + points;
  if (hasRevoked(view, side)) return Math.max(before, Math.min(total, facts.cap));
  return facts.bridge ? total : Math.min(total, facts.game);
}

/**
 * What a side would score for tricks at the cut, if it had so many.
 * @param {View} view @param {Side} side @param {number} tricks @param {number} score
 */
function afterTricks(view, side, tricks, score) {
  const facts = factsOf(view.code);
  const points = Math.max(0, tricks - 6) * trickPoints(view);
  const total = score + points;
  if (hasRevoked(view, side)) return Math.max(score, Math.min(total, facts.cap));
  return facts.bridge ? total : Math.min(total, facts.game);
}

/**
 * @param {View} view
 * @param {Revoke} revoke
 * @param {string} penalty
 * @returns {string} such as "tricks 7 to 10, score 1 to 5: game"
 */
export function effectOf(view, revoke, penalty) {
  const { hand } = view;
  if (!hand) return "";
  const them = sideOf(revoke.seat);
  const us = otherSide(them);
  const [ours, theirs] = [view.score[sideIndex(us)], view.score[sideIndex(them)]];
  const [taken, lost] = [hand.taken[sideIndex(us)], hand.taken[sideIndex(them)]];
  const game = factsOf(view.code).game;
  const three = 3 * trickPoints(view);
  /** @param {number} score */
  const made = (score) => (score >= game ? t("effect.game") : "");
  if (penalty === "tricks") {
    const moved = Math.min(3, lost);
    const then = afterTricks(view, us, taken + moved, ours);
    return t("effect.tricks", { from: taken, to: taken + moved, theirs: lost - moved, ours, then, game: made(then) });
  }
  const counted = afterTricks(view, us, taken, penalty === "add" ? capped(view, us, three) : ours);
  if (penalty === "deduct") {
    return t("effect.deduct", { from: theirs, to: Math.max(0, theirs - three), ours, then: counted, game: made(counted) });
  }
  const added = capped(view, us, three);
  return t("effect.add", { from: ours, to: added, then: counted, game: made(counted) });
}
