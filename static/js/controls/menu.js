/**
 * The menu of a process, a channel or a message: what can happen to it now, each a link to the run in which it happens;
 * and separately what can go wrong. The server writes it when it is opened. Draws.
 */

import { abandon, ask } from "../ask.js";
import { all, around, as, data, first } from "../page.js";
import { html } from "../svg.js";

/** @import { Control } from "../outage.js" */

/**
 * @typedef {Record<string, string | number>} Of what a menu is about: a process, a channel, or a channel and a message
 */

/** The asker of menus. */
const ASKER = "menu";
/** The distance of a menu from what it is about, and from the edge of the window, in pixels. */
const GAP = 8;
/** Half the height of a channel, in pixels. */
const CHANNEL = 12;

/** Give links the addresses of the runs in which their actions happen. @param {HTMLElement} host @param {(action: string) => string} branch */
export function addressed(host, branch) {
  for (const link of all(host, "a[data-action]", HTMLAnchorElement)) link.href = branch(data(link, "action"));
}

/**
 * @param {(of: Of) => string | URL} address of the menu of something at the present step
 * @param {(action: string) => string} branch
 */
export function menu(address, branch) {
  const box = html("div", { class: "menu", role: "menu", hidden: true });
  first(document, "main").append(box);
  /** @type {Control | null} */
  let from = null;

  function close(back = false) {
    abandon(ASKER);
    if (box.hidden) return;
    box.hidden = true;
    if (back) from?.focus();
  }

  listen(box, close);
  return {
    close,
    get isOpen() {
      return !box.hidden;
    },
    /** @param {Of} of @param {Element} node that it is about */
    async open(of, node) {
      const anchor = /** @type {Control} */ (node);
      close();
      const answer = await ask(address(of), { at: anchor, asker: ASKER, headers: { "hx-request": "true" } });
      if (!answer) return;
      from = anchor;
      box.dataset.of = String(of.process ?? String(of.channel).split("->")[1]);
      const made = first(new DOMParser().parseFromString(answer.text, "text/html").body, "div");
      box.setAttribute("aria-label", made.getAttribute("aria-label") ?? "");
      box.replaceChildren(...made.children);
      addressed(box, branch);
      put(box, anchor);
      (as(box.querySelector("a")) ?? entries(box)[0]).focus({ preventScroll: true });
    },
  };
}

/** @param {HTMLElement} box */
function entries(box) {
  return all(box, "[role=menuitem]");
}

/** Let keys move the focus, and let a press elsewhere close the menu. @param {HTMLElement} box @param {(back?: boolean) => void} close */
function listen(box, close) {
  /** @param {number} by */
  function step(by) {
    const items = entries(box);
    const at = items.findIndex((item) => item === document.activeElement);
    items[(at + by + items.length) % items.length]?.focus();
  }

  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Home: () => entries(box)[0].focus(),
    End: () => entries(box).at(-1)?.focus(),
    Escape: () => close(true),
    Tab: () => close(true), // and on from what it is about
  };
  box.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act) return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
    act();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!(target instanceof Node && box.contains(target)) && !around(target, ".outage")) close();
  });
}

/** Show the menu below what it is about, or above if there is no room. @param {HTMLElement} box @param {Control} anchor */
function put(box, anchor) {
  box.hidden = false;
  const extent = extentOf(anchor);
  const own = box.getBoundingClientRect();
  const left = Math.min(Math.max(GAP, extent.left + extent.width / 2 - own.width / 2), innerWidth - own.width - GAP);
  const below = extent.bottom + GAP + own.height < innerHeight;
  const top = below ? extent.bottom + GAP : Math.max(GAP, extent.top - own.height - GAP);
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${top + scrollY}px`;
}

/** Where the menu is attached: for a channel, which is long, its middle. @param {Control} anchor */
function extentOf(anchor) {
  const path = anchor.dataset.channel ? as(anchor.querySelector(".edge"), SVGGeometryElement) : null;
  const matrix = path?.getScreenCTM();
  if (!path || !matrix) return anchor.getBoundingClientRect();
  const { x, y } = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(matrix);
  return { left: x, width: 0, top: y - CHANNEL, bottom: y + CHANNEL };
}
