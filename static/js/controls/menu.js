/**
 * The menu of a process, a channel or a message: what can happen to it now, each a link to the run in which it happens;
 * and separately what can go wrong. The server writes it when it is opened. Draws.
 */

import { abandon, ask } from "../ask.js";
import { html } from "../svg.js";

/** The asker of menus. */
const ASKER = "menu";

/** Give links the addresses of the runs in which their actions happen. @param {(action: string) => string} branch */
export function addressed(host, branch) {
  for (const link of host.querySelectorAll("a[data-action]")) link.href = branch(link.dataset.action);
}

/**
 * @param {(of: Object<string, string|number>) => string|URL} address of the menu of something at the present step
 * @param {(action: string) => string} branch
 */
export function menu(address, branch) {
  const box = html("div", "menu");
  box.hidden = true;
  box.setAttribute("role", "menu");
  document.querySelector("main").append(box);
  let from = null;

  function close(back = false) {
    abandon(ASKER);
    if (box.hidden) return;
    box.hidden = true;
    if (back) from?.focus();
  }

  function entries() {
    return [...box.querySelectorAll("[role=menuitem]")];
  }

  function step(by) {
    const items = entries();
    const at = items.indexOf(document.activeElement);
    items[(at + by + items.length) % items.length]?.focus();
  }

  box.addEventListener("keydown", (event) => {
    const does = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Home: () => entries()[0].focus(),
      End: () => entries().at(-1).focus(),
      Escape: () => close(true),
      Tab: () => close(),
    }[event.key];
    if (!does) return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
    does();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!box.contains(event.target) && !event.target.closest(".outage")) close();
  });

  return {
    close,
    get isOpen() {
      return !box.hidden;
    },
    /** @param {Object<string, string|number>} of a process, a channel, or a channel and a message @param {Element} anchor */
    async open(of, anchor) {
      close();
      const answer = await ask(address(of), { at: anchor, asker: ASKER, headers: { "hx-request": "true" } });
      if (!answer) return;
      from = anchor;
      const made = new DOMParser().parseFromString(answer.text, "text/html").body.firstElementChild;
      box.setAttribute("aria-label", made.getAttribute("aria-label"));
      box.replaceChildren(...made.children);
      addressed(box, branch);
      put(anchor);
      (box.querySelector("a") ?? entries()[0]).focus({ preventScroll: true });
    },
  };

  function put(anchor) {
    box.hidden = false;
    const around = extent(anchor);
    const own = box.getBoundingClientRect();
    const left = Math.min(Math.max(8, around.left + around.width / 2 - own.width / 2), innerWidth - own.width - 8);
    const below = around.bottom + 8 + own.height < innerHeight;
    box.style.left = `${left + scrollX}px`;
    box.style.top = `${(below ? around.bottom + 8 : Math.max(8, around.top - own.height - 8)) + scrollY}px`;
  }

  /** Where the menu is attached: for a channel, which is long, its middle. */
  function extent(anchor) {
    const whole = anchor.getBoundingClientRect();
    if (!anchor.dataset.channel) return whole;
    const path = anchor.querySelector(".edge");
    const matrix = path?.getScreenCTM();
    if (!matrix) return whole;
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(matrix);
    return { left: x, width: 0, top: y - 12, bottom: y + 12 };
  }
}
