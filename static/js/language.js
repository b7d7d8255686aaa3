/** Keeps the link to the other language at the current address. Draws. */

import { maybe } from "./page.js";

/** @param {string | URL} url where the page is */
export function elsewhere(url) {
  const other = maybe("switch", HTMLAnchorElement);
  if (!other) return;
  const there = new URL(url, location.href);
  there.searchParams.set("lang", other.hreflang.startsWith("zh") ? "zh" : "en");
  other.href = there.href;
}
