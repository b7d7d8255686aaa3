/** Drawing with SVG: elements, and attributes that are written only when they change. */

const NS = "http://www.w3.org/2000/svg";

/**
 * @typedef {string | number | null} Value of an attribute
 * @typedef {Element & {known?: Record<string, Value>}} Known an element and the attributes that it was given
 * @typedef {string | Record<string, Value | boolean>} Look the class of an HTML element, or all its attributes
 */

/** While a group is drawn anew: how many children each element in it has so far. @type {Map<Element, number> | null} */
let drawn = null;

/**
 * An SVG element; in a group that is drawn anew, the one that is there if it has the same name.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name @param {Record<string, Value | undefined>} [attributes] @param {Element | null} [parent]
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, parent = null) {
  const element = parent && drawn?.has(parent) ? next(name, attributes, parent, drawn) : made(name);
  for (const key in attributes) set(element, key, attributes[key] ?? null);
  if (!element.parentNode) parent?.append(element);
  return element;
}

/** @template {keyof SVGElementTagNameMap} K @param {K} name @returns {SVGElementTagNameMap[K]} */
function made(name) {
  return document.createElementNS(NS, name);
}

/**
 * The next element of a parent that is drawn anew.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name @param {object} attributes @param {Element} parent @param {Map<Element, number>} counts
 * @returns {SVGElementTagNameMap[K]}
 */
function next(name, attributes, parent, counts) {
  const count = counts.get(parent) ?? 0;
  const left = parent.children[count];
  // What is left out is removed, so that all that follows stays.
  if (left?.nextElementSibling?.localName === name && left.localName !== name) left.remove();
  /** @type {Known | undefined} */
  const there = parent.children[count];
  const element = /** @type {SVGElementTagNameMap[K]} */ (there?.localName === name ? there : made(name));
  if (element !== there) parent.insertBefore(element, there ?? null);
  else for (const key in there.known) if (!(key in attributes)) set(element, key, null);
  counts.set(parent, count + 1).set(element, 0);
  return element;
}

/**
 * Draw a group anew: what is there is used again, and what is left over removed.
 * @param {Element} group @param {() => void} draw its content, with `svg` and `say`
 */
export function anew(group, draw) {
  drawn = new Map([[group, 0]]);
  draw();
  for (const [element, count] of drawn) while (element.childElementCount > count) element.lastElementChild?.remove();
  drawn = null;
}

/**
 * Write an attribute if it differs; null removes it.
 * @param {Known} element @param {string} name @param {Value} value
 */
export function set(element, name, value) {
  const known = (element.known ??= {});
  if (known[name] === value) return;
  known[name] = value;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}

/** Write a text if it differs. @param {Element & {said?: string}} element @param {string} text */
export function say(element, text) {
  if (element.said === text) return;
  element.said = text;
  const { firstChild: only } = element;
  if (only instanceof Text && !only.nextSibling) only.data = text;
  else element.textContent = text;
}

/** A number in few digits, as the server writes it. @param {number} value */
export function short(value) {
  return Math.round(value * 10) / 10;
}

/** An icon of the page's sprite. @param {string} name */
export function icon(name) {
  const drawn = svg("svg", { class: "icon", "aria-hidden": "true", width: 20, height: 20 });
  svg("use", { href: `#icon-${name}` }, drawn);
  return drawn;
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Look} [look] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(name, look = "", ...children) {
  const element = document.createElement(name);
  const attributes = typeof look === "string" ? { class: look || null } : look;
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : String(value));
  element.append(...children);
  return element;
}

/**
 * A button, and what a press on it does.
 * @param {Look} look @param {() => void} act @param {(Node | string)[]} children
 */
export function button(look, act, ...children) {
  const made = html("button", look, ...children);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
