/**
 * Where things are in a figure: margins, scales, ticks. Computes; draws nothing. Lengths in px.
 */

import { aside } from "./aside.js";

/** @import { Axis, D3, Figure, Point, Scale, Series, Value } from "../types.js" */

const LETTER = 7.4; /* of 13 px type, a figure or a Latin letter; a Chinese one is as wide as the type is high */
const TYPE = 13;
const INSET = 12; /* from the axes to the first and the last mark */
const APART = { along: 4, by: 4 }; /* points that are nearer than this would cover each other */
const ASIDE = { least: 4, most: 6 }; /* how far a point moves aside for others, left or right */
const FEW = 4; /* places: up to so many, each has a tick */
const MANTISSAS = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]];

/**
 *
 * @typedef {object} Tick
 * @property {number} at along its axis
 * @property {string} text
 * @property {string} [note] behind the text of a row, or below it
 * @property {boolean} [below] is it below?
 *
 * @typedef {object} Frame
 * @property {number} width of the whole drawing
 * @property {number} height
 * @property {number} left of the plane in which the marks are
 * @property {number} right
 * @property {number} top
 * @property {number} bottom
 * @property {(value: Value) => number} x where a value is; for a name, the middle of its place
 * @property {(value: Value) => number} y
 * @property {number} zero the base of bars
 * @property {Tick[]} across the ticks of x
 * @property {Tick[]} up the ticks of y
 * @property {boolean} slanted are the names below x too long to stand side by side?
 * @property {(series: number, from: Value, to?: number | null) => {at: number, width: number}} [bar] left end
 * and width of a bar: bars at the same place stand side by side, one that covers a range fills it; rows have no bars
 * @property {(series: number, i: number) => {x: number, y: number}} at where a point of a series is
 * @property {(series: number, point: Point) => number} lane what the marks of one keyboard walk have in common
 * @property {number[]} [edges] the upper edges of rows, if there are rows
 * @property {boolean} [above] are the names of rows above them?
 */

/** About how wide a text is. @param {string} text */
export function wide(text) {
  let sum = 0;
  for (const sign of text) sum += sign > "\u2e80" ? TYPE : LETTER;
  return sum;
}

/** A number as the table writes it. @param {number} value */
export function shown(value) {
  const rule =
    Number.isInteger(value) || Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 4 };
  return new Intl.NumberFormat("en", rule).format(value);
}

/** The values along y, without those of trends. @param {Figure} figure @returns {number[]} */
function measured({ series }) {
  const points = series.filter((one) => one.mark !== "trend").flatMap((one) => one.points);
  return points.map((point) => point[1]).filter((value) => value !== null && value !== undefined);
}

/**
 * The frame of a figure.
 * @param {Figure} figure @param {number} width @param {D3} d3
 * @returns {Frame}
 */
export function frame(figure, width, d3) {
  const bars = figure.series.some((one) => one.mark === "bar");
  const points = figure.series
    .flatMap((one) => one.points)
    .filter((point) => point[1] !== null && point[1] !== undefined);
  const named = figure.x.scale === "names";
  const longest = named ? Math.max(...figure.x.names.map(wide)) : 0;

  const ys = points.map((point) => point[1]);
  const y = scaleOf(figure.y, ys, bars, d3);
  const compared = figure.x.domain && figure.y.domain; /* one of several, side by side */
  const tall = Math.round(
    compared ? Math.min(260, Math.max(190, width * 0.7)) : Math.min(400, Math.max(260, width * 0.5)),
  );
  const top = 32;
  y.range([figure.y.scale === "linear" && y.domain()[0] === 0 ? tall : tall - INSET, top]);
  const up = ticksOf(y, figure.y.scale, 56, measured(figure), () => TYPE + 8);
  const left = Math.ceil(Math.max(...up.map((tick) => wide(tick.text)), 16)) + 12;
  const right = width - 12;

  const step = named ? (right - left) / figure.x.names.length : 0;
  const slanted = named && longest + 10 > step;
  const below = (slanted ? Math.min(longest, 150) * 0.6 + 12 : 20) + 28;

  const along = named ? places(figure, left, right, d3) : values(figure, points, left, right, d3);
  const { x, across } = along;

  const barred = figure.series.map((one, i) => (one.mark === "bar" ? i : -1)).filter((i) => i >= 0);

  /** @type {NonNullable<Frame["bar"]>} */
  function bar(series, from, to) {
    if (to !== undefined && to !== null) return { at: x(from) + 0.5, width: Math.max(1, x(to) - x(from) - 1) };
    const each = Math.min(along.lonely / barred.length, 56);
    const first = x(from) - (each * barred.length) / 2;
    return { at: first + each * barred.indexOf(series) + 1, width: Math.max(1, each - 2) };
  }

  const bottom = tall;
  const zero = figure.y.scale === "log" ? bottom : Math.min(bottom, y(Math.max(y.domain()[0], 0)));
  const moved = named ? [] : besides(figure.series, x, y);
  /** @type {Frame["at"]} */
  const at = (series, i) => {
    const point = figure.series[series].points[i];
    return { x: x(point[0]) + (moved[series]?.[i] ?? 0), y: y(point[1]) };
  };
  return {
    width,
    height: tall + below,
    left,
    right,
    top,
    bottom,
    x,
    y,
    zero,
    across,
    up,
    slanted,
    bar,
    at,
    lane: (series) => series,
  };
}

/**
 * @typedef {object} Along the axis of x
 * @property {(value: Value) => number} x
 * @property {Tick[]} across
 * @property {number} lonely how wide a bar may be that stands alone
 */

/**
 * Names along x, each with a place of its own.
 * @param {Figure} figure @param {number} left @param {number} right @param {D3} d3 @returns {Along}
 */
function places(figure, left, right, d3) {
  const band = d3.scaleBand().domain(figure.x.names).range([left, right]).paddingInner(0.24).paddingOuter(0.12);
  const x = (/** @type {string} */ name) => band(name) + band.bandwidth() / 2;
  return { x, across: figure.x.names.map((name) => ({ at: x(name), text: name })), lonely: band.bandwidth() };
}

/**
 * Numbers along x.
 * @param {Figure} figure @param {Point[]} points @param {number} left @param {number} right @param {D3} d3 @returns {Along}
 */
function values(figure, points, left, right, d3) {
  const xs = points.flatMap((point) => (point[4] === undefined ? [point[0]] : [point[0], point[4]]));
  const x = scaleOf(figure.x, xs, false, d3).range([left + INSET, right - INSET]);
  const few = figure.x.domain && !figure.y.domain ? FEW : 0;
  const across = ticksOf(
    x,
    figure.x.scale,
    80,
    points.map((point) => point[0]),
    (tick) => wide(tick.text) + 12,
    few,
  );
  return { x, across, lonely: Math.max(6, (right - left) / Math.max(points.length, 1) - 4) };
}

/** How far each point of a series without lines moves left or right, so that those at the same place lie side by side:
 * always the same for the same points.
 * @param {Series[]} series @param {(value: Value) => number} x @param {(value: Value) => number} y */
function besides(series, x, y) {
  const loose = series.map((one) => (one.mark === "point" ? one.points : []));
  const columns = [...new Set(loose.flat().map((point) => x(point[0])))].sort((a, b) => a - b);
  const gaps = columns.slice(1).map((column, i) => (column - columns[i]) / 2);
  const most = Math.max(ASIDE.least, Math.min(ASIDE.most, ...gaps));
  /** @type {{x: number, y: number}[]} */
  const placed = [];
  return loose.map((points) =>
    points.map((point) => {
      if (point[0] === null || point[1] === null) return 0;
      const here = { x: x(point[0]), y: y(point[1]) };
      const by = aside(
        placed.map((other) => ({ along: other.y - here.y, by: other.x - here.x })),
        APART,
        most,
      );
      placed.push({ x: here.x + by, y: here.y });
      return by;
    }),
  );
}

/** A scale over some values, or over a given domain. A scale without negative values begins at zero, unless all values
 * are far from it.
 * @param {Axis} axis @param {number[]} values @param {boolean} fromZero @param {D3} d3 */
export function scaleOf({ scale: kind, domain }, values, fromZero, d3) {
  if (domain) {
    if (kind === "log") return d3.scaleLog().domain([domain[0] / 1.12, domain[1] * 1.12]);
    return kind === "symlog"
      ? d3.scaleSymlog().domain([domain[0], domain[1] * 1.12])
      : d3.scaleLinear().domain(domain).nice();
  }
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (kind === "log") return d3.scaleLog().domain(low === high ? [low / 2, high * 2] : [low / 1.12, high * 1.12]);
  if (kind === "symlog") return d3.scaleSymlog().domain([0, high * 1.12]);
  if (fromZero || (low >= 0 && low < high * 0.7)) low = Math.min(0, low);
  if (low === high) [low, high] = low === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)];
  return d3.scaleLinear().domain([low, high]).nice();
}

/**
 * The ticks of a scale, at the places themselves if they are `few`: texts never touch, whole numbers stay whole.
 * @param {Scale} scale @param {string} kind @param {number} apart px from one to the next, at least
 * @param {number[]} values @param {(tick: Tick) => number} room that a text needs @param {number} [few]
 * @returns {Tick[]}
 */
export function ticksOf(scale, kind, apart, values, room, few = 0) {
  const [from, to] = scale.range();
  const length = Math.abs(to - from);
  const many = Math.max(2, Math.floor(length / apart));
  const made = (/** @type {number[]} */ numbers) => numbers.map((value) => ({ at: scale(value), text: shown(value) }));
  if (kind !== "linear") {
    const every = kind === "log" ? scale.ticks() : decades(scale.domain()[1]);
    for (const mantissas of MANTISSAS) {
      const ticks = made(
        every.filter(
          (value) => value === 0 || mantissas.includes(Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9))),
        ),
      );
      if (ticks.length >= 2 && fits(ticks, room)) return ticks;
    }
  }
  const places = [...new Set(values)];
  if (places.length <= few) return made(places.sort((a, b) => a - b));
  const whole = values.every(Number.isInteger);
  return made(scale.ticks(Math.min(many, 8)).filter((value) => !whole || Number.isInteger(value)));
}

/** 0, and every digit of every decade up to `most`. @param {number} most */
function decades(most) {
  const found = [0];
  for (let decade = 1; decade <= most; decade *= 10) {
    for (let digit = 1; digit <= 9 && digit * decade <= most; digit++) found.push(digit * decade);
  }
  return found;
}

/** Is there room for every text? @param {Tick[]} ticks @param {(tick: Tick) => number} room */
function fits(ticks, room) {
  const sorted = [...ticks].sort((a, b) => a.at - b.at);
  return sorted.every((tick, i) => i === 0 || tick.at - sorted[i - 1].at >= (room(tick) + room(sorted[i - 1])) / 2);
}
