// @ts-check
/**
 * What the page knows and what it can do; the views are functions of it.
 *
 * @module
 */

import { Client } from "../js/oddtrick.js";
import { cueFor, titleFor } from "./cues.js";
import { logAfter } from "./log.js";
import { say, sayHappened, sayTurn } from "./say.js";
import { memory } from "./settings.js";
import { has, t } from "./words.js";

/** @typedef {import("../js/table.js").Table} Table */
/** @typedef {import("../js/table.js").Happened} Happened */
/** @typedef {import("../js/types.js").Act} Act */
/** @typedef {import("../js/client.js").Refused} Refused */
/** @typedef {import("./log.js").Line} Line */

/** @typedef {{name: string, table: string, invite?: string, hand?: number}} Route */

/**
 * What the page remembers of a table besides what it was shown.
 * @typedef {object} Desk
 * @property {Line[]} log
 * @property {string|undefined} selected a card picked up but not played
 * @property {string[]} chosen cards picked for an act on several
 * @property {string|undefined} confirm the weighty act that waits for its second, distinct input
 * @property {string|undefined} open which of the panels is open
 * @property {string} tab
 * @property {boolean} drawer
 * @property {{text: string, cites: string[], where: string}|undefined} refused
 * @property {number} armedAt by the local clock: before it no button of the prompt answers
 * @property {string} prompt the prompt last shown
 * @property {number} promptGoneAt
 * @property {number} handSeen the deal whose cards were last shown
 * @property {string[]} dealtOrder
 * @property {string[]} ownOrder as its player has arranged this hand; none if he has not
 * @property {number[]|undefined} laidOut charges whose search is shown
 * @property {number|undefined} reviewed the trick being reviewed
 * @property {number} reviewUntil
 * @property {boolean} busy an act is under way
 */

/** A button that takes another's place answers only after this. */
export const ARM_MS = 600;
const REVIEW_MS = 6000;
const LOBBY_MS = 3000;
const BUILD_META = 'meta[name="oddtrick-build"]';

/** @returns {Desk} */
const newDesk = () => ({
  log: [],
  selected: undefined,
  chosen: [],
  confirm: undefined,
  open: undefined,
  tab: "score",
  drawer: false,
  refused: undefined,
  armedAt: 0,
  prompt: "",
  promptGoneAt: 0,
  handSeen: 0,
  dealtOrder: [],
  ownOrder: [],
  laidOut: undefined,
  reviewed: undefined,
  reviewUntil: 0,
  busy: false,
});

/** @param {string} hash @returns {Route} */
export function routeOf(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first = "", table = "", second = ""] = path.split("/").map(decodeURIComponent);
  const invite = new URLSearchParams(query).get("invite") ?? undefined;
  if (first === "t" && table) return { name: "table", table, invite };
  if (first === "hand" && table) return { name: "replay", table, hand: Number(second) };
  if (["hands", "learn", "settings", "laws", "new"].includes(first)) return { name: first, table: "" };
  return { name: "home", table: "" };
}

export class App {
  constructor() {
    this.route = routeOf(location.hash);
    this.name = memory.get("name") ?? "";
    /** @type {Map<string, Desk>} */
    this.desks = new Map();
    /** @type {any[]|undefined} */
    this.lobby = undefined;
    /** @type {{text: string, cites: string[]}|undefined} */
    this.notice = undefined;
    /** @type {{code: string, number: string, gist?: string, lives?: string, why?: string, failed?: boolean}|undefined} */
    this.law = undefined;
    this.newBuild = false;
    /** @type {Map<string, Refused>} why a table of an address cannot be had */
    this.lost = new Map();
    /** @type {Record<string, any>} what later modules have brought */
    this.later = {};
    /** @type {any} what a view keeps for itself */
    this.scratch = {};
    this.build = document.querySelector(BUILD_META)?.getAttribute("content") ?? "";
    const { protocol, host } = location;
    this.client = new Client({
      url: `${protocol === "https:" ? "wss" : "ws"}://${host}/ws`,
      name: this.name || t("guest"),
      token: memory.get("token") ?? undefined,
      build: this.build,
      memory,
    });
    this.#listen();
  }

  /** @type {() => void} */
  #draw = () => {};
  #drawing = false;
  #welcomes = 0;

  /** @param {() => void} draw */
  drawWith(draw) {
    this.#draw = draw;
    this.update();
  }

  /** Draw before the next frame; a page nobody looks at has no frames. */
  update() {
    if (this.#drawing) return;
    this.#drawing = true;
    const draw = () => {
      this.#drawing = false;
      this.#draw();
    };
    if (document.hidden) setTimeout(draw);
    else requestAnimationFrame(draw);
  }

  /** @returns {Table|undefined} the table the page is at */
  get table() {
    const table = this.route.name === "table" ? this.client.tables.get(this.route.table) : undefined;
    return table?.known ? table : undefined;
  }

  /** @param {string} table */
  desk(table) {
    let desk = this.desks.get(table);
    if (!desk) {
      desk = newDesk();
      desk.log = recalled("log", table);
      desk.dealtOrder = recalled("dealt", table);
      desk.ownOrder = recalled("own", table);
      this.desks.set(table, desk);
    }
    return desk;
  }

  /** One's cards lie in this order until the next deal. @param {string} table @param {string[]} cards */
  arrange(table, cards) {
    this.desk(table).ownOrder = cards;
    remember("own", table, cards);
    this.update();
  }

  // --- going about ---

  /** @param {string} hash */
  go(hash) {
    if (location.hash === hash) this.arrived();
    else location.hash = hash;
  }

  arrived() {
    this.route = routeOf(location.hash);
    this.notice = undefined;
    this.law = undefined;
    if (this.route.name === "table") {
      this.lost.delete(this.route.table);
      if (!this.client.tables.has(this.route.table)) this.client.rejoin(this.route.table);
    }
    this.refreshLobby();
    this.update();
    document.querySelector("main")?.focus({ preventScroll: true });
  }

  refreshLobby() {
    clearTimeout(this.#lobbyTimer);
    const joining = this.route.name === "table" && !this.table;
    if (this.route.name !== "home" && !joining) return;
    this.#lobbyTimer = setTimeout(() => this.refreshLobby(), LOBBY_MS);
    if (!this.client.isOnline || document.hidden) return;
    void this.client
      .request("tables")
      .then(({ tables = [] }) => {
        this.lobby = tables;
        this.update();
      })
      .catch(() => {});
  }

  #lobbyTimer = /** @type {any} */ (undefined);

  /** Take that name, here and from now on. @param {string} name */
  async callMe(name) {
    const wished = name.trim();
    if (!wished) throw new Error(t("home.name.missing"));
    memory.set("name", wished);
    if (wished === this.name && this.client.session.name === wished) return;
    this.name = wished;
    await this.client.rename(wished);
  }

  /**
   * Ask the server for something that is not an act; a refusal is shown.
   * @param {string} type
   * @param {object} [fields]
   * @returns {Promise<any>} undefined if it was refused
   */
  async ask(type, fields) {
    this.notice = undefined;
    try {
      return await this.client.request(type, fields);
    } catch (error) {
      this.notice = refusalWords(/** @type {Refused} */ (error));
      say(this.notice.text, true);
      return undefined;
    } finally {
      this.update();
    }
  }

  /**
   * Do an act of the laws at the table. `where` is where a refusal is to be shown.
   * @param {Act} act
   * @param {{prompt?: string, where?: string}} [how]
   * @returns {Promise<boolean>} whether the laws took it
   */
  async act(act, { prompt, where = "acts" } = {}) {
    const { table } = this;
    if (!table) return false;
    const desk = this.desk(table.id);
    if (desk.busy) return false;
    desk.refused = undefined;
    desk.confirm = undefined;
    desk.busy = true;
    this.update();
    try {
      await this.client.act(table.id, act, prompt);
      desk.selected = undefined;
      desk.chosen = [];
      return true;
    } catch (error) {
      const words = refusalWords(/** @type {Refused} */ (error));
      desk.refused = { ...words, where };
      say(words.text, true);
      return false;
    } finally {
      desk.busy = false;
      this.update();
    }
  }

  /** @param {string} code @param {string} number */
  async readLaw(code, number) {
    this.law = { code, number };
    this.update();
    try {
      const { law } = await this.client.request("law", { code, number });
      if (this.law?.number === number) this.law = law;
    } catch {
      if (this.law?.number === number) this.law = { code, number, failed: true };
    }
    this.update();
  }

  // --- hearing ---

  #listen() {
    const { client } = this;
    client.on("welcome", (message) => this.#welcome(message));
    client.on("happened", (happened) => this.#happened(happened));
    client.on("table", ({ table, what }) => this.#told(table, what));
    client.on("lost_table", ({ table, refused }) => {
      this.lost.set(table.id, refused);
      this.refreshLobby();
      this.update();
    });
    client.on("shut_out", (refused) => {
      if (refused.code === "bad_token") this.#newIdentity();
      else this.notice = refusalWords(refused);
      this.update();
    });
    for (const type of ["online", "offline", "silence", "stopped"]) client.on(type, () => this.update());
  }

  /** Our token is no longer good: begin as somebody new rather than not at all. */
  #newIdentity() {
    memory.set("token", null);
    this.client.session.token = undefined;
    this.notice = { text: t("token.gone"), cites: [] };
    setTimeout(() => this.client.start());
  }

  /** @param {any} message */
  #welcome(message) {
    memory.set("token", message.token);
    this.#welcomes += 1;
    if (this.#welcomes > 1) void this.#askBuild();
    if (this.route.name === "table" && !this.client.tables.has(this.route.table)) this.client.rejoin(this.route.table);
    this.refreshLobby();
    this.update();
  }

  async #askBuild() {
    try {
      const { build } = await (await fetch("/build", { cache: "no-store" })).json();
      this.newBuild = Boolean(this.build) && build !== this.build;
      this.update();
    } catch {
      // The next connection asks again.
    }
  }

  /** @param {Happened} happened */
  #happened(happened) {
    const { table, fact } = happened;
    const desk = this.desk(table.id);
    desk.log = logAfter(desk.log, happened);
    remember("log", table.id, desk.log);
    if (fact.t === "hand_dealt") {
      desk.dealtOrder = table.seat ? fact.hands["NESW".indexOf(table.seat)] : [];
      remember("dealt", table.id, desk.dealtOrder);
      this.arrange(table.id, []);
      desk.laidOut = undefined;
      desk.reviewed = undefined;
      desk.open = undefined;
    }
    if (fact.t === "searched") desk.laidOut = (table.view?.hand?.charges ?? []).map((one) => one.number);
    if (fact.t === "reviewed") {
      desk.reviewed = fact.trick;
      desk.reviewUntil = Date.now() + REVIEW_MS;
      setTimeout(() => this.update(), REVIEW_MS + 50);
    }
    if (["card_played", "trick_completed", "card_withdrawn", "hand_ended"].includes(fact.t)) desk.refused = undefined;
    if (table === this.table) {
      sayHappened(happened);
      cueFor(happened);
    }
    this.update();
  }

  /** @param {Table} table @param {string} what */
  #told(table, what) {
    const desk = this.desk(table.id);
    if (what === "snapshot") {
      this.lost.delete(table.id);
      desk.log = desk.log.filter((line) => line.seq <= table.seq);
    }
    if (what === "prompt") this.#prompted(table, desk);
    titleFor(this.table);
    this.update();
  }

  /** A prompt that takes the place of another, or comes right after it, is not answered by a tap meant for that one. @param {Table} table @param {Desk} desk */
  #prompted(table, desk) {
    const now = Date.now();
    const prompt = table.prompt?.prompt ?? "";
    if (prompt === desk.prompt) return;
    if (!prompt) desk.promptGoneAt = now;
    const replaced = Boolean(desk.prompt) || now - desk.promptGoneAt < ARM_MS;
    desk.armedAt = replaced ? now + ARM_MS : now;
    if (prompt) setTimeout(() => this.update(), ARM_MS + 20);
    desk.prompt = prompt;
    desk.selected = undefined;
    desk.confirm = undefined;
    if (prompt && table === this.table) sayTurn(table);
  }
}

/** @param {Refused} refused @returns {{text: string, cites: string[]}} */
export function refusalWords(refused) {
  const { code, text, cites = [] } = refused;
  const known = code && has(`refused.${code}`);
  return { text: known ? t(`refused.${code}`) : text || t("refused.unknown", { code: code ?? String(refused) }), cites };
}

// What was seen of a table outlives a reload, for as long as the tab does.

/** @param {"log"|"dealt"|"own"} what @param {string} table @returns {any[]} */
function recalled(what, table) {
  try {
    return JSON.parse(sessionStorage.getItem(`oddtrick.${what}.${table}`) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {"log"|"dealt"|"own"} what @param {string} table @param {any[]} things */
function remember(what, table, things) {
  try {
    sessionStorage.setItem(`oddtrick.${what}.${table}`, JSON.stringify(things.slice(-120)));
  } catch {
    // It lasts as long as the page.
  }
}
