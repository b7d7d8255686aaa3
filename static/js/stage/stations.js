/**
 * Stations: the places along crossing channels where messages rest and recorded content is printed. They are assigned
 * once, with the plan, so that nothing ever covers anything else, whatever the channels hold. Computes.
 */

import { point } from "./paths.js";

/** Steps in which a path is searched for a free place. */
const STEP = 3;
/** Free space around a station. */
const AIR = 1.5;
/** How small a station may become if there is little room, tried in turn. */
const SCALES = [1, 0.75, 0.55];
/** The first station of a channel is never omitted for its size. */
const ANY = [...SCALES, 0.36];
/** A channel as long as this gets a badge before a second station, by default. */
const LONG = 96;
/** The part of a channel where its badge is searched, by default. */
const MIDDLE = 0.45;
/** How far from its ideal place a place is searched. */
const FAR = 150;
/** The width of a cell in the map of taken places. */
const CELL = 40;

/**
 * @param {import("./plan.js").Track[]} tracks without stations
 * @param {import("./plan.js").Box[]} taken by processes and copies
 * @param {{w: number, h: number, most: number, badges: number[], tall: number, sheet: {w: number, h: number},
 *   long?: number, middle?: number}} sizes of a station, how many a channel may have, the widths of a badge that are
 * tried in turn, its height, and a sheet's; how long a channel is that has a badge before it has a second station, and
 * the part of it at which the badge is looked for
 * @returns {import("./plan.js").Track[]}
 */
export function stationed(tracks, taken, sizes) {
  const map = chart(taken);
  const made = tracks.map((track) => ({ ...track, stations: [], badge: null, sheet: null }));
  // The channel with the least room chooses first.
  const order = [...made].sort((a, b) => a.path.length - b.path.length);
  // If nothing was free, nothing will be: places are never released.
  const full = new Set();
  const fill = (scales) => {
    for (const track of order) {
      const last = track.stations.at(-1);
      if (full.has(track) || track.stations.length >= sizes.most) continue;
      const found = seek(map, track.path, downwards(last ? last.at : track.path.length), sizes, scales);
      if (found) track.stations.push(found);
      else full.add(track);
    }
  };
  fill(ANY);
  const lines = beaten(made);
  const pin = (track) => {
    for (const w of sizes.badges) {
      const size = { w, h: sizes.tall };
      const places = track.path.length > 2 * w ? middle(track.path.length, sizes.middle ?? MIDDLE) : [];
      // It is better to avoid other channels than to be exactly in the middle.
      const clear = (at) => lines.alone(track, at, size);
      const found = seek(map, track.path, places, size, [1], clear) ?? seek(map, track.path, places, size, [1]);
      if (found) return { at: found.at, w };
    }
    return null;
  };
  const long = sizes.long ?? LONG;
  for (const track of order) if (track.path.length > long) track.badge = pin(track);
  fill(SCALES);
  for (const track of order) track.badge ??= pin(track);
  for (const track of order) track.sheet = seek(map, track.path, downwards(track.path.length), sizes.sheet, SCALES);
  for (let i = 2; i < sizes.most; i += 1) fill([1]);
  return made;
}

/** Distances towards the beginning of a path. */
function downwards(from, step = STEP, far = FAR) {
  const found = [];
  for (let at = from; at >= Math.max(0, from - far); at -= step) found.push(at);
  return found;
}

/** Distances from that part of the length, the nearest first, then those far from it on the sender's side. */
function middle(length, part) {
  const best = length * part;
  return downwards(Math.min(length * 0.7, best + FAR / 2))
    .filter((at) => at > length * 0.12)
    .sort((a, b) => Math.abs(a - best) - Math.abs(b - best));
}

/** The first free place, as large as possible; `suits` may require more than that. */
function seek(map, path, places, { w, h }, scales, suits = null) {
  for (const scale of scales) {
    for (const at of places) {
      const spot = point(path, at);
      const box = { x: spot.x, y: spot.y, w: w * scale + 2 * AIR, h: h * scale + 2 * AIR };
      if (map.hits(box) || (suits && !suits(at))) continue;
      map.take(box);
      return { at, scale };
    }
  }
  return null;
}

/** A map of the points of all channels, which shows whether a place on one is on no other. */
function beaten(tracks) {
  const cells = new Map();
  const widest = tracks.reduce((most, { tube }) => Math.max(most, tube), 0);
  for (const track of tracks) {
    for (const at of downwards(track.path.length, 6, Infinity)) {
      const { x, y } = point(track.path, at);
      around({ x, y, w: 0, h: 0 }, (cell) => {
        if (!cells.has(cell)) cells.set(cell, []);
        cells.get(cell).push({ x, y, track });
      });
    }
  }
  return {
    alone(track, at, { w, h }) {
      const { x, y } = point(track.path, at);
      const beside = (p) => p.track !== track && Math.abs(p.x - x) < (w + p.track.tube) / 2 && Math.abs(p.y - y) < (h + p.track.tube) / 2;
      return !around({ x, y, w: w + widest, h: h + widest }, (cell) => cells.get(cell)?.some(beside));
    },
  };
}

/** Visit the cells of a map that a box touches, until a visit says that it has found something. */
function around(box, visit) {
  for (let x = Math.floor((box.x - box.w / 2) / CELL); x <= Math.floor((box.x + box.w / 2) / CELL); x += 1) {
    for (let y = Math.floor((box.y - box.h / 2) / CELL); y <= Math.floor((box.y + box.h / 2) / CELL); y += 1) {
      if (visit(x * 65_536 + y)) return true;
    }
  }
  return false;
}

/** The taken boxes, found by the cells of a map. */
function chart(taken) {
  const cells = new Map();
  const meets = (a, b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2;
  const map = {
    take(box) {
      around(box, (cell) => {
        if (!cells.has(cell)) cells.set(cell, []);
        cells.get(cell).push(box);
      });
    },
    hits: (box) => around(box, (cell) => cells.get(cell)?.some((other) => meets(box, other))),
  };
  taken.forEach(map.take);
  return map;
}
