/**
 * Elements of the page, looked up by the kind that a script expects, so that a page and its script cannot drift apart
 * unnoticed. Reads.
 */

/** @template {Element} E @typedef {{new (): E}} Kind the class of an element */

/**
 * Return an element if it is of a kind; null otherwise.
 * @template {Element} [E=HTMLElement]
 * @param {unknown} element @param {Kind<E>} [kind] by default, any HTML element
 * @returns {E | null}
 */
export function as(element, kind) {
  return element instanceof (kind ?? HTMLElement) ? /** @type {E} */ (element) : null;
}

/**
 * Return the first element inside `within` that matches. Throws if there is none of that kind.
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} within @param {string} selector @param {Kind<E>} [kind]
 * @returns {E}
 */
export function first(within, selector, kind) {
  const found = as(within.querySelector(selector), kind);
  if (!found) throw new Error(`the page has no ${kind?.name ?? "element"} ${selector}`);
  return found;
}

/**
 * Return the element with an id. Throws if there is none of that kind.
 * @template {Element} [E=HTMLElement]
 * @param {string} id @param {Kind<E>} [kind]
 * @returns {E}
 */
export function one(id, kind) {
  return first(document, `#${id}`, kind);
}

/**
 * Return the element with an id, or null on a page without it.
 * @template {Element} [E=HTMLElement]
 * @param {string} id @param {Kind<E>} [kind]
 * @returns {E | null}
 */
export function maybe(id, kind) {
  return as(document.getElementById(id), kind);
}

/**
 * Return all elements inside `within` that match and are of that kind.
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} within @param {string} selector @param {Kind<E>} [kind]
 * @returns {E[]}
 */
export function all(within, selector, kind) {
  return [...within.querySelectorAll(selector)].flatMap((element) => as(element, kind) ?? []);
}

/**
 * Return the nearest element around what an event is about that matches, or null.
 * @template {Element} [E=HTMLElement]
 * @param {EventTarget | null} target @param {string} selector @param {Kind<E>} [kind]
 * @returns {E | null}
 */
export function around(target, selector, kind) {
  return target instanceof Element ? as(target.closest(selector), kind) : null;
}

/**
 * Draw a part anew without taking the focus away: what had it is found again by its `data-name`, or the first of its
 * kind has it then.
 * @param {HTMLElement} host @param {string} name @param {() => void} draw
 */
export function refocused(host, name, draw) {
  const held = as(document.activeElement)?.dataset[name];
  const mine = held !== undefined && host.contains(document.activeElement);
  draw();
  if (!mine) return;
  const known = all(host, `[data-${name}]`);
  (known.find((each) => each.dataset[name] === held) ?? known[0])?.focus({ preventScroll: true });
}

/** A value that the page gives to scripts (`data-name`), "" without it. @param {HTMLElement | SVGElement} at @param {string} name */
export function data(at, name) {
  return at.dataset[name] ?? "";
}

/** A text of the page with its fields filled in. @param {string} text @param {Record<string, unknown>} fields */
export function filled(text, fields) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole));
}

/** The value that the page gives to scripts as JSON. @param {string} id @returns {any} as the server makes it */
export function json(id) {
  return JSON.parse(one(id, HTMLScriptElement).text);
}

/**
 * An address with other values in its query.
 * @param {string | URL} url @param {Record<string, string | number | null | undefined>} values one that is not there is
 * left out
 */
export function asking(url, values) {
  const made = new URL(url, location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) made.searchParams.delete(name);
    else made.searchParams.set(name, String(value));
  }
  return made;
}

/** Does an address lead to the page that is shown, wherever on it? @param {string | URL} url */
export function isHere(url) {
  const [there, here] = [new URL(url, location.href), location].map(({ href }) => href.split("#")[0]);
  return there === here;
}

/** The values of a form as an address has them. @param {FormData} values */
export function query(values) {
  const texts = [...values].filter((pair) => typeof pair[1] === "string");
  return new URLSearchParams(/** @type {[string, string][]} */ (texts));
}

/** An address of this site: `path` is the one without the site's root. @param {string} path */
export function site(path) {
  return `${document.documentElement.dataset.root ?? ""}${path}`;
}

/**
 * A finger that holds something does not scroll the page; the parts of a picture cannot say so in a style.
 * @param {() => boolean} held
 */
export function holdStill(held) {
  document.addEventListener("touchmove", (event) => held() && event.preventDefault(), { passive: false });
}

/** Ignore the click that ends a drag. @param {EventTarget} at */
export function swallowClick(at) {
  const swallow = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  at.addEventListener("click", swallow, { capture: true });
  setTimeout(() => at.removeEventListener("click", swallow, { capture: true }));
}

/** Is a click one of the main button alone, so that it means the control and not a new tab? @param {MouseEvent} event */
export function isPlain(event) {
  return !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}
