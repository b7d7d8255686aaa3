/**
 * Dataflow in layers: the flow goes from left to right, on a narrow stage from top to bottom; channels that lead back
 * go around, below the processes or beside them. A few processes are boxes with slim channels, many are small with thin
 * lines. Computes.
 *
 * A place is computed along the flow (`u`) and across it (`v`), and rotated at the end. A recorded copy is beside its
 * node across the flow, so that both ends of the flow and the other side are free for channels.
 */

import { DOT, MOST, TIP as THIN } from "./geometry-grid.js";
import { BANDS, BENDS, boxes, covered, FEW, LEAST, ringed, TIP, TOUCH } from "./geometry-wires.js";
import { cubic, rounded } from "./paths.js";
import { arrowhead, THREAD } from "./plan.js";
import { stationed } from "./stations.js";

/** Space kept free around everything. */
export const EDGE = 14;
/** More processes than this are drawn small, without copies beside them, on thin lines. */
export const MANY = 12;
/** The widest stage on which the flow may go from top to bottom. */
export const NARROW = 520;
/**
 * Free space by size: between two layers (the least, what three messages need besides recorded content, and the most),
 * and between two processes of a layer.
 */
export const GAPS = {
  few: { along: 96, ample: 184, most: 260, across: 26 },
  small: { along: 74, ample: 156, most: 200, across: 22 },
  narrow: { along: 54, ample: 54, most: 90, across: 22 },
  many: { along: 44, ample: 44, most: 120, across: 16 },
};
/** How much smaller everything may be drawn to give channels ample room. */
export const SLIGHT = 0.9;
/** From the lowest process to what leads back below it, and from one such channel to the next. */
export const UNDER = 26;
export const NEXT = 26;
/** The same with many processes. */
export const CLOSE = 11;
/** Between two channels that meet the same side of a node, if there is room. */
export const COMB = 30;
/** The radius of the corners of channels that go around. */
export const ROUND = 18;
/** A channel longer than this has room for its recorded content before a second message; and on a narrow stage. */
export const SHORT = 44;
export const LONGER = 90;
/** The part of a channel at which its recorded content is printed: between the first messages and the later ones. */
export const EARLY = 0.4;
/** Widths of that content, tried in turn: items matter more. */
export const BADGES = [34, 26, 22];
/** The least room for a state, in rows and in em per row: an operator starts with nothing. */
export const ROWS = 2;
export const LINE = 4.5;
/** Bends of a channel that skips layers, in turn, to either side. */
export const WIDER = [...BENDS, 180, 220, 270];

/** @returns {import("./plan.js").Plan} */
export function layers(places, channels, size, content) {
  const narrow = size.width < NARROW;
  const level = measures(places, channels, content, narrow, false);
  if (!narrow) return drawn(places, channels, size, level);
  const upright = measures(places, channels, content, narrow, true);
  const larger = (one, other) => Math.min(1, one) > Math.min(1, other);
  const across = size.width / level.need.u;
  const down = size.width / upright.need.v;
  const turned = larger(Math.min(down, size.height / upright.need.u), Math.min(across, size.height / level.need.v));
  // The stage's preferred height depends on its width only: otherwise the layout would not settle.
  const tall = Math.round(larger(down, across) ? upright.need.u * fitting(down) : level.need.v * fitting(across));
  return { ...drawn(places, channels, size, turned ? upright : level), tall };
}

/** How large everything is drawn if only the width is limited. */
function fitting(zoom) {
  return Math.max(LEAST, Math.min(1.2, zoom));
}

/** How large everything is, and how much room that needs. */
function measures(places, channels, content, narrow, turned) {
  const n = places.length;
  const many = n > MANY;
  const small = many || narrow || n > FEW;
  const box = many ? { w: 46, h: 22, card: { w: 0, h: 0 } } : boxes({ ...content, rows: Math.max(content.rows, ROWS), line: Math.max(content.line, LINE) }, small);
  const gaps = GAPS[many ? "many" : narrow ? "narrow" : small ? "small" : "few"];
  const thread = many ? 0 : THREAD;
  const node = turned ? { u: box.h, v: box.w } : { u: box.w, v: box.h };
  const card = turned ? { u: box.card.h, v: box.card.w } : { u: box.card.w, v: box.card.h };
  const along = Math.max(node.u, card.u);
  const slot = card.v + thread + node.v;
  const columns = new Set(places.map((p) => Math.round(p.x * 1e4))).size;
  const rows = deepest(places);
  const around = channels.filter((c) => c.against).length;
  const under = many ? CLOSE : UNDER;
  const below = around ? under + (around - 1) * next(around, many) + (many ? 4 : 10) : 0;
  const need = {
    u: columns * along + (columns - 1) * gaps.along + 2 * EDGE,
    v: rows * slot + (rows - 1) * gaps.across + 2 * EDGE + below,
  };
  return { narrow, turned, many, small, box, gaps, thread, node, card, along, slot, columns, rows, around, under, below, need };
}

/** The distance between channels that lead back, given their number. */
function next(around, many) {
  return many ? Math.min(CLOSE, 66 / around) : Math.min(NEXT, 104 / around);
}

/** How many nodes high the layers are. */
function deepest(places) {
  let rows = 1;
  places.forEach((p, i) => {
    rows = Math.max(rows, 0.5 / Math.max(0.01, Math.min(p.y, 1 - p.y)));
    for (const q of places.slice(i + 1)) if (Math.abs(p.x - q.x) < 1e-3) rows = Math.max(rows, 1 / Math.max(0.01, Math.abs(p.y - q.y)));
  });
  return rows;
}

function drawn(places, channels, size, all) {
  const { turned, many, small, box, gaps, node, card, need } = all;
  const room = turned ? { u: size.height, v: size.width } : { u: size.width, v: size.height };
  // A large stage makes channels longer before it makes everything larger.
  const ample = room.u / (need.u + (all.columns - 1) * (gaps.ample - gaps.along));
  const eased = Math.min(many ? 1.5 : 1.8, ample, room.u / (need.u * 1.25), room.v / (need.v * 1.15));
  const zoom = Math.max(LEAST, Math.min(1, room.u / need.u, room.v / need.v, Math.max(SLIGHT, ample)), eased);
  const [wide, deep] = [room.u / zoom, room.v / zoom];
  const inner = Math.min(wide - 2 * EDGE - all.along, (all.columns - 1) * (all.along + gaps.most));
  const pitch = all.slot + gaps.across + Math.max(0, Math.min(120, (deep - need.v) / all.rows));
  // Channels that go around use free room below.
  const under = all.under + (all.around ? Math.max(0, Math.min(many ? 4 : 22, (deep - need.v) * 0.12)) : 0);
  const block = all.rows * pitch - gaps.across + all.below + under - all.under;
  const top = (deep - block) / 2 - gaps.across / 2;
  const spots = places.map((p) => ({
    u: (wide - inner) / 2 + (all.columns > 1 ? p.x : 0.5) * inner,
    v: top + p.y * all.rows * pitch + (all.thread + card.v) / 2,
  }));
  const at = (u, v) => (turned ? { x: v, y: u } : { x: u, y: v });
  const nodes = spots.map(({ u, v }) => ({ ...at(u, v), w: box.w, h: box.h }));
  const apart = node.v / 2 + all.thread + card.v / 2;
  const cards = many ? nodes : spots.map(({ u, v }) => ({ ...at(u, v - apart), ...box.card }));
  const measure = BANDS[small ? 1 : 0];
  const style = {
    at,
    node,
    band: many ? 2 : measure.band,
    comb: many ? 7 : COMB,
    into: many ? THIN + 1 : TIP + TOUCH,
    head: (path, tube) => (many ? arrowhead(path, 0, THIN, 2.8) : arrowhead(path, 0, TIP, Math.max(3.5, tube / 2 + 2.5))),
    print: many ? 0.4 : 0.45,
  };
  const bare = [];
  onward(bare, channels, spots, nodes, cards, inner / Math.max(1, all.columns - 1), style);
  const bounds = many
    ? spots.map(({ u, v }) => ({ u, v, hu: node.u / 2 + 3, low: v - node.v / 2 - 3, high: v + node.v / 2 + 3 }))
    : spots.map(({ u, v }) => ({ u, v, hu: all.along / 2 + 5, low: v - node.v / 2 - all.thread - card.v - 4, high: v + node.v / 2 + 5 }));
  around(bare, channels, spots, bounds, gutter(all, inner), { ...all, under }, style);
  const shape = { width: turned ? deep : wide, height: turned ? wide : deep, zoom, nodes, cards };
  if (many) {
    const sizes = { w: DOT + 4, h: DOT, most: MOST, badges: [16], tall: 10, sheet: { w: 8, h: 10 } };
    const taken = nodes.map((one) => ({ ...one, w: one.w + 5, h: one.h + 5 }));
    return { look: "grid", ...shape, tracks: stationed(bare, taken, sizes), pill: DOT - 1, wide: DOT, font: 8, rows: 0 };
  }
  const { pill, font } = measure;
  const sizes = { ...pill, most: 8, badges: BADGES, tall: pill.h, sheet: { w: 14, h: 17 }, long: all.narrow ? LONGER : SHORT, middle: EARLY };
  const taken = [...nodes.map(ringed), ...cards.map((one) => ({ ...one, w: one.w + 4, h: one.h + 4 }))];
  return { look: "wires", ...shape, tracks: stationed(bare, taken, sizes), pill: pill.h, wide: pill.w, font, rows: small ? 0 : 3, foot: box.foot };
}

/** From the middle of a node to the middle between two layers. */
function gutter(all, inner) {
  return all.columns > 1 ? inner / (all.columns - 1) / 2 : all.along / 2 + all.gaps.along / 2;
}

/** Where `count` ends stand along a side of that length, beside its middle, and how far apart. */
function comb(count, side, wish) {
  const gap = count > 1 ? Math.min(wish, side / (count - 1)) : wish;
  return { gap, places: Array.from({ length: count }, (_, i) => (i - (count - 1) / 2) * gap) };
}

/** Channels along the flow: from side to side, in the order of their directions, bent if a process is in the way. */
function onward(bare, channels, spots, nodes, cards, step, style) {
  const { at, node, band } = style;
  const flow = channels.filter((c) => !c.against);
  const ends = flow.map((c) => ({ c, tube: band, out: 0, into: 0 }));
  spots.forEach((_, i) => {
    for (const [mine, other, key] of [["from", "to", "out"], ["to", "from", "into"]]) {
      const here = ends.filter((end) => end.c[mine] === i);
      here.sort((p, q) => spots[p.c[other]].v - spots[q.c[other]].v);
      const { gap, places } = comb(here.length, node.v - 16, style.comb);
      here.forEach((end, k) => {
        end[key] = places[k];
        end.tube = Math.max(2, Math.min(end.tube, gap - 4));
      });
    }
  });
  for (const { c, tube, out, into } of ends) {
    const [a, b] = [spots[c.from], spots[c.to]];
    const start = { u: a.u + node.u / 2, v: a.v + out };
    const stop = { u: b.u - node.u / 2 - style.into, v: b.v + into };
    const pull = (stop.u - start.u) * 0.42;
    const path = (bend) =>
      cubic(at(start.u, start.v), at(start.u + pull, start.v + bend), at(stop.u - pull, stop.v + bend), at(stop.u, stop.v));
    const others = [nodes, cards].flatMap((set) => set.filter((_, i) => i !== c.from && i !== c.to));
    let best = { path: path(0), cost: Infinity };
    for (const by of b.u - a.u > step * 1.5 ? WIDER : [0]) {
      for (const bend of by ? [by, -by] : [0]) {
        const way = path(bend);
        const cost = covered(way, others, tube / 2 + 6) + by * 0.03;
        if (cost < best.cost) best = { path: way, cost };
      }
    }
    bare[c.i] = track(best.path, tube, style);
  }
}

/**
 * Channels against the flow: from below a node, beneath everything in between, to below another; the shorter ones
 * inside. If something is below a node, they go down beside its layer.
 */
function around(bare, channels, spots, bounds, gutter, all, style) {
  const { at, node } = style;
  const span = (c) => Math.abs(spots[c.from].u - spots[c.to].u);
  const back = channels.filter((c) => c.against).sort((p, q) => span(p) - span(q));
  const ends = back.map((c) => ({ c, tube: style.band, out: 0, into: 0 }));
  spots.forEach((_, i) => {
    const leaving = ends.filter((end) => end.c.from === i);
    const coming = ends.filter((end) => end.c.to === i).reverse();
    const { gap, places } = comb(leaving.length + coming.length, node.u - 20, style.comb);
    [...leaving, ...coming].forEach((end, k) => {
      end[end.c.from === i ? "out" : "into"] = places[k];
      end.tube = Math.max(2, Math.min(end.tube, gap - 4));
    });
  });
  const apart = next(all.around, all.many);
  const used = [];
  for (const { c, tube, out, into } of ends) {
    const [a, b] = [spots[c.from], spots[c.to]];
    const [start, stop] = [{ u: a.u + out, v: a.v + node.v / 2 }, { u: b.u + into, v: b.v + node.v / 2 }];
    const [left, right] = [Math.min(start.u, stop.u), Math.max(start.u, stop.u)];
    const free = (v) =>
      v > Math.max(start.v, stop.v) &&
      !bounds.some((box) => box.u + box.hu > left && box.u - box.hu < right && v > box.low - all.under / 2 && v < box.high + all.under / 2) &&
      !used.some((one) => one.left < right && one.right > left && Math.abs(one.v - v) < apart - 1);
    const floor = Math.max(...bounds.filter((box) => box.u + box.hu > left && box.u - box.hu < right).map((box) => box.high), start.v, stop.v) - 5;
    const levels = [...new Set(bounds.map((box) => box.high - 5))].filter((v) => v < floor).sort((p, q) => p - q);
    const lowest = Array.from({ length: back.length }, (_, k) => floor + all.under + k * apart);
    const v = [...levels.map((one) => one + all.under), ...lowest].find(free) ?? lowest.at(-1);
    used.push({ left, right, v });
    const leg = (end, away) => {
      const blocked = bounds.some((box) => Math.abs(box.u - end.u) < box.hu && box.low > end.v && box.low < v);
      if (!blocked) return [at(end.u, end.v), at(end.u, v)];
      const [ledge, beside] = [end.v + all.under / 2, end.u + away];
      return [at(end.u, end.v), at(end.u, ledge), at(beside, ledge), at(beside, v)];
    };
    const last = leg({ ...stop, v: stop.v + style.into }, gutter).reverse();
    bare[c.i] = track(rounded([...leg(start, -gutter), ...last], all.many ? 8 : ROUND), tube, style);
  }
}

function track(path, tube, style) {
  return { path, tube, head: style.head(path, tube), lane: path, label: path.points[0], room: path.length, print: style.print };
}
