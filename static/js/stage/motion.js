/**
 * Motion: where everything is when a fraction of a step has happened. Pure functions of where messages rest before
 * and after, and of the fraction, so the same moment always looks the same, forwards and backwards. Computes; never
 * draws.
 */

/** @import { Gone, Item, Phase, Resting, Span, Traffic } from "./types.js" */

/** @type {readonly Gone[]} */
const NOBODY = [];

/** Where a message appears, and where it is gone: units beyond the ends of the tube, at the edges of the processes. */
const BEYOND = 10;

/** How much of a part of a step has happened: slow, fast, slow. @param {number} fraction @param {Span} part */
export function during(fraction, [from, to]) {
  const u = Math.max(0, Math.min(1, (fraction - from) / (to - from)));
  return u < 0.5 ? 4 * u * u * u : 1 - (-2 * u + 2) ** 3 / 2;
}

/** The middle of a part of a step, where what cannot move changes. @param {Span} part */
export function middle([from, to]) {
  return (from + to) / 2;
}

/**
 * The messages to draw in one tube.
 * @param {Resting} before @param {Resting} after @param {number} length of the tube @param {number} fraction
 * @param {Phase} phase @param {readonly Gone[]} [lost] what does not move
 * @returns {Traffic}
 */
export function travel(before, after, length, fraction, phase, lost = NOBODY) {
  if (before === after || fraction >= 1) return after;
  const { items, queue: arriving, ...counted } = after;
  const { items: old, queue: leaves, ...start } = before;
  const was = new Map(old.map((item) => [item.message.id, item]));
  const now = new Set(items.map(({ message }) => message.id));
  const shift = during(fraction, [phase.arrive[0] + 0.1, Math.max(phase.arrive[1], 0.5)]);
  const between = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * shift;

  /** @param {Item} item @returns {Item} */
  function coming(item) {
    const { message, at } = item;
    const known = was.get(message.id);
    if (known) return { ...item, at: between(known.at, at), scale: between(known.scale, item.scale) };
    if (leaves && leaves.find(message.id) >= 0) return { ...item, at: between(start.more, at), shade: shift };
    const t = during(fraction, phase.enter);
    // A duplicate comes out of its original, a recorded message out of the printed recorded state.
    const twin = old.find((one) => one.message.id === message.twin);
    const from = twin ? twin.at : message.back ? length * 0.45 : -BEYOND;
    return { ...item, at: from + (at - from) * t, shade: twin ? 1 : Math.min(1, t * 4) };
  }

  /** @param {Item} item @returns {Item[]} */
  function leaving(item) {
    const { id } = item.message;
    if (now.has(id)) return [];
    if (arriving && arriving.find(id) >= 0) return [{ ...item, at: between(item.at, counted.more), shade: 1 - shift }];
    if (lost.some(({ message }) => message.id === id)) return [];
    const t = during(fraction, phase.arrive);
    const at = item.at + (length + BEYOND - item.at) * t;
    return [{ ...item, at, shade: 1 - Math.max(0, t - 0.7) / 0.3, rank: -1 }];
  }

  return { ...(fraction < 0.5 ? start : counted), items: [...items.map(coming), ...old.flatMap(leaving)] };
}
