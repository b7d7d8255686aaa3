/**
 * An immutable vector. Two vectors share equal chunks, so storing one for each of ten thousand steps costs only what
 * changed.
 */

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** @template T */
export class Vector {
  /** @param {T[][]} chunks @param {number} length */
  constructor(chunks, length) {
    this.chunks = chunks;
    this.length = length;
  }

  /** @template T @param {number} length @param {(i: number) => T} make @returns {Vector<T>} */
  static of(length, make) {
    const all = Array.from({ length }, (_, i) => make(i));
    const chunks = Array.from({ length: Math.ceil(length / WIDTH) }, (_, c) => all.slice(c * WIDTH, (c + 1) * WIDTH));
    return new Vector(chunks, length);
  }

  /** @param {number} i @returns {T} */
  get(i) {
    return this.chunks[i >> BITS][i & MASK];
  }

  items() {
    return this.chunks.flat();
  }

  /** @returns {Draft<T>} */
  edit() {
    return new Draft(this);
  }
}

/**
 * A vector being changed: chunks are copied when first written to.
 * @template T
 */
export class Draft {
  /** @param {Vector<T>} vector */
  constructor(vector) {
    this.vector = vector;
    this.chunks = vector.chunks;
    /** @type {Set<number>} the chunks that have been copied */
    this.owned = new Set();
  }

  /** @param {number} i @returns {T} */
  get(i) {
    return this.chunks[i >> BITS][i & MASK];
  }

  /** @param {number} i @param {T} value */
  set(i, value) {
    const c = i >> BITS;
    if (!this.owned.size) this.chunks = this.chunks.slice();
    if (!this.owned.has(c)) this.chunks[c] = this.chunks[c].slice();
    this.owned.add(c);
    this.chunks[c][i & MASK] = value;
  }

  /** @returns {Vector<T>} the same vector if nothing was written */
  done() {
    return this.owned.size ? new Vector(this.chunks, this.vector.length) : this.vector;
  }
}
