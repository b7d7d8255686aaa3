/**
 * Where things are in a figure whose names are rows: names on the left, or above their rows if there is little room,
 * and the scale of the numbers at the top. Computes; draws nothing. Lengths in px.
 */

import { aside } from "./aside.js";
import { scaleOf, ticksOf, wide } from "./frame.js";

/** @import { Frame } from "./frame.js" */

const NARROW = 560; /* below this width, names are above their rows */
const LANE = 10; /* from one series of points to the next, within a row */
const APART = { along: 8, by: 7 }; /* points that are nearer than this would cover each other */
const HEAD = 56; /* for the label and the ticks of x */
const INSET = 12;

/**
 * The frame of a figure with rows; `lane` is the row of a mark, `at` where a point is.
 * @param {import("../types.js").Figure} figure @param {number} width @param {import("../types.js").D3} d3
 * @returns {Frame}
 */
export function rows(figure, width, d3) {
  const names = figure.y.names;
  const above = width < NARROW;
  const boxes = figure.series.some((one) => one.mark === "box");
  const lanes = figure.series.map((one, i) => (one.mark === "point" ? i : -1)).filter((i) => i >= 0);
  const band = boxes ? 44 : Math.max(28, lanes.length * LANE + 6);
  const lines = names.map((name) => name.split("\n"));
  // Above a row, its note fits behind the name, or otherwise below it.
  const stacked = above && lines.some(([text, note]) => note && wide(text) + wide(note) + 24 > width);
  const high = band + (stacked ? 42 : above ? 24 : 4);
  const longest = Math.max(...lines.flat().map(wide));
  const left = above ? 0 : Math.min(Math.ceil(longest) + 16, Math.round(width * 0.42));
  const right = width - 12;
  const bottom = HEAD + names.length * high;

  const known = figure.series.flatMap((one) => one.points).filter((point) => point[0] !== null);
  const values = known.flatMap((point) => [point[0], ...(point[6] ?? [])]);
  const x = scaleOf(figure.x, values, false, d3).range([left + INSET, right - INSET]);
  const row = (/** @type {string} */ name) => names.indexOf(name);
  const middle = (/** @type {string} */ name) => HEAD + row(name) * high + high - band / 2 - 2;

  const swarms = figure.series.map((one) =>
    boxes && one.mark === "point" ? swarm(one.points, x, row, band / 2 - 4) : null,
  );
  const beside = (/** @type {number} */ series) =>
    boxes ? 0 : (lanes.indexOf(series) - (lanes.length - 1) / 2) * LANE;
  /** @type {Frame["at"]} */
  const at = (series, i) => {
    const point = figure.series[series].points[i];
    return { x: x(point[0]), y: middle(point[1]) + (swarms[series]?.[i] ?? beside(series)) };
  };

  const across = ticksOf(x, figure.x.scale, 80, values, (tick) => wide(tick.text) + 12);
  const named = lines.map(([text, note], i) => ({
    at: above ? HEAD + i * high + 18 : middle(names[i]),
    text,
    note,
    below: stacked || !above,
  }));
  const edges = names.map((name) => HEAD + row(name) * high);
  return {
    width,
    height: bottom + 8,
    left,
    right,
    top: HEAD,
    bottom,
    x,
    y: middle,
    zero: bottom,
    across,
    up: named,
    slanted: false,
    above,
    edges,
    at,
    lane: (series, point) => row(point[1]),
  };
}

/**
 * How far each point moves up or down, so that those at the same place lie side by side: always the same for the same
 * points.
 * @param {import("../types.js").Point[]} points @param {(value: number) => number} x @param {(name: string) => number} row
 * @param {number} most px up or down
 * @returns {number[]}
 */
function swarm(points, x, row, most) {
  const order = points.map((_, i) => i).filter((i) => points[i][0] !== null);
  order.sort((a, b) => row(points[a][1]) - row(points[b][1]) || points[a][0] - points[b][0] || a - b);
  const moved = points.map(() => 0);
  /** @type {Map<number, {x: number, by: number}[]>} by row */
  const placed = new Map();
  for (const i of order) {
    const near = placed.get(row(points[i][1])) ?? [];
    const here = x(points[i][0]);
    moved[i] = aside(
      near.map((other) => ({ along: other.x - here, by: other.by })),
      APART,
      most,
    );
    placed.set(row(points[i][1]), [...near, { x: here, by: moved[i] }]);
  }
  return moved;
}
