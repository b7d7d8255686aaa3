/** The plan of the stage: where everything is. The server makes it, see app/pictures/layout/plan.py. Computes. */

import { measured } from "./paths.js";

/** @import { Plan } from "./types.js" */

/** @param {string} text JSON @returns {Plan} */
export function plan(text) {
  const read = JSON.parse(text);
  for (const track of read.tracks) {
    track.path = measured(track.path);
    track.tray = track.tray && { ...measured(track.tray), thick: track.tray.thick };
    track.lane = measured(track.lane);
  }
  return read;
}
