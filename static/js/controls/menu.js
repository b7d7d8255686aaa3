/**
 * The menu of a process, a channel or a message: what can happen to it now, each a link to the run in which it happens;
 * and separately what can go wrong. Draws.
 */

import { called } from "../run/options.js";
import { html } from "../svg.js";

/** @param {Object} words @param {(action: string) => string} branch */
export function menu(words, branch) {
  const box = html("div", "menu");
  box.hidden = true;
  box.setAttribute("role", "menu");
  document.querySelector("main").append(box);
  let from = null;

  function close(back = false) {
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
    if (!box.contains(event.target)) close();
  });

  return {
    close,
    get isOpen() {
      return !box.hidden;
    },
    /**
     * @param {string} title what it is about @param {string} label the same as a sentence
     * @param {import("../run/options.js").Option[]} options what can happen, and what cannot with its reason
     * @param {import("../run/options.js").Option[]} faults what can go wrong @param {Element} anchor
     */
    open(title, label, options, faults, anchor) {
      from = anchor;
      const heading = html("p", "", title);
      heading.setAttribute("role", "presentation");
      box.setAttribute("aria-label", label);
      const items = options.map(item);
      if (!items.length) items.push(waits(words.word("player.menu.nothing")));
      box.setAttribute("role", "menu");
      box.replaceChildren(heading, ...items, ...(faults.length ? [wrong(faults)] : []));
      put(anchor);
      (box.querySelector("a") ?? entries()[0]).focus({ preventScroll: true });
    },
  };

  function item(option) {
    const said = called(option, words);
    if (option.reason) return waits(said, words.word(`reason.${option.reason}`));
    const link = html("a", "", said);
    link.href = branch(option.action);
    link.dataset.ask = "";
    link.setAttribute("role", "menuitem");
    return link;
  }

  /** What cannot be chosen, and why. */
  function waits(said, why = "") {
    const made = html("span", "mute", said, ...(why ? [html("span", "why", why)] : []));
    made.setAttribute("role", "menuitem");
    made.setAttribute("aria-disabled", "true");
    made.tabIndex = -1;
    return made;
  }

  /** What can go wrong has its own place and heading. */
  function wrong(faults) {
    const heading = html("p", "", words.word("player.faults"));
    heading.id = "menu-faults";
    heading.setAttribute("role", "presentation");
    const group = html("div", "faults", heading, ...faults.map(item));
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", "menu-faults");
    return group;
  }

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
