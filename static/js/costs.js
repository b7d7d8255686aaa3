/**
 * The page of costs: what a slider says while it is moved, and the address, which says where all of them are. Measuring
 * is the server's; it is asked when a slider has come to rest (htmx).
 */

const form = document.getElementById("costs");

form.addEventListener("input", ({ target }) => {
  if (target.type !== "range") return;
  const text = [target.value, target.dataset.unit].filter(Boolean).join(" ");
  document.querySelector(`output[for="${target.id}"]`).textContent = text;
  if (target.dataset.unit) target.setAttribute("aria-valuetext", text);
});

form.addEventListener("change", () => {
  history.replaceState(null, "", `${location.pathname}?${new URLSearchParams(new FormData(form))}${location.hash}`);
});
