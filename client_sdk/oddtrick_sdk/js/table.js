// @ts-check
/**
 * One table as a client knows it: the sum of what it was shown. Sans-I/O and without judgement.
 *
 * @module
 */

import { evolve, newRubber } from "./fold.js";
import { TABLE_FACTS, infoAfter, newInfo } from "./info.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Prompt} Prompt */
/** @typedef {import("./types.js").Act} Act */
/** @typedef {import("./types.js").Clock} Clock */
/** @typedef {import("./types.js").Message} Message */

/**
 * An event in order and once. `before` and `view` are the view before and after it.
 * @typedef {object} Happened
 * @property {Table} table
 * @property {number} seq
 * @property {number} hand the number of the deal at this table
 * @property {Fact} fact
 * @property {string} [by] "clock" or "substitute", if that did it
 * @property {View} [before]
 * @property {View} [view]
 */

export class Table {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {Seat|undefined} our seat; undefined for a bystander */
    this.seat = undefined;
    this.seq = 0;
    this.hand = 0;
    /** @type {View|undefined} the rubber as we may know it; undefined before the first */
    this.view = undefined;
    this.info = newInfo();
    /** @type {Prompt|undefined} the choice put to us */
    this.prompt = undefined;
    /** @type {Act[]} what else the moment opens to us */
    this.may = [];
    /** @type {Clock[]} the limits that run, for everybody */
    this.clocks = [];
    /** Whether the table was sent whole at least once. */
    this.known = false;
  }

  /**
   * Fold in the next event.
   * @param {{seq: number, hand?: number, event: Fact, by?: string}} item
   * @returns {Happened}
   */
  happened({ seq, hand = 0, event: fact, by }) {
    const before = this.view;
    this.seq = seq;
    this.hand = hand;
    if (fact.t === "rubber_began") {
      this.view = newRubber(/** @type {any} */ (fact));
    } else if (!TABLE_FACTS.has(fact.t) && this.view) {
      this.view = evolve(this.view, fact);
    }
    this.info = infoAfter(this.info, fact);
    return { table: this, seq, hand, fact, by, before, view: this.view };
  }

  /** Take the whole table as it was sent. @param {any} message */
  snapshot({ seq, info, view, seat }) {
    this.seq = seq;
    this.info = { ...newInfo(), ...info };
    this.view = view;
    this.seat = seat;
    this.prompt = undefined;
    this.may = [];
    this.known = true;
  }

  /** Take a choice that is put to us, or that none is any more. @param {any} message @param {number} now */
  prompted({ prompt, kind, acts = [], playable = [], deadline_ms, limit_ms, right }, now) {
    if (kind === "none") {
      this.prompt = undefined;
      return;
    }
    const since = this.prompt && this.prompt.prompt === prompt ? this.prompt.since : now;
    const until = deadline_ms === undefined ? undefined : now + deadline_ms;
    this.prompt = { prompt, kind, acts, playable, until, limit_ms, right, since };
  }

  /** Take the limits that run. @param {any} message @param {number} now */
  waits({ clocks }, now) {
    this.clocks = clocks.map((/** @type {any} */ { kind, seats, deadline_ms, limit_ms }) => ({
      kind,
      seats,
      until: now + deadline_ms,
      limit_ms,
    }));
  }
}
