/** Lines and curves: their path data, and points along them. Pure functions. */

/** How many points measure a curve's length. */
const SAMPLES = 32;
/** How many parts measure a rounded corner. */
const BEND = 6;

/** @returns {Path} */
export function straight(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return { d: `M${r(from.x)} ${r(from.y)}L${r(to.x)} ${r(to.y)}`, points: [from, to], lengths: [0, length], length };
}

/** @returns {Path} */
export function cubic(from, c1, c2, to) {
  const points = [];
  for (let i = 0; i <= SAMPLES; i += 1) {
    const t = i / SAMPLES;
    const u = 1 - t;
    const k = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    points.push({
      x: k[0] * from.x + k[1] * c1.x + k[2] * c2.x + k[3] * to.x,
      y: k[0] * from.y + k[1] * c1.y + k[2] * c2.y + k[3] * to.y,
    });
  }
  const d = `M${r(from.x)} ${r(from.y)}C${r(c1.x)} ${r(c1.y)} ${r(c2.x)} ${r(c2.y)} ${r(to.x)} ${r(to.y)}`;
  return measured(d, points);
}

/**
 * A line through all points, its corners rounded.
 * @param {Point[]} corners from end to end @param {number} radius of a corner, where there is room for it
 * @returns {Path}
 */
export function rounded(corners, radius) {
  const first = corners[0];
  const last = corners[corners.length - 1];
  const points = [first];
  let d = `M${r(first.x)} ${r(first.y)}`;
  for (let i = 1; i < corners.length - 1; i += 1) {
    const corner = corners[i];
    const [before, after] = [corners[i - 1], corners[i + 1]].map((other) => {
      const far = Math.hypot(other.x - corner.x, other.y - corner.y) || 1;
      const by = Math.min(radius, far / 2) / far;
      return { x: corner.x + (other.x - corner.x) * by, y: corner.y + (other.y - corner.y) * by };
    });
    d += `L${r(before.x)} ${r(before.y)}Q${r(corner.x)} ${r(corner.y)} ${r(after.x)} ${r(after.y)}`;
    for (let k = 0; k <= BEND; k += 1) {
      const t = k / BEND;
      const [p, q, s] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
      points.push({ x: p * before.x + q * corner.x + s * after.x, y: p * before.y + q * corner.y + s * after.y });
    }
  }
  return measured(`${d}L${r(last.x)} ${r(last.y)}`, [...points, last]);
}

/** The path beside another, `by` units to its right. */
export function offset(path, by) {
  const steps = path.points.length - 1;
  const points = [];
  for (let i = 0; i <= steps; i += 1) points.push(point(path, path.lengths[i], by));
  return measured(`M${points.map((p) => `${r(p.x)} ${r(p.y)}`).join("L")}`, points);
}

function measured(d, points) {
  const lengths = [0];
  for (let i = 1; i < points.length; i += 1) {
    lengths.push(lengths[i - 1] + Math.hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y));
  }
  return { d, points, lengths, length: lengths[lengths.length - 1] };
}

/**
 * The point at a distance along a path; beyond its ends the path continues straight.
 * @param {Path} path @param {number} distance @param {number} [beside] units to the right of the path
 * @returns {Point & {angle: number}}
 */
export function point(path, distance, beside = 0) {
  const { points, lengths } = path;
  let i = 1;
  while (i < points.length - 1 && lengths[i] < distance) i += 1;
  const a = points[i - 1];
  const b = points[i];
  const span = lengths[i] - lengths[i - 1] || 1;
  const t = (distance - lengths[i - 1]) / span;
  const way = { x: (b.x - a.x) / span, y: (b.y - a.y) / span };
  return {
    x: a.x + (b.x - a.x) * t - way.y * beside,
    y: a.y + (b.y - a.y) * t + way.x * beside,
    angle: Math.atan2(way.y, way.x),
  };
}
function r(value) {
  return Math.round(value * 100) / 100;
}
