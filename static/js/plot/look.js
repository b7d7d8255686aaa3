/**
 * How the series of a figure differ without colours: dashes, shapes, fillings. Computes; draws nothing.
 */

const DASHES = [null, "9 4", "2 4", "12 4 2 4", "5 3", "1 3"];

/** Paths in a square of 8 px that fill bars; the first is plain, the last has only an edge. */
const FILLINGS = [null, "M-2 2L2 -2M0 8L8 0M6 10L10 6", "M0 4H8", "M4 0V8M0 4H8", "M-2 6L2 10M0 0L8 8M6 -2L10 2", ""];

/** The dashes of the lines of a series, or null. @param {number} series */
export function dash(series) {
  return DASHES[series % DASHES.length];
}

/** What fills the bars of a series: null means its colour, "" nothing. @param {number} series */
export function filling(series) {
  return FILLINGS[series % FILLINGS.length];
}

/** The shape of the points of a series, as a path around 0, 0. @param {number} series @param {number} size @param {import("../types.js").D3} d3 */
export function shape(series, size, d3) {
  const kinds = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond, d3.symbolStar, d3.symbolCross];
  return d3.symbol(kinds[series % kinds.length], size)();
}

/** The class that gives a series its colour. @param {number} series */
export function colour(series) {
  return `series-${(series % 6) + 1}`;
}
