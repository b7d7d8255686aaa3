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

  /** @param {number} length @param {(i: number) => T} make */
  static of(length, make) {
    const chunks = [];
    for (let i = 0; i < length; i += WIDTH) {
      const chunk = [];
      for (let j = i; j < Math.min(i + WIDTH, length); j += 1) chunk.push(make(j));
      chunks.push(chunk);
    }
    return new Vector(chunks, length);
  }

  /** @param {number} i @returns {T} */
  get(i) {
    return this.chunks[i >> BITS][i & MASK];
  }

  /** @param {(value: T, i: number) => void} visit */
  each(visit) {
    for (let i = 0; i < this.length; i += 1) visit(this.get(i), i);
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
class Draft {
  /** @param {Vector<T>} vector */
  constructor(vector) {
    this.vector = vector;
    this.chunks = null;
    this.owned = null;
  }

  get(i) {
    return (this.chunks ?? this.vector.chunks)[i >> BITS][i & MASK];
  }

  set(i, value) {
    const c = i >> BITS;
    if (!this.chunks) {
      this.chunks = this.vector.chunks.slice();
      this.owned = new Set();
    }
    if (!this.owned.has(c)) {
      this.chunks[c] = this.chunks[c].slice();
      this.owned.add(c);
    }
    this.chunks[c][i & MASK] = value;
  }

  /** @returns {Vector<T>} the same vector if nothing was written */
  done() {
    return this.chunks ? new Vector(this.chunks, this.vector.length) : this.vector;
  }
}
