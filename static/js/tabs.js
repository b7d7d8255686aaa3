/** On a phone the panels are tabs below the controls; on a wide page all are there at once. Draws. */

import { html } from "./svg.js";

const NAMES = ["time", "table", "rule", "checks", "next", "log"];

/** @param {HTMLElement} host @param {Object} words @param {() => void} changed */
export function tabs(host, words, changed) {
  const panels = new Map(NAMES.map((name) => [name, document.querySelector(`[data-panel="${name}"]`)]));
  const narrow = matchMedia("(max-width: 760px)");
  const buttons = NAMES.map((name) => {
    const made = html("button", "", words.word(`player.tab.${name}`));
    made.type = "button";
    made.id = `tab-${name}`;
    made.dataset.tab = name;
    made.setAttribute("role", "tab");
    made.addEventListener("click", () => choose(name));
    return made;
  });
  host.replaceChildren(...buttons);
  let chosen = "time";

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
    changed();
  }

  host.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    choose(NAMES[(NAMES.indexOf(chosen) + by + NAMES.length) % NAMES.length]);
    document.getElementById(`tab-${chosen}`).focus();
  });
  narrow.addEventListener("change", draw);
  draw();
}
