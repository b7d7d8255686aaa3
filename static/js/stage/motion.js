/**
 * Motion: where everything is when a fraction of a step has happened. Pure functions of two queues, a tube and the
 * fraction, so the same moment always looks the same, forwards and backwards. Computes; never draws.
 */

const NOBODY = [];

/** Where a message leaves its sender, and where it enters its receiver: units beyond the ends of the tube. */
const BEYOND = 34;

/** Slow, fast, slow. */
export function ease(t) {
  const u = Math.max(0, Math.min(1, t));
  return u < 0.5 ? 4 * u * u * u : 1 - (-2 * u + 2) ** 3 / 2;
}

/** How much of the part of a step between `from` and `to` has happened. */
export function during(fraction, [from, to]) {
  return ease((fraction - from) / (to - from));
}

/**
 * The order of motion within a step: first messages arrive, then the copy is taken, then messages are sent.
 * @param {import("../run/scene.js").Happening|null} happening
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
 * @param {import("../run/queue.js").Queue} before @param {import("../run/queue.js").Queue} after
 * @param {{length: number, most: number, rest: (visible: Object[], count: number) => import("./resting.js").Rest}} way
 * the tube's length, how many messages it can show at all, and where they rest
 * @param {number} fraction @param {Object} phase @param {import("../run/scene.js").Gone[]} [lost] what does not move
 * @returns {{messages: {message: Object, at: number, scale: number, shade: number, rank: number}[], hidden: number,
 *   more: number, size: number, aside: boolean}} `rank` is the place in the queue (-1: it has left)
 */
export function travel(before, after, way, fraction, phase, lost = NOBODY) {
  const end = rest(after, way);
  if (before === after || fraction >= 1) {
    return { ...end, messages: end.items.map((item) => ({ ...item, shade: 1 })) };
  }
  const start = rest(before, way);
  const was = new Map(start.items.map((item) => [item.message.id, item]));
  const messages = [];
  const shift = during(fraction, [phase.arrive[0] + 0.1, Math.max(phase.arrive[1], 0.5)]);
  const between = (a, b) => a + (b - a) * shift;
  for (const item of end.items) {
    const old = was.get(item.message.id);
    was.delete(item.message.id);
    if (old) messages.push({ ...item, at: between(old.at, item.at), scale: between(old.scale, item.scale), shade: 1 });
    else if (before.find(item.message.id) >= 0) {
      messages.push({ ...item, at: between(start.more, item.at), shade: shift });
    } else {
      const t = during(fraction, phase.enter);
      // A duplicate comes out of its original.
      const twin = start.items.find(({ message }) => message.id === item.message.twin);
      // A recorded message comes out of the printed recorded state.
      const from = twin ? twin.at : item.message.back ? way.length * 0.45 : -BEYOND;
      messages.push({ ...item, at: from + (item.at - from) * t, shade: twin ? 1 : Math.min(1, t * 4) });
    }
  }
  for (const old of was.values()) {
    if (after.find(old.message.id) >= 0) {
      messages.push({ ...old, at: between(old.at, end.more), shade: 1 - shift });
      continue;
    }
    if (lost.some(({ message }) => message.id === old.message.id)) continue;
    const t = during(fraction, phase.arrive);
    messages.push({ ...old, at: old.at + (way.length + BEYOND - old.at) * t, shade: 1 - Math.max(0, t - 0.7) / 0.3, rank: -1 });
  }
  const now = fraction < 0.5 ? start : end;
  return { messages, hidden: now.hidden, more: now.more, size: now.size, aside: now.aside };
}

/** Where the messages of a queue rest. */
function rest(queue, way) {
  const visible = queue.items(way.most);
  const { places, scales, ...counted } = way.rest(visible, queue.length);
  const items = places.map((at, rank) => ({ message: visible[rank], at, scale: scales?.[rank] ?? 1, rank }));
  return { items, ...counted };
}
