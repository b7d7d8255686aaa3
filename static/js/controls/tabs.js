/** On a phone, tabs choose the one panel that is visible; on a wide page all are visible at once. Draws. */

import { all, one } from "../page.js";
import { button } from "../svg.js";

const ALL = ["time", "table", "rule", "checks", "ledger", "files", "next", "switches", "log"];

/**
 * @param {HTMLElement} host @param {import("../types.js").Words} words
 * @param {string} [begin] what is shown at first
 */
export function tabs(host, words, begin) {
  const panels = new Map(ALL.flatMap((name) => all(document, `[data-panel="${name}"]`).map((panel) => [name, panel])));
  const names = [...panels.keys()];
  const narrow = matchMedia("(max-width: 760px), (max-height: 500px)");
  const low = matchMedia("(max-height: 500px)");
  const buttons = names.map((name) => {
    const act = () => {
      choose(name);
      // The bar of tabs is at the lower edge of a phone; the chosen panel scrolls into view above it.
      if (!low.matches) panels.get(name)?.scrollIntoView({ block: "nearest" });
    };
    return button({ id: `tab-${name}`, "data-tab": name, role: "tab" }, act, words.word(`player.tab.${name}`));
  });
  host.replaceChildren(...buttons);
  // In landscape, a phone has room for the stage or for space and time: the stage comes first.
  let chosen = begin && names.includes(begin) ? begin : low.matches ? "rule" : "time";

  /** @param {string} name */
  function choose(name) {
    chosen = name;
    draw();
  }

  function draw() {
    for (const tab of buttons) {
      const mine = tab.dataset.tab === chosen;
      tab.setAttribute("aria-selected", String(mine));
      tab.tabIndex = mine ? 0 : -1;
    }
    for (const [name, panel] of panels) {
      panel.classList.toggle("folded", narrow.matches && name !== chosen);
    }
    document.body.dataset.tab = chosen;
  }

  host.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    choose(names[(names.indexOf(chosen) + by + names.length) % names.length]);
    one(`tab-${chosen}`).focus();
  });
  narrow.addEventListener("change", draw);
  draw();
}
