/**
 * From mark to mark by keyboard: along a series, or to the nearest mark of the next one. Computes; draws nothing.
 */

/**
 * @typedef {{series: number, x: number, y: number}} Place a mark of a series, and where it is
 *
 * The mark that a key leads to, or null if the key means nothing here.
 * @param {Place[]} marks series by series, each from left to right @param {number} at @param {string} key
 * @returns {number|null}
 */
export function walk(marks, at, key) {
  const here = marks[at];
  const along = marks.flatMap((mark, i) => (mark.series === here.series ? [i] : []));
  const place = along.indexOf(at);
  if (key === "ArrowRight") return along[Math.min(place + 1, along.length - 1)];
  if (key === "ArrowLeft") return along[Math.max(place - 1, 0)];
  if (key === "Home") return along[0];
  if (key === "End") return along[along.length - 1];
  if (key !== "ArrowDown" && key !== "ArrowUp") return null;

  const every = [...new Set(marks.map((mark) => mark.series))];
  const next = every[every.indexOf(here.series) + (key === "ArrowDown" ? 1 : -1)];
  if (next === undefined) return at;
  const far = (/** @type {number} */ i) => Math.abs(marks[i].x - here.x);
  return marks
    .flatMap((mark, i) => (mark.series === next ? [i] : []))
    .reduce((best, i) => (far(i) < far(best) ? i : best));
}
