// @ts-check
/**
 * The shell around a session: it connects, flushes, watches the line, and connects again for ever.
 *
 *     const client = new Client({ url: "wss://example.org/ws", name: "Ada" });
 *     client.on("happened", ({ fact, table }) => console.log(table.id, fact.t));
 *     client.start();
 *     const { table } = await client.request("sit", { table: "any" });
 *
 * Everything it emits: `welcome`, `online`, `offline`, `silence` (true: nothing has come for a while), `stopped` (it will
 * not connect again by itself), `happened`, `table`, `lost_table`, `going`, `shut_out`.
 *
 * @module
 */

import { Dealer } from "./dealer.js";
import { SUBPROTOCOL, Session } from "./session.js";

/** @typedef {import("./types.js").Act} Act */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./session.js").Output} Output */

/** What the server would not do: `code` as in PROTOCOL.md, section 10, `cites` the laws it rests on. */
export class Refused extends Error {
  /** @param {any} message */
  constructor({ code, text = "", cites = [], law, retry_after_ms }) {
    super(text || code);
    this.name = "Refused";
    this.code = code;
    this.text = text;
    /** @type {string[]} */
    this.cites = cites.length || !law ? cites : [law];
    this.retry_after_ms = retry_after_ms;
  }
}

/** What to do after each close code (PROTOCOL.md, section 11): anything else is `later`. @type {Record<number, "resume"|"later"|"stop">} */
const AFTER_CLOSE = {
  1000: "stop",
  1001: "resume",
  1005: "resume",
  1006: "resume",
  1008: "later",
  1009: "stop",
  1011: "resume",
  1012: "resume",
  1013: "later",
  4400: "stop",
  4401: "stop",
  4403: "stop",
  4404: "stop",
  4408: "resume",
  4409: "stop",
  4426: "stop",
  4429: "later",
};

const RETRIES = new Set(["resume", "later", "stop"]);

/** @param {number} code */
export const afterClose = (code) => AFTER_CLOSE[code] ?? "later";

/**
 * How a client goes about it, in milliseconds; the defaults suit a page.
 * @typedef {object} Options
 * @property {string} url
 * @property {string} name
 * @property {string} [token]
 * @property {string} [build]
 * @property {typeof WebSocket} [WebSocket]
 * @property {() => number} [now]
 * @property {() => number} [random] 0 to 1
 * @property {{get(key: string): string|null, set(key: string, value: string|null): void}} [memory] outlives a reload
 * @property {boolean} [entropy] add our own chance to every deal (on by default)
 * @property {number} [pingEvery]
 * @property {number} [silentAfter] the line counts as silent when a ping is unanswered for so long
 * @property {number} [deadAfter] and as dead after so long
 * @property {number} [retryFirst]
 * @property {number} [retryMost]
 */

/** @type {Required<Pick<Options, "pingEvery"|"silentAfter"|"deadAfter"|"retryFirst"|"retryMost">>} */
const TIMES = { pingEvery: 1200, silentAfter: 1500, deadAfter: 5000, retryFirst: 200, retryMost: 2000 };
const OVERLOADED_FACTOR = 10;

export class Client {
  /** @param {Options} options */
  constructor(options) {
    this.#options = { ...TIMES, entropy: true, ...options };
    this.#now = options.now ?? (() => Date.now());
    this.#random = options.random ?? Math.random;
    const nonce = Math.floor(this.#random() * 2 ** 48).toString(36) + this.#now().toString(36);
    this.session = new Session({ name: options.name, nonce, token: options.token, build: options.build });
    this.#dealer = this.#options.entropy ? new Dealer(options.memory) : undefined;
    this.isOnline = false;
    this.isSilent = false;
    /** Why it will not connect again by itself; undefined while it does. @type {{code: number, reason: string}|undefined} */
    this.stopped = { code: 0, reason: "" };
  }

  #options;
  #now;
  #random;
  #dealer;
  /** @type {WebSocket|undefined} */
  #socket;
  /** @type {Map<string, {resolve: (ok: any) => void, reject: (error: Error) => void}>} */
  #asking = new Map();
  /** @type {Map<string, Set<(detail: any) => void>>} */
  #listeners = new Map();
  #attempt = 0;
  #retryTimer = /** @type {any} */ (undefined);
  #pingTimer = /** @type {any} */ (undefined);
  #pingSentAt = 0;
  #heardAt = 0;
  /** What the server said before it closed. @type {import("./types.js").Message|undefined} */
  #going;

  /** @returns {Map<string, Table>} */
  get tables() {
    return this.session.tables;
  }

  /**
   * @param {string} type
   * @param {(detail: any) => void} listener
   * @returns {() => void} takes the listener away again
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** @param {string} type @param {any} [detail] */
  #emit(type, detail) {
    for (const listener of this.#listeners.get(type) ?? []) listener(detail);
  }

  /** Connect, and stay connected. */
  start() {
    this.stopped = undefined;
    this.#attempt = 0;
    this.#pingTimer ??= setInterval(() => this.#tick(), this.#options.pingEvery / 2);
    this.#dial();
  }

  /** Say goodbye for good. */
  stop() {
    this.#end({ code: 1000, reason: "goodbye" });
    this.#drop(1000);
  }

  /** The network is back, or the page is looked at again: do not wait for the next attempt. */
  hurry() {
    if (this.stopped) return;
    if (!this.#socket) {
      this.#attempt = 0;
      this.#dial();
    } else if (this.session.welcomed) {
      this.#ping();
    }
  }

  /** The network is known to be gone. */
  cut() {
    if (this.stopped || !this.#socket) return;
    this.#setSilent(true);
    this.#drop();
    this.#lost(1006, "the network is gone");
  }

  /**
   * Send a message and wait for its answer, through any number of lost connections.
   * @param {string} t
   * @param {object} [fields]
   * @returns {Promise<any>} the `ok`; rejected with `Refused`
   */
  request(t, fields) {
    return new Promise((resolve, reject) => {
      const id = this.session.send(t, fields);
      this.#asking.set(id, { resolve, reject });
      this.#flush();
    });
  }

  /**
   * Do an act of the laws. An answer to a prompt names it.
   * @param {string} table
   * @param {Act} act
   * @param {string} [prompt]
   */
  act(table, act, prompt) {
    return this.request("act", prompt ? { table, act, prompt } : { table, act });
  }

  /** Take a table up again after a reload: its snapshot follows. @param {string} table */
  rejoin(table) {
    this.session.rejoin(table);
    this.#flush();
  }

  /**
   * Be called that from now on: the line is dialled anew, and says so.
   * @param {string} name
   * @returns {Promise<void>} once the server has said welcome, or has not
   */
  rename(name) {
    this.session.name = name;
    this.#drop(1000);
    this.session.lost();
    this.isOnline = false;
    const welcomed = new Promise((resolve, reject) => {
      const offs = [
        this.on("welcome", () => settle(resolve, undefined)),
        this.on("shut_out", (refused) => settle(reject, refused)),
        this.on("stopped", ({ reason }) => settle(reject, new Error(reason))),
      ];
      /** @param {(value: any) => void} how @param {any} value */
      const settle = (how, value) => {
        offs.forEach((off) => off());
        how(value);
      };
    });
    this.start();
    return /** @type {Promise<void>} */ (welcomed);
  }

  /** Leave a table. @param {string} table */
  async leave(table) {
    try {
      await this.request("leave", { table });
    } finally {
      this.session.forget(table);
    }
  }

  // --- the line ---

  #dial() {
    clearTimeout(this.#retryTimer);
    if (this.stopped || this.#socket) return;
    const Socket = this.#options.WebSocket ?? WebSocket;
    /** @type {WebSocket} */
    let socket;
    try {
      socket = new Socket(this.#options.url, SUBPROTOCOL);
    } catch {
      this.#again(1);
      return;
    }
    this.#socket = socket;
    this.#pingSentAt = this.#now();
    this.#heardAt = 0;
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#heardAt = this.#now();
      this.#pingSentAt = this.#now();
      this.session.opened();
      this.#flush();
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#received(data);
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#lost(code, reason);
    };
  }

  /** @param {string} data */
  #received(data) {
    this.#heardAt = this.#now();
    this.#setSilent(false);
    for (const output of this.session.received(JSON.parse(data), this.#heardAt)) this.#put(output);
    this.#flush();
  }

  /** @param {Output} output */
  #put(output) {
    switch (output.type) {
      case "welcome":
        this.#attempt = 0;
        this.#going = undefined;
        this.isOnline = true;
        this.#emit("welcome", output.message);
        this.#emit("online");
        break;
      case "answer": {
        const asking = this.#asking.get(output.id);
        this.#asking.delete(output.id);
        if (output.message.t === "refused") asking?.reject(new Refused(output.message));
        else asking?.resolve(output.message);
        break;
      }
      case "happened":
        this.#dealer?.happened(output.happened, this);
        this.#emit("happened", output.happened);
        break;
      case "table":
        if (output.what === "snapshot") this.#dealer?.resynced(output.table, this);
        this.#emit("table", output);
        break;
      case "busy_table":
        setTimeout(() => {
          this.session.retry(output.table.id);
          this.#flush();
        }, output.afterMs);
        break;
      case "lost_table":
        this.#emit("lost_table", { table: output.table, refused: new Refused(output.refused) });
        break;
      case "shut_out":
        this.#emit("shut_out", new Refused(output.refused));
        break;
      case "going":
        this.#going = output.message;
        this.#emit("going", output.message);
        break;
    }
  }

  #flush() {
    const socket = this.#socket;
    if (!socket || socket.readyState !== 1) return;
    for (const message of this.session.takeOutgoing()) socket.send(JSON.stringify(message));
  }

  /** @param {number} code @param {string} reason */
  #lost(code, reason) {
    this.#socket = undefined;
    this.session.lost();
    if (this.isOnline) {
      this.isOnline = false;
      this.#emit("offline");
    }
    if (this.stopped) return;
    const going = this.#going;
    this.#going = undefined;
    const then = RETRIES.has(going?.retry) ? going?.retry : afterClose(code);
    if (then === "stop") this.#end({ code, reason });
    else this.#again(then === "later" ? OVERLOADED_FACTOR : 1, going?.after_ms);
  }

  /**
   * Dial again after a pause that grows, with chance in it so that not all come at once.
   * @param {number} factor
   * @param {number} [least] what the server asked for on top, in milliseconds
   */
  #again(factor, least = 0) {
    const { retryFirst, retryMost } = this.#options;
    const most = Math.min(retryMost, retryFirst * 2 ** Math.min(this.#attempt, 10)) * factor;
    this.#attempt += 1;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#dial(), least + most * (0.5 + this.#random() / 2));
  }

  /** @param {{code: number, reason: string}} why */
  #end(why) {
    this.stopped = why;
    clearTimeout(this.#retryTimer);
    clearInterval(this.#pingTimer);
    this.#pingTimer = undefined;
    this.#emit("stopped", why);
  }

  /** @param {number} [code] */
  #drop(code) {
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    try {
      socket.close(code);
    } catch {
      // It was never open.
    }
  }

  // --- silence ---

  #ping() {
    if (this.#pingSentAt > this.#heardAt) return; // one is under way
    this.#pingSentAt = this.#now();
    this.session.ping();
    this.#flush();
  }

  #tick() {
    if (!this.#socket) return;
    const now = this.#now();
    const waiting = this.#pingSentAt > this.#heardAt ? now - this.#pingSentAt : 0;
    if (waiting >= this.#options.deadAfter) {
      this.#drop();
      this.#lost(1006, "silence");
    } else if (waiting >= this.#options.silentAfter) {
      this.#setSilent(true);
    } else if (this.session.welcomed && !waiting && now - this.#heardAt >= this.#options.pingEvery) {
      this.#ping();
    }
  }

  /** @param {boolean} silent */
  #setSilent(silent) {
    if (this.isSilent === silent) return;
    this.isSilent = silent;
    this.#emit("silence", silent);
  }
}
