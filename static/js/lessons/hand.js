/**
 * A snapshot carried out by hand: a click on a process lets it record, one on a channel takes what has arrived there, and
 * markers are dragged. The focus stays on what was pressed. Wires.
 */

import { around, maybe } from "../page.js";
import { dragging } from "./dragging.js";

/** How far from the picture, and from what is refused, a button stays, in px. */
const APART = 8;

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

/** On a phone what was pressed is neither below the picture nor below what is refused. @param {Element} element */
function uncover(element) {
  const own = element.getBoundingClientRect();
  const [picture, refused] = [".lesson-left", ".hand-refused"].map((part) => {
    const over = document.querySelector(`#hand ${part}`)?.getBoundingClientRect();
    return over && own.bottom > over.top && own.top < over.bottom && own.left < over.right ? over : undefined;
  });
  if (refused) scrollBy(0, own.bottom - refused.top + APART);
  else if (picture) scrollBy(0, own.top - picture.bottom - APART);
}
