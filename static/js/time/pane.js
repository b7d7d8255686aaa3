/** The window onto a run that is longer than the page: it follows "now" until it is moved by hand. Computes. */

import { mix } from "./scale.js";

/** @import { Scale } from "./scale.js" */

/** The place of "now" in the window, as a fraction of its width. */
const KEPT = 0.7;

export class Pane {
  /** The left edge, in px of the world. */
  origin = 0;
  follows = true;

  /**
   * Keep "now", or the straight cut, in view.
   * @param {Scale} scale
   * @param {number} t now, in steps @param {number} steps how many there will be
   * @param {import("./view.js").Straightness} straight
   */
  keep({ unit, room }, t, steps, { part, order, head }) {
    const most = Math.max(0, (steps + 1) * unit - room);
    if (this.follows) this.origin = t * unit - room * KEPT;
    if (part && order) this.origin = mix(this.origin, (head ?? order.cut) * unit - room * 0.5, part);
    this.origin = Math.max(0, Math.min(most, this.origin));
  }

  /** @param {number} to */
  scroll(to) {
    this.origin = to;
    this.follows = false;
  }

  /** "Now" may be outside a window that was moved by hand; the next step brings it back.
   * @param {Scale} scale @param {number} t */
  bringBack({ unit, room }, t) {
    this.follows ||= t * unit < this.origin || t * unit > this.origin + room;
  }
}
