/** What application messages carry for the algorithm, in one or two characters. Computes. */

/**
 * For a colour, its first letter: white before the first snapshot, red after it; later ones have their number. For an
 * id, the number of the item. A colour is the number of the last snapshot that the sender had recorded.
 * @param {any} tag @param {{colours: boolean, first: number}} base
 */
export function tagged(tag, base) {
  // An id as src.3 or a.3/m+2: the ring has room for its number.
  if (Array.isArray(tag) && typeof tag[0] === "string")
    return { text: tag[0].replace(/^.*\.(\d+)(?:\D.*)?$/, "$1"), red: false };
  if (Array.isArray(tag)) return { text: tag.length > 2 ? `${tag.length}×` : tag.join("·"), red: false };
  if (!base.colours) return { text: String(tag), red: false };
  if (tag < base.first) return { text: "W", red: false };
  return { text: tag === base.first ? "R" : String(tag), red: true };
}
