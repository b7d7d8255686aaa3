/** Which challenges are solved, and in how many steps (0: rightly declared impossible). Stored in this browser only. */

const NAME = "bluecut.challenges";

/** @returns {Object<string, number>} by challenge, the fewest steps */
export function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "{}");
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** @param {string} ref @param {number} steps */
export function done(ref, steps) {
  const kept = progress();
  if (typeof kept[ref] === "number" && kept[ref] <= steps) return;
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...kept, [ref]: steps }));
  } catch {
    // Without storage it is forgotten.
  }
}
