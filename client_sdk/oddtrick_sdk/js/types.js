// @ts-check
/**
 * The shapes of what travels: messages, the view of a rubber, the info of a table. Types only; nothing runs here.
 *
 * They follow PROTOCOL.md, sections 2, 7, 8 and 9. A field that may be missing is missing when it is null.
 *
 * @module
 */

/** @typedef {import("./cards.js").Seat} Seat */
/** @typedef {import("./cards.js").Side} Side */
/** @typedef {import("./cards.js").Suit} Suit */
/** @typedef {import("./cards.js").Card} Card */
/** @typedef {[number, number]} Pair What NS and EW have. */
/** @typedef {[Card[], Card[], Card[], Card[]]} Hands The cards of N, E, S and W. */

/** @typedef {"to deal"|"declaring"|"doubling"|"playing"|"claims"|"over"} Phase */
/** @typedef {"open"|"complete"|"gathered"|"quitted"} Stage */
/** @typedef {"made"|"withdrawn"|"corrected"|"established"|"proved"|"paid"|"barred"|"cancelled"|"forfeited"} RevokeStage */
/** @typedef {"highest"|"lowest"|"win"|"lose"|"suit"|"card"|"not suit"|"not card"|"trump highest"|"trump lowest"} Demand */
/** @typedef {"tricks"|"deduct"|"add"} Penalty */

/**
 * @typedef {object} Trick
 * @property {number} number
 * @property {Seat} leader
 * @property {[Seat, Card][]} plays in the order they stand
 * @property {Seat} [winner]
 * @property {Stage} stage
 * @property {Seat} [rightful] whose lead it was, while a lead out of turn stands
 * @property {Seat[]} later who may still change their cards after a correction
 */

/** @typedef {{seat: Seat, trick: number, suit: Suit, card: Card, asked: boolean, answer?: "none"|"some"|"silence"}} Renounce */

/**
 * @typedef {object} Revoke
 * @property {Seat} seat
 * @property {number} trick
 * @property {Suit} [suit]
 * @property {Card} [card]
 * @property {RevokeStage} stage
 * @property {Demand} [demand]
 * @property {number} number
 * @property {Penalty} [penalty]
 */

/**
 * @typedef {object} Right
 * @property {number} id
 * @property {string} kind
 * @property {Side} side
 * @property {Seat[]} holders
 * @property {Seat} offender
 * @property {number} trick
 * @property {Demand[]} options
 * @property {string[]} cites
 * @property {Seat} [on]
 * @property {Card[]} cards
 * @property {boolean} holds
 * @property {Suit} [suit]
 */

/** @typedef {{demand: Demand, cites: string[], card?: Card, suit?: Suit, right: number}} Duty */
/** @typedef {{number: number, by: Seat, seat: Seat, trick?: number, verdict: "pending"|"proved"|"not proved"}} Charge */
/** @typedef {{number: number, by: Seat, counters: number, on: string, side: Side, taker?: Seat, winner?: Seat}} Bet */

/**
 * @typedef {object} Hand
 * @property {number} number
 * @property {Seat} dealer
 * @property {Hands} hands
 * @property {[number, number, number, number]} held
 * @property {Hands} seen
 * @property {Hands} dealt
 * @property {number} size
 * @property {Suit} [trump]
 * @property {Card} [turned]
 * @property {Card} [trump_card]
 * @property {boolean} trump_lying
 * @property {Seat} leader
 * @property {Trick[]} tricks
 * @property {Pair} taken
 * @property {Hands} exposed
 * @property {Renounce[]} renounces
 * @property {Revoke[]} revokes
 * @property {Right[]} rights
 * @property {number} rights_made
 * @property {(Duty|null)[]} duties
 * @property {(Duty|null)[]} lead_duties
 * @property {Seat[]} uncallable
 * @property {Seat} [question]
 * @property {Seat} [mending]
 * @property {Charge[]} charges
 * @property {number} proved
 * @property {[Side, Seat, number|null][]} killed
 * @property {[boolean, boolean]} mixed
 * @property {Seat[]} thrown
 * @property {Side} [claimed]
 * @property {{by: Seat, kind: string, agreed: Seat[]}} [offer]
 * @property {boolean} play_out
 * @property {boolean} ended
 * @property {boolean} thrown_in
 * @property {Seat[]} ready
 * @property {[boolean, boolean]} honours
 * @property {boolean} cut
 * @property {Pair} score_before
 * @property {Side} [reached]
 * @property {boolean} game_won
 * @property {Pair} game_score
 * @property {[number, number][]} taken_for
 * @property {Seat} [new_cards]
 * @property {number} pack_taken
 * @property {Seat} [maker]
 * @property {Seat} [declaring]
 * @property {boolean} left
 * @property {number} multiplier
 * @property {Seat} [voice]
 * @property {Seat} [doubled_by]
 * @property {[Seat|null, Seat|null]} doublers
 * @property {Seat[]} barred
 * @property {Card} [led_early]
 * @property {Pair} [owed_before]
 * @property {boolean} asked_to_lead
 * @property {Seat} [dummy]
 */

/**
 * A rubber as its viewer may know it.
 * @typedef {object} View
 * @property {string} code
 * @property {"strict"|"guided"|"club"} enforcement
 * @property {Seat} dealer
 * @property {Phase} phase
 * @property {Pair} score
 * @property {[number[], number[]]} games
 * @property {Pair} above
 * @property {Pair} below
 * @property {Hand} [hand]
 * @property {number} hands_dealt
 * @property {{side: Side, points: number}} [rubber]
 * @property {Bet[]} bets
 * @property {{score?: Pair, above: Pair, games?: [number[], number[]]}} slips what the sheet ought to say where it is marked wrongly
 * @property {boolean} reasonable_time
 */

/** @typedef {{identity: string, name: string, bot?: string, away: boolean, substitute?: string, playing_for?: string}} Sitter */

/**
 * @typedef {object} Clocks
 * @property {number} linger_ms
 * @property {number} linger_min_ms
 * @property {number} turn_ms
 * @property {number} question_ms
 * @property {number} choice_ms
 * @property {number} election_ms
 * @property {number} claims_ms
 * @property {number} absence_ms
 */

/**
 * @typedef {object} FairDeal
 * @property {number} hand
 * @property {string} hand_id
 * @property {string} commitment
 * @property {string} previous
 * @property {[string, string, string, string]} commitments
 * @property {[string, string, string, string]} entropies
 * @property {boolean} revealing
 */

/**
 * What a seat has proposed about a bystander, and who has agreed.
 * @typedef {object} Proposal
 * @property {number} number
 * @property {"substitute"|"remark"|"referee"} what
 * @property {Seat} seat
 * @property {string} identity
 * @property {string} name
 * @property {Seat[]} asked
 * @property {Seat[]} given
 * @property {boolean} willing
 */

/**
 * The table but for the play.
 * @typedef {object} Info
 * @property {string} code
 * @property {"strict"|"guided"|"club"} enforcement
 * @property {Clocks} clocks
 * @property {boolean} private
 * @property {"all"|"invited"|"none"} watch
 * @property {boolean} open_hands
 * @property {boolean} reasonable_time
 * @property {(Sitter|null)[]} seats
 * @property {string} host
 * @property {{identity: string, name: string}[]} bystanders
 * @property {number} rubber
 * @property {boolean} paused
 * @property {Seat[]} pause_asked
 * @property {Seat[]} unpause_asked
 * @property {Seat[]} again_asked
 * @property {FairDeal} [deal]
 * @property {FairDeal} [other_pack] the other of two packs offered
 * @property {string} [closed]
 * @property {"seats"|"cut"} forming
 * @property {string[]} waiting identities of bystanders who are to have a place
 * @property {number} stakes
 * @property {Proposal} [proposal]
 * @property {string} referee
 * @property {{identity: string, name: string, counters: number}[]} owed
 */

/** An act of the laws (PROTOCOL.md, section 8). @typedef {{do: string, [field: string]: any}} Act */
/** Something that happened (PROTOCOL.md, section 9). @typedef {{t: string, cites?: string[], [field: string]: any}} Fact */

/**
 * A choice put to this seat. `until` is when its time is up by the local clock, in milliseconds.
 * @typedef {object} Prompt
 * @property {string} prompt
 * @property {string} kind
 * @property {Act[]} acts
 * @property {Card[]} playable
 * @property {number} [until]
 * @property {number} [limit_ms]
 * @property {number} [right]
 * @property {number} since
 */

/** @typedef {{kind: string, seats: Seat[], until: number, limit_ms: number}} Clock */
/** @typedef {{t: string, id?: string, [field: string]: any}} Message */

export {};
