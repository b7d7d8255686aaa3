/** From one question to the next: reading goes on there, and not at the top of the page. Wires. */

import { around, as, isPlain } from "../page.js";
import { keepValue, takeValue } from "../storage.js";

const NAME = "bluecut.onward";
const LINKS = ".asked-retry, .asked-onward, a[rel=next], a[rel=prev]";

/** Where a question begins, if a question led to this page. @returns {HTMLElement | null} */
export function begins() {
  if (takeValue(NAME) !== location.href) return null;
  return as(document.querySelector(".asked-scene, .asked-asks > [tabindex]"));
}

document.addEventListener("click", (event) => {
  const link = around(event.target, LINKS, HTMLAnchorElement);
  if (link && isPlain(event)) keepValue(NAME, link.href, { tab: true });
});
