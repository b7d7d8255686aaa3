/**
 * Parts of a page that can be folded. Without scripts they are open; here, tables beside a drawing are folded, and on a
 * phone so are the sections below the first, except where a link leads to one. What a visitor opened or folded stays so when it is replaced.
 */

import { all, first } from "./page.js";

const narrow = matchMedia("(max-width: 760px)");
/** @type {Map<string, boolean>} by id, whether a visitor has opened it */
const chosen = new Map();

function foldAll() {
  for (const part of all(document, "details.fold:not(.settled)", HTMLDetailsElement)) {
    part.classList.add("settled");
    part.open =
      chosen.get(part.id) ??
      (part.querySelector(":target") !== null || !(part.dataset.fold === "always" || narrow.matches));
    first(part, "summary").addEventListener("click", () => chosen.set(part.id, !part.open));
  }
}

foldAll();
addEventListener("hashchange", () => {
  const part = document.querySelector(":target")?.closest("details.fold");
  if (part instanceof HTMLDetailsElement) part.open = true;
});
document.addEventListener("htmx:after:swap", foldAll);
