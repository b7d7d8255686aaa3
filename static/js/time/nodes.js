/** SVG nodes that are reused. Draws. */

import { set, svg } from "../svg.js";

/** @typedef {Record<string, import("../svg.js").Value>} Attributes */

/**
 * A new SVG node.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {(Node | string)[]} [inside]
 */
export function node(tag, attributes = {}, inside = []) {
  const made = svg(tag, attributes);
  made.append(...inside);
  return made;
}

/** Set attributes, touching the document only if a value changes; null removes one.
 * @param {Element} target @param {Attributes} attributes */
export function put(target, attributes) {
  for (const name in attributes) set(target, name, attributes[name]);
}

/**
 * The nodes of one layer by key. Nodes not used in a round go to a reserve, for new keys.
 * @template {SVGElement} N
 */
export class Nodes {
  /** @param {SVGElement} layer @param {() => N} make */
  constructor(layer, make) {
    this.layer = layer;
    this.make = make;
    /** @type {Map<string | number, N>} */
    this.used = new Map();
    /** @type {Map<string | number, N>} */
    this.taken = new Map();
    /** @type {N[]} hidden */
    this.reserve = [];
    /** @type {N[]} not hidden yet */
    this.freed = [];
  }

  /** Only these keys are used in this round: all other nodes serve new keys, before any is hidden or shown.
   * @param {Iterable<string | number>} keys */
  keep(keys) {
    const wanted = new Set(keys);
    for (const [key, each] of this.used)
      if (!wanted.has(key)) {
        this.used.delete(key);
        this.freed.push(each);
      }
  }

  /** The node of `key`, kept from the last round, reused or new. @param {string | number} key */
  take(key) {
    let found = this.used.get(key);
    if (found) this.used.delete(key);
    else {
      found = this.freed.pop() ?? this.reserve.pop() ?? this.#made();
      put(found, { display: null });
    }
    this.taken.set(key, found);
    return found;
  }

  #made() {
    const made = this.make();
    this.layer.append(made);
    return made;
  }

  /** End a round: hide unused nodes. */
  sweep() {
    for (const left of [...this.used.values(), ...this.freed]) {
      put(left, { display: "none" });
      this.reserve.push(left);
    }
    this.freed = [];
    [this.used, this.taken] = [this.taken, this.used];
    this.taken.clear();
  }

  /** The node of `key` if it is visible. @param {string | number} key */
  get(key) {
    return this.used.get(key);
  }
}
