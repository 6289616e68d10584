// @ts-check
/**
 * That it is one's turn, in ways that can each be turned off: the title, a sound unlike the others, a buzz, a notification.
 *
 * @module
 */

import { settings } from "./settings.js";
import { t } from "./words.js";

/** @typedef {import("../js/table.js").Table} Table */
/** @typedef {import("../js/table.js").Happened} Happened */

/** @type {AudioContext|undefined} */
let audio;
let shown = "";

/** Sounds need a first touch of the page. */
export function allowSound() {
  if (!settings.sound || audio) return;
  try {
    audio = new AudioContext();
  } catch {
    audio = undefined;
  }
}

/** @param {[number, number][]} notes frequency in hertz, beginning in seconds @param {number} loud */
function play(notes, loud) {
  if (!settings.sound || audio?.state !== "running") return;
  for (const [pitch, at] of notes) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    const from = audio.currentTime + at;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(loud, from + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + 0.22);
    tone.connect(gain).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.25);
  }
}

/** @param {Happened} happened */
export function cueFor({ fact }) {
  if (fact.t === "card_played") play([[180, 0]], 0.05);
  if (fact.t === "trick_quitted") play([[120, 0]], 0.05);
  if (fact.t === "revoke_proved" || fact.t === "revoke_charged") play([[330, 0], [262, 0.12]], 0.08);
}

/** Somebody who is waited for has not much time left. */
export function nudge() {
  play([[784, 0], [784, 0.18]], 0.1);
  buzz();
}

function buzz() {
  if (settings.buzz && navigator.vibrate && /** @type {any} */ (navigator).userActivation?.hasBeenActive) navigator.vibrate(60);
}

/** @param {Table|undefined} table */
export function titleFor(table) {
  const prompt = table?.prompt;
  const base = t("title");
  const wanted = prompt && settings.title ? `${t(`title.${prompt.kind === "turn" ? "turn" : "asked"}`)} · ${base}` : base;
  if (document.title !== wanted) document.title = wanted;
  const id = prompt?.prompt ?? "";
  if (id === shown) return;
  shown = id;
  if (!prompt || prompt.kind === "claims") return;
  play([[523, 0], [659, 0.1], [784, 0.2]], 0.1);
  buzz();
  if (settings.notify && document.hidden && "Notification" in window && Notification.permission === "granted") {
    try {
      new Notification(t("title.turn"), { tag: "oddtrick-turn", silent: true });
    } catch {
      // Some browsers let only workers notify.
    }
  }
}
