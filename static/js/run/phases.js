/** The phases of a snapshot in words, as in app/wire/phase_words.py. Computes; never draws. */

/** @typedef {[name: string, first: number, last: number, end: "ends"|"open"|"aborted"]} Phase steps from 1 */

/**
 * A phase and its steps, as far as they are known at `step`.
 * @param {(key: string, fields?: object) => string} word
 * @param {Phase} phase
 * @param {number} step
 */
export function span(word, [name, first, last, end], step) {
  const phase = word(`phase.${name}`);
  if (step < last) return word("phase.since", { phase, first });
  if (end !== "ends") return word(`phase.${end}`, { phase, first, last });
  return word(first === last ? "phase.step" : "phase.steps", { phase, first, last });
}

/**
 * The phase of a snapshot in a step, or null.
 * @param {Phase[]} phases
 * @param {number} step
 */
export function phaseAt(phases, step) {
  return phases.find(([, first, last]) => first <= step && step <= last) ?? null;
}
