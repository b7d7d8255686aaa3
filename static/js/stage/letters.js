/** Approximate widths of texts, and texts made to fit: a plan is made before anything is drawn. Computes. */

/** Widths are estimated generously; for texts in a line, this fraction looks right. */
export const TIGHT = 0.92;

/**
 * About how wide a text is at a font size: wide characters (Chinese) count as one em.
 * @param {string} text @param {number} size
 */
export function measure(text, size) {
  let em = 0;
  for (const letter of text) em += width(letter);
  return em * size;
}

/** @param {string} letter */
function width(letter) {
  if (letter > "\u2e7f") return 1;
  if (/[MWmw@%✓]/.test(letter)) return 0.94;
  if (/[ilI.,:;|!']/.test(letter)) return 0.36;
  return /[A-Z=+<>→]/.test(letter) ? 0.74 : 0.66;
}

/**
 * The text, shortened with … if it is wider than `room`.
 * @param {string} text @param {number} size @param {number} room
 */
export function fit(text, size, room) {
  if (measure(text, size) <= room) return text;
  let kept = "";
  for (const letter of text) {
    if (measure(`${kept}${letter}…`, size) > room) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Parts of a text, broken into lines no wider than `room`; what does not fit into `most` lines is dropped.
 * @param {string[]} parts @param {number} size @param {number} room @param {number} most
 */
export function wrap(parts, size, room, most) {
  /** @type {string[]} */
  const lines = [];
  for (const part of parts) {
    const longer = lines.length ? `${lines.at(-1)}  ${part}` : part;
    if (lines.length && measure(longer, size) <= room) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  const shown = lines.slice(0, most).map((text) => fit(text, size, room));
  if (lines.length > most) shown[most - 1] = fit(`${shown[most - 1]} …`, size, room);
  return shown;
}

/**
 * The sum of some widths, with space after each.
 * @param {number[]} widths @param {number} [space]
 */
export function total(widths, space = 0) {
  return widths.reduce((sum, width) => sum + width + space, 0);
}
