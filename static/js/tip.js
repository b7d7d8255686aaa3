/** What does not fit into a small node, beside it: for the pointer and for the keyboard alike. Draws. */

import { html } from "./svg.js";

/** @param {SVGElement} root the stage @param {HTMLElement} host @param {(process: string) => string[]} lines */
export function tip(root, host, lines) {
  const box = html("div", "tip");
  box.setAttribute("aria-hidden", "true");
  box.hidden = true;
  host.append(box);

  function show(event) {
    const node = event.target.closest?.("[data-process]");
    if (!node || root.dataset.look !== "grid") return hide();
    const [name, ...rest] = lines(node.dataset.process);
    box.replaceChildren(html("b", "", name), ...rest.map((line, i) => html("span", i ? "recorded" : "", line)));
    box.hidden = false;
    const at = node.getBoundingClientRect();
    const around = host.getBoundingClientRect();
    const left = at.left - around.left + at.width / 2 - box.offsetWidth / 2;
    const above = at.top - around.top - box.offsetHeight - 8;
    box.style.left = `${Math.max(4, Math.min(around.width - box.offsetWidth - 4, left))}px`;
    box.style.top = `${above > 0 ? above : at.bottom - around.top + 12}px`;
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
