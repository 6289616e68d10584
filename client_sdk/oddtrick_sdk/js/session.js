// @ts-check
/**
 * The client's side of the conversation, sans-I/O: messages in, messages and happenings out.
 *
 * A session outlives its connections. What was sent and not answered is kept and sent again with the same id after every
 * reconnection, which the server answers with its first answer: nothing is done twice, nothing is lost. Per table the
 * number of the last event is kept: one seen before is dropped, one that comes too early is dropped too and the run after
 * the last one seen is asked for. On a new connection the order is: `hello`; after `welcome`, one `resume` for each table;
 * then whatever is unanswered.
 *
 * @module
 */

import { Table } from "./table.js";

/** @typedef {import("./types.js").Message} Message */
/** @typedef {import("./table.js").Happened} Happened */

/**
 * What a message of the server comes to.
 * @typedef {(
 *   {type: "welcome", message: any} |
 *   {type: "shut_out", refused: any} |
 *   {type: "answer", id: string, message: any} |
 *   {type: "happened", happened: Happened} |
 *   {type: "table", table: Table, what: "snapshot"|"prompt"|"may"|"waiting"} |
 *   {type: "lost_table", table: Table, refused: any} |
 *   {type: "busy_table", table: Table, afterMs: number} |
 *   {type: "going", message: any}
 * )} Output
 */

export const PROTOCOL = 1;
const RETRY_MS = 500;
/** Refusals that say no more than `not now`. */
const PASSING = new Set(["rate", "busy", "draining"]);
export const SUBPROTOCOL = "oddtrick.v1.json";
const UNANSWERED_MAX = 256;

export class Session {
  /** @param {{name: string, nonce: string, token?: string, client?: string, build?: string}} who */
  constructor({ name, nonce, token, client = "oddtrick-js", build = "" }) {
    this.name = name;
    this.token = token;
    this.identity = "";
    this.welcomed = false;
    /** @type {Map<string, Table>} */
    this.tables = new Map();
    /** @type {Message[]} */
    this.outgoing = [];
    this.#nonce = nonce;
    this.#client = client;
    this.#build = build;
  }

  #nonce;
  #client;
  #build;
  #count = 0;
  #hello = "";
  /** @type {Map<string, Message>} */
  #unanswered = new Map();
  /** @type {Map<string, string>} the resume under way, by table */
  #resuming = new Map();

  /** A connection stands: say who we are. Nothing else goes out before the answer. */
  opened() {
    this.welcomed = false;
    this.#resuming.clear();
    this.#hello = this.#nextId();
    /** @type {Message} */
    const hello = { t: "hello", id: this.#hello, name: this.name, protocol: PROTOCOL, client: this.#client };
    if (this.token) hello.token = this.token;
    if (this.#build) hello.build = this.#build;
    this.outgoing = [hello];
  }

  /** The connection is gone; what is unanswered stays. */
  lost() {
    this.welcomed = false;
    this.outgoing = [];
  }

  /**
   * Send a message as soon as there is a connection, and again until it is answered.
   * @param {string} t
   * @param {object} [fields]
   * @returns {string} the id it was given
   */
  send(t, fields = {}) {
    if (this.#unanswered.size >= UNANSWERED_MAX) throw new Error(`${UNANSWERED_MAX} messages are unanswered`);
    const id = this.#nextId();
    const message = { t, id, ...fields };
    this.#unanswered.set(id, message);
    if (this.welcomed) this.outgoing.push(message);
    return id;
  }

  /** Ask for a `pong`; not kept, for it says nothing later. @returns {string} */
  ping() {
    const id = this.#nextId();
    if (this.welcomed) this.outgoing.push({ t: "ping", id });
    return id;
  }

  /** A table is left: do not resume it. @param {string} table */
  forget(table) {
    this.tables.delete(table);
    this.#resuming.delete(table);
  }

  /** @returns {Message[]} what must be sent now, in order */
  takeOutgoing() {
    const taken = this.outgoing;
    this.outgoing = [];
    return taken;
  }

  /**
   * @param {any} message
   * @param {number} now by the local clock, in milliseconds
   * @returns {Output[]}
   */
  received(message, now) {
    switch (message.t) {
      case "event":
        return this.#run(message.table, [message]);
      case "events":
        return this.#run(message.table, message.events);
      case "ok":
      case "refused":
        return this.#answered(message);
      case "welcome":
        return this.#welcome(message);
      case "snapshot":
        return [this.#snapshot(message)];
      case "prompt":
      case "may":
      case "waiting":
        return this.#unsequenced(message, now);
      case "going":
        return [{ type: "going", message }];
      default:
        return [];
    }
  }

  /** @param {any} message @returns {Output} */
  #snapshot(message) {
    this.#resuming.delete(message.table);
    const table = this.tables.get(message.table) ?? new Table(message.table);
    this.tables.set(message.table, table);
    table.snapshot(message);
    return { type: "table", table, what: "snapshot" };
  }

  /** @param {any} message @param {number} now @returns {Output[]} */
  #unsequenced(message, now) {
    const table = this.tables.get(message.table);
    if (!table) return [];
    if (message.t === "prompt") table.prompted(message, now);
    if (message.t === "may") table.may = message.acts ?? [];
    if (message.t === "waiting") table.waits(message, now);
    return [{ type: "table", table, what: message.t }];
  }

  /** @param {string} id @param {any[]} items @returns {Output[]} */
  #run(id, items) {
    const table = this.tables.get(id);
    if (!table?.known) return []; // the tail of a table that was left; a new one begins with its snapshot
    /** @type {Output[]} */
    const outputs = [];
    for (const item of items) {
      if (item.seq <= table.seq) continue;
      if (item.seq > table.seq + 1) {
        this.#askAgain(table);
        break;
      }
      this.#resuming.delete(id);
      outputs.push({ type: "happened", happened: table.happened(item) });
    }
    return outputs;
  }

  /** @param {Table} table */
  #askAgain(table) {
    if (this.#resuming.has(table.id)) return;
    const id = this.#nextId();
    this.#resuming.set(table.id, id);
    this.outgoing.push({ t: "resume", id, table: table.id, seq: table.seq });
  }

  /** Ask again for a table that was too busy to answer. @param {string} id */
  retry(id) {
    const table = this.tables.get(id);
    if (table && this.welcomed) this.#askAgain(table);
  }

  /** Know a table again that was not left in an orderly way, as after a reload. @param {string} id */
  rejoin(id) {
    if (this.tables.has(id)) return;
    const table = new Table(id);
    this.tables.set(id, table);
    if (this.welcomed) this.#askAgain(table);
  }

  /** @param {any} message @returns {Output[]} */
  #answered(message) {
    for (const [table, id] of this.#resuming) {
      if (id === message.id) return this.#resumed(table, message);
    }
    if (message.id === this.#hello && message.t === "refused") return [{ type: "shut_out", refused: message }];
    const asked = this.#unanswered.get(message.id);
    if (!asked) return [];
    this.#unanswered.delete(message.id);
    if (message.t === "ok" && (asked.t === "sit" || asked.t === "watch")) {
      // Its snapshot follows; if the line breaks before, the table is resumed from the beginning.
      const id = message.table ?? asked.table;
      if (!this.tables.has(id)) this.tables.set(id, new Table(id));
    }
    return [{ type: "answer", id: message.id, message }];
  }

  /** @param {string} id @param {any} message @returns {Output[]} */
  #resumed(id, message) {
    this.#resuming.delete(id);
    const table = this.tables.get(id);
    if (message.t !== "refused" || !table) return []; // the run or the snapshot follows
    if (message.code === "bad_seq" && table.seq) {
      table.seq = 0;
      this.#askAgain(table);
      return [];
    }
    if (PASSING.has(message.code)) {
      // The table is busy, not gone: we are at it still, and ask for as long as it takes.
      return [{ type: "busy_table", table, afterMs: message.retry_after_ms ?? RETRY_MS }];
    }
    this.tables.delete(id);
    return [{ type: "lost_table", table, refused: message }];
  }

  /** @param {any} message @returns {Output[]} */
  #welcome(message) {
    this.identity = message.identity;
    this.token = message.token;
    this.name = message.name;
    this.welcomed = true;
    for (const table of this.tables.values()) this.#askAgain(table);
    this.outgoing.push(...this.#unanswered.values());
    return [{ type: "welcome", message }];
  }

  #nextId() {
    this.#count += 1;
    return `${this.#nonce}-${this.#count}`;
  }
}
