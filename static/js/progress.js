/** Which challenges are solved, and in how many steps (0: rightly declared impossible). Stored in this browser only. */

import { keepValue, valueOf } from "./storage.js";

const NAME = "bluecut.challenges";

/** @returns {Object<string, number>} by challenge, the fewest steps */
export function progress() {
  const kept = valueOf(NAME);
  return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
}

/** @param {string} ref @param {number} steps */
export function done(ref, steps) {
  const kept = progress();
  if (typeof kept[ref] === "number" && kept[ref] <= steps) return;
  keepValue(NAME, { ...kept, [ref]: steps });
}
