// @ts-check
/**
 * The sum of a table's own events: what a snapshot's `info` holds (PROTOCOL.md, section 4).
 *
 * @module
 */

import { seatIndex } from "./cards.js";

/** @typedef {import("./types.js").Info} Info */
/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Sitter} Sitter */

/** @returns {Info} a table before its first event */
export function newInfo() {
  return {
    code: "",
    enforcement: "guided",
    clocks: {
      linger_ms: 3000,
      linger_min_ms: 1000,
      turn_ms: 45000,
      question_ms: 15000,
      choice_ms: 20000,
      election_ms: 30000,
      claims_ms: 20000,
      absence_ms: 60000,
    },
    private: false,
    watch: "all",
    open_hands: false,
    reasonable_time: false,
    seats: [null, null, null, null],
    host: "",
    bystanders: [],
    rubber: 0,
    paused: false,
    pause_asked: [],
    unpause_asked: [],
    again_asked: [],
    forming: "seats",
    waiting: [],
    stakes: 1,
    referee: "",
    owed: [],
  };
}

/**
 * @param {Info} info
 * @param {Seat} seat
 * @param {Sitter|null} sitter
 */
function seated(info, seat, sitter) {
  const at = seatIndex(seat);
  return { ...info, seats: info.seats.map((one, place) => (place === at ? sitter : one)) };
}

/**
 * @param {Info} info
 * @param {Seat} seat
 * @param {Partial<Sitter>} values
 */
function sitterWith(info, seat, values) {
  const sitter = info.seats[seatIndex(seat)];
  return sitter ? seated(info, seat, { ...sitter, ...values }) : info;
}

/** @template T @param {T[]} list @param {T} item */
const withItem = (list, item) => (list.includes(item) ? list : [...list, item]);

/** @template T @param {T[]} four @param {Seat} seat @param {T} item */
const withSeat = (four, seat, item) => /** @type {any} */ (four.map((one, at) => (at === seatIndex(seat) ? item : one)));

/** @param {any} fact @returns {import("./types.js").FairDeal} a deal that nobody has committed to yet */
const sealed = ({ hand, hand_id, commitment, previous }) => ({
  hand,
  hand_id,
  commitment,
  previous,
  commitments: ["", "", "", ""],
  entropies: ["", "", "", ""],
  revealing: false,
});

/** @param {Info["proposal"]} proposal @param {Seat} seat */
function withoutConsent(proposal, seat) {
  if (!proposal || proposal.seat === seat) return undefined;
  return { ...proposal, given: proposal.given.filter((one) => one !== seat) };
}

/** @type {Record<string, (info: Info, fact: any) => Info>} */
const FOLDS = {
  table_opened: (info, { code, enforcement, clocks, private: closed, watch, open_hands, reasonable_time, forming, stakes }) => ({
    ...info,
    code,
    enforcement,
    clocks,
    private: closed,
    watch,
    open_hands,
    reasonable_time,
    forming: forming ?? "seats",
    stakes: stakes ?? 1,
  }),
  sat: (info, { seat, identity, name, bot }) => {
    /** @type {Sitter} */
    const sitter = { identity, name, away: false };
    return seated(info, seat, bot === undefined ? sitter : { ...sitter, bot });
  },
  stood: (info, { seat }) => ({
    ...seated(info, seat, null),
    proposal: withoutConsent(info.proposal, seat),
    pause_asked: info.pause_asked.filter((one) => one !== seat),
    unpause_asked: info.unpause_asked.filter((one) => one !== seat),
    again_asked: info.again_asked.filter((one) => one !== seat),
  }),
  went_away: (info, { seat }) => sitterWith(info, seat, { away: true }),
  came_back: (info, { seat }) => sitterWith(info, seat, { away: false }),
  substitute_sat: (info, { seat, bot }) => sitterWith(info, seat, { substitute: bot }),
  substitute_stood: (info, { seat }) => sitterWith(info, seat, { substitute: undefined }),
  host_moved: (info, { identity }) => ({ ...info, host: identity }),
  clocks_set: (info, { clocks }) => ({ ...info, clocks }),
  pause_asked: (info, { seat }) => ({ ...info, pause_asked: withItem(info.pause_asked, seat) }),
  pause_began: (info) => ({ ...info, paused: true, pause_asked: [], unpause_asked: [] }),
  unpause_asked: (info, { seat }) => ({ ...info, unpause_asked: withItem(info.unpause_asked, seat) }),
  pause_ended: (info) => ({ ...info, paused: false, pause_asked: [], unpause_asked: [] }),
  again_asked: (info, { seat }) => ({ ...info, again_asked: withItem(info.again_asked, seat) }),
  rubber_began: (info, { rubber }) => ({ ...info, rubber, again_asked: [], proposal: undefined }),
  bystander_came: (info, { identity, name }) => ({
    ...info,
    bystanders: [...info.bystanders.filter((one) => one.identity !== identity), { identity, name }],
  }),
  bystander_left: (info, { identity }) => ({
    ...info,
    proposal: info.proposal?.identity === identity ? undefined : info.proposal,
    referee: info.referee === identity ? "" : info.referee,
    bystanders: info.bystanders.filter((one) => one.identity !== identity),
    waiting: info.waiting.filter((one) => one !== identity),
  }),
  declared_in: (info, { identity }) => ({
    ...info,
    waiting: [...info.waiting.filter((one) => one !== identity), identity],
  }),
  queue_formed: (info, { identities }) => ({ ...info, waiting: identities }),
  seats_changed: (info, { before }) => ({
    ...info,
    seats: before.map((/** @type {Seat} */ seat) => info.seats[seatIndex(seat)]),
    pause_asked: [],
    unpause_asked: [],
    again_asked: [],
    proposal: undefined,
  }),
  proposed: (info, { number, what, seat, identity, name, asked, given }) => ({
    ...info,
    proposal: { number, what, seat, identity, name, asked, given, willing: what !== "substitute" },
  }),
  consented: (info, { number, seat }) => {
    const { proposal } = info;
    if (!proposal || proposal.number !== number) return info;
    const change = seat === undefined ? { willing: true } : { given: withItem(proposal.given, seat) };
    return { ...info, proposal: { ...proposal, ...change } };
  },
  proposal_closed: (info) => ({ ...info, proposal: undefined }),
  substitute_named: (info, { seat, owner }) => sitterWith(info, seat, { playing_for: owner }),
  counters_owed: (info, { identity, name, counters }) => {
    const before = info.owed.find((one) => one.identity === identity)?.counters ?? 0;
    const others = info.owed.filter((one) => one.identity !== identity);
    return { ...info, owed: [...others, { identity, name, counters: before + counters }] };
  },
  referee_chosen: (info, { identity }) => ({ ...info, referee: identity }),
  deal_committed: (info, fact) => {
    let other = info.other_pack;
    if (other?.commitment === fact.commitment) other = info.deal;
    else if (other?.hand !== fact.hand) other = undefined;
    return { ...info, deal: sealed(fact), other_pack: other };
  },
  pack_offered: (info, fact) => ({ ...info, other_pack: sealed(fact) }),
  pack_opened: (info, { commitment }) =>
    info.other_pack?.commitment === commitment ? { ...info, other_pack: undefined } : info,
  seat_committed: (info, { seat, commitment }) =>
    info.deal ? { ...info, deal: { ...info.deal, commitments: withSeat(info.deal.commitments, seat, commitment) } } : info,
  reveals_asked: (info) => (info.deal ? { ...info, deal: { ...info.deal, revealing: true } } : info),
  seat_revealed: (info, { seat, entropy }) =>
    info.deal ? { ...info, deal: { ...info.deal, entropies: withSeat(info.deal.entropies, seat, entropy) } } : info,
  table_closed: (info, { reason }) => ({ ...info, closed: reason }),
};

/** The types of the events that belong to the table and not to the laws. */
export const TABLE_FACTS = new Set([...Object.keys(FOLDS), "said", "phrased", "deal_revealed", "cards_cut"]);

/**
 * @param {Info} info
 * @param {Fact} fact
 * @returns {Info} the table after that event
 */
export function infoAfter(info, fact) {
  const fold = Object.hasOwn(FOLDS, fact.t) ? FOLDS[fact.t] : undefined;
  return fold ? fold(info, fact) : info;
}
