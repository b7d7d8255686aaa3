/** The snapshot that the page shows: the selected one, if it has begun; otherwise the one that the step is about. Chooses. */

import { first } from "../page.js";
import { current, snapshotOf } from "../run/snapshot.js";

/** What a link may ask for: the checks of a snapshot, or the promises. */
const CHECKS = /^#checks-(\d{1,6})$/;
const PROMISES = "#switches-title";

/** How long the page settles before it scrolls to what the link asked for, in milliseconds. */
const SETTLE = 80;

export class Selection {
  /** @type {number | null} the selected snapshot */
  picked = null;
  /** @type {"checks" | "switches" | null} the panel that the link asks for */
  panel = null;

  /** @param {string} hash of the link */
  constructor(hash) {
    if (hash === PROMISES) this.panel = "switches";
    const asked = CHECKS.exec(hash);
    if (!asked) return;
    this.panel = "checks";
    this.picked = Number(asked[1]);
  }

  /** The snapshot that colours the page. @param {import("../types.js").Scene} scene @returns {number | null} */
  in(scene) {
    return this.picked !== null && snapshotOf(scene, this.picked) ? this.picked : current(scene);
  }

  /** Show and focus the panel that the link asked for. What the promises say comes later, below their heading. */
  reveal() {
    const { panel } = this;
    if (!panel) return;
    const section = first(document, `[data-panel="${panel}"]`);
    setTimeout(() => {
      section.tabIndex = -1;
      section.focus({ preventScroll: true });
      section.scrollIntoView({ block: panel === "checks" ? "nearest" : "start" });
    }, SETTLE);
  }
}
