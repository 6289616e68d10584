// @ts-check
/**
 * The page's own elements: a card, and a limit that runs. Each draws itself when what it shows has changed.
 *
 * @module
 */

import { rendererIn } from "./dom.js";
import { back, face } from "./shapes.js";
import { t } from "./words.js";

/** `<ot-card face="SA">`; without a face, its back. */
class CardElement extends HTMLElement {
  static observedAttributes = ["face"];

  #show = rendererIn(this);

  connectedCallback() {
    this.#draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#draw();
  }

  #draw() {
    const card = this.getAttribute("face");
    this.#show(card ? face(card) : back());
  }
}

const TICK_MS = 200;
/** @type {Set<ClockElement>} */
const running = new Set();
let ticking = /** @type {any} */ (undefined);

function tick() {
  for (const clock of running) clock.tick();
  if (!running.size) {
    clearInterval(ticking);
    ticking = undefined;
  }
}

/** `<ot-clock until="1700000000000" limit="45000">`: what is left, as a bar and in seconds; it says `hurry` when that is little. */
class ClockElement extends HTMLElement {
  static observedAttributes = ["until", "limit", "kind"];

  connectedCallback() {
    this.setAttribute("aria-hidden", "true");
    running.add(this);
    ticking ??= setInterval(tick, TICK_MS);
    this.tick();
  }

  disconnectedCallback() {
    running.delete(this);
  }

  attributeChangedCallback() {
    if (this.isConnected) this.tick();
  }

  tick() {
    const left = Math.max(0, Number(this.getAttribute("until")) - Date.now());
    const limit = Number(this.getAttribute("limit")) || 1;
    this.style.setProperty("--left", Math.min(1, left / limit).toFixed(3));
    const seconds = Math.ceil(left / 1000);
    const text = seconds > 90 ? t("clock.minutes", { minutes: Math.ceil(seconds / 60) }) : t("clock.seconds", { seconds });
    if (this.textContent !== text) this.textContent = text;
    const hurry = left < Math.min(10_000, limit / 3);
    if (this.classList.contains("hurry") === hurry) return;
    this.classList.toggle("hurry", hurry);
    if (hurry && seconds) this.dispatchEvent(new CustomEvent("hurry", { detail: seconds }));
  }
}

customElements.define("ot-card", CardElement);
customElements.define("ot-clock", ClockElement);
