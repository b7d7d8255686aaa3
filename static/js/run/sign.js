/** What messages are called. Computes. */

/** The sign of a marker (a diamond) or of a barrier (a bar), with the snapshot.
 * @param {{barriers: boolean}} of a scene or a channel @param {number | null} snapshot */
export function sign(of, snapshot) {
  return `${of.barriers ? "▮" : "◆"}${snapshot ?? ""}`;
}

/** The kind of a control message: its word, or the first of several; as a value that has a name.
 * @param {import("./types.js").Json} payload */
export function spoken(payload) {
  return { word: Array.isArray(payload) ? payload[0] : payload };
}
