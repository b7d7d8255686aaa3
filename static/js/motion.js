/**
 * Motion: where everything is when a step has happened to some fraction. Pure functions of two queues, a tube and
 * the fraction, so the same moment always looks the same, forwards and backwards. Computes; never draws.
 */

import { slots } from "./geometry.js";

/** From where a message comes out of its sender, and to where it goes in: units beyond the ends of the tube. */
const BEYOND = 34;

/** Slow, fast, slow. */
export function ease(t) {
  const u = Math.max(0, Math.min(1, t));
  return u < 0.5 ? 4 * u * u * u : 1 - (-2 * u + 2) ** 3 / 2;
}

/** How far the part of a step between `from` and `to` has come. */
export function during(fraction, [from, to]) {
  return ease((fraction - from) / (to - from));
}

/**
 * When within a step what moves: what arrives comes first, then the copy is taken, then what is sent leaves.
 * @param {import("./scene.js").Happening|null} happening
 */
export function phases(happening) {
  const notes = happening?.frame.n ?? [];
  const arrives = notes.some((note) => note[0] === "received");
  const records = notes.some((note) => note[0] === "recorded");
  if (arrives && records) return { arrive: [0, 0.4], record: [0.3, 0.7], fill: [0.4, 0.8], enter: [0.6, 1], copy: [0.3, 0.9] };
  if (arrives) return { arrive: [0, 0.6], record: [0.4, 0.9], fill: [0.4, 1], enter: [0.5, 1], copy: [0.35, 1] };
  if (records) return { arrive: [0, 0.4], record: [0, 0.6], fill: [0.4, 1], enter: [0.45, 1], copy: [0.3, 0.9] };
  return { arrive: [0, 0.6], record: [0, 1], fill: [0, 1], enter: [0, 1], copy: [0, 1] };
}

/**
 * The messages to draw in one tube.
 * @param {import("./queue.js").Queue} before @param {import("./queue.js").Queue} after
 * @param {number} length of the tube @param {number} pad how far a message may rest beyond the path's ends
 * @param {(message: Object) => number} width @param {number} fraction @param {Object} phase
 * @returns {{messages: {message: Object, at: number, shade: number, rank: number}[], hidden: number, more: number}}
 * `rank` is the place in the queue (-1: it has left)
 */
export function travel(before, after, length, pad, width, fraction, phase) {
  const end = rest(after, length, pad, width);
  if (before === after || fraction >= 1) {
    return { messages: end.items.map((item) => ({ ...item, shade: 1 })), hidden: end.hidden, more: end.more };
  }
  const start = rest(before, length, pad, width);
  const was = new Map(start.items.map((item) => [item.message.id, item]));
  const messages = [];
  const shift = during(fraction, [phase.arrive[0] + 0.1, Math.max(phase.arrive[1], 0.5)]);
  for (const item of end.items) {
    const old = was.get(item.message.id);
    was.delete(item.message.id);
    if (old) messages.push({ ...item, at: old.at + (item.at - old.at) * shift, shade: 1 });
    else if (before.find(item.message.id) >= 0) {
      messages.push({ ...item, at: start.more + (item.at - start.more) * shift, shade: shift });
    } else {
      const t = during(fraction, phase.enter);
      messages.push({ ...item, at: -BEYOND + (item.at + BEYOND) * t, shade: Math.min(1, t * 4) });
    }
  }
  for (const old of was.values()) {
    if (after.find(old.message.id) >= 0) {
      messages.push({ ...old, at: old.at + (end.more - old.at) * shift, shade: 1 - shift });
      continue;
    }
    const t = during(fraction, phase.arrive);
    messages.push({ ...old, at: old.at + (length + BEYOND - old.at) * t, shade: 1 - Math.max(0, t - 0.7) / 0.3, rank: -1 });
  }
  const now = fraction < 0.5 ? start : end;
  return { messages, hidden: now.hidden, more: now.more };
}

/** Where the messages of a queue rest. */
function rest(queue, length, pad, width) {
  const most = Math.ceil((length + 2 * pad) / 12) + 1;
  const visible = queue.items(most);
  const { places, hidden, more } = slots(visible.map(width), queue.length, length, pad);
  return { items: places.map((at, rank) => ({ message: visible[rank], at, rank })), hidden, more };
}
