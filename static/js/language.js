/** Keeps the link to the other language at the current address. Draws. */

import { asking, maybe } from "./page.js";

/** @param {string | URL} url where the page is */
export function elsewhere(url) {
  const other = maybe("switch", HTMLAnchorElement);
  if (!other) return;
  other.href = asking(url, { lang: other.hreflang.startsWith("zh") ? "zh" : "en" }).href;
}
