/** Places for labels, so that none covers another. Computes; draws nothing. */

/** @typedef {{x: number, y: number}} Spot the middle of a label */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/** Rectangles that are taken, found by a coarse grid. */
export class Labels {
  /** @type {Map<string, Box[]>} */
  #cells = new Map();
  /** @type {Map<string | number, Spot | null>} */
  #spots = new Map();

  /** Forget all places. */
  clear() {
    this.#cells.clear();
    this.#spots.clear();
  }

  /**
   * The first spot that is free for a label of this size, remembered by key; null if there is none.
   * @param {string | number} key
   * @param {() => Spot[]} spots best first
   * @param {number} width
   * @param {number} height
   * @param {number} left where the window begins: a label that has left it looks for a new place
   * @param {number} right
   */
  place(key, spots, width, height, left, right) {
    const known = this.#spots.get(key);
    if (known && known.x > left && known.x < right) return known;
    const free = spots().find((spot) => this.#take(rectangle(spot, width, height))) ?? null;
    this.#spots.set(key, free);
    return free;
  }

  /** Take a rectangle, if it is free; true if it was. @param {Box} box */
  #take(box) {
    const cells = cellsOf(box);
    if (cells.some((cell) => this.#cells.get(cell)?.some((other) => overlap(box, other)))) return false;
    this.#fill(box, cells);
    return true;
  }

  /** @param {Box} box */
  #fill(box, cells = cellsOf(box)) {
    for (const cell of cells) this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), box]);
  }

  /** Keep the surroundings of a point free of labels.
   * @param {number} x @param {number} y @param {number} width @param {number} height */
  reserve(x, y, width, height = width) {
    this.#fill(rectangle({ x, y }, width, height));
  }
}

/** @param {Spot} middle @param {number} width @param {number} height @returns {Box} */
export function rectangle({ x, y }, width, height) {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** The cells of the grid in which a rectangle lies. @param {Box} box */
function cellsOf({ left, right, top, bottom }) {
  const cells = [];
  for (let i = Math.floor(left / 64); i <= Math.floor(right / 64); i += 1) {
    for (let j = Math.floor(top / 32); j <= Math.floor(bottom / 32); j += 1) cells.push(`${i} ${j}`);
  }
  return cells;
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Does a line cross a rectangle? Its part within each pair of sides, by Liang and Barsky (1984).
 * @param {Box} box @param {import("./scale.js").Point} a @param {import("./scale.js").Point} b */
export function crosses({ left, right, top, bottom }, a, b) {
  let [begin, end] = [0, 1];
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  for (const [step, room] of [
    [-dx, a[0] - left],
    [dx, right - a[0]],
    [-dy, a[1] - top],
    [dy, bottom - a[1]],
  ]) {
    if (step === 0 && room < 0) return false;
    if (step < 0) begin = Math.max(begin, room / step);
    if (step > 0) end = Math.min(end, room / step);
  }
  return begin <= end;
}

/** A text, or the beginning of it. @param {string} text */
export function short(text, most = 14) {
  return text.length > most ? `${[...text].slice(0, most - 1).join("")}…` : text;
}

/** About how wide a text is, in px: characters that fill a square count as wide.
 * @param {string} text @param {number} size */
export function breadth(text, size, letterWidth = 0.6) {
  let width = 0;
  for (const letter of text) width += letter > "\u2e7f" ? size : size * letterWidth;
  return width;
}
