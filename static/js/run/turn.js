/** The changes of steps, in small parts that the notes share. Computes; never draws. */

export const NONE = Object.freeze([]);

export function live(turn, i, life) {
  turn.processes.set(i, { ...turn.processes.get(i), life });
}

export function partitioning(turn, i, partitioned) {
  turn.channels.set(i, { ...turn.channels.get(i), partitioned });
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
