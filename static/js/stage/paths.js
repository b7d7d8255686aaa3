/** Points along the paths of a plan. Pure functions. */

/** @import { Path, Point } from "./types.js" */

/**
 * A path of the server with the distances of its points from its beginning.
 * @param {{d: string, points: number[][]}} path @returns {Path}
 */

export function measured({ d, points }) {
  const lengths = [0];
  for (let i = 1; i < points.length; i += 1)
    lengths.push(lengths[i - 1] + Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]));
  return { d, points, lengths, length: lengths[lengths.length - 1] };
}

/**
 * The point at a distance along a path; beyond its ends the path continues straight.
 * @param {Path} path @param {number} distance @param {number} [beside] units to the right of the path
 * @returns {Point}
 */
export function point({ points, lengths }, distance, beside = 0) {
  let i = 1;
  while (i < points.length - 1 && lengths[i] < distance) i += 1;
  const [a, b] = [points[i - 1], points[i]];
  const span = lengths[i] - lengths[i - 1] || 1;
  const t = (distance - lengths[i - 1]) / span;
  const way = { x: (b[0] - a[0]) / span, y: (b[1] - a[1]) / span };
  return { x: a[0] + (b[0] - a[0]) * t - way.y * beside, y: a[1] + (b[1] - a[1]) * t + way.x * beside };
}

/** A point between two others, `t` of the way from the first. @param {Point} a @param {Point} b @param {number} t */
export function between(a, b, t) {
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}
