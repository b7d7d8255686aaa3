/** Keeps the link to the other language at the current address. Draws. */

/** @param {string | URL} url where the page is */
export function elsewhere(url) {
  const other = /** @type {HTMLAnchorElement | null} */ (document.getElementById("switch"));
  if (!other) return;
  const there = new URL(url, location.href);
  there.searchParams.set("lang", other.hreflang.startsWith("zh") ? "zh" : "en");
  other.href = there.href;
}
