/**
 * A tip for what does not fit on the stage: the states of small nodes, and the content of a channel without a caption.
 * It works for pointer and keyboard. Draws.
 */

import { around } from "../page.js";
import { html } from "../svg.js";

/** @import { Line } from "./types.js" */

/** What has a description, or lies on it. */
const DESCRIBED = "[data-process], [data-channel], [data-on]";

/**
 * @param {SVGSVGElement} root the stage @param {HTMLElement} host
 * @param {(element: SVGElement) => Line[]} lines
 */
export function tip(root, host, lines) {
  const box = html("div", { class: "tip", "aria-hidden": "true", hidden: true });
  host.append(box);

  /** @param {FocusEvent | PointerEvent} event */
  function show(event) {
    const element = around(event.target, DESCRIBED, SVGElement);
    const { look } = root.dataset;
    const said = look === "row" || (look === "circle" && element?.dataset.process);
    if (!element || said) return hide();
    const [name, ...rest] = lines(element);
    box.replaceChildren(html("b", "", name.text), ...rest.map(({ text, tone }) => html("span", tone, text)));
    box.hidden = false;
    // A channel is long: its tip is at the pointer.
    const pointed = element.dataset.channel && event instanceof PointerEvent;
    put(pointed ? new DOMRect(event.clientX, event.clientY - 6, 0, 12) : element.getBoundingClientRect());
  }

  /** @param {DOMRect} at */
  function put(at) {
    const within = host.getBoundingClientRect();
    const left = at.left - within.left + at.width / 2 - box.offsetWidth / 2;
    const above = at.top - within.top - box.offsetHeight - 8;
    box.style.left = `${Math.max(4, Math.min(within.width - box.offsetWidth - 4, left))}px`;
    const below = Math.min(at.bottom - within.top + 12, within.height - box.offsetHeight - 4);
    box.style.top = `${above > 0 ? above : Math.max(4, below)}px`;
  }

  function hide() {
    box.hidden = true;
  }

  root.addEventListener("pointerover", show);
  root.addEventListener("focusin", show);
  root.addEventListener("pointerleave", hide);
  root.addEventListener("focusout", hide);
  return { hide };
}
