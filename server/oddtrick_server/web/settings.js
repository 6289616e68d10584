// @ts-check
/**
 * What a person has chosen for this browser; kept in it, and told to nobody.
 *
 * @module
 */

const PREFIX = "oddtrick.";

/** Reading and writing may be forbidden (a private window): then what is chosen lasts as long as the page. */
const kept = new Map();

/** @type {{get(key: string): string|null, set(key: string, value: string|null): void}} */
export const memory = {
  get(key) {
    try {
      return localStorage.getItem(PREFIX + key) ?? kept.get(key) ?? null;
    } catch {
      return kept.get(key) ?? null;
    }
  },
  set(key, value) {
    if (value === null) kept.delete(key);
    else kept.set(key, value);
    try {
      if (value === null) localStorage.removeItem(PREFIX + key);
      else localStorage.setItem(PREFIX + key, value);
    } catch {
      // It lasts as long as the page.
    }
  },
};

/**
 * @typedef {object} Settings
 * @property {string} language "" for the browser's own
 * @property {"auto"|"light"|"dark"} look
 * @property {"auto"|"four"|"two"} deck
 * @property {"suits"|"trumps"|"dealt"|"own"} sort
 * @property {"up"|"down"} order
 * @property {boolean} two_taps
 * @property {boolean} marks show at a guided table which cards keep the law
 * @property {boolean} sound
 * @property {boolean} title
 * @property {boolean} buzz
 * @property {boolean} notify
 * @property {boolean} calm less movement
 * @property {boolean} aloud say every card in the live region
 */

/** @type {Settings} */
const DEFAULTS = {
  language: "",
  look: "auto",
  deck: "four",
  sort: "suits",
  order: "down",
  two_taps: false,
  marks: false,
  sound: true,
  title: true,
  buzz: true,
  notify: false,
  calm: false,
  aloud: true,
};

/** @returns {Settings} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(memory.get("settings") ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = read();

/** @template {keyof Settings} K @param {K} name @param {Settings[K]} value */
export function choose(name, value) {
  settings[name] = value;
  memory.set("settings", JSON.stringify(settings));
  dress();
}

/** Let the style sheets know. */
export function dress() {
  const root = document.documentElement;
  root.dataset.look = settings.look;
  root.dataset.deck = settings.deck;
  root.classList.toggle("calm", settings.calm);
}
