/**
 * A run that is the answer to a question: it plays to a step, circles there what decides, and tells the page around it.
 * Wires.
 */

import { circles } from "../circles.js";
import { data } from "../page.js";

/** @import { Player } from "../player.js" */

/** How fast it plays, by how many steps there are. */
const PACES = [
  [2, 1],
  [6, 2],
  [Infinity, 4],
];

/**
 * @param {HTMLElement} page with `data-to`, if the run is an answer @param {HTMLElement} host of the picture
 * @param {Player} player @param {() => boolean} still is motion not wanted?
 */
export function goal(page, host, player, still) {
  if (page.dataset.to === undefined) return null;
  const to = Number(page.dataset.to);
  const rings = circles(host, data(page, "circle").split(" ").filter(Boolean));
  let begun = false;
  const tell = (/** @type {string} */ bluecut) => parent.postMessage({ bluecut }, location.origin);
  return {
    /** The stage is drawn: play. */
    begin() {
      begun = true;
      tell("ready");
      const steps = to - player.cursor;
      if (steps <= 0 || still()) player.seek(to);
      else {
        player.pace(PACES.find(([most]) => steps <= most)?.[1] ?? 1);
        player.play();
      }
      if (player.cursor === to) this.at(to);
    },
    /** Step `k` is at rest. @param {number} k */
    at(k) {
      if (!begun) return;
      if (k !== to) return rings.hide();
      player.pause();
      rings.show();
      tell("shown");
    },
  };
}
