/**
 * The marks of a figure: points, lines, steps, bars and boxes, each a link where there is a run behind it. Draws.
 */

import { site } from "../page.js";
import { html, set, svg } from "../svg.js";
import { shown } from "./frame.js";
import { reaches } from "./reach.js";

/** @import { D3, Figure, Point, Series } from "../types.js" */
/** @import { Frame } from "./frame.js" */

const WRONG = "M-5 -5L5 5M5 -5L-5 5";
const BOX = 9; /* half of the height of a box, px */
const REACH = 12; /* around a point, px: within it, the point is meant, unless another is nearer */
const MANY = 100; /* points of a figure: from here on they are small and transparent */

/** How series differ without colours: the dashes of their lines, and what fills their bars. */
const DASHES = [null, "9 4", "2 4", "12 4 2 4", "5 3", "1 3"];
/** Paths in a square of 8 px; null is the series' colour alone, "" only an edge. */
const FILLINGS = [null, "M-2 2L2 -2M0 8L8 0M6 10L10 6", "M0 4H8", "M4 0V8M0 4H8", "M-2 6L2 10M0 0L8 8M6 -2L10 2", ""];

/**
 * @typedef {{series: number, x: number, y: number, element: SVGElement, words: string}} Mark
 * @typedef {{x: number, y: number}} Place
 */

/**
 * Draw all series.
 * @param {Element} parent @param {Figure} figure @param {Frame} frame @param {D3} d3 @param {string} key of the figure, which keeps the names of fillings unique
 * @returns {Mark[]} series by series, each from left to right
 */
export function drawMarks(parent, figure, frame, d3, key) {
  const many = figure.series.reduce((sum, one) => sum + (one.mark === "trend" ? 0 : one.points.length), 0) > MANY;
  const marks = figure.series.flatMap((one, i) => {
    const group = svg("g", { class: `series ${colour(i)}` }, parent);
    const fill = one.mark === "bar" ? fillBars(group, `fill-${key}-${i}`, i) : "";
    if (!["bar", "point", "box"].includes(one.mark)) drawLine(group, one, i, frame, d3);
    if (one.mark === "trend") return [];
    const known = one.points
      .map((point, j) => ({ point, j }))
      .filter(({ point }) => there(point[0]) && there(point[1]));
    const marks = known.map(({ point, j }) => {
      const text = said(figure, one, point);
      const element = svg(point[2] ? "a" : "g", { class: "mark", tabindex: -1, "aria-label": text }, group);
      if (point[2]) element.setAttribute("href", site(point[2]));
      else element.setAttribute("role", "img");
      let at;
      if (one.mark === "bar" && frame.bar) at = drawBar(element, point, frame, frame.bar(i, point[0], point[4]), fill);
      else if (one.mark === "box") at = drawBox(element, point, frame);
      else at = drawPoint(element, point, i, frame.at(i, j), d3, many);
      return { series: frame.lane(i, point), ...at, element, words: text };
    });
    return marks.sort((a, b) => a.x - b.x);
  });
  const points = marks.filter((mark) => mark.element.querySelector(".reach"));
  reaches(points, REACH).forEach((path, i) => points[i].element.querySelector(".reach")?.setAttribute("d", path));
  return marks;
}

/** @param {unknown} value */
const there = (value) => value !== null && value !== undefined;

/** What a mark says. @param {Figure} figure @param {Series} one @param {Point} point */
function said(figure, one, [x, y, , words, to]) {
  if (one.whole && words) return words;
  if (figure.y.scale === "names")
    return [y, one.name, `${figure.x.label} ${shown(x)}`, words ?? ""].filter(Boolean).join(" · ");
  const along = typeof x === "string" ? x : to ? `${shown(x)}–${shown(to)}` : shown(x);
  const named = typeof x === "string" ? along : `${figure.x.label} ${along}`;
  return [figure.series.length > 1 ? one.name : "", named, `${figure.y.label} ${shown(y)}`, words ?? ""]
    .filter(Boolean)
    .join(" · ");
}

/** @param {Element} group @param {Series} one @param {number} i @param {Frame} frame @param {D3} d3 */
function drawLine(group, one, i, frame, d3) {
  const line = d3
    .line()
    .x((point) => frame.x(point[0]))
    .y((point) => frame.y(point[1]));
  line.defined((point) => point[1] !== null && point[1] !== undefined);
  if (one.mark === "step") line.curve(d3.curveStepAfter);
  const drawn = svg("path", { class: "line", d: line(one.points) ?? "" }, group);
  set(drawn, "stroke-dasharray", dash(i));
}

/** @param {Element} element @param {Point} point @param {number} i @param {Place} at @param {D3} d3 @param {boolean} many */
function drawPoint(element, point, i, { x, y }, d3, many) {
  element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  svg("path", { class: "reach" }, element);
  svg("circle", { class: "ring", r: many ? 6 : REACH }, element);
  if (point[5]) svg("path", { class: "shape wrong", d: WRONG, ...(many && { transform: "scale(0.7)" }) }, element);
  else svg("path", { class: many ? "shape small" : "shape", d: shape(i, many ? 28 : 72, d3) }, element);
  return { x, y };
}

/**
 * @param {Element} element @param {Point} point @param {Frame} frame
 * @param {{at: number, width: number}} across left end and width @param {string} fill
 */
function drawBar(element, point, frame, { at, width }, fill) {
  const y = Math.min(frame.y(point[1]), frame.zero);
  const height = Math.max(1, Math.abs(frame.zero - frame.y(point[1])));
  svg("rect", { class: "bar", x: at, y, width, height, fill }, element);
  return { x: at + width / 2, y };
}

/**
 * The range of nine tenths of all, the range of half of them, and the median.
 * @param {Element} element @param {Point} point @param {Frame} frame
 */
function drawBox(element, point, frame) {
  const [low, first, middle, third, high] = (point[6] ?? []).map(frame.x);
  const y = frame.y(point[1]);
  svg(
    "path",
    { class: "whisker", d: `M${low} ${y}H${high}M${low} ${y - 4}V${y + 4}M${high} ${y - 4}V${y + 4}` },
    element,
  );
  svg("rect", { class: "box", x: first, y: y - BOX, width: Math.max(2, third - first), height: 2 * BOX }, element);
  svg("path", { class: "middle", d: `M${middle} ${y - BOX - 3}V${y + BOX + 3}` }, element);
  return { x: middle, y };
}

/** The filling of the bars of a series. @param {Element} group @param {string} name @param {number} i */
function fillBars(group, name, i) {
  const d = FILLINGS[i % FILLINGS.length];
  if (!d) return d === null ? "currentColor" : "none";
  const tile = { id: name, width: 8, height: 8, patternUnits: "userSpaceOnUse" };
  svg("path", { class: "filling", d }, svg("pattern", tile, svg("defs", {}, group)));
  return `url(#${name})`;
}

/** The legend. @param {Figure} figure @param {D3} d3 @param {string} key @returns {Element} */
export function legend(figure, d3, key) {
  const list = html("ul", "figure-legend");
  figure.series.forEach((one, i) => {
    const drawn = svg("svg", { width: 34, height: 16, "aria-hidden": "true", class: colour(i) });
    if (one.mark === "box") {
      svg("path", { class: "whisker", d: "M1 8H33M1 5V11M33 5V11" }, drawn);
      svg("rect", { class: "box", x: 9, y: 2, width: 16, height: 12 }, drawn);
      svg("path", { class: "middle", d: "M16 1V15" }, drawn);
    } else if (one.mark === "bar") {
      const fill = fillBars(drawn, `key-${key}-${i}`, i);
      svg("rect", { class: "bar", x: 9, y: 1, width: 16, height: 14, fill }, drawn);
    } else {
      if (one.mark !== "point") {
        const line = svg("path", { class: "line", d: "M1 8H33" }, drawn);
        set(line, "stroke-dasharray", dash(i));
      }
      if (one.mark !== "trend")
        svg("path", { class: "shape", d: shape(i, 72, d3), transform: "translate(17 8)" }, drawn);
    }
    list.append(html("li", "", drawn, one.name, ...(one.same ? [html("span", "figure-same", one.same)] : [])));
  });
  return list;
}

/** The dashes of the lines of a series, or null. @param {number} series */
function dash(series) {
  return DASHES[series % DASHES.length];
}

/** The shape of the points of a series, as a path around 0, 0. @param {number} series @param {number} size @param {D3} d3 */
function shape(series, size, d3) {
  const kinds = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond, d3.symbolStar, d3.symbolCross];
  return d3.symbol(kinds[series % kinds.length], size)();
}

/** The class that gives a series its colour. @param {number} series */
function colour(series) {
  return `series-${(series % 6) + 1}`;
}
