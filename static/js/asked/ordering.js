/**
 * A list whose order counts. The server draws a number beside each part; here this becomes a list whose rows can be
 * moved, with buttons or by dragging. If not all rows belong to the answer, the chosen ones come first. The order on
 * the page is the order of the answer. Draws.
 */

import { around, as, data, filled, first, swallowClick } from "../page.js";
import { button, html, svg } from "../svg.js";

/** @param {HTMLElement} list */
export function ordering(list) {
  const all = list.dataset.all === "1";
  const rows = () => [...list.children].flatMap((row) => as(row) ?? []);
  const place = (/** @type {HTMLElement} */ row) => Number(row.dataset.place) || (all ? 0 : Infinity);
  const sorted = rows().map((row, i) => ({ row, at: place(row), i }));
  sorted.sort((a, b) => a.at - b.at || a.i - b.i || 0);
  const says = html("p", { class: "unseen", role: "status" });
  list.after(says);

  const chosen = () => rows().filter((row) => all || first(row, "input", HTMLInputElement).checked);
  const told = (/** @type {HTMLElement} */ row) => {
    says.textContent = filled(data(list, "moved"), { part: data(row, "text"), place: chosen().indexOf(row) + 1 });
  };
  const number = () => {
    const mine = chosen();
    for (const row of rows()) {
      const at = mine.indexOf(row);
      row.classList.toggle("chosen", at >= 0);
      first(row, ".asked-badge").textContent = at >= 0 ? String(at + 1) : "";
      first(row, ".asked-moves").hidden = at < 0;
      const [up, down] = row.querySelectorAll("button");
      up.disabled = at === 0;
      down.disabled = at === mine.length - 1;
    }
  };
  /** Move a row to another one's place. @param {HTMLElement} row @param {number} by */
  const move = (row, by) => {
    const mine = chosen();
    const other = mine[mine.indexOf(row) + by];
    if (!other) return;
    if (by < 0) other.before(row);
    else other.after(row);
    number();
    told(row);
  };

  for (const { row } of sorted) {
    make(row, all, list.dataset, (by, pressed) => {
      move(row, by);
      (pressed.disabled ? as(row.querySelector("button:not(:disabled)")) : pressed)?.focus();
    });
    list.append(row);
    row.querySelector("input[type=checkbox]")?.addEventListener("change", (event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      const others = chosen().filter((each) => each !== row);
      if (others.length) others[others.length - 1].after(row);
      else list.prepend(row);
      number();
      if (input.checked) told(row);
      input.focus({ preventScroll: true });
    });
    dragged(row, list, chosen, () => {
      number();
      told(row);
    });
  }
  list.classList.add("ordering");
  number();
}

/**
 * @param {HTMLElement} row @param {boolean} all @param {DOMStringMap} words
 * @param {(by: number, pressed: HTMLButtonElement) => void} moved
 */
function make(row, all, words, moved) {
  const [value, text, place] = ["value", "text", "place"].map((name) => data(row, name));
  const mark = row.querySelector(".asked-mark");
  const input = html("input", { type: all ? "hidden" : "checkbox", name: "answer", value, checked: Number(place) > 0 });
  const badge = html("span", { class: "asked-badge", "aria-hidden": "true" });
  const label = html(all ? "span" : "label", "asked-option", input, badge, html("span", "asked-text", text));
  if (mark) label.append(mark);
  const moves = html("span", "asked-moves");
  for (const [by, name = "", d] of /** @type {const} */ ([
    [-1, words.up, "M5 12l5-5 5 5"],
    [1, words.down, "M5 8l5 5 5-5"],
  ])) {
    const icon = svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" });
    const round = { "stroke-width": 2.2, "stroke-linecap": "round", "stroke-linejoin": "round" };
    svg("path", { d, fill: "none", stroke: "currentColor", ...round }, icon);
    const made = button({ "aria-label": filled(name, { part: text }) }, () => moved(by, made), icon);
    moves.append(made);
  }
  row.replaceChildren(label, moves);
}

/**
 * Rows follow the pointer. A short press still chooses; touch scrolls, and uses the buttons.
 * @param {HTMLElement} row @param {HTMLElement} list @param {() => Element[]} chosen @param {() => void} done
 */
function dragged(row, list, chosen, done) {
  row.addEventListener("pointerdown", (event) => {
    if (
      event.button ||
      event.pointerType === "touch" ||
      around(event.target, "button, :disabled") ||
      !chosen().includes(row)
    )
      return;
    const from = event.clientY;
    let moving = false;
    const follow = (/** @type {PointerEvent} */ { clientY }) => {
      if (!moving && Math.abs(clientY - from) < 6) return;
      moving = true;
      row.classList.add("dragged");
      const over = chosen().find((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return each !== row && clientY > top && clientY < bottom;
      });
      if (!over) return;
      if (row.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING) over.after(row);
      else over.before(row);
    };
    const drop = () => {
      window.removeEventListener("pointermove", follow);
      if (!moving) return;
      row.classList.remove("dragged");
      done();
      swallowClick(list);
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", drop, { once: true });
  });
}
