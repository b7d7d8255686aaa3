/** The header of every page: the search, the menu, the choice of a run, and where the visitor was last. Wires. */

import { all, maybe } from "../page.js";
import { remember } from "../last.js";
import { runs } from "./runs.js";
import { search } from "./search.js";

search();
runs();
remember();

// The other language has the same places.
maybe("switch", HTMLAnchorElement)?.addEventListener("click", ({ currentTarget: link }) => {
  if (link instanceof HTMLAnchorElement) link.hash = location.hash;
});

// On a phone the second row scrolls sideways: where the visitor is comes into view.
for (const here of all(document, ":is(.within, .run-tabs) [aria-current]")) {
  const row = here.parentElement;
  if (!row) continue;
  const left = here.getBoundingClientRect().left - row.getBoundingClientRect().left;
  row.scrollLeft += left - (row.clientWidth - here.offsetWidth) / 2;
}

// What is open closes by Escape, and by a click elsewhere.
for (const box of all(document, ".top details", HTMLDetailsElement)) {
  document.addEventListener("pointerdown", ({ target }) => {
    if (box.open && !(target instanceof Node && box.contains(target))) box.open = false;
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    event.preventDefault();
    event.stopPropagation();
    box.open = false;
    box.querySelector("summary")?.focus();
  });
}
