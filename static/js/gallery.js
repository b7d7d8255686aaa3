/**
 * The chips of the gallery, each of which removes one filter: they change the filter itself, so that text typed at the
 * same time counts as well. The chip is gone then, and the focus moves to the count, which also says what is left.
 */

import { around, first, isPlain, one } from "./page.js";

const form = first(document, ".search", HTMLFormElement);
let removal = false;

document.addEventListener("click", (event) => {
  const chip = around(event.target, ".chip[data-filter]");
  if (!chip || !isPlain(event)) return;
  event.preventDefault();
  const field = form.elements.namedItem(chip.dataset.filter ?? "");
  if (field && "value" in field) field.value = "";
  removal = true;
  form.requestSubmit();
});

document.addEventListener("htmx:after:swap", () => {
  if (removal) one("count").focus({ preventScroll: true });
  removal = false;
});
