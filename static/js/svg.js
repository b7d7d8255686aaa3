/** Drawing with SVG: elements, and attributes that are written only when they change. */

const NS = "http://www.w3.org/2000/svg";

/** @typedef {string | number | null} Value of an attribute */

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name @param {Record<string, Value | undefined>} [attributes] @param {Element | null} [parent]
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, parent = null) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent?.append(element);
  return element;
}

/**
 * Write an attribute if it differs; null removes it.
 * @param {Element & {known?: Record<string, Value>}} element @param {string} name @param {Value} value
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

/** An icon of the page's sprite. @param {string} name */
export function icon(name) {
  const drawn = svg("svg", { class: "icon", "aria-hidden": "true", width: 20, height: 20 });
  svg("use", { href: `#icon-${name}` }, drawn);
  return drawn;
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {string} [className] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(name, className = "", ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
