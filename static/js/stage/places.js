/**
 * Where the messages of a queue are in their channel: as far as they have come, in their order, and never touching. The
 * rules are those of app/pictures/stage/queue_places.py. Pure functions, but for the crowd.
 */

import { point } from "./paths.js";

/** @import { Path, Rest, Station, Stretch } from "./types.js" */

/**
 * @typedef {{path: Path, stretches: Stretch[], home: Station | null, gap: number, wide: number, high: number,
 * least: number}} Wire a channel that others may cross; `wide`, `high`: the size of a message that needs its gap;
 * `least`: how small messages may be so that their letters can be read
 * @typedef {[x: number, y: number, w: number, h: number][]} Crowd the messages that have their places on crossing
 * channels: their middles, and half their sizes
 */

/** Free space between two messages in a tube, and before the first. */
const SPACE = 5;
/** The width of the "+n" that counts what does not fit. */
const COUNTER = 30;
/** How small messages on a wire may be if there is little room, tried in turn. */
const SCALES = [1, 0.8, 0.62];
/** The interval at which a free place is searched for on a crossing channel. */
const STEP = 4;
/** Between messages of different channels, at either side, and between two of the same one. */
const AIR = 1.6;
const EDGE = 3;

/** The messages from the head on; in a `loose` channel one may have passed another. @param {number[]} wants
 * @param {boolean} loose */
function order(wants, loose) {
  const line = wants.map((_, i) => i);
  return loose ? line.sort((a, b) => wants[b] - wants[a]) : line;
}

/**
 * In a tube. What does not fit as it should is in a row.
 * @param {number[]} widths of the messages, from the head on @param {number[]} wants how far each has come, 0–1
 * @param {number} count how many there are in all @param {number} length of the tube
 * @param {number} pad how far they may rest beyond its ends @param {boolean} loose
 * @returns {Rest}
 */
export function tube(widths, wants, count, length, pad, loose) {
  const line = order(wants, loose);
  const lows = line.map((i) => widths[i] / 2 - pad);
  const highs = line.map((i) => length + pad - widths[i] / 2);
  const gaps = line.map((i, at) => (at + 1 < line.length ? (widths[i] + widths[line[at + 1]]) / 2 + SPACE : 0));
  const floors = [...lows];
  for (let at = line.length - 2; at >= 0; at -= 1) floors[at] = Math.max(lows[at], floors[at + 1] + gaps[at]);
  if (count > widths.length || floors.some((floor, at) => floor > highs[at])) return slots(widths, count, length, pad);
  /** @type {number[]} */
  const places = [];
  let limit = Infinity;
  line.forEach((i, at) => {
    const goal = lows[at] + (highs[at] - lows[at]) * wants[i];
    places[i] = Math.max(Math.min(goal, highs[at], limit), floors[at]);
    limit = places[i] - gaps[at];
  });
  return { places, scales: null, hidden: 0, more: 0, size: 1, aside: false };
}

/**
 * In a tube, one behind another.
 * @param {number[]} widths of the messages, from the head on @param {number} count how many there are in all
 * @param {number} length of the tube @param {number} [pad] how far they may rest beyond its ends
 * @returns {Rest}
 */
export function slots(widths, count, length, pad = 0) {
  const places = [];
  let edge = length + pad;
  for (let i = 0; i < widths.length; i += 1) {
    const next = edge - widths[i] - (i ? SPACE : 0);
    if (next < (i === count - 1 ? 0 : COUNTER) - pad) break;
    places.push(next + widths[i] / 2);
    edge = next;
  }
  const aside = !places.length && count > 0;
  if (aside) places.push(length / 2);
  const more = aside ? 0 : Math.max(edge - SPACE - COUNTER / 2, 0);
  return { places, scales: null, hidden: count - places.length, more, size: 1, aside };
}

/**
 * On a wire: as near as possible to the places wanted, but in its stretches and clear of the crowd, if that matters. If
 * there is not enough room, messages are smaller, and at last they are counted at home.
 * @param {Wire} on @param {number[]} widths @param {number[]} wants @param {number} count @param {boolean} loose
 * @param {Crowd | null} crowd @returns {Rest}
 */
export function wire(on, widths, wants, count, loose, crowd) {
  if (count > wants.length) return atHome(on, count);
  for (const scale of new Set(SCALES.map((each) => Math.max(each, on.least)))) {
    const found = placed(on, widths, wants, scale, loose, crowd);
    if (found) return found;
  }
  return atHome(on, count);
}

/**
 * @param {Wire} on @param {number[]} widths @param {number[]} wants @param {number} scale @param {boolean} loose
 * @param {Crowd | null} crowd @returns {Rest | null}
 */
function placed(on, widths, wants, scale, loose, crowd) {
  /** @type {number[]} */
  const places = [];
  /** @type {Crowd} */
  const taken = [];
  const line = order(wants, loose);
  const gaps = line.slice(1).map((i, at) => apart(on, (widths[line[at]] + widths[i]) / 2, scale));
  const floors = floored(on.stretches, gaps);
  let limit = on.path.length;
  for (const [rank, i] of line.entries()) {
    const half = [(widths[i] / 2) * scale, (on.high / 2) * scale];
    const at = nearest(on, wants[i] * on.path.length, floors[rank], limit, half, crowd);
    if (at === null) return null;
    const { x, y } = point(on.path, at);
    taken.push([x, y, half[0], half[1]]);
    places[i] = at;
    if (rank < gaps.length) limit = Math.max(at - gaps[rank], floors[rank + 1]);
  }
  crowd?.push(...taken);
  return { places, scales: places.map(() => scale), hidden: 0, more: 0, size: 1, aside: false };
}

/** How far apart two messages are. @param {Wire} on @param {number} wide the mean of their widths
 * @param {number} scale */
function apart({ path, gap, ...most }, wide, scale) {
  const [a, b] = [path.points[0], path.points[path.points.length - 1]];
  const [across, down] = [Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1])];
  const straight = path.points.length === 2 && path.length > 0;
  const near = straight
    ? Math.min(wide / across, most.high / down) * path.length + EDGE
    : Math.hypot(wide, most.high) + 2 * EDGE;
  return Math.min(gap * Math.max(1, wide / most.wide), near) * scale;
}

/** How far each message must have come, so that those behind it have room. @param {Stretch[]} stretches
 * @param {number[]} gaps */
function floored(stretches, gaps) {
  /** @type {number[]} */
  const floors = [];
  for (const gap of [...gaps, 0].reverse()) {
    const least = floors.length ? floors[0] + gap : 0;
    const open = stretches.filter(({ end }) => end >= least).map(({ begin }) => Math.max(least, begin));
    floors.unshift(Math.min(...open));
  }
  return floors;
}

/**
 * The free place nearest to the one wanted, between two limits.
 * @param {Wire} on @param {number} want @param {number} floor @param {number} limit
 * @param {number[]} half its size @param {Crowd | null} crowd @returns {number | null}
 */
function nearest(on, want, floor, limit, half, crowd) {
  const goal = Math.max(floor, Math.min(want, limit));
  /** @type {number | null} */
  let best = null;
  for (const { begin, end } of on.stretches) {
    const [low, high] = [Math.max(begin, floor), Math.min(end, limit)];
    if (low > high) continue;
    const near = Math.max(low, Math.min(goal, high));
    const at = crowd ? free(on, near, low, high, half, crowd) : near;
    if (at !== null && (best === null || Math.abs(at - goal) < Math.abs(best - goal))) best = at;
  }
  return best;
}

/**
 * The place nearest to `near` that is clear of the crowd.
 * @param {Wire} on @param {number} near @param {number} low @param {number} high @param {number[]} half its size
 * @param {Crowd} crowd
 */
function free({ path }, near, low, high, [across, down], crowd) {
  const most = Math.floor(Math.max(near - low, high - near) / STEP);
  for (let k = 0; k <= most; k += 1) {
    for (const side of k ? [-1, 1] : [1]) {
      const at = near + side * k * STEP;
      if (at < low || at > high) continue;
      const { x, y } = point(path, at);
      const clear = (/** @type {Crowd[number]} */ [ox, oy, w, h]) =>
        Math.abs(x - ox) >= across + w + AIR || Math.abs(y - oy) >= down + h + AIR;
      if (crowd.every(clear)) return at;
    }
  }
  return null;
}

/** The only message at its channel's own place, or there the number of them all. @param {Wire} on
 * @param {number} count @returns {Rest} */
function atHome({ home }, count) {
  const alone = home !== null && count === 1;
  return {
    places: alone ? [home.at] : [],
    scales: alone ? [home.scale] : [],
    hidden: home === null || alone ? 0 : count,
    more: home?.at ?? 0,
    size: home?.scale ?? 1,
    aside: false,
  };
}
