/** What the presenter can show: any run or lesson, and one by one those of a playlist. Wires. */

import { all, as, data, filled, first, maybe, one } from "../page.js";
import { keepValue, valueOf } from "../storage.js";

/**
 * @param {(address: string) => void} open
 * @returns {(at: string, held: boolean) => void} to be called with what is shown, and whether it stays until the vote is
 * over
 */
export function showing(open) {
  const any = one("room-show", HTMLSelectElement);
  one("room-show-go").addEventListener("click", () => {
    one("room-menu").hidePopover();
    open(any.value);
  });
  const list = maybe("room-list");
  return list ? walk(list, open) : () => {};
}

/**
 * The way through a playlist: what the room shows is an item of it, or the item before stays the place.
 * @param {HTMLElement} host @param {(address: string) => void} open
 */
function walk(host, open) {
  /** @type {[at: string, large: string][]} what a room calls an item, and its address */
  const items = JSON.parse(data(host, "items"));
  const label = first(host, "span");
  const buttons = all(host, "button", HTMLButtonElement);
  // The same item may be in the list twice: after a reload it is still known which of the two is shown.
  const name = `item ${location.pathname}`;
  let now = Math.min(valueOf(name, { tab: true }) ?? 0, items.length - 1);
  /** Where the visitor is going. @type {number | null} */
  let wanted = null;

  host.addEventListener("click", ({ target }) => {
    const by = Number(as(target, HTMLButtonElement)?.dataset.by);
    if (!by) return;
    wanted = now + by;
    open(items[wanted][1]);
  });
  return (/** @type {string} */ at, /** @type {boolean} */ held) => {
    const near = [wanted ?? now, now, ...items.keys()].find((place) => items[place][0] === at);
    if (near === wanted) wanted = null;
    now = near ?? now;
    keepValue(name, now, { tab: true });
    label.textContent = filled(data(host, "at"), { at: now + 1 });
    const focused = buttons.find((each) => each === document.activeElement);
    for (const each of buttons) each.disabled = held || !items[now + Number(each.dataset.by)];
    if (focused?.disabled) (buttons.find((each) => !each.disabled) ?? one("room-frame")).focus();
  };
}
