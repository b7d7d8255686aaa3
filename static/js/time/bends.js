/** How a cut bends between two lines, by all messages of the run. Computes; draws nothing. */

import { bent, EVEN } from "../cut_curve.js";
import { begins, ends } from "./history.js";
import { lineOf } from "./scale.js";

/** @import { Line } from "../cut_curve.js" */
/** @import { Cut } from "./cut.js" */
/** @import { History } from "./history.js" */
/** @import { Bend, Point, Scale } from "./scale.js" */

/** With more processes than this, the lines are too close for a cut to bend between them. */
const MOST = 24;

/** @type {WeakMap<Cut, {scale: Scale, bends: Bend[]}>} */
const known = new WeakMap();

/** The bends of a cut, by the whole known run: it must not jump from step to step.
 * @param {Cut} cut @param {History} history @param {Scale} scale */
export function bendsOf(cut, history, scale) {
  const held = known.get(cut);
  if (held?.scale === scale) return held.bends;
  const rows = history.names.length;
  const whole = rows <= MOST && cut.recorded.every((step) => step !== Infinity);
  const bends = whole ? bent(meets(cut, scale), arrowsOf(history, scale)) : Array.from({ length: rows }, () => EVEN);
  known.set(cut, { scale, bends });
  return bends;
}

/** @param {Cut} cut @param {Scale} scale @returns {Point[]} */
function meets({ recorded }, scale) {
  return recorded.map((step, row) => [step * scale.unit, lineOf(scale, row)]);
}

/** @param {History} history @param {Scale} scale @returns {Line[]} */
function arrowsOf(history, scale) {
  const end = history.steps + 1.1;
  return history.sendings.map((flight) => [
    [begins(flight) * scale.unit, lineOf(scale, flight.from)],
    [Math.min(ends(flight), end) * scale.unit, lineOf(scale, flight.to)],
  ]);
}
