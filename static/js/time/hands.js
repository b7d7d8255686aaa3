/** The mouse: what it points at, jumps by a click, and the window moved by a drag or a wheel. */

import { around } from "../page.js";

/**
 * @typedef {object} Does
 * @property {(message: number | null) => void} point at a message
 * @property {(target: EventTarget | null, x: number) => void} click
 * @property {() => number | null} hold where the window is; null if all is visible
 * @property {(to: number) => number} scroll where the window is then
 * @property {() => number} zoom
 */

/** The message that an element belongs to. @param {EventTarget | null} target */
export function messageOf(target) {
  const found = around(target, "[data-message]", Element)?.getAttribute("data-message");
  return found === null || found === undefined ? null : Number(found);
}

/** @param {SVGElement} svg @param {Does} does */
export function hands(svg, { point, click, hold, scroll, zoom }) {
  /** @type {{x: number, origin: number | null, moved: boolean} | null} */
  let drag = null;
  svg.addEventListener("pointerover", ({ target }) => point(messageOf(target)));
  svg.addEventListener("pointerleave", () => point(null));
  svg.addEventListener("focusin", ({ target }) => point(messageOf(target)));
  svg.addEventListener("focusout", () => point(null));
  svg.addEventListener("pointerdown", ({ clientX }) => (drag = { x: clientX, origin: hold(), moved: false }));
  svg.addEventListener("pointermove", ({ buttons, clientX, pointerId }) => {
    if (drag === null || drag.origin === null || !(buttons & 1)) return;
    if (Math.abs(clientX - drag.x) < 5 && !drag.moved) return;
    if (!drag.moved) svg.setPointerCapture(pointerId);
    drag.moved = true;
    scroll(drag.origin - (clientX - drag.x) / zoom());
  });
  svg.addEventListener("click", ({ target, clientX }) => {
    if (!drag?.moved) click(target, (clientX - svg.getBoundingClientRect().left) / zoom());
    drag = null;
  });
  svg.addEventListener(
    "wheel",
    (event) => {
      const before = hold();
      if (before === null) return;
      const by = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
      if (scroll(before + by) !== before) event.preventDefault();
    },
    { passive: false },
  );
}
