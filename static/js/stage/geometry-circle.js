/** Few processes on a circle: curved tubes that keep apart, copies outside. Computes. */

import { turned } from "./ellipse.js";
import { cubic, offset, point } from "./paths.js";
import { arrowhead, HEAD, MARGIN, ROOMY, THREAD } from "./plan.js";

/** How far a curved tube bows out, as a part of its length; together with SIDE it keeps pairs apart. */
export const BOW = 0.09;
/** Free space between the two tubes of a curved pair at a node. */
export const SIDE = 5;
/** From a node to the ellipse on which its tubes begin and end. */
export const HALO = 16;
/** The angle to both sides of a node's copy that is free of tubes. */
export const CLOSED = (52 * Math.PI) / 180;
/** How far a tube is bent towards the middle of a circle if another node is in its way, tried in turn. */
export const DETOURS = [0, 24, 48, 72, 100, 130];

/** @returns {import("./plan.js").Plan} */
export function circle(places, channels, size, content) {
  const rows = Math.min(content.rows, 3);
  const w = Math.max(84, Math.min(136, Math.max(content.name * 15 + 26, content.rows ? 13 * content.line + 30 : content.value * 18 + 24)));
  const h = rows ? 26 + 17 * rows + 5 : 54;
  const card = { w: w + 12, h: 24 };
  const slot = h + THREAD + card.h;
  const need = { w: w * 3 + 170, h: slot * 2 + 112 };
  // A large stage makes tubes longer before it makes everything larger.
  const ease = { w: need.w * 1.4, h: need.h * 1.35 };
  const zoom = Math.max(
    Math.max(0.45, Math.min(1, size.width / need.w, size.height / need.h)),
    Math.min(2, size.width / ease.w, size.height / ease.h),
  );
  const width = size.width / zoom;
  const height = size.height / zoom;
  const centre = { x: width / 2, y: height / 2 };
  const rx = Math.min(width / 2 - MARGIN - card.w / 2, Math.max(height, 240) * 1.2);
  const ry = height / 2 - 8 - slot + h / 2;
  const nodes = turned(places, centre, rx, ry, w + 80, slot + 30).map((p) => ({ x: p.x, y: p.y, w, h }));
  // A copy hangs outside the circle, where no tube passes: above the upper processes, below all others.
  const sides = nodes.map((node) => (node.y < centre.y - 4 ? -1 : 1));
  const cards = nodes.map((node, i) => ({ x: node.x, y: node.y + sides[i] * (h / 2 + THREAD + card.h / 2), ...card }));
  const { ports, room } = dock(nodes, sides, channels, 24 + SIDE);
  const tube = Math.max(3, room - SIDE);
  const pill = Math.max(tube - 4, 16);
  const tracks = channels.map((c) => {
    const others = nodes.filter((_, i) => i !== c.from && i !== c.to);
    return clear(ports[2 * c.i], ports[2 * c.i + 1], c.back >= 0, tube, others, centre);
  });
  return { look: "circle", width, height, zoom, nodes, cards, tracks, pill, wide: 60, font: tube >= 22 ? 12.5 : 11, rows: 3 };
}

/**
 * Where tubes meet their nodes: on an ellipse around each, but not at its copy; in the order of their directions, and
 * as far apart as there is room. In a pair, the outgoing one keeps to the right.
 * @returns {{ports: (Point & {nx: number, ny: number})[], room: number}} two ports per channel: where it begins and
 * where it ends, with the normal of the ellipse; `room` is the least distance between two
 */
function dock(nodes, sides, channels, wish) {
  const ends = nodes.map(() => []);
  for (const c of channels) {
    ends[c.from].push({ at: 2 * c.i, other: c.to, lean: 1e-3 });
    ends[c.to].push({ at: 2 * c.i + 1, other: c.from, lean: -1e-3 });
  }
  const rim = ellipse(nodes[0].w / 2 + HALO, nodes[0].h / 2 + HALO);
  const [least, most] = [lengthAt(rim, CLOSED), lengthAt(rim, 2 * Math.PI - CLOSED)];
  const ports = [];
  let room = Infinity;
  nodes.forEach((node, i) => {
    const side = sides[i];
    for (const end of ends[i]) {
      const other = nodes[end.other];
      // As if every copy hung below: above it is the same, mirrored, and so is what is right and left.
      const turn = Math.atan2(-(other.x - node.x) / rim.a, ((other.y - node.y) * side) / rim.b);
      end.turn = (turn + end.lean * side + 2 * Math.PI) % (2 * Math.PI);
      end.want = Math.min(most, Math.max(least, lengthAt(rim, end.turn)));
    }
    ends[i].sort((a, b) => a.turn - b.turn);
    const gap = Math.min(wish, (most - least) / Math.max(1, ends[i].length - 1));
    if (ends[i].length > 1) room = Math.min(room, gap);
    spread(ends[i], gap, least, most);
    for (const end of ends[i]) {
      const turn = turnAt(rim, end.place);
      const [x, y] = [-Math.sin(turn) * rim.a, Math.cos(turn) * rim.b * side];
      const [nx, ny] = [x / rim.a ** 2, y / rim.b ** 2];
      const size = Math.hypot(nx, ny);
      ports[end.at] = { x: node.x + x, y: node.y + y, nx: nx / size, ny: ny / size };
    }
  });
  return { ports, room: Math.min(room, wish) };
}

/** An ellipse and the lengths of its arc, from below clockwise. */
function ellipse(a, b) {
  const lengths = [0];
  for (let i = 1; i <= 360; i += 1) {
    const [s, t] = [((i - 1) * Math.PI) / 180, (i * Math.PI) / 180];
    lengths.push(lengths[i - 1] + Math.hypot(a * (Math.sin(t) - Math.sin(s)), b * (Math.cos(t) - Math.cos(s))));
  }
  return { a, b, lengths };
}

function lengthAt({ lengths }, turn) {
  const at = (turn * 180) / Math.PI;
  const i = Math.min(359, Math.floor(at));
  return lengths[i] + (lengths[i + 1] - lengths[i]) * (at - i);
}

function turnAt({ lengths }, length) {
  let i = 0;
  while (i < 359 && lengths[i + 1] < length) i += 1;
  return ((i + (length - lengths[i]) / (lengths[i + 1] - lengths[i])) * Math.PI) / 180;
}

/** Place every end as near to its ideal place as the distance `gap` to its neighbours allows. */
function spread(ends, gap, least, most) {
  const up = [];
  const down = [];
  ends.forEach((end, i) => {
    up[i] = Math.max(end.want, i ? up[i - 1] + gap : least);
  });
  for (let i = ends.length - 1; i >= 0; i -= 1) down[i] = Math.min(ends[i].want, i < ends.length - 1 ? down[i + 1] - gap : most);
  ends.forEach((end, i) => {
    end.place = (up[i] + down[i]) / 2;
  });
  for (let i = 0; i < ends.length; i += 1) ends[i].place = Math.max(ends[i].place, i ? ends[i - 1].place + gap : least);
  for (let i = ends.length - 1; i >= 0; i -= 1) ends[i].place = Math.min(ends[i].place, i < ends.length - 1 ? ends[i + 1].place - gap : most);
}

/** A tube that passes behind no other node: it is bent towards the middle as far as necessary. */
function clear(a, b, paired, tube, others, centre) {
  let best = null;
  for (const inward of DETOURS) {
    const track = curved(a, b, paired, tube, inward, centre);
    const hits = covered(track.path, others, tube / 2 + 3);
    // A corner that is barely touched is better than a wide detour.
    const cost = hits + inward * 0.04;
    if (!best || cost < best.cost) best = { track, cost };
    if (!hits) break;
  }
  return best.track;
}

/** How many points of the path lie behind the boxes. */
function covered(path, boxes, margin) {
  let hits = 0;
  for (const p of path.points) {
    for (const box of boxes) {
      if (Math.abs(p.x - box.x) < box.w / 2 + margin && Math.abs(p.y - box.y) < box.h / 2 + margin) hits += 1;
    }
  }
  return hits;
}

/** A tube between two ports; each of a pair bows to its own right, and both `inward` units towards the middle. */
function curved(a, b, paired, tube, inward, centre) {
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const along = { x: (b.x - a.x) / far, y: (b.y - a.y) / far };
  const out = tube / 2 - 4;
  const into = HEAD - 6 + tube / 2;
  const pull = Math.min(0.28 * far, 80);
  // Short tubes are straight: there is no room for a curve.
  const square = Math.max(0, Math.min(0.38, (far - 70) / 300));
  const start = lean(a, along, square, out, pull);
  const stop = lean(b, { x: -along.x, y: -along.y }, square, into, pull);
  const bend = paired ? Math.min(14, far * BOW) : 0;
  const middle = { x: centre.x - (a.x + b.x) / 2, y: centre.y - (a.y + b.y) / 2 };
  const away = Math.hypot(middle.x, middle.y) || 1;
  const dx = (middle.x / away) * inward - along.y * bend;
  const dy = (middle.y / away) * inward + along.x * bend;
  const c1 = { x: start.control.x + dx, y: start.control.y + dy };
  const c2 = { x: stop.control.x + dx, y: stop.control.y + dy };
  const path = cubic(start.at, c1, c2, stop.at);
  const beside = tube / 2 + 9;
  return {
    path,
    tube,
    head: arrowhead(path, tube / 2 + 2, tube > 12 ? 10 : 7, tube > 12 ? 7 : 4),
    lane: offset(path, beside),
    label: point(path, path.length / 2, beside + 8),
    room: path.length,
    print: 0.3,
    ...ROOMY,
  };
}

/** Where a tube begins at a port, and where its curve is drawn to: between straight out and straight on. */
function lean(port, along, square, away, pull) {
  const mix = { x: port.nx * square + along.x * (1 - square), y: port.ny * square + along.y * (1 - square) };
  const size = Math.hypot(mix.x, mix.y) || 1;
  const way = { x: mix.x / size, y: mix.y / size };
  const at = { x: port.x + way.x * away, y: port.y + way.y * away };
  return { at, control: { x: at.x + way.x * pull, y: at.y + way.y * pull } };
}
