/** The snapshot that the page shows: the selected one, if it has begun; otherwise the latest. Chooses. */

import { latest, snapshotOf } from "../run/snapshot.js";

/** What a link may ask for: the checks of a snapshot. */
const CHECKS = /^#checks-(\d{1,6})$/;

/** How long the page settles before it scrolls to what the link asked for, in milliseconds. */
const SETTLE = 80;

export class Selection {
  /** @type {number | null} the selected snapshot */
  picked = null;
  /** Does the link ask for the checks of a snapshot? */
  asked = false;

  /** @param {string} hash of the link */
  constructor(hash) {
    const asked = CHECKS.exec(hash);
    if (!asked) return;
    this.asked = true;
    this.picked = Number(asked[1]);
  }

  /** The snapshot that colours the page. @param {import("../types.js").Scene} scene @returns {number | null} */
  in(scene) {
    return this.picked !== null && snapshotOf(scene, this.picked) ? this.picked : latest(scene);
  }

  /** Show and focus the checks, if the link asked for them. @param {HTMLElement} section */
  reveal(section) {
    if (!this.asked) return;
    setTimeout(() => {
      section.tabIndex = -1;
      section.focus({ preventScroll: true });
      section.scrollIntoView({ block: "nearest" });
    }, SETTLE);
  }
}
