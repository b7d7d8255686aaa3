/** Where everything in the channels rests when a step is over. Computes; never draws. */

import { least, width } from "./labels.js";
import { tube, wire } from "./places.js";

/** @import { Message, Queue, Resting, Scene, Setting, Track } from "./types.js" */

/** @typedef {{queue: Resting, lane: Resting}} Channel */

/** How large a report is. */
const HIGH = 17;
const WIDE = 16;
const LOW = 10;

/**
 * @param {Setting} setting
 * @returns {(scene: Scene) => Channel[]} by channel; what did not change is the same value
 */
export function resting(setting) {
  const { base, tracks, look, pill, wide, come } = setting;
  const crossing = look === "wires" || look === "circle";
  const high = look === "grid" ? LOW : HIGH;
  const loose = base.channels.map(({ name }) => (base.orders[name] ?? base.run.discipline) === "any");
  /** @type {WeakMap<Scene, {known: number, channels: Channel[]}>} */
  const all = new WeakMap();
  /** @type {Channel[]} */
  let last = [];

  /** @param {Queue} queue @param {Track} track @param {number} i @param {number} step @param {any} crowd */
  function inside(queue, track, i, step, crowd) {
    const { path, stretches, home, gap, tube: thick } = track;
    const pad = Math.max(0, thick / 2 - 4);
    const most = Math.ceil((path.length + 2 * pad) / (stretches ? gap * 0.4 : 12)) + 1;
    const { visible, widths, wants } = sizes(queue, most, step);
    const on = stretches && { path, stretches, home, gap, wide, high: pill, least: smallest(visible) };
    const rest = on
      ? wire(on, widths, wants, queue.length, loose[i], crowd)
      : tube(widths, wants, queue.length, path.length, pad, loose[i]);
    return { queue, visible, rest };
  }

  /** @param {Queue} queue @param {Track} track @param {number} step @param {any} crowd */
  function beside(queue, track, step, crowd) {
    const { lane: path, sheets, perch } = track;
    const most = Math.ceil(path.length / (sheets ? high * 0.6 : 12)) + 1;
    const { visible, widths, wants } = sizes(queue, most, step);
    const on = sheets && { path, stretches: sheets, home: perch, gap: high, wide: WIDE, high, least: 0 };
    const rest = on
      ? wire(on, widths, wants, queue.length, true, crowd)
      : tube(widths, wants, queue.length, path.length, 0, true);
    return { queue, visible, rest };
  }

  /** @param {Message[]} visible */
  const smallest = (visible) => Math.max(0, ...visible.map((message) => least(message, setting)));

  /** @param {Queue} queue @param {number} most @param {number} step */
  function sizes(queue, most, step) {
    const visible = queue.items(most);
    const wants = visible.map(({ id }, i) => come(id, step) ?? 1 - (i + 1) / (queue.length + 1));
    return { visible, widths: visible.map((message) => width(message, setting)), wants };
  }

  return (scene) => {
    const known = setting.known();
    const found = all.get(scene);
    if (found?.known === known) return (last = found.channels);
    /** @type {import("./places.js").Crowd | null} */
    const crowd = crossing ? [] : null;
    const { step } = scene;
    last = scene.channels.items().map(({ queue, lane }, i) => {
      const before = last[i];
      const next = {
        queue: queue.length ? same(before?.queue, inside(queue, tracks[i], i, step, crowd)) : NOTHING,
        lane: lane.length ? same(before?.lane, beside(lane, tracks[i], step, crowd)) : NOTHING,
      };
      return before && next.queue === before.queue && next.lane === before.lane ? before : next;
    });
    all.set(scene, { known, channels: last });
    return last;
  };
}

/** @type {Resting} */
const NOTHING = { queue: null, items: [], hidden: 0, more: 0, size: 1, aside: false };

/**
 * The same value as before if nothing has moved.
 * @param {Resting | undefined} before @param {{queue: Queue, visible: Message[], rest: import("./types.js").Rest}} now
 * @returns {Resting}
 */
function same(before, { queue, visible, rest: { places, scales, ...counted } }) {
  const still =
    before?.queue === queue && before.hidden === counted.hidden && before.items.every(({ at }, i) => at === places[i]);
  if (before && still) return before;
  const items = places.map((at, rank) => ({ message: visible[rank], at, scale: scales?.[rank] ?? 1, rank, shade: 1 }));
  return { queue, items, ...counted };
}
