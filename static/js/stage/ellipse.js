/** Where processes stand on an ellipse. Pure functions. */

/**
 * The places on the ellipse, rotated so that the nearest two are farthest apart, measured in boxes of w by h.
 * @returns {Point[]}
 */
export function turned(places, centre, rx, ry, w, h) {
  const rim = places.filter((p) => Math.hypot(p.x - 0.5, p.y - 0.5) > 0.4).length;
  let best = null;
  // Four are on corners: their diagonals cross in the middle, and nothing is in the way.
  for (const by of rim === 4 ? [Math.PI / 4] : [0, Math.PI / rim, Math.PI / 2]) {
    const found = around(places, centre, rx, ry, by);
    let least = Infinity;
    found.forEach((a, i) => {
      for (const b of found.slice(i + 1)) least = Math.min(least, Math.max(Math.abs(a.x - b.x) / w, Math.abs(a.y - b.y) / h));
    });
    if (!best || least > best.least + 0.1) best = { found, least };
  }
  return best.found;
}

/**
 * Places on the rim of a circle, moved to an ellipse with equal distances along it; a place in the middle stays there.
 * @returns {Point[]}
 */
function around(places, centre, rx, ry, by = 0) {
  const on = (p) => Math.hypot(p.x - 0.5, p.y - 0.5) > 0.4;
  const rim = places.filter(on).length;
  const turn = (p) => (Math.atan2(p.y - 0.5, p.x - 0.5) + Math.PI / 2 + by + 4 * Math.PI + 1e-9) % (2 * Math.PI);
  const steps = 720;
  const sums = [0];
  const at = (i) => {
    const angle = (i / steps) * 2 * Math.PI - Math.PI / 2;
    return { x: centre.x + rx * Math.cos(angle), y: centre.y + ry * Math.sin(angle) };
  };
  for (let i = 1; i <= steps; i += 1) {
    const a = at(i - 1);
    const b = at(i);
    sums.push(sums[i - 1] + Math.hypot(b.x - a.x, b.y - a.y));
  }
  return places.map((p) => {
    if (!on(p)) return { x: centre.x + (p.x - 0.5) * 2 * rx, y: centre.y + (p.y - 0.5) * 2 * ry };
    if (rim < 5) {
      // A few are on the corners of a box, not on its rounded rim: there is more room between them.
      const [x, y] = [Math.sin(turn(p)), -Math.cos(turn(p))];
      const stretch = rim === 4 && by ? 1.3 : 1;
      return { x: centre.x + Math.max(-1, Math.min(1, x * stretch)) * rx, y: centre.y + Math.max(-1, Math.min(1, y * stretch)) * ry };
    }
    const goal = (turn(p) / (2 * Math.PI)) * sums[steps];
    let i = 0;
    while (i < steps && sums[i] < goal) i += 1;
    return at(i);
  });
}

