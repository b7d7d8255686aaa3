/** The sign of a marker (a diamond) or of a barrier (a bar), with the snapshot. Computes. */

/** @param {{barriers: boolean}} of a scene or a channel @param {number|null} snapshot */
export function sign(of, snapshot) {
  return `${of.barriers ? "▮" : "◆"}${snapshot ?? ""}`;
}
