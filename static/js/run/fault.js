/** What a failed check found on the channels: the message that is an orphan, lost, or recorded too often. Computes. */

/**
 * @typedef {{kind: string, message: {id: number, payload: *} | null}} Fault `kind` is orphan, missing, extra, doubled,
 * order; and, if the network is at fault, dropped or partitioned (without a message)
 * @typedef {Map<number, Fault[]>} Faults by the channel's place
 */

/** @type {WeakMap<object, Faults>} */
const known = new WeakMap();
/** @type {Faults} */
const NONE = new Map();

/**
 * @param {import("./types.js").Snapshot | null} snapshot
 * @param {Map<string, number>} at the places of channels by their names
 * @returns {Faults}
 */
export function faults(snapshot, at) {
  if (!snapshot) return NONE;
  let found = known.get(snapshot.checks);
  if (!found) known.set(snapshot.checks, (found = find(Object.values(snapshot.checks), at)));
  return found;
}

/** @param {import("./types.js").Verdict[]} checks @param {Map<string, number>} at */
function find(checks, at) {
  /** @type {Faults} */
  const found = new Map();
  for (const { holds, witness } of checks) {
    const message = holds === false ? witness?.message : null;
    if (!message || typeof message !== "object") continue;
    const i = /** @type {number} */ (at.get(witness.channel ?? message.channel));
    const there = found.get(i) ?? [];
    // Several checks may find the same fault.
    if (!there.some((one) => one.kind === witness.fault && one.message?.id === message.id))
      found.set(i, [...there, { kind: witness.fault, message }]);
  }
  return found;
}
