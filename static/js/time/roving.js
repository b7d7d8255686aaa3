/** The keyboard: Tab reaches one event at a time; the arrow keys move between events, and after the last one to the
 * phases. */

import { all } from "../page.js";
import { put } from "./nodes.js";

/** In a run of at most so many steps, events can be reached with the keyboard. */
export const FEW = 60;

/** The name of a stop. @param {DOMStringMap} data */
const nameOf = ({ phase, step }) => (phase ? `phase ${step}` : step);

export class Roving {
  /** @type {string | undefined} */
  #focused;

  /** @param {SVGElement} svg @param {(step: number) => void} onJump */
  constructor(svg, onJump) {
    this.svg = svg;
    svg.addEventListener(
      "focusin",
      ({ target }) => (this.#focused = nameOf(/** @type {SVGElement} */ (target).dataset)),
    );
    svg.addEventListener("keydown", (event) => this.#press(event, onJump));
  }

  /** All that can have the focus, in order. */
  #stops() {
    const shown = all(this.svg, "[tabindex]", SVGElement).filter((each) => each.getAttribute("display") !== "none");
    const order = (/** @type {SVGElement} */ { dataset }) => [dataset.phase ? 1 : 0, Number(dataset.step)];
    return shown.sort((a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1]);
  }

  /** Is the focus in the diagram? */
  get held() {
    return this.svg.contains(document.activeElement);
  }

  /** Let Tab reach one stop. @param {boolean} [held] had the diagram the focus? What had it may be gone: it stays here. */
  settle(held = false) {
    const stops = this.#stops();
    const focused = stops.find(({ dataset }) => nameOf(dataset) === this.#focused);
    const current = focused ?? stops.findLast(({ dataset }) => !dataset.phase) ?? stops.at(-1);
    for (const each of stops) put(each, { tabindex: each === current ? 0 : -1 });
    const active = stops.find((each) => each === document.activeElement);
    if (!held || (active && nameOf(active.dataset) === this.#focused)) return;
    if (!current) put(this.svg, { tabindex: -1 }); // nothing has happened yet
    (current ?? this.svg).focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event @param {(step: number) => void} onJump */
  #press(event, onJump) {
    const stops = this.#stops();
    const at = stops.findIndex((each) => each === event.target);
    if (at < 0) return;
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (by) {
      const next = stops[Math.max(0, Math.min(stops.length - 1, at + by))];
      this.#focused = nameOf(next.dataset);
      this.settle();
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") onJump(Number(stops[at].dataset.step));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
