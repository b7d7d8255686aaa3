/** Reads the action texts of the wire format. Computes. */

/** Faults in a channel: no process acts. */
const NETWORK = ["drop", "duplicate", "partition", "heal"];

/**
 * @typedef {object} Action
 * @property {string | null} process the one that acts, such as the receiver of a delivery and the sender of a send
 * @property {string | null} line the one on whose line the step is: a fault in a channel is at its end
 */

/** @param {string} text
 * @param {string | null} root the coordinator, if there is one: it aborts snapshots @returns {Action} */
export function read(text, root) {
  const [verb, where] = text.split(" ");
  if (verb === "restore") return { process: null, line: null };
  if (verb === "abandon") return { process: root, line: root };
  const [source, target = source] = where.split("->");
  const line = verb === "send" ? source : target;
  return { process: NETWORK.includes(verb) ? null : line, line };
}
