// @ts-check
/**
 * One's own share in a fair deal: commit when the server has committed, reveal when all have.
 *
 * Whoever keeps this up knows that the deal was chosen neither by the server nor by the other three with it. What was
 * drawn is kept in `memory`, so that a reload between the two does not lose it.
 *
 * @module
 */

import { seatIndex } from "./cards.js";
import { fromHex, seatCommitment, toHex } from "./deal.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Happened} Happened */

const ENTROPY_BYTES = 16;
/** What a deal can still be made in. */
const BEFORE_A_DEAL = new Set(["claims", "to deal"]);

export class Dealer {
  /** @param {{get(key: string): string|null, set(key: string, value: string|null): void}} [memory] */
  constructor(memory) {
    /** @type {Map<string, string>} */
    const map = new Map();
    this.#memory = memory ?? {
      get: (key) => map.get(key) ?? null,
      set: (key, value) => (value === null ? map.delete(key) : map.set(key, value)),
    };
  }

  #memory;

  /** @param {Happened} happened @param {{request: (t: string, fields: object) => Promise<any>}} client */
  happened({ table, fact }, client) {
    if (fact.t === "deal_committed" || fact.t === "reveals_asked") void this.#tend(table, client);
  }

  /** @param {Table} table @param {{request: (t: string, fields: object) => Promise<any>}} client */
  resynced(table, client) {
    if (table.view && BEFORE_A_DEAL.has(table.view.phase)) void this.#tend(table, client);
  }

  /** @param {Table} table @param {{request: (t: string, fields: object) => Promise<any>}} client */
  async #tend(table, client) {
    const { deal } = table.info;
    const { seat } = table;
    if (!deal || !seat) return;
    const at = seatIndex(seat);
    const key = `entropy/${table.id}`;
    try {
      if (!deal.revealing && !deal.commitments[at]) {
        const entropy = crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES));
        this.#memory.set(key, `${deal.hand}/${toHex(entropy)}`);
        const commitment = await seatCommitment(entropy, {
          handId: deal.hand_id,
          seat: at,
          commitment: fromHex(deal.commitment),
        });
        await client.request("commit", { table: table.id, hand: deal.hand, commitment: toHex(commitment) });
      } else if (deal.revealing && deal.commitments[at] && !deal.entropies[at]) {
        const [hand, entropy] = (this.#memory.get(key) ?? "").split("/");
        if (Number(hand) !== deal.hand || !entropy) return;
        this.#memory.set(key, null);
        await client.request("reveal", { table: table.id, hand: deal.hand, entropy });
      }
    } catch {
      // Refused, or too late: the deal is made without our share, and the record says so.
    }
  }
}
