/** Texts that are not yet shared, stored in this browser until the next visit. */

import { keepValue, valueOf } from "./storage.js";

/**
 * @param {string} place where they are stored
 * @param {number} most the most of them; those that were not changed for longest give way
 */
export function drafts(place, most) {
  /** @returns {[string, string][]} pairs of where a text came from and the text, the newest last */
  function all() {
    const kept = valueOf(place);
    return Array.isArray(kept) ? kept.filter((pair) => Array.isArray(pair) && pair.length === 2) : [];
  }

  /** @param {[string, string][]} pairs @returns {boolean} whether they are stored */
  function put(pairs) {
    return keepValue(place, pairs.slice(-most));
  }

  /** All but that of one origin. @param {string} origin */
  const others = (origin) => all().filter(([from]) => from !== origin);

  return {
    /** The draft of the text that came from `origin`, if there is one. @param {string} origin @returns {string | undefined} */
    of(origin) {
      const found = all().find(([from]) => from === origin)?.[1];
      return typeof found === "string" ? found : undefined;
    },
    /** Store a draft, and say whether that was possible. @param {string} origin @param {string} text */
    keep: (origin, text) => put([...others(origin), [origin, text]]),
    /** Forget a draft. @param {string} origin */
    forget: (origin) => put(others(origin)),
  };
}
