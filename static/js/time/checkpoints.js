/** The names of the checkpoints that processes take independently, and the recovery line through them. Draws. */

import { called } from "../run/checkpoint.js";
import { say } from "../svg.js";
import { Nodes, node, put } from "./nodes.js";
import { curves, lineOf } from "./scale.js";

/** @import { Line, Word } from "../types.js" */
/** @import { View } from "./view.js" */

/** How far from the line that goes through a checkpoint its name is. */
const AWAY = 8;

export class Checkpoints {
  /**
   * @param {SVGElement} over above the arrows and what was undone: the line
   * @param {SVGElement} top above everything: words
   * @param {Word} words
   */
  constructor(over, top, words) {
    this.words = words;
    const layer = node("g", { class: "st-recovery" });
    over.append(layer);
    this.lines = new Nodes(layer, () =>
      node("g", { class: "st-recovery-line" }, [
        node("path", { class: "st-halo" }),
        node("path", { class: "st-firm" }),
        node("path", { class: "st-core" }),
      ]),
    );
    this.texts = new Nodes(top, () => node("text", { class: "st-checkpoint" }));
    this.title = node("text", { class: "st-recovery-word", "text-anchor": "middle" });
    top.append(this.title);
  }

  /** @param {View} view */
  draw(view) {
    const { history, scale, reached, part } = view;
    const { line } = history.scenes.at(reached);
    put(this.title, { display: line && !part ? null : "none" });
    if (line && !part) this.#line(line, view);
    if (!part && scale.row >= 28) for (const each of history.checkpoints) this.#name(each, line, view);
    this.lines.sweep();
    this.texts.sweep();
  }

  /** Through the checkpoints; past processes that stay, and past the beginning, at the edge of what has happened.
   * @param {Line} line @param {View} view */
  #line({ since, at, cost }, view) {
    const { scale, seen } = view;
    const xs = at.map((step) => view.x(step ?? since));
    const { firm } = curves(
      scale,
      xs,
      xs.map(() => true),
    );
    const drawn = this.lines.take(since);
    put(drawn, { "data-line": since });
    for (const stroke of drawn.children) put(stroke, { d: firm });
    // Beside its foot: below it are the numbers of the steps.
    const x = (Math.max(xs[xs.length - 1], seen) + 7).toFixed(1);
    put(this.title, { x, y: scale.bottom - 4, "text-anchor": "start" });
    const all = at.every((step) => step === 0);
    say(this.title, this.words(`spacetime.line${cost ? (all ? ".beginning" : "") : ".far"}`));
  }

  /** @param {import("./history.js").Checkpoint} checkpoint @param {Line | null} line @param {View} view */
  #name({ row, number, step, until }, line, { history, scale, reached, first, last }) {
    if (step > reached || step < first || step > last) return;
    const name = history.names[row];
    const useless = line && step < line.crash && until > line.crash && line.useless[name]?.includes(number);
    const side = line?.at[row] === step ? beside(line, row) : 0;
    const drawn = this.texts.take(`${row} ${step}`);
    put(drawn, {
      x: (step * scale.unit + side * AWAY).toFixed(1),
      "text-anchor": ["end", "middle", "start"][side + 1],
      y: (lineOf(scale, row) + scale.square / 2 + 14).toFixed(1),
      class: `st-checkpoint${useless || until <= reached ? " st-thrown" : ""}`,
    });
    say(drawn, `${called(name, number)}${useless ? " ×" : ""}`);
  }
}

/** The side of the line that it does not turn to below this row: 1 right, -1 left. @param {Line} line
 * @param {number} row */
function beside({ at, since }, row) {
  const [here, next] = [row, Math.min(row + 1, at.length - 1)].map((each) => at[each] ?? since);
  return next < here ? 1 : -1;
}
