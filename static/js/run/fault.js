/** What a failed check found on the channels: the message that is an orphan, lost, or recorded too often. Computes. */

const known = new WeakMap();

/**
 * @typedef {{kind: string, message: {id: number, payload: *}|null}} Fault `kind` is orphan, missing, extra, doubled,
 * order; and, if the network is at fault, dropped or partitioned (without a message)
 * @param {import("./scene.js").Snapshot|null} snapshot
 * @param {Map<string, number>} at the places of channels by their names
 * @returns {Map<number, Fault[]>} by the channel's place
 */
export function faults(snapshot, at) {
  if (!snapshot) return NONE;
  let found = known.get(snapshot.checks);
  if (!found) {
    found = new Map();
    for (const { holds, witness } of Object.values(snapshot.checks)) {
      const message = holds === false ? witness?.message : null;
      if (!message || typeof message !== "object") continue;
      const i = at.get(witness.channel ?? message.channel);
      const there = found.get(i) ?? [];
      // Several checks may find the same fault.
      if (!there.some((one) => one.kind === witness.fault && one.message.id === message.id)) found.set(i, [...there, { kind: witness.fault, message }]);
    }
    known.set(snapshot.checks, found);
  }
  return found;
}

const NONE = new Map();
