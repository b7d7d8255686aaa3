/** Texts that are not yet shared, stored in this browser until the next visit. */

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
    // full or refused: the page itself loses nothing
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
 * Store a draft.
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
 * Store a text that is being replaced, and remember in this tab where.
 * @param {string} origin
 * @param {string} text
 */
export function leave(origin, text) {
  keep(origin, text);
  try {
    sessionStorage.setItem(LEFT, origin);
  } catch {
    // without storage there is no draft and no way back
  }
}

/**
 * Where the last replaced text came from, as long as it is stored.
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
