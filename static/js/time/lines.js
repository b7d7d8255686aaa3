/** The lines of the processes. Draws. */

import { Nodes, node, put } from "./nodes.js";
import { lineOf } from "./scale.js";

/** @import { View } from "./view.js" */

export class Lines {
  #future = node("path", { class: "st-line st-line-future" });
  #past = node("path", { class: "st-line" });
  #acting = node("path", { class: "st-line st-line-acting" });
  #layer = node("g", { class: "st-bounds", "aria-hidden": "true" });
  #marks = new Nodes(this.#layer, () => node("path"));
  #pieces = new Nodes(this.#layer, () => node("path", { class: "st-line" }));
  /** @type {{line: SVGElement, from: number, y: number}[]} */
  #growing = [];

  /** @param {SVGElement} world */
  constructor(world) {
    world.append(this.#future, this.#past, this.#acting, this.#layer);
  }

  /** @param {View} view */
  draw(view) {
    const { scale, history, end, reached, part } = view;
    const width = Math.max(0.2, Math.min(2, scale.row / 6));
    const rows = history.names.map((_, row) => row);
    const bounded = rows.filter((row) => isBounded(history.spans[row], reached));
    const whole = rows.filter((row) => !bounded.includes(row)).map((row) => `M0 ${lineOf(scale, row).toFixed(1)}H`);
    put(this.#past, { d: whole.map((start) => `${start}1`).join(""), "stroke-width": width });
    const until = Math.round(end * scale.unit);
    put(this.#future, { d: whole.map((start) => `${start}${until}`).join(""), "stroke-width": width });
    this.#growing = [];
    for (const row of bounded) this.#spans(row, width, view);
    this.#marks.sweep();
    this.#pieces.sweep();
    const row = scale.dense && !part ? history.happening(reached)?.row : null;
    put(this.#acting, { d: typeof row === "number" ? `M0 ${lineOf(scale, row).toFixed(1)}H1` : "" });
  }

  /** @param {View} view */
  advance({ endX }) {
    const transform = `scale(${Math.max(endX, 0.01).toFixed(1)} 1)`;
    put(this.#past, { transform });
    for (const { line, from, y } of this.#growing) put(line, { d: straight(from, Math.max(from, endX), y) });
    put(this.#acting, { transform });
  }

  /**
   * A line that begins with a bar where a process joined, has a gap while it is down, and ends with a bar, or a cross
   * where it crashed.
   * @param {number} row @param {number} width @param {View} view
   */
  #spans(row, width, view) {
    const { scale, history, reached, nowX } = view;
    const y = lineOf(scale, row);
    const reach = Math.min(8, scale.row / 4);
    const bar = (/** @type {number} */ x) => `M${x.toFixed(1)} ${y - reach}v${2 * reach}`;
    const cross = (/** @type {number} */ x) =>
      `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}`;
    history.spans[row].forEach(({ from, to, end }, i) => {
      if (from > reached) return;
      const over = to <= reached;
      const [left, right] = [view.x(from), over ? view.x(to) : nowX];
      const line = this.#pieces.take(`${row} ${from}`);
      put(line, { d: straight(left, Math.max(left, right), y), "stroke-width": width });
      if (!over) this.#growing.push({ line, from: left, y });
      if (!i && from) put(this.#marks.take(`${row} born`), { class: "st-bound", d: bar(left) });
      if (!over) return;
      const crashed = end !== "left";
      const mark = this.#marks.take(`${row} ended ${to}`);
      put(mark, { class: `st-bound${crashed ? " st-crash" : ""}`, d: crashed ? cross(right) : bar(right) });
    });
  }
}

/** Does the line of a process begin late, has it ended, or has it a gap?
 * @param {import("./history.js").Span[]} spans @param {number} reached */
function isBounded([first], reached) {
  return !first || first.from > 0 || first.to <= reached;
}

/** @param {number} from @param {number} to @param {number} y */
function straight(from, to, y) {
  return `M${from.toFixed(1)} ${y.toFixed(1)}H${to.toFixed(1)}`;
}
