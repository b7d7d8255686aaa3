/** SVG nodes that are reused. Draws. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * A new SVG node.
 * @param {string} tag
 * @param {Record<string, string|number>} [attributes]
 * @param {(SVGElement|string)[]} [inside]
 * @returns {SVGElement}
 */
export function node(tag, attributes = {}, inside = []) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

/** Set attributes, touching the document only if a value changes; null removes one. */
export function put(target, attributes) {
  const known = (target.known ??= {});
  for (const name in attributes) {
    const value = attributes[name];
    if (known[name] === value) continue;
    known[name] = value;
    if (value === null) target.removeAttribute(name);
    else target.setAttribute(name, value);
  }
}

/** Set the text of a node, touching the document only if it changes. */
export function say(target, text) {
  if (target.said === text) return;
  target.said = text;
  target.textContent = text;
}

/** The nodes of one layer by key. Nodes not used in a round go to a reserve, for the next new keys. */
export class Nodes {
  /**
   * @param {SVGElement} layer
   * @param {() => SVGElement} make
   */
  constructor(layer, make) {
    this.layer = layer;
    this.make = make;
    this.used = new Map();
    this.taken = new Map();
    this.reserve = [];
  }

  /** The node of `key`, kept from the last round, reused or new. */
  take(key) {
    let found = this.used.get(key);
    if (found) this.used.delete(key);
    else {
      found = this.reserve.pop();
      if (!found) {
        found = this.make();
        this.layer.append(found);
      }
      put(found, { display: null });
    }
    this.taken.set(key, found);
    return found;
  }

  /** End a round: hide unused nodes. */
  sweep() {
    for (const left of this.used.values()) {
      put(left, { display: "none" });
      this.reserve.push(left);
    }
    [this.used, this.taken] = [this.taken, this.used];
    this.taken.clear();
  }

  /** The node of `key` if it is visible. */
  get(key) {
    return this.used.get(key);
  }
}
