/** Many processes: small nodes with their names, thin straight channels, states on hover. Computes. */

import { straight } from "./paths.js";
import { arrowhead, MARGIN } from "./plan.js";
import { stationed } from "./stations.js";

/** The least room for a process, in stage units. */
export const CELL = { w: 58, h: 40 };
/** The distance of a pair's two lines from their middle. */
export const SHIFT = 4;
/** How long an arrowhead is. */
export const TIP = 6;
/** A message, how many of them a line shows before it counts, and the font of names. */
export const DOT = 9;
export const MOST = 3;
export const FONT = 11;

/** @returns {import("./plan.js").Plan} */
export function grid(places, channels, size) {
  const n = places.length;
  const columns = Math.ceil(Math.sqrt(2 * n));
  const rows = Math.ceil(n / columns);
  const tall = size.height > size.width;
  const across = tall ? rows : columns;
  const down = tall ? columns : rows;
  const zoom = Math.max(0.4, Math.min(1.5, size.width / (across * CELL.w + 2 * MARGIN), size.height / (down * CELL.h + 2 * MARGIN)));
  const width = size.width / zoom;
  const height = size.height / zoom;
  const cell = { w: (width - 2 * MARGIN) / (across + 0.5), h: (height - 2 * MARGIN) / down };
  const node = { w: Math.min(46, cell.w * 0.68), h: Math.min(22, cell.h * 0.46) };
  const low = MARGIN + node.h / 2 - 4;
  const nodes = places.map((p) => ({
    x: MARGIN + node.w / 2 - 4 + (tall ? p.y : p.x) * (width - 2 * MARGIN - node.w + 8),
    y: low + (tall ? p.x : p.y) * (height - 2 * low - 4),
    ...node,
  }));
  // The copy is the box itself, filled: there is no room for a second one.
  const tracks = channels.map((c) => line(nodes[c.from], nodes[c.to], c.back >= 0 ? SHIFT : 0));
  const sizes = { w: DOT + 4, h: DOT, most: MOST, badges: [16], tall: 10, sheet: { w: 8, h: 10 } };
  const taken = nodes.map((box) => ({ ...box, w: box.w + 5, h: box.h + 5 }));
  return { look: "grid", width, height, zoom, nodes, cards: nodes, tracks: stationed(tracks, taken, sizes), pill: DOT - 1, wide: DOT, font: 8, rows: 0 };
}

function line(a, b, shift) {
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const way = { x: (b.x - a.x) / far, y: (b.y - a.y) / far };
  const start = { x: a.x - way.y * shift, y: a.y + way.x * shift };
  const stop = { x: b.x - way.y * shift, y: b.y + way.x * shift };
  const out = leave(start, way, a);
  const into = leave(stop, { x: -way.x, y: -way.y }, b) + TIP + 1;
  const path = straight({ x: start.x + way.x * out, y: start.y + way.y * out }, { x: stop.x - way.x * into, y: stop.y - way.y * into });
  return { path, tube: 2, head: arrowhead(path, 0, TIP, 2.8), lane: path, label: path.points[0], room: path.length, print: 0.4 };
}

/** The distance from `start` in direction `way` to the edge of the box. */
function leave(start, way, box) {
  const tx = way.x > 0 ? (box.x + box.w / 2 - start.x) / way.x : way.x < 0 ? (box.x - box.w / 2 - start.x) / way.x : Infinity;
  const ty = way.y > 0 ? (box.y + box.h / 2 - start.y) / way.y : way.y < 0 ? (box.y - box.h / 2 - start.y) / way.y : Infinity;
  return Math.max(0, Math.min(tx, ty));
}
