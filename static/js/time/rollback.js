/** What has been undone: the time between a cut and the line at which all roll back to it, hatched. Draws. */

import { called } from "../run/checkpoint.js";
import { Nodes, node, put, say } from "./nodes.js";
import { curves, lineOf } from "./scale.js";

/**
 * @param {SVGElement} over above the arrows and events
 * @param {SVGElement} top above everything: words
 * @param {(key: string, fields?: object) => string} words
 */
export function rollback(over, top, words) {
  const stripe = node("path", { d: "M0 0V8", class: "st-undone-stripe" });
  const pattern = node("pattern", { id: "undone", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, [stripe]);
  const layer = node("g", { class: "st-setbacks" });
  over.append(node("defs", {}, [pattern]), layer);
  const areas = new Nodes(layer, () => node("g", {}, [node("path", { class: "st-undone-area" }), node("path", { class: "st-undone-hatch" }), node("path", { class: "st-back-line" })]));
  const texts = new Nodes(top, () => node("text", { class: "st-back-word" }));

  function draw(view) {
    const { history, scale, reached, part, place, nowX, seen } = view;
    for (const setback of part ? [] : history.setbacks.filter(({ step }) => step <= reached)) {
      const x = place(setback.step) * scale.unit;
      if (x < seen - 40) continue;
      const drawn = areas.take(setback.step);
      const [area, hatch, line] = drawn.children;
      const { d, from, until } = setback.row === null ? everything(setback, x, view) : one(setback, x, view);
      put(area, { d });
      put(hatch, { d });
      put(line, { d: `M${x.toFixed(1)} ${from}V${until}` });
      put(drawn, { "data-setback": setback.step });
      // Of several on the same line, only the last has a label.
      if (setback.row !== null && history.setbacks.some(({ step, row }) => row === setback.row && step > setback.step && step <= reached)) continue;
      const text = texts.take(setback.step);
      const plain = setback.snapshot && setback.row === null ? "" : " st-plain";
      put(line, { class: `st-back-line${plain}` });
      // For one process it is above its line, for all along the line of the rollback: "now" and the cut are at the top.
      const after = nowX - x > 210 || x - seen < 210;
      const [alone, all] = [`translate(${(after ? Math.max(x, seen) + 6 : x - 6).toFixed(1)} ${from - 6})`, `translate(${(x - 7).toFixed(1)} ${scale.bottom - 4}) rotate(-90)`];
      put(text, { transform: setback.row === null ? all : alone, "text-anchor": after || setback.row === null ? "start" : "end", class: `st-back-word${plain}` });
      say(text, said(setback, history));
    }
    areas.sweep();
    texts.sweep();
  }

  /** From the cut of the snapshot, or the beginning, to the line. */
  function everything({ snapshot }, x, { history, scale, place }) {
    const cut = history.snapshots.get(snapshot);
    // The cut itself stays free.
    const away = scale.square / 2 + 3;
    const xs = history.names.map((_, row) => (cut && cut.recorded[row] !== Infinity ? place(cut.recorded[row]) * scale.unit + away : 0));
    const { firm } = curves(scale, xs, xs.map(() => true));
    return { d: `${firm}H${x.toFixed(1)}V${scale.top}Z`, from: scale.top, until: scale.bottom };
  }

  /** On the line of one process. */
  function one({ row, since }, x, { scale, place }) {
    const [y, half] = [lineOf(scale, row), Math.min(scale.row / 2 - 1, 14)];
    // The square from which it continues stays free.
    const left = place(since) * scale.unit + (since ? scale.square / 2 + 3 : 0);
    const [from, until] = [Math.round(y - half), Math.round(y + half)];
    return { d: `M${left.toFixed(1)} ${from}H${x.toFixed(1)}V${until}H${left.toFixed(1)}Z`, from, until };
  }

  function said({ snapshot, row }, { names, fallen, root }) {
    if (row !== null && fallen) return words(snapshot ? "spacetime.returned.own" : "spacetime.returned.own.beginning", { process: names[row], checkpoint: called(names[row], snapshot) });
    // With a coordinator, only a retried task comes back alone.
    if (row !== null && root !== null) return words("spacetime.retried", { process: names[row] });
    if (row !== null) return words("spacetime.returned", { process: names[row], saved: snapshot });
    return snapshot ? words("spacetime.restored", { snapshot }) : words("spacetime.restored.beginning");
  }

  return { draw };
}
