/** What application messages carry for the algorithm, in one or two characters. Computes. */

/** Algorithms whose messages have a colour: the number of the last snapshot that the sender had recorded. */
const COLOURED = ["lai-yang", "colour-blind"];

/**
 * For a colour, its first letter: white before the first snapshot, red after it; later ones have their number. For an
 * id, the number of the item.
 * @param {*} tag @param {{run: {algorithm: string}, first: number}} base
 * @returns {{text: string, red: boolean}}
 */
export function tagged(tag, base) {
  // An id as src.3 or a.3/m+2: the ring has room for its number.
  if (Array.isArray(tag) && typeof tag[0] === "string") return { text: tag[0].replace(/^.*\.(\d+)(?:\D.*)?$/, "$1"), red: false };
  if (Array.isArray(tag)) return { text: tag.length > 2 ? `${tag.length}×` : tag.join("·"), red: false };
  if (!COLOURED.includes(base.run.algorithm)) return { text: String(tag), red: false };
  const red = tag >= base.first;
  return { text: !red ? "W" : tag === base.first ? "R" : String(tag), red };
}
