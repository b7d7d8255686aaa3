/** The names of the checkpoints that processes take independently, and the recovery line through them. Draws. */

import { called } from "../run/checkpoint.js";
import { Nodes, node, put, say } from "./nodes.js";
import { curves, lineOf } from "./scale.js";

/**
 * @param {SVGElement} over above the arrows and what was undone: the line
 * @param {SVGElement} top above everything: words
 * @param {(key: string, fields?: object) => string} words
 */
export function checkpoints(over, top, words) {
  const layer = node("g", { class: "st-recovery" });
  over.append(layer);
  const lines = new Nodes(layer, () => node("path", { class: "st-recovery-line" }));
  const texts = new Nodes(top, () => node("text", { class: "st-checkpoint", "text-anchor": "middle" }));
  const title = node("text", { class: "st-recovery-word", "text-anchor": "middle" });
  top.append(title);

  function draw(view) {
    const { history, scale, reached, part } = view;
    const { fallen } = history;
    const line = part || !fallen ? null : fallen.line(reached);
    if (line) drawLine(line, view);
    put(title, { display: line ? null : "none" });
    if (fallen && !part && scale.row >= 28) for (const each of fallen.checkpoints) drawName(each, line, view);
    lines.sweep();
    texts.sweep();
  }

  /** Through the checkpoints; past processes that stay, and past the beginning, at the edge of what has happened. */
  function drawLine(line, { history, scale, place, seen }) {
    const xs = line.at.map((step) => place(step ?? line.step) * scale.unit);
    const { firm } = curves(scale, xs, xs.map(() => true));
    put(lines.take(line.step), { d: firm, "data-line": line.step });
    const last = xs.length - 1;
    const said = words(history.names.every((_, row) => line.at[row] === 0) ? "spacetime.line.beginning" : "spacetime.line");
    // Beside its foot: below it are the numbers of the steps.
    put(title, { x: (Math.max(xs[last], seen) + 7).toFixed(1), y: scale.bottom - 4, "text-anchor": "start" });
    say(title, said);
  }

  function drawName({ row, number, step, until }, line, { history, scale, reached, place, first, last }) {
    if (step > reached || step < first || step > last) return;
    const name = history.names[row];
    const useless = line && step < line.crash && until > line.crash && line.useless[name]?.includes(number);
    const drawn = texts.take(`${row} ${step}`);
    put(drawn, {
      x: (place(step) * scale.unit).toFixed(1),
      y: (lineOf(scale, row) + scale.square / 2 + 14).toFixed(1),
      class: `st-checkpoint${useless || until <= reached ? " st-thrown" : ""}`,
    });
    say(drawn, `${called(name, number)}${useless ? " ×" : ""}`);
  }

  return { draw };
}
