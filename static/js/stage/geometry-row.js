/** Processes in a row: straight tubes with captions, copies hang below. Computes. */

import { straight } from "./paths.js";
import { arrowhead, GAP, HEAD, MARGIN, ROOMY, THREAD } from "./plan.js";

/** Half the distance between the two tubes of a pair in a row. */
export const APART = 44;
/** From a node's upper edge to a line above it. */
export const ABOVE = 21;

/** @returns {import("./plan.js").Plan} */
export function row(places, channels, size, content) {
  const n = places.length;
  const w = Math.max(n > 3 ? 92 : 116, Math.min(180, 18 * content.name + 36, 220), Math.min(190, 15 * content.line + 56));
  const foot = content.foot ? 26 : 0;
  const h = (content.rows ? 50 + 24 * Math.min(content.rows, 5) : 92) + foot;
  const narrow = n > 3 || size.width < 480;
  const sheet = Math.max(w, narrow ? 124 : 164);
  const lines = Math.ceil((content.rows * (content.line * 14 + 12)) / (sheet - 16));
  const card = { w: sheet, h: content.rows ? 42 + 20 * Math.min(lines, 3) : 62 };
  const tube = n > 3 ? 96 : 132;
  const pairs = channels.some((c) => c.back >= 0);
  // Between two processes with one channel, a fault has a line of its own above their boxes.
  const alone = n === 2 && !pairs;
  const reach = Math.max(h / 2, pairs ? APART + 38 : alone ? h / 2 + ABOVE + 12 : 30) + 8;
  const need = { w: n * card.w + (n - 1) * tube + 2 * MARGIN, h: reach + h / 2 + THREAD + 10 + card.h + 12 };
  const zoom = Math.max(0.45, Math.min(2.2, size.width / need.w, size.height / need.h));
  const width = size.width / zoom;
  const height = size.height / zoom;
  const y = Math.max(0, height - need.h) / 2 + reach;
  const inner = Math.min(width - 2 * MARGIN - card.w, (n - 1) * 620);
  const side = (width - inner) / 2;
  const nodes = places.map((p) => ({ x: n === 1 ? width / 2 : side + p.x * inner, y, w, h }));
  const cards = nodes.map((node) => ({ x: node.x, y: y + h / 2 + THREAD + 10 + card.h / 2, ...card }));
  const thick = 38;
  const tracks = channels.map((c) => {
    const a = nodes[c.from];
    const b = nodes[c.to];
    const right = b.x > a.x;
    const lift = c.back < 0 ? 0 : right ? -APART : APART;
    const from = { x: a.x + (right ? 1 : -1) * (a.w / 2 + GAP + thick / 2), y: y + lift };
    const to = { x: b.x - (right ? 1 : -1) * (b.w / 2 + GAP + HEAD + thick / 2), y: y + lift };
    const path = straight(from, to);
    const inward = lift ? -Math.sign(lift) : 1;
    const lane = straight({ x: from.x, y: from.y + inward * 31 }, { x: to.x, y: to.y + inward * 31 });
    const outward = lift > 0 ? 1 : -1;
    // If processes are close, a caption keeps its distance from both.
    const close = n > 3 && !lift;
    const label = { x: (from.x + to.x) / 2 + (close ? ((right ? 1 : -1) * HEAD) / 2 : 0), y: from.y + outward * (thick / 2 + 16) };
    // Below, the caption is between the two copies; above low nodes its width is free.
    const over = lift < 0 && h / 2 < APART + 17;
    const room = lift > 0 ? Math.abs(b.x - a.x) - card.w - 16 : over ? Math.abs(b.x - a.x) - 16 : path.length + thick + (close ? 28 : 40);
    const wrong = alone ? { x: label.x, y: y - h / 2 - ABOVE } : null;
    return { path, wrong, tube: thick, head: arrowhead(path, thick / 2 + 4, 13, 8), lane, label, room, inner: lift || right ? 1 : -1, print: 0.5, ...ROOMY };
  });
  const tall = Math.round(need.h * Math.max(0.45, Math.min(2.2, size.width / need.w)));
  return { look: "row", tall, width, height, zoom, nodes, cards, tracks, pill: 28, wide: 120, font: 14, rows: 5, foot };
}
