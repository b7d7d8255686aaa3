/** What markers are called: a diamond, or in a dataflow, where it is a barrier, a bar; and the snapshot. Computes. */

/** @param {{barriers: boolean}} of a scene or a channel @param {number|null} snapshot */
export function sign(of, snapshot) {
  return `${of.barriers ? "▮" : "◆"}${snapshot ?? ""}`;
}
