/**
 * Where things are in the space-time diagram: rows, columns, curves. Computes; draws nothing. Lengths in px.
 */

import { EVEN, piece } from "../cut_curve.js";
import { short } from "../svg.js";

const WIDEST = 112;
const NARROWEST = 18;
/** A run that fits with steps as close as that is shown whole rather than scrolled. */
const CLOSE = 11;
const HEAD = 30;
const FOOT = 30;
/** Room for the phases of a snapshot below the numbers of the steps. */
const RIBBON = 12;
const DENSE = 8;
/** A diagram less high than this has no ribbon: its lines need the room. */
const LOW = 130;

/**
 * @typedef {object} Scale
 * @property {number} width of the whole diagram
 * @property {number} height
 * @property {number} left where time begins, right of the labels
 * @property {number} room for time, right of `left`
 * @property {number} top of the cut, above the first line
 * @property {number} bottom of the cut, below the last line
 * @property {number} row from one line to the next
 * @property {number} unit from one step to the next
 * @property {boolean} scrolls is there more time than room?
 * @property {number} dot radius of an event
 * @property {number} square side of a record point
 * @property {number} labelled every how many lines there is room for a name
 * @property {boolean} ribbon is there room for the phases?
 * @property {boolean} dense are the lines too close to be distinguished?
 * @property {boolean} squeezed is the whole run in a room that is too narrow for its events?
 */

/** @typedef {[x: number, y: number]} Point */
/** @typedef {[leave: number, reach: number]} Bend how far a curve stays vertical after a line, and how far before the
 * next one, as parts of the distance between them */

/**
 * The scale of a diagram.
 * @param {{width: number, height: number, names: string[], steps: number, phases: boolean, whole?: boolean}} what
 *   `phases`: has it a ribbon of phases, if there is room? `whole`: is the whole run to fit?
 * @returns {Scale}
 */
export function scale({ width, height, names, steps, phases, whole = false }) {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 1);
  const left = Math.min(24 + longest * 9, 112);
  const room = Math.max(width - left - 16, 64);
  const columns = steps + 1;
  const even = room / columns;
  const unit = Math.min(WIDEST, whole || even >= CLOSE ? even : NARROWEST);
  const ribbon = phases && height >= LOW;
  const foot = FOOT + (ribbon ? RIBBON : 0);
  const row = Math.max(height - HEAD - foot, 1) / names.length;
  return {
    width,
    height,
    left,
    room,
    top: HEAD - 2,
    bottom: height - foot + 2,
    row,
    unit,
    scrolls: unit * columns > room + 1,
    dot: Math.max(2, Math.min(5.5, row * 0.3)),
    square: Math.max(3, Math.min(18, row * 0.5)),
    labelled: Math.max(1, Math.ceil(14 / row)),
    ribbon,
    dense: row < DENSE,
    squeezed: unit < CLOSE,
  };
}

/** The y of the line of a process. @param {Scale} scale @param {number} row */
export function lineOf(scale, row) {
  return HEAD + (row + 0.5) * scale.row;
}

/**
 * The curves of a cut, from top to bottom: vertical at every line, smooth in between.
 * @param {Scale} scale
 * @param {number[]} xs where the cut meets each line
 * @param {boolean[]} firm has the process of that line recorded?
 * @param {Bend[]} [bends] from each line to the next one
 * @returns {{firm: string, loose: string, past: string}} path data: the recorded part, the rest, the area before
 */
export function curves(scale, xs, firm, bends) {
  const ys = xs.map((_, row) => lineOf(scale, row));
  const last = xs.length - 1;
  const pieces = [{ firm: firm[0], from: [xs[0], scale.top], text: `V${short(ys[0])}` }];
  for (let i = 1; i <= last; i += 1) {
    const text = piece([xs[i - 1], ys[i - 1]], [xs[i], ys[i]], bends?.[i - 1] ?? EVEN);
    pieces.push({ firm: firm[i - 1] && firm[i], from: [xs[i - 1], ys[i - 1]], text });
  }
  pieces.push({ firm: firm[last], from: [xs[last], ys[last]], text: `V${short(scale.bottom)}` });
  const path = (/** @type {boolean} */ wanted) =>
    pieces
      .map(({ firm: is, from, text }, i) => {
        if (is !== wanted) return "";
        return pieces[i - 1]?.firm === wanted ? text : `M${pair(from)}${text}`;
      })
      .join("");
  const past = `M${-scale.left} ${scale.top}H${short(xs[0])}${pieces.map(({ text }) => text).join("")}H${-scale.left}Z`;
  return { firm: path(true), loose: path(false), past };
}

/**
 * An arrow, or as much of it as has happened.
 * @param {Point} start
 * @param {Point} end
 * @param {number} done 0–1, how far it has come
 * @param {number} gap kept free at both ends
 * @param {number} head length of the arrowhead, 0 for none
 */
export function arrow(start, end, done, gap, head) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  /** @returns {Point} */
  const at = (/** @type {number} */ distance) => [start[0] + ux * distance, start[1] + uy * distance];
  const from = Math.min(gap, length / 3);
  const until = Math.max(from, length - from);
  const reach = Math.min(until, Math.max(from, length * done));
  const tip = at(reach);
  const neck = at(Math.max(from, reach - head * 0.8));
  const back = at(Math.max(from, reach - head));
  const [nx, ny] = [-uy * head * 0.42, ux * head * 0.42];
  return {
    body: `M${pair(at(from))}L${pair(neck)}`,
    head: head ? `M${pair(tip)}L${pair([back[0] + nx, back[1] + ny])}L${pair([back[0] - nx, back[1] - ny])}Z` : "",
    rest: done < 1 ? `M${pair(tip)}L${pair(at(until))}` : "",
    tip,
  };
}

/**
 * The part of an arrow between two x: a line that leaves the window must not be drawn far outside.
 * @param {Point} start @param {Point} end @param {number} done @param {number} left @param {number} right
 * @returns {{start: Point, end: Point, done: number, cut: boolean}} `cut`: its tip lies outside
 */
export function within(start, end, done, left, right) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  if (Math.abs(dx) < 1) return { start, end, done, cut: false };
  const parts = [(left - start[0]) / dx, (right - start[0]) / dx].sort((a, b) => a - b);
  const [from, to] = [Math.max(0, Math.min(1, parts[0])), Math.max(0, Math.min(1, parts[1]))];
  if (to <= from) return { start, end, done, cut: false };
  /** @returns {Point} */
  const at = (/** @type {number} */ part) => [start[0] + dx * part, start[1] + dy * part];
  const come = (done - from) / (to - from);
  return { start: at(from), end: at(to), done: Math.max(0, Math.min(1, come)), cut: come > 1 || come < 0 };
}

/**
 * Where a label can be beside an arrow, best first: above it, then below, nearer to either end.
 * @param {Point} start @param {Point} end @param {number} width
 * @returns {{x: number, y: number}[]} middles of the label
 */
export function besides(start, end, width) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy) || 1;
  let [nx, ny] = [dy / length, -dx / length];
  if (ny > 0) [nx, ny] = [-nx, -ny];
  const away = 9 + Math.abs(nx) * (width / 2);
  const spots = [];
  for (const part of [0.4, 0.6, 0.25, 0.75, 0.5]) {
    for (const side of [1, -1]) {
      spots.push({ x: start[0] + dx * part + nx * away * side, y: start[1] + dy * part + ny * away * side });
    }
  }
  return spots;
}

/** How far from the line of a process what it alone took back is hatched. @param {{row: number}} scale */
export function hatched({ row }) {
  return Math.min(row / 2 - 1, 14);
}

/** How far apart the numbers of the time axis are: 1, 2, 5, 10, … steps. @param {number} unit @param {number} digits */
export function stride(unit, digits) {
  const wanted = (digits * 7 + 12) / unit;
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power >= wanted) return factor * power;
  }
}

/** Between two values. @param {number} a @param {number} b @param {number} part */
export function mix(a, b, part) {
  return a + (b - a) * part;
}

/** @param {number[]} point */
function pair([x, y]) {
  return `${short(x)} ${short(y)}`;
}
