/** How a cut bends between two lines: away from arrows that would run along it. Computes; draws nothing. */

import { begins, ends } from "./history.js";
import { lineOf } from "./scale.js";

/** @import { Cut } from "./cut.js" */
/** @import { History } from "./history.js" */
/** @import { Bend, Point, Scale } from "./scale.js" */

/** @typedef {[start: Point, end: Point]} Line */

/** @type {Bend} */
export const EVEN = [0.5, 0.5];
/** All bends, the most even first: the same as in `app/pictures/spacetime/cut_curve.py`, like the other numbers here.
 * @type {Bend[]} */
const BENDS = [EVEN, [0.75, 0.25], [0.25, 0.75], [0.9, 0.2], [0.2, 0.9]];
/** An arrow nearer than this to the curve runs along it. */
const NEAR = 14;
/** How long arrows may run along an even curve before that is bent. */
const MUCH = 320;
/** What each crossing of an arrow counts: a curve must not cross one more often than it has to. */
const AGAIN = 60;
const PARTS = 24;
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
  const bends = whole ? bent(cut, history, scale) : Array.from({ length: rows }, () => EVEN);
  known.set(cut, { scale, bends });
  return bends;
}

/** @param {Cut} cut @param {History} history @param {Scale} scale */
function bent({ recorded }, history, scale) {
  const end = history.steps + 1.1;
  /** @type {Line[]} */
  const arrows = history.sendings.map((flight) => {
    /** @type {Line} */
    const ways = [
      [begins(flight) * scale.unit, lineOf(scale, flight.from)],
      [Math.min(ends(flight), end) * scale.unit, lineOf(scale, flight.to)],
    ];
    return ways[0][1] <= ways[1][1] ? ways : [ways[1], ways[0]];
  });
  return recorded.slice(1).map((step, row) => {
    /** @type {Point} */
    const start = [recorded[row] * scale.unit, lineOf(scale, row)];
    /** @type {Point} */
    const stop = [step * scale.unit, lineOf(scale, row + 1)];
    const [left, right] = [Math.min(start[0], stop[0]) - NEAR, Math.max(start[0], stop[0]) + NEAR];
    const beside = arrows.filter(
      ([a, b]) =>
        a[1] <= start[1] + 1 && b[1] >= stop[1] - 1 && Math.min(a[0], b[0]) < right && Math.max(a[0], b[0]) > left,
    );
    return best(start, stop, beside);
  });
}

/**
 * The bend with the least of any arrow along it; an even one if that is good enough.
 * @param {Point} start @param {Point} end @param {Line[]} arrows from top to bottom
 */
export function best(start, end, arrows) {
  const plain = beside(start, end, EVEN, arrows);
  if (plain <= MUCH) return EVEN;
  const costs = BENDS.map((bend) => beside(start, end, bend, arrows));
  const least = Math.min(...costs);
  return least < plain * 0.7 ? BENDS[costs.indexOf(least)] : EVEN;
}

/** How much of the arrows lies along a piece of a curve, in px.
 * @param {Point} start @param {Point} end @param {Bend} bend @param {Line[]} arrows */
function beside(start, end, bend, arrows) {
  const points = Array.from({ length: PARTS + 1 }, (_, part) => on(start, end, bend, part / PARTS));
  const lengths = points.map(([x, y], i) => (i ? Math.hypot(x - points[i - 1][0], y - points[i - 1][1]) : 0));
  let total = 0;
  for (const [a, b] of arrows) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy) || 1;
    let before = 0;
    for (let i = 1; i < PARTS; i += 1) {
      const side = (dx * (points[i][1] - a[1]) - dy * (points[i][0] - a[0])) / length;
      total += Math.max(0, 1 - Math.abs(side) / NEAR) * lengths[i];
      if (i > 1 && before < 0 !== side < 0) total += AGAIN;
      before = side;
    }
  }
  return total;
}

/** A point of a piece of a curve, at `t` in 0–1.
 * @param {Point} start @param {Point} end @param {Bend} bend @param {number} t @returns {Point} */
export function on([left, top], [right, bottom], [leave, reach], t) {
  const high = top + (bottom - top) * leave;
  const low = bottom - (bottom - top) * reach;
  const s = 1 - t;
  const y = s ** 3 * top + 3 * s * s * t * high + 3 * s * t * t * low + t ** 3 * bottom;
  return [left + (right - left) * t * t * (3 - 2 * t), y];
}
