/**
 * A tip for what does not fit on the stage: the states of small nodes, and the content of a channel without a caption.
 * It works for pointer and keyboard. Draws.
 */

import { html } from "../svg.js";

/** @param {SVGElement} root the stage @param {HTMLElement} host @param {(element: Element) => import("./told.js").Line[]} lines */
export function tip(root, host, lines) {
  const box = html("div", "tip");
  box.setAttribute("aria-hidden", "true");
  box.hidden = true;
  host.append(box);

  function show(event) {
    const element = event.target.closest?.("[data-process], [data-channel], [data-on]");
    const { look } = root.dataset;
    const said = look === "row" || (look === "circle" && element?.dataset.process);
    if (!element || said) return hide();
    const [name, ...rest] = lines(element);
    box.replaceChildren(html("b", "", name.text), ...rest.map(({ text, tone }) => html("span", tone, text)));
    box.hidden = false;
    put(element.dataset.channel && event.clientX !== undefined ? pointed(event) : element.getBoundingClientRect());
  }

  /** A channel is long: its tip is at the pointer. */
  function pointed({ clientX, clientY }) {
    return { left: clientX, top: clientY - 6, bottom: clientY + 6, width: 0 };
  }

  function put(at) {
    const around = host.getBoundingClientRect();
    const left = at.left - around.left + at.width / 2 - box.offsetWidth / 2;
    const above = at.top - around.top - box.offsetHeight - 8;
    box.style.left = `${Math.max(4, Math.min(around.width - box.offsetWidth - 4, left))}px`;
    const below = Math.min(at.bottom - around.top + 12, around.height - box.offsetHeight - 4);
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
