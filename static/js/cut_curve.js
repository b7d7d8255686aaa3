/** The curve of a cut: between two lines it bends away from arrows that would run along it. Computes; draws nothing. */

import { short } from "./svg.js";

/** @import { Bend, Point } from "./time/scale.js" */

/** @typedef {[start: Point, end: Point]} Line */

/** @type {Bend} */
export const EVEN = [0.5, 0.5];
/** All bends, the most even first, the last one straight: the same as in `app/pictures/spacetime/cut_curve.py`, like the
 * other numbers here.
 * @type {Bend[]} */
const BENDS = [EVEN, [0.75, 0.25], [0.25, 0.75], [0.9, 0.2], [0.2, 0.9], [0.25, 0.25], [0, 0]];
/** An arrow nearer than this to the curve runs along it. */
const NEAR = 14;
/** How long arrows may run along an even curve before that is bent. */
const MUCH = 320;
/** What each crossing of an arrow counts. */
const AGAIN = 60;
/** What it counts to cross an arrow and to come back: that message is on one side of the cut. A straight line never does
 * so to a message between the two lines. */
const FALSELY = 10_000;
/** An arrow so near to a point of the curve is on neither side of it. */
const TOUCHES = 0.5;
const PARTS = 24;

/** How a curve bends between the lines. @param {Point[]} points where it meets them, from the top @param {Line[]} arrows */
export function bent(points, arrows) {
  /** @type {Line[]} */
  const down = arrows.map(([a, b]) => (a[1] <= b[1] ? [a, b] : [b, a]));
  return points.slice(1).map((stop, row) => {
    const start = points[row];
    const [left, right] = [Math.min(start[0], stop[0]) - NEAR, Math.max(start[0], stop[0]) + NEAR];
    const beside = down.filter(
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

/** How much of the arrows lies along a piece of a curve, in px, and what it counts to cross them.
 * @param {Point} start @param {Point} end @param {Bend} bend @param {Line[]} arrows */
function beside(start, end, bend, arrows) {
  const points = Array.from({ length: PARTS + 1 }, (_, part) => on(start, end, bend, part / PARTS));
  const lengths = points.map(([x, y], i) => (i ? Math.hypot(x - points[i - 1][0], y - points[i - 1][1]) : 0));
  let total = 0;
  for (const [a, b] of arrows) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy) || 1;
    const sides = points.map(([x, y]) => (dx * (y - a[1]) - dy * (x - a[0])) / length);
    for (let i = 1; i < PARTS; i += 1) total += Math.max(0, 1 - Math.abs(sides[i]) / NEAR) * lengths[i];
    const between = sides.slice(1, PARTS).filter((side) => Math.abs(side) > TOUCHES);
    const left = [sides[0], ...between, sides[PARTS]].map((side) => side < 0);
    const crossings = left.filter((one, i) => i > 0 && one !== left[i - 1]).length;
    total += AGAIN * crossings + FALSELY * (crossings - Number(left[0] !== left[left.length - 1]));
  }
  return total;
}

/** A piece of a curve, as path data from where it begins. @param {Point} start @param {Point} end @param {Bend} bend */
export function piece([left, top], [right, bottom], bend) {
  const [high, low] = handles(top, bottom, bend);
  return `C${[left, high, right, low, right, bottom].map(short).join(" ")}`;
}

/** A point of a piece of a curve, at `t` in 0–1.
 * @param {Point} start @param {Point} end @param {Bend} bend @param {number} t @returns {Point} */
export function on([left, top], [right, bottom], bend, t) {
  const [high, low] = handles(top, bottom, bend);
  const s = 1 - t;
  const y = s ** 3 * top + 3 * s * s * t * high + 3 * s * t * t * low + t ** 3 * bottom;
  return [left + (right - left) * t * t * (3 - 2 * t), y];
}

/** How far down a curve stays vertical after a line, and from where before the next one.
 * @param {number} top @param {number} bottom @param {Bend} bend */
function handles(top, bottom, [leave, reach]) {
  return [top + (bottom - top) * leave, bottom - (bottom - top) * reach];
}
