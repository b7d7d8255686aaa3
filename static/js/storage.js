/**
 * What is stored for a visitor, in this browser or, with `tab`, as long as this tab. A browser may refuse to store
 * anything: then nothing is found, and pages work without. Stores.
 */

/** @typedef {{tab?: boolean}} Where */

/** A stored text. @param {string} name @param {Where} [where] @returns {string | null} */
export function textOf(name, { tab = false } = {}) {
  try {
    return (tab ? sessionStorage : localStorage).getItem(name);
  } catch {
    return null;
  }
}

/** Store a text; null forgets it. @param {string} name @param {string | null} text @param {Where} [where] @returns {boolean} is it done? */
export function keepText(name, text, { tab = false } = {}) {
  try {
    const place = tab ? sessionStorage : localStorage;
    if (text === null) place.removeItem(name);
    else place.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** A stored value; null if there is none, or if it is damaged. @param {string} name @param {Where} [where] @returns {any} */
export function valueOf(name, where) {
  try {
    return JSON.parse(textOf(name, where) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value. @param {string} name @param {unknown} value @param {Where} [where] @returns {boolean} is it done? */
export function keepValue(name, value, where) {
  return keepText(name, JSON.stringify(value), where);
}

/** How long, in milliseconds, what is left for the next page is of use to it: a later one does not come from this one. */
const SOON = 20_000;

/** Leave a value for the page that comes next. @param {string} name @param {unknown} value */
export function leaveValue(name, value) {
  keepValue(name, { value, when: Date.now() }, { tab: true });
}

/** What was left for this page. @param {string} name @returns {any} */
export function leftValue(name) {
  const left = takeValue(name);
  return left && Date.now() - left.when < SOON ? left.value : null;
}

/** What the page before has stored for this one; the next page does not find it. @param {string} name @returns {any} */
export function takeValue(name) {
  const found = valueOf(name, { tab: true });
  keepText(name, null, { tab: true });
  return found;
}
