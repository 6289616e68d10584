// @ts-check
/**
 * `evolve(view, fact)`: record a fact of the laws in a view. Total, and free of rules.
 *
 * The same as `oddtrick_rules.evolve`, on the maps of the wire; a test holds the two together. A fact of a type this
 * version does not know changes nothing.
 *
 * @module
 */

import { minus, otherSide, plus, seatIndex, sideOf } from "./cards.js";
import { SCORE_FOLDS } from "./fold_score.js";
import {
  add,
  at,
  backToHand,
  changeLast,
  handOf,
  heldWith,
  none,
  put,
  secret,
  show,
  trickWith,
  withCards,
  withoutCards,
  withoutPlay,
} from "./fold_tools.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Hand} Hand */
/** @typedef {import("./types.js").Hands} Hands */
/** @typedef {import("./types.js").Pair} Pair */
/** @typedef {import("./types.js").Trick} Trick */
/** @typedef {import("./types.js").Revoke} Revoke */
/** @typedef {import("./types.js").Renounce} Renounce */
/** @typedef {import("./types.js").Duty} Duty */
/** @typedef {import("./types.js").RevokeStage} RevokeStage */
/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Card} Card */

/**
 * @param {object} rubber
 * @param {string} rubber.code
 * @param {"strict"|"guided"|"club"} rubber.enforcement
 * @param {Seat} rubber.dealer
 * @param {boolean} [rubber.reasonable_time]
 * @returns {View} a rubber at love all, about to be dealt
 */
export function newRubber({ code, enforcement, dealer, reasonable_time = false }) {
  return {
    code,
    enforcement,
    dealer,
    phase: "to deal",
    score: [0, 0],
    games: [[], []],
    above: [0, 0],
    below: [0, 0],
    hands_dealt: 0,
    bets: [],
    slips: { above: [0, 0] },
    reasonable_time,
  };
}

/** @param {View} view @param {any} fact @returns {View} */
function dealt(view, { number, dealer, hands, size, leader, trump, turned, trump_card }) {
  const own = /** @type {Hands} */ (hands.map((/** @type {Card[]} */ cards) => plus([], cards)));
  let held = own;
  let seen = none();
  if (turned !== undefined) {
    held = withCards(held, dealer, [turned]);
    seen = withCards(seen, dealer, [turned]);
  }
  // The turn-up concludes a game won before it: what of its score was marked wrongly stands.
  const concluded = view.slips.score !== undefined && view.hand !== undefined && view.hand.game_won;
  /** @type {Hand} */
  const hand = {
    number,
    dealer,
    hands: held,
    held: [size, size, size, size],
    seen,
    dealt: own,
    size,
    trump,
    turned,
    trump_card,
    trump_lying: false,
    leader,
    tricks: [],
    taken: [0, 0],
    exposed: none(),
    renounces: [],
    revokes: [],
    rights: [],
    rights_made: 0,
    duties: [null, null, null, null],
    lead_duties: [null, null, null, null],
    uncallable: [],
    charges: [],
    proved: 0,
    killed: [],
    mixed: [false, false],
    thrown: [],
    play_out: false,
    ended: false,
    thrown_in: false,
    ready: [],
    honours: [false, false],
    cut: false,
    score_before: view.score,
    game_won: false,
    game_score: [0, 0],
    taken_for: [],
    pack_taken: 0,
    declaring: trump === undefined ? dealer : undefined,
    left: false,
    multiplier: 1,
    doublers: [null, null],
    barred: [],
    asked_to_lead: false,
    owed_before: concluded ? undefined : view.slips.score,
  };
  const phase = trump === undefined ? "declaring" : "playing";
  const slips = concluded ? { ...view.slips, score: undefined } : view.slips;
  return { ...view, hand, phase, hands_dealt: number, rubber: undefined, slips };
}

/** @param {View} view @param {any} fact @returns {View} */
function played(view, { seat, card, trick: number }) {
  const hand = handOf(view);
  const known = hand.tricks.some((trick) => trick.number === number);
  const tricks = known
    ? hand.tricks.map((trick) =>
        trick.number === number
          ? { ...trick, plays: [...trick.plays, /** @type {[Seat, Card]} */ ([seat, card])] }
          : trick,
      )
    : [...hand.tricks, /** @type {Trick} */ ({ number, leader: seat, plays: [[seat, card]], stage: "open", later: [] })];
  return put(view, {
    hands: withoutCards(hand.hands, seat, [card]),
    held: heldWith(hand, seat, -1),
    seen: withoutCards(hand.seen, seat, [card]),
    exposed: withoutCards(hand.exposed, seat, [card]),
    tricks,
  });
}

/**
 * The values that go with the renounces: the question that waits for its answer is the first of those not answered.
 * @param {Renounce[]} renounces
 */
const withRenounces = (renounces) => ({
  renounces,
  question: renounces.find((one) => one.asked && one.answer === undefined)?.seat,
});

/** @param {Hand} hand @param {Seat} seat @param {number} trick */
const otherRenounces = (hand, seat, trick) =>
  withRenounces(hand.renounces.filter((one) => !(one.seat === seat && one.trick === trick)));

/** @param {View} view @param {any} fact @returns {View} */
function returned(view, { seat, card, trick }) {
  const hand = handOf(view);
  return put(view, {
    ...otherRenounces(hand, seat, trick),
    revokes: hand.revokes.filter((one) => !(one.seat === seat && one.trick === trick && secret(one))),
    ...withoutPlay(hand, trick, seat),
    ...backToHand(hand, seat, card),
  });
}

/** @param {View} view @param {any} fact @param {RevokeStage} stage */
function restaged(view, { seat, trick }, stage) {
  const revokes = changeLast(
    handOf(view).revokes,
    (one) => one.seat === seat && one.trick === trick && one.stage !== "corrected",
    (one) => ({ ...one, stage }),
  );
  return put(view, { revokes });
}

/** @param {View} view @param {Seat} seat @param {"none"|"some"|"silence"} answer */
function answered(view, seat, answer) {
  const renounces = handOf(view).renounces.map((one) =>
    one.seat === seat && one.asked && one.answer === undefined ? { ...one, answer } : one,
  );
  return put(view, withRenounces(renounces));
}

/**
 * Put a revoke that becomes known to all last, in place of what was known of it in secret.
 * @param {Revoke[]} revokes
 * @param {Revoke} shown
 */
const madePublic = (revokes, shown) => [
  ...revokes.filter((one) => !(one.seat === shown.seat && one.trick === shown.trick && secret(one))),
  shown,
];

/** @param {View} view @param {any} fact @returns {View} */
function withdrawn(view, { seat, trick, card, suit, demand, later }) {
  const hand = handOf(view);
  const revokes = madePublic(hand.revokes, { seat, trick, suit, card, stage: "withdrawn", demand, number: 0 });
  const values = withoutPlay(hand, trick, seat);
  return put(view, {
    revokes,
    ...otherRenounces(hand, seat, trick),
    mending: seat,
    ...values,
    tricks: values.tricks.map((one) => (one.number === trick ? { ...one, later } : one)),
    ...backToHand(hand, seat, card),
  });
}

/** @param {View} view @param {any} fact @returns {View} */
function cardChanged(view, { seat, trick: number, old, card }) {
  const hand = handOf(view);
  const trick = /** @type {Trick} */ (hand.tricks.find((one) => one.number === number));
  /** @param {Card[]} cards */
  const swapped = (cards) => minus(plus(cards, [old]), [card]);
  const place = seatIndex(seat);
  return put(view, {
    tricks: trickWith(hand, number, {
      plays: trick.plays.map(([who, was]) => /** @type {[Seat, Card]} */ ([who, who === seat ? card : was])),
      later: trick.later.filter((one) => one !== seat),
      winner: undefined,
      stage: "open",
    }),
    taken: trick.winner ? add(hand.taken, sideOf(trick.winner), -1) : hand.taken,
    hands: at(hand.hands, seat, swapped(hand.hands[place])),
    seen: at(hand.seen, seat, swapped(hand.seen[place])),
    exposed: withoutCards(hand.exposed, seat, [card]),
    ...otherRenounces(hand, seat, number),
  });
}

/** @param {View} view @param {any} fact @returns {View} */
function trumpTakenUp(view, { seat }) {
  const hand = handOf(view);
  const gone = { turned: undefined, trump_lying: false };
  if (hand.turned === undefined || hand.thrown.includes(seat)) return put(view, gone);
  const card = [hand.turned];
  const mine = hand.dealt[seatIndex(seat)].length > 0;
  return put(view, {
    ...gone,
    seen: withoutCards(hand.seen, seat, card),
    exposed: withoutCards(hand.exposed, seat, card),
    // A view that is not the dealer's: its viewer is no longer told the card.
    ...(mine ? {} : { hands: withoutCards(hand.hands, seat, card) }),
  });
}

/** @param {View} view @param {any} fact @returns {View} */
function proved(view, { number, seat, trick, suit, card, demand }) {
  const revokes = madePublic(handOf(view).revokes, { seat, trick, suit, card, stage: "proved", demand, number });
  return put(view, { proved: number, revokes });
}

/** @param {View} view @param {any} fact @returns {View} */
function exacted(view, { number, side, penalty, tricks }) {
  const hand = handOf(view);
  return put(view, {
    revokes: hand.revokes.map((one) => (one.number === number ? { ...one, stage: "paid", penalty } : one)),
    taken: add(add(hand.taken, side, tricks), otherSide(side), -tricks),
    taken_for: [...hand.taken_for, [number, tricks]],
  });
}

/** @param {View} view @param {Seat[]} seats @param {Duty|null} duty @param {boolean} lead @returns {View} */
function bound(view, seats, duty, lead) {
  const which = lead ? "lead_duties" : "duties";
  const places = seats.map(seatIndex);
  return put(view, { [which]: handOf(view)[which].map((one, place) => (places.includes(place) ? duty : one)) });
}

/** @param {View} view @param {any} fact @returns {View} */
function called(view, { seats, demand, card, suit, right, cites }) {
  return bound(view, seats, { demand, cites, card, suit, right }, demand.endsWith("suit"));
}

/** @type {Record<string, (view: View, fact: any) => View>} */
const FOLDS = {
  hand_dealt: dealt,
  card_played: played,
  led_out_of_turn: (view, fact) => {
    const after = played(view, fact);
    return put(after, { tricks: trickWith(handOf(after), fact.trick, { rightful: fact.rightful }) });
  },
  lead_condoned: (view, { trick }) => put(view, { tricks: trickWith(handOf(view), trick, { rightful: undefined }) }),
  card_returned: returned,
  renounced: (view, { seat, trick, suit, card }) =>
    put(view, { renounces: [...handOf(view).renounces, { seat, trick, suit, card, asked: false }] }),
  revoke_made: (view, { seat, trick, suit, card, demand }) =>
    put(view, { revokes: [...handOf(view).revokes, { seat, trick, suit, card, stage: "made", demand, number: 0 }] }),
  revoke_lifted: (view, { seat, trick }) =>
    put(view, {
      revokes: handOf(view).revokes.filter(
        (one) => !(one.seat === seat && one.trick === trick && one.stage === "made"),
      ),
    }),
  revoke_established: (view, fact) => restaged(view, fact, "established"),
  revoke_barred: (view, fact) => restaged(view, fact, "barred"),
  trick_completed: (view, { trick, winner }) =>
    put(view, {
      tricks: trickWith(handOf(view), trick, { winner, stage: "complete" }),
      taken: add(handOf(view).taken, sideOf(winner), 1),
    }),
  trick_gathered: (view, { trick }) => put(view, { tricks: trickWith(handOf(view), trick, { stage: "gathered" }) }),
  trick_quitted: (view, { trick }) =>
    put(view, { tricks: trickWith(handOf(view), trick, { stage: "quitted", later: [] }) }),
  asked: (view, { of, trick }) =>
    put(
      view,
      withRenounces(
        changeLast(
          handOf(view).renounces,
          (one) => one.seat === of && one.trick === trick,
          (one) => ({ ...one, asked: true, answer: undefined }),
        ),
      ),
    ),
  answered: (view, { seat, none: has_none }) => answered(view, seat, has_none ? "none" : "some"),
  question_lapsed: (view, { seat }) => answered(view, seat, "silence"),
  card_withdrawn: withdrawn,
  revoke_corrected: (view, { seat, trick }) =>
    put(view, {
      mending: undefined,
      revokes: handOf(view).revokes.map((one) =>
        one.stage === "withdrawn" && one.seat === seat && one.trick === trick ? { ...one, stage: "corrected" } : one,
      ),
    }),
  card_changed: cardChanged,
  cards_exposed: (view, { seat, cards }) => show(view, seat, cards, true),
  cards_shown: (view, { seat, cards }) => show(view, seat, cards, false),
  cards_picked_up: (view, { seat, cards }) =>
    put(view, { exposed: withoutCards(handOf(view).exposed, seat, cards) }),
  led_together: (view, { seat, card }) => show(view, seat, [card], false),
  laid_together: (view, { seat, cards }) => show(view, seat, cards, false),
  right_opened: (view, { right }) =>
    put(view, {
      rights: [...handOf(view).rights, right],
      rights_made: Math.max(handOf(view).rights_made, right.id),
    }),
  right_kept: (view, { right, options }) =>
    put(view, { rights: handOf(view).rights.map((one) => (one.id === right ? { ...one, options } : one)) }),
  right_closed: (view, { right }) => put(view, { rights: handOf(view).rights.filter((one) => one.id !== right) }),
  called,
  duty_ended: (view, { seats, lead }) => bound(view, seats, null, lead === true),
  call_lost: (view, { seat }) => put(view, { uncallable: [...handOf(view).uncallable, seat] }),
  calls_restored: (view) => put(view, { uncallable: [] }),
  trump_taken_up: trumpTakenUp,
  trump_left: (view) => put(view, { trump_lying: true }),
  threw_down: (view, { seat, cards }) => {
    const after = show(view, seat, cards, false);
    return put(after, { thrown: [...handOf(after).thrown, seat] });
  },
  game_claimed: (view, { seat }) => put(view, { claimed: handOf(view).claimed ?? sideOf(seat) }),
  rest_claimed: (view, { seat }) => put(view, { claimed: handOf(view).claimed ?? sideOf(seat) }),
  offer_made: (view, { seat, kind }) => put(view, { offer: { by: seat, kind, agreed: [] } }),
  offer_agreed: (view, { seat }) => {
    const offer = handOf(view).offer;
    return offer ? put(view, { offer: { ...offer, agreed: [...offer.agreed, seat] } }) : view;
  },
  offer_closed: (view) => put(view, { offer: undefined }),
  revoke_charged: (view, { number, by, seat, trick }) =>
    put(view, { charges: [...handOf(view).charges, { number, by, seat, trick, verdict: "pending" }], ready: [] }),
  claim_killed: (view, { side, seat, trick }) =>
    put(view, { killed: [...handOf(view).killed, [side, seat, trick ?? null]] }),
  charge_judged: (view, { number, proved: found }) =>
    put(view, {
      charges: handOf(view).charges.map((one) =>
        one.number === number ? { ...one, verdict: found ? "proved" : "not proved" } : one,
      ),
    }),
  revoke_proved: proved,
  revokes_cancelled: (view, { taken, score, owed }) => ({
    ...put(view, {
      taken,
      taken_for: [],
      reached: undefined,
      revokes: handOf(view).revokes.map((one) =>
        one.stage === "proved" || one.stage === "paid" ? { ...one, stage: "cancelled" } : one,
      ),
    }),
    score,
    slips: { ...view.slips, score: owed },
  }),
  mixed: (view, { seat }) => {
    const [ns, ew] = handOf(view).mixed;
    return put(view, { mixed: sideOf(seat) === "NS" ? [true, ew] : [ns, true] });
  },
  play_out_required: (view) => put(view, { play_out: true }),
  penalty_exacted: exacted,
  hand_ended: (view, { thrown_in, awarded }) => ({
    ...put(view, {
      ended: true,
      thrown_in,
      taken: [handOf(view).taken[0] + awarded[0], handOf(view).taken[1] + awarded[1]],
      offer: undefined,
      rights: [],
      duties: [null, null, null, null],
      lead_duties: [null, null, null, null],
      question: undefined,
      mending: undefined,
    }),
    phase: "claims",
  }),
  became_ready: (view, { seat }) => put(view, { ready: [...handOf(view).ready, seat] }),
  honours_called: (view, { side }) => {
    const [ns, ew] = handOf(view).honours;
    return put(view, { honours: side === "NS" ? [true, ew] : [ns, true] });
  },
  pack_cut: (view, { dealer }) => ({ ...put(view, { cut: true }), dealer, phase: "to deal" }),
  penalty_forfeited: (view, { number }) =>
    put(view, {
      revokes: handOf(view).revokes.map((one) => (one.number === number ? { ...one, stage: "forfeited" } : one)),
    }),
  ...SCORE_FOLDS,
  new_cards_called: (view, { seat }) => put(view, { new_cards: seat }),
  pack_taken: (view, { pack }) => put(view, { new_cards: undefined, pack_taken: pack }),
};

/** The types of the facts of the laws that change a view. */
export const LAW_FACTS = new Set(Object.keys(FOLDS));

/**
 * @param {View} view
 * @param {Fact} fact
 * @returns {View} the view after that fact
 */
export function evolve(view, fact) {
  return Object.hasOwn(FOLDS, fact.t) ? FOLDS[fact.t](view, fact) : view;
}
