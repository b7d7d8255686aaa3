/** The changes of steps, in small parts that the notes share. Computes; never draws. */

/** Nothing is held. */
export const FREE = new Map();
export const NONE = Object.freeze([]);

export function live(turn, i, life) {
  turn.processes.set(i, { ...turn.processes.get(i), life });
}

export function cutting(turn, i, cut) {
  turn.channels.set(i, { ...turn.channels.get(i), cut });
  turn.moved.add(i);
  turn.kinds.add("fault");
}

export function pausing(turn, name, channel, index, at, paused) {
  if (channel === null) turn.processes.set(index.get(name), { ...turn.processes.get(index.get(name)), paused });
  else turn.channels.set(at.get(channel), { ...turn.channels.get(at.get(channel)), paused });
}

export function closedNow(recording) {
  return Boolean(recording && !recording.open);
}

/** What is held, with one message more or (without a reason) less. */
export function holding(held, id, reason) {
  if (reason === null && !held.has(id)) return held;
  const changed = new Map(held);
  if (reason === null) changed.delete(id);
  else changed.set(id, reason);
  return changed.size ? changed : FREE;
}

export function without(wakes, [process, what]) {
  const at = wakes.findIndex((wake) => wake[0] === process && wake[1] === what);
  return at < 0 ? wakes : [...wakes.slice(0, at), ...wakes.slice(at + 1)];
}
