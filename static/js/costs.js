/**
 * The page of costs: the value of a slider while it moves, and the address, which has the values of all. The server
 * measures; it is asked when a slider comes to rest (htmx).
 */

import { elsewhere } from "./language.js";

const form = document.getElementById("costs");

form.addEventListener("input", ({ target }) => {
  if (target.type !== "range") return;
  const text = [target.value, target.dataset.unit].filter(Boolean).join(" ");
  document.querySelector(`output[for="${target.id}"]`).textContent = text;
  if (target.dataset.unit) target.setAttribute("aria-valuetext", text);
});

form.addEventListener("change", () => {
  history.replaceState(null, "", `${location.pathname}?${new URLSearchParams(new FormData(form))}${location.hash}`);
  elsewhere(location.href);
});
