/** What a failed check found on the channels: the message that is an orphan, lost, or recorded too often. Computes. */

/** The checks whose witness is a message. */
const CHECKS = ["consistent", "channels"];
const known = new WeakMap();

/**
 * @typedef {{kind: string, message: {id: number, payload: *}|null}} Fault `kind` is orphan, missing, extra, doubled,
 * order; and, if the network is at fault, dropped or cut (without a message)
 * @param {import("./scene.js").Snapshot|null} snapshot
 * @param {Map<string, number>} at the places of channels by their names
 * @returns {Map<number, Fault[]>} by the channel's place
 */
export function faults(snapshot, at) {
  if (!snapshot) return NONE;
  let found = known.get(snapshot.checks);
  if (!found) {
    found = new Map();
    for (const check of CHECKS) {
      const judged = snapshot.checks[check];
      const message = judged?.holds === false ? judged.witness?.message : null;
      if (!message || typeof message !== "object") continue;
      const i = at.get(judged.witness.channel ?? message.channel);
      found.set(i, [...(found.get(i) ?? []), { kind: judged.witness.fault, message }]);
    }
    known.set(snapshot.checks, found);
  }
  return found;
}

const NONE = new Map();
