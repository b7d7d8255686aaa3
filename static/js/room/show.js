/** What the presenter can show: any run or lesson, and one by one those of a playlist. Wires. */

import { all, as, data, filled, first, maybe, one } from "../page.js";

/** @param {(address: string) => void} open */
export function showing(open) {
  const any = one("room-show", HTMLSelectElement);
  one("room-show-go").addEventListener("click", () => {
    one("room-menu").hidePopover();
    open(any.value);
  });
  const list = maybe("room-list");
  /** @type {(at: string, held: boolean) => void} what is shown, and whether it stays until the vote is over */
  const at = list ? walk(list, open) : () => {};
  return { at };
}

/**
 * The way through a playlist: what the room shows is an item of it, or the item before stays the place.
 * @param {HTMLElement} host @param {(address: string) => void} open
 */
function walk(host, open) {
  /** @type {string[]} */
  const items = JSON.parse(data(host, "items"));
  const names = items.map(nameOf);
  const label = first(host, "span");
  const buttons = all(host, "button", HTMLButtonElement);
  let now = 0;
  /** Where the visitor is going. @type {number | null} */
  let wanted = null;

  host.addEventListener("click", ({ target }) => {
    const by = Number(as(target, HTMLButtonElement)?.dataset.by);
    if (!by) return;
    wanted = now + by;
    open(items[wanted]);
  });
  return (/** @type {string} */ at, /** @type {boolean} */ held) => {
    const name = nameOf(at);
    const near = [wanted ?? now, now, ...names.keys()].find((place) => names[place] === name);
    if (near === wanted) wanted = null;
    now = near ?? now;
    label.textContent = filled(data(host, "at"), { at: now + 1 });
    for (const each of buttons) each.disabled = held || !items[now + Number(each.dataset.by)];
  };
}

/** An address without what an item and a room have each in their own way. @param {string} address */
function nameOf(address) {
  const { pathname, searchParams } = new URL(address, location.href);
  for (const own of ["step", "presenter", "view", "lang"]) searchParams.delete(own);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}
