/**
 * A pen and a pointer over the picture, for lectures: the pen draws, the pointer is a large dot that follows the mouse.
 * Nothing is stored. Draws.
 */

import { html, svg } from "../svg.js";

/** @param {HTMLElement} main @param {Record<"pen" | "pointer", HTMLElement | null>} buttons */
export function pen(main, buttons) {
  const ink = svg("svg", { class: "ink", "aria-hidden": "true" });
  const dot = html("span", { class: "laser", hidden: true });
  main.append(ink, dot);
  /** @type {"pen" | "pointer" | null} */
  let held = null;
  /** @type {{path: SVGElement, way: string} | null} the stroke that is being drawn */
  let stroke = null;

  /** @param {typeof held} tool */
  function hold(tool) {
    held = held === tool ? null : tool;
    stroke = null;
    dot.hidden = true;
    document.body.classList.toggle("draws", held === "pen");
    document.body.classList.toggle("points", held === "pointer");
    for (const name of /** @type {const} */ (["pen", "pointer"]))
      buttons[name]?.setAttribute("aria-pressed", String(held === name));
  }

  ink.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button) return;
    ink.setPointerCapture(event.pointerId);
    const way = `M${event.clientX} ${event.clientY}l0 0`;
    const group = svg("g", {}, ink);
    svg("path", { class: "ink-halo", d: way }, group);
    stroke = { path: group, way };
    svg("path", { class: "ink-line", d: way }, group);
  });
  ink.addEventListener("pointermove", ({ clientX, clientY, isPrimary }) => {
    if (!stroke || !isPrimary) return;
    stroke.way += `L${clientX} ${clientY}`;
    for (const line of stroke.path.children) line.setAttribute("d", stroke.way);
  });
  for (const kind of /** @type {const} */ (["pointerup", "pointercancel"]))
    ink.addEventListener(kind, () => (stroke = null));
  const follow = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    if (held !== "pointer") return;
    dot.hidden = false;
    // A position, not a look: the policy of the pages forbids style attributes in text, not this.
    dot.style.translate = `${clientX}px ${clientY}px`;
  };
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerdown", follow);

  return {
    pen: () => hold("pen"),
    pointer: () => hold("pointer"),
    /** Put everything away; false if there was nothing. */
    clear() {
      if (!held && !ink.firstChild) return false;
      ink.replaceChildren();
      if (held) hold(held);
      return true;
    },
  };
}
