/**
 * The area of each point of a figure, so that the nearest one is described and opened: a circle around it, without what
 * is nearer to another point. Computes; draws nothing. Lengths in px.
 */

const CORNERS = 24;
const HAIR = 0.01;

/** @typedef {{x: number, y: number}} Place */

/**
 * The part of the plane around each place, as a path around 0, 0. Equal places share theirs in slices.
 * @param {Place[]} places @param {number} radius
 * @returns {string[]}
 */
export function reaches(places, radius) {
  const apart = cut(places);
  return apart.map((here, i) => {
    let part = circle(radius);
    apart.forEach((other, j) => {
      const to = { x: other.x - here.x, y: other.y - here.y };
      if (i !== j && Math.hypot(to.x, to.y) < 2 * radius) part = nearer(part, to);
    });
    return part.length ? `M${part.map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}Z` : "";
  });
}

/** The places, with equal ones moved slightly apart. @param {Place[]} places @returns {Place[]} */
function cut(places) {
  /** @type {Map<string, number[]>} */
  const same = new Map();
  places.forEach(({ x, y }, i) => {
    const key = `${x.toFixed(1)} ${y.toFixed(1)}`;
    same.set(key, [...(same.get(key) ?? []), i]);
  });
  const moved = [...places];
  for (const all of same.values()) {
    if (all.length === 1) continue;
    all.forEach((i, turn) => {
      const angle = Math.PI * (1 + (2 * turn) / all.length); // the first of two is on the left
      moved[i] = { x: places[i].x + HAIR * Math.cos(angle), y: places[i].y + HAIR * Math.sin(angle) };
    });
  }
  return moved;
}

/** @param {number} radius @returns {Place[]} */
function circle(radius) {
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / CORNERS;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
}

/** The part of a convex polygon that is nearer to 0, 0 than to another place. @param {Place[]} polygon @param {Place} to */
function nearer(polygon, to) {
  const half = (to.x ** 2 + to.y ** 2) / 2;
  const beyond = (/** @type {Place} */ { x, y }) => x * to.x + y * to.y - half;
  return polygon.flatMap((corner, i) => {
    const next = polygon[(i + 1) % polygon.length];
    const [a, b] = [beyond(corner), beyond(next)];
    const kept = a <= 0 ? [corner] : [];
    if (a * b < 0)
      kept.push({
        x: corner.x + ((next.x - corner.x) * a) / (a - b),
        y: corner.y + ((next.y - corner.y) * a) / (a - b),
      });
    return kept;
  });
}
