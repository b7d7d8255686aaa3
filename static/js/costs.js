/**
 * The page of costs: the value of a slider while it moves, and the address, which has the values of all. The server
 * knows what was measured there; it is asked when a slider comes to rest (htmx).
 */

import { elsewhere } from "./language.js";
import { first, one, query } from "./page.js";

const form = one("costs", HTMLFormElement);

form.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== "range") return;
  const text = [target.value, target.dataset.unit].filter(Boolean).join(" ");
  first(document, `output[for="${target.id}"]`).textContent = text;
  if (target.dataset.unit) target.setAttribute("aria-valuetext", text);
});

form.addEventListener("change", () => {
  history.replaceState(null, "", `${location.pathname}?${query(new FormData(form))}${location.hash}`);
  elsewhere(location.href);
});
