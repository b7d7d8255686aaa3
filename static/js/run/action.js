/** Parses action texts of the wire format. Computes. */

/** Faults in a channel: no process acts. */
export const NETWORK = ["drop", "duplicate", "cut", "mend"];

/** In these, the number behind the channel is a position in its queue. */
const PLACED = ["deliver", "drop", "duplicate", "overtake"];

/** These name a snapshot, and no particular process acts. */
const NUMBERED = ["abandon", "restore"];

/**
 * @typedef {{kind: string, process: string|null, channel: string|null, position: number, rest: string}} Action
 * `process` is the one that acts: the receiver of a delivery, the sender of a send, null if the network acts, or if a
 * snapshot is aborted or restored; then `rest` is its number.
 */

/** @param {string} text @returns {Action} */
export function read(text) {
  const [kind, name, ...more] = text.split(" ");
  const rest = more.join(" ");
  if (NUMBERED.includes(kind)) return { kind, process: null, channel: null, position: 0, rest: name };
  const ends = name.split("->");
  if (ends.length === 1) return { kind, process: name, channel: null, position: 0, rest };
  const process = NETWORK.includes(kind) ? null : kind === "send" ? ends[0] : ends[1];
  return { kind, process, channel: name, position: PLACED.includes(kind) ? Number(more[0] ?? 0) : 0, rest };
}
