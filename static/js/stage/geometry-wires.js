/**
 * Up to twelve processes with many channels: nodes on an ellipse, channels as slim bands, straight unless a process
 * is in the way. The two directions of a pair run side by side; where a band meets a node, it has a place of its own
 * along the node's sides. Computes.
 */

import { TALLER } from "./foot.js";
import { turned } from "./ellipse.js";
import { cubic } from "./paths.js";
import { arrowhead, MARGIN, THREAD } from "./plan.js";
import { stationed } from "./stations.js";

/** More processes than this are small: their state is one line. */
export const FEW = 6;
/** How thick a band is, between the middles of a pair, and how large a message on it is: with few, and with many. */
export const BANDS = [
  { band: 10, apart: 23, pill: { w: 34, h: 20 }, font: 12.5, badges: [58, 40, 26] },
  { band: 8, apart: 20, pill: { w: 29, h: 17 }, font: 11.5, badges: [46, 34, 22] },
];
/** Free space between bands that meet the same node; from a corner next to its copy. */
export const BETWEEN = 8;
export const CORNER = 5;
/** How long an arrowhead is, and how far it stays from the node. */
export const TIP = 10;
export const TOUCH = 3;
/** How far a band is bent around a process, in turn, to either side. */
export const BENDS = [0, 16, 32, 48, 64, 84, 110, 140];
/** The least sine of the angle between a band and the side that it meets: a flatter one counts as this. */
const FLAT = 0.5;
/** The stage is drawn smaller, in these steps and down to this limit, until nodes are this far apart. */
export const SMALLER = 0.95;
export const LEAST = 0.45;
export const CLEAR = 8;
/** A node with the ring of the acting process, and with the corners of other snapshots. */
const RING = 5;
/** How high the foot of a process of a dataflow is, where its cells are. */
export const FOOT = { small: 16, large: 24 };

/** @returns {import("./plan.js").Plan} */
export function wires(places, channels, size, content) {
  const small = places.length > FEW;
  const measures = BANDS[small ? 1 : 0];
  const { pill, font, badges } = measures;
  const box = boxes(content, small);
  const slot = box.h + THREAD + box.card.h;
  const need = { w: small ? box.w * 6.6 : box.w * 3 + 170, h: small ? slot * 4 : slot * 2 + 112 };
  // A large stage makes bands longer before it makes everything larger.
  const ease = { w: need.w * (small ? 2 : 1.35), h: need.h * (small ? 1.3 : 1.18) };
  let zoom = Math.max(
    Math.max(LEAST, Math.min(1, size.width / need.w, size.height / need.h)),
    Math.min(2, size.width / ease.w, size.height / ease.h),
  );
  let placed = placing(places, size, zoom, box, small);
  while (zoom > LEAST && crowded(placed)) {
    zoom *= SMALLER;
    placed = placing(places, size, zoom, box, small);
  }
  const { width, height, centre, nodes, sides, cards } = placed;
  const bare = [];
  for (const bundle of docked(nodes, cards, sides, channels, measures, centre)) {
    for (const c of bundle.channels) bare[c.i] = track(c, bundle, nodes, measures);
  }
  const tracks = stationed(
    bare,
    [...nodes.map(ringed), ...cards.map((card) => ({ ...card, w: card.w + 4, h: card.h + 4 }))],
    { ...pill, most: 8, badges, tall: pill.h, sheet: { w: 14, h: 17 } },
  );
  return { look: "wires", width, height, zoom, nodes, cards, tracks, pill: pill.h, wide: pill.w, font, rows: small ? 0 : 3, foot: box.foot };
}

/** Where nodes and their copies are on a stage of that scale. */
function placing(places, size, zoom, box, small) {
  const width = size.width / zoom;
  const height = size.height / zoom;
  const slot = box.h + THREAD + box.card.h;
  const centre = { x: width / 2, y: height / 2 };
  const rx = Math.min(width / 2 - MARGIN - box.card.w / 2, Math.max(height, 240) * (small ? 1.7 : 1.2));
  const ry = height / 2 - 10 - slot + box.h / 2;
  const spots = filled(turned(places, centre, rx, ry, box.w + 80, slot + 30), centre, rx, ry);
  const nodes = spots.map((p) => ({ x: p.x, y: p.y, w: box.w, h: box.h }));
  // A copy hangs outside the circle: above the upper processes, below all others.
  const sides = nodes.map((node) => (node.y < centre.y - 4 ? -1 : 1));
  const cards = nodes.map((node, i) => ({ x: node.x, y: node.y + sides[i] * (box.h / 2 + THREAD + box.card.h / 2), ...box.card }));
  return { width, height, centre, nodes, sides, cards };
}

/** Is a node or a copy too near to those of another? */
function crowded({ nodes, cards }) {
  const near = (a, b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 + CLEAR && Math.abs(a.y - b.y) < (a.h + b.h) / 2 + CLEAR;
  const meet = (i, j) => near(nodes[i], nodes[j]) || near(nodes[i], cards[j]) || near(cards[i], nodes[j]) || near(cards[i], cards[j]);
  return nodes.some((_, i) => nodes.some((__, j) => j > i && meet(i, j)));
}

/** How large a node and its copy are: no larger than what they hold. */
export function boxes(content, small) {
  const name = small ? 13 : 15;
  const rows = small ? 0 : Math.min(content.rows, 3);
  const wide = small
    ? Math.max(content.name * name + 22, Math.min(content.value, 5) * 13 + 22)
    : Math.max(content.name * name + 26, content.rows ? 13 * content.line + 30 : content.value * 18 + 24);
  const w = Math.max(small ? 58 : 84, Math.min(small ? 84 : 136, wide));
  const foot = content.foot ? (small ? FOOT.small : FOOT.large) : 0;
  const h = (rows ? 26 + 17 * rows + 5 : small ? 40 : 66) + foot + (small && content.logs ? TALLER : 0);
  return { w, h, foot, card: { w: small ? w : w + 12, h: small ? 20 : 24 } };
}

/** The places stretched to fill the ellipse's box: three would leave a part of it empty. */
function filled(spots, centre, rx, ry) {
  const stretch = (values, middle, reach) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (high - low < reach * 0.5) return (value) => value;
    return (value) => middle - reach + ((value - low) / (high - low)) * 2 * reach;
  };
  const across = stretch(spots.map((p) => p.x), centre.x, rx);
  const down = stretch(spots.map((p) => p.y), centre.y, ry);
  return spots.map((p) => ({ x: across(p.x), y: down(p.y) }));
}

/** A node as what must not be covered: with the ring around it, and the corners on its upper edge. */
export function ringed(node) {
  return { x: node.x, y: node.y - 1.5, w: node.w + 2 * RING, h: node.h + 2 * RING + 3 };
}

/**
 * Channels by pairs of processes, how far each pair is bent around others, and where it meets its two nodes: along
 * their sides, not at the copy, in the order of their directions. If many meet one side, they become slimmer.
 */
function docked(nodes, cards, sides, channels, { band, apart }, centre) {
  const pairs = new Map();
  for (const c of channels) {
    const [a, b] = [Math.min(c.from, c.to), Math.max(c.from, c.to)];
    const key = `${a} ${b}`;
    if (!pairs.has(key)) pairs.set(key, { a, b, channels: [], part: 1, start: nodes[a], stop: nodes[b], bend: 0 });
    pairs.get(key).channels.push(c);
  }
  const bundles = [...pairs.values()];
  for (const bundle of bundles) {
    bundle.wide = bundle.channels.length > 1 ? apart + band : band;
    bundle.bend = bending(bundle, nodes, cards, centre);
  }
  nodes.forEach((node, i) => {
    const ends = bundles.filter((one) => one.a === i || one.b === i).map((bundle) => {
      const begins = bundle.a === i;
      const aim = bent(bundle.start, bundle.stop, bundle.bend).controls[begins ? 0 : 1];
      return { bundle, ...leaving(node, aim, sides[i]), at: begins ? "start" : "stop" };
    });
    for (const [side, least, most] of [[0, CORNER, node.h - 2], [1, node.h + 2, node.h + node.w - 2], [2, node.h + node.w + 2, 2 * node.h + node.w - CORNER]]) {
      const here = ends.filter((end) => end.side === side).sort((p, q) => p.want - q.want);
      for (const end of here) end.takes = end.bundle.wide / Math.max(FLAT, end.steep);
      const part = Math.min(1, (most - least) / here.reduce((sum, end) => sum + end.takes + BETWEEN, -BETWEEN));
      spread(here, part, least, most);
      for (const { bundle, at, place } of here) {
        bundle.part = Math.min(bundle.part, part);
        bundle[`${at}s`] = rim(node, place, sides[i]);
      }
    }
  });
  return bundles.map((one) => ({ ...one, start: one.starts, stop: one.stops }));
}

/**
 * Where a line to another point leaves a node: by which side (0 left, 1 the one without a copy, 2 right), how far
 * along the sides from the corner next to the copy, and how steeply.
 */
function leaving(node, aim, side) {
  const dx = aim.x - node.x || 1e-6;
  const dy = (aim.y - node.y) * side;
  const far = Math.hypot(dx, dy);
  const { w, h } = node;
  if (dy < 0 && -dy * w > Math.abs(dx) * h) return { side: 1, want: h + w / 2 + (dx / -dy) * (h / 2), steep: -dy / far };
  // What would leave at the copy leaves by the corner beside it.
  const y = Math.min(h / 2, (dy / Math.abs(dx)) * (w / 2)) + (dy / far) * 1e-3;
  const steep = Math.abs(dx) / far;
  return dx < 0 ? { side: 0, want: h / 2 - y, steep } : { side: 2, want: h + w + h / 2 + y, steep };
}

/** The point at that distance along the sides. */
function rim(node, place, side) {
  const { w, h } = node;
  const [x, y] = place < h ? [-w / 2, h / 2 - place] : place < h + w ? [place - h - w / 2, -h / 2] : [w / 2, place - h - w - h / 2];
  return { x: node.x + x, y: node.y + y * side };
}

/** Place every end as near to its ideal place as its neighbours allow. */
function spread(ends, part, least, most) {
  const gap = (i) => ((ends[i - 1].takes + ends[i].takes) / 2 + BETWEEN) * part;
  const inset = (end) => (end.takes / 2) * part;
  const up = [];
  const down = [];
  ends.forEach((end, i) => {
    up[i] = Math.max(end.want, i ? up[i - 1] + gap(i) : least + inset(end));
  });
  for (let i = ends.length - 1; i >= 0; i -= 1) {
    down[i] = Math.min(ends[i].want, i < ends.length - 1 ? down[i + 1] - gap(i + 1) : most - inset(ends[i]));
  }
  ends.forEach((end, i) => {
    end.place = Math.max((up[i] + down[i]) / 2, i ? ends[i - 1].place + gap(i) : least + inset(end));
  });
  for (let i = ends.length - 1; i >= 0; i -= 1) {
    ends[i].place = Math.min(ends[i].place, i < ends.length - 1 ? ends[i + 1].place - gap(i + 1) : most - inset(ends[i]));
  }
}

/** How far the bands of a pair are bent around the processes in between: as little as possible. */
function bending(bundle, nodes, cards, centre) {
  const others = [];
  nodes.forEach((node, i) => {
    if (i !== bundle.a && i !== bundle.b) others.push(node, cards[i]);
  });
  const inward = towards(bundle, centre);
  let best = null;
  for (const by of BENDS) {
    for (const bend of by ? [by * inward, -by * inward] : [0]) {
      const cost = covered(bent(bundle.start, bundle.stop, bend), others, bundle.wide / 2 + 6) + by * 0.03;
      if (!best || cost < best.cost) best = { bend, cost };
    }
  }
  return best.bend;
}

/** On which side of the line from a to b the middle of the stage is. */
function towards({ start, stop }, centre) {
  return (stop.x - start.x) * (centre.y - start.y) - (stop.y - start.y) * (centre.x - start.x) < 0 ? -1 : 1;
}

/** A line, or the curve that leaves it by `bend` to its right. */
function bent(start, stop, bend) {
  const far = Math.hypot(stop.x - start.x, stop.y - start.y) || 1;
  const [ux, uy] = [(stop.x - start.x) / far, (stop.y - start.y) / far];
  const [nx, ny] = [-uy * bend, ux * bend];
  const third = far * 0.3;
  const controls = [
    { x: start.x + ux * third + nx, y: start.y + uy * third + ny },
    { x: stop.x - ux * third + nx, y: stop.y - uy * third + ny },
  ];
  return { ...cubic(start, ...controls, stop), controls };
}

/** How many points of the path lie behind the boxes. */
export function covered(path, around, margin) {
  let hits = 0;
  for (const p of path.points) {
    for (const box of around) {
      if (Math.abs(p.x - box.x) < box.w / 2 + margin && Math.abs(p.y - box.y) < box.h / 2 + margin) hits += 1;
    }
  }
  return hits;
}

/** One channel of a bundle: on its own right side of the axis, from edge to edge. */
function track(c, bundle, nodes, measures) {
  const { bend, part } = bundle;
  const band = Math.max(2, measures.band * part);
  const apart = measures.apart * part;
  const along = c.from === bundle.a;
  const [a, b] = along ? [bundle.start, bundle.stop] : [bundle.stop, bundle.start];
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const way = { x: (b.x - a.x) / far, y: (b.y - a.y) / far };
  const beside = bundle.channels.length > 1 ? apart / 2 : 0;
  const shift = { x: -way.y * beside, y: way.x * beside };
  // A curve leaves in the direction of its first control point.
  const rise = (along ? bend : -bend) / (far * 0.3 || 1);
  const out = turn(way, rise);
  const into = turn({ x: -way.x, y: -way.y }, -rise);
  const start = edge({ x: a.x + shift.x, y: a.y + shift.y }, out, nodes[c.from], 0);
  const stop = edge({ x: b.x + shift.x, y: b.y + shift.y }, into, nodes[c.to], TIP + TOUCH);
  const path = bent(start, stop, along ? bend : -bend);
  const head = arrowhead(path, 0, TIP, Math.max(3.5, band / 2 + 2.5));
  return { path, tube: band, head, lane: path, label: path.points[16], room: path.length, print: 0.45 };
}

/** A direction turned by a slope to its right. */
function turn(way, slope) {
  const size = Math.hypot(1, slope);
  return { x: (way.x - way.y * slope) / size, y: (way.y + way.x * slope) / size };
}

/** Where the line through `from` in that direction leaves the box, and `beyond` units more. */
function edge(from, way, box, beyond) {
  const exit = (at, d, middle, half) => (d ? (middle + Math.sign(d) * half - at) / d : Infinity);
  const enter = (at, d, middle, half) => (d ? (middle - Math.sign(d) * half - at) / d : Math.abs(at - middle) < half ? -Infinity : Infinity);
  const last = Math.min(exit(from.x, way.x, box.x, box.w / 2), exit(from.y, way.y, box.y, box.h / 2));
  const first = Math.max(enter(from.x, way.x, box.x, box.w / 2), enter(from.y, way.y, box.y, box.h / 2));
  // A band that would pass the corner begins beside it.
  const at = (first < last ? last : 0) + beyond;
  return { x: from.x + way.x * at, y: from.y + way.y * at };
}
