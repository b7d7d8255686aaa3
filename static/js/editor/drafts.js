/** What was written and not yet shared, kept in this browser until the next visit. */

const PLACE = "bluecut.drafts";
const MOST = 8;

/** @returns {[string, string][]} pairs of where a text came from and the text, the newest last */
function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(kept) ? kept.filter((pair) => Array.isArray(pair) && pair.length === 2) : [];
  } catch {
    return []; // a browser may refuse storage; the editor works without
  }
}

/** @param {[string, string][]} drafts */
function put(drafts) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(drafts.slice(-MOST)));
  } catch {
    // full or refused: nothing that was on the page is lost by that
  }
}

/**
 * The draft of the text that came from ``origin``, if there is one.
 * @param {string} origin
 * @returns {string | undefined}
 */
export function draft(origin) {
  const found = all().find(([from]) => from === origin)?.[1];
  return typeof found === "string" ? found : undefined;
}

/**
 * Keep a draft.
 * @param {string} origin
 * @param {string} text
 */
export function keep(origin, text) {
  put([...all().filter(([from]) => from !== origin), [origin, text]]);
}

/**
 * Forget a draft.
 * @param {string} origin
 */
export function forget(origin) {
  put(all().filter(([from]) => from !== origin));
}

const LEFT = "bluecut.left";

/**
 * Keep a text that another one replaces, and remember in this tab where it is.
 * @param {string} origin
 * @param {string} text
 */
export function leave(origin, text) {
  keep(origin, text);
  try {
    sessionStorage.setItem(LEFT, origin);
  } catch {
    // without storage there is no way back, as there is no draft
  }
}

/**
 * Where the text came from that was replaced last, as long as it is kept.
 * @returns {string | undefined}
 */
export function left() {
  try {
    const origin = sessionStorage.getItem(LEFT);
    return origin === null || draft(origin) === undefined ? undefined : origin;
  } catch {
    return undefined;
  }
}
