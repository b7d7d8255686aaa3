/** On a phone, tabs choose the one panel that is visible; on a wide page all are visible at once. Draws. */

import { html } from "../svg.js";

const ALL = ["time", "table", "rule", "checks", "ledger", "files", "next", "switches", "log"];

/** @param {HTMLElement} host @param {Object} words @param {() => void} changed @param {string} [first] what is shown at first */
export function tabs(host, words, changed, first) {
  const names = ALL.filter((name) => document.querySelector(`[data-panel="${name}"]`));
  const panels = new Map(names.map((name) => [name, document.querySelector(`[data-panel="${name}"]`)]));
  const narrow = matchMedia("(max-width: 760px), (max-height: 500px)");
  const low = matchMedia("(max-height: 500px)");
  const buttons = names.map((name) => {
    const made = html("button", "", words.word(`player.tab.${name}`));
    made.type = "button";
    made.id = `tab-${name}`;
    made.dataset.tab = name;
    made.setAttribute("role", "tab");
    made.addEventListener("click", () => {
      choose(name);
      // The bar of tabs is at the lower edge of a phone; the chosen panel scrolls into view above it.
      if (!low.matches) panels.get(name).scrollIntoView({ block: "nearest" });
    });
    return made;
  });
  host.replaceChildren(...buttons);
  // In landscape, a phone has room for the stage or for space and time: the stage comes first.
  let chosen = names.includes(first) ? first : low.matches ? "rule" : "time";

  function choose(name) {
    chosen = name;
    draw();
  }

  function draw() {
    for (const button of buttons) {
      const mine = button.dataset.tab === chosen;
      button.setAttribute("aria-selected", String(mine));
      button.tabIndex = mine ? 0 : -1;
    }
    for (const [name, panel] of panels) {
      panel.classList.toggle("folded", narrow.matches && name !== chosen);
    }
    document.body.dataset.tab = chosen;
    changed();
  }

  host.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    choose(names[(names.indexOf(chosen) + by + names.length) % names.length]);
    document.getElementById(`tab-${chosen}`).focus();
  });
  narrow.addEventListener("change", draw);
  draw();
}
