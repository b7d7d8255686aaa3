/** What the presenter can show: any run or lesson, and one by one those of a playlist. Wires. */

import { as, data, filled, first, maybe, one } from "../page.js";

/** @param {(address: string) => void} open */
export function showing(open) {
  const any = one("room-show", HTMLSelectElement);
  one("room-show-go").addEventListener("click", () => {
    one("room-menu").hidePopover();
    open(any.value);
  });
  const list = maybe("room-list");
  return { /** @param {string} at what is shown */ at: list ? walk(list, open) : () => {} };
}

/** The way through a playlist. @param {HTMLElement} host @param {(address: string) => void} open */
function walk(host, open) {
  /** @type {string[]} */
  const items = JSON.parse(data(host, "items"));
  const label = first(host, "span");
  const [back, next] = [-1, 1].map((by) => first(host, `[data-by="${by}"]`, HTMLButtonElement));
  let now = 0;

  function draw() {
    label.textContent = filled(data(host, "at"), { at: now + 1 });
    back.disabled = now === 0;
    next.disabled = now === items.length - 1;
  }

  host.addEventListener("click", ({ target }) => {
    const by = Number(as(target, HTMLButtonElement)?.dataset.by);
    if (!by) return;
    now += by;
    open(items[now]);
    draw();
  });
  const path = (/** @type {string} */ address) => address.split("?")[0];
  return (/** @type {string} */ at) => {
    if (path(items[now]) !== path(at)) now = Math.max(now, items.map(path).lastIndexOf(path(at)));
    draw();
  };
}
