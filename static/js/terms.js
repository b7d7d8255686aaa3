/**
 * The meaning of a glossary's term beside it, for the pointer, the keyboard and a finger: a tap shows the meaning and a
 * link to the glossary, where otherwise it would lead away from what is read. Draws.
 */

import { around, first } from "./page.js";
import { html } from "./svg.js";

const hint = html("div", { class: "hint", id: "hint", role: "tooltip", hidden: true });
/** @type {HTMLAnchorElement | null} the term whose meaning is shown */
let shown = null;
/** Was the page last touched, and not pointed at? */
let touched = false;

/** @param {Event} event */
const termOf = ({ target }) => around(target, ".term", HTMLAnchorElement);

/** @param {HTMLAnchorElement} term */
function show(term) {
  hide();
  shown = term;
  // The browser would show a title in its own way, too.
  term.dataset.means ??= term.title;
  term.removeAttribute("title");
  term.setAttribute("aria-describedby", hint.id);
  const door = touched ? [html("a", { href: term.href }, term.textContent)] : [];
  hint.replaceChildren(...door, html("span", "", term.dataset.means));
  if (!hint.isConnected) first(document, "main").append(hint);
  hint.hidden = false;
  const place = term.getBoundingClientRect();
  const own = hint.getBoundingClientRect();
  const left = Math.max(8, Math.min(place.left, innerWidth - own.width - 8));
  const below = place.bottom + 6 + own.height < innerHeight;
  hint.style.left = `${left + scrollX}px`;
  hint.style.top = `${(below ? place.bottom + 6 : Math.max(8, place.top - own.height - 6)) + scrollY}px`;
}

/** The meaning goes, as it must where its term goes. */
export function hide() {
  shown?.removeAttribute("aria-describedby");
  shown = null;
  hint.hidden = true;
}

/** @param {MouseEvent} event */
function tap(event) {
  const term = touched ? termOf(event) : null;
  if (!term || term === shown) return around(event.target, ".hint") ?? hide();
  event.preventDefault();
  show(term);
}

document.addEventListener("pointerdown", ({ pointerType }) => (touched = pointerType === "touch"), { capture: true });
document.addEventListener("click", tap);
document.addEventListener("pointerover", (event) => {
  const term = event.pointerType === "mouse" ? termOf(event) : null;
  touched &&= !term;
  if (term) show(term);
});
document.addEventListener("pointerout", (event) => event.pointerType === "mouse" && termOf(event) && hide());
document.addEventListener("focusin", (event) => {
  const term = termOf(event);
  if (term?.matches(":focus-visible")) show(term);
});
document.addEventListener("focusout", () => touched || hide());
document.addEventListener("htmx:after:swap", () => shown?.isConnected || hide());
document.addEventListener(
  "keydown",
  (event) => {
    touched = false;
    if (event.key !== "Escape" || !shown) return;
    event.stopPropagation();
    hide();
  },
  { capture: true },
);
