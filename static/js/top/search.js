/** The search box in the header: its key, and the results below it while one types. Wires. */

import { all, around, data, maybe, one } from "../page.js";
import { acts, choice } from "../wishes.js";

const TYPING = "input, textarea, select, [contenteditable], dialog[open]";

export function search() {
  choice("letters");
  const form = maybe("find", HTMLFormElement);
  if (!form) return;
  const box = one("find-words", HTMLInputElement);
  const found = one("find-found");
  const said = one("find-said"); // a status that comes with its words would not be read aloud
  const show = () => {
    said.textContent = found.querySelector(".found-count")?.textContent ?? "";
    found.hidden = !found.textContent?.trim() || !form.contains(document.activeElement);
  };
  if (document.activeElement === box) connect(form);
  else box.addEventListener("focus", () => connect(form), { once: true });
  box.addEventListener("focus", show);
  new MutationObserver(show).observe(found, { childList: true });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) found.hidden = true;
  });
  form.addEventListener("keydown", (event) => move(event, box, found));
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || !acts(event)) return;
    if (document.querySelector("dialog[open]") || around(event.target, TYPING, Element)) return;
    event.preventDefault();
    if (box.offsetParent) box.select();
    else location.href = form.action;
  });
}

/** The arrows go through the results, and Escape back to the box. @param {KeyboardEvent} event @param {HTMLInputElement} box @param {HTMLElement} found */
function move(event, box, found) {
  if (event.key === "Escape" && !found.hidden) {
    found.hidden = true;
    box.focus();
    found.hidden = true; // focusing the box shows them
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !found.hidden) {
    const stops = [box, ...all(found, "a")];
    const at = stops.findIndex((each) => each === document.activeElement);
    stops[Math.max(0, Math.min(stops.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Let htmx ask while one types; load it where the page has not, and ask then for what was typed meanwhile. @param {HTMLFormElement} form */
function connect(form) {
  const asks = { get: form.action, trigger: "input delay:120ms", target: "#find-found", sync: "this:replace" };
  for (const [name, value] of Object.entries(asks)) form.setAttribute(`hx-${name}`, value);
  if (globalThis.htmx) return globalThis.htmx.process(form);
  const script = document.createElement("script");
  script.src = data(form, "htmx");
  script.addEventListener("load", () => setTimeout(() => form.dispatchEvent(new Event("input")))); // it begins in a task
  document.head.append(script);
}
