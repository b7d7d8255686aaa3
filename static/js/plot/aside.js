/**
 * How far a point must move aside so that it does not cover others. Computes; draws nothing. Lengths in px.
 */

const FINE = 0.5;

/**
 * The least move to either side that keeps every other point as far away as `apart` says; if there is none within
 * `most`, the move that keeps the nearest other point farthest away.
 * @param {{along: number, by: number}[]} others how far away they are, and how far aside they moved
 * @param {{along: number, by: number}} apart two points that are nearer than both would cover each other
 * @param {number} most
 * @returns {number}
 */
export function aside(others, apart, most) {
  const near = others.filter((other) => Math.abs(other.along) < apart.along);
  const free = ways(apart.by, most).find((by) => near.every((other) => Math.abs(other.by - by) >= apart.by));
  if (free !== undefined) return free;
  const room = (/** @type {number} */ by) => Math.min(...near.map((other) => Math.hypot(other.along, other.by - by)));
  return ways(FINE, most).reduce((best, by) => (room(by) > room(best) ? by : best));
}

/** 0, and steps to both sides. @param {number} step @param {number} most */
function ways(step, most) {
  const found = [0];
  for (let by = step; by <= most; by += step) found.push(-by, by);
  return found;
}
