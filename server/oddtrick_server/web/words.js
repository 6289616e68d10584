// @ts-check
/**
 * The words of the page, from one catalogue for each language. Nothing else in the page speaks.
 *
 * A text may hold `{names}` to be filled in, and alternatives by number as `{count|one|several}`.
 *
 * @module
 */

import { EN } from "./en.js";

/** @typedef {Record<string, string>} Catalogue */

/** The languages there are; `xx` is English made strange, by which a test finds words that are in no catalogue. */
export const LANGUAGES = { en: "English", de: "Deutsch", xx: "[ƤȘḗŭḋǿ]" };

/** @type {Catalogue} */
let catalogue = EN;
let language = "en";

export const currentLanguage = () => language;

/** @param {string} text */
function strange(text) {
  const letters = /** @type {Record<string, string>} */ ({ a: "á", e: "ë", i: "ï", o: "ø", u: "ü", n: "ñ", s: "š", A: "Å", E: "Ë", T: "Ŧ" });
  const parts = text.split(/(\{[^}]*\})/);
  const made = parts.map((part) => (part.startsWith("{") ? part : part.replace(/[aeiounsAET]/g, (one) => letters[one])));
  return `⟦${made.join("")}⟧`;
}

/** @param {string|undefined} wished @returns {Promise<void>} once the language is there */
export async function speak(wished) {
  const known = wished && wished in LANGUAGES ? wished : undefined;
  language = known ?? (navigator.language.startsWith("de") ? "de" : "en");
  if (language === "de") catalogue = (await import("./later/de.js")).DE;
  else if (language === "xx") catalogue = Object.fromEntries(Object.entries(EN).map(([key, text]) => [key, strange(text)]));
  else catalogue = EN;
  document.documentElement.lang = language === "xx" ? "en" : language;
}

/**
 * @param {string} key
 * @param {Record<string, any>} [values]
 */
export function t(key, values = {}) {
  const text = catalogue[key] ?? EN[key];
  if (text === undefined) return key.split(".").pop() ?? key; // something newer than this page
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, several) => {
    const value = values[name];
    if (one === undefined) return String(value ?? "");
    return (Number(value) === 1 ? one : several).replace("#", String(value));
  });
}

/** @param {string} key */
export const has = (key) => key in EN;

/** @param {string} key @param {string} otherwise */
export const tOr = (key, otherwise) => (has(key) ? t(key) : otherwise);
