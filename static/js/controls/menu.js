/** The menu of a process: what it can do now, each a link to the run in which it does. Draws. */

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

  function step(by) {
    const items = [...box.querySelectorAll("[role=menuitem]")];
    const at = items.indexOf(document.activeElement);
    items[(at + by + items.length) % items.length]?.focus();
  }

  box.addEventListener("keydown", (event) => {
    const does = { ArrowDown: () => step(1), ArrowUp: () => step(-1), Escape: () => close(true), Tab: () => close() }[event.key];
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
    /** @param {import("../run/options.js").Option[]} options */
    open(process, options, anchor) {
      from = anchor;
      const items = options.map((option) => {
        const link = html("a", "", words.word(option.key, option.fields));
        link.href = branch(option.action);
        link.setAttribute("role", "menuitem");
        return link;
      });
      const title = html("p", "", process);
      title.setAttribute("role", "presentation");
      box.setAttribute("aria-label", words.word("player.menu", { process }));
      if (!items.length) {
        const nothing = html("span", "mute", words.word("player.menu.nothing"));
        nothing.setAttribute("role", "menuitem");
        nothing.setAttribute("aria-disabled", "true");
        nothing.tabIndex = -1;
        items.push(nothing);
      }
      box.setAttribute("role", "menu");
      box.replaceChildren(title, ...items);
      put(anchor);
      items[0].focus({ preventScroll: true });
    },
    /** Words instead of choices: why something cannot be chosen. */
    say(title, text, anchor) {
      box.setAttribute("role", "status");
      box.removeAttribute("aria-label");
      box.replaceChildren(html("p", "", title), html("span", "mute", text));
      put(anchor);
    },
  };

  function put(anchor) {
    box.hidden = false;
    const around = anchor.getBoundingClientRect();
    const own = box.getBoundingClientRect();
    const left = Math.min(Math.max(8, around.left + around.width / 2 - own.width / 2), innerWidth - own.width - 8);
    const below = around.bottom + 8 + own.height < innerHeight;
    box.style.left = `${left + scrollX}px`;
    box.style.top = `${(below ? around.bottom + 8 : Math.max(8, around.top - own.height - 8)) + scrollY}px`;
  }
}
