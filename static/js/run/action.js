/** Action texts of the wire format, taken apart. Computes. */

/**
 * @typedef {{kind: string, process: string, channel: string|null, position: number, rest: string}} Action
 * `process` is the one that acts: the receiver of a delivery, the sender of a send.
 */

/** @param {string} text @returns {Action} */
export function read(text) {
  const [kind, name, ...more] = text.split(" ");
  const rest = more.join(" ");
  const ends = name.split("->");
  if (ends.length === 1) return { kind, process: name, channel: null, position: 0, rest };
  const process = kind === "send" ? ends[0] : ends[1];
  return { kind, process, channel: name, position: kind === "deliver" ? Number(more[0] ?? 0) : 0, rest };
}
