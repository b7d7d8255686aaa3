/**
 * A snapshot carried out by hand: a click on a process lets it record, one on a channel takes what has arrived there, and
 * markers are dragged. The focus stays on what was pressed. Wires.
 */

import { around, maybe } from "../page.js";
import { dragging } from "./dragging.js";

/** How far below what is refused a button stays, in px. */
const BELOW = 8;

let pressed = "";

if (maybe("hand")) dragging();

document.addEventListener("click", (event) => {
  const hand = maybe("hand");
  const shape = around(event.target, "#hand [data-process], #hand [data-channel]", SVGElement);
  if (!hand || !shape) return;
  const { process, channel } = shape.dataset;
  const value = process ? `record:${process}` : `take:${channel}`;
  /** @type {HTMLButtonElement | null} */ (hand.querySelector(`button[value="${CSS.escape(value)}"]`))?.click();
});

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  pressed = ctx.sourceEvent?.submitter?.id ?? "";
});
document.addEventListener("htmx:after:swap", () => {
  if (!maybe("hand")) return;
  const next = maybe("graded") ?? maybe(pressed) ?? document.querySelector("#hand .hand-moves button");
  /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
  if (next) uncover(next);
});

/** What is refused stays in view on a phone, but never over what was pressed. @param {Element} element */
function uncover(element) {
  const said = document.querySelector("#hand .hand-refused")?.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  if (said && bottom > said.top && top < said.bottom + BELOW) scrollBy(0, top - said.bottom - BELOW);
}
